//! The orders of Reed-Muller and arithmetic spectra.

use std::fmt;
use std::str::FromStr;

use super::walsh::Order;

/// The order of the coefficients of a Reed-Muller or arithmetic spectrum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BitOrder {
    /// Coefficient `w` belongs to the product of the variables whose bits are set in `w`: the order of the Kronecker product.
    #[default]
    Natural,
    /// Coefficient `w` stands at the place whose bits are those of `w` reversed: what the constant geometry gives.
    Reversed,
}

impl BitOrder {
    /// Both orders.
    pub const ALL: [Self; 2] = [Self::Natural, Self::Reversed];

    /// The name that [`FromStr`] reads and [`Display`](fmt::Display) writes, in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Natural => "natural",
            Self::Reversed => "reversed",
        }
    }

    /// The natural index of the coefficient at place `row`, for spectra of `2^log_len` coefficients.
    #[must_use]
    pub const fn natural_index(self, row: usize, log_len: u32) -> usize {
        self.of_walsh().natural_index(row, log_len)
    }

    /// The order of Walsh spectra that the same passes give.
    #[must_use]
    pub const fn of_walsh(self) -> Order {
        match self {
            Self::Natural => Order::Hadamard,
            Self::Reversed => Order::Dyadic,
        }
    }
}

impl fmt::Display for BitOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A word that names no [`BitOrder`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` is no order of Reed-Muller and arithmetic spectra; the orders are natural and reversed")]
pub struct ParseBitOrderError {
    /// The word.
    pub given: String,
}

impl FromStr for BitOrder {
    type Err = ParseBitOrderError;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|order| order.name() == s);
        found.ok_or_else(|| ParseBitOrderError { given: s.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_places() {
        for order in BitOrder::ALL {
            assert_eq!(order.to_string().parse(), Ok(order));
        }
        assert_eq!("hadamard".parse::<BitOrder>(), Err(ParseBitOrderError { given: "hadamard".into() }));
        let places = |order: BitOrder| (0..8).map(|row| order.natural_index(row, 3)).collect::<Vec<_>>();
        assert_eq!(places(BitOrder::Natural), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(places(BitOrder::Reversed), [0, 4, 2, 6, 1, 5, 3, 7]);
    }
}
