//! The checks pass every right result, of the host and of every OpenCL device, and fail changed ones.

use crate::common::{Check, every_space, few_spaces, sparing, special};
use manycore_linalg::{LinearAlgebra, Matrix, MatrixField};
use manycore_testkit::devices;

struct Checks;

/// The matrix with 1 added to its last entry.
fn changed<F: MatrixField>(space: &LinearAlgebra<F>, a: &Matrix<F>) -> Matrix<F> {
    let mut words = space.entries(a).unwrap();
    if let Some(last) = words.last_mut() {
        *last = space.field().add(*last, space.field().one());
    }
    space.matrix(a.rows(), a.columns(), &words).unwrap()
}

impl Check for Checks {
    fn check<F: MatrixField>(&mut self, space: &LinearAlgebra<F>) {
        let field = space.field();
        let orders: &[usize] = if sparing(space.device()) { &[5] } else { &[1, 2, 5, 17] };
        for &order in orders {
            for (seed, words) in (0u64..).zip(special(field, order, order)) {
                let a = space.matrix(order, order, &words).unwrap();
                let square = space.mul(&a, &a).unwrap();
                assert!(space.verify_product(&a, &a, &square, seed).unwrap());
                assert!(!space.verify_product(&a, &a, &changed(space, &square), seed).unwrap());
                let determinant = space.determinant(&a).unwrap();
                assert!(space.verify_determinant(&a, determinant, seed).unwrap());
                assert!(!space.verify_determinant(&a, field.add(determinant, field.one()), seed).unwrap());
                let rank = space.rank(&a).unwrap();
                assert!(space.verify_rank(&a, rank, seed).unwrap());
                assert!(!space.verify_rank(&a, rank + 1, seed).unwrap());
                let basis = space.nullspace(&a).unwrap();
                assert!(space.verify_nullspace(&a, &basis, seed).unwrap());
                if rank == order {
                    let inverse = space.inverse(&a).unwrap();
                    assert!(space.verify_inverse(&a, &inverse, seed).unwrap());
                    assert!(!space.verify_inverse(&a, &changed(space, &inverse), seed).unwrap());
                    assert!(!space.verify_nullspace(&a, &space.zeros(order, 1).unwrap(), seed).unwrap());
                } else {
                    let dependent = space.scale(&basis, field.zero()).unwrap();
                    assert!(!space.verify_nullspace(&a, &dependent, seed).unwrap());
                }
                let mut polynomial = space.characteristic_polynomial(&a).unwrap();
                assert!(space.verify_characteristic_polynomial(&a, &polynomial, seed).unwrap());
                polynomial[0] = field.add(polynomial[0], field.one());
                assert!(!space.verify_characteristic_polynomial(&a, &polynomial, seed).unwrap());
            }
        }
        let (wide, tall) = (space.zeros(2, 3).unwrap(), space.zeros(2, 2).unwrap());
        assert!(space.verify_product(&wide, &tall, &tall, 1).is_err());
        assert!(!space.verify_product(&tall, &wide, &tall, 1).unwrap());
    }
}

#[test]
fn right_results_pass_and_changed_ones_fail() {
    for device in devices() {
        if sparing(&device) { few_spaces(&device, &mut Checks) } else { every_space(&device, &mut Checks) }
    }
}
