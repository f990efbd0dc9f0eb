//! Figures of the S-boxes of a batch, and the words that hold their outputs.

use manycore_device::Word;

/// A figure of every S-box of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Figure {
    /// The largest `|W(a, b)|` with `b != 0`.
    Linearity,
    /// The largest entry of the difference distribution table with an input difference other than 0.
    Uniformity,
}

/// An output in memory: `u8` or `u16`.
pub(super) trait Stored: Word + Into<u16> {}

impl Stored for u8 {}
impl Stored for u16 {}
