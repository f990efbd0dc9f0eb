//! Operations on entries one by one: sums, differences, multiples, transposes.

mod device;
mod host;

use manycore_device::Executor;

use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::modular::algebra::{LinearAlgebra, check_residues};
use crate::modular::matrix::Matrix;
use host::Elementwise;

impl<F: MatrixField> LinearAlgebra<F> {
    /// The sum of two matrices of one shape.
    ///
    /// # Errors
    /// [`LinalgError::Shapes`]; [`LinalgError::MixedFields`]; [`LinalgError::Device`].
    #[inline(never)]
    pub fn add(&self, a: &Matrix<F>, b: &Matrix<F>) -> Result<Matrix<F>, LinalgError> {
        self.elementwise("sum", Elementwise::Add, a, b)
    }

    /// The first matrix less the second, of one shape.
    ///
    /// # Errors
    /// As [`LinearAlgebra::add`].
    #[inline(never)]
    pub fn sub(&self, a: &Matrix<F>, b: &Matrix<F>) -> Result<Matrix<F>, LinalgError> {
        self.elementwise("difference", Elementwise::Subtract, a, b)
    }

    /// Every entry times a residue.
    ///
    /// # Errors
    /// [`LinalgError::OutOfRange`] for a factor that is no residue, as entry (0, 0); [`LinalgError::MixedFields`];
    /// [`LinalgError::Device`].
    #[inline(never)]
    pub fn scale(&self, a: &Matrix<F>, c: F::Element) -> Result<Matrix<F>, LinalgError> {
        check_residues(self.field(), &[c], 1)?;
        self.elementwise("multiple", Elementwise::Scale(c), a, a)
    }

    fn elementwise(
        &self,
        name: &'static str,
        operation: Elementwise<F::Element>,
        a: &Matrix<F>,
        b: &Matrix<F>,
    ) -> Result<Matrix<F>, LinalgError> {
        self.own(a)?;
        self.own(b)?;
        if a.shape() != b.shape() {
            return Err(LinalgError::Shapes { operation: name, left: a.shape(), right: b.shape() });
        }
        let mut out = self.scratch(a.rows, a.columns)?;
        match self.device().executor() {
            Executor::Host(pool) => host::elementwise(self, pool, operation, a, b, &mut out)?,
            Executor::OpenCl(cl) => device::elementwise(self, cl, operation, a, b, &mut out)?,
        }
        Ok(out)
    }

    /// The transpose.
    ///
    /// # Errors
    /// [`LinalgError::MixedFields`]; [`LinalgError::Device`].
    #[inline(never)]
    pub fn transpose(&self, a: &Matrix<F>) -> Result<Matrix<F>, LinalgError> {
        self.own(a)?;
        let mut out = self.scratch(a.columns, a.rows)?;
        match self.device().executor() {
            Executor::Host(pool) => host::transpose(pool, a, &mut out)?,
            Executor::OpenCl(cl) => device::transpose(self, cl, a, &mut out)?,
        }
        Ok(out)
    }

    /// Whether two matrices have the same shape and entries.
    ///
    /// # Errors
    /// [`LinalgError::MixedFields`]; [`LinalgError::Device`].
    #[inline(never)]
    pub fn equal(&self, a: &Matrix<F>, b: &Matrix<F>) -> Result<bool, LinalgError> {
        self.own(a)?;
        self.own(b)?;
        if a.shape() != b.shape() {
            return Ok(false);
        }
        match self.device().executor() {
            Executor::Host(_) => Ok(a.buffer.host()? == b.buffer.host()?),
            Executor::OpenCl(cl) => device::equal(self, cl, a, b),
        }
    }
}
