//! Determinants of published matrices, and bad input.

use crate::common::{long, short};
use manycore_device::Device;
use manycore_field::{Field as _, PrimeField, Ring as _, Semiring as _};
use manycore_linalg::LinearAlgebra;
use manycore_testkit::{devices, simulated};

fn known(order: usize, entry: impl Fn(u64, u64) -> u64) -> Vec<u32> {
    let order = order as u64;
    (1..=order).flat_map(|i| (1..=order).map(move |j| (i, j))).map(|(i, j)| entry(i, j) as u32).collect()
}

/// The determinants of published matrices modulo 469762049.
#[test]
fn known_determinants() {
    let field = PrimeField::<u32>::new(469_762_049).unwrap();
    let gcd = |mut a: u64, mut b: u64| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    for device in devices() {
        let space = LinearAlgebra::new(&device, field).unwrap();
        let check = |order: usize, words: &[u32], expected: u32, name: &str| {
            let a = space.matrix(order, order, words).unwrap();
            assert_eq!(space.determinant(&a).unwrap(), expected, "{name} {order}");
            assert_eq!(space.determinant_by_condensation(&a).unwrap(), expected, "{name} {order}");
        };
        let all = !simulated(&device);
        for (order, expected) in [(10, 18_432), (100, 88_906_751)].into_iter().take(if all { 2 } else { 1 }) {
            check(order, &known(order, gcd), expected, "gcd(i, j), the product of Euler's phi");
        }
        let redheffer = |i: u64, j: u64| u64::from(j == 1 || j.is_multiple_of(i));
        let mertens = [(10, field.neg(1)), (100, 1), (200, field.neg(8))];
        for (order, expected) in mertens.into_iter().take(if all { 3 } else { 1 }) {
            check(order, &known(order, redheffer), expected, "Redheffer, Mertens' function");
        }
        let vandermonde = |i: u64, j: u64| u64::from(field.power(i as u32, j - 1));
        for (order, expected) in [(10, 449_849_484), (100, 19_511_529)].into_iter().take(if all { 2 } else { 1 }) {
            check(order, &known(order, vandermonde), expected, "Vandermonde");
        }
        let hilbert = |i: u64, j: u64| u64::from(field.inverse((i + j - 1) as u32).unwrap());
        let determinants = [(5, 196_845_270), (10, 462_173_792), (50, 328_877_031), (100, 208_261_012)];
        for (order, expected) in determinants.into_iter().take(if all { 4 } else { 2 }) {
            check(order, &known(order, hilbert), expected, "Hilbert");
        }
    }
}

#[test]
fn bad_input_is_told() {
    use manycore_device::{ErrorKind, LibraryError};
    use manycore_linalg::LinalgError;
    for device in devices() {
        let space = LinearAlgebra::new(&device, short(7)).unwrap();
        let range = space.matrix(2, 3, &[1, 2, 3, 4, 7, 6]).unwrap_err();
        assert_eq!(range, LinalgError::OutOfRange { row: 1, column: 1, value: 7, modulus: 7 });
        let entries = space.matrix(2, 3, &[1, 2]).unwrap_err();
        assert_eq!(entries, LinalgError::Entries { given: 2, rows: 2, columns: 3 });
        let large = space.zeros(usize::MAX, 2).unwrap_err();
        assert_eq!(large, LinalgError::TooLarge { rows: usize::MAX, columns: 2 });
        let (a, b) = (space.zeros(2, 3).unwrap(), space.zeros(2, 2).unwrap());
        for error in [
            space.determinant(&a).map(drop),
            space.determinant_by_condensation(&a).map(drop),
            space.inverse(&a).map(drop),
            space.power(&a, 2).map(drop),
        ] {
            let error = error.unwrap_err();
            assert!(matches!(error, LinalgError::NotSquare { rows: 2, columns: 3, .. }), "{error}");
            assert_eq!(error.kind(), ErrorKind::Shape);
        }
        let product = space.mul(&a, &b).unwrap_err();
        assert_eq!(product, LinalgError::Shapes { operation: "product", left: (2, 3), right: (2, 2) });
        assert_eq!(space.add(&a, &b).unwrap_err().kind(), ErrorKind::Shape);
        assert!(matches!(space.solve(&a, &space.zeros(3, 1).unwrap()), Err(LinalgError::Shapes { .. })));
        assert!(matches!(space.scale(&a, 7), Err(LinalgError::OutOfRange { value: 7, .. })));
        assert_eq!(space.inverse(&b).unwrap_err(), LinalgError::Singular { rank: 0, order: 2 });
        let other = LinearAlgebra::new(&device, short(11)).unwrap();
        assert_eq!(other.rank(&a).unwrap_err(), LinalgError::MixedFields { expected: 11, given: 7 });
        let elsewhere = LinearAlgebra::new(&Device::host_with(3).unwrap(), short(7)).unwrap();
        assert_eq!(elsewhere.rank(&a).unwrap_err().kind(), ErrorKind::Device);
        let floating = LinearAlgebra::new(&device, long(9_223_372_036_854_775_783)).unwrap();
        let error = floating.with_arithmetic(manycore_field::Arithmetic::Floating).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Value);
    }
}
