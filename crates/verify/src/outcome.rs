//! Outcomes of checks: the method and the chance for a right result, or the fault and its place.

use manycore_device::{ErrorKind, LibraryError};
use manycore_files::{counted, memory};
use thiserror::Error;

/// The chance that a wrong result passes a check, over the random choices of the check.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Chance {
    /// None: every place was compared with a second computation.
    None,
    /// Below two to the power `log2`, for every wrong result.
    Below {
        /// The base-2 logarithm of the bound, negative.
        log2: f64,
    },
}

impl Chance {
    /// The chance below `count` over the size of a field with `field_bits` bits, that of a polynomial of degree `count` to
    /// vanish at a random point.
    pub fn of_degree(count: usize, field_bits: u32) -> Self {
        Self::Below { log2: (count.max(1) as f64).log2() - f64::from(field_bits) }
    }

    /// The base-2 logarithm of the bound; `None` where no wrong result passes.
    pub fn log2(self) -> Option<f64> {
        match self {
            Self::None => None,
            Self::Below { log2 } => Some(log2),
        }
    }

    /// The chance that a result passes that is wrong for either of two checks, each of which has been made.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::None, other) | (other, Self::None) => other,
            (Self::Below { log2: a }, Self::Below { log2: b }) => Self::Below { log2: a.max(b) },
        }
    }
}

/// How a result was checked that is right, but for the chance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Passed {
    /// The method, such as `second computation in double precision`.
    pub method: &'static str,
    /// The chance that the method passes a wrong result.
    pub chance: Chance,
}

impl Passed {
    /// A comparison of every place with a second computation.
    pub fn by_second_computation(method: &'static str) -> Self {
        Self { method, chance: Chance::None }
    }
}

/// Why a check does not pass: a wrong result, or a check that could not be made ([`CheckError::is_wrong`] distinguishes them).
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum CheckError {
    /// The result has another number of values than it should have.
    #[error("the result has {}, not {expected}", counted(*found, "value"))]
    Length {
        /// The values that it has.
        found: usize,
        /// The values that it should have.
        expected: usize,
    },
    /// A value differs from the second computation, which is exact.
    #[error("value {} of run {} is {found}, not {expected}", index + 1, run + 1)]
    Value {
        /// The run (transform, vector, function, row ...) that the value belongs to, from 0.
        run: usize,
        /// The value's index in the run, from 0.
        index: usize,
        /// The value.
        found: String,
        /// What it should be.
        expected: String,
    },
    /// A floating-point number is off by more than the rounding of its own terms.
    #[error("value {} of run {} is {found:e}, and {expected:e} within {bound:e} by a second computation", index + 1, run + 1)]
    Bound {
        /// The run that the value belongs to, from 0.
        run: usize,
        /// The value's index in the run, from 0.
        index: usize,
        /// The value.
        found: f64,
        /// What the second computation gives.
        expected: f64,
        /// The most that a right value differs from it.
        bound: f64,
    },
    /// A value is infinite or no number, though all values of the input are finite.
    #[error("value {} of run {} is {found}: {}", index + 1, run + 1, not_finite(*overflow))]
    NotFinite {
        /// The run that the value belongs to, from 0.
        run: usize,
        /// The value's index in the run, from 0.
        index: usize,
        /// The value.
        found: f64,
        /// Whether a right value is, or a sum on the way to it may be, past the largest number of the type: then a wider type
        /// or smaller values help, and the device is not to blame.
        overflow: bool,
    },
    /// A value that no right result has, such as a residue past its modulus.
    #[error("value {} of run {} is {found}, no {expected}", index + 1, run + 1)]
    OutOfRange {
        /// The run that the value belongs to, from 0.
        run: usize,
        /// The value's index in the run, from 0.
        index: usize,
        /// The value.
        found: String,
        /// What values of the result are, such as `residue modulo 17`.
        expected: String,
    },
    /// Two sides that are equal for every right result are not.
    #[error("{relation} does not hold")]
    Relation {
        /// What should hold, as the subject of a sentence.
        relation: String,
    },
    /// The input is none of the operation: not the result's fault.
    #[error("value {} of the input is {found}, no {expected}", index + 1)]
    Input {
        /// The value's index in the whole input, from 0.
        index: usize,
        /// The value.
        found: String,
        /// What values of the input are.
        expected: String,
    },
    /// The lengths, orders or moduli that describe the operation do not fit each other: not the result's fault.
    #[error("no check of {what}")]
    Shape {
        /// What cannot be checked.
        what: String,
    },
    /// The memory of the second computation is not there: not the result's fault.
    #[error("verification takes {bytes} bytes of memory more, which are not there")]
    TooLarge {
        /// The bytes that could not be had.
        bytes: u128,
    },
}

fn not_finite(overflow: bool) -> &'static str {
    if overflow {
        "it, or a sum on the way to it, is past the largest number of its type"
    } else {
        "it should be finite"
    }
}

impl CheckError {
    /// Whether the result is wrong; otherwise the check could not be made.
    pub fn is_wrong(&self) -> bool {
        !matches!(self, Self::Input { .. } | Self::Shape { .. } | Self::TooLarge { .. })
    }
}

/// What a check answers.
pub type Outcome = Result<Passed, CheckError>;

/// An empty vector with room for `len` values.
///
/// # Errors
/// [`CheckError::TooLarge`] where the memory is not there.
pub fn reserved<T>(len: usize) -> Result<Vec<T>, CheckError> {
    let mut values = Vec::new();
    memory::reserve(&mut values, len, String::new)
        .map_err(|error| CheckError::TooLarge { bytes: error.bytes.into() })?;
    Ok(values)
}

/// The values of an iterator in a vector.
///
/// # Errors
/// [`CheckError::TooLarge`] where the memory is not there.
pub fn collected<T>(values: impl ExactSizeIterator<Item = T>) -> Result<Vec<T>, CheckError> {
    let mut list = reserved(values.len())?;
    list.extend(values);
    Ok(list)
}

/// Compares a result with its second computation, value after value.
///
/// # Errors
/// [`CheckError::Length`] and [`CheckError::Value`] with the first value that differs; `len` is the length of a run.
pub fn equal<T: PartialEq + std::fmt::Display>(found: &[T], expected: &[T], len: usize) -> Result<(), CheckError> {
    if found.len() != expected.len() {
        return Err(CheckError::Length { found: found.len(), expected: expected.len() });
    }
    match found.iter().zip(expected).position(|(found, expected)| found != expected) {
        None => Ok(()),
        Some(place) => Err(CheckError::Value {
            run: place / len.max(1),
            index: place % len.max(1),
            found: found[place].to_string(),
            expected: expected[place].to_string(),
        }),
    }
}

impl LibraryError for CheckError {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Check
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_those_of_polynomials() {
        assert_eq!(Chance::of_degree(0, 61).log2(), Some(-61.0));
        assert_eq!(Chance::of_degree(8, 61).log2(), Some(-58.0));
        assert_eq!(Chance::None.or(Chance::of_degree(8, 61)), Chance::of_degree(8, 61));
        assert_eq!(Chance::of_degree(2, 64).or(Chance::of_degree(8, 61)), Chance::of_degree(8, 61));
        assert_eq!(Chance::None.or(Chance::None).log2(), None);
    }

    #[test]
    fn the_first_difference_is_named() {
        assert_eq!(equal(&[1, 2, 3], &[1, 2, 3], 3), Ok(()));
        assert_eq!(equal(&[1, 2], &[1, 2, 3], 3), Err(CheckError::Length { found: 2, expected: 3 }));
        let error = equal(&[1, 2, 3, 4, 5, 6], &[1, 2, 3, 4, 7, 7], 3).unwrap_err();
        assert_eq!(error.to_string(), "value 2 of run 2 is 5, not 7");
        assert!(error.is_wrong());
    }

    #[test]
    fn memory_that_is_not_there_is_an_error() {
        let error = reserved::<u64>(1 << 60).unwrap_err();
        assert_eq!(error, CheckError::TooLarge { bytes: 1 << 63 });
        assert!(!error.is_wrong());
        assert_eq!(collected([1, 2, 3].into_iter()), Ok(vec![1, 2, 3]));
    }

    #[test]
    fn messages_are_one_line() {
        let error = CheckError::Bound { run: 0, index: 3, found: 1.5, expected: 1.0, bound: 1e-9 };
        assert_eq!(error.to_string(), "value 4 of run 1 is 1.5e0, and 1e0 within 1e-9 by a second computation");
        let error = CheckError::NotFinite { run: 1, index: 0, found: f64::INFINITY, overflow: true };
        assert!(error.to_string().starts_with("value 1 of run 2 is inf: it, or a sum"));
    }
}
