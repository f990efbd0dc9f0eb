//! Products of matrices of bits.

use manycore_device::{Buffer, Executor};

use super::algebra::BitAlgebra;
use super::matrix::BitMatrix;
use super::{device, host};
use crate::block::Block;
use crate::error::LinalgError;

impl BitAlgebra {
    /// The product of a matrix of `l` by `m` bits and one of `m` by `n`: `l m n / 512` sums of words on the host, where tables have
    /// the sums of eight rows each, and `l m n / 64` on OpenCL devices.
    ///
    /// # Errors
    /// [`LinalgError::Shapes`] where the first has not as many columns as the second has rows; [`LinalgError::TooLarge`];
    /// [`LinalgError::Device`].
    pub fn mul(&self, a: &BitMatrix, b: &BitMatrix) -> Result<BitMatrix, LinalgError> {
        self.own(a)?;
        self.own(b)?;
        if a.columns != b.rows {
            return Err(LinalgError::Shapes { operation: "product", left: a.shape(), right: b.shape() });
        }
        let mut out = self.zeros(a.rows, b.columns)?;
        let target = out.block();
        self.add_product((&a.buffer, a.block()), (&b.buffer, b.block()), (&mut out.buffer, target))?;
        Ok(out)
    }

    /// Adds the product of two blocks of words to a block of another buffer. Bits of the first past the rows of the second are 0.
    pub(super) fn add_product(
        &self,
        a: (&Buffer<u64>, Block),
        b: (&Buffer<u64>, Block),
        out: (&mut Buffer<u64>, Block),
    ) -> Result<(), LinalgError> {
        if out.1.is_empty() || b.1.is_empty() {
            return Ok(());
        }
        match self.device().executor() {
            Executor::Host(pool) => {
                host::add_product(pool, (a.0.host()?, a.1), (b.0.host()?, b.1), (out.0.host_mut()?, out.1));
            }
            Executor::OpenCl(cl) => device::add_product(self, cl, a, b, out)?,
        }
        Ok(())
    }
}
