//! Radix sorts on an OpenCL device, by the plan that is given.

mod data;
pub(super) mod extent;
mod passes;
mod sweeps;

use manycore_device::{DeviceError, Word};

use super::plan::SortPlan;
use crate::digits::Digits;

pub(super) use data::Sort;
pub(super) use passes::{fits as passes_fit, tile as passes_tile};
pub(super) use sweeps::fits as sweeps_fit;

impl<W: Digits, V: Word> Sort<'_, W, V> {
    /// Sorts by a plan.
    pub(super) fn by(self, plan: SortPlan) -> Result<(), DeviceError> {
        if self.keys.len() <= 1 {
            return Ok(());
        }
        match plan {
            SortPlan::Host => Err(DeviceError::elsewhere()),
            SortPlan::Passes { group, per } => passes::sort(self, group as usize, per as usize),
            SortPlan::Sweeps(tile) => sweeps::sort(self, tile),
            SortPlan::Tile(tile) => sweeps::sort_tile(self, tile),
        }
    }
}
