//! What the tests of matrices share.

#![allow(dead_code)] // each test program uses its part

use manycore_device::{Device, DeviceKind, Executor};
use manycore_field::{Arithmetic, Goldilocks, PrimeField, ResidueWord as _};
use manycore_linalg::{LinearAlgebra, Matrix, MatrixField};

/// Primes with residues in 32-bit words, of 2, 3, 17, 29 and 31 bits.
pub(crate) const SHORT: [u32; 5] = [2, 3, 65_537, 469_762_049, 2_147_483_647];

/// Primes with residues in 64-bit words: small, below `2^50`, `2^62` and `2^63`.
pub(crate) const WIDE: [u64; 4] = [2, 1_125_897_625_141_249, 4_611_686_009_971_671_041, 9_223_372_036_854_775_783];

pub(crate) fn short(p: u32) -> PrimeField<u32> {
    PrimeField::new(p).unwrap()
}

pub(crate) fn long(p: u64) -> PrimeField<u64> {
    PrimeField::new(p).unwrap()
}

/// Something to do for linear algebra over any field.
pub(crate) trait Check {
    fn check<F: MatrixField>(&mut self, space: &LinearAlgebra<F>);
}

/// Every field with every arithmetic that the device has for it.
pub(crate) fn every_space(device: &Device, check: &mut impl Check) {
    for p in SHORT {
        every_arithmetic(device, &short(p), check);
    }
    for p in WIDE {
        every_arithmetic(device, &long(p), check);
    }
    every_arithmetic(device, &Goldilocks, check);
}

/// One field of each arithmetic: where kernels take long to build or to run.
pub(crate) fn few_spaces(device: &Device, check: &mut impl Check) {
    every_arithmetic(device, &short(2_147_483_647), check);
    every_arithmetic(device, &long(WIDE[1]), check);
    check.check(&LinearAlgebra::new(device, long(WIDE[3])).unwrap());
    check.check(&LinearAlgebra::new(device, Goldilocks).unwrap());
}

fn every_arithmetic<F: MatrixField>(device: &Device, field: &F, check: &mut impl Check) {
    for arithmetic in field.arithmetics() {
        let host = matches!(device.executor(), Executor::Host(_));
        if arithmetic == Arithmetic::Floating && (host || !device.info().fp64) {
            continue;
        }
        check.check(&LinearAlgebra::new(device, field.clone()).unwrap().with_arithmetic(arithmetic).unwrap());
    }
}

/// Residues that look random, with the ends of the range among them.
pub(crate) fn elements<F: MatrixField>(field: &F, len: usize, salt: u64) -> Vec<F::Element> {
    let p = field.order();
    let value = |i: usize| match i % 7 {
        0 => p - 1,
        3 => 0,
        _ => (i as u64 + 1 + salt).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29) % p,
    };
    (0..len).map(|i| F::Element::from_u64(value(i))).collect()
}

pub(crate) fn random<F: MatrixField>(space: &LinearAlgebra<F>, rows: usize, columns: usize, salt: u64) -> Matrix<F> {
    space.matrix(rows, columns, &elements(space.field(), rows * columns, salt)).unwrap()
}

/// Matrices of a shape that elimination treats differently: dense, zero, with repeated rows, with columns of zeros before,
/// between and behind others, of a low rank.
pub(crate) fn special<F: MatrixField>(field: &F, rows: usize, columns: usize) -> Vec<Vec<F::Element>> {
    let dense = elements(field, rows * columns, 1);
    let masked = |keep: &dyn Fn(usize, usize) -> bool| -> Vec<F::Element> {
        let word = |(e, &x): (usize, &F::Element)| if keep(e / columns, e % columns) { x } else { field.zero() };
        dense.iter().enumerate().map(word).collect()
    };
    let repeated = (0..rows * columns).map(|e| dense[e % columns + columns * (e / columns / 2)]).collect();
    let (left, right) = (elements(field, rows * 2, 3), elements(field, 2 * columns, 4));
    let low = manycore_linalg::multiply::reference::multiply(field, &left, &right, (rows, 2, columns));
    vec![
        masked(&|_, _| false),
        repeated,
        low,
        masked(&|row, column| column > 1 && row % 3 != 1),
        masked(&|row, column| column % 3 != 0 && row + 2 > column),
        masked(&|row, column| (row + column + 1).is_multiple_of(columns.max(1))),
        dense.clone(),
    ]
}

/// Whether a CPU compiles the kernels, which takes it about a second each: fewer shapes are tried.
pub(crate) fn sparing(device: &Device) -> bool {
    device.info().kind != DeviceKind::Gpu && device.info().kind != DeviceKind::Host
}
