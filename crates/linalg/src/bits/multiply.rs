//! Products of matrices of bits.

use manycore_device::{Buffer, Executor};

use super::algebra::BitAlgebra;
use super::matrix::BitMatrix;
use super::plan::{BitProductPlan, BitShape};
use super::{device, host};
use crate::block::Block;
use crate::error::LinalgError;

impl BitAlgebra {
    /// The product of a matrix of `l` by `m` bits and one of `m` by `n`: `l m n / 512` sums of words on the host, where tables have
    /// the sums of eight rows each; on OpenCL devices about `l m n / (64 k)` by tables of `k = 4` to 6 rows, or `l m n / 64` where
    /// there are few.
    ///
    /// # Errors
    /// [`LinalgError::Shapes`] where the first has not as many columns as the second has rows; [`LinalgError::TooLarge`];
    /// [`LinalgError::Device`].
    pub fn mul(&self, a: &BitMatrix, b: &BitMatrix) -> Result<BitMatrix, LinalgError> {
        self.fits(a, b)?;
        let shape = BitShape { rows: a.rows, inner: a.columns, words: b.words_per_row() };
        self.by_product_plan(shape, |plan| self.mul_with(a, b, plan))
    }

    /// [`BitAlgebra::mul`] by a given plan, which the host does not ask for, nor an OpenCL device for the host's: the same bits by
    /// every plan.
    ///
    /// # Errors
    /// As [`BitAlgebra::mul`]; [`LinalgError::BitPlan`] for tables of other sizes than 4 to 6 rows of the second matrix and 1 to
    /// 16 of the result, or that the device has no room for.
    pub fn mul_with(&self, a: &BitMatrix, b: &BitMatrix, plan: BitProductPlan) -> Result<BitMatrix, LinalgError> {
        self.fits(a, b)?;
        if let (BitProductPlan::Tables(tables), Executor::OpenCl(cl)) = (plan, self.device().executor())
            && !tables.fits(cl)?
        {
            return Err(LinalgError::BitPlan { plan, device: cl.info().name.clone() });
        }
        let mut out = self.zeros(a.rows, b.columns)?;
        let target = out.block();
        self.product_by(plan, (&a.buffer, a.block()), (&b.buffer, b.block()), (&mut out.buffer, target))?;
        Ok(out)
    }

    fn fits(&self, a: &BitMatrix, b: &BitMatrix) -> Result<(), LinalgError> {
        self.own(a)?;
        self.own(b)?;
        if a.columns == b.rows {
            Ok(())
        } else {
            Err(LinalgError::Shapes { operation: "product", left: a.shape(), right: b.shape() })
        }
    }

    /// Adds the product of two blocks of words to a block of another buffer, by the plan that is estimated best. Bits of the first
    /// past the rows of the second are 0.
    pub(super) fn add_product(
        &self,
        a: (&Buffer<u64>, Block),
        b: (&Buffer<u64>, Block),
        out: (&mut Buffer<u64>, Block),
    ) -> Result<(), LinalgError> {
        let plan = self.estimated_product(BitShape { rows: out.1.rows, inner: b.1.rows, words: out.1.columns })?;
        self.product_by(plan, a, b, out)
    }

    /// The product by a given plan.
    pub(super) fn product_by(
        &self,
        plan: BitProductPlan,
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
            Executor::OpenCl(cl) => match plan {
                BitProductPlan::Tables(tables) => device::add_product_by_tables(self, cl, tables, a, b, out)?,
                BitProductPlan::Masks | BitProductPlan::Strips => device::add_product(self, cl, a, b, out)?,
            },
        }
        Ok(())
    }
}
