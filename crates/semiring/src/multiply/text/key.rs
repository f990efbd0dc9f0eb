//! The key of a kernel's text: the form of the product, the tile, and the widths of reads and writes.

use manycore_expressions::ScalarType;

use super::super::form::ProductForm;
use super::super::plan::ProductTile;
use crate::operand::Form;

/// The key of a kernel's text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct KernelKey {
    pub(crate) form: ProductForm,
    pub(crate) tile: ProductTile,
    /// Entries of rows of the left and the right factor that are read at once: whether the lengths of rows are multiples of them.
    pub(crate) widths: (usize, usize),
    /// Entries of a row of the product that are written at once.
    pub(crate) store_width: usize,
    /// Whether the device takes NVIDIA's assembly.
    pub(crate) assembly: bool,
}

impl KernelKey {
    /// The key for products of inner length `inner` and `columns` columns; `assembly`: the device takes NVIDIA's assembly.
    pub(crate) fn new(form: ProductForm, tile: ProductTile, (inner, columns): (u64, u64), assembly: bool) -> Self {
        let halves = tile.halves && form.has_halves(columns);
        let tile = ProductTile { halves, ..tile };
        // Words of a row.
        let columns = if halves { columns / 2 } else { columns };
        let algebra = &form.algebra;
        let most = |form: &Form, kinds: &[ScalarType]| match form {
            Form::Stored => 16 / tile.bytes(kinds).0 as u64,
            // The others have one entry at a time, or kernels of their own.
            _ => 1,
        };
        // The largest power of two up to 16 bytes that all lengths are multiples of.
        let width = |most: u64, lengths: [u64; 2]| {
            let trailing = lengths.into_iter().map(u64::trailing_zeros).min().unwrap_or(0).min(4);
            most.min(1 << trailing) as usize
        };
        let widths = (
            width(most(&form.left, algebra.left()), [inner, tile.depth.into()]),
            width(most(&form.right, algebra.right()), [columns, tile.words() as u64]),
        );
        let chunk = ProductTile::width(tile.registers.1, tile.bytes(algebra.right()).0) as u64;
        let store_width = width(chunk.min(16 / tile.bytes(algebra.sums()).0 as u64), [columns, chunk]);
        Self { form, tile, widths, store_width, assembly }
    }
}
