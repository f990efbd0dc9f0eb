//! Ranks, nullspaces, inverses, characteristic polynomials and solutions over the rationals against elimination with fractions, on the
//! host and every OpenCL device; known answers; bad input.

use manycore_device::Device;
use manycore_linalg::LinalgError;
use manycore_linalg::exact::{
    self, IntegerNullspace, RationalSolution, characteristic_polynomial, check_characteristic_polynomial,
    check_inverse, check_no_solution, check_nullspace, check_rank, inverse, is_solution, nullspace, rank, reference,
    solve_columns,
};
use manycore_testkit::{devices, simulated};
use manycore_verify::SplitMix;
use num_bigint::BigInt;
use num_rational::BigRational;
use proptest::prelude::*;

/// Integers of so many bits, of which one in three is 0.
fn random(count: usize, bits: u32, random: &mut SplitMix) -> Vec<BigInt> {
    let mut draw = || {
        let word = random.next_double_word() as i128 >> (128 - bits);
        if random.next_word().is_multiple_of(3) { 0 } else { word }
    };
    (0..count).map(|_| BigInt::from(draw())).collect()
}

/// The product of two matrices.
fn product(inner: usize, columns: usize, a: &[BigInt], b: &[BigInt]) -> Vec<BigInt> {
    let rows = a.len().checked_div(inner).unwrap_or(0);
    let entry = |e: usize| (0..inner).map(|k| &a[e / columns * inner + k] * &b[k * columns + e % columns]).sum();
    (0..rows * columns).map(entry).collect()
}

/// A matrix of at most this rank.
fn of_rank(rows: usize, columns: usize, rank: usize, bits: u32, source: &mut SplitMix) -> Vec<BigInt> {
    if rank == 0 || columns == 0 {
        return vec![BigInt::ZERO; rows * columns];
    }
    product(rank, columns, &random(rows * rank, bits, source), &random(rank * columns, bits, source))
}

/// Rank and nullspace of a matrix are those of the reference, and the checks pass.
fn check_shape(device: &Device, (rows, columns): (usize, usize), a: &[BigInt]) {
    let (form, pivots) = reference::echelon(columns, a);
    assert_eq!(rank(device, (rows, columns), a).unwrap(), pivots.len());
    assert!(check_rank((rows, columns), a, pivots.len(), 3).is_ok());
    let found = nullspace(device, (rows, columns), a).unwrap();
    assert!(check_nullspace((rows, columns), a, &found, 3).is_ok());
    let IntegerNullspace { dimension, basis } = found;
    let free: Vec<usize> = (0..columns).filter(|column| !pivots.contains(column)).collect();
    assert_eq!((dimension, basis.len()), (free.len(), columns * free.len()));
    for (k, &column) in free.iter().enumerate() {
        let vector: Vec<&BigInt> = basis.iter().skip(k).step_by(dimension).collect();
        assert!(*vector[column] > BigInt::ZERO);
        let common = vector.iter().fold(BigInt::ZERO, |common, &x| num_integer_gcd(common, x.clone()));
        assert_eq!(common, BigInt::from(1));
        for (row, &pivot) in pivots.iter().enumerate() {
            assert_eq!(BigRational::from(-vector[pivot]), &form[row * columns + column] * vector[column]);
        }
    }
}

fn num_integer_gcd(mut a: BigInt, mut b: BigInt) -> BigInt {
    while b != BigInt::ZERO {
        (a, b) = (b.clone(), a % b);
    }
    if a < BigInt::ZERO { -a } else { a }
}

/// The solutions of a system are those of the reference: none, one or a family.
fn check_system(device: &Device, (rows, columns): (usize, usize), a: &[BigInt], right_columns: usize, b: &[BigInt]) {
    let both: Vec<BigInt> = (0..rows)
        .flat_map(|row| [&a[row * columns..][..columns], &b[row * right_columns..][..right_columns]].concat())
        .collect();
    let width = columns + right_columns;
    let (form, pivots) = reference::echelon(width, &both);
    let own: Vec<usize> = pivots.iter().copied().filter(|&pivot| pivot < columns).collect();
    let found = solve_columns(device, (rows, columns), a, right_columns, b).unwrap();
    if own.len() < pivots.len() {
        assert_eq!(found, RationalSolution::None);
        assert!(check_no_solution((rows, columns), a, right_columns, b, 3).is_ok());
        return;
    }
    let mut point = vec![BigRational::default(); columns * right_columns];
    for (row, &pivot) in own.iter().enumerate() {
        point[pivot * right_columns..][..right_columns]
            .clone_from_slice(&form[row * width + columns..][..right_columns]);
    }
    for column in 0..right_columns {
        let of = |words: &[BigInt]| words.iter().skip(column).step_by(right_columns).cloned().collect::<Vec<_>>();
        let x: Vec<BigRational> = point.iter().skip(column).step_by(right_columns).cloned().collect();
        assert!(is_solution(a, &x, &of(b)));
    }
    let dimension = columns - own.len();
    let expected =
        if dimension == 0 { RationalSolution::Unique(point) } else { RationalSolution::Affine { point, dimension } };
    assert_eq!(found, expected);
}

#[test]
fn shapes_and_ranks() {
    let mut source = SplitMix::new(7);
    for device in devices() {
        let most = if simulated(&device) { 2 } else { 5 };
        for rows in 0..=most {
            for columns in 0..=most {
                for wanted in 0..=rows.min(columns) {
                    let a = of_rank(rows, columns, wanted, 20, &mut source);
                    check_shape(&device, (rows, columns), &a);
                    // A right side within the image, and one that may be outside.
                    let inside = product(columns, 2, &a, &random(columns * 2, 30, &mut source));
                    let inside = if columns == 0 { vec![BigInt::ZERO; rows * 2] } else { inside };
                    check_system(&device, (rows, columns), &a, 2, &inside);
                    check_system(&device, (rows, columns), &a, 1, &random(rows, 90, &mut source));
                    check_system(&device, (rows, columns), &a, 0, &[]);
                }
            }
        }
    }
}

#[test]
fn larger_matrices_of_some_rank() {
    let mut source = SplitMix::new(8);
    for (rows, columns, wanted) in [(18, 18, 17), (12, 20, 10), (20, 12, 10), (15, 9, 9), (9, 15, 9)] {
        let a = of_rank(rows, columns, wanted, 8, &mut source);
        check_shape(&Device::host(), (rows, columns), &a);
        let inside = product(columns, 1, &a, &random(columns, 12, &mut source));
        check_system(&Device::host(), (rows, columns), &a, 1, &inside);
        check_system(&Device::host(), (rows, columns), &a, 1, &random(rows, 12, &mut source));
    }
}

#[test]
fn primes_that_divide_minors_are_passed_over() {
    // Singular, of smaller rank, or zero modulo the first primes, but not over the integers.
    let (p, q) = (2_147_483_647i64, 2_147_483_629i64);
    for a in [[p, 0, 0, q], [p, 0, 0, p], [1, 1, 1, 1 + p], [p, p, p, p], [0, 0, 0, p], [1, 2, 2, 4 + q]] {
        let a = a.map(BigInt::from);
        check_shape(&Device::host(), (2, 2), &a);
        for b in [[1, 0], [1, 1], [p, 2 * p]] {
            check_system(&Device::host(), (2, 2), &a, 1, &b.map(BigInt::from));
        }
    }
    let inverse = inverse(&Device::host(), 2, &[p, 0, 0, p * q]).unwrap();
    assert_eq!(inverse[3], BigRational::new(1.into(), BigInt::from(p) * q));
}

#[test]
fn inverses_and_polynomials_of_known_matrices() {
    for device in devices() {
        let order = if simulated(&device) { 3 } else { 8 };
        // Hilbert's matrix has an inverse of integers; of order 3 it is known.
        let common: i64 = if order == 3 { 60 } else { 360_360 };
        let hilbert: Vec<i64> = (0..order * order).map(|e| common / (e / order + e % order + 1) as i64).collect();
        let found = inverse(&device, order, &hilbert).unwrap();
        assert!(found.iter().all(|x| (x * BigInt::from(common)).is_integer()));
        if order == 3 {
            let expected = [9, -36, 30, -36, 192, -180, 30, -180, 180].map(|x| BigRational::new(x.into(), 60.into()));
            assert_eq!(found, expected);
        }
        assert!(check_inverse(order, &hilbert, &found, 1).is_ok());
        // The companion matrix of x^n - 2 x - 3, and a permutation's cycle.
        let mut companion = vec![0i64; order * order];
        (1..order).for_each(|k| companion[k * order + k - 1] = 1);
        companion[order - 1] = 3;
        companion[2 * order - 1] += 2;
        let found = characteristic_polynomial(&device, order, &companion).unwrap();
        let mut expected = vec![BigInt::ZERO; order + 1];
        (expected[0], expected[1], expected[order]) = ((-3).into(), (-2).into(), 1.into());
        assert_eq!(found, expected);
        assert!(check_characteristic_polynomial(order, &companion, &found, 1).is_ok());
    }
    let device = Device::host();
    assert!(inverse::<i64>(&device, 0, &[]).unwrap().is_empty());
    assert_eq!(characteristic_polynomial::<i64>(&device, 0, &[]).unwrap(), [BigInt::from(1)]);
    assert_eq!(characteristic_polynomial(&device, 1, &[i64::MIN]).unwrap(), [-BigInt::from(i64::MIN), 1.into()]);
    // Wilkinson's matrix of order 3 has x^3 - 2 x^2 - x + 2 ... of (1 0 1): by expansion x^3 - 2 x^2 - x + 2.
    let wilkinson = [1i64, 1, 0, 1, 0, 1, 0, 1, 1];
    let found = characteristic_polynomial(&device, 3, &wilkinson).unwrap();
    assert_eq!(found, [2, -1, -2, 1].map(BigInt::from));
}

#[test]
fn bad_input_is_refused() {
    let device = Device::host();
    let entries = |given, rows, columns| LinalgError::Entries { given, rows, columns };
    assert_eq!(rank(&device, (2, 3), &[1i64]).unwrap_err(), entries(1, 2, 3));
    assert_eq!(nullspace(&device, (2, 3), &[1i64]).unwrap_err(), entries(1, 2, 3));
    assert_eq!(inverse(&device, 2, &[1i64]).unwrap_err(), entries(1, 2, 2));
    assert_eq!(characteristic_polynomial(&device, 2, &[1i64]).unwrap_err(), entries(1, 2, 2));
    assert_eq!(exact::solve(&device, (2, 1), &[1i64, 2], &[1]).unwrap_err(), entries(1, 2, 1));
    let singular = inverse(&device, 3, &[1i64, 2, 3, 2, 4, 6, 0, 1, 1]).unwrap_err();
    assert_eq!(singular, LinalgError::Singular { rank: 2, order: 3 });
}

/// Several devices or threads give the determinant that one gives: each prime to a thread where there are many.
#[test]
fn determinants_of_large_matrices_are_those_of_one_thread() {
    let order = 70;
    let words: Vec<i64> = (0..order * order).map(|e| (e * e * 31 % 2001) as i64 - 1000).collect();
    let alone = exact::determinant(&Device::host_with(1).unwrap(), order, &words, exact::Certainty::Proved).unwrap();
    for threads in [2, 3] {
        let device = Device::host_with(threads).unwrap();
        assert_eq!(exact::determinant(&device, order, &words, exact::Certainty::Proved).unwrap(), alone);
    }
    assert!(exact::check(order, &words, &alone.value, 5).is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn inverses_and_polynomials_are_those_of_fractions(order in 0usize..6, bits in 1u32..100, seed: u64) {
        let device = Device::host();
        let a = random(order * order, bits, &mut SplitMix::new(seed));
        let beside: Vec<BigInt> = (0..order)
            .flat_map(|row| {
                let unit = (0..order).map(move |column| BigInt::from(u8::from(row == column)));
                a[row * order..][..order].iter().cloned().chain(unit).collect::<Vec<_>>()
            })
            .collect();
        let (form, pivots) = reference::echelon(2 * order, &beside);
        let own = pivots.iter().filter(|&&pivot| pivot < order).count();
        match inverse(&device, order, &a) {
            Ok(found) => {
                let expected: Vec<BigRational> =
                    (0..order).flat_map(|row| form[row * 2 * order + order..][..order].to_vec()).collect();
                prop_assert_eq!(&found, &expected);
                prop_assert!(check_inverse(order, &a, &found, seed).is_ok());
            }
            Err(error) => prop_assert_eq!(error, LinalgError::Singular { rank: own, order }),
        }
        // By Cayley and Hamilton's theorem the matrix is a root; the constant term is the determinant.
        let polynomial = characteristic_polynomial(&device, order, &a).unwrap();
        let mut value = vec![BigInt::ZERO; order * order];
        for coefficient in polynomial.iter().rev() {
            value = product(order, order.max(1), &value, &a);
            value.iter_mut().step_by(order + 1).for_each(|entry| *entry += coefficient);
        }
        prop_assert!(value.iter().all(|entry| *entry == BigInt::ZERO));
        let determinant = exact::determinant(&device, order, &a, exact::Certainty::Proved).unwrap().value;
        prop_assert_eq!(&polynomial[0], &if order % 2 == 0 { determinant } else { -determinant });
        prop_assert!(check_characteristic_polynomial(order, &a, &polynomial, seed).is_ok());
    }

    #[test]
    fn sparse_and_repeated_rows(rows in 0usize..9, columns in 1usize..9, bits in 1u32..70, seed: u64) {
        let mut source = SplitMix::new(seed);
        let mut a = random(rows * columns, bits, &mut source);
        if rows > 2 {
            let first = a[..columns].to_vec();
            a[columns..2 * columns].clone_from_slice(&first);
        }
        check_shape(&Device::host(), (rows, columns), &a);
        check_system(&Device::host(), (rows, columns), &a, 1, &random(rows, bits, &mut source));
    }
}
