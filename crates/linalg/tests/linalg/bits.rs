//! Matrices of bits on the host: products and echelon forms against their definition and against the field of two elements, at the
//! edges of words, strips and tables.

use crate::common::short;
use manycore_device::Device;
use manycore_field::PrimeField;
use manycore_linalg::bits::{BitAlgebra, BitMatrix, BitSolution, reference};
use manycore_linalg::{LinalgError, LinearAlgebra, Solution};
use proptest::prelude::*;

fn spaces() -> (BitAlgebra, LinearAlgebra<PrimeField<u32>>) {
    let device = Device::host();
    (BitAlgebra::new(&device), LinearAlgebra::new(&device, short(2)).unwrap())
}

/// Sizes at the edges of words and strips.
const EDGES: [usize; 10] = [0, 1, 2, 63, 64, 65, 127, 129, 511, 513];

#[test]
fn products_equal_the_definition_at_every_edge() {
    let space = BitAlgebra::new(&Device::host());
    for rows in [0, 1, 5, 255, 256, 300] {
        for inner in EDGES {
            for columns in [0, 1, 64, 65, 513] {
                let (a, b) = (space.random(rows, inner, 1).unwrap(), space.random(inner, columns, 2).unwrap());
                let found = space.words(&space.mul(&a, &b).unwrap()).unwrap();
                let (x, y) = (space.words(&a).unwrap(), space.words(&b).unwrap());
                assert!(found == reference::multiply(&x, &y, (rows, inner, columns)), "{rows} {inner} {columns}");
            }
        }
    }
}

#[test]
fn threads_change_no_bit() {
    let (a, b) = (BitAlgebra::new(&Device::host_with(1).unwrap()), BitAlgebra::new(&Device::host_with(3).unwrap()));
    let product = |space: &BitAlgebra| {
        let (x, y) = (space.random(1700, 130, 1).unwrap(), space.random(130, 700, 2).unwrap());
        space.words(&space.mul(&x, &y).unwrap()).unwrap()
    };
    assert!(product(&a) == product(&b));
}

/// Random, zero, of repeated rows, of low rank, with columns of zeros.
fn special(space: &BitAlgebra, rows: usize, columns: usize, seed: u64) -> Vec<BitMatrix> {
    let dense = space.random(rows, columns, seed).unwrap();
    let words = space.words(&dense).unwrap();
    let stride = dense.words_per_row();
    let masked: Vec<u64> = words.iter().map(|word| word & 0xffff_0000_f0f0_0ff0).collect();
    let repeated: Vec<u64> =
        (0..words.len()).map(|e| words[e % stride.max(1) + stride * (e / stride.max(1) / 2)]).collect();
    let matrix = |words: &[u64]| space.matrix(rows, columns, words).unwrap();
    let low = space.mul(&space.random(rows, 3, seed ^ 1).unwrap(), &space.random(3, columns, seed ^ 2).unwrap());
    vec![matrix(&masked), matrix(&repeated), space.zeros(rows, columns).unwrap(), low.unwrap(), dense]
}

#[test]
fn echelon_forms_equal_the_definition_at_every_edge() {
    let space = BitAlgebra::new(&Device::host());
    for rows in [0, 1, 63, 64, 65, 130] {
        for columns in [0, 1, 64, 65, 129, 200] {
            for a in special(&space, rows, columns, 5) {
                let (form, pivots) = reference::echelon(&space.words(&a).unwrap(), columns);
                let found = space.echelon(&a).unwrap();
                assert_eq!(found.pivots(), pivots, "{rows} {columns}");
                assert!(space.words(found.matrix()).unwrap() == form, "{rows} {columns}");
                assert_eq!((found.rank(), space.rank(&a).unwrap()), (pivots.len(), pivots.len()));
            }
        }
    }
}

#[test]
fn bad_input_is_refused() {
    let space = BitAlgebra::new(&Device::host());
    let error = space.matrix(2, 65, &[1, 2, 3]).unwrap_err();
    assert_eq!(error, LinalgError::Entries { given: 3, rows: 2, columns: 2 });
    let error = space.of_residues(2, 2, &[0u32, 1, 1, 2]).unwrap_err();
    assert_eq!(error, LinalgError::OutOfRange { row: 1, column: 1, value: 2, modulus: 2 });
    assert!(matches!(space.zeros(usize::MAX, 2), Err(LinalgError::TooLarge { .. })));
    let (a, b) = (space.zeros(2, 3).unwrap(), space.zeros(2, 3).unwrap());
    assert!(matches!(space.mul(&a, &b), Err(LinalgError::Shapes { operation: "product", .. })));
    assert!(matches!(space.determinant(&a), Err(LinalgError::NotSquare { operation: "determinant", .. })));
    assert_eq!(space.inverse(&space.zeros(3, 3).unwrap()).unwrap_err(), LinalgError::Singular { rank: 0, order: 3 });
    // Bits past the last column count for nothing.
    assert_eq!(space.words(&space.matrix(1, 3, &[0xff]).unwrap()).unwrap(), [7]);
    assert!(space.determinant(&space.zeros(0, 0).unwrap()).unwrap());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Every operation gives the residues that the field of two elements gives.
    #[test]
    fn results_are_those_of_the_field_of_two_elements(rows in 0usize..140, columns in 0usize..140, right in 1usize..70, seed: u64) {
        let (bits, field) = spaces();
        for a in special(&bits, rows, columns, seed) {
            let residues: Vec<u32> = bits.residues(&a).unwrap();
            prop_assert!(bits.equal(&a, &bits.of_residues(rows, columns, &residues).unwrap()).unwrap());
            let x = field.matrix(rows, columns, &residues).unwrap();
            let same = |found: &BitMatrix, expected: &manycore_linalg::Matrix<PrimeField<u32>>| {
                found.shape() == expected.shape() && bits.residues::<u32>(found).unwrap() == field.entries(expected).unwrap()
            };
            prop_assert!(same(&bits.transpose(&a).unwrap(), &field.transpose(&x).unwrap()));
            prop_assert!(same(&bits.add(&a, &a).unwrap(), &field.zeros(rows, columns).unwrap()));
            prop_assert!(same(&bits.nullspace(&a).unwrap(), &field.nullspace(&x).unwrap()));
            let b = bits.random(rows, right, seed ^ 9).unwrap();
            let consistent = bits.mul(&a, &bits.random(columns, right, seed ^ 8).unwrap()).unwrap();
            for b in [b, consistent] {
                let y = field.matrix(rows, right, &bits.residues::<u32>(&b).unwrap()).unwrap();
                let agree = match (bits.solve(&a, &b).unwrap(), field.solve(&x, &y).unwrap()) {
                    (BitSolution::Unique(found), Solution::Unique(expected)) => same(&found, &expected),
                    (BitSolution::Affine { point, directions }, Solution::Affine { point: at, directions: along }) =>
                        same(&point, &at) && same(&directions, &along),
                    (found, expected) => matches!((found, expected), (BitSolution::None, Solution::None)),
                };
                prop_assert!(agree);
            }
        }
    }

    #[test]
    fn inverses_are_inverses(order in 0usize..200, seed: u64) {
        let (bits, field) = spaces();
        let a = bits.random(order, order, seed).unwrap();
        let x = field.matrix(order, order, &bits.residues::<u32>(&a).unwrap()).unwrap();
        prop_assert_eq!(u32::from(bits.determinant(&a).unwrap()), field.determinant(&x).unwrap());
        match bits.inverse(&a) {
            Ok(inverse) => {
                let product = bits.mul(&a, &inverse).unwrap();
                prop_assert!(bits.equal(&product, &bits.identity(order).unwrap()).unwrap());
            }
            Err(error) => prop_assert_eq!(error, LinalgError::Singular { rank: field.rank(&x).unwrap(), order }),
        }
    }
}

#[test]
fn triangular_factors_equal_those_over_the_field_of_two_elements() {
    let (bits, field) = spaces();
    for (rows, columns) in
        [(0, 0), (0, 5), (5, 0), (1, 1), (3, 2), (63, 64), (64, 63), (65, 130), (130, 65), (150, 150)]
    {
        for a in special(&bits, rows, columns, 11) {
            let residues: Vec<u32> = bits.residues(&a).unwrap();
            let lu = bits.lu(&a).unwrap();
            let pluq = bits.pluq(&a).unwrap();
            let expected = field.pluq(&field.matrix(rows, columns, &residues).unwrap()).unwrap();
            assert_eq!(lu.permutation(), expected.rows(), "{rows} {columns}");
            assert_eq!(lu.pivots(), expected.lu().pivots(), "{rows} {columns}");
            assert_eq!(pluq.columns(), expected.columns());
            assert_eq!(bits.residues::<u32>(lu.lower()).unwrap(), field.entries(expected.lower()).unwrap());
            assert_eq!(bits.residues::<u32>(lu.upper()).unwrap(), field.entries(expected.lu().upper()).unwrap());
            assert_eq!(bits.residues::<u32>(pluq.upper()).unwrap(), field.entries(expected.upper()).unwrap());
            assert!(bits.equal(&lu.nullspace().unwrap(), &bits.nullspace(&a).unwrap()).unwrap());
            let there = bits.mul(&a, &bits.random(columns, 70, 5).unwrap()).unwrap();
            for b in [there, bits.random(rows, 2, 6).unwrap(), bits.zeros(rows, 0).unwrap()] {
                match (lu.solve(&b).unwrap(), bits.solve(&a, &b).unwrap()) {
                    (BitSolution::Unique(x), BitSolution::Unique(y)) => assert!(bits.equal(&x, &y).unwrap()),
                    (BitSolution::Affine { point, .. }, BitSolution::Affine { point: y, .. }) => {
                        assert!(bits.equal(&point, &y).unwrap());
                    }
                    (BitSolution::None, BitSolution::None) => {}
                    (x, y) => panic!("{x:?} in place of {y:?}"),
                }
            }
            if rows == columns {
                match (lu.inverse(), bits.inverse(&a)) {
                    (Ok(x), Ok(y)) => assert!(bits.equal(&x, &y).unwrap()),
                    (x, y) => assert_eq!(x.err(), y.err()),
                }
            }
        }
    }
}

#[test]
fn devices_decompose_as_the_host_does() {
    let host = BitAlgebra::new(&Device::host());
    for device in manycore_testkit::devices() {
        let space = BitAlgebra::new(&device);
        for a in special(&host, 70, 133, 3) {
            let there = space.matrix(70, 133, &host.words(&a).unwrap()).unwrap();
            let (expected, found) = (host.lu(&a).unwrap(), space.lu(&there).unwrap());
            assert_eq!((found.permutation(), found.pivots()), (expected.permutation(), expected.pivots()));
            assert!(space.words(found.lower()).unwrap() == host.words(expected.lower()).unwrap());
            assert!(space.words(found.upper()).unwrap() == host.words(expected.upper()).unwrap());
            let b = space.mul(&there, &space.random(133, 3, 8).unwrap()).unwrap();
            let (BitSolution::Affine { point: x, .. }, BitSolution::Affine { point: y, .. }) =
                (found.solve(&b).unwrap(), space.solve(&there, &b).unwrap())
            else {
                panic!("more unknowns than equations, which have a solution")
            };
            assert!(space.equal(&x, &y).unwrap());
        }
    }
}
