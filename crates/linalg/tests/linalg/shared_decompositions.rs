//! Decompositions, determinants and ranks of matrices of the host's memory by several devices and past their memory, beside those of one
//! device that holds all.

use manycore_device::{Control, DeviceError, DeviceSet};
use manycore_field::{Goldilocks, PrimeField};
use manycore_linalg::{LinalgError, LinearAlgebra, MatrixField};
use manycore_testkit::opencl_devices;
use proptest::prelude::*;

use super::common::{elements, long, short};
use super::several::{host, sets};

/// A matrix of some rank at most.
fn of_rank<F: MatrixField>(field: &F, (m, n): (usize, usize), rank: usize, salt: u64) -> Vec<F::Element> {
    let (a, b) = (elements(field, m * rank, salt), elements(field, rank * n, salt + 1));
    LinearAlgebra::mul_on(&host().into(), field, (m, rank, n), &a, &b).unwrap()
}

fn check<F: MatrixField>(field: &F, (m, n): (usize, usize), words: &[F::Element], limit: u64) {
    let space = LinearAlgebra::new(&host(), field.clone()).unwrap();
    let wished = space.lu(&space.matrix(m, n, words).unwrap()).unwrap();
    let (lower, upper) = (space.entries(wished.lower()).unwrap(), space.entries(wished.upper()).unwrap());
    for set in sets() {
        for control in [Control::new(), Control::new().with_limit_bytes(limit)] {
            let what = format!("{m} by {n} modulo {} on {set:?} with {control:?}", field.order());
            let made = control.run(|| LinearAlgebra::lu_on(&set, field, (m, n), words.to_vec())).unwrap();
            assert_eq!((made.shape(), made.rank()), ((m, n), wished.rank()), "{what}");
            assert_eq!(made.pivots(), wished.pivots(), "{what}");
            assert_eq!(made.permutation(), *wished.permutation(), "{what}");
            assert!(made.lower() == lower && made.upper() == upper, "{what}");
            let rank = control.run(|| LinearAlgebra::rank_on(&set, field, (m, n), words)).unwrap();
            assert_eq!(rank, wished.rank(), "{what}");
            if m == n {
                let found = control.run(|| LinearAlgebra::determinant_on(&set, field, n, words)).unwrap();
                assert!(found == wished.determinant().unwrap() && made.determinant() == Ok(found), "{what}");
            }
            assert_eq!(set.failures(), [], "{what}");
        }
    }
}

#[test]
fn several_devices_give_the_factors_of_one() {
    for shape @ (m, n) in [(0, 0), (0, 3), (3, 0), (1, 1), (1, 70), (70, 1), (63, 64), (130, 129), (200, 200)] {
        let field = short(2_147_483_647);
        check(&field, shape, &elements(&field, m * n, 3), 100_000);
    }
    check(&short(2), (130, 130), &elements(&short(2), 130 * 130, 5), 80_000);
    check(
        &long(9_223_372_036_854_775_783),
        (150, 190),
        &elements(&long(9_223_372_036_854_775_783), 150 * 190, 5),
        150_000,
    );
    check(&Goldilocks, (150, 140), &elements(&Goldilocks, 150 * 140, 5), 150_000);
}

#[test]
fn matrices_of_low_rank_have_their_factors() {
    let field = short(469_762_049);
    for (shape, rank) in [((150, 150), 0), ((150, 150), 1), ((150, 150), 70), ((90, 200), 40), ((200, 90), 89)] {
        check(&field, shape, &of_rank(&field, shape, rank, 11), 90_000);
    }
    // Rows in reverse order below zeros: each pivot exchanges rows, in panels of few columns.
    let order = 140;
    let mut reversed = vec![0; order * order];
    (0..order - 1).for_each(|i| reversed[(order - 1 - i) * order + i + 1] = 1 + i as u32);
    check(&field, (order, order), &reversed, 70_000);
}

/// Panels of all devices without a limit of memory: several of them, and tiles behind.
#[test]
fn large_matrices_go_in_panels() {
    let field = short(2_147_483_647);
    let order = 2100;
    let words = elements(&field, order * order, 17);
    let space = LinearAlgebra::new(&manycore_device::Device::host(), field).unwrap();
    let wished = space.determinant(&space.matrix(order, order, &words).unwrap()).unwrap();
    let control = Control::new().with_limit_bytes(17_000_000);
    let set = DeviceSet::equal(vec![host(), host()]).unwrap();
    let found = control.run(|| LinearAlgebra::determinant_on(&set, &field, order, &words)).unwrap();
    assert_eq!(found, wished);
}

#[test]
fn what_is_wrong_is_told() {
    let field = short(7);
    let set = DeviceSet::from(host());
    let told = LinearAlgebra::lu_on(&set, &field, (2, 2), vec![1, 2, 3]).unwrap_err();
    assert_eq!(told, LinalgError::Entries { given: 3, rows: 2, columns: 2 });
    let told = LinearAlgebra::rank_on(&set, &field, (2, 2), &[1, 2, 3, 7]).unwrap_err();
    assert_eq!(told, LinalgError::OutOfRange { row: 1, column: 1, value: 7, modulus: 7 });
    let told = LinearAlgebra::lu_on(&set, &field, (1, 2), vec![1, 2]).unwrap().determinant().unwrap_err();
    assert_eq!(told, LinalgError::NotSquare { operation: "determinant", rows: 1, columns: 2 });
    for set in sets() {
        let control = Control::new().with_limit_bytes(100);
        let told = control.run(|| LinearAlgebra::determinant_on(&set, &field, 1, &[3])).unwrap_err();
        let is_told =
            matches!(told, LinalgError::Memory { wanted_bytes, limit_bytes: 1..=100, .. } if wanted_bytes > 100);
        assert!(is_told, "{told} on {set:?}");
    }
}

#[test]
fn a_device_that_fails_is_named_and_the_others_go_on() {
    let field = short(469_762_049);
    let words = elements(&field, 200 * 200, 1);
    let wished = LinearAlgebra::lu_on(&host().into(), &field, (200, 200), words.clone()).unwrap();
    for device in opencl_devices() {
        let broken = device.with_broken("32-bit mul_hi");
        let set = DeviceSet::equal(vec![broken.clone(), host()]).unwrap();
        let control = Control::new().with_limit_bytes(100_000);
        let made = control.run(|| LinearAlgebra::lu_on(&set, &field, (200, 200), words.clone())).unwrap();
        assert!(made == wished);
        let failures = set.failures();
        assert!(!failures.is_empty() && failures.iter().all(|failure| failure.device == broken.info().label()));
    }
}

#[test]
fn cancelled_decompositions_end() {
    for set in sets() {
        let control = Control::new().with_limit_bytes(70_000);
        control.cancel();
        let words = elements(&short(7), 100 * 100, 1);
        let told = control.run(|| LinearAlgebra::rank_on(&set, &short(7), (100, 100), &words)).unwrap_err();
        assert_eq!(told, LinalgError::Device(DeviceError::Cancelled), "{set:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn any_shape_and_memory_serves(m in 1usize..200, n in 1usize..200, rank in 1usize..200, limit in 75_000u64..200_000) {
        let field = PrimeField::<u32>::new(65_537).unwrap();
        check(&field, (m, n), &of_rank(&field, (m, n), rank, 19), limit);
    }
}
