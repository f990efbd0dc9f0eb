//! Products of matrices of the host's memory by several devices and past their memory, beside those of one device that holds all.

use manycore_device::{Control, Device, DeviceError, DeviceSet};
use manycore_field::{Goldilocks, PrimeField};
use manycore_linalg::{LinalgError, LinearAlgebra, MatrixField};
use manycore_testkit::{opencl_devices, simulated};
use proptest::prelude::*;

use super::common::{elements, long, short};

pub(super) fn host() -> Device {
    Device::host_with(1).unwrap()
}

/// One device, two and three: of the host, of OpenCL, and of both.
pub(super) fn sets() -> Vec<DeviceSet> {
    let others: Vec<Device> = opencl_devices().into_iter().filter(|device| !simulated(device)).collect();
    let mut sets = vec![vec![host()], vec![host(), host()], vec![Device::host(), host(), host()]];
    for device in &others {
        sets.extend([vec![device.clone()], device.lanes(2).unwrap(), vec![device.clone(), host(), host()]]);
    }
    sets.into_iter().map(|devices| DeviceSet::equal(devices).unwrap()).collect()
}

fn wished<F: MatrixField>(
    field: &F,
    (l, m, n): (usize, usize, usize),
    a: &[F::Element],
    b: &[F::Element],
) -> Vec<F::Element> {
    let space = LinearAlgebra::new(&Device::host(), field.clone()).unwrap();
    let (a, b) = (space.matrix(l, m, a).unwrap(), space.matrix(m, n, b).unwrap());
    space.entries(&space.mul(&a, &b).unwrap()).unwrap()
}

/// In all memory, and in a limit that stands for larger matrices, of which the result is no part.
fn check<F: MatrixField>(field: &F, shape: (usize, usize, usize), room: u64) {
    let (l, m, n) = shape;
    let (a, b) = (elements(field, l * m, 1), elements(field, m * n, 2));
    let wished = wished(field, shape, &a, &b);
    let limit = (wished.len() * size_of::<F::Element>()) as u64 + room;
    for set in sets() {
        let what = || format!("{shape:?} modulo {} on {set:?}", field.order());
        assert!(LinearAlgebra::mul_on(&set, field, shape, &a, &b).unwrap() == wished, "{}", what());
        let control = Control::new().with_limit_bytes(limit);
        let made = control.run(|| LinearAlgebra::mul_on(&set, field, shape, &a, &b)).unwrap();
        assert!(made == wished, "{} in {limit} bytes", what());
        let made = Control::new().with_limit_bytes(room).run(|| LinearAlgebra::mul_on(&set, field, shape, &a, &b));
        assert!(made.unwrap() == wished, "{} in {room} bytes", what());
        let space = LinearAlgebra::new(&set.devices()[0], field.clone()).unwrap();
        assert!(space.mul_words(shape, &a, &b).unwrap() == wished, "{}", what());
        let control = Control::new().with_limit_bytes(limit);
        assert!(control.run(|| space.mul_words(shape, &a, &b)).unwrap() == wished, "{} in {limit} bytes", what());
        assert_eq!(set.failures(), [], "{}", what());
    }
}

#[test]
fn several_devices_give_the_product_of_one() {
    for shape in [(0, 3, 2), (3, 0, 2), (3, 2, 0), (1, 1, 1), (2, 3, 1), (65, 64, 63), (700, 30, 1100)] {
        check(&short(2_147_483_647), shape, 60_000);
    }
    check(&short(2), (130, 700, 70), 100_000);
    check(&long(9_223_372_036_854_775_783), (100, 300, 200), 120_000);
    check(&Goldilocks, (100, 300, 200), 120_000);
}

/// Sums that are cut, since no column of the second matrix fits beside a row of the first.
#[test]
fn long_sums_go_in_steps() {
    check(&short(469_762_049), (3, 60_000, 2), 50_000);
}

#[test]
fn what_is_wrong_is_told() {
    let field = short(7);
    let set = DeviceSet::from(host());
    let told = LinearAlgebra::mul_on(&set, &field, (2, 2, 1), &[1, 2, 3], &[1, 2]).unwrap_err();
    assert_eq!(told, LinalgError::Entries { given: 3, rows: 2, columns: 2 });
    let told = LinearAlgebra::mul_on(&set, &field, (2, 2, 1), &[1, 2, 3, 4], &[1, 7]).unwrap_err();
    assert_eq!(told, LinalgError::OutOfRange { row: 1, column: 0, value: 7, modulus: 7 });
    for set in sets() {
        let control = Control::new().with_limit_bytes(20);
        let told = control.run(|| LinearAlgebra::mul_on(&set, &field, (2, 2, 1), &[1, 2, 3, 4], &[1, 6])).unwrap_err();
        let is_told =
            matches!(told, LinalgError::Memory { wanted_bytes, limit_bytes: 1..=20, .. } if wanted_bytes > 20);
        assert!(is_told, "{told} on {set:?}");
    }
}

#[test]
fn a_device_that_fails_is_named_and_the_others_multiply() {
    let field = short(469_762_049);
    for device in opencl_devices() {
        let broken = device.with_broken("32-bit mul_hi");
        let set = DeviceSet::equal(vec![broken.clone(), host()]).unwrap();
        let (a, b) = (elements(&field, 600 * 20, 1), elements(&field, 20 * 700, 2));
        let made = LinearAlgebra::mul_on(&set, &field, (600, 20, 700), &a, &b).unwrap();
        assert!(made == wished(&field, (600, 20, 700), &a, &b));
        let failures = set.failures();
        assert!(!failures.is_empty() && failures.iter().all(|failure| failure.device == broken.info().label()));
    }
}

#[test]
fn cancelled_products_end() {
    for set in sets() {
        let control = Control::new();
        control.cancel();
        let told = control.run(|| LinearAlgebra::mul_on(&set, &short(7), (2, 1, 1), &[1, 2], &[3])).unwrap_err();
        assert_eq!(told, LinalgError::Device(DeviceError::Cancelled), "{set:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn any_shape_and_memory_serves(l in 1usize..200, m in 1usize..200, n in 1usize..200, room in 20_000u64..200_000) {
        check(&PrimeField::<u64>::new(1_125_897_625_141_249).unwrap(), (l, m, n), room);
    }
}
