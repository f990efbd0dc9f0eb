use manycore_spectral::Scalar;
use manycore_spectral::walsh::reference::walsh_hadamard;

use super::*;
use crate::faults::{SCALES, all_found, moved, turned_bits, unit};

const DIRECTIONS: [Direction; 2] = [Direction::Forward, Direction::Inverse];

/// Values and their true coefficients for every order and several shapes: shape, values, coefficients.
fn cases<T: Scalar>(value: impl Fn(u64) -> T) -> Vec<(Shape, Vec<T>, Vec<T>)> {
    let mut random = SplitMix::new(7);
    let mut cases = Vec::new();
    for order in Order::ALL {
        for (log_len, count) in [(0, 0), (0, 1), (0, 3), (1, 1), (2, 2), (3, 5), (5, 2)] {
            let shape = Shape { len: 1 << log_len, order };
            let x: Vec<T> = (0..count << log_len).map(|_| value(random.next_word())).collect();
            let y = x.chunks(shape.len).flat_map(|block| walsh_hadamard(block, order).unwrap()).collect();
            cases.push((shape, x, y));
        }
    }
    cases
}

/// The transform in natural order without the level of one bit.
fn without_level(x: &[i64], missing: u32) -> Vec<i64> {
    let mut y = x.to_vec();
    for bit in (0..x.len().ilog2()).filter(|&bit| bit != missing) {
        for low in (0..x.len()).filter(|low| low >> bit & 1 == 0) {
            let (u, v) = (y[low], y[low | 1 << bit]);
            (y[low], y[low | 1 << bit]) = (u + v, u - v);
        }
    }
    y
}

#[test]
fn exact_results_pass_and_every_turned_bit_is_found() {
    for seed in 0..2 {
        for (shape, x, y) in cases(|word| word as i64 >> 20) {
            let passed = exact(&x, &y, Direction::Forward, shape, &mut SplitMix::new(seed)).unwrap();
            let degree = f64::from(shape.log_len()) + (x.len() / shape.len) as f64;
            assert!((passed.chance.log2().unwrap() - (degree.max(1.0).log2() - 60.0)).abs() < 1e-9);
            let check =
                |x: &[i64], y: &[i64], direction| exact(x, y, direction, shape, &mut SplitMix::new(seed)).map(|_| ());
            all_found(&y, |_, value| turned_bits(value), |y| check(&x, y, Direction::Forward));
            all_found(&x, |_, value| turned_bits(value), |x| check(&y, x, Direction::Inverse));
        }
    }
}

#[test]
fn errors_that_one_prime_cannot_see_are_found() {
    let mut random = SplitMix::new(2);
    for (shape, x, y) in cases(|word| word as i64 >> 20).into_iter().filter(|(_, x, _)| !x.is_empty()) {
        for prime in crate::modular::PRIMES {
            let mut wrong = y.clone();
            wrong[0] -= prime.value() as i64;
            assert!(exact(&x, &wrong, Direction::Forward, shape, &mut random).is_err());
        }
        // Errors that cancel in the sum.
        let mut wrong = y.clone();
        wrong[0] += 5;
        wrong[y.len() - 1] -= 5;
        assert_eq!(exact(&x, &wrong, Direction::Forward, shape, &mut random).is_ok(), y.len() == 1);
    }
}

#[test]
fn wrapped_results_pass_and_every_turned_bit_is_found() {
    for (shape, x, y) in cases(|word| word as i64) {
        let check = |y: &[i64]| wrapping(&x, y, Direction::Forward, shape).map(|_| ());
        all_found(&y, |_, value| turned_bits(value), check);
        // The wrapped coefficients, divided rounding down.
        let inverse: Vec<i64> = y.iter().map(|value| value.div_euclid(shape.len as i64)).collect();
        let check = |y: &[i64]| wrapping(&x, y, Direction::Inverse, shape).map(|_| ());
        all_found(&inverse, |_, value| turned_bits(value), check);
    }
    for (shape, x, y) in cases(|word| word as i32) {
        let check = |y: &[i32]| wrapping(&x, y, Direction::Forward, shape).map(|_| ());
        all_found(&y, |_, value| turned_bits(value), check);
    }
}

#[test]
fn a_skipped_level_is_found() {
    let mut random = SplitMix::new(4);
    for (shape, x, _) in cases(|word| word as i64 >> 20) {
        if shape.order != Order::Hadamard || x.len() != shape.len || shape.len < 2 {
            continue;
        }
        for bit in 0..shape.log_len() {
            let wrong = without_level(&x, bit);
            assert!(exact(&x, &wrong, Direction::Forward, shape, &mut random).is_err());
            assert!(wrapping(&x, &wrong, Direction::Forward, shape).is_err());
            let [x, wrong] = [&x, &wrong].map(|list| list.iter().map(|&value| value as f64).collect::<Vec<_>>());
            assert!(reals(&x, &wrong, Direction::Forward, shape).is_err());
        }
    }
}

#[test]
fn reals_pass_and_every_change_above_the_bound_is_found() {
    for scale in SCALES {
        for (shape, x, y) in cases(|word| unit(word) * scale) {
            for direction in DIRECTIONS {
                let len = if direction == Direction::Inverse { shape.len as f64 } else { 1.0 };
                let y: Vec<f64> = y.iter().map(|value| value / len).collect();
                let size = |place: usize| {
                    let run = place / shape.len * shape.len;
                    x[run..run + shape.len].iter().map(|value| value.abs() / scale).sum::<f64>() * scale / len
                };
                // Three times the bound: the depth, both roundings, and what may be flushed to zero.
                let depth = f64::from(shape.log_len()) + 2.0;
                let bound = |place| 3.0 * (depth * f64::EPSILON * size(place) + 2.0 * shape.len as f64 * f64::SMALLEST);
                let flushed = scale < 1e-305;
                let changes = |place, value| moved(value, bound(place));
                let check = |y: &[f64]| reals(&x, y, direction, shape).map(|_| ());
                if flushed {
                    // Rearrangements of subnormal numbers are within what a device may flush to zero.
                    assert_eq!(check(&y), Ok(()));
                    for place in 0..y.len() {
                        for changed in changes(place, y[place]) {
                            let mut wrong = y.clone();
                            wrong[place] = changed;
                            assert!(check(&wrong).is_err(), "{shape:?} {scale} {place}");
                        }
                    }
                } else {
                    all_found(&y, changes, check);
                }
            }
        }
    }
}

#[test]
fn single_precision_passes_within_its_own_roundoff() {
    for scale in [1.0f32, 1e-30, 1e30] {
        for (shape, x, y) in cases(|word| unit(word) as f32 * scale) {
            let change = 1e-5 * shape.len as f32 * scale;
            let changes = |_, value| vec![value + change, value - change, f32::NAN];
            all_found(&y, changes, |y| reals(&x, y, Direction::Forward, shape).map(|_| ()));
        }
    }
}

#[test]
fn the_bound_is_that_of_the_run() {
    // A large value in one run does not hide an error in another.
    let shape = Shape { len: 2, order: Order::Hadamard };
    let x = [1e300, 1.0, 1.0, 0.5];
    let y = [1e300, 1e300, 1.5, 0.5];
    assert!(reals(&x, &y, Direction::Forward, shape).is_ok());
    let error = reals(&x, &[1e300, 1e300, 1.5, 0.5 + 1e-14], Direction::Forward, shape).unwrap_err();
    assert!(matches!(error, CheckError::Bound { run: 1, index: 1, .. }), "{error}");
}

#[test]
fn overflow_is_told() {
    let shape = Shape { len: 2, order: Order::Hadamard };
    let error = reals(&[1.5e308, 1.5e308], &[f64::INFINITY, 0.0], Direction::Forward, shape).unwrap_err();
    assert!(matches!(error, CheckError::NotFinite { index: 0, overflow: true, .. }), "{error}");
    let error = reals(&[1.0, 1.0], &[f64::INFINITY, 0.0], Direction::Forward, shape).unwrap_err();
    assert!(matches!(error, CheckError::NotFinite { index: 0, overflow: false, .. }), "{error}");
    let largest = [f64::MAX, f64::MAX];
    assert!(reals(&[f64::MAX, 0.0], &largest, Direction::Forward, shape).is_ok());
    let inverse = [f64::MAX / 2.0, f64::MAX / 2.0];
    assert!(reals(&[f64::MAX, 0.0], &inverse, Direction::Inverse, shape).is_ok());
    let error = reals(&[f64::NAN, 0.0], &largest, Direction::Forward, shape).unwrap_err();
    assert!(!error.is_wrong(), "{error}");
}

#[test]
fn the_largest_coefficient_is_computed_where_sums_are_no_answer() {
    let shape = Shape { len: 4, order: Order::Sequency };
    // Coefficients of up to 8 although the sizes add up to 12.
    let x = [3, 3, 3, -3, 1, 0, 0, 1];
    assert_eq!(largest(&x, shape, 100), Ok((0, 12)));
    assert_eq!(largest(&x, shape, 10), Ok((0, 6)));
    assert_eq!(largest(&[i64::MIN; 4], shape, i64::MAX.into()), Ok((0, 1 << 65)));
}
