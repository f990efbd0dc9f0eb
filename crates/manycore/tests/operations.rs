//! Declared operations: every one in every way that its options give, on every device, checked, and the same as on the host.

use std::collections::BTreeMap;

use manycore::operation::vector::Vector;
use manycore::operation::{Arguments, Holds, Operation, OperationError, Splits, Value};
use manycore::verify::SplitMix;
use manycore::{Device, device::DeviceSet, operations};
use manycore_testkit::devices;

/// Lengths of lists, and rows of matrices.
const SIZES: [usize; 6] = [1, 2, 3, 4, 6, 7];
/// A length of lists that every algorithm takes.
const LONG: usize = 40;

/// The value of a checked call on a device.
fn value(
    operation: &dyn Operation,
    way: &Arguments,
    (size, seed): (usize, u64),
    device: &Device,
) -> Result<Value, OperationError> {
    let given = operation.declaration().input(way, size, &mut SplitMix::new(seed));
    Ok(given.call(operation, way, &DeviceSet::from(device.clone()), (seed, true))?.value)
}

/// Whether results are the same; of floating-point numbers up to rounding, which differs from device to device.
fn is_same(one: &Value, other: &Value) -> bool {
    fn near<T: Copy + Into<f64>>(one: &[T], other: &[T], roundoff: f64) -> bool {
        let size = |of: &[T]| of.iter().map(|&x| x.into().abs()).fold(1.0, f64::max);
        let most = 64.0 * roundoff * size(one);
        one.len() == other.len() && one.iter().zip(other).all(|(&a, &b)| (a.into() - b.into()).abs() <= most)
    }
    match (one, other) {
        (Value::Vector(Vector::F32(one)), Value::Vector(Vector::F32(other))) => near(one, other, f32::EPSILON.into()),
        (Value::Vector(Vector::F64(one)), Value::Vector(Vector::F64(other))) => near(one, other, f64::EPSILON),
        (one, other) => one == other,
    }
}

#[test]
fn every_operation_is_the_same_checked_on_every_device() {
    let mut answered = BTreeMap::new();
    for operation in operations::all() {
        let declaration = operation.declaration();
        for (index, way) in declaration.ways().iter().enumerate() {
            let mut answers = 0;
            let is_of_lists = declaration.inputs.iter().all(|input| matches!(input.holds, Holds::Integers));
            for size in SIZES.into_iter().chain(is_of_lists.then_some(LONG)) {
                let drawn = (size, (index * 16 + size) as u64);
                let of = |device: &Device| value(operation, way, drawn, device);
                // An option that an operation never takes is refused by its name.
                let is_answer = |outcome: &Result<Value, OperationError>| match outcome {
                    Ok(_) => true,
                    Err(error) => error.is_refusal() && error.to_string().starts_with("--"),
                };
                let mut answers_on =
                    |outcome: &Result<Value, OperationError>| answers += usize::from(is_answer(outcome));
                let host = of(&Device::host());
                answers_on(&host);
                for device in devices() {
                    let at = format!("{} {way:?} of size {size} on {}", declaration.name, device.info().name);
                    let own = of(&device);
                    answers_on(&own);
                    match (&own, &host) {
                        (Ok(_), Ok(_)) if !declaration.is_same_everywhere(way) => {}
                        (Ok(own), Ok(host)) => assert!(is_same(own, host), "{at}: {own:?}, {host:?}"),
                        (Err(own), Err(host)) => {
                            assert!(own.difference().is_none() && host.difference().is_none(), "{at}: {own}, {host}");
                        }
                        // Algorithms are of the host or of devices, and some of lengths from a least one on.
                        (Ok(_), Err(error)) | (Err(error), Ok(_)) => {
                            assert!(way.is_given("algorithm") && error.is_refusal(), "{at}: {error}");
                        }
                    }
                }
            }
            // Some have no answer modulo 2, or of few terms.
            let words = declaration.options.iter().filter(|option| way.is_given(option.name));
            let words: Vec<_> = words.map(|option| way.word(option.name).unwrap_or(option.name)).collect();
            *answered.entry((declaration.name, words)).or_insert(0) += answers;
        }
    }
    let unanswered: Vec<_> = answered.iter().filter(|(_, answers)| **answers == 0).collect();
    assert!(unanswered.is_empty(), "{unanswered:#?}");
}

/// Parts one after the other; `None` of what has none, or where they are of different kinds.
fn joined(parts: Vec<Value>) -> Option<Value> {
    fn append<T>(mut one: Vec<T>, other: Vec<T>) -> Vec<T> {
        one.extend(other);
        one
    }
    parts.into_iter().map(Some).reduce(|one, other| match (one?, other?) {
        (Value::Elements(one), Value::Elements(other)) => Some(Value::Elements(append(one, other))),
        (Value::Words(one), Value::Words(other)) => Some(Value::Words(append(one, other))),
        (Value::Bits(one), Value::Bits(other)) => Some(Value::Bits(append(one, other))),
        (Value::Vector(Vector::I32(one)), Value::Vector(Vector::I32(other))) => {
            Some(Value::Vector(Vector::I32(append(one, other))))
        }
        (Value::Vector(Vector::I64(one)), Value::Vector(Vector::I64(other))) => {
            Some(Value::Vector(Vector::I64(append(one, other))))
        }
        (Value::Vector(Vector::F32(one)), Value::Vector(Vector::F32(other))) => {
            Some(Value::Vector(Vector::F32(append(one, other))))
        }
        (Value::Vector(Vector::F64(one)), Value::Vector(Vector::F64(other))) => {
            Some(Value::Vector(Vector::F64(append(one, other))))
        }
        (Value::Matrix { rows, columns, entries }, Value::Matrix { rows: more, entries: others, .. }) => {
            Some(Value::Matrix { rows: rows + more, columns, entries: append(entries, others) })
        }
        (Value::Table { columns, entries }, Value::Table { entries: others, .. }) => {
            Some(Value::Table { columns, entries: append(entries, others) })
        }
        _ => None,
    })?
}

#[test]
fn parts_make_the_whole() {
    let (host, mut compared) = (DeviceSet::from(Device::host()), BTreeMap::new());
    for operation in operations::all() {
        let declaration = operation.declaration();
        if !matches!(declaration.splits, Some(Splits::Values | Splits::Rows | Splits::Table)) {
            continue;
        }
        let found = compared.entry(declaration.name).or_insert(0);
        for way in declaration.ways() {
            for (size, parts) in [(4, 2), (6, 3), (7, 2)] {
                let given = || declaration.input(&way, size, &mut SplitMix::new(size as u64));
                let Ok(whole) = given().call(operation, &way, &host, (1, true)) else { continue };
                let share = |index: usize| given().share_of(index, parts).call(operation, &way, &host, (1, true));
                let Ok(parts) = (0..parts).map(share).collect::<Result<Vec<_>, _>>() else { continue };
                let at = format!("{} {way:?} of size {size}", declaration.name);
                let joined = joined(parts.into_iter().map(|answer| answer.value).collect());
                assert!(joined.as_ref().is_some_and(|joined| is_same(joined, &whole.value)), "{at}: {joined:?}");
                *found += 1;
            }
        }
    }
    let untried: Vec<_> = compared.iter().filter(|(_, found)| **found == 0).collect();
    assert!(!compared.is_empty() && untried.is_empty(), "{untried:?}");
}
