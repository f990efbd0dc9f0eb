//! The declared Kronecker product: read from texts, computed on every device, checked, and the same as the host's.

use manycore_device::{Device, DeviceSet};
use manycore_field::NotPrime;
use manycore_kronecker::operations::ALL;
use manycore_kronecker::{KroneckerError, ParseError};
use manycore_operation::vector::Vector;
use manycore_operation::{Answer, Arguments, Given, OperationError, Setting, Value, ValueError};

fn answer(arguments: &Arguments, text: &str, device: &Device) -> Result<Answer, OperationError> {
    Given::new().with("x.txt", text).call(ALL[0], arguments, &device.clone().into(), (1, true))
}

fn product(text: &str) -> Arguments {
    Arguments::new().with("product", Setting::Text(text.to_owned()))
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
