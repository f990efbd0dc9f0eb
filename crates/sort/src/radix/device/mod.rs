//! Radix sorts on an OpenCL device, by the plan that is given.

pub(super) mod extent;
mod passes;
mod sweeps;

use manycore_device::{Buffer, DeviceError, OpenCl, Word};
use manycore_tuning::Planner;

use super::plan::SortPlan;
use crate::key::{Digits, Flip};

pub(super) use passes::{fits as passes_fit, tile as passes_tile};
pub(super) use sweeps::fits as sweeps_fit;

/// Values of a digit.
pub(super) const DIGITS: usize = 256;

/// Keys on a device, with values beside them where there are any, and the order to sort them in.
pub(super) struct Sort<'a, W: Word, V: Word> {
    pub(super) planner: &'a Planner,
    pub(super) cl: &'a OpenCl,
    pub(super) keys: &'a mut Buffer<W>,
    pub(super) values: Option<&'a mut Buffer<V>>,
    pub(super) flip: Flip<W>,
}

impl<W: Digits, V: Word> Sort<'_, W, V> {
    /// More keys than tiles have numbers.
    fn too_long(&self, tile: usize) -> DeviceError {
        DeviceError::TooLarge {
            what: "keys of a sort".to_owned(),
            size: self.keys.len() as u64,
            limit: u64::from(u32::MAX).saturating_mul(tile as u64),
            device: self.cl.info().label(),
        }
    }

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
