//! Determinants of many small matrices at once: a thread, or a group of items, for each.

pub(crate) mod device;
pub(crate) mod host;

use std::fmt;

use manycore_device::{Buffer, Executor};

use crate::algebra::{LinearAlgebra, check_residues};
use crate::block::Block;
use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::matrix::entries;

/// Many square matrices of one order over a prime field, in the memory of one device, one behind the other.
pub struct Batch<F: MatrixField> {
    buffer: Buffer<F::Element>,
    count: usize,
    order: usize,
    field: F,
}

impl<F: MatrixField> fmt::Debug for Batch<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Batch of {} matrices of order {} mod {}", self.count, self.order, self.field.order())
    }
}

impl<F: MatrixField> Batch<F> {
    /// The number of matrices.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Their order.
    pub fn order(&self) -> usize {
        self.order
    }

    /// The entries, matrix after matrix and row after row.
    pub fn buffer(&self) -> &Buffer<F::Element> {
        &self.buffer
    }
}

impl<F: MatrixField> LinearAlgebra<F> {
    /// A batch of `count` matrices of an order from their entries, matrix after matrix and row after row.
    ///
    /// # Errors
    /// [`LinalgError::Entries`] for another number of entries, told as rows of all matrices; [`LinalgError::OutOfRange`] with the
    /// row among those of all matrices; [`LinalgError::TooLarge`]; [`LinalgError::Device`].
    #[inline(never)]
    pub fn batch(&self, count: usize, order: usize, words: &[F::Element]) -> Result<Batch<F>, LinalgError> {
        let rows = count.checked_mul(order).ok_or(LinalgError::TooLarge { rows: usize::MAX, columns: order })?;
        if entries(rows, order)? != words.len() {
            return Err(LinalgError::Entries { given: words.len(), rows, columns: order });
        }
        check_residues(self.field(), words, order)?;
        Ok(self.batch_in(self.device().upload(words)?, count, order))
    }

    /// A batch of the field's residues.
    pub(crate) fn batch_in(&self, buffer: Buffer<F::Element>, count: usize, order: usize) -> Batch<F> {
        Batch { buffer, count, order, field: self.field().clone() }
    }

    /// Fails unless the batch is one over this field, on this device.
    pub(crate) fn own_batch(&self, batch: &Batch<F>) -> Result<(), LinalgError> {
        if batch.field.order() != self.field().order() {
            return Err(LinalgError::MixedFields { expected: self.field().order(), given: batch.field.order() });
        }
        Ok(self.device().same_as(batch.buffer.device())?)
    }

    /// The determinant of each matrix of a batch. On an OpenCL device matrices that fit local memory, of order 64 at least where
    /// it has 32 KiB, take one launch together, without a division but one each; larger ones are taken one by one.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_linalg::LinearAlgebra;
    /// let space = LinearAlgebra::new(&Device::from_env()?, PrimeField::<u32>::new(7)?)?;
    /// let batch = space.batch(2, 2, &[1, 2, 3, 4, 1, 0, 0, 3])?;
    /// assert_eq!(space.determinants(&batch)?.download()?, [5, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LinalgError::MixedFields`]; [`LinalgError::Device`].
    #[inline(never)]
    pub fn determinants(&self, batch: &Batch<F>) -> Result<Buffer<F::Element>, LinalgError> {
        self.own_batch(batch)?;
        let (count, order) = (batch.count, batch.order);
        let mut out = self.device().scratch(count)?;
        match self.device().executor() {
            _ if count == 0 => {}
            _ if order == 0 => out.fill(self.field().one())?,
            Executor::Host(pool) => {
                host::determinants(self.field(), pool, batch.buffer.host()?, order, out.host_mut()?);
            }
            Executor::OpenCl(cl) => {
                if !device::determinants(self, cl, &batch.buffer, order, &mut out)? {
                    out.write(&self.one_by_one(batch)?)?;
                }
            }
        }
        Ok(out)
    }

    fn one_by_one(&self, batch: &Batch<F>) -> Result<Vec<F::Element>, LinalgError> {
        let order = batch.order;
        let all = Block::whole(batch.count * order, order);
        let each = |k: usize| {
            let one = self.block_of(&batch.buffer, all.part(k * order..(k + 1) * order, 0..order))?;
            self.determinant(&self.of(one, order, order))
        };
        (0..batch.count).map(each).collect()
    }
}
