//! Echelon forms, ranks and determinants.

use super::plan::{Elimination, EliminationShape, Reach};
use super::steps::Extent;
use crate::block::Block;
use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::modular::algebra::LinearAlgebra;
use crate::modular::matrix::Matrix;

/// The reduced row echelon form of a matrix: each pivot is 1, the only entry of its column that is not 0, to the right of those
/// above it, and rows of zeros come last.
#[derive(Debug)]
pub struct Echelon<F: MatrixField> {
    matrix: Matrix<F>,
    pivots: Vec<usize>,
}

impl<F: MatrixField> Echelon<F> {
    /// The form itself, of the shape of the matrix.
    pub fn matrix(&self) -> &Matrix<F> {
        &self.matrix
    }

    /// The column of each pivot, ascending: pivot `k` stands in row `k`.
    pub fn pivots(&self) -> &[usize] {
        &self.pivots
    }

    /// The rank: the number of pivots.
    pub fn rank(&self) -> usize {
        self.pivots.len()
    }

    /// The form and the columns of its pivots.
    pub fn into_parts(self) -> (Matrix<F>, Vec<usize>) {
        (self.matrix, self.pivots)
    }
}

impl<F: MatrixField> LinearAlgebra<F> {
    /// The reduced row echelon form, by blocks of columns where the matrix is large: `2 m n r` products and sums of residues at
    /// most for `m` by `n` entries of rank `r`.
    ///
    /// # Errors
    /// [`LinalgError::MixedFields`]; [`LinalgError::Device`].
    #[inline(never)]
    pub fn echelon(&self, a: &Matrix<F>) -> Result<Echelon<F>, LinalgError> {
        self.own(a)?;
        self.by_elimination(EliminationShape::echelon(a.rows, a.columns), |how| self.echelon_by(a, how))
    }

    /// [`LinearAlgebra::echelon`] in a given way: the same bits.
    ///
    /// # Errors
    /// As [`LinearAlgebra::echelon`].
    #[inline(never)]
    pub fn echelon_by(&self, a: &Matrix<F>, how: Elimination) -> Result<Echelon<F>, LinalgError> {
        self.own(a)?;
        let mut buffer = self.block_of(&a.buffer, Block::whole(a.rows, a.columns))?;
        let extent = Extent { rows: a.rows, width: a.columns, search: a.columns };
        let found = self.eliminate(&mut buffer, extent, Reach::All, how)?;
        let pivots = found.columns.iter().map(|&column| column as usize).collect();
        Ok(Echelon { matrix: self.of(buffer, a.rows, a.columns), pivots })
    }

    /// The rank: the largest number of rows of which none is a combination of the others. Cost as of an echelon form that is
    /// not reduced, `m n r` products and sums for `m` by `n` entries of rank `r`.
    ///
    /// # Errors
    /// [`LinalgError::MixedFields`]; [`LinalgError::Device`].
    #[inline(never)]
    pub fn rank(&self, a: &Matrix<F>) -> Result<usize, LinalgError> {
        self.own(a)?;
        let mut buffer = self.block_of(&a.buffer, Block::whole(a.rows, a.columns))?;
        let extent = Extent { rows: a.rows, width: a.columns, search: a.columns };
        let reach = Reach::Below;
        let by = |how, buffer: &mut _| self.eliminate(buffer, extent, reach, how);
        Ok(self.eliminate_in_place(&mut buffer, extent.to(reach), by)?.rank())
    }

    /// The determinant, by elimination: `2/3 n^3` products and sums for order `n`; 1 for order 0. The determinant by
    /// condensation, [`LinearAlgebra::determinant_by_condensation`], takes one and a half times as many.
    ///
    /// # Errors
    /// [`LinalgError::NotSquare`]; [`LinalgError::MixedFields`]; [`LinalgError::Device`].
    #[inline(never)]
    pub fn determinant(&self, a: &Matrix<F>) -> Result<F::Element, LinalgError> {
        self.own(a)?;
        let shape = EliminationShape::determinant(a.order("determinant")?);
        self.by_elimination(shape, |how| self.determinant_by(a, how))
    }

    /// [`LinearAlgebra::determinant`] in a given way: the same bits.
    ///
    /// # Errors
    /// As [`LinearAlgebra::determinant`].
    #[inline(never)]
    pub fn determinant_by(&self, a: &Matrix<F>, how: Elimination) -> Result<F::Element, LinalgError> {
        self.own(a)?;
        let order = a.order("determinant")?;
        let mut buffer = self.block_of(&a.buffer, Block::whole(order, order))?;
        let extent = Extent { rows: order, width: order, search: order };
        let found = self.eliminate(&mut buffer, extent, Reach::Below, how)?;
        if found.rank() < order {
            return Ok(self.field().zero());
        }
        Ok(found.determinant(self.field()))
    }
}
