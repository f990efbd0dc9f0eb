//! Minimal polynomials against the definition, the first power of the matrix that is a combination of those below it, and against
//! matrices that are made of known ones.

use crate::common::{Check, every_space, few_spaces, random, short, sparing, special};
use manycore_device::Device;
use manycore_linalg::{LinalgError, LinearAlgebra, Matrix, MatrixField, Solution};
use manycore_testkit::{devices, simulated};
use proptest::prelude::*;

/// The minimal polynomial by its definition: the powers of the matrix as columns, each of `n^2` entries.
fn by_definition<F: MatrixField>(space: &LinearAlgebra<F>, a: &Matrix<F>) -> Vec<F::Element> {
    let order = a.rows();
    let field = space.field();
    let mut powers: Vec<Vec<F::Element>> = Vec::new();
    let mut power = space.identity(order).unwrap();
    loop {
        let words = space.entries(&power).unwrap();
        let flat: Vec<F::Element> = (0..order * order).flat_map(|e| powers.iter().map(move |power| power[e])).collect();
        let left = space.matrix(order * order, powers.len(), &flat).unwrap();
        let right = space.matrix(order * order, 1, &words).unwrap();
        if let Solution::Unique(x) = space.solve(&left, &right).unwrap() {
            let coefficients = space.entries(&x).unwrap().into_iter().map(|c| field.neg(c));
            return coefficients.chain([field.one()]).collect();
        }
        powers.push(words);
        power = space.mul(&power, a).unwrap();
    }
}

/// Blocks along the diagonal.
fn diagonal<F: MatrixField>(space: &LinearAlgebra<F>, blocks: &[&Matrix<F>]) -> Matrix<F> {
    let order = blocks.iter().map(|block| block.rows()).sum();
    let mut words = vec![space.field().zero(); order * order];
    let mut first = 0;
    for block in blocks {
        for (i, row) in space.entries(block).unwrap().chunks(block.rows().max(1)).enumerate() {
            words[(first + i) * order + first..][..row.len()].copy_from_slice(row);
        }
        first += block.rows();
    }
    space.matrix(order, order, &words).unwrap()
}

struct Minimal;

impl Check for Minimal {
    fn check<F: MatrixField>(&mut self, space: &LinearAlgebra<F>) {
        let orders: &[usize] = if sparing(space.device()) { &[1, 5] } else { &[0, 1, 2, 3, 6, 9] };
        for &order in orders {
            for words in special(space.field(), order, order) {
                let a = space.matrix(order, order, &words).unwrap();
                assert!(space.minimal_polynomial(&a).unwrap() == by_definition(space, &a), "{order}");
            }
            let (zero, one) = (space.zeros(order, order).unwrap(), space.identity(order).unwrap());
            for a in [zero, one] {
                assert!(space.minimal_polynomial(&a).unwrap() == by_definition(space, &a), "{order}");
            }
            // The same block twice has its polynomial, of half the order.
            let block = random(space, order, order, 3);
            let twice = diagonal(space, &[&block, &block]);
            let expected = space.minimal_polynomial(&block).unwrap();
            assert!(space.minimal_polynomial(&twice).unwrap() == expected, "{order}");
        }
        let wide = space.zeros(2, 3).unwrap();
        let error = LinalgError::NotSquare { operation: "minimal polynomial", rows: 2, columns: 3 };
        assert_eq!(space.minimal_polynomial(&wide).err(), Some(error));
    }
}

#[test]
fn minimal_polynomials_equal_the_definition() {
    for device in devices() {
        if sparing(&device) {
            few_spaces(&device, &mut Minimal);
        } else {
            every_space(&device, &mut Minimal);
        }
    }
}

#[test]
fn minimal_polynomials_past_the_first_vectors_are_characteristic_or_divide() {
    for device in devices() {
        if simulated(&device) {
            continue;
        }
        for p in [2, 469_762_049] {
            let space = LinearAlgebra::new(&device, short(p)).unwrap();
            let (a, b) = (space.random(40, 40, 1).unwrap(), space.random(5, 5, 2).unwrap());
            let both = diagonal(&space, &[&a, &b, &a]);
            let found = space.minimal_polynomial(&both).unwrap();
            assert_eq!(found, space.minimal_polynomial(&diagonal(&space, &[&b, &a])).unwrap());
            if p > 2 {
                // Of blocks with coprime polynomials, each the characteristic one.
                let ring = |x: &[u32], y: &[u32]| {
                    let mut out = vec![0u64; x.len() + y.len() - 1];
                    for (i, &x) in x.iter().enumerate() {
                        for (j, &y) in y.iter().enumerate() {
                            out[i + j] = (out[i + j] + u64::from(x) * u64::from(y)) % u64::from(p);
                        }
                    }
                    out.into_iter().map(|c| c as u32).collect::<Vec<u32>>()
                };
                let polynomial = |a| space.characteristic_polynomial(a).unwrap();
                assert_eq!(found, ring(&polynomial(&a), &polynomial(&b)));
                assert_eq!(space.minimal_polynomial(&a).unwrap(), polynomial(&a));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn sparse_matrices_have_the_polynomial_of_the_definition(
        p in prop::sample::select(crate::common::SHORT.to_vec()), order in 1usize..8, zeros in 1u64..5, seed: u64
    ) {
        let space = LinearAlgebra::new(&Device::host(), short(p)).unwrap();
        let mut words = space.entries(&space.random(order, order, seed).unwrap()).unwrap();
        words.iter_mut().zip(0u64..).for_each(|(x, i)| if (i ^ seed) % zeros != 0 { *x = u32::from(*x % 5 == 0) });
        let a = space.matrix(order, order, &words).unwrap();
        prop_assert_eq!(space.minimal_polynomial(&a).unwrap(), by_definition(&space, &a));
    }
}

#[cfg(feature = "bigint")]
mod integers {
    use super::*;
    use manycore_linalg::exact;
    use num_bigint::BigInt;

    /// The value of a polynomial at a matrix of integers is 0.
    fn is_zero_at(found: &[BigInt], order: usize, a: &[i64]) -> bool {
        let mut value = vec![BigInt::ZERO; order * order];
        for coefficient in found.iter().rev() {
            let entry =
                |i: usize, j: usize| (0..order).map(|k| &value[i * order + k] * a[k * order + j]).sum::<BigInt>();
            let mut next: Vec<BigInt> = (0..order * order).map(|e| entry(e / order, e % order)).collect();
            (0..order).for_each(|i| next[i * order + i] += coefficient);
            value = next;
        }
        value.iter().all(|entry| *entry == BigInt::ZERO)
    }

    #[test]
    fn minimal_polynomials_of_integers_are_those_modulo_a_prime_and_are_zero_at_the_matrix() {
        for device in devices() {
            for (order, a) in [
                (0usize, vec![]),
                (1, vec![-7i64]),
                (2, vec![0, 0, 0, 0]),
                (3, vec![1 << 40, 0, 0, 0, 1 << 40, 0, 0, 0, 1 << 40]),
                (3, vec![2, 0, 0, 0, 2, 0, 0, 0, -5]),
                (3, vec![2, 1, 0, 0, 2, 0, 0, 0, 2]),
                (4, vec![1, 2, 0, 0, 3, 4, 0, 0, 0, 0, 1, 2, 0, 0, 3, 4]),
                (3, vec![0, 1, 0, 0, 0, 1, 1 << 50, 3, -9]),
            ] {
                let found = exact::minimal_polynomial(&device, order, &a).unwrap();
                assert!(is_zero_at(&found, order, &a), "{a:?}");
                let space = LinearAlgebra::new(&device, short(469_762_049)).unwrap();
                let residues: Vec<u32> = a.iter().map(|x| x.rem_euclid(469_762_049) as u32).collect();
                let modulo = space.minimal_polynomial(&space.matrix(order, order, &residues).unwrap()).unwrap();
                assert_eq!(found.len(), modulo.len(), "{a:?}");
            }
        }
        let error = exact::minimal_polynomial(&Device::host(), 2, &[1i64]).err();
        assert_eq!(error, Some(LinalgError::Entries { given: 1, rows: 2, columns: 2 }));
    }
}
