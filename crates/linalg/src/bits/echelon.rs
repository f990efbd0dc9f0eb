//! Echelon forms of matrices of bits, 64 columns at a time: the pivots of a column of words, found on the host, and one product.
//!
//! With `P` the pivots' rows as they are, every row gets a sum of some of them: a word of factors a row, and the product of the
//! column of these words and `P`. The same text runs on the host and on OpenCL devices.

use manycore_device::Buffer;

use super::algebra::BitAlgebra;
use super::matrix::{BITS, BitMatrix, words_per_row};
use super::multipliers::Multipliers;
use super::panel;
use crate::block::Block;
use crate::error::LinalgError;
use crate::modular::eliminate::plan::Reach;

/// A matrix of bits in reduced echelon form.
#[derive(Debug)]
pub struct BitEchelon {
    pub(super) matrix: BitMatrix,
    pub(super) pivots: Vec<usize>,
}

impl BitEchelon {
    /// The reduced echelon form.
    pub fn matrix(&self) -> &BitMatrix {
        &self.matrix
    }

    /// The columns of the pivots, ascending; the pivot of number k stands in row k.
    pub fn pivots(&self) -> &[usize] {
        &self.pivots
    }

    /// The rank.
    pub fn rank(&self) -> usize {
        self.pivots.len()
    }
}

impl BitAlgebra {
    /// The reduced echelon form: `n / 64` products for `n` columns, between which a word of each row comes to the host.
    ///
    /// # Errors
    /// [`LinalgError::Device`].
    pub fn echelon(&self, a: &BitMatrix) -> Result<BitEchelon, LinalgError> {
        self.own(a)?;
        let mut buffer = self.words_of(&a.buffer, a.block())?;
        let pivots = self.eliminate(&mut buffer, a.block(), a.columns, Reach::All)?;
        Ok(BitEchelon { matrix: BitMatrix::of(buffer, a.rows, a.columns), pivots })
    }

    /// The rank, by elimination of the rows below pivots alone.
    ///
    /// # Errors
    /// [`LinalgError::Device`].
    pub fn rank(&self, a: &BitMatrix) -> Result<usize, LinalgError> {
        self.into_rank(self.copy_of(a)?)
    }

    /// The rank of a matrix that is no longer needed: in its own memory.
    ///
    /// # Errors
    /// As [`BitAlgebra::rank`].
    pub fn into_rank(&self, mut a: BitMatrix) -> Result<usize, LinalgError> {
        self.own(&a)?;
        let block = a.block();
        Ok(self.eliminate(&mut a.buffer, block, a.columns, Reach::Below)?.len())
    }

    /// Whether the determinant of a square matrix is 1; it is for order 0.
    ///
    /// # Errors
    /// [`LinalgError::NotSquare`]; [`LinalgError::Device`].
    pub fn determinant(&self, a: &BitMatrix) -> Result<bool, LinalgError> {
        let order = a.order("determinant")?;
        Ok(self.rank(a)? == order)
    }

    /// Brings whole rows of words into echelon form, with pivots in the first `search` columns: the pivots' columns.
    pub(super) fn eliminate(
        &self,
        a: &mut Buffer<u64>,
        whole: Block,
        search: usize,
        reach: Reach,
    ) -> Result<Vec<usize>, LinalgError> {
        self.eliminate_keeping(a, whole, search, reach, None)
    }

    /// The elimination that also stores the multipliers of the rows below pivots, if `multipliers` is given: the pivots' rows then become
    /// those of the upper factor, which are not reduced.
    pub(super) fn eliminate_keeping(
        &self,
        a: &mut Buffer<u64>,
        whole: Block,
        search: usize,
        reach: Reach,
        mut multipliers: Option<&mut Multipliers>,
    ) -> Result<Vec<usize>, LinalgError> {
        let mut pivots = Vec::new();
        for q in 0..words_per_row(search) {
            let row = pivots.len();
            if row == whole.rows {
                break;
            }
            let first = if reach == Reach::All { 0 } else { row };
            let limit = BITS.min(search - q * BITS);
            let mut column = self.words_of(a, whole.part(first..whole.rows, q..q + 1))?.download()?;
            let before = multipliers.as_ref().map(|_| column.clone());
            let mut found = panel::eliminate(&mut column, row - first, limit);
            let count = found.columns.len();
            if count == 0 {
                continue;
            }
            if let (Some(multipliers), Some(before), Reach::Below) = (multipliers.as_deref_mut(), before, reach) {
                multipliers.take(row, before, &mut found);
            }
            self.swap_rows(a, whole.columns, row, &found.swaps)?;
            let heads = self.words_of(a, whole.part(row..row + count, q..whole.columns))?;
            let factors = self.device().upload(&found.factors)?;
            let heads = (&heads, Block::whole(count, whole.columns - q));
            let factors = (&factors, Block::whole(whole.rows - first, 1));
            self.add_product(factors, heads, (&mut *a, whole.part(first..whole.rows, q..whole.columns)))?;
            pivots.extend(found.columns.iter().map(|&column| q * BITS + column as usize));
        }
        Ok(pivots)
    }
}
