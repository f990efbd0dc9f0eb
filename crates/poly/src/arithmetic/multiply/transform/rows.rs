//! Rows of a product: how the operands are cut to them, and which coefficients are taken from them.

use manycore_device::{Buffer, View, Word};
use manycore_field::ResidueWord;

use super::shape::{Length, Operand};
use super::tile::Tile;

/// The operands of a product, cut to rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Operands<'a, W: Word> {
    pub(super) a: Runs<'a, W>,
    /// `None` for squares.
    pub(super) b: Option<Runs<'a, W>>,
    /// Products.
    pub(super) count: usize,
    /// Coefficients of a that a row takes.
    pub(super) block: usize,
    /// Rows of one product.
    pub(super) blocks: usize,
    pub(super) length: Length,
    /// The tile that does a row in one launch, if the plan has one.
    pub(super) tile: Option<Tile>,
}

/// `len` words from `start` on, and again every `stride` words, of a buffer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Runs<'a, W: Word> {
    pub(super) buffer: &'a Buffer<W>,
    pub(super) start: usize,
    pub(super) len: usize,
    pub(super) stride: usize,
}

impl<'a, W: Word> Runs<'a, W> {
    pub(super) fn new(view: View<'a, W>, operand: Operand) -> Self {
        Self { buffer: view.buffer(), start: view.start() + operand.skip, len: operand.len, stride: operand.stride }
    }
}

impl<W: Word> Operands<'_, W> {
    /// Rows of a, which are those of the product too.
    pub(super) fn rows(&self) -> usize {
        self.count * self.blocks
    }

    /// Rows of b.
    pub(super) fn rows_b(&self) -> usize {
        if self.b.is_some() { self.count } else { 0 }
    }

    /// Whether rows of `row_len` words of a, and of b, have zeros in their upper halves.
    pub(super) fn halves(&self, row_len: usize) -> (bool, bool) {
        let is_half = |len: usize| len <= row_len / 2;
        (is_half(self.a.len.min(self.block)), self.b.is_none_or(|b| is_half(b.len)))
    }

    /// Coefficients of all operands.
    pub(super) fn words(&self) -> usize {
        self.count * (self.a.len + self.b.map_or(0, |b| b.len))
    }
}

/// Which coefficients are taken from rows of products.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted<'a, W: ResidueWord> {
    /// Coefficients of each product in the result.
    pub(super) len: usize,
    pub(super) low: usize,
    /// From here on the result is zero.
    pub(super) high: usize,
    pub(super) row_len: usize,
    pub(super) block: usize,
    pub(super) blocks: usize,
    pub(super) a: Runs<'a, W>,
    pub(super) b: Runs<'a, W>,
    /// Whether coefficients fell onto others.
    pub(super) wrap: bool,
}
