//! Triangular decomposition by halves of the columns: the left half is decomposed, the right half gets a triangular solution and a
//! product, and is decomposed below the pivots of the left (Dumas, Pernet and Sultan, 2013, algorithm 1, with the columns halved).
//!
//! ```text
//!          left       right               left     right
//! P [ A11 | A12 ] = [ L11     ] [ E1 | L11^-1 A12       ]
//!   [ A21 | A22 ]   [ L21   1 ] [  0 | A22 - L21 L11^-1 A12 ]
//! ```
//!
//! A panel of few columns ends the halving. Where the first rows without a pivot have factors without exchanges in the panel's columns,
//! which is so but for special matrices, nothing is searched; else elimination of a copy finds the pivots and exchanges. Both take the
//! first entry of a column that is not 0, so that the factors are those of elimination column by column.

use std::ops::Range;

use manycore_device::{Buffer, Executor, checkpoint};

use super::head::{Head, factor};
use super::triangular::{Diagonal, Factor, Triangle};
use crate::block::Block;
use crate::error::{LinalgError, Shape};
use crate::field::MatrixField;
use crate::modular::algebra::LinearAlgebra;
use crate::modular::eliminate::plan::{Elimination, Reach};
use crate::modular::eliminate::steps::Extent;
use crate::modular::matrix::Matrix;
use crate::modular::multiply::shape::Store;

/// Columns of a panel, whose heads are factored by a thread of the host.
pub(super) const PANEL: usize = 64;

/// A matrix on the way to its factors.
pub(super) struct Decomposition<'a, F: MatrixField> {
    space: &'a LinearAlgebra<F>,
    /// The matrix, whose first rows become those of the upper factor.
    pub(super) a: Buffer<F::Element>,
    /// The lower factor, with as many columns as there can be pivots.
    pub(super) lower: Buffer<F::Element>,
    whole: Block,
    pub(super) lower_block: Block,
    /// The row that each pivot's row was exchanged with.
    pub(super) swaps: Vec<u32>,
    /// The column of each pivot.
    pub(super) columns: Vec<usize>,
    /// Each pivot.
    pub(super) values: Vec<F::Element>,
    pub(super) diagonal: Vec<Diagonal<F>>,
}

impl<'a, F: MatrixField> Decomposition<'a, F> {
    /// Decomposes a matrix.
    pub(super) fn of(space: &'a LinearAlgebra<F>, a: &Matrix<F>) -> Result<Self, LinalgError> {
        Self::of_words(space, space.block_of(&a.buffer, Block::whole(a.rows, a.columns))?, a.shape())
    }

    /// Decomposes the words of a matrix in place.
    pub(super) fn of_words(
        space: &'a LinearAlgebra<F>,
        a: Buffer<F::Element>,
        (rows, columns): Shape,
    ) -> Result<Self, LinalgError> {
        let limit = rows.min(columns);
        let mut decomposition = Self {
            space,
            a,
            lower: space.zeros(rows, limit)?.buffer,
            whole: Block::whole(rows, columns),
            lower_block: Block::whole(rows, limit),
            swaps: Vec::new(),
            columns: Vec::new(),
            values: Vec::new(),
            diagonal: Vec::new(),
        };
        decomposition.decompose(0..columns)?;
        Ok(decomposition)
    }

    pub(super) fn rank(&self) -> usize {
        self.columns.len()
    }

    /// Decomposes some columns in the rows that have no pivot yet.
    fn decompose(&mut self, columns: Range<usize>) -> Result<(), LinalgError> {
        let (row, rows) = (self.rank(), self.whole.rows);
        if row == rows || columns.is_empty() {
            return Ok(());
        }
        if columns.len() <= PANEL {
            return self.panel(columns);
        }
        let middle = columns.start + (columns.len() / 2).next_multiple_of(PANEL);
        let before = self.diagonal.len();
        self.decompose(columns.start..middle)?;
        let last = self.rank();
        if last > row {
            let (space, right) = (self.space, middle..columns.end);
            let pivots = self.whole.part(row..last, right.clone());
            let mut heads = space.block_of(&self.a, pivots)?;
            let triangle = Triangle {
                factor: Factor::Lower,
                words: &self.lower,
                block: self.lower_block,
                diagonal: &self.diagonal[before..],
            };
            space.solve_triangle(&triangle, &mut heads, (row, right.len()))?;
            let lines = Block::whole(last - row, right.len());
            space.copy_block(&heads, lines, &mut self.a, pivots)?;
            let factors = (&self.lower, self.lower_block.part(last..rows, row..last));
            let target = self.whole.part(last..rows, right);
            space.product_into(factors, (&heads, lines), (&mut self.a, target), Store::Subtract)?;
        }
        self.decompose(middle..columns.end)
    }

    /// Decomposes the columns of a panel.
    fn panel(&mut self, columns: Range<usize>) -> Result<(), LinalgError> {
        checkpoint()?;
        let (space, row, rows) = (self.space, self.rank(), self.whole.rows);
        let count = columns.len().min(rows - row);
        let head = space.block_of(&self.a, self.whole.part(row..row + count, columns.start..columns.start + count))?;
        if let Some(head) = factor(space.field(), head.download()?, count) {
            let found: Vec<u32> = (0..count as u32).collect();
            let picked = space.block_of(&self.a, self.whole.part(row..rows, columns.start..columns.start + count))?;
            self.columns.extend(columns.start..columns.start + count);
            self.swaps.extend(found.iter().map(|k| row as u32 + k));
            return self.reduce((row, columns), &head, &picked);
        }
        let mut copy = space.block_of(&self.a, self.whole.part(row..rows, columns.clone()))?;
        let extent = Extent { rows: rows - row, width: columns.len(), search: columns.len() };
        // The host's form of elimination in near memory takes heads whose minors may be 0.
        let how = match space.device().executor() {
            Executor::Host(_) => Elimination::Columns,
            Executor::OpenCl(_) => Elimination::NearMemory,
        };
        let found = space.eliminate(&mut copy, extent, Reach::Below, how)?;
        let count = found.rank();
        if count == 0 {
            return Ok(());
        }
        space.permute_rows(&mut self.a, self.whole.columns, row, &found.swaps)?;
        space.permute_rows(&mut self.lower, self.lower_block.columns, row, &found.swaps)?;
        let picked = space.pick(&self.a, self.whole.part(row..rows, columns.clone()), &found.columns)?;
        let head = space.block_of(&picked, Block::whole(rows - row, count).part(0..count, 0..count))?.download()?;
        let Some(head) = factor(space.field(), head, count) else {
            // Pivots were found in these rows and columns.
            let device = space.device().info().name.clone();
            return Err(LinalgError::Pivot { device, row, column: columns.start });
        };
        self.columns.extend(found.columns.iter().map(|&column| columns.start + column as usize));
        self.swaps.extend(found.swaps.iter().map(|swap| row as u32 + swap));
        self.reduce((row, columns), &head, &picked)
    }

    /// Writes the factors of a panel, whose pivots stand in the rows from `row` on: `picked` are the entries of these and of the rows
    /// below them in the pivots' columns.
    fn reduce(
        &mut self,
        (row, columns): (usize, Range<usize>),
        head: &Head<F::Element>,
        picked: &Buffer<F::Element>,
    ) -> Result<(), LinalgError> {
        let (space, rows) = (self.space, self.whole.rows);
        let count = head.pivots.len();
        let (last, square) = (row + count, Block::whole(count, count));
        let lower_inverse = space.device().upload(&head.lower_inverse)?;
        let upper_inverse = space.device().upload(&head.upper_inverse)?;
        // Multipliers of the rows below: their entries times the inverse of the upper factor.
        let below = Block::whole(rows - row, count).part(count..rows - row, 0..count);
        let target = (&mut self.lower, self.lower_block.part(last..rows, row..last));
        space.product_into((picked, below), (&upper_inverse, square), target, Store::Set)?;
        let lower = space.device().upload(&head.lower)?;
        space.copy_block(&lower, square, &mut self.lower, self.lower_block.part(row..last, row..last))?;
        // The rows of the upper factor in the panel's columns, and zeros below them.
        let pivots = self.whole.part(row..last, columns.clone());
        let there = space.block_of(&self.a, pivots)?;
        let lines = Block::whole(count, columns.len());
        space.product_into((&lower_inverse, square), (&there, lines), (&mut self.a, pivots), Store::Set)?;
        let rest = self.whole.part(last..rows, columns);
        space.unit_block(&mut self.a, rest, rest.rows)?;
        self.values.extend_from_slice(&head.pivots);
        self.diagonal.push(Diagonal { first: row, count, lower_inverse, upper_inverse });
        Ok(())
    }
}
