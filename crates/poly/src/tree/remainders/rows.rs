//! Rules for the words of rows.

/// How the words of rows of `N` words are made; see `tree_remainders.cl`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rows {
    /// The second half of rows of `2 N` words, reversed.
    ReversedHalf,
    /// Reversed.
    Reversed,
    /// Monic polynomials without their leading ones, reversed, mod `x^N`.
    ReversedMonic,
    /// The next words of inverses, from products of reversed inverses with nodes, and the inverses.
    NextWords,
    /// Rows of `N / 2` words of two operands behind each other.
    Joined,
    /// Remainders, from rows of `2 N` words, products of quotients with nodes, and quotients; they go to every other row.
    Remainder {
        /// The first row that is written.
        side: u32,
    },
    /// Every other row.
    EveryOther {
        /// The first row that is read.
        side: u32,
    },
}
