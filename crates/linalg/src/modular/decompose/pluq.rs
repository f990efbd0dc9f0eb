//! `A = P L U Q`, which reveals the rank.

use super::lu::Lu;
use super::permutation::Permutation;
use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::modular::algebra::LinearAlgebra;
use crate::modular::matrix::Matrix;

/// `A = P L U Q` of a matrix of `m` by `n` entries of rank `r`: `L` of `m` by `r` entries, lower triangular with 1 on the diagonal; `U`
/// of `r` by `n`, upper triangular with no 0 on the diagonal. Entry `(i, j)` of `L U` is that of the matrix in row `rows()[i]` and column
/// `columns()[j]`, so that the first `r` of these rows, and of these columns, make a regular part. Made by [`LinearAlgebra::pluq`].
#[derive(Debug)]
pub struct Pluq<F: MatrixField> {
    lu: Lu<F>,
    upper: Matrix<F>,
    columns: Permutation,
}

impl<F: MatrixField> LinearAlgebra<F> {
    /// The decomposition `A = P L U Q`, of any shape and rank: [`LinearAlgebra::lu`] with the pivots' columns of the upper factor first,
    /// ascending, and the others behind them, ascending.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_linalg::LinearAlgebra;
    /// let space = LinearAlgebra::new(&Device::from_env()?, PrimeField::<u32>::new(7)?)?;
    /// let pluq = space.pluq(&space.matrix(2, 3, &[0, 0, 2, 0, 3, 1])?)?;
    /// assert_eq!((pluq.rows().images(), pluq.columns().images()), (&[1, 0][..], &[1, 2, 0][..]));
    /// assert_eq!(space.entries(pluq.lower())?, [1, 0, 0, 1]);
    /// assert_eq!(space.entries(pluq.upper())?, [3, 1, 0, 0, 2, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`LinearAlgebra::lu`].
    #[inline(never)]
    pub fn pluq(&self, a: &Matrix<F>) -> Result<Pluq<F>, LinalgError> {
        self.lu(a)?.into_pluq()
    }
}

impl<F: MatrixField> Lu<F> {
    /// The decomposition `A = P L U Q` with the same lower factor.
    ///
    /// # Errors
    /// [`LinalgError::Device`].
    #[inline(never)]
    pub fn into_pluq(self) -> Result<Pluq<F>, LinalgError> {
        let columns = Permutation::first(self.upper().columns, self.pivots());
        let upper = self.space().of(self.picked(columns.images())?, self.rank(), columns.len());
        Ok(Pluq { lu: self, upper, columns })
    }
}

impl<F: MatrixField> Pluq<F> {
    /// The order of the rows: row `i` of `L U` is row `images()[i]` of the matrix. `P` is the matrix of its inverse.
    pub fn rows(&self) -> &Permutation {
        self.lu.permutation()
    }

    /// The order of the columns: column `j` of `L U` is column `images()[j]` of the matrix.
    pub fn columns(&self) -> &Permutation {
        &self.columns
    }

    /// `L`: as many rows as the matrix, as many columns as the rank; 1 on the diagonal, 0 above it.
    pub fn lower(&self) -> &Matrix<F> {
        self.lu.lower()
    }

    /// `U`: as many rows as the rank, as many columns as the matrix; no 0 on the diagonal, 0 below it.
    pub fn upper(&self) -> &Matrix<F> {
        &self.upper
    }

    /// The rank.
    pub fn rank(&self) -> usize {
        self.lu.rank()
    }

    /// The orders of the rows and of the columns, `L` and `U`.
    pub fn into_parts(self) -> (Permutation, Permutation, Matrix<F>, Matrix<F>) {
        let (rows, lower, _) = self.lu.into_parts();
        (rows, self.columns, lower, self.upper)
    }

    /// The decomposition without an order of columns, for solutions, determinants and inverses.
    pub fn lu(&self) -> &Lu<F> {
        &self.lu
    }
}
