//! Declared operations on polynomials: values, and what is wrong is named. Of the facade are tests of every way of every operation.

use manycore_device::{Device, DeviceSet};
use manycore_field::NotPrime;
use manycore_operation::{Answer, Arguments, Given, Operation, OperationError, Polynomial, Setting, Value};
use manycore_poly::operations::ALL;
use manycore_poly::{PolyError, PolyFileError};

/// Inputs as texts.
fn given(texts: &[&str]) -> Given {
    texts.iter().enumerate().fold(Given::new(), |given, (input, text)| given.with(format!("{input}.txt"), *text))
}

fn named(name: &str) -> &'static dyn Operation {
    *ALL.iter().find(|operation| operation.declaration().name == name).unwrap()
}

/// The checked answer of a call on a device.
fn answer(
    operation: &dyn Operation,
    arguments: &Arguments,
    texts: &[&str],
    device: &Device,
) -> Result<Answer, OperationError> {
    given(texts).call(operation, arguments, &DeviceSet::from(device.clone()), (1, true))
}

fn polynomial(coefficients: Vec<u64>) -> Value {
    Value::Polynomial(Polynomial::in_x(coefficients))
}

fn modulo(p: u64) -> Arguments {
    Arguments::new().with("modulus", Setting::Number(p))
}

#[test]
fn values_are_those_of_the_ring() {
    let of = |name: &str, arguments: Arguments, texts: &[&str]| {
        answer(named(name), &arguments, texts, &Device::host()).unwrap().value
    };
    assert_eq!(of("poly mul", modulo(7), &["2 6", "1 1"]), polynomial(vec![2, 1, 6]));
    assert_eq!(of("poly mul", modulo(7), &["1 1", "1 1"]), polynomial(vec![1, 2, 1]));
    let parts = vec![("quotient", vec![2]), ("remainder", vec![6])];
    assert_eq!(of("poly div", modulo(7), &["1 2", "1 1"]), Value::Polynomials(parts));
    let only = modulo(7).with("only", Setting::Word("remainder"));
    assert_eq!(of("poly div", only, &["1 2", "1 1"]), polynomial(vec![6]));
    assert_eq!(of("poly eval", modulo(7), &["1 2 3", "0 1 0"]), Value::Elements(vec![1, 6, 1]));
    assert_eq!(of("poly resultant", modulo(7), &["1 1", "3 1"]), Value::Element(2));
    assert_eq!(of("poly factor", modulo(7), &["0 3"]), Value::Factors(3, vec![(vec![0, 1], 1)]));
    // One file for both factors.
    let one = Given::new().with("f.txt", "1 1").with("f.txt", "1 1");
    let square = one.call(named("poly mul"), &modulo(7), &Device::host().into(), (1, true)).unwrap();
    assert!(square.parameters.iter().any(|(name, value)| *name == "square" && *value == true), "{square:?}");
}

#[test]
fn a_part_of_the_points_is_evaluated_at() {
    let texts = ["1 1", "0 1 2 3 4"];
    let mut job = named("poly eval").read(&modulo(7), &mut given(&texts).part_of(1..3)).unwrap();
    job.compute(&DeviceSet::from(Device::host()), 1).unwrap();
    assert!(job.check(3, false).is_ok());
    assert_eq!(job.answer().value, Value::Elements(vec![2, 3]));
}

#[test]
fn what_is_wrong_is_named() {
    let of = |name: &str, arguments: Arguments, texts: &[&str]| {
        answer(named(name), &arguments, texts, &Device::host()).unwrap_err()
    };
    assert!(of("poly gcd", modulo(12), &["1", "1"]).of::<NotPrime>().is_some());
    assert!(of("poly gcd", modulo(0), &["1", "1"]).of::<NotPrime>().is_some());
    assert!(of("poly gcd", modulo(7), &["1 y", "1"]).of::<PolyFileError>().is_some());
    assert!(matches!(of("poly div", modulo(7), &["1 2", "0"]).of(), Some(PolyError::ZeroDivisor)));
    let equal = of("poly interpolate", modulo(7), &["1 8", "2 3"]);
    assert!(matches!(equal.of(), Some(PolyError::RepeatedPoint { first: 0, second: 1 })), "{equal}");
}

#[test]
fn wrong_refusals_do_not_pass() {
    let texts = ["1 1", "1 0 1"];
    let job = named("poly inverse").read(&modulo(7), &mut given(&texts)).unwrap();
    let refused = OperationError::from(PolyError::NotInvertible { gcd: vec![1, 1] });
    assert!(job.check_refusal(&refused, 1).unwrap().is_err(), "they have no common factor");
}
