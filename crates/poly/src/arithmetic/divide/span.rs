//! Parts of buffers that divisions read and change.

use manycore_device::{Buffer, Word};

/// `len` words of a buffer from `at` on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span<'a, E: Word> {
    pub(super) buffer: &'a Buffer<E>,
    pub(super) at: usize,
    pub(super) len: usize,
}

/// A part of a polynomial that a subtraction changes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    /// Its first word.
    pub(super) at: usize,
    /// Words that change.
    pub(super) count: usize,
    /// Words from `at` on that count, modulo `x^fold - 1`; none for words that become negatives.
    pub(super) total: usize,
    /// At least `count`.
    pub(super) fold: usize,
}
