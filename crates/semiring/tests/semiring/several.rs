//! Generalized products by several devices and past their memory, beside those of one device that holds all: every representation.

use manycore_device::{Control, Device, DeviceError, DeviceSet};
use manycore_expressions::{Elements, Function, Value};
use manycore_semiring::{Matrix, Semiring, SemiringError};
use manycore_testkit::{opencl_devices, simulated};
use proptest::prelude::*;

type I = Value<i64>;

fn host() -> Device {
    Device::host_with(1).unwrap()
}

/// One device, two and three: of the host, of OpenCL, and of both.
fn sets() -> Vec<DeviceSet> {
    let others: Vec<Device> = opencl_devices().into_iter().filter(|device| !simulated(device)).collect();
    let mut sets = vec![vec![host()], vec![host(), host()], vec![Device::host(), host(), host()]];
    for device in &others {
        sets.extend([vec![device.clone()], device.lanes(2).unwrap(), vec![device.clone(), host(), host()]]);
    }
    sets.into_iter().map(|devices| DeviceSet::equal(devices).unwrap()).collect()
}

fn entries(len: u64, salt: u64) -> Vec<i64> {
    (0..len).map(|i| ((i + salt).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58) as i64 - 20).collect()
}

/// A matrix stored, as a function, and as lists by rows and by columns, whose missing entries are 0.
fn forms(rows: u64, columns: u64, salt: u64) -> Vec<Matrix<i64>> {
    let all = entries(rows * columns, salt);
    let function = Function::new(|(x, y): (Value<u64>, Value<u64>)| (x * 7u64 + y * (salt + 3) + 1u64).to::<i64>());
    let lists = |lines: u64, width: u64, at: &dyn Fn(u64, u64) -> usize| {
        let (mut offsets, mut indices, mut words) = (vec![0], Vec::new(), Vec::new());
        for line in 0..lines {
            for index in (0..width).filter(|index| (line * 5 + index * 3 + salt).is_multiple_of(4)) {
                indices.push(index);
                words.push(all[at(line, index)] * 2 + 1);
            }
            offsets.push(indices.len());
        }
        (offsets, indices, words)
    };
    let of_rows = lists(rows, columns, &|row, column| (row * columns + column) as usize);
    let of_columns = lists(columns, rows, &|column, row| (row * columns + column) as usize);
    vec![
        Matrix::stored(rows, columns, &all).unwrap(),
        Matrix::function(rows, columns, function.unwrap()),
        Matrix::rows(rows, columns, (&of_rows.0, &of_rows.1, &of_rows.2), 0).unwrap(),
        Matrix::columns(rows, columns, (&of_columns.0, &of_columns.1, &of_columns.2), 0).unwrap(),
    ]
}

fn check<S: Elements + PartialEq>(
    semiring: &Semiring<i64, i64, S>,
    (a, b): (&Matrix<i64>, &Matrix<i64>),
    limit: Option<u64>,
    set: &DeviceSet,
) {
    let wished = semiring.multiply(&Device::host(), a, b).unwrap();
    let what = || format!("{} by {} in {limit:?} on {set:?}", a.shape(), b.shape());
    let made = match limit {
        None => semiring.multiply_on(set, a, b),
        Some(bytes) => Control::new().with_limit_bytes(bytes).run(|| semiring.multiply_on(set, a, b)),
    };
    assert!(made.unwrap().entries() == wished.entries(), "{}", what());
    if let Some(bytes) = limit {
        let control = Control::new().with_limit_bytes(bytes);
        let made = control.run(|| semiring.multiply(&set.devices()[0], a, b)).unwrap();
        assert!(made.entries() == wished.entries(), "one device: {}", what());
    }
    assert_eq!(set.failures(), [], "{}", what());
}

/// The first of both that is not zero: associative, not commutative.
fn first() -> Semiring<i64, i64, i64> {
    let sum = Function::new(|(a, b): (I, I)| a.equals(0).select(b, a)).unwrap();
    Semiring::new(Function::new(|(a, b): (I, I)| a * b).unwrap(), sum, 0).unwrap()
}

#[test]
fn every_representation_in_blocks() {
    for set in sets() {
        for (rows, inner, columns) in [(0, 3, 2), (3, 0, 2), (3, 2, 0), (1, 1, 1), (61, 40, 90)] {
            for a in &forms(rows, inner, 1) {
                for b in &forms(inner, columns, 2) {
                    check(&Semiring::wrapping_plus_times().unwrap(), (a, b), None, &set);
                    check(&first(), (a, b), Some(100_000), &set);
                }
            }
        }
    }
}

#[test]
fn large_results_are_cut_both_ways() {
    let (a, b) =
        (Matrix::stored(700, 9, &entries(6300, 1)).unwrap(), Matrix::stored(9, 800, &entries(7200, 2)).unwrap());
    for set in sets() {
        check(&Semiring::wrapping_max_plus().unwrap(), (&a, &b), None, &set);
        check(&Semiring::wrapping_max_plus().unwrap(), (&a, &b), Some(500_000), &set);
    }
}

/// Sums of doubles are rounded in one order, however the result is cut.
#[test]
fn sums_that_round_have_the_same_bits() {
    let word = |i: u64| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 11) as f64 / 1e15 - 4.0;
    let (a, b): (Vec<f64>, Vec<f64>) =
        ((0..300 * 50).map(word).collect(), (0..50 * 300).map(|i| word(i + 7)).collect());
    let (a, b) = (Matrix::stored(300, 50, &a).unwrap(), Matrix::stored(50, 300, &b).unwrap());
    let semiring = Semiring::<f64, f64, f64>::plus_times().unwrap();
    for device in opencl_devices().into_iter().chain([host()]).filter(|device| !simulated(device)) {
        let wished = semiring.multiply(&device, &a, &b).unwrap().entries();
        let set = DeviceSet::equal(device.lanes(2).unwrap()).unwrap();
        let made = Control::new().with_limit_bytes(300_000).run(|| semiring.multiply_on(&set, &a, &b)).unwrap();
        assert!(made.entries().iter().zip(&wished).all(|(x, y)| x.to_bits() == y.to_bits()), "{device:?}");
    }
}

#[test]
fn tuples_have_a_buffer_for_each_scalar() {
    type Best = (i64, u32);
    let product = Function::<(i64, u32), Best>::new(|(a, place): (I, Value<u32>)| (a, place)).unwrap();
    let sum = Function::<(Best, Best), Best>::new(|((x, i), (y, j)): ((I, Value<u32>), (I, Value<u32>))| {
        let second = y.gt(x) | (y.equals(x) & j.lt(i));
        (second.select(y, x), second.select(j, i))
    });
    let best = Semiring::new(product, sum.unwrap(), (i64::MIN, u32::MAX)).unwrap();
    let a = Matrix::stored(900, 20, &entries(18_000, 3)).unwrap();
    let places = Matrix::function(20, 1, Function::new(|(_, y): (Value<u64>, Value<u64>)| y.to::<u32>()).unwrap());
    let wished = best.multiply(&Device::host(), &a, &places).unwrap().entries();
    for set in sets() {
        let made = Control::new().with_limit_bytes(100_000).run(|| best.multiply_on(&set, &a, &places)).unwrap();
        assert!(made.entries() == wished, "{set:?}");
    }
}

#[test]
fn what_is_wrong_is_told() {
    let semiring = Semiring::<i64, i64, i64>::wrapping_plus_times().unwrap();
    let a = Matrix::stored(2, 3, &entries(6, 1)).unwrap();
    for set in sets() {
        assert!(matches!(semiring.multiply_on(&set, &a, &a), Err(SemiringError::Shapes { .. })));
        let b = Matrix::stored(3, 1, &entries(3, 1)).unwrap();
        let told = Control::new().with_limit_bytes(40).run(|| semiring.multiply_on(&set, &a, &b)).unwrap_err();
        let is_told = matches!(told, SemiringError::Memory { wanted_bytes, limit_bytes: 1..=40 } if wanted_bytes > 40);
        assert!(is_told, "{told} on {set:?}");
        let control = Control::new();
        control.cancel();
        let told = control.run(|| semiring.multiply_on(&set, &a, &b)).unwrap_err();
        assert!(matches!(told, SemiringError::Device(DeviceError::Cancelled)), "{told} on {set:?}");
    }
}

#[test]
fn a_device_that_fails_is_named_and_the_others_multiply() {
    let semiring = Semiring::<i64, i64, i64>::wrapping_plus_times().unwrap();
    let (a, b) =
        (Matrix::stored(600, 5, &entries(3000, 1)).unwrap(), Matrix::stored(5, 500, &entries(2500, 2)).unwrap());
    for device in opencl_devices() {
        let broken = device.with_broken("32-bit mul_hi");
        let set = DeviceSet::equal(vec![broken.clone(), host()]).unwrap();
        let made = semiring.multiply_on(&set, &a, &b).unwrap();
        assert!(made.entries() == semiring.multiply(&host(), &a, &b).unwrap().entries());
        let failures = set.failures();
        assert!(!failures.is_empty() && failures.iter().all(|failure| failure.device == broken.info().label()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2))]

    #[test]
    fn any_memory_serves(rows in 1u64..120, inner in 1u64..60, columns in 1u64..120, limit in 60_000u64..300_000, salt in 0u64..99) {
        let (a, b) = (&forms(rows, inner, salt)[salt as usize % 4], &forms(inner, columns, salt + 1)[salt as usize / 4 % 4]);
        for set in sets() {
            check(&Semiring::wrapping_plus_times().unwrap(), (a, b), Some(limit), &set);
        }
    }
}
