//! A product by a plan.

use bytemuck::{cast_slice, cast_slice_mut};
use manycore_device::{DeviceError, Executor, View, ViewMut};

use super::algorithm::ProductPlan;
use super::device::Block;
use super::host;
use super::prepared::{Place, SparseProduct};
use crate::error::SparseError;
use crate::ring::SparseRing;

impl<R: SparseRing> SparseProduct<R> {
    /// The product of views of as many words as there should be.
    #[inline(never)]
    pub(crate) fn run(
        &self,
        x: View<'_, R::Word>,
        mut y: ViewMut<'_, R::Word>,
        width: usize,
        plan: ProductPlan,
    ) -> Result<(), SparseError> {
        if y.is_empty() {
            return Ok(());
        }
        let (ring, offsets) = (&self.ring, &self.offsets);
        match (&self.place, self.device().executor()) {
            (Place::Host(matrix), Executor::Host(pool)) => {
                let (x, y) = (cast_slice(x.host()?), cast_slice_mut(y.into_host()?));
                Ok(host::multiply(pool, ring, matrix, x, y, (width, plan.steps()))?)
            }
            // A device takes no buffer of no words for one that it reads.
            (_, Executor::OpenCl(_)) if x.is_empty() => Ok(y.fill(bytemuck::Zeroable::zeroed())?),
            (Place::Resident(blocks), Executor::OpenCl(cl)) => {
                let on = (cl, &self.planner);
                Ok(blocks.iter().try_for_each(|block| block.multiply(on, ring, offsets, (x, &mut y), width, plan))?)
            }
            (Place::Streamed(matrix, blocks), Executor::OpenCl(cl)) => blocks.iter().try_for_each(|rows| {
                let block = Block::new::<R>(self.device(), matrix, rows.clone())?;
                Ok(block.multiply((cl, &self.planner), ring, offsets, (x, &mut y), width, plan)?)
            }),
            // The place was made for the device.
            _ => Err(DeviceError::elsewhere().into()),
        }
    }
}
