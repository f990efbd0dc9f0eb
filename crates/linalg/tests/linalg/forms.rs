//! Hermite and Smith forms of integers against elimination by Euclid's algorithm and the greatest common divisors of minors, and by
//! their transforms.

use manycore_device::Device;
use manycore_linalg::LinalgError;
use manycore_linalg::exact::{
    HermiteForm, check_hermite_form, check_hermite_form_alone, check_invariant_factors, check_minimal_polynomial,
    check_smith_form, hermite_form, hermite_form_with_transform, invariant_factors, minimal_polynomial, smith_form,
};
use manycore_testkit::devices;
use manycore_verify::SplitMix;
use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{One as _, Signed as _, Zero as _};
use proptest::prelude::*;

/// The Hermite form by Euclid's algorithm on rows.
fn by_euclid((rows, columns): (usize, usize), a: &[i64]) -> (Vec<BigInt>, Vec<usize>) {
    let mut form: Vec<Vec<BigInt>> =
        (0..rows).map(|i| a[i * columns..][..columns].iter().map(|&x| x.into()).collect()).collect();
    let mut pivots = Vec::new();
    for column in 0..columns {
        let top = pivots.len();
        loop {
            let left: Vec<usize> = (top..rows).filter(|&i| !form[i][column].is_zero()).collect();
            let Some(&least) = left.iter().min_by_key(|&&i| form[i][column].abs()) else { break };
            form.swap(top, least);
            if left.len() == 1 {
                break;
            }
            let pivot = form[top].clone();
            for row in &mut form[top + 1..] {
                let factor = row[column].div_floor(&pivot[column]);
                row.iter_mut().zip(&pivot).for_each(|(x, y)| *x -= &factor * y);
            }
        }
        if top == rows || form[top][column].is_zero() {
            continue;
        }
        if form[top][column].is_negative() {
            form[top].iter_mut().for_each(|x| *x = -&*x);
        }
        let pivot = form[top].clone();
        for row in &mut form[..top] {
            let factor = row[column].div_floor(&pivot[column]);
            row.iter_mut().zip(&pivot).for_each(|(x, y)| *x -= &factor * y);
        }
        pivots.push(column);
    }
    (form.concat(), pivots)
}

/// The determinant by Laplace's expansion.
fn minor(rows: &[usize], columns: &[usize], entry: &impl Fn(usize, usize) -> i64) -> BigInt {
    let Some((&row, below)) = rows.split_first() else { return 1.into() };
    let term = |(k, &column): (usize, &usize)| {
        let others: Vec<usize> = columns.iter().copied().filter(|&other| other != column).collect();
        let product = minor(below, &others, entry) * entry(row, column);
        if k % 2 == 0 { product } else { -product }
    };
    columns.iter().enumerate().map(term).sum()
}

fn subsets(of: usize, count: usize) -> Vec<Vec<usize>> {
    (0..1usize << of)
        .filter(|set| set.count_ones() as usize == count)
        .map(|set| (0..of).filter(|k| set >> k & 1 == 1).collect())
        .collect()
}

/// The invariant factors as quotients of the greatest common divisors of minors.
fn by_minors((rows, columns): (usize, usize), a: &[i64]) -> Vec<BigInt> {
    let entry = |i: usize, j: usize| a[i * columns + j];
    let mut last = BigInt::from(1);
    let mut factors = Vec::new();
    for order in 1..=rows.min(columns) {
        let mut common = BigInt::ZERO;
        for chosen in subsets(rows, order) {
            for others in subsets(columns, order) {
                common = common.gcd(&minor(&chosen, &others, &entry));
            }
        }
        if common.is_zero() {
            break;
        }
        factors.push(&common / &last);
        last = common;
    }
    factors
}

fn check(device: &Device, shape: (usize, usize), a: &[i64], is_small: bool) {
    let (form, u) = hermite_form_with_transform(device, shape, a).unwrap();
    assert_eq!(hermite_form(device, shape, a).unwrap(), form, "{a:?}");
    assert_eq!((form.entries.clone(), form.pivots.clone()), by_euclid(shape, a), "{a:?}");
    check_hermite_form(shape, a, &form, &u, 1).unwrap();
    check_hermite_form_alone(shape, a, &form, 1).unwrap();
    let smith = smith_form(device, shape, a).unwrap();
    check_smith_form(shape, a, &smith, 1).unwrap();
    assert_eq!(invariant_factors(device, shape, a).unwrap(), smith.factors, "{a:?}");
    check_invariant_factors(shape, a, &smith.factors, 1).unwrap();
    if is_small {
        assert_eq!(smith.factors, by_minors(shape, a), "{a:?}");
    }
}

/// Matrices that are special: zero, of low rank, diagonal, with common divisors.
fn special((rows, columns): (usize, usize), seed: u64) -> Vec<Vec<i64>> {
    let mut random = SplitMix::new(seed);
    let mut draw = |most: u64| -> Vec<i64> {
        (0..rows * columns).map(|_| (random.next_word() % (2 * most + 1)) as i64 - most as i64).collect()
    };
    let dense = draw(9);
    let (left, right) = (draw(3), draw(3));
    let entry = |words: &[i64], i: usize| words.get(i).copied().unwrap_or(0);
    let low = (0..rows * columns).map(|e| entry(&left, e / columns) * entry(&right, e % columns)).collect();
    let diagonal = (0..rows * columns).map(|e| if e % (columns + 1) == 0 { dense[e] * 6 } else { 0 }).collect();
    let zeros = dense.iter().enumerate().map(|(e, &x)| if e % columns.max(1) % 2 == 0 { 0 } else { x }).collect();
    vec![vec![0; rows * columns], low, diagonal, zeros, dense.iter().map(|x| 4 * x).collect(), dense]
}

#[test]
fn forms_equal_those_by_euclid_and_by_minors() {
    for device in devices() {
        let shapes: &[(usize, usize)] = if matches!(device.executor(), manycore_device::Executor::Host(_)) {
            &[(0, 0), (0, 3), (3, 0), (1, 1), (1, 4), (4, 1), (2, 2), (3, 3), (3, 5), (5, 3), (4, 4)]
        } else {
            &[(2, 3), (3, 3)]
        };
        for &shape in shapes {
            for a in special(shape, 5) {
                check(&device, shape, &a, true);
            }
        }
    }
}

/// Pivots modulo the first prime that is tried are none of the rational numbers.
#[test]
fn entries_that_are_multiples_of_a_prime_have_their_pivots() {
    let p = 2_147_483_647i64;
    for (shape, a) in
        [((1, 2), vec![p, 1]), ((2, 3), vec![p, 0, 1, 0, p, 1]), ((2, 2), vec![p, 1, 2 * p, 2]), ((1, 1), vec![-p])]
    {
        check(&Device::host(), shape, &a, true);
    }
}

#[test]
fn known_forms() {
    let device = Device::host();
    // The Smith form of Wikipedia's example; integers of any size.
    let a = [2i64, 4, 4, -6, 6, 12, 10, 4, 16];
    assert_eq!(invariant_factors(&device, (3, 3), &a).unwrap(), [2, 2, 156].map(BigInt::from));
    let large: Vec<BigInt> = a.iter().map(|&x| BigInt::from(x) << 200u32).collect();
    let expected = [2, 2, 156].map(|x| BigInt::from(x) << 200u32);
    assert_eq!(invariant_factors(&device, (3, 3), &large).unwrap(), expected);
    let error = LinalgError::Entries { given: 9, rows: 2, columns: 3 };
    assert_eq!(hermite_form(&device, (2, 3), &a).unwrap_err(), error);
    assert_eq!(invariant_factors(&device, (2, 3), &a).unwrap_err(), error);
    assert_eq!(smith_form(&device, (2, 3), &a).unwrap_err(), error);
}

#[test]
fn matrices_of_known_invariant_factors_have_them() {
    let mut random = SplitMix::new(3);
    let order = 24;
    // Triangular matrices of determinant 1 on both sides of a diagonal.
    let mut triangle = |is_lower: bool| -> Vec<i64> {
        (0..order * order)
            .map(|e| match (e / order).cmp(&(e % order)) {
                std::cmp::Ordering::Equal => 1,
                other if (other == std::cmp::Ordering::Greater) == is_lower => (random.next_word() % 3) as i64 - 1,
                _ => 0,
            })
            .collect()
    };
    let factors: Vec<i64> = (0..order as i64).map(|k| [1, 2, 6, 12, 36, 360][(k / 4) as usize]).collect();
    let (left, right) = (triangle(true), triangle(false));
    let entry = |i: usize, j: usize| (0..order).map(|k| left[i * order + k] * factors[k] * right[k * order + j]).sum();
    let a: Vec<i64> = (0..order * order).map(|e| entry(e / order, e % order)).collect();
    let expected: Vec<BigInt> = factors.iter().map(|&x| x.into()).collect();
    assert_eq!(invariant_factors(&Device::host(), (order, order), &a).unwrap(), expected);
    check(&Device::host(), (order, order), &a, false);
}

/// Matrices of some order, whose forms have columns with large pivots in different places, by two routes: in place of Euclid's
/// algorithm, whose integers grow, the checks and the form of the matrix with its rows mixed.
#[test]
fn forms_of_larger_matrices_pass_checks_and_do_not_depend_on_the_rows() {
    let mut random = SplitMix::new(9);
    let mut draw = |count: usize, most: u64| -> Vec<i64> {
        (0..count).map(|_| (random.next_word() % (2 * most + 1)) as i64 - most as i64).collect()
    };
    for (rows, columns) in [(30, 30), (31, 29), (29, 31), (40, 12), (12, 40)] {
        let dense = draw(rows * columns, 99);
        let factors = draw(columns, 6);
        let by_columns = |e: usize| if e.is_multiple_of(7) { 1 } else { factors[e % columns].max(1) };
        let scaled: Vec<i64> = dense.iter().enumerate().map(|(e, x)| x * by_columns(e)).collect();
        let even: Vec<i64> = dense.iter().map(|x| 6 * x).collect();
        // The last column is a multiple of 2^10, so that the last pivot is; and the first ones are.
        let last = |e: usize| if (e + 1).is_multiple_of(columns) { 1024 } else { 1 };
        let of_last: Vec<i64> = dense.iter().enumerate().map(|(e, x)| x * last(e)).collect();
        let of_first: Vec<i64> =
            dense.iter().enumerate().map(|(e, x)| x * if e % columns < 9 { 360 } else { 1 }).collect();
        // Of rank columns / 2 + 1.
        let half = columns / 2 + 1;
        let (left, right) = (draw(rows * half, 3), draw(half * columns, 3));
        let entry = |e: usize| (0..half).map(|k| left[e / columns * half + k] * right[k * columns + e % columns]).sum();
        let low: Vec<i64> = (0..rows * columns).map(entry).collect();
        for a in [dense, scaled, even, of_last, of_first, low] {
            let shape = (rows, columns);
            let form = hermite_form(&Device::host(), shape, &a).unwrap();
            check_hermite_form_alone(shape, &a, &form, 1).unwrap();
            // Row i less row i + 1, in the opposite order.
            let row = |i: usize| &a[i * columns..][..columns];
            let mixed: Vec<i64> = (0..rows)
                .rev()
                .flat_map(|i| (0..columns).map(move |j| row(i)[j] - if i + 1 < rows { row(i + 1)[j] } else { 0 }))
                .collect();
            assert_eq!(hermite_form(&Device::host(), shape, &mixed).unwrap(), form);
            let factors = invariant_factors(&Device::host(), shape, &a).unwrap();
            check_invariant_factors(shape, &a, &factors, 1).unwrap();
            let mut wrong = factors.clone();
            if let [.., first, last] = &mut wrong[..]
                && first.is_one()
            {
                *first *= 2;
                *last *= 2;
                assert!(check_invariant_factors(shape, &a, &wrong, 1).is_err());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn forms_of_any_matrix(rows in 1usize..6, columns in 1usize..6, most in 1i64..12, zeros in 1u64..4, seed: u64) {
        let mut random = SplitMix::new(seed);
        let a: Vec<i64> = (0..rows * columns)
            .map(|_| if random.next_word().is_multiple_of(zeros) { random.next_word() as i64 % most } else { 0 })
            .collect();
        check(&Device::host(), (rows, columns), &a, rows * columns < 17);
    }
}

#[test]
fn wrong_forms_are_refused() {
    let wrong = |error: LinalgError| matches!(error, LinalgError::Check(error) if error.is_wrong());
    let a = [2i64, 4, 1, 3, 5, 0];
    let device = Device::host();
    let (form, u) = hermite_form_with_transform(&device, (2, 3), &a).unwrap();
    let changed = |change: &dyn Fn(&mut HermiteForm)| {
        let mut form = form.clone();
        change(&mut form);
        form
    };
    for other in [
        changed(&|form| form.entries[2] += 1),
        changed(&|form| form.entries[0] = (-1).into()),
        changed(&|form| form.entries[1] += 2),
        changed(&|form| form.pivots[1] = 2),
        changed(&|form| form.pivots.truncate(1)),
    ] {
        assert!(wrong(check_hermite_form((2, 3), &a, &other, &u, 1).unwrap_err()), "{other:?}");
        assert!(wrong(check_hermite_form_alone((2, 3), &a, &other, 1).unwrap_err()), "{other:?}");
    }
    // A transform of determinant 2.
    let doubled = HermiteForm { rows: 1, columns: 1, entries: vec![2.into()], pivots: vec![0] };
    assert!(wrong(check_hermite_form((1, 1), &[1i64], &doubled, &[2.into()], 1).unwrap_err()));
    // Lattices with more rows, and with fewer.
    let of = |rows: usize, word: i64| {
        let entries = (0..rows).map(|row| if row == 0 { word.into() } else { BigInt::ZERO }).collect();
        HermiteForm { rows, columns: 1, entries, pivots: vec![0] }
    };
    for (a, right) in [(&[4i64][..], 4), (&[4, 6], 2), (&[6, 10, 15], 1)] {
        for word in 1..7 {
            let outcome = check_hermite_form_alone((a.len(), 1), a, &of(a.len(), word), 1);
            assert_eq!(outcome.is_ok(), word == right, "{a:?} {word}");
        }
    }
    let smith = smith_form(&device, (2, 3), &a).unwrap();
    for k in 0..smith.factors.len() {
        let mut other = smith.clone();
        other.factors[k] *= 2;
        assert!(wrong(check_smith_form((2, 3), &a, &other, 1).unwrap_err()));
    }
    let mut other = smith.clone();
    other.left[0] += 1;
    assert!(wrong(check_smith_form((2, 3), &a, &other, 1).unwrap_err()));
    let twos = [2i64, 0, 0, 2];
    let found = minimal_polynomial(&device, 2, &twos).unwrap();
    assert!(check_minimal_polynomial(2, &twos, &found, 1).is_ok());
    for other in [vec![4, -4, 1], vec![-3, 1], vec![-2, 2], vec![1], vec![]] {
        let other: Vec<BigInt> = other.into_iter().map(BigInt::from).collect();
        assert!(wrong(check_minimal_polynomial(2, &twos, &other, 1).unwrap_err()), "{other:?}");
    }
}
