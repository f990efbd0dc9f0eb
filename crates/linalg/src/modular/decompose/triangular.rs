//! Solutions with triangular matrices on the device, by halves: the inverses of small blocks of the diagonal, and products for the rest
//! (Dumas, Giorgi and Pernet, "Dense linear algebra over word-size prime fields", ACM Transactions on Mathematical Software 35, 2008,
//! section 4).

use manycore_device::Buffer;

use crate::block::Block;
use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::modular::algebra::LinearAlgebra;
use crate::modular::multiply::shape::Store;

/// A block of the diagonals of both factors, in rows and columns from `first` on.
#[derive(Debug)]
pub(super) struct Diagonal<F: MatrixField> {
    pub(super) first: usize,
    pub(super) count: usize,
    /// The inverse of the block of the lower factor, `count^2` entries.
    pub(super) lower_inverse: Buffer<F::Element>,
    /// The inverse of the block of the upper factor.
    pub(super) upper_inverse: Buffer<F::Element>,
}

/// Which of the factors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Factor {
    Lower,
    Upper,
}

/// A triangular factor: where its entries stand, and the blocks of its diagonal, ascending.
pub(super) struct Triangle<'a, F: MatrixField> {
    pub(super) factor: Factor,
    pub(super) words: &'a Buffer<F::Element>,
    /// The factor within the buffer: entry `(i, j)` of the rows and columns that `diagonal` counts.
    pub(super) block: Block,
    pub(super) diagonal: &'a [Diagonal<F>],
}

impl<F: MatrixField> Triangle<'_, F> {
    /// The rows that it has, the first of them counted by `diagonal`.
    fn rows(&self) -> std::ops::Range<usize> {
        let first = self.diagonal.first().map_or(0, |block| block.first);
        first..self.diagonal.last().map_or(first, |block| block.first + block.count)
    }

    fn halves(&self) -> [Triangle<'_, F>; 2] {
        let (upper, lower) = self.diagonal.split_at(self.diagonal.len() / 2);
        [upper, lower].map(|diagonal| Triangle { diagonal, ..*self })
    }
}

impl<F: MatrixField> LinearAlgebra<F> {
    /// Solves with a triangular factor in place: rows of `right`, whose first is row 0 of the factor's blocks, become those of the
    /// solution. `width` entries a row.
    pub(super) fn solve_triangle(
        &self,
        triangle: &Triangle<'_, F>,
        right: &mut Buffer<F::Element>,
        (origin, width): (usize, usize),
    ) -> Result<(), LinalgError> {
        let rows = triangle.rows();
        if rows.is_empty() || width == 0 {
            return Ok(());
        }
        let whole = Block::whole(right.len() / width, width);
        let place = |rows: std::ops::Range<usize>| whole.part(rows.start - origin..rows.end - origin, 0..width);
        if let [block] = triangle.diagonal {
            let inverse = if triangle.factor == Factor::Lower { &block.lower_inverse } else { &block.upper_inverse };
            let there = self.block_of(right, place(rows.clone()))?;
            let (square, lines) = (Block::whole(block.count, block.count), Block::whole(block.count, width));
            return self.product_into((inverse, square), (&there, lines), (right, place(rows)), Store::Set);
        }
        let [mut first, mut last] = triangle.halves();
        if triangle.factor == Factor::Upper {
            std::mem::swap(&mut first, &mut last);
        }
        self.solve_triangle(&first, right, (origin, width))?;
        let solved = self.block_of(right, place(first.rows()))?;
        let factors = (triangle.words, triangle.block.part(last.rows(), first.rows()));
        let lines = Block::whole(first.rows().len(), width);
        self.product_into(factors, (&solved, lines), (&mut *right, place(last.rows())), Store::Subtract)?;
        self.solve_triangle(&last, right, (origin, width))
    }
}
