//! Inverses, solutions of linear systems, and nullspaces of matrices of bits.

use manycore_device::zeroed_words;

use super::algebra::BitAlgebra;
use super::matrix::{BITS, BitMatrix, word_count, words_per_row};
use super::reference::bit;
use crate::block::Block;
use crate::error::LinalgError;
use crate::modular::eliminate::plan::Reach;

/// The solutions `x` of `a x = b` modulo 2, for every column of `b`.
#[derive(Debug)]
pub enum BitSolution {
    /// One: the matrix has as many pivots as columns.
    Unique(BitMatrix),
    /// `point + directions t` for every matrix `t`.
    Affine {
        /// One solution: 0 in each row that belongs to no pivot.
        point: BitMatrix,
        /// A basis of the nullspace, as columns.
        directions: BitMatrix,
    },
    /// None, for some column of `b`.
    None,
}

impl BitAlgebra {
    /// The inverse of a square matrix, by elimination of the matrix beside the identity.
    ///
    /// # Errors
    /// [`LinalgError::Singular`] with the rank of a matrix that has none; [`LinalgError::NotSquare`]; [`LinalgError::Device`].
    pub fn inverse(&self, a: &BitMatrix) -> Result<BitMatrix, LinalgError> {
        self.own(a)?;
        let order = a.order("inverse")?;
        match self.solved(a, &self.identity(order)?)? {
            (Some(inverse), pivots) if pivots.len() == order => Ok(inverse),
            (_, pivots) => Err(LinalgError::Singular { rank: pivots.len(), order }),
        }
    }

    /// The solutions `x` of `a x = b`: one, a family, or none, all of which are answers. By elimination of `a` beside `b`.
    ///
    /// # Errors
    /// [`LinalgError::Shapes`] for matrices with different numbers of rows; [`LinalgError::TooLarge`]; [`LinalgError::Device`].
    pub fn solve(&self, a: &BitMatrix, b: &BitMatrix) -> Result<BitSolution, LinalgError> {
        self.own(a)?;
        self.own(b)?;
        if a.rows != b.rows {
            return Err(LinalgError::Shapes { operation: "solution", left: a.shape(), right: b.shape() });
        }
        let (point, pivots) = self.solved(a, b)?;
        Ok(match point {
            None => BitSolution::None,
            Some(point) if pivots.len() == a.columns => BitSolution::Unique(point),
            Some(point) => BitSolution::Affine { point, directions: self.nullspace(a)? },
        })
    }

    /// A basis of the nullspace: the columns `x`, as many as the matrix has columns less its rank, with `a x = 0`. Column `k` is 1 in
    /// the row of the column without pivot of number `k` and 0 in those of the others.
    ///
    /// # Errors
    /// [`LinalgError::TooLarge`]; [`LinalgError::Device`].
    pub fn nullspace(&self, a: &BitMatrix) -> Result<BitMatrix, LinalgError> {
        let form = self.echelon(a)?;
        let mut free = zeroed_words::<u64>(a.columns - form.rank())?;
        let others = (0..a.columns).filter(|column| form.pivots.binary_search(column).is_err());
        free.iter_mut().zip(others).for_each(|(free, column)| *free = column as u64);
        let stride = a.words_per_row();
        let head = a.block().part(0..form.rank(), 0..stride);
        let words = self.words_of(&form.matrix.buffer, head)?.download()?;
        let own = words_per_row(free.len());
        let mut basis = zeroed_words(word_count(a.columns, free.len())?)?;
        for (k, &column) in free.iter().enumerate() {
            let column = column as usize;
            basis[column * own + k / BITS] |= 1 << (k % BITS);
            for (i, &pivot) in form.pivots.iter().enumerate() {
                basis[pivot * own + k / BITS] |= u64::from(bit(&words, stride, i, column)) << (k % BITS);
            }
        }
        self.of_words(a.columns, free.len(), basis)
    }

    /// One solution of `a x = b`, `None` where there is none, and the columns of the pivots of `a`.
    fn solved(&self, a: &BitMatrix, b: &BitMatrix) -> Result<(Option<BitMatrix>, Vec<usize>), LinalgError> {
        let (left, right) = (a.words_per_row(), b.words_per_row());
        let whole = Block::whole(a.rows, left + right);
        // Both matrices side by side, in rows of `left + right` words.
        let mut both = self.device().scratch(word_count(a.rows, (left + right) * BITS)?)?;
        self.copy_words((&a.buffer, a.block()), (&mut both, whole.part(0..a.rows, 0..left)))?;
        self.copy_words((&b.buffer, b.block()), (&mut both, whole.part(0..a.rows, left..left + right)))?;
        let pivots = self.eliminate(&mut both, whole, a.columns, Reach::All)?;
        let found = self.words_of(&both, whole.part(0..a.rows, left..left + right))?.download()?;
        let (heads, rest) = found.split_at(pivots.len() * right);
        // Rows without a pivot say that 0 is what they have on the right.
        if rest.iter().any(|&word| word != 0) {
            return Ok((None, pivots));
        }
        let mut point = zeroed_words(word_count(a.columns, b.columns)?)?;
        for (row, &pivot) in heads.chunks(right.max(1)).zip(&pivots) {
            point[pivot * right..][..right].copy_from_slice(row);
        }
        Ok((Some(self.of_words(a.columns, b.columns, point)?), pivots))
    }
}
