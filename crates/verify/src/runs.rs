//! Batches: the runs of a vector, which are transformed independently.

use std::ops::Range;

use crate::number::Integer;
use crate::outcome::{CheckError, collected};

/// The runs of an input and of a result of as many values.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Runs {
    /// The number of runs.
    pub(crate) count: usize,
    /// The values of a run.
    pub(crate) len: usize,
}

impl Runs {
    /// The runs of `len` values of `input` values, of which a result has as many.
    pub(crate) fn new(input: usize, result: usize, len: usize) -> Result<Self, CheckError> {
        if input != result {
            return Err(CheckError::Length { found: result, expected: input });
        }
        if len == 0 || !input.is_multiple_of(len) {
            return Err(CheckError::Shape { what: format!("{input} values in runs of {len}") });
        }
        Ok(Self { count: input / len, len })
    }

    /// The runs, whose length must be a power of two.
    pub(crate) fn of_powers_of_two(input: usize, result: usize, len: usize) -> Result<Self, CheckError> {
        if !len.is_power_of_two() {
            return Err(CheckError::Shape { what: format!("runs of {len} values, which is no power of two") });
        }
        Self::new(input, result, len)
    }

    /// The indices of a run.
    pub(crate) fn range(self, run: usize) -> Range<usize> {
        run * self.len..(run + 1) * self.len
    }
}

/// Compares a run of integers with what they should be.
pub(crate) fn compare_integers<T: Integer>(
    found: &[T],
    expected: impl Fn(usize) -> i64,
    run: usize,
) -> Result<(), CheckError> {
    found.iter().enumerate().try_for_each(|(index, &found)| {
        let (found, expected): (i64, i64) = (found.into(), expected(index));
        if found == expected {
            return Ok(());
        }
        Err(CheckError::Value { run, index, found: found.to_string(), expected: expected.to_string() })
    })
}

/// The first run whose numbers of 128 bits are largest by `largest`, and that size, of the runs whose sums of absolute values
/// pass `limit`; the largest of these sums where none does.
pub(crate) fn largest_in_runs<T: Integer>(
    x: &[T],
    runs: Runs,
    limit: i128,
    largest: impl Fn(&mut [i128]) -> i128,
) -> Result<(usize, i128), CheckError> {
    let mut most = (0, 0);
    for run in 0..runs.count {
        let values = x[runs.range(run)].iter().map(|&value| i128::from(value.into()));
        let mut size = values.clone().map(i128::abs).sum();
        if size > limit {
            size = largest(&mut collected(values)?);
        }
        if size > most.1 {
            most = (run, size);
        }
    }
    Ok(most)
}

/// The size of an integer. The least number of a type in two's complement, whose largest is `limit`, counts as `limit`: the type holds it.
pub(crate) fn size(value: i128, limit: i128) -> i128 {
    if limit >= 0 && value == -limit - 1 { limit } else { value.saturating_abs() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_whole() {
        assert_eq!(Runs::new(12, 12, 4).unwrap().range(2), 8..12);
        assert!(matches!(Runs::new(12, 11, 4), Err(CheckError::Length { found: 11, expected: 12 })));
        assert!(matches!(Runs::new(12, 12, 0), Err(CheckError::Shape { .. })));
        assert!(matches!(Runs::new(12, 12, 5), Err(CheckError::Shape { .. })));
        assert!(matches!(Runs::of_powers_of_two(12, 12, 3), Err(CheckError::Shape { .. })));
        assert_eq!(Runs::new(0, 0, 1).unwrap().count, 0);
    }

    #[test]
    fn the_least_number_of_a_type_counts_as_its_largest() {
        assert_eq!(size(i64::MIN.into(), i64::MAX.into()), i64::MAX.into());
        assert_eq!(size(i128::from(i64::MIN) - 1, i64::MAX.into()), (1 << 63) + 1);
        assert_eq!((size(-3, 10), size(7, 10), size(11, 10), size(i128::MIN, 0)), (3, 7, 11, i128::MAX));
    }

    #[test]
    fn only_doubtful_runs_are_computed() {
        let runs = Runs::new(6, 6, 2).unwrap();
        let x = [1, 2, 5, -9, 3, 3];
        assert_eq!(largest_in_runs(&x, runs, 100, |_| unreachable!()), Ok((1, 14)));
        assert_eq!(largest_in_runs(&x, runs, 10, |z| (z[0] + z[1]).abs()), Ok((2, 6)));
    }
}
