//! A product by a plan.

use bytemuck::{cast_slice, cast_slice_mut};
use manycore_device::{DeviceError, Executor, OpenCl, View, ViewMut};

use super::algorithm::ProductPlan;
use super::device::Block;
use super::host;
use super::prepared::{Place, SparseProduct};
use crate::error::SparseError;
use crate::ring::SparseRing;

impl<R: SparseRing> SparseProduct<R> {
    /// The product of views of as many words as there should be.
    pub(super) fn multiply_with(
        &self,
        x: View<'_, R::Word>,
        mut y: ViewMut<'_, R::Word>,
        width: usize,
        plan: ProductPlan,
    ) -> Result<(), SparseError> {
        if y.is_empty() {
            return Ok(());
        }
        match (&self.place, self.device().executor()) {
            (Place::Host(matrix), Executor::Host(pool)) => {
                let (x, y) = (cast_slice(x.host()?), cast_slice_mut(y.into_host()?));
                Ok(host::multiply(pool, &self.ring, matrix, x, y, (width, plan.steps()))?)
            }
            // A device takes no buffer of no words for one that it reads.
            (_, Executor::OpenCl(_)) if x.is_empty() => Ok(y.fill(bytemuck::Zeroable::zeroed())?),
            (Place::Resident(blocks), Executor::OpenCl(cl)) => {
                blocks.iter().try_for_each(|block| self.launch(cl, block, x, &mut y, width, plan))
            }
            (Place::Streamed(matrix, blocks), Executor::OpenCl(cl)) => blocks.iter().try_for_each(|rows| {
                let block = Block::new::<R>(self.device(), matrix, rows.clone())?;
                self.launch(cl, &block, x, &mut y, width, plan)
            }),
            // The place was made for the device.
            _ => Err(DeviceError::elsewhere().into()),
        }
    }

    fn launch(
        &self,
        cl: &OpenCl,
        block: &Block<R::Word>,
        x: View<'_, R::Word>,
        y: &mut ViewMut<'_, R::Word>,
        width: usize,
        plan: ProductPlan,
    ) -> Result<(), SparseError> {
        Ok(block.multiply((cl, &self.planner), &self.ring, &self.offsets, (x, y), width, plan)?)
    }
}
