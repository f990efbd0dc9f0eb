//! Blocks of sorts past the memory of a device: how many keys fit.

use manycore_device::{DeviceKind, Executor, OpenCl, most_fitting};

use super::device::extent::scratch_bytes;
use super::device::passes_tile;
use super::plan::{SortPlan, SortTile};
use super::sorter::Sorter;
use crate::error::SortError;

/// Keys of the smallest block.
const SMALLEST: usize = 256;
/// Bytes of the smaller buffers of a sort, with what a pool rounds up.
const SMALL_BYTES: u64 = 1 << 15;

impl Sorter {
    /// Sorts in at most so many bytes of an OpenCL device's memory at a time: in all of it where none are given. They hold what a sort
    /// allocates: keys, values and places that come from the host, and as much again. Longer sorts are done in blocks
    /// that come and go on several lanes, and once more in ranges of the result out of all blocks, with the same results.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_sort::{SortOrder, Sorter};
    /// let mut keys: Vec<u32> = (0..100_000u32).map(|i| i.wrapping_mul(2_654_435_761)).collect();
    /// Sorter::new(&Device::from_env()?).memory_bytes(300_000).sort(&mut keys, SortOrder::Ascending)?;
    /// assert!(keys.is_sorted());
    /// # Ok::<(), manycore_sort::SortError>(())
    /// ```
    ///
    /// # Errors
    /// Sorts tell [`SortError::Memory`] where they do not hold a block of 256 keys.
    #[must_use]
    pub fn memory_bytes(self, bytes: u64) -> Self {
        Self { memory_bytes: Some(bytes), ..self }
    }

    /// The bytes that a sort allocates on a device, by the plan that takes most.
    fn device_bytes(&self, len: usize, bytes: (usize, usize), is_resident: bool) -> Option<u64> {
        let own = if is_resident { 0 } else { len.checked_mul(bytes.0 + bytes.1)? };
        // A plan that takes no keys at all is refused where plans are chosen.
        let is_any = |plan: &SortPlan| scratch_bytes(1, *plan, bytes).is_some();
        let mut plans: Vec<SortPlan> = self.asked.into_iter().filter(is_any).collect();
        match self.device().executor() {
            Executor::Host(_) => plans = vec![SortPlan::Host],
            Executor::OpenCl(cl) if self.asked.is_none() => {
                plans.push(SortPlan::Sweeps(SortTile::SMALLEST));
                if let Ok((group, per)) = passes_tile(cl.info(), bytes.0 + bytes.1) {
                    plans.push(SortPlan::Passes { group: group as u32, per: per as u32 });
                }
            }
            Executor::OpenCl(_) => {}
        }
        let mut scratch = 0;
        for plan in plans {
            scratch = scratch.max(scratch_bytes(len, plan, bytes)?);
        }
        let all = own.checked_add(scratch)? as u64;
        // Blocks of a pool are an eighth larger at most.
        all.checked_add(all / 8)?.checked_add(SMALL_BYTES)
    }

    /// The bytes that a sort may take of the device now.
    fn room(&self) -> u64 {
        let is_host = self.device().info().kind == DeviceKind::Host;
        let limit = self.memory_bytes.filter(|_| !is_host).unwrap_or(u64::MAX);
        limit.min(self.device().usable_bytes())
    }

    fn fits(&self, len: usize, bytes: (usize, usize), is_resident: bool, room: u64) -> bool {
        // Counts of tiles take two bytes a key at most.
        let widest = bytes.0.max(bytes.1).max(2) as u64;
        (len as u64).checked_mul(widest).is_some_and(|bytes| bytes <= self.device().info().largest_allocation_bytes)
            && self.device_bytes(len, bytes, is_resident).is_some_and(|bytes| bytes <= room)
    }

    /// Whether the device holds so many keys of the host, and what a sort takes beside them.
    pub(super) fn holds(&self, len: usize, bytes: (usize, usize)) -> bool {
        len <= 1 || self.fits(len, bytes, false, self.room())
    }

    /// Keys of a block, where a device does not hold all with what a sort takes beside them. Keys that are `is_resident` are on the
    /// device before.
    pub(super) fn block(
        &self,
        cl: &OpenCl,
        len: usize,
        bytes: (usize, usize),
        is_resident: bool,
    ) -> Result<Option<usize>, SortError> {
        if len <= 1 || self.fits(len, bytes, is_resident, self.room()) {
            return Ok(None);
        }
        // Memory that no buffer holds is let go of where it is missed.
        cl.trim()?;
        if self.fits(len, bytes, is_resident, self.room()) {
            return Ok(None);
        }
        let most = self.largest_block(len, bytes, 1)?;
        // Blocks of one length.
        Ok(Some(len.div_ceil(len.div_ceil(most))))
    }

    /// The most keys that the device sorts at a time, of `len`, where so many lanes do.
    pub(super) fn largest_block(&self, len: usize, bytes: (usize, usize), lanes: usize) -> Result<usize, SortError> {
        let room = self.room() / lanes as u64;
        let least = len.min(SMALLEST);
        if !self.fits(least, bytes, false, room) {
            let wanted = self.device_bytes(least, bytes, false).unwrap_or(u64::MAX);
            return Err(SortError::Memory { keys: least, wanted_bytes: wanted, limit_bytes: room });
        }
        Ok(most_fitting(least, len, |keys| self.fits(keys, bytes, false, room)))
    }
}
