//! Square matrices in a buffer, and what inverting a block gives.

use manycore_device::Buffer;

use crate::block::Block;
use crate::field::MatrixField;

/// Where square matrices stand in a buffer: entry `(i, j)` of matrix `k` at `start + k step + i stride + j`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Squares {
    pub(crate) start: usize,
    pub(crate) stride: usize,
    pub(crate) step: usize,
    pub(crate) order: usize,
    pub(crate) count: usize,
}

impl Squares {
    /// A square block.
    pub(super) fn one(block: Block) -> Self {
        Self { start: block.start, stride: block.stride, step: 0, order: block.rows, count: 1 }
    }
}

/// The inverse of a block, and its determinant.
pub(crate) struct Inverted<F: MatrixField> {
    pub(crate) inverse: Buffer<F::Element>,
    pub(crate) determinant: F::Element,
}
