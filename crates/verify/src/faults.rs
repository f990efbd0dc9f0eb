//! Faults for the tests of checks: every single changed value, permuted results, zeroed runs.

use std::fmt::Debug;

use crate::CheckError;

/// Asserts that `check` refuses every result that differs from `right` in one value, by `changes` for each place, or in its arrangement.
pub(crate) fn all_found<T: Copy + PartialEq + Default + Debug>(
    right: &[T],
    changes: impl Fn(usize, T) -> Vec<T>,
    check: impl Fn(&[T]) -> Result<(), CheckError>,
) {
    assert_eq!(check(right), Ok(()));
    let found = |wrong: &[T], what: &str| match check(wrong) {
        Ok(()) => panic!("{what} is not found: {wrong:?} instead of {right:?}"),
        Err(error) => assert!(error.is_wrong(), "{what}: {error}"),
    };
    for place in 0..right.len() {
        for changed in changes(place, right[place]) {
            let mut wrong = right.to_vec();
            wrong[place] = changed;
            found(&wrong, &format!("a change at {place}"));
        }
    }
    rearranged(right, |wrong, what| found(wrong, what));
    found(&[right, &[T::default()]].concat(), "a value more");
    if !right.is_empty() {
        found(&right[1..], "a value less");
    }
}

/// Calls `each` with rearrangements of a result that differ from it.
pub(crate) fn rearranged<T: Copy + PartialEq + Default>(right: &[T], mut each: impl FnMut(&[T], &str)) {
    let mut different = |wrong: Vec<T>, what: &str| {
        if wrong != right {
            each(&wrong, what);
        }
    };
    let len = right.len();
    if len < 2 {
        return;
    }
    different(right.iter().rev().copied().collect(), "a reversed result");
    for step in [1, len / 2] {
        different([&right[step..], &right[..step]].concat(), "a rotated result");
        for start in (0..len - step).step_by(len / 7 + 1) {
            let mut swapped = right.to_vec();
            swapped.swap(start, start + step);
            different(swapped, "an exchange");
        }
    }
    for parts in [1, 2, 4] {
        let size = len.div_ceil(parts);
        for part in 0..parts {
            let mut zeroed = right.to_vec();
            zeroed[(part * size).min(len)..((part + 1) * size).min(len)].fill(T::default());
            different(zeroed, "a zeroed run");
        }
    }
}

/// Each value with one bit turned.
pub(crate) fn turned_bits<T: crate::Integer + TryFrom<i64>>(value: T) -> Vec<T> {
    let value: i64 = value.into();
    let turned = (0..T::BITS).map(|bit| crate::number::wrapped::<T>(value ^ 1 << bit));
    turned.filter_map(|value| T::try_from(value).ok()).collect()
}

/// A floating-point number in `[-1, 1)`.
pub(crate) fn unit(word: u64) -> f64 {
    (word as i64 >> 11) as f64 * 2.0f64.powi(-52)
}

/// Scales from subnormal numbers to those near the largest.
pub(crate) const SCALES: [f64; 5] = [1e-310, 1e-300, 1.0, 1e155, 1e300];

/// A value moved by about `distance` to both sides, made infinite and no number.
pub(crate) fn moved(value: f64, distance: f64) -> Vec<f64> {
    vec![value + distance, value - distance, f64::INFINITY, f64::NEG_INFINITY, f64::NAN]
}
