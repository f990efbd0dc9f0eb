//! Declared operations on matrices: values, and what is wrong is named. Of the facade are tests of every way of every operation.

use manycore_device::{Device, DeviceSet};
use manycore_field::NotPrime;
use manycore_linalg::operations::ALL;
use manycore_linalg::{LinalgError, MatrixFileError};
use manycore_operation::{Answer, Arguments, Given, Operation, OperationError, Polynomial, Setting, Value};

/// Inputs as texts.
fn given(texts: &[&str]) -> Given {
    texts.iter().enumerate().fold(Given::new(), |given, (input, text)| given.with(format!("{input}.txt"), *text))
}

fn named(name: &str) -> &'static dyn Operation {
    *ALL.iter().find(|operation| operation.declaration().name == name).unwrap()
}

/// The answer of a call on a device, which was checked where the input is kept.
fn answer(
    operation: &dyn Operation,
    arguments: &Arguments,
    texts: &[&str],
    device: &Device,
    is_kept: bool,
) -> Result<Answer, OperationError> {
    given(texts).call(operation, arguments, &DeviceSet::from(device.clone()), (1, is_kept))
}

#[test]
fn values_are_those_of_the_field() {
    let of = |name: &str, texts: &[&str], p: u64| {
        let arguments = Arguments::new().with("modulus", Setting::Number(p));
        answer(named(name), &arguments, texts, &Device::host(), true).unwrap().value
    };
    assert_eq!(of("matrix det", &["1 2\n3 4"], 101), Value::Number(99));
    assert_eq!(of("matrix rank", &["1 2\n2 4"], 7), Value::Number(1));
    let matrix = |entries: &[u64]| Value::Matrix { rows: 2, columns: 2, entries: entries.to_vec() };
    assert_eq!(of("matrix mul", &["1 1\n1 0", "1 1\n1 0"], 7), matrix(&[2, 1, 1, 1]));
    assert_eq!(of("matrix mul", &["1 1\n1 0", "1 1\n1 0"], 2), matrix(&[0, 1, 1, 1]));
    assert_eq!(of("matrix charpoly", &["1 2\n3 4"], 101), Value::Polynomial(Polynomial::in_x(vec![99, 96, 1])));
    assert_eq!(of("matrix solve", &["1 0\n0 0", "1\n1"], 7), Value::None);
}

#[test]
fn what_is_wrong_is_named() {
    let of = |name: &str, arguments: Arguments, texts: &[&str]| {
        answer(named(name), &arguments, texts, &Device::host(), false).unwrap_err()
    };
    let modulo = |p| Arguments::new().with("modulus", Setting::Number(p));
    let exact = || Arguments::new().with("exact", Setting::Given);
    assert!(of("matrix det", modulo(12), &["1"]).of::<NotPrime>().is_some());
    assert!(of("matrix det", modulo(0), &["1"]).of::<NotPrime>().is_some());
    assert!(of("matrix det", modulo(7), &["1 x"]).of::<MatrixFileError>().is_some());
    for arguments in [modulo(7), exact(), Arguments::new().with("real", Setting::Given)] {
        let error = of("matrix det", arguments, &["1 2"]);
        assert!(matches!(error.of(), Some(LinalgError::NotSquare { .. })), "{error}");
    }
    for (arguments, texts) in [(modulo(7), ["1 2\n3 4", "1"]), (modulo(2), ["1 2\n3 4", "1"])] {
        let error = of("matrix mul", arguments, &texts);
        assert!(matches!(error.of(), Some(LinalgError::Shapes { .. })), "{error}");
    }
    let singular = answer(named("matrix inverse"), &exact(), &["1 2\n2 4"], &Device::host(), false);
    assert!(matches!(singular.unwrap_err().of(), Some(LinalgError::Singular { rank: 1, .. })));
}

#[test]
fn wrong_refusals_do_not_pass() {
    let refused = OperationError::from(LinalgError::Singular { rank: 1, order: 2 });
    for arguments in [
        Arguments::new().with("modulus", Setting::Number(7)),
        Arguments::new().with("modulus", Setting::Number(2)),
        Arguments::new().with("exact", Setting::Given),
    ] {
        let check = |text: &str| {
            let texts = [text];
            let job = named("matrix inverse").read(&arguments, &mut given(&texts).kept()).unwrap();
            job.check_refusal(&refused, 1).unwrap()
        };
        assert!(check("1 1\n1 1").is_ok(), "{arguments:?}");
        assert!(check("1 1\n0 1").is_err(), "{arguments:?}");
    }
}
