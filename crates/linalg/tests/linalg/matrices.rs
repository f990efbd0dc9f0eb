//! Products, elimination and condensation on the host and on every OpenCL device against the definitions, by properties, and at
//! the edges of sizes and primes.

use crate::common::{Check, elements, every_space, few_spaces, random, short, sparing, special};
use manycore_device::{Device, Executor};
use manycore_field::{PrimeField, Semiring as _};
use manycore_linalg::{Elimination, LinearAlgebra, Matrix, MatrixField, Solution, condense, eliminate, multiply};
use manycore_testkit::{devices, simulated};
use proptest::prelude::*;

/// Every field on the host, few on devices that compile.
fn spaces(device: &Device, check: &mut impl Check) {
    if sparing(device) { few_spaces(device, check) } else { every_space(device, check) }
}

struct Products;

impl Check for Products {
    fn check<F: MatrixField>(&mut self, space: &LinearAlgebra<F>) {
        let sizes: &[usize] = if sparing(space.device()) { &[0, 1, 17] } else { &[0, 1, 2, 15, 16, 17, 33, 70] };
        for &rows in sizes {
            for &inner in sizes {
                for &columns in sizes {
                    let (a, b) = (random(space, rows, inner, 1), random(space, inner, columns, 2));
                    let (x, y) = (space.entries(&a).unwrap(), space.entries(&b).unwrap());
                    let expected = multiply::reference::multiply(space.field(), &x, &y, (rows, inner, columns));
                    let product = space.mul(&a, &b).unwrap();
                    assert_eq!(product.shape(), (rows, columns));
                    assert!(space.entries(&product).unwrap() == expected, "{rows} {inner} {columns}");
                }
            }
        }
    }
}

#[test]
fn products_equal_the_definition() {
    for device in devices() {
        spaces(&device, &mut Products);
    }
}

/// Sums of many products of the largest residues, which no folding may let overflow.
struct LargestProducts;

impl Check for LargestProducts {
    fn check<F: MatrixField>(&mut self, space: &LinearAlgebra<F>) {
        let field = space.field();
        let len = if simulated(space.device()) { 40 } else { 2100 };
        let largest = field.neg(field.one());
        let (a, b) = (vec![largest; 3 * len], vec![largest; len * 2]);
        let (a, b) = (space.matrix(3, len, &a).unwrap(), space.matrix(len, 2, &b).unwrap());
        let expected = field.natural(len as u64);
        assert_eq!(space.entries(&space.mul(&a, &b).unwrap()).unwrap(), vec![expected; 6]);
    }
}

#[test]
fn sums_of_the_largest_products_do_not_overflow() {
    for device in devices() {
        spaces(&device, &mut LargestProducts);
    }
}

struct Echelons;

impl Check for Echelons {
    fn check<F: MatrixField>(&mut self, space: &LinearAlgebra<F>) {
        let field = space.field();
        let host = matches!(space.device().executor(), Executor::Host(_));
        let shapes: &[(usize, usize)] = if host {
            &[(0, 0), (0, 3), (4, 0), (1, 1), (2, 2), (1, 9), (9, 1), (15, 15), (16, 16), (17, 17), (16, 40), (40, 17)]
        } else {
            &[(0, 0), (0, 3), (4, 0), (6, 6), (5, 9), (9, 4)]
        };
        for &(rows, columns) in shapes {
            for words in special(field, rows, columns) {
                let a = space.matrix(rows, columns, &words).unwrap();
                let (form, pivots) = eliminate::reference::echelon(field, &words, columns);
                let all = [
                    Elimination::Columns,
                    Elimination::NearMemory,
                    Elimination::Blocks(4),
                    Elimination::Blocks(1),
                    Elimination::Blocks(64),
                ];
                for &how in if host { &all[..] } else { &all[1..3] } {
                    let found = space.echelon_by(&a, how).unwrap();
                    assert_eq!(found.pivots(), pivots, "{rows} {columns} {how:?}");
                    assert_eq!(space.entries(found.matrix()).unwrap(), form, "{rows} {columns} {how:?}");
                }
                assert_eq!(space.rank(&a).unwrap(), pivots.len());
                assert_eq!(space.rank(&space.transpose(&a).unwrap()).unwrap(), pivots.len());
                nullspace_is_one(space, &a, pivots.len());
                if rows == columns {
                    inverse_is_one(space, &a, pivots.len());
                    determinants_agree(space, &a, &words);
                }
            }
        }
    }
}

fn nullspace_is_one<F: MatrixField>(space: &LinearAlgebra<F>, a: &Matrix<F>, rank: usize) {
    let basis = space.nullspace(a).unwrap();
    let free = a.columns() - rank;
    assert_eq!(basis.shape(), (a.columns(), free));
    assert!(space.equal(&space.mul(a, &basis).unwrap(), &space.zeros(a.rows(), free).unwrap()).unwrap());
    assert_eq!(space.rank(&basis).unwrap(), free, "columns of a basis are independent");
}

fn inverse_is_one<F: MatrixField>(space: &LinearAlgebra<F>, a: &Matrix<F>, rank: usize) {
    let order = a.rows();
    match space.inverse(a) {
        Ok(inverse) => {
            assert_eq!(rank, order);
            let identity = space.identity(order).unwrap();
            assert!(space.equal(&space.mul(a, &inverse).unwrap(), &identity).unwrap());
            assert!(space.equal(&space.mul(&inverse, a).unwrap(), &identity).unwrap());
        }
        Err(error) => assert_eq!(error, manycore_linalg::LinalgError::Singular { rank, order }),
    }
}

fn determinants_agree<F: MatrixField>(space: &LinearAlgebra<F>, a: &Matrix<F>, words: &[F::Element]) {
    let (field, order) = (space.field(), a.rows());
    let expected = condense::reference::bareiss(field, order, words).unwrap();
    assert_eq!(condense::reference::determinant(field, order, words), Some(expected));
    if order <= 6 {
        assert_eq!(condense::reference::leibniz(field, order, words), expected);
    }
    for how in [Elimination::Columns, Elimination::NearMemory, Elimination::Blocks(3), Elimination::Blocks(64)] {
        assert_eq!(space.determinant_by(a, how).unwrap(), expected, "{order} {how:?}");
    }
    assert_eq!(space.determinant_by_condensation(a).unwrap(), expected, "{order}");
}

#[test]
fn echelon_forms_and_what_follows_equal_the_definition() {
    for device in devices() {
        spaces(&device, &mut Echelons);
    }
}

struct Solutions;

impl Check for Solutions {
    fn check<F: MatrixField>(&mut self, space: &LinearAlgebra<F>) {
        let shapes: &[(usize, usize)] = if sparing(space.device()) {
            &[(3, 3), (4, 7)]
        } else {
            &[(1, 1), (5, 5), (3, 8), (8, 3), (0, 2), (16, 16)]
        };
        for &(rows, columns) in shapes {
            for (salt, words) in special(space.field(), rows, columns).into_iter().enumerate() {
                let a = space.matrix(rows, columns, &words).unwrap();
                // A right side that has a solution, and one that may have none.
                let known = random(space, columns, 2, salt as u64);
                let there = space.mul(&a, &known).unwrap();
                check_solution(space, &a, &there, true);
                check_solution(space, &a, &random(space, rows, 2, 5), false);
                check_solution(space, &a, &random(space, rows, 0, 5), true);
            }
        }
    }
}

fn check_solution<F: MatrixField>(space: &LinearAlgebra<F>, a: &Matrix<F>, b: &Matrix<F>, exists: bool) {
    let rank = space.rank(a).unwrap();
    let solves = |x: &Matrix<F>| space.equal(&space.mul(a, x).unwrap(), b).unwrap();
    match space.solve(a, b).unwrap() {
        Solution::Unique(x) => assert!(solves(&x) && rank == a.columns()),
        Solution::Affine { point, directions } => {
            assert!(solves(&point) && rank < a.columns());
            let t = random(space, directions.columns(), b.columns(), 8);
            let other = space.add(&point, &space.mul(&directions, &t).unwrap()).unwrap();
            assert!(solves(&other));
        }
        Solution::None => {
            assert!(!exists);
            // Rouche and Capelli: the rank grows with the right side.
            let (x, y) = (space.entries(a).unwrap(), space.entries(b).unwrap());
            let row = |i: usize| [&x[i * a.columns()..][..a.columns()], &y[i * b.columns()..][..b.columns()]].concat();
            let both: Vec<F::Element> = (0..a.rows()).flat_map(row).collect();
            let both = space.matrix(a.rows(), a.columns() + b.columns(), &both).unwrap();
            assert!(space.rank(&both).unwrap() > rank);
        }
    }
}

#[test]
fn solutions_solve_and_none_is_told_where_there_is_none() {
    for device in devices() {
        spaces(&device, &mut Solutions);
    }
}

#[test]
fn large_matrices_by_blocks_equal_those_by_columns() {
    for device in devices() {
        if simulated(&device) {
            continue;
        }
        let order = if sparing(&device) { 200 } else { 260 };
        let space = LinearAlgebra::new(&device, short(469_762_049)).unwrap();
        let a = space.random(order, order, 3).unwrap();
        let by_columns = space.determinant_by(&a, Elimination::Columns).unwrap();
        assert_eq!(space.determinant_by(&a, Elimination::NearMemory).unwrap(), by_columns);
        assert_eq!(space.determinant(&a).unwrap(), by_columns);
        assert_eq!(space.determinant_by_condensation(&a).unwrap(), by_columns);
        let inverse = space.inverse(&a).unwrap();
        assert!(space.equal(&space.mul(&a, &inverse).unwrap(), &space.identity(order).unwrap()).unwrap());
        // A product of thin matrices has their rank.
        let thin = space.mul(&space.random(order, 70, 1).unwrap(), &space.random(70, order + 9, 2).unwrap()).unwrap();
        let (form, other) = (space.echelon(&thin).unwrap(), space.echelon_by(&thin, Elimination::Columns).unwrap());
        assert_eq!((form.rank(), form.pivots()), (70, other.pivots()));
        assert!(space.equal(form.matrix(), other.matrix()).unwrap());
    }
}

#[test]
fn powers_are_products() {
    for device in devices() {
        let space = LinearAlgebra::new(&device, short(65_537)).unwrap();
        let a = random(&space, 5, 5, 4);
        let mut expected = space.identity(5).unwrap();
        for exponent in 0..12 {
            assert!(space.equal(&space.power(&a, exponent).unwrap(), &expected).unwrap(), "{exponent}");
            expected = space.mul(&expected, &a).unwrap();
        }
        // Fibonacci numbers mod p by their matrix, whose order divides 2 (p + 1) for this p, which is 2 mod 5.
        let fibonacci = space.matrix(2, 2, &[1, 1, 1, 0]).unwrap();
        let period = space.power(&fibonacci, 2 * 65_538).unwrap();
        assert!(space.equal(&period, &space.identity(2).unwrap()).unwrap());
    }
}

fn over(p: u32, rows: usize, columns: usize, seed: u64) -> (LinearAlgebra<PrimeField<u32>>, Matrix<PrimeField<u32>>) {
    let space = LinearAlgebra::new(&Device::host(), short(p)).unwrap();
    let matrix = space.random(rows, columns, seed).unwrap();
    (space, matrix)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn products_are_associative(
        p in prop::sample::select(crate::common::SHORT.to_vec()), sizes in prop::array::uniform4(0usize..40), seed: u64
    ) {
        let (space, a) = over(p, sizes[0], sizes[1], seed);
        let (b, c) = (space.random(sizes[1], sizes[2], seed ^ 1).unwrap(), space.random(sizes[2], sizes[3], seed ^ 2).unwrap());
        let left = space.mul(&space.mul(&a, &b).unwrap(), &c).unwrap();
        let right = space.mul(&a, &space.mul(&b, &c).unwrap()).unwrap();
        prop_assert!(space.equal(&left, &right).unwrap());
        let transposed = space.mul(&space.transpose(&b).unwrap(), &space.transpose(&a).unwrap()).unwrap();
        prop_assert!(space.equal(&space.transpose(&space.mul(&a, &b).unwrap()).unwrap(), &transposed).unwrap());
    }

    #[test]
    fn determinants_are_multiplicative(
        p in prop::sample::select(crate::common::SHORT.to_vec()), order in 0usize..24, seed: u64
    ) {
        let (space, a) = over(p, order, order, seed);
        let b = space.random(order, order, seed ^ 1).unwrap();
        let field = space.field();
        let product = space.determinant(&space.mul(&a, &b).unwrap()).unwrap();
        let (x, y) = (space.determinant(&a).unwrap(), space.determinant(&b).unwrap());
        prop_assert_eq!(product, field.mul(x, y));
        prop_assert_eq!(space.determinant_by_condensation(&a).unwrap(), x);
        prop_assert_eq!(space.determinant_by(&space.transpose(&a).unwrap(), Elimination::Blocks(5)).unwrap(), x);
    }

    #[test]
    fn echelon_forms_are_those_of_the_definition(
        p in prop::sample::select(crate::common::SHORT.to_vec()), rows in 0usize..20, columns in 0usize..20, panel in 0usize..9,
        zeros in 1u64..4, seed: u64
    ) {
        let (space, a) = over(p, rows, columns, seed);
        let mut words = space.entries(&a).unwrap();
        // Sparse ones have columns without pivot.
        words.iter_mut().zip(0u64..).for_each(|(x, i)| if (i ^ seed) % zeros != 0 { *x = 0 });
        let a = space.matrix(rows, columns, &words).unwrap();
        let (form, pivots) = eliminate::reference::echelon(space.field(), &words, columns);
        for how in [Elimination::Blocks(panel), Elimination::NearMemory] {
            let found = space.echelon_by(&a, how).unwrap();
            prop_assert_eq!(found.pivots(), &pivots[..]);
            prop_assert_eq!(space.entries(found.matrix()).unwrap(), form.clone());
        }
    }
}

#[test]
fn random_matrices_are_those_of_their_seed() {
    let all: Vec<Vec<u32>> = devices()
        .iter()
        .map(|device| {
            let space = LinearAlgebra::new(device, short(3)).unwrap();
            space.entries(&space.random(9, 9, 42).unwrap()).unwrap()
        })
        .collect();
    assert!(all.iter().all(|words| words == &all[0] && words.iter().all(|&x| x < 3) && words.contains(&2)));
    let space = LinearAlgebra::new(&Device::host(), short(2)).unwrap();
    assert_ne!(
        space.entries(&space.random(9, 9, 1).unwrap()).unwrap(),
        space.entries(&space.random(9, 9, 2).unwrap()).unwrap()
    );
    assert_eq!(elements(space.field(), 3, 0).len(), 3);
}
