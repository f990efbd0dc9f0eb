//! Determinants of many matrices at once: a thread, or a group of items, for each.

pub(crate) mod device;
pub(crate) mod host;
pub(crate) mod panels;

use std::fmt;

use manycore_device::{Buffer, DeviceError, Executor, OpenCl};

use crate::block::Block;
use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::modular::algebra::{LinearAlgebra, check_residues};
use crate::shape::entries;
use device::Local;
use panels::Panels;

/// How an OpenCL device finds the determinants of many matrices; they are the same bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Together {
    /// A group for each, which has its matrix in local memory.
    Local,
    /// A group for each, by panels in the memory of the device.
    Panels,
    /// One after the other, each by the whole device.
    Each,
}

impl fmt::Display for Together {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Local => "in local memory",
            Self::Panels => "by panels, a group for each",
            Self::Each => "one after the other",
        })
    }
}

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
    /// [`LinalgError::Entries`] for another number of entries, counted as rows of all matrices; [`LinalgError::OutOfRange`] with the row
    /// among those of all matrices; [`LinalgError::TooLarge`]; [`LinalgError::Device`].
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
    /// it has 32 KiB, take one launch together, without a division but one each; larger ones are taken together, a group for each, by
    /// panels in the memory of the device, or one by one, whichever is estimated to take less time.
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
        let how = match self.device().executor() {
            Executor::OpenCl(cl) if batch.count > 0 && batch.order > 0 => {
                self.together(cl, batch.count, batch.order)?
            }
            _ => Together::Local,
        };
        self.determinants_by(batch, how)
    }

    /// [`LinearAlgebra::determinants`] by a given plan. The host has one plan only, and takes it for every `how`.
    ///
    /// # Errors
    /// As [`LinearAlgebra::determinants`]; [`LinalgError::Device`] with
    /// [`DeviceError::Unsupported`](manycore_device::DeviceError::Unsupported) where groups have no room for it.
    #[inline(never)]
    pub fn determinants_by(&self, batch: &Batch<F>, how: Together) -> Result<Buffer<F::Element>, LinalgError> {
        self.own_batch(batch)?;
        let (count, order) = (batch.count, batch.order);
        let mut out = self.device().scratch(count)?;
        let unsupported = |cl: &OpenCl| {
            let feature = format!("determinants of order {order} {how}");
            LinalgError::Device(DeviceError::Unsupported { device: cl.info().label(), feature })
        };
        match self.device().executor() {
            _ if count == 0 => {}
            _ if order == 0 => out.fill(self.field().one())?,
            Executor::Host(pool) => {
                host::determinants(self.field(), pool, batch.buffer.host()?, order, out.host_mut()?);
            }
            Executor::OpenCl(cl) => match how {
                Together::Local => {
                    let local = Local::new(cl, order, size_of::<F::Element>())?.ok_or_else(|| unsupported(cl))?;
                    device::determinants(self, cl, &local, &batch.buffer, &mut out)?;
                }
                Together::Panels => {
                    let panels = Panels::new(cl, order, size_of::<F::Element>())?.ok_or_else(|| unsupported(cl))?;
                    self.by_panels(cl, panels, batch, &mut out)?;
                }
                Together::Each => out.write(&self.one_by_one(batch)?)?,
            },
        }
        Ok(out)
    }

    /// The way that is taken for matrices of an order above 0.
    fn together(&self, cl: &OpenCl, count: usize, order: usize) -> Result<Together, LinalgError> {
        Ok(if Local::new(cl, order, size_of::<F::Element>())?.is_some() {
            Together::Local
        } else if self.panels_of(cl, count, order)?.is_some() {
            Together::Panels
        } else {
            Together::Each
        })
    }

    /// As many at a time as a device is busy with: their copies are lost.
    fn by_panels(
        &self,
        cl: &OpenCl,
        panels: Panels,
        batch: &Batch<F>,
        out: &mut Buffer<F::Element>,
    ) -> Result<(), LinalgError> {
        let (most, order) = (panels.together(self, batch.count), batch.order);
        let all = Block::whole(batch.count * order, order);
        for first in (0..batch.count).step_by(most) {
            let end = batch.count.min(first + most);
            let mut part = self.block_of(&batch.buffer, all.part(first * order..end * order, 0..order))?;
            self.determinants_by_panels(cl, panels, &mut part, out, (first, end - first))?;
        }
        Ok(())
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
