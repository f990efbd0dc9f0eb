use manycore_spectral::haar::reference::haar;

use super::*;
use crate::SplitMix;
use crate::faults::{SCALES, all_found, moved, turned_bits, unit};

fn shapes(normalizations: &[Normalization]) -> Vec<Shape> {
    let each = |order| {
        normalizations
            .iter()
            .flat_map(move |&normalization| [0, 1, 2, 4].map(|log_len| Shape { log_len, order, normalization }))
    };
    HaarOrder::ALL.into_iter().flat_map(each).collect()
}

fn spectra<T: manycore_spectral::Scalar>(x: &[T], shape: Shape) -> Vec<T> {
    x.chunks(1 << shape.log_len).flat_map(|run| haar(run, shape.order, shape.normalization).unwrap()).collect()
}

#[test]
fn integers_pass_and_every_turned_bit_is_found() {
    let mut random = SplitMix::new(1);
    for shape in shapes(&[Normalization::None]) {
        for runs in [0, 1, 3] {
            let x: Vec<i32> = (0..runs << shape.log_len).map(|_| random.next_word() as i32 >> 8).collect();
            let y = spectra(&x, shape);
            for by in [wrapping::<i32>, exact::<i32>] {
                let check = |x: &[i32], y: &[i32], direction| by(x, y, direction, shape).map(|_| ());
                all_found(&y, |_, value| turned_bits(value), |y| check(&x, y, Direction::Forward));
                all_found(&x, |_, value| turned_bits(value), |x| check(&y, x, Direction::Inverse));
            }
            assert!(y.chunks(1 << shape.log_len).all(|run| comes_back(run, shape).is_ok()), "{shape:?}");
        }
    }
}

#[test]
fn integers_that_wrap_are_halved_rounding_down() {
    let shape = Shape { log_len: 1, order: HaarOrder::Standard, normalization: Normalization::None };
    assert!(wrapping(&[i32::MAX, 2], &[i32::MIN + 1, i32::MAX - 2], Direction::Forward, shape).is_ok());
    assert!(wrapping(&[i32::MAX, 2], &[(i32::MIN + 1) >> 1, (i32::MAX - 2) >> 1], Direction::Inverse, shape).is_ok());
    assert!(wrapping(&[3, 0], &[2, 1], Direction::Inverse, shape).is_err());
    // Exactly they neither wrap nor round.
    assert!(exact(&[i32::MAX, 2], &[i32::MIN + 1, i32::MAX - 2], Direction::Forward, shape).is_err());
    assert!(exact(&[3, 0], &[1, 1], Direction::Inverse, shape).is_err());
    assert!(exact(&[3, 1], &[2, 1], Direction::Inverse, shape).is_ok());
}

#[test]
fn reals_pass_and_every_change_above_the_bound_of_its_place_is_found() {
    let mut random = SplitMix::new(1);
    for shape in shapes(&Normalization::ALL) {
        for scale in SCALES {
            let x: Vec<f64> = (0..2 << shape.log_len).map(|_| unit(random.next_word()) * scale).collect();
            let y = spectra(&x, shape);
            for (direction, x, y) in [(Direction::Forward, &x, &y), (Direction::Inverse, &y, &x)] {
                let check = |y: &[f64]| reals(x, y, direction, shape).map(|_| ());
                if scale < 1e-305 {
                    assert_eq!(check(y), Ok(()), "{shape:?} {scale} {direction:?}");
                    continue;
                }
                // The largest size of a place is that of a run.
                let largest = |run: usize| x[run..][..1 << shape.log_len].iter().map(|v| v.abs() / scale).sum::<f64>();
                let factor = if shape.normalization == Normalization::None { 1.0 } else { 4.0 };
                let distance = |place: usize| {
                    let size = largest(place >> shape.log_len << shape.log_len) * scale * factor;
                    3.0 * 8.0 * f64::EPSILON * size + 1e3 * f64::SMALLEST
                };
                all_found(y, |place, value| moved(value, distance(place)), check);
            }
        }
    }
}

#[test]
fn a_large_value_hides_no_error_elsewhere() {
    let shape = Shape { log_len: 2, order: HaarOrder::Standard, normalization: Normalization::None };
    let x = [1e300, 1e300, 1.0, 2.0];
    assert!(reals(&x, &[2e300, 2e300, 0.0, -1.0], Direction::Forward, shape).is_ok());
    let error = reals(&x, &[2e300, 2e300, 0.0, -1.000_01], Direction::Forward, shape).unwrap_err();
    assert!(matches!(error, CheckError::Bound { index: 3, .. }), "{error}");
}

#[test]
fn a_skipped_level_is_found() {
    let shape = Shape { log_len: 3, order: HaarOrder::Standard, normalization: Normalization::None };
    let x = [3i64, 1, 4, 1, 5, 9, 2, 6];
    let right = spectra(&x, shape);
    for level in 0..3 {
        let mut wrong = right.clone();
        wrong[1 << level..2 << level].copy_from_slice(&x[1 << level..2 << level]);
        assert!(wrapping(&x, &wrong, Direction::Forward, shape).is_err());
    }
}

#[test]
fn what_does_not_come_back_is_told() {
    let shape = Shape { log_len: 2, order: HaarOrder::Standard, normalization: Normalization::None };
    assert_eq!(comes_back(&[9, -1, 2, 3], shape), Ok(()));
    assert_eq!(comes_back(&[9, -1, 2, 4], shape), Err(NoInverse::Fraction { index: 2, numerator: 18 }));
    let largest = 2 * (i128::from(i32::MAX) - 1);
    assert_eq!(comes_back(&[i32::MAX - 1, i32::MAX - 1, 0, 0], shape), Err(NoInverse::Sum(largest)));
    let shape = Shape { log_len: 1, ..shape };
    assert_eq!(comes_back(&[i32::MAX, i32::MAX], shape), Err(NoInverse::Sum(2 * i128::from(i32::MAX))));
    assert_eq!(comes_back(&[i32::MAX, 1], shape), Err(NoInverse::Sum(i128::from(i32::MAX) + 1)));
    assert_eq!(comes_back(&[i32::MAX - 1, 0], shape), Ok(()));
}

#[test]
fn the_largest_coefficient_is_computed_where_sums_are_no_answer() {
    let shape = Shape { log_len: 2, order: HaarOrder::InPlace, normalization: Normalization::None };
    assert_eq!(super::largest(&[5, 5, -5, -4], shape, 10), Ok((0, 19)));
    assert_eq!(super::largest(&[5, -1, 4, -4], shape, 10), Ok((0, 8)));
    assert_eq!(super::largest(&[1, 2, 3, 4], shape, 10), Ok((0, 10)));
}
