//! Bases of the spaces of a matrix, and its rank profiles, from reduced echelon forms.

use crate::block::Block;
use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::modular::algebra::LinearAlgebra;
use crate::modular::matrix::Matrix;

impl<F: MatrixField> LinearAlgebra<F> {
    /// A basis of the left nullspace: the rows `x`, as many as the matrix has rows less its rank, with `x a = 0`; the transpose of the
    /// nullspace of the transpose.
    ///
    /// # Errors
    /// [`LinalgError::MixedFields`]; [`LinalgError::Device`].
    #[inline(never)]
    pub fn left_nullspace(&self, a: &Matrix<F>) -> Result<Matrix<F>, LinalgError> {
        self.transpose(&self.nullspace(&self.transpose(a)?)?)
    }

    /// The basis of the row space in reduced echelon form: the rows of [`LinearAlgebra::echelon`] that are not 0, as many as the rank.
    /// Two matrices have the same rows' sums exactly where these are equal.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_linalg::LinearAlgebra;
    /// let space = LinearAlgebra::new(&Device::from_env()?, PrimeField::<u32>::new(7)?)?;
    /// let a = space.matrix(2, 3, &[2, 4, 6, 1, 2, 3])?;
    /// assert_eq!(space.entries(&space.row_space(&a)?)?, [1, 2, 3]);
    /// assert_eq!(space.entries(&space.column_space(&a)?)?, [1, 4]);
    /// assert_eq!(space.entries(&space.left_nullspace(&a)?)?, [3, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LinalgError::MixedFields`]; [`LinalgError::Device`].
    #[inline(never)]
    pub fn row_space(&self, a: &Matrix<F>) -> Result<Matrix<F>, LinalgError> {
        let (form, pivots) = self.echelon(a)?.into_parts();
        let head = Block::whole(form.rows, form.columns).part(0..pivots.len(), 0..form.columns);
        Ok(self.of(self.block_of(&form.buffer, head)?, pivots.len(), form.columns))
    }

    /// The basis of the column space, the image of `x -> a x`, as columns in reduced echelon form: the transpose of the row space of
    /// the transpose.
    ///
    /// # Errors
    /// [`LinalgError::MixedFields`]; [`LinalgError::Device`].
    #[inline(never)]
    pub fn column_space(&self, a: &Matrix<F>) -> Result<Matrix<F>, LinalgError> {
        self.transpose(&self.row_space(&self.transpose(a)?)?)
    }

    /// The columns, ascending, of which none is a combination of those before it: as many as the rank.
    ///
    /// # Errors
    /// [`LinalgError::MixedFields`]; [`LinalgError::Device`].
    #[inline(never)]
    pub fn column_rank_profile(&self, a: &Matrix<F>) -> Result<Vec<usize>, LinalgError> {
        Ok(self.lu(a)?.pivots().to_vec())
    }

    /// The rows, ascending, of which none is a combination of those above it: as many as the rank.
    ///
    /// # Errors
    /// [`LinalgError::MixedFields`]; [`LinalgError::Device`].
    #[inline(never)]
    pub fn row_rank_profile(&self, a: &Matrix<F>) -> Result<Vec<usize>, LinalgError> {
        self.column_rank_profile(&self.transpose(a)?)
    }
}
