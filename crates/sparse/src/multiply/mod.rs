//! Products of a sparse matrix with vectors and dense matrices.
//!
//! | file | what |
//! |---|---|
//! | `prepared` | matrices that are ready to be multiplied |
//! | `run` | a product by a plan |
//! | `algorithm` | algorithms, and the plans that are candidates |
//! | `cost` | what each candidate counts |
//! | `choice` | the choice among candidates, measurements and proofs |
//! | `host` | runs of rows on threads |
//! | `device` | blocks of rows in device memory, and launches |
//! | `several` | runs of rows on several devices |
//! | `reference` | the slow definition |

mod algorithm;
mod choice;
mod cost;
mod device;
mod host;
mod prepared;
pub(crate) mod reference;
mod run;
mod several;

use bytemuck::{cast_slice, cast_slice_mut};
use manycore_device::{Buffer, Device, DeviceError, Executor, View, ViewMut, checkpoint};

use crate::error::SparseError;
use crate::ring::{SparseRing, check};
use prepared::Place;

pub use algorithm::{ProductAlgorithm, ProductPlan};
pub(crate) use device::items_of_group;
pub use prepared::{ProductOptions, SparseProduct};

impl<R: SparseRing> SparseProduct<R> {
    /// The product `y = A x`; `x` has `n` values. A multiplication and an addition for each non-zero. An OpenCL device
    /// gets `x` and gives `y` back.
    ///
    /// # Errors
    /// [`SparseError::Length`]; [`SparseError::Value`]; [`SparseError::Device`].
    #[inline(never)]
    pub fn multiply(&self, x: &[R::Value]) -> Result<Vec<R::Value>, SparseError> {
        self.multiply_dense(x, 1)
    }

    /// The product `Y = A X` with a dense matrix of `n` rows of `width` values, one behind the other; `Y` has `m` such
    /// rows. The matrix is read once for all of them.
    ///
    /// # Errors
    /// [`SparseError::Length`]; [`SparseError::Value`]; [`SparseError::Device`].
    #[inline(never)]
    pub fn multiply_dense(&self, x: &[R::Value], width: usize) -> Result<Vec<R::Value>, SparseError> {
        self.multiply_slices(x, width, || Self::zeros(&self.ring, self.device(), self.rows(), width))
    }

    /// The product `Y = A X` as [`SparseProduct::multiply_dense`] makes it, written to `y` of `m` rows of `width` values; what was
    /// there is overwritten.
    ///
    /// # Errors
    /// As [`SparseProduct::multiply_dense`]; [`SparseError::Length`] also for an output of another length.
    #[inline(never)]
    pub fn multiply_into(&self, x: &[R::Value], y: &mut [R::Value], width: usize) -> Result<(), SparseError> {
        let zeros = || {
            let expected = self.rows().saturating_mul(width);
            if y.len() != expected {
                return Err(SparseError::Length { what: "y", given: y.len(), expected });
            }
            y.fill(self.ring.zero());
            Ok(y)
        };
        self.multiply_slices(x, width, zeros).map(drop)
    }

    /// The product of the host's memory into zeros, which are made once `x` is known to be of this ring and shape: a wrong `x` is an error
    /// before memory is allocated.
    fn multiply_slices<Y: AsMut<[R::Value]>>(
        &self,
        x: &[R::Value],
        width: usize,
        zeros: impl FnOnce() -> Result<Y, SparseError>,
    ) -> Result<Y, SparseError> {
        if self.columns.checked_mul(width) != Some(x.len()) {
            let expected = self.columns.saturating_mul(width);
            return Err(SparseError::Length { what: "x", given: x.len(), expected });
        }
        check(&self.ring, "x", x)?;
        let mut out = zeros()?;
        let y = out.as_mut();
        match (&self.place, self.device().executor()) {
            _ if y.is_empty() => {}
            (Place::Host(matrix), Executor::Host(pool)) => {
                checkpoint()?;
                let plan = self.plan(width)?;
                host::multiply(pool, &self.ring, matrix, x, y, (width, plan.steps()))?;
            }
            _ => {
                let x = self.device().upload(cast_slice::<_, R::Word>(x))?;
                let mut made = self.device().scratch(y.len() * R::value_words())?;
                self.multiply_buffers(&x, &mut made, width)?;
                made.read_into(cast_slice_mut(y))?;
            }
        }
        Ok(out)
    }

    /// Room for a product.
    fn zeros(ring: &R, device: &Device, rows: usize, width: usize) -> Result<Vec<R::Value>, SparseError> {
        let Some(len) = rows.checked_mul(width).filter(|&len| len <= isize::MAX as usize / size_of::<R::Value>())
        else {
            let (size, limit) = (width as u64, isize::MAX as u64 / rows.max(1) as u64);
            let device = device.info().label();
            return Err(DeviceError::TooLarge { what: "columns of x".into(), size, limit, device }.into());
        };
        Ok(vec![ring.zero(); len])
    }

    /// The product `Y = A X` of buffers on the product's device, or of parts of them: `X` has `n` rows of `width`
    /// values, `Y` has `m`. Values of `x` that are no elements of the ring give values that are not specified. Kernels
    /// are enqueued; nothing is waited for unless the matrix is [streamed](Self::is_streamed).
    ///
    /// # Errors
    /// [`SparseError::Length`]; [`SparseError::Device`], with `MixedDevices` for buffers of another device.
    pub fn multiply_buffers<'a>(
        &self,
        x: impl Into<View<'a, R::Word>>,
        y: impl Into<ViewMut<'a, R::Word>>,
        width: usize,
    ) -> Result<(), SparseError> {
        let (x, mut y) = (x.into(), y.into());
        self.device().same_as(x.buffer().device())?;
        self.device().same_as(y.device())?;
        for (what, given, lines) in [("x", x.len(), self.columns), ("y", y.len(), self.rows())] {
            let expected = lines.saturating_mul(width).saturating_mul(R::value_words());
            if given != expected {
                return Err(SparseError::Length { what, given, expected });
            }
        }
        if y.is_empty() {
            return Ok(());
        }
        let ask = |&width: &usize| self.ask(width);
        self.plans.run(self.device(), width, ask, |&plan| self.run(x, y.reborrow(), width, plan))
    }

    /// A buffer of values on the product's device.
    ///
    /// # Errors
    /// [`SparseError::Value`]; [`SparseError::Device`].
    pub fn upload(&self, values: &[R::Value]) -> Result<Buffer<R::Word>, SparseError> {
        check(&self.ring, "x", values)?;
        Ok(self.device().upload(cast_slice(values))?)
    }
}
