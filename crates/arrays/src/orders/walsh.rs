//! The orders of Walsh spectra.

use std::fmt;
use std::str::FromStr;

/// The order of the rows of the Walsh-Hadamard matrix, and so of the coefficients of a spectrum.
///
/// With `rev` the reversal of the `n` bits of an index:
///
/// | order | row `i` is the natural row | `n = 3` |
/// |---|---|---|
/// | Hadamard | `i` | 0 1 2 3 4 5 6 7 |
/// | dyadic | `rev(i)` | 0 4 2 6 1 5 3 7 |
/// | sequency | `rev(i ^ (i >> 1))` | 0 4 6 2 3 7 5 1 |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// The natural order of the Kronecker product, `W[w][x] = (-1)^popcount(w & x)`.
    #[default]
    Hadamard,
    /// Rows by their number of sign changes: row `i` changes sign exactly `i` times (Walsh's order).
    Sequency,
    /// Rows by bit-reversed natural index (Paley's order).
    Dyadic,
}

impl Order {
    /// Every order.
    pub const ALL: [Self; 3] = [Self::Hadamard, Self::Sequency, Self::Dyadic];

    /// The name that [`FromStr`] reads and [`Display`](fmt::Display) writes, in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hadamard => "hadamard",
            Self::Sequency => "sequency",
            Self::Dyadic => "dyadic",
        }
    }

    /// The natural (Hadamard) index of row `row` of this order, for spectra of `2^log_len` coefficients.
    ///
    /// `row` must be below `2^log_len`; higher bits are ignored. Inverse of [`row`](Self::row).
    #[must_use]
    pub const fn natural_index(self, row: usize, log_len: u32) -> usize {
        match self {
            Self::Hadamard => row & low_bits(log_len),
            Self::Sequency => reverse_bits(gray(row & low_bits(log_len)), log_len),
            Self::Dyadic => reverse_bits(row, log_len),
        }
    }

    /// The row of this order that holds the coefficient of natural index `natural`, for spectra of `2^log_len`
    /// coefficients.
    ///
    /// `natural` must be below `2^log_len`; higher bits are ignored. Inverse of
    /// [`natural_index`](Self::natural_index).
    #[must_use]
    pub const fn row(self, natural: usize, log_len: u32) -> usize {
        match self {
            Self::Hadamard => natural & low_bits(log_len),
            Self::Sequency => inverse_gray(reverse_bits(natural, log_len)),
            Self::Dyadic => reverse_bits(natural, log_len),
        }
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A word that names no [`Order`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` is no order of Walsh spectra; the orders are hadamard, sequency and dyadic")]
pub struct ParseOrderError {
    /// The word.
    pub given: String,
}

impl FromStr for Order {
    type Err = ParseOrderError;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|order| order.name() == s);
        found.ok_or_else(|| ParseOrderError { given: s.to_owned() })
    }
}

/// The reversal of the low `bits` bits of `index`; the others are dropped.
#[must_use]
pub const fn reverse_bits(index: usize, bits: u32) -> usize {
    if bits == 0 { 0 } else { index.reverse_bits() >> (usize::BITS - bits) }
}

/// The Gray code of `index`.
#[must_use]
pub const fn gray(index: usize) -> usize {
    index ^ (index >> 1)
}

/// The index whose Gray code is `code`: bit `k` is the parity of the bits `k` and above of `code`.
#[must_use]
pub const fn inverse_gray(mut code: usize) -> usize {
    let mut shift = 1;
    while shift < usize::BITS {
        code ^= code >> shift;
        shift *= 2;
    }
    code
}

/// `2^bits - 1`, also for all bits of the word.
const fn low_bits(bits: u32) -> usize {
    if bits >= usize::BITS { usize::MAX } else { (1 << bits) - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_examples() {
        let natural = |order: Order| (0..8).map(|row| order.natural_index(row, 3)).collect::<Vec<_>>();
        assert_eq!(natural(Order::Hadamard), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(natural(Order::Sequency), [0, 4, 6, 2, 3, 7, 5, 1]);
        assert_eq!(natural(Order::Dyadic), [0, 4, 2, 6, 1, 5, 3, 7]);
    }

    #[test]
    fn maps_are_inverse_bijections() {
        for order in Order::ALL {
            for log_len in [0, 1, 2, 5, 10] {
                let mut seen = vec![false; 1 << log_len];
                for row in 0..1 << log_len {
                    let natural = order.natural_index(row, log_len);
                    assert_eq!(order.row(natural, log_len), row, "{order} {log_len}");
                    assert!(!std::mem::replace(&mut seen[natural], true));
                }
            }
            for row in [0, 1, usize::MAX / 3, usize::MAX] {
                assert_eq!(order.row(order.natural_index(row, usize::BITS), usize::BITS), row, "{order}");
            }
        }
    }

    #[test]
    fn gray_codes_of_neighbours_differ_in_one_bit() {
        for index in 0..1000 {
            assert_eq!((gray(index) ^ gray(index + 1)).count_ones(), 1);
            assert_eq!(inverse_gray(gray(index)), index);
        }
        assert_eq!(inverse_gray(gray(usize::MAX)), usize::MAX);
    }

    #[test]
    fn names_are_read_as_written() {
        for order in Order::ALL {
            assert_eq!(order.to_string().parse(), Ok(order));
        }
        assert_eq!(format!("[{:>9}]", Order::Dyadic), "[   dyadic]");
        for given in ["", "Hadamard", "walsh", "dyadic "] {
            assert_eq!(given.parse::<Order>(), Err(ParseOrderError { given: given.to_owned() }));
        }
    }
}
