//! The declared Fourier transform: read from texts, computed on every device, checked, and the same as the host's.

use manycore_device::Device;
use manycore_field::NotPrime;
use manycore_fourier::FourierError;
use manycore_fourier::operations::ALL;
use manycore_operation::vector::Vector;
use manycore_operation::{Answer, Arguments, Given, OperationError, Setting, Value, ValueError};
use manycore_testkit::devices;

fn answer(arguments: &Arguments, texts: &[&str], device: &Device) -> Result<Answer, OperationError> {
    let given = texts.iter().fold(Given::new(), |given, text| given.with("x.txt", *text));
    given.call(ALL[0], arguments, &device.clone().into(), (1, true))
}

fn group(text: &str) -> Arguments {
    Arguments::new().with("group", Setting::Text(text.to_owned()))
}

fn modulo(p: u64, factors: &str) -> Arguments {
    group(factors).with("modulus", Setting::Number(p))
}

const TEXT: &str = "3 1 4 1 5 9 2 6 5 3 5 8";

#[test]
fn residues_are_the_same_checked_on_every_device() {
    for (p, factors) in [(7, "3"), (13, "3,4"), (13, "2,3,2"), (18_446_744_069_414_584_321, "4")] {
        let whole = modulo(p, factors);
        let convolved = whole.clone().with("convolve", Setting::Given);
        for arguments in [whole.clone(), whole.with("inverse", Setting::Given), convolved] {
            let texts = if arguments.is_given("convolve") { &[TEXT, TEXT][..] } else { &[TEXT] };
            let host = answer(&arguments, texts, &Device::host()).unwrap();
            for device in devices() {
                let own = answer(&arguments, texts, &device).unwrap();
                assert_eq!(own.value, host.value, "{arguments:?} on {}", device.info().name);
            }
        }
    }
}

#[test]
fn complex_numbers_pass_their_checks_on_every_device() {
    for factors in ["3", "2,3", "6"] {
        for flags in [&[][..], &["inverse"], &["real"], &["convolve"], &["real", "convolve"]] {
            for is_single in [false, true] {
                let arguments = flags.iter().fold(group(factors), |all, flag| all.with(flag, Setting::Given));
                let arguments = if is_single { arguments.with("single", Setting::Given) } else { arguments };
                let texts = if arguments.is_given("convolve") { &[TEXT, TEXT][..] } else { &[TEXT] };
                for device in devices().iter().filter(|device| is_single || device.info().fp64) {
                    let made = answer(&arguments, texts, device).unwrap();
                    assert!(matches!(made.value, Value::Vector(Vector::F32(_) | Vector::F64(_))), "{arguments:?}");
                }
            }
        }
    }
}

#[test]
fn parts_make_the_whole() {
    for arguments in [modulo(7, "3"), group("2"), group("2").with("convolve", Setting::Given)] {
        let part = |items| {
            let given = Given::new().with("x.txt", TEXT).with("y.txt", TEXT).part_of(items);
            match given.call(ALL[0], &arguments, &Device::host().into(), (1, true)).unwrap().value {
                Value::Elements(words) => words,
                Value::Vector(Vector::F64(values)) => values.into_iter().map(f64::to_bits).collect(),
                other => panic!("{other:?}"),
            }
        };
        let count = if arguments.is_given("modulus") { 4 } else { 3 };
        assert_eq!([part(0..1), part(1..count)].concat(), part(0..count), "{arguments:?}");
    }
}

#[test]
fn what_is_wrong_is_named() {
    let of = |arguments: Arguments, texts: &[&str]| answer(&arguments, texts, &Device::host()).unwrap_err();
    assert!(of(modulo(12, "3"), &[TEXT]).of::<NotPrime>().is_some());
    assert!(matches!(of(group("3"), &[""]).of(), Some(ValueError::Empty { .. })));
    assert!(matches!(of(group("3"), &["1 2 3"]).of(), Some(ValueError::Parts { len: 3, .. })));
    assert!(matches!(of(group("5"), &[TEXT]).of(), Some(ValueError::Runs { order: 5, .. })));
    let convolve = modulo(7, "3").with("convolve", Setting::Given);
    let operands = of(convolve, &[TEXT, "1 2 3 4 5 6"]);
    assert!(matches!(operands.of(), Some(ValueError::Operands { given: 2, expected: 4, .. })), "{operands}");
    let no_root = of(modulo(5, "3"), &[TEXT]);
    assert!(matches!(no_root.of(), Some(FourierError::NoRoot(_))) && no_root.is_refusal(), "{no_root}");
    // The group of all values is about them.
    let of_values = of(Arguments::new().with("modulus", Setting::Number(5)), &["1 2 3"]);
    assert!(of_values.is_refusal() && of_values.told(&["x.txt".to_owned()]).starts_with("x.txt: "), "{of_values}");
    assert!(ALL[0].read(&group("x"), &mut Given::new().with("x.txt", TEXT)).is_err());
}
