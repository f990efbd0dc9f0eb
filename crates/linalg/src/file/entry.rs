//! What matrices in files have as entries.

use std::num::IntErrorKind;

/// A type of numbers that matrices are read as: `i128`, `f64` and, with the feature `bigint`, `BigInt`.
pub trait FileEntry: Clone {
    /// What words must be.
    #[doc(hidden)]
    const WHAT: &'static str;

    /// Zero.
    #[doc(hidden)]
    fn zero() -> Self;

    /// One: the entry of a pattern.
    #[doc(hidden)]
    fn one() -> Self;

    /// The number of a word; why it is none.
    #[doc(hidden)]
    fn parse(word: &str) -> Result<Self, NoEntry>;

    /// The number with the other sign; `None` where its type has it not.
    #[doc(hidden)]
    fn negative(&self) -> Option<Self>;
}

/// Why a word is no entry.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoEntry {
    /// It is no number of this kind.
    Other,
    /// It is out of the range of the type.
    Range,
}

impl FileEntry for i128 {
    const WHAT: &'static str = "integer of 128 bits";

    fn zero() -> Self {
        0
    }

    fn one() -> Self {
        1
    }

    fn parse(word: &str) -> Result<Self, NoEntry> {
        word.parse().map_err(|error: std::num::ParseIntError| match error.kind() {
            IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => NoEntry::Range,
            _ => NoEntry::Other,
        })
    }

    fn negative(&self) -> Option<Self> {
        self.checked_neg()
    }
}

#[cfg(feature = "bigint")]
impl FileEntry for num_bigint::BigInt {
    const WHAT: &'static str = "integer";

    fn zero() -> Self {
        Self::ZERO
    }

    fn one() -> Self {
        Self::from(1)
    }

    fn parse(word: &str) -> Result<Self, NoEntry> {
        // Underscores are no part of numbers in files.
        if word.contains('_') { Err(NoEntry::Other) } else { word.parse().map_err(|_| NoEntry::Other) }
    }

    fn negative(&self) -> Option<Self> {
        Some(-self)
    }
}

impl FileEntry for f64 {
    const WHAT: &'static str = "finite double";

    fn zero() -> Self {
        0.0
    }

    fn one() -> Self {
        1.0
    }

    fn parse(word: &str) -> Result<Self, NoEntry> {
        match word.parse::<Self>() {
            Ok(value) if value.is_finite() => Ok(value),
            Ok(_) => Err(NoEntry::Range),
            Err(_) => Err(NoEntry::Other),
        }
    }

    fn negative(&self) -> Option<Self> {
        Some(-self)
    }
}
