//! The order of Haar spectra, and what their coefficients are multiplied by.

use std::fmt;
use std::str::FromStr;

/// The place of the coefficients of a Haar spectrum of `2^n` values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum HaarOrder {
    /// Coefficient `2^j + q` at place `2^j + q`: by scale, then by position.
    #[default]
    Standard,
    /// Coefficient `2^j + q` at place `(2 q + 1) * 2^(n - 1 - j)`: where the algorithm in place leaves it, in the middle of the values that
    /// it depends on. It needs no second buffer.
    InPlace,
}

impl HaarOrder {
    /// Both orders.
    pub const ALL: [Self; 2] = [Self::Standard, Self::InPlace];

    /// The place of coefficient `index` of `2^log_len`.
    #[must_use]
    pub const fn place(self, index: usize, log_len: u32) -> usize {
        match self {
            Self::InPlace if index > 0 => {
                let log = index.ilog2();
                (2 * (index - (1 << log)) + 1) << (log_len - 1 - log)
            }
            _ => index,
        }
    }

    /// The name that [`FromStr`] reads and [`Display`](fmt::Display) writes.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::InPlace => "in-place",
        }
    }
}

/// What coefficient `2^j + q` of a spectrum of `2^n` values is multiplied by; coefficient 0 as those of `j = 0`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Normalization {
    /// By 1: sums and differences, exact in integers.
    #[default]
    None,
    /// By `2^((j - n) / 2)`: the rows of the matrix are orthonormal, and its inverse is its transpose.
    Orthonormal,
    /// By `2^(j / 2)`: every row of the matrix has the energy `2^n`.
    EqualEnergy,
}

impl Normalization {
    /// Every one.
    pub const ALL: [Self; 3] = [Self::None, Self::Orthonormal, Self::EqualEnergy];

    /// The half powers of two beside `j`, where there is a factor.
    #[must_use]
    pub const fn offset(self, log_len: u32) -> Option<i32> {
        match self {
            Self::None => None,
            Self::Orthonormal => Some(-(log_len as i32)),
            Self::EqualEnergy => Some(0),
        }
    }

    /// The name that [`FromStr`] reads and [`Display`](fmt::Display) writes.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Orthonormal => "orthonormal",
            Self::EqualEnergy => "equal-energy",
        }
    }
}

/// A word that names no order, or no normalisation, of Haar spectra.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` is none of the {what} of Haar spectra: {known}")]
pub struct ParseHaarError {
    /// The word.
    pub given: String,
    /// What it should name.
    pub what: &'static str,
    /// The names.
    pub known: &'static str,
}

impl fmt::Display for HaarOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for HaarOrder {
    type Err = ParseHaarError;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|order| order.name() == s);
        found.ok_or_else(|| ParseHaarError { given: s.to_owned(), what: "orders", known: "standard, in-place" })
    }
}

impl fmt::Display for Normalization {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Normalization {
    type Err = ParseHaarError;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|normalization| normalization.name() == s);
        let known = "none, orthonormal, equal-energy";
        found.ok_or_else(|| ParseHaarError { given: s.to_owned(), what: "normalisations", known })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_written() {
        for order in HaarOrder::ALL {
            assert_eq!(order.to_string().parse(), Ok(order));
        }
        for normalization in Normalization::ALL {
            assert_eq!(normalization.to_string().parse(), Ok(normalization));
        }
        assert!("sequency".parse::<HaarOrder>().is_err());
        assert!("".parse::<Normalization>().is_err());
    }

    #[test]
    fn places_are_a_permutation() {
        for order in HaarOrder::ALL {
            for log_len in 0..8 {
                let mut places: Vec<usize> = (0..1 << log_len).map(|index| order.place(index, log_len)).collect();
                places.sort_unstable();
                assert!(places.into_iter().eq(0..1 << log_len), "{order} {log_len}");
            }
        }
    }
}
