//! Inverses by Gauss-Jordan elimination in place (Golub and Van Loan, Matrix Computations, section 3.2): of many small matrices
//! at once, a thread or a group of items in registers for each, and of large ones by blocks.
//!
//! | file | what |
//! |---|---|
//! | `host`, `device` | many small matrices |
//! | `blocked` | one large matrix: inverses of small ones, and products |
//! | `squares` | where matrices stand, and what comes of them |
//! | `plan` | plans of an inverse |
//! | `cost` | the cost of each plan |
//! | `choice` | the choice of a plan |
//! | `reference` | the definition, slow |

mod blocked;
mod choice;
mod cost;
mod device;
mod host;
pub(crate) mod plan;
pub mod reference;
pub(crate) mod squares;

use manycore_device::{Buffer, Executor};
use manycore_field::ResidueWord as _;

use crate::block::Block;
use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::modular::algebra::LinearAlgebra;
use crate::modular::batch::Batch;
use crate::modular::matrix::Matrix;
use squares::{Inverted, Squares};

pub use plan::Inversion;

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
            return Ok(self.batch_in(out, count, order));
        }
        let squares = Squares { start: 0, stride: order, step: len, order, count };
        let mut found = self.device().scratch(2 * count)?;
        if self.invert_squares((batch.buffer(), squares), &mut out, (&mut found, 0))? {
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
        Ok(self.batch_in(out, count, order))
    }

    /// The inverse of a square matrix, in place by blocks where that is estimated or measured best: `n^3` products and sums.
    ///
    /// # Errors
    /// [`LinalgError::Singular`] with the rank of a matrix that has none; [`LinalgError::NotSquare`];
    /// [`LinalgError::MixedFields`]; [`LinalgError::Device`].
    #[inline(never)]
    pub fn inverse(&self, a: &Matrix<F>) -> Result<Matrix<F>, LinalgError> {
        self.own(a)?;
        let order = a.order("inverse")?;
        if order <= self.most_inverted() {
            return self.inverse_by(a, Inversion::Blocks(order));
        }
        self.by_inversion(order, |how| self.inverse_by(a, how))
    }

    /// [`LinearAlgebra::inverse`] in a given way: the same bits.
    ///
    /// # Errors
    /// As [`LinearAlgebra::inverse`].
    #[inline(never)]
    pub fn inverse_by(&self, a: &Matrix<F>, how: Inversion) -> Result<Matrix<F>, LinalgError> {
        self.own(a)?;
        let order = a.order("inverse")?;
        let whole = Block::whole(order, order);
        let inverse = match how {
            _ if order == 0 => return self.zeros(0, 0),
            Inversion::Beside => return self.inverse_beside(a),
            Inversion::Blocks(columns) if columns >= order => {
                self.invert_block(&a.buffer, whole)?.map(|inverted| inverted.inverse)
            }
            Inversion::Blocks(columns) => {
                let mut inverse = self.block_of(&a.buffer, whole)?;
                self.invert_in_place(&mut inverse, order, columns)?.map(|_| inverse)
            }
        };
        match inverse {
            Some(inverse) => Ok(self.of(inverse, order, order)),
            None => Err(LinalgError::Singular { rank: self.rank(a)?, order }),
        }
    }

    /// Whether the matrices, which are square and not empty, are small enough; then their inverses are written to `out`, and for
    /// each its determinant and the number of its first columns that have pivots to `found` from a word on. `out` gets residues of
    /// no use for a matrix that is singular.
    fn invert_squares(
        &self,
        (a, squares): (&Buffer<F::Element>, Squares),
        out: &mut Buffer<F::Element>,
        (found, start): (&mut Buffer<F::Element>, usize),
    ) -> Result<bool, LinalgError> {
        match self.device().executor() {
            Executor::Host(_) if squares.order > host::MOST => Ok(false),
            Executor::Host(pool) => {
                let (out, found) = (out.host_mut()?, &mut found.host_mut()?[start..]);
                host::inverses(self.field(), pool, (a.host()?, squares), out, found);
                Ok(true)
            }
            Executor::OpenCl(cl) => device::inverses(self, cl, (a, squares), out, (found, start)),
        }
    }

    /// The inverse of a square block that is not empty; `None` for one that has none.
    pub(crate) fn invert_block(
        &self,
        a: &Buffer<F::Element>,
        block: Block,
    ) -> Result<Option<Inverted<F>>, LinalgError> {
        if block.rows > self.most_inverted() {
            return self.invert_large_block(a, block);
        }
        let (mut inverse, mut found) = (self.device().scratch(block.rows * block.rows)?, self.device().scratch(2)?);
        if !self.invert_squares((a, Squares::one(block)), &mut inverse, (&mut found, 0))? {
            return Ok(None);
        }
        let found = found.download()?;
        let is_regular = found[1] == F::Element::from_u64(block.rows as u64);
        Ok(is_regular.then_some(Inverted { inverse, determinant: found[0] }))
    }

    /// The largest order of blocks that [`LinearAlgebra::invert_block`] takes at once, at least 1.
    pub(crate) fn most_inverted(&self) -> usize {
        match self.device().executor() {
            Executor::Host(_) => host::MOST,
            Executor::OpenCl(cl) => device::most(cl),
        }
    }
}
