//! Plans of the inverse of one matrix, and the choices made so far.

use std::fmt;

use manycore_tuning::Plans;

/// How the inverse of a matrix that is not taken at once is found; the results are the same bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Inversion {
    /// In place, by panels of this number of columns: `n^3` products and sums; 0 counts as 1.
    Blocks(usize),
    /// Beside the identity, by elimination of a matrix that is twice as wide: `3/2 n^3` products and sums by blocks.
    Beside,
}

impl fmt::Display for Inversion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Blocks(columns) => write!(f, "in place, blocks of {columns} columns"),
            Self::Beside => f.write_str("beside the identity"),
        }
    }
}

/// Choices by order.
#[derive(Debug, Default)]
pub(crate) struct InversionChoices(pub(super) Plans<usize, Inversion>);
