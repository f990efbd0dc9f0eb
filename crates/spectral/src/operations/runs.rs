//! The runs of a vector that are transformed.

use manycore_operation::{Files, OperationError, ValueError};

/// Transforms side by side, of the values of a file one after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Runs {
    /// What messages call the file.
    pub(super) file: String,
    /// The values of one transform, a power of two.
    pub(super) len: usize,
    /// The number of all transforms.
    pub(super) all: usize,
    /// The number of transforms before the computed ones, which are other parts of the work.
    first: usize,
}

impl Runs {
    /// The runs of `total` values: of length `batch`, or a single one.
    ///
    /// # Errors
    /// A length that is no power of two, or does not divide the number of values.
    pub(super) fn new(file: String, batch: Option<usize>, total: usize) -> Result<Self, OperationError> {
        let len = match batch {
            Some(len) if !len.is_power_of_two() => {
                let message = format!("--batch {len}: the length of a transform must be a power of two");
                return Err(OperationError::usage(message));
            }
            Some(batch) if !total.is_multiple_of(batch) => {
                return Err(ValueError::Batch { file, len: total, batch }.into());
            }
            Some(batch) => batch,
            None if !total.is_power_of_two() => return Err(ValueError::NotPowerOfTwo { file, len: total }.into()),
            None => total,
        };
        Ok(Self { file, len, all: total / len, first: 0 })
    }

    /// Runs of packed values: of `2^variables` values each.
    pub(super) fn packed(file: String, variables: u32, all: usize) -> Self {
        Self { file, len: 1 << variables, all, first: 0 }
    }

    /// The values of the runs that are computed here: all, but for a part of the work that several processes share. A run has `len` of
    /// them.
    pub(super) fn part<T>(&mut self, files: &mut dyn Files, mut values: Vec<T>, len: usize) -> Vec<T> {
        let range = files.part(values.len() / len.max(1));
        self.first = range.start;
        values.truncate(range.end * len);
        values.drain(..range.start * len);
        values
    }

    /// The base-2 logarithm of the length of one transform.
    pub(super) fn log_len(&self) -> u32 {
        self.len.ilog2()
    }

    /// The first value that is transformed, by its place in the file.
    pub(super) fn first_value(&self) -> usize {
        self.first * self.len
    }

    /// The number of a transform in the file, by its number among those that are computed here.
    pub(super) fn number(&self, transform: usize) -> usize {
        self.first + transform
    }
}

#[cfg(test)]
mod tests {
    use manycore_operation::Given;

    use super::*;

    #[test]
    fn lengths_are_powers_of_two_that_divide() {
        let of = |batch, total| Runs::new("x".into(), batch, total).map_err(|error| error.to_string());
        assert_eq!(of(None, 8).map(|runs| (runs.len, runs.all, runs.log_len())), Ok((8, 1, 3)));
        assert_eq!(of(Some(2), 6).map(|runs| (runs.len, runs.all)), Ok((2, 3)));
        assert_eq!(of(None, 6), Err("x: 6 values: the length of a transform must be a power of two".into()));
        assert_eq!(of(Some(3), 6), Err("--batch 3: the length of a transform must be a power of two".into()));
        let whole = "x: 6 values are no whole number of transforms of 4 (--batch)";
        assert_eq!(of(Some(4), 6), Err(whole.into()));
    }

    #[test]
    fn parts_know_their_place() {
        let mut runs = Runs::new("x".into(), Some(2), 6).unwrap();
        let values = runs.part(&mut Given::new().part_of(1..3), vec![1, 2, 3, 4, 5, 6], 2);
        assert_eq!((values, runs.first_value(), runs.number(1)), (vec![3, 4, 5, 6], 2, 2));
    }
}
