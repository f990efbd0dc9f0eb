//! Semirings by their names, and the types of entries as words.

use std::fmt;
use std::str::FromStr;

use manycore_expressions::Real;
use manycore_operation::{DeclaredOption, OptionKind};

use crate::checked::{Checked, CheckedSemiring};
use crate::error::SemiringError;
use crate::ready::Bounded;
use crate::semiring::Semiring;

/// A semiring by its sum and its product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The ring of numbers.
    PlusTimes,
    /// Longest paths.
    MaxPlus,
    /// Shortest paths.
    MinPlus,
    /// Widest paths.
    MaxMin,
    /// Paths whose worst arc is best.
    MinMax,
    /// Likeliest paths.
    MaxTimes,
    /// Reachability, bit by bit.
    OrAnd,
}

/// The types of entries, with what they are.
pub const TYPES: &[(&str, &str)] = &[
    ("i32", "Integers of 32 bits"),
    ("i64", "Integers of 64 bits"),
    ("f32", "Single precision"),
    ("f64", "Double precision"),
];

/// The option of the type of entries.
pub(super) const fn type_option(help: &'static str) -> DeclaredOption {
    DeclaredOption {
        value: OptionKind::Word { value_name: "TYPE", words: TYPES, default: Some("i64") },
        ..DeclaredOption::flag("type", help)
    }
}

/// The option of integers modulo a power of two.
pub(super) const WRAP: DeclaredOption =
    DeclaredOption::flag("wrap", "Sums and products of integers are modulo 2^bits, and no integer is an infinity");

impl Kind {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::PlusTimes, Self::MaxPlus, Self::MinPlus, Self::MaxMin, Self::MinMax, Self::MaxTimes, Self::OrAnd];

    /// Their names, with what they are.
    pub const WORDS: &'static [(&'static str, &'static str)] = &[
        ("plus-times", "The ring of numbers"),
        ("max-plus", "Longest paths"),
        ("min-plus", "Shortest paths"),
        ("max-min", "Widest paths"),
        ("min-max", "Paths whose worst arc is best"),
        ("max-times", "Likeliest paths"),
        ("or-and", "Reachability, bit by bit"),
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::PlusTimes => "plus-times",
            Self::MaxPlus => "max-plus",
            Self::MinPlus => "min-plus",
            Self::MaxMin => "max-min",
            Self::MinMax => "min-max",
            Self::MaxTimes => "max-times",
            Self::OrAnd => "or-and",
        }
    }

    /// The semiring of a name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether it adds or multiplies, so that its results may pass their type.
    pub const fn has_arithmetic(self) -> bool {
        matches!(self, Self::PlusTimes | Self::MaxTimes | Self::MaxPlus | Self::MinPlus)
    }

    /// Whether the least and the greatest integer stand for infinities.
    pub const fn has_infinities(self) -> bool {
        matches!(self, Self::MaxPlus | Self::MinPlus | Self::MaxMin | Self::MinMax)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::of_name(name).ok_or_else(|| format!("\"{name}\" is no semiring"))
    }
}

/// The semiring of exact integers.
///
/// # Errors
/// None that is known: the laws hold.
pub fn checked<T: Checked>(kind: Kind) -> Result<CheckedSemiring<T>, SemiringError> {
    match kind {
        Kind::PlusTimes => CheckedSemiring::plus_times(),
        Kind::MaxPlus => CheckedSemiring::max_plus(),
        Kind::MinPlus => CheckedSemiring::min_plus(),
        Kind::MaxMin => CheckedSemiring::max_min(),
        Kind::MinMax => CheckedSemiring::min_max(),
        Kind::MaxTimes => CheckedSemiring::max_times(),
        Kind::OrAnd => CheckedSemiring::or_and(),
    }
}

/// The semiring of integers modulo `2^bits`.
///
/// # Errors
/// None that is known: the laws hold.
pub fn wrapping<T: Checked>(kind: Kind) -> Result<Semiring<T, T, T>, SemiringError> {
    match kind {
        Kind::PlusTimes => Semiring::wrapping_plus_times(),
        Kind::MaxPlus => Semiring::wrapping_max_plus(),
        Kind::MinPlus => Semiring::wrapping_min_plus(),
        Kind::MaxMin => Semiring::max_min(),
        Kind::MinMax => Semiring::min_max(),
        Kind::MaxTimes => Semiring::wrapping_max_times(),
        Kind::OrAnd => Semiring::or_and(),
    }
}

/// The semiring of any numbers. There is none of their bits: callers refuse `or-and`, which gives `min-max` here.
///
/// # Errors
/// None that is known: the laws hold.
pub fn numbers<T: Bounded + Real>(kind: Kind) -> Result<Semiring<T, T, T>, SemiringError> {
    match kind {
        Kind::PlusTimes => Semiring::plus_times(),
        Kind::MaxPlus => Semiring::max_plus(),
        Kind::MinPlus => Semiring::min_plus(),
        Kind::MaxMin => Semiring::max_min(),
        Kind::MinMax | Kind::OrAnd => Semiring::min_max(),
        Kind::MaxTimes => Semiring::max_times(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_names() {
        assert_eq!(Kind::WORDS.iter().map(|(word, _)| *word).collect::<Vec<_>>(), Kind::ALL.map(Kind::name));
        assert_eq!("max-min".parse(), Ok(Kind::MaxMin));
        assert_eq!("max-max".parse::<Kind>(), Err("\"max-max\" is no semiring".to_owned()));
    }
}
