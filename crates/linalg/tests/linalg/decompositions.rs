//! Triangular decompositions and the spaces of matrices against the definition, by the products that define them, and against
//! elimination.

use crate::common::{Check, every_space, few_spaces, random, short, sparing, special};
use manycore_device::Device;
use manycore_linalg::decompose::{check_lu, check_pluq, check_row_space, reference};
use manycore_linalg::{LinalgError, LinearAlgebra, Lu, Matrix, MatrixField, Solution};
use manycore_testkit::{devices, simulated};
use manycore_verify::SplitMix;
use proptest::prelude::*;

/// The rows of a matrix in another order.
fn in_rows<F: MatrixField>(space: &LinearAlgebra<F>, a: &Matrix<F>, rows: &[usize]) -> Matrix<F> {
    let words = space.entries(a).unwrap();
    let moved: Vec<F::Element> =
        rows.iter().flat_map(|&row| words[row * a.columns()..][..a.columns()].to_vec()).collect();
    space.matrix(rows.len(), a.columns(), &moved).unwrap()
}

/// The factors are those of the definition, and their product is the matrix with its rows in order; the same with columns in order.
fn check_factors<F: MatrixField>(space: &LinearAlgebra<F>, a: &Matrix<F>, lu: &Lu<F>) {
    let words = space.entries(a).unwrap();
    if a.columns() > 0 {
        let expected = reference::lu(space.field(), &words, a.columns());
        assert_eq!(lu.permutation().images(), expected.rows);
        assert_eq!(lu.pivots(), expected.pivots);
        assert_eq!(space.entries(lu.lower()).unwrap(), expected.lower);
        assert_eq!(space.entries(lu.upper()).unwrap(), expected.upper);
    }
    check_products(space, a, lu);
}

fn check_products<F: MatrixField>(space: &LinearAlgebra<F>, a: &Matrix<F>, lu: &Lu<F>) {
    let (rows, columns, rank) = (a.rows(), a.columns(), lu.rank());
    assert_eq!((lu.lower().shape(), lu.upper().shape()), ((rows, rank), (rank, columns)));
    let ordered = in_rows(space, a, lu.permutation().images());
    assert!(space.equal(&space.mul(lu.lower(), lu.upper()).unwrap(), &ordered).unwrap());
    let pluq = space.pluq(a).unwrap();
    let upper = space.entries(pluq.upper()).unwrap();
    let zero = space.field().zero();
    for i in 0..rank {
        assert!(upper[i * columns + i] != zero && upper[i * columns..][..i].iter().all(|&x| x == zero));
    }
    let transposed = space.transpose(&ordered).unwrap();
    let ordered = space.transpose(&in_rows(space, &transposed, pluq.columns().images())).unwrap();
    assert!(space.equal(&space.mul(pluq.lower(), pluq.upper()).unwrap(), &ordered).unwrap());
    assert_eq!((pluq.rank(), pluq.rows()), (rank, lu.permutation()));
}

/// Checks let the results pass, and changed ones not.
fn check_checks<F: MatrixField>(space: &LinearAlgebra<F>, a: &Matrix<F>) {
    let (field, shape, words) = (space.field(), a.shape(), space.entries(a).unwrap());
    let pluq = space.pluq(a).unwrap();
    let lu = pluq.lu();
    let factors = |m: &Matrix<F>| space.entries(m).unwrap();
    let (lower, upper, columns) = (factors(lu.lower()), factors(lu.upper()), pluq.columns().images());
    let rows = lu.permutation().images();
    let random = &mut SplitMix::new(7);
    check_lu(field, shape, &words, rows, &lower, &upper, random).unwrap();
    check_pluq(field, shape, &words, rows, columns, &lower, &factors(pluq.upper()), random).unwrap();
    let basis = factors(&space.row_space(a).unwrap());
    check_row_space(field, shape, &words, &basis, random).unwrap();
    let changed = |words: &[F::Element], e: usize| {
        let mut words = words.to_vec();
        words[e] = field.add(words[e], field.one());
        words
    };
    for e in 0..lower.len() {
        assert!(check_lu(field, shape, &words, rows, &changed(&lower, e), &upper, random).is_err(), "{e}");
    }
    for e in 0..upper.len() {
        assert!(check_lu(field, shape, &words, rows, &lower, &changed(&upper, e), random).is_err(), "{e}");
        let other = changed(&factors(pluq.upper()), e);
        assert!(check_pluq(field, shape, &words, rows, columns, &lower, &other, random).is_err(), "{e}");
        assert!(check_row_space(field, shape, &words, &changed(&basis, e), random).is_err(), "{e}");
    }
    for k in 1..rows.len() {
        let mut other = rows.to_vec();
        other.swap(0, k);
        assert!(check_lu(field, shape, &words, &other, &lower, &upper, random).is_err(), "{k}");
    }
    if !basis.is_empty() {
        let fewer = &basis[..basis.len() - shape.1];
        assert!(check_row_space(field, shape, &words, fewer, random).is_err());
    }
}

/// What follows from the factors is what elimination gives.
fn check_uses<F: MatrixField>(space: &LinearAlgebra<F>, a: &Matrix<F>, lu: &Lu<F>) {
    let (rows, columns) = a.shape();
    let there = space.mul(a, &random(space, columns, 3, 9)).unwrap();
    for b in [there, random(space, rows, 2, 5), space.zeros(rows, 0).unwrap(), space.zeros(rows, 1).unwrap()] {
        match (lu.solve(&b).unwrap(), space.solve(a, &b).unwrap()) {
            (Solution::Unique(x), Solution::Unique(y)) => assert!(space.equal(&x, &y).unwrap()),
            (Solution::Affine { point, directions }, Solution::Affine { point: p, directions: d }) => {
                assert!(space.equal(&point, &p).unwrap() && space.equal(&directions, &d).unwrap());
            }
            (Solution::None, Solution::None) => {}
            _ => panic!("another kind of solution"),
        }
    }
    assert!(space.equal(&lu.nullspace().unwrap(), &space.nullspace(a).unwrap()).unwrap());
    if rows != columns {
        assert_eq!(lu.determinant(), Err(LinalgError::NotSquare { operation: "determinant", rows, columns }));
        assert!(matches!(lu.inverse(), Err(LinalgError::NotSquare { .. })));
        return;
    }
    assert_eq!(lu.determinant().unwrap(), space.determinant(a).unwrap());
    match (lu.inverse(), space.inverse(a)) {
        (Ok(x), Ok(y)) => assert!(space.equal(&x, &y).unwrap()),
        (x, y) => assert_eq!(x.err(), y.err()),
    }
}

fn check_spaces<F: MatrixField>(space: &LinearAlgebra<F>, a: &Matrix<F>) {
    let rank = space.rank(a).unwrap();
    let (rows, columns) = a.shape();
    let (row_space, column_space) = (space.row_space(a).unwrap(), space.column_space(a).unwrap());
    assert_eq!((row_space.shape(), column_space.shape()), ((rank, columns), (rows, rank)));
    // Each has the rank of the matrix, and keeps it beside the matrix.
    let (x, y) = (space.entries(&row_space).unwrap(), space.entries(a).unwrap());
    let both = space.matrix(rank + rows, columns, &[x, y].concat()).unwrap();
    assert_eq!((space.rank(&row_space).unwrap(), space.rank(&both).unwrap()), (rank, rank));
    assert!(matches!(space.solve(&column_space, a).unwrap(), Solution::Unique(_)));
    let left = space.left_nullspace(a).unwrap();
    assert_eq!((left.shape(), space.rank(&left).unwrap()), ((rows - rank, rows), rows - rank));
    let product = space.mul(&left, a).unwrap();
    assert!(space.equal(&product, &space.zeros(rows - rank, columns).unwrap()).unwrap());
    // The lexicographically first independent columns and rows: each prefix has the rank that the profile tells.
    let profile = space.column_rank_profile(a).unwrap();
    assert_eq!(profile, space.echelon(a).unwrap().pivots());
    let profile = space.row_rank_profile(a).unwrap();
    for count in 0..=rows {
        let prefix = in_rows(space, a, &(0..count).collect::<Vec<_>>());
        assert_eq!(space.rank(&prefix).unwrap(), profile.iter().filter(|&&row| row < count).count());
    }
}

struct Decompositions;

impl Check for Decompositions {
    fn check<F: MatrixField>(&mut self, space: &LinearAlgebra<F>) {
        let shapes: &[(usize, usize)] = if sparing(space.device()) {
            &[(0, 3), (5, 4), (3, 7)]
        } else {
            &[(0, 0), (0, 3), (4, 0), (1, 1), (2, 2), (1, 9), (9, 1), (16, 16), (17, 30), (30, 17)]
        };
        for &(rows, columns) in shapes {
            for words in special(space.field(), rows, columns) {
                let a = space.matrix(rows, columns, &words).unwrap();
                let lu = space.lu(&a).unwrap();
                check_factors(space, &a, &lu);
                check_uses(space, &a, &lu);
                check_spaces(space, &a);
                if rows * columns < 20 {
                    check_checks(space, &a);
                }
            }
        }
    }
}

#[test]
fn factors_equal_the_definition_and_give_what_elimination_does() {
    for device in devices() {
        if sparing(&device) {
            few_spaces(&device, &mut Decompositions);
        } else {
            every_space(&device, &mut Decompositions);
        }
    }
}

#[test]
fn large_matrices_are_decomposed_by_halves() {
    for device in devices() {
        if simulated(&device) {
            continue;
        }
        for p in [3, 469_762_049] {
            let space = LinearAlgebra::new(&device, short(p)).unwrap();
            for (rows, columns) in [(150, 150), (65, 200), (200, 129)] {
                let regular = space.random(rows, columns, 7).unwrap();
                // A product of thin matrices, with columns of zeros before and between.
                let (left, right) = (space.random(rows, 50, 1).unwrap(), space.random(50, columns, 2).unwrap());
                let mut words = space.entries(&space.mul(&left, &right).unwrap()).unwrap();
                words.iter_mut().enumerate().for_each(|(e, x)| {
                    if e % columns % 3 == 0 {
                        *x = 0;
                    }
                });
                let thin = space.matrix(rows, columns, &words).unwrap();
                for a in [regular, thin] {
                    let lu = space.lu(&a).unwrap();
                    check_factors(&space, &a, &lu);
                    check_uses(&space, &a, &lu);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn factors_are_those_of_the_definition(
        p in prop::sample::select(crate::common::SHORT.to_vec()), rows in 0usize..90, columns in 1usize..90, zeros in 1u64..4, seed: u64
    ) {
        let space = LinearAlgebra::new(&Device::host(), short(p)).unwrap();
        let mut words = space.entries(&space.random(rows, columns, seed).unwrap()).unwrap();
        words.iter_mut().zip(0u64..).for_each(|(x, i)| if (i ^ seed) % zeros != 0 { *x = 0 });
        let a = space.matrix(rows, columns, &words).unwrap();
        let lu = space.lu(&a).unwrap();
        check_factors(&space, &a, &lu);
        check_uses(&space, &a, &lu);
    }
}
