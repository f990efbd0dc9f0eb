//! Characteristic polynomials and batches of determinants on the host and on every OpenCL device.

use crate::common::{Check, every_space, few_spaces, random, short, sparing, special};
use manycore_device::Device;
use manycore_field::PrimeField;
use manycore_linalg::{LinalgError, LinearAlgebra, Matrix, MatrixField, characteristic, condense};
use manycore_testkit::{devices, simulated};
use proptest::prelude::*;

struct Polynomials;

impl Check for Polynomials {
    fn check<F: MatrixField>(&mut self, space: &LinearAlgebra<F>) {
        let field = space.field();
        for order in 0..7 {
            for words in special(field, order, order) {
                let a = space.matrix(order, order, &words).unwrap();
                let expected = characteristic::reference::characteristic_polynomial(field, order, &words);
                assert_eq!(space.characteristic_polynomial(&a).unwrap(), expected, "{order}");
            }
        }
        for order in if sparing(space.device()) { vec![17] } else { vec![15, 16, 17, 40] } {
            for words in special(field, order, order) {
                let a = space.matrix(order, order, &words).unwrap();
                second_route(space, &a);
            }
        }
    }
}

/// The theorem of Cayley and Hamilton, the determinant and the trace: the constant term is `(-1)^n det`, the one below the
/// leading one the trace, negative. The form itself has zeros below the entries under the diagonal.
fn second_route<F: MatrixField>(space: &LinearAlgebra<F>, a: &Matrix<F>) {
    let (field, order) = (space.field(), a.rows());
    let polynomial = space.characteristic_polynomial(a).unwrap();
    assert_eq!((polynomial.len(), polynomial[order]), (order + 1, field.one()));
    let mut value = space.zeros(order, order).unwrap();
    let identity = space.identity(order).unwrap();
    for &c in polynomial.iter().rev() {
        value = space.add(&space.mul(&value, a).unwrap(), &space.scale(&identity, c).unwrap()).unwrap();
    }
    assert!(space.equal(&value, &space.zeros(order, order).unwrap()).unwrap());
    let words = space.entries(a).unwrap();
    let trace = (0..order).fold(field.zero(), |sum, i| field.add(sum, words[i * order + i]));
    assert_eq!(polynomial[order - 1], field.neg(trace));
    let determinant = space.determinant(a).unwrap();
    assert_eq!(polynomial[0], if order % 2 == 0 { determinant } else { field.neg(determinant) });
    let form = space.entries(&space.hessenberg(a).unwrap()).unwrap();
    assert!((2..order).all(|i| form[i * order..i * order + i - 1].iter().all(|&x| x == field.zero())));
}

#[test]
fn characteristic_polynomials_equal_the_definition() {
    for device in devices() {
        if sparing(&device) { few_spaces(&device, &mut Polynomials) } else { every_space(&device, &mut Polynomials) }
    }
}

#[test]
fn batches_are_determinants_one_by_one() {
    for device in devices() {
        for p in [2, 3, 2_147_483_647] {
            let space = LinearAlgebra::new(&device, short(p)).unwrap();
            let large = if simulated(&device) { 9 } else { 64 };
            for (count, order) in [(0, 3), (5, 0), (1, 1), (40, 2), (9, 16), (3, large)] {
                let words = crate::common::elements(space.field(), count * order * order, u64::from(p));
                let batch = space.batch(count, order, &words).unwrap();
                let found = space.determinants(&batch).unwrap().download().unwrap();
                let each = |k: usize| {
                    let words = &words[k * order * order..(k + 1) * order * order];
                    condense::reference::bareiss(space.field(), order, words).unwrap()
                };
                assert_eq!(found, (0..count).map(each).collect::<Vec<u32>>(), "{count} of {order} mod {p}");
            }
        }
    }
}

#[test]
fn bad_input_is_told() {
    let space = LinearAlgebra::new(&Device::host(), short(7)).unwrap();
    let error = space.batch(2, 2, &[1; 7]).unwrap_err();
    assert_eq!(error, LinalgError::Entries { given: 7, rows: 4, columns: 2 });
    let error = space.batch(2, 2, &[1, 1, 1, 1, 1, 1, 9, 1]).unwrap_err();
    assert_eq!(error, LinalgError::OutOfRange { row: 3, column: 0, value: 9, modulus: 7 });
    assert!(matches!(space.batch(usize::MAX, 2, &[]), Err(LinalgError::TooLarge { .. })));
    let other = LinearAlgebra::new(&Device::host(), short(11)).unwrap();
    let batch = other.batch(1, 1, &[1]).unwrap();
    assert_eq!(space.determinants(&batch).unwrap_err(), LinalgError::MixedFields { expected: 7, given: 11 });
    let wide = space.zeros(2, 3).unwrap();
    let error = space.characteristic_polynomial(&wide).unwrap_err();
    assert!(matches!(error, LinalgError::NotSquare { rows: 2, columns: 3, .. }));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Similar matrices, transposes, and products the other way round have the same polynomial.
    #[test]
    fn similar_matrices_have_one_polynomial(
        p in prop::sample::select(crate::common::SHORT.to_vec()), order in 0usize..14, seed: u64
    ) {
        let space = LinearAlgebra::new(&Device::host(), PrimeField::<u32>::new(p).unwrap()).unwrap();
        let (a, b) = (space.random(order, order, seed).unwrap(), space.random(order, order, !seed).unwrap());
        let of = |a: &Matrix<PrimeField<u32>>| space.characteristic_polynomial(a).unwrap();
        prop_assert_eq!(of(&a), of(&space.transpose(&a).unwrap()));
        prop_assert_eq!(of(&space.mul(&a, &b).unwrap()), of(&space.mul(&b, &a).unwrap()));
        let edges = random(&space, order, order, seed % 100);
        prop_assert_eq!(of(&edges).len(), order + 1);
    }
}
