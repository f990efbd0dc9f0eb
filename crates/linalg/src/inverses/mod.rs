//! Inverses of many small matrices at once, by Gauss-Jordan elimination in place: a thread, or a group of items in registers,
//! for each (Golub and Van Loan, Matrix Computations, section 3.2).

mod cost;
mod device;
mod host;

use manycore_device::{Buffer, Executor};
use manycore_field::ResidueWord as _;

use crate::algebra::LinearAlgebra;
use crate::batch::Batch;
use crate::block::Block;
use crate::eliminate::{Elimination, Extent, Reach};
use crate::error::LinalgError;
use crate::field::MatrixField;

pub(crate) use device::KERNELS;

/// Where square matrices stand in a buffer: entry `(i, j)` of matrix `k` at `start + k step + i stride + j`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Squares {
    pub(crate) start: usize,
    pub(crate) stride: usize,
    pub(crate) step: usize,
    pub(crate) order: usize,
    pub(crate) count: usize,
}

/// The inverse of a block, and its determinant.
pub(crate) struct Inverted<F: MatrixField> {
    pub(crate) inverse: Buffer<F::Element>,
    pub(crate) determinant: F::Element,
}

impl<F: MatrixField> LinearAlgebra<F> {
    /// The inverse of each matrix of a batch: one launch on an OpenCL device for matrices of order 64 at least, one by one for
    /// larger ones; `n^3` products and sums each.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_linalg::LinearAlgebra;
    /// let space = LinearAlgebra::new(&Device::from_env()?, PrimeField::<u32>::new(7)?)?;
    /// let batch = space.batch(2, 2, &[1, 2, 3, 4, 0, 1, 1, 0])?;
    /// assert_eq!(space.inverses(&batch)?.buffer().download()?, [5, 1, 5, 3, 0, 1, 1, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LinalgError::SingularMember`] with the index of the first matrix that has none; [`LinalgError::MixedFields`];
    /// [`LinalgError::Device`].
    #[inline(never)]
    pub fn inverses(&self, batch: &Batch<F>) -> Result<Batch<F>, LinalgError> {
        self.own_batch(batch)?;
        let (count, order) = (batch.count(), batch.order());
        let len = order * order;
        let mut out = self.device().scratch(count * len)?;
        if count == 0 || order == 0 {
            return Ok(self.batch_of(out, count, order));
        }
        let squares = Squares { start: 0, stride: order, step: len, order, count };
        if let Some(found) = self.invert_squares((batch.buffer(), squares), &mut out)? {
            let found = found.download()?;
            if let Some(index) = found.chunks(2).position(|found| found[1] != F::Element::from_u64(order as u64)) {
                return Err(LinalgError::SingularMember { index, order });
            }
        } else {
            for index in 0..count {
                let block = Block::whole(count * order, order).part(index * order..(index + 1) * order, 0..order);
                let one = self.of(self.block_of(batch.buffer(), block)?, order, order);
                let inverse = self.inverse(&one).map_err(|error| match error {
                    LinalgError::Singular { .. } => LinalgError::SingularMember { index, order },
                    other => other,
                })?;
                self.copy_block(&inverse.buffer, Block::whole(order, order), &mut out, block)?;
            }
        }
        Ok(self.batch_of(out, count, order))
    }

    /// The inverses of square matrices that are not empty, and of each its determinant and the number of its first columns that
    /// have pivots; `None` for matrices that are too large for it.
    fn invert_squares(
        &self,
        (a, squares): (&Buffer<F::Element>, Squares),
        out: &mut Buffer<F::Element>,
    ) -> Result<Option<Buffer<F::Element>>, LinalgError> {
        let mut found = self.device().scratch(2 * squares.count)?;
        let is_done = match self.device().executor() {
            Executor::Host(_) if squares.order > host::MOST => false,
            Executor::Host(pool) => {
                let (out, found) = (out.host_mut()?, found.host_mut()?);
                host::inverses(self.field(), pool, (a.host()?, squares), out, found);
                true
            }
            Executor::OpenCl(cl) => device::inverses(self, cl, (a, squares), out, &mut found)?,
        };
        Ok(is_done.then_some(found))
    }

    /// The inverse of a square block that is not empty; `None` for one that has none.
    pub(crate) fn invert_block(
        &self,
        a: &Buffer<F::Element>,
        block: Block,
    ) -> Result<Option<Inverted<F>>, LinalgError> {
        let order = block.rows;
        let squares = Squares { start: block.start, stride: block.stride, step: 0, order, count: 1 };
        let mut inverse = self.device().scratch(order * order)?;
        let Some(found) = self.invert_squares((a, squares), &mut inverse)? else {
            return self.invert_large_block(a, block);
        };
        let found = found.download()?;
        let is_regular = found[1] == F::Element::from_u64(order as u64);
        Ok(is_regular.then_some(Inverted { inverse, determinant: found[0] }))
    }

    /// The same by elimination of the block beside the identity.
    fn invert_large_block(&self, a: &Buffer<F::Element>, block: Block) -> Result<Option<Inverted<F>>, LinalgError> {
        let order = block.rows;
        let beside = Block::whole(order, 2 * order);
        let (left, right) = (beside.part(0..order, 0..order), beside.part(0..order, order..2 * order));
        let mut both = self.device().scratch(2 * order * order)?;
        self.copy_block(a, block, &mut both, left)?;
        self.unit_block(&mut both, right, 0)?;
        let extent = Extent { rows: order, width: 2 * order, search: order };
        let found = self.eliminate(&mut both, extent, Reach::All, Elimination::Blocks(self.most_inverted()))?;
        if found.rank() < order {
            return Ok(None);
        }
        let determinant = found.determinant(self.field());
        Ok(Some(Inverted { inverse: self.block_of(&both, right)?, determinant }))
    }

    /// The largest order of blocks that [`LinearAlgebra::invert_block`] takes at once, at least 1.
    pub(crate) fn most_inverted(&self) -> usize {
        match self.device().executor() {
            Executor::Host(_) => host::MOST,
            Executor::OpenCl(cl) => device::most(cl),
        }
    }
}
