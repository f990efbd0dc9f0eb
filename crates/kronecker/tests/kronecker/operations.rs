//! The declared Kronecker product: read from texts, computed on every device, checked, and the same as the host's.

use manycore_device::{Device, DeviceSet};
use manycore_field::NotPrime;
use manycore_kronecker::operations::ALL;
use manycore_kronecker::{KroneckerError, ParseError};
use manycore_operation::vector::Vector;
use manycore_operation::{Answer, Arguments, Given, OperationError, Setting, Value, ValueError};
use manycore_testkit::devices;

fn answer(arguments: &Arguments, text: &str, device: &Device) -> Result<Answer, OperationError> {
    Given::new().with("x.txt", text).call(ALL[0], arguments, &device.clone().into(), (1, true))
}

fn product(text: &str) -> Arguments {
    Arguments::new().with("product", Setting::Text(text.to_owned()))
}

const TEXT: &str = "3 1 4 1 5 9 2 6";

#[test]
fn every_way_is_the_same_checked_on_every_device() {
    let numbers = ["i32", "i64", "f32", "f64"].map(|word| ("type", Setting::Word(word)));
    let moduli = [7, 4_294_967_291, 18_446_744_069_414_584_321].map(|p| ("modulus", Setting::Number(p)));
    for text in ["walsh^3", "h2 x rm", "arith x id2", "h4"] {
        for (name, setting) in numbers.iter().chain(&moduli) {
            for flags in [&[][..], &["transpose"], &["inverse", "wrap"], &["inverse", "transpose", "wrap"]] {
                let of_numbers = product(text).with(name, setting.clone());
                let arguments = flags.iter().fold(of_numbers, |all, flag| all.with(flag, Setting::Given));
                let host = answer(&arguments, TEXT, &Device::host()).map_err(|error| error.to_string());
                for device in devices() {
                    if *setting == Setting::Word("f64") && !device.info().fp64 {
                        continue;
                    }
                    let own = answer(&arguments, TEXT, &device).map_err(|error| error.to_string());
                    let values = [own, host.clone()].map(|answer| answer.map(|answer| answer.value));
                    assert_eq!(values[0], values[1], "{text} {arguments:?} on {}", device.info().name);
                }
            }
        }
    }
}

#[test]
fn values_are_those_of_the_definition() {
    let of = |arguments: Arguments, text: &str| answer(&arguments, text, &Device::host()).unwrap().value;
    assert_eq!(of(product("walsh"), "3 1"), Value::Vector(Vector::I64(vec![4, 2])));
    assert_eq!(of(product("rm").with("modulus", Setting::Number(2)), "1 1"), Value::Elements(vec![1, 0]));
    let complex = product("dft2").with("complex", Setting::Given);
    assert_eq!(of(complex, "1 2 3 4"), Value::Vector(Vector::F64(vec![4.0, 6.0, -2.0, -2.0])));
}

#[test]
fn parts_make_the_whole() {
    let part = |items| {
        let given = Given::new().with("x.txt", TEXT).part_of(items);
        let answer = given.call(ALL[0], &product("walsh"), &Device::host().into(), (1, true)).unwrap();
        let Value::Vector(Vector::I64(values)) = answer.value else { panic!("integers") };
        values
    };
    assert_eq!([part(0..1), part(1..4)].concat(), part(0..4));
}

#[test]
fn what_is_wrong_is_named() {
    let of = |arguments: Arguments, text: &str| answer(&arguments, text, &Device::host()).unwrap_err();
    assert!(of(product("walsh").with("modulus", Setting::Number(12)), "1 2").of::<NotPrime>().is_some());
    let unknown = of(product("none"), "1 2");
    assert!(unknown.of::<ParseError>().is_some() && unknown.told(&[]).starts_with("--product: "), "{unknown}");
    assert!(matches!(of(product("walsh"), "").of(), Some(ValueError::Empty { .. })));
    assert!(matches!(of(product("walsh"), "1 2 3").of(), Some(ValueError::Runs { order: 2, .. })));
    let short = product("walsh").with("type", Setting::Word("i32"));
    assert!(matches!(of(short, "2147483647 1").of(), Some(ValueError::Overflow { .. })));
    let inverse = product("walsh").with("inverse", Setting::Given);
    assert!(matches!(of(inverse.clone(), "3 0").of(), Some(ValueError::NotSpectrum { index: 0, .. })));
    let singular = inverse.with("modulus", Setting::Number(2));
    assert!(matches!(of(singular, "1 1").of(), Some(KroneckerError::Factor { .. })));
}

#[test]
fn wrong_refusals_do_not_pass() {
    let inverse = product("walsh").with("inverse", Setting::Given);
    let mut job = ALL[0].read(&inverse, &mut Given::new().with("x.txt", "3 0")).unwrap();
    let refused = job.compute(&DeviceSet::from(Device::host()), 1).unwrap_err();
    assert!(job.check_refusal(&refused, 1).unwrap().is_ok());
}
