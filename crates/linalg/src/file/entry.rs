//! Matrices of files, and what they have as entries.

use manycore_files::{DecimalInteger, EntryValue};

/// A matrix that was read: its entries row after row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dense<T> {
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
    /// `rows * columns` entries.
    pub entries: Vec<T>,
}

/// A type of numbers that dense matrices are read as: `i128`, [`DecimalInteger`], `f64` and, with the feature `bigint`, `BigInt` and
/// `BigRational`.
pub trait FileEntry: EntryValue + Send {
    /// What the numbers must be, for messages.
    #[doc(hidden)]
    const WHAT: &'static str;

    /// Zero.
    #[doc(hidden)]
    fn zero() -> Self;

    /// Whether a matrix may have the number: infinities and NaN are no entries.
    #[doc(hidden)]
    fn is_taken(&self) -> bool {
        true
    }

    /// The number of an array's integer, or of its floating-point number.
    #[doc(hidden)]
    fn of_number(number: manycore_files::Number) -> Option<Self>;
}

impl FileEntry for i128 {
    const WHAT: &'static str = "integer of 128 bits";

    fn zero() -> Self {
        0
    }

    fn of_number(number: manycore_files::Number) -> Option<Self> {
        number.integer()
    }
}

impl FileEntry for DecimalInteger {
    const WHAT: &'static str = "integer";

    fn zero() -> Self {
        Self::from(0)
    }

    fn of_number(number: manycore_files::Number) -> Option<Self> {
        number.decimal()
    }
}

#[cfg(feature = "bigint")]
impl FileEntry for num_bigint::BigInt {
    const WHAT: &'static str = "integer";

    fn zero() -> Self {
        Self::ZERO
    }

    fn of_number(number: manycore_files::Number) -> Option<Self> {
        if let manycore_files::Number::Integer(value) = number {
            return Some(value.into());
        }
        // Decimal digits with a sign.
        number.decimal()?.to_string().parse().ok()
    }
}

#[cfg(feature = "bigint")]
impl FileEntry for num_rational::BigRational {
    const WHAT: &'static str = "rational number";

    fn zero() -> Self {
        Self::from_integer(0.into())
    }

    fn of_number(number: manycore_files::Number) -> Option<Self> {
        match number {
            manycore_files::Number::Integer(value) => Some(Self::from_integer(value.into())),
            manycore_files::Number::Real(value) => Self::from_float(value),
        }
    }
}

impl FileEntry for f64 {
    const WHAT: &'static str = "finite double";

    fn zero() -> Self {
        0.0
    }

    fn is_taken(&self) -> bool {
        self.is_finite()
    }

    fn of_number(number: manycore_files::Number) -> Option<Self> {
        match number {
            // Integers of 64 bits are rounded once, to the nearest double.
            manycore_files::Number::Integer(value) => Some(value as Self),
            manycore_files::Number::Real(value) => Some(value),
        }
    }
}
