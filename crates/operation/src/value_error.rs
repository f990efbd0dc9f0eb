//! Errors of values that were read from a file.

use crate::failure::Failure;
use crate::vector::NumberType;
use manycore_device::{ErrorKind, LibraryError};

/// Why the values of a file are none that an operation takes. Every variant names the file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ValueError {
    /// A file without values.
    #[error("{file}: no values")]
    Empty {
        /// The file.
        file: String,
    },
    /// A length that the transform is not defined for.
    #[error("{file}: {len} values: the length of a transform must be a power of two")]
    NotPowerOfTwo {
        /// The file.
        file: String,
        /// The length.
        len: usize,
    },
    /// A length that is no multiple of the length of one transform.
    #[error("{file}: {len} values are no whole number of transforms of {batch} (--batch)")]
    Batch {
        /// The file.
        file: String,
        /// The length.
        len: usize,
        /// The length of one transform.
        batch: usize,
    },
    /// Integers whose spectrum could leave its type.
    #[error(
        "{file}: coefficients of transform {transform} could reach {bound}, past the largest {number_type}; \
         use --type {wider}, or --wrap to compute modulo 2^{bits}"
    )]
    Overflow {
        /// The file.
        file: String,
        /// Which transform of the batch, from 0.
        transform: usize,
        /// The sum of the sizes of the values.
        bound: i128,
        /// The type.
        number_type: NumberType,
        /// A type that would do.
        wider: NumberType,
        /// The type's bits.
        bits: u32,
    },
    /// Integers whose sums could leave 64 bits, where no option helps.
    #[error("{file}: the sizes of the values add up to {bound}, past the largest i64, which holds every coefficient")]
    Sums {
        /// The file.
        file: String,
        /// The sum of the sizes of the values.
        bound: i128,
    },
    /// The input of an integer inverse that is no spectrum of integers.
    #[error("{file}: no spectrum of integers: value {} of its inverse is {numerator}/{len}; use --type f64", index + 1)]
    NotSpectrum {
        /// The file.
        file: String,
        /// The value's index, from 0, where the message counts from 1.
        index: usize,
        /// The value times the length.
        numerator: i128,
        /// The length.
        len: usize,
    },
    /// A value other than 0 and 1 of a Boolean function.
    #[error("{place}: value {} is {value}: a Boolean function has the values 0 and 1 only", index + 1)]
    NoBit {
        /// The file, and the line of a text.
        place: String,
        /// The value's index, from 0, where the message counts from 1.
        index: usize,
        /// The value.
        value: String,
    },
    /// A number that is no word of 64 values.
    #[error("{place}: word {}, {value}, is no number below 2^64", index + 1)]
    NoWord {
        /// The file, and the line of a text.
        place: String,
        /// The word's index, from 0, where the message counts from 1.
        index: usize,
        /// The number.
        value: String,
    },
    /// Words that hold no whole number of functions.
    #[error("{file}: {words} words of 64 values are no whole number of functions of {variables} variables")]
    Words {
        /// The file.
        file: String,
        /// The words.
        words: usize,
        /// The variables of one function.
        variables: u32,
    },
    /// An odd count of numbers, where complex ones are two each.
    #[error("{file}: {len} numbers are no whole number of complex numbers of two each")]
    Parts {
        /// The file.
        file: String,
        /// The count.
        len: usize,
    },
    /// Values that are no whole number of functions or vectors.
    #[error("{file}: {len} values are no whole number of {what} of {order}")]
    Runs {
        /// The file.
        file: String,
        /// The values.
        len: usize,
        /// What they should be: `functions`, `vectors`.
        what: &'static str,
        /// The values of each.
        order: u64,
    },
    /// A second operand with another number of functions than the first, which has not one either.
    #[error("{file}: {given} functions, where the first operand has {expected}: one, or as many")]
    Operands {
        /// The file of the second operand.
        file: String,
        /// Its functions.
        given: usize,
        /// The number of functions of the first operand.
        expected: usize,
    },
}

impl ValueError {
    /// The error of transform number `transform` whose numbers could reach `bound`, past those of the type.
    pub fn overflow(file: &str, transform: usize, bound: i128, number_type: NumberType) -> Self {
        let wider = if bound > i64::MAX.into() { NumberType::F64 } else { NumberType::I64 };
        let bits = 8 * number_type.bytes() as u32;
        Self::Overflow { file: file.to_owned(), transform, bound, number_type, wider, bits }
    }
}

impl LibraryError for ValueError {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Value
    }
}

impl Failure for ValueError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_that_would_do_is_named() {
        let message = |bound, number_type| ValueError::overflow("x", 3, bound, number_type).to_string();
        assert_eq!(
            message(2_147_483_650, NumberType::I32),
            "x: coefficients of transform 3 could reach 2147483650, past the largest i32; use --type i64, or --wrap to compute modulo 2^32"
        );
        assert!(message(1 << 63, NumberType::I64).contains("use --type f64, or --wrap to compute modulo 2^64"));
    }
}
