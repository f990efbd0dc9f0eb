//! The data of a sort on an OpenCL device.

use manycore_device::{Buffer, DeviceError, OpenCl, Word};
use manycore_tuning::Planner;

use crate::digits::{Digits, Flip};

/// Keys on a device, with values beside them where there are any, and the order to sort them in.
pub(crate) struct Sort<'a, W: Word, V: Word> {
    pub(crate) planner: &'a Planner,
    pub(crate) cl: &'a OpenCl,
    pub(crate) keys: &'a mut Buffer<W>,
    pub(crate) values: Option<&'a mut Buffer<V>>,
    pub(crate) flip: Flip<W>,
}

impl<W: Digits, V: Word> Sort<'_, W, V> {
    /// More keys than tiles have numbers.
    pub(super) fn too_long(&self, tile: usize) -> DeviceError {
        DeviceError::TooLarge {
            what: "keys of a sort".to_owned(),
            size: self.keys.len() as u64,
            limit: u64::from(u32::MAX).saturating_mul(tile as u64),
            device: self.cl.info().label(),
        }
    }
}
