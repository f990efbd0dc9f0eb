//! Sums and transposes of matrices of bits; copies of blocks and exchanges of rows.

use manycore_device::{Buffer, Executor};

use super::algebra::BitAlgebra;
use super::matrix::{BitMatrix, word_count, words_per_row};
use super::{device, host};
use crate::block::Block;
use crate::error::LinalgError;

impl BitAlgebra {
    /// The sum of two matrices of one shape, which is their difference.
    ///
    /// # Errors
    /// [`LinalgError::Shapes`] for matrices of unequal shape; [`LinalgError::Device`].
    pub fn add(&self, a: &BitMatrix, b: &BitMatrix) -> Result<BitMatrix, LinalgError> {
        self.own(a)?;
        self.own(b)?;
        if a.shape() != b.shape() {
            return Err(LinalgError::Shapes { operation: "sum", left: a.shape(), right: b.shape() });
        }
        let mut out = self.device().scratch(a.buffer.len())?;
        if !a.buffer.is_empty() {
            match self.device().executor() {
                Executor::Host(pool) => {
                    let (x, y, out) = (a.buffer.host()?, b.buffer.host()?, out.host_mut()?);
                    pool.step("bits_add", 3 * size_of_val(x) as u64, x.len() as u64, || {
                        out.iter_mut().zip(x.iter().zip(y)).for_each(|(out, (x, y))| *out = x ^ y);
                    });
                }
                Executor::OpenCl(cl) => device::add(self, cl, &a.buffer, &b.buffer, &mut out)?,
            }
        }
        Ok(BitMatrix::of(out, a.rows, a.columns))
    }

    /// The transpose.
    ///
    /// # Errors
    /// [`LinalgError::Device`].
    pub fn transpose(&self, a: &BitMatrix) -> Result<BitMatrix, LinalgError> {
        self.own(a)?;
        let mut out = self.device().scratch(word_count(a.columns, a.rows)?)?;
        if !out.is_empty() {
            match self.device().executor() {
                Executor::Host(pool) => {
                    let (words, target) = (a.buffer.host()?, out.host_mut()?);
                    pool.step("bits_transpose", 2 * size_of_val(words) as u64, 0, || {
                        host::transpose(words, a.rows, a.words_per_row(), target, words_per_row(a.rows));
                    });
                }
                Executor::OpenCl(cl) => device::transpose(self, cl, &a.buffer, a.shape(), &mut out)?,
            }
        }
        Ok(BitMatrix::of(out, a.columns, a.rows))
    }

    /// A copy of a matrix.
    ///
    /// # Errors
    /// [`LinalgError::Device`].
    pub fn copy_of(&self, a: &BitMatrix) -> Result<BitMatrix, LinalgError> {
        self.own(a)?;
        Ok(BitMatrix::of(self.words_of(&a.buffer, a.block())?, a.rows, a.columns))
    }

    /// Copies a block of words to another of as many rows and words.
    pub(super) fn copy_words(
        &self,
        from: (&Buffer<u64>, Block),
        to: (&mut Buffer<u64>, Block),
    ) -> Result<(), LinalgError> {
        if from.1.is_empty() {
            return Ok(());
        }
        match self.device().executor() {
            Executor::Host(pool) => {
                let ((words, source), (out, target)) = ((from.0.host()?, from.1), (to.0.host_mut()?, to.1));
                let bytes = 2 * (source.rows * source.columns * size_of::<u64>()) as u64;
                pool.step("bits_copy", bytes, 0, || {
                    target.rows_mut(out).enumerate().for_each(|(i, row)| row.copy_from_slice(source.row(words, i)));
                });
                Ok(())
            }
            Executor::OpenCl(cl) => device::copy(self, cl, from, to),
        }
    }

    /// A block of words as a matrix of its own.
    pub(super) fn words_of(&self, from: &Buffer<u64>, source: Block) -> Result<Buffer<u64>, LinalgError> {
        let mut to = self.device().scratch(source.rows * source.columns)?;
        self.copy_words((from, source), (&mut to, Block::whole(source.rows, source.columns)))?;
        Ok(to)
    }

    /// Exchanges the rows `first + k` and `first + swaps[k]` of `words > 0` words each, one after the other.
    pub(super) fn swap_rows(
        &self,
        a: &mut Buffer<u64>,
        words: usize,
        first: usize,
        swaps: &[u32],
    ) -> Result<(), LinalgError> {
        match self.device().executor() {
            Executor::Host(_) => {
                let all = a.host_mut()?;
                for (k, &swap) in swaps.iter().enumerate().filter(|&(k, &swap)| swap as usize != k) {
                    let (upper, lower) = all.split_at_mut((first + swap as usize) * words);
                    upper[(first + k) * words..][..words].swap_with_slice(&mut lower[..words]);
                }
                Ok(())
            }
            Executor::OpenCl(cl) => device::swap(self, cl, a, words, first, swaps),
        }
    }
}
