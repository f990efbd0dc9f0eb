//! Sorts by several devices, or past the memory of one: by one device where it sorts all at once, else in blocks.

use manycore_device::{DeviceKind, DeviceSet, Executor, zeroed_words};

use super::device::passes_tile;
use super::exchange::{SharedSorter, SortBlocks};
use super::lengths::places;
use super::sorter::Sorter;
use super::words::Value;
use crate::error::SortError;
use crate::key::{Key, flip};
use crate::sort_order::SortOrder;

impl Sorter {
    /// Sorts by several devices together: each sorts blocks, as many as it has the speed for, of as many keys as its memory holds; then
    /// each sorts ranges of the result out of all blocks. The results are those of one device, and keys need not fit any.
    ///
    /// It pays where keys do not fit the memory of a device, or devices sort more slowly than data come to them: a GPU that holds the keys
    /// sorts them alone, in a third of the time that two take. Of blocks each key and each value
    /// goes to a device and back twice, and as much memory of the host is taken as they have.
    ///
    /// ```
    /// use manycore_device::{Device, DeviceSet};
    /// use manycore_sort::{SortOrder, Sorter};
    /// let set = DeviceSet::equal(vec![Device::from_env()?, Device::host_with(1)?])?;
    /// let mut keys: Vec<u32> = (0..300_000u32).map(|i| i.wrapping_mul(2_654_435_761)).collect();
    /// Sorter::over(&set)?.sort(&mut keys, SortOrder::Ascending)?;
    /// assert!(keys.is_sorted());
    /// # Ok::<(), manycore_sort::SortError>(())
    /// ```
    ///
    /// # Errors
    /// [`SortError::Device`] where no device has [lanes](manycore_device::Device::lanes).
    pub fn over(set: &DeviceSet) -> Result<SharedSorter, SortError> {
        SharedSorter::new(set, &Self::new)
    }
}

impl SharedSorter {
    /// Sorts in at most so many bytes of each OpenCL device's memory at a time, as [`Sorter::memory_bytes`].
    ///
    /// # Errors
    /// As there.
    #[must_use]
    pub fn memory_bytes(self, bytes: u64) -> Self {
        Self { sorters: self.sorters.into_iter().map(|sorter| sorter.memory_bytes(bytes)).collect(), ..self }
    }

    /// The devices; those that failed at work which others then did are told by [`DeviceSet::failures`].
    pub fn set(&self) -> &DeviceSet {
        &self.set
    }

    /// Sorts keys in place, as [`Sorter::sort`]. Where it fails, the keys are all there, in some order.
    ///
    /// # Errors
    /// As [`Sorter::sort`]; [`SortError::Memory`] where no device holds a block of 256 keys.
    #[inline(never)]
    pub fn sort<K: Key>(&self, keys: &mut [K], order: SortOrder) -> Result<(), SortError> {
        if let Some(sorter) = self.alone(keys.len(), (size_of::<K>(), 0))? {
            return sorter.sort(keys, order);
        }
        self.exchange::<_, u32>(bytemuck::cast_slice_mut(keys), None, flip::<K>(order))
    }

    /// Sorts keys in place, and each value with its key, as [`Sorter::sort_pairs`].
    ///
    /// # Errors
    /// [`SortError::Values`] for another number of values; as [`SharedSorter::sort`].
    pub fn sort_pairs<K: Key, V: Value>(
        &self,
        keys: &mut [K],
        values: &mut [V],
        order: SortOrder,
    ) -> Result<(), SortError> {
        if keys.len() != values.len() {
            return Err(SortError::Values { keys: keys.len(), values: values.len() });
        }
        if let Some(sorter) = self.alone(keys.len(), (size_of::<K>(), size_of::<V>()))? {
            return sorter.sort_pairs(keys, values, order);
        }
        let values: &mut [V::Bits] = bytemuck::cast_slice_mut(values);
        self.exchange(bytemuck::cast_slice_mut(keys), Some(values), flip::<K>(order))
    }

    /// Sorts `keys` into `sorted`, both of the host's memory, or of files that are mapped to it: beside them a block for each lane is
    /// taken, where [`SharedSorter::sort`] takes as much memory as there are keys. Afterwards `keys` holds the same keys in another
    /// order.
    ///
    /// ```
    /// use manycore_device::{Control, Device};
    /// use manycore_sort::{SortOrder, Sorter};
    /// let mut keys: Vec<u32> = (0..300_000u32).map(|i| i.wrapping_mul(2_654_435_761)).collect();
    /// let (mut sorted, sorter) = (vec![0; keys.len()], Sorter::over(&Device::from_env()?.into())?);
    /// Control::new().with_limit_bytes(1 << 20).run(|| sorter.sort_into(&mut keys, &mut sorted, SortOrder::Ascending))?;
    /// assert!(sorted.is_sorted());
    /// # Ok::<(), manycore_sort::SortError>(())
    /// ```
    ///
    /// # Errors
    /// [`SortError::Room`] for another number of sorted keys; as [`SharedSorter::sort`].
    #[inline(never)]
    pub fn sort_into<K: Key>(&self, keys: &mut [K], sorted: &mut [K], order: SortOrder) -> Result<(), SortError> {
        if keys.len() != sorted.len() {
            return Err(SortError::Room { keys: keys.len(), room: sorted.len() });
        }
        if keys.len() <= 1 {
            sorted.copy_from_slice(keys);
            return Ok(());
        }
        if let Some(sorter) = self.alone(keys.len(), (size_of::<K>(), 0))? {
            sorted.copy_from_slice(keys);
            return sorter.sort(sorted, order);
        }
        self.runs_into(bytemuck::cast_slice_mut(keys), bytemuck::cast_slice_mut(sorted), flip::<K>(order))
    }

    /// The places of keys in their order, as [`Sorter::argsort`].
    ///
    /// # Errors
    /// As [`Sorter::argsort`] and [`SharedSorter::sort`].
    #[inline(never)]
    pub fn argsort<K: Key>(&self, keys: &[K], order: SortOrder) -> Result<Vec<u32>, SortError> {
        let mut places = places(keys.len())?;
        let mut copy = zeroed_words::<K>(keys.len())?;
        copy.copy_from_slice(keys);
        self.sort_pairs(&mut copy, &mut places, order)?;
        Ok(places)
    }

    /// The blocks in which so many keys `K`, alone or with values `V`, are sorted, as memory is now and under the caller's
    /// [`Control`](manycore_device::Control); `None` where one device sorts them at once.
    ///
    /// ```
    /// use manycore_device::{Control, Device};
    /// use manycore_sort::Sorter;
    /// let sorter = Sorter::over(&Device::from_env()?.into())?;
    /// match Control::new().with_limit_bytes(1 << 20).run(|| sorter.blocks::<u32, u32>(1 << 20, false))? {
    ///     Some(blocks) => println!("{blocks}"), // in ... blocks of ... keys on ... lanes of each device, ...
    ///     None => println!("at once"),
    /// }
    /// # Ok::<(), manycore_sort::SortError>(())
    /// ```
    ///
    /// # Errors
    /// [`SortError::Memory`] where no device holds a block of 256 keys.
    #[inline(never)]
    pub fn blocks<K: Key, V: Value>(&self, keys: usize, with_values: bool) -> Result<Option<SortBlocks>, SortError> {
        let bytes = (size_of::<K>(), if with_values { size_of::<V>() } else { 0 });
        let is_whole = keys <= 1 || self.alone(keys, bytes)?.is_some();
        if is_whole { Ok(None) } else { Ok(Some(self.cut(keys, bytes)?.1)) }
    }

    /// The sorter of a device that sorts so many keys, with values of so many bytes, alone: it is the only one and holds them, or it is a
    /// GPU that does, to which keys come more slowly than it sorts them.
    fn alone(&self, len: usize, bytes: (usize, usize)) -> Result<Option<&Sorter>, SortError> {
        let devices = self.set.devices();
        for device in devices.iter().filter(|device| devices.len() == 1 || device.info().kind == DeviceKind::Gpu) {
            let sorter = self.sorter(device);
            let is_whole = match device.executor() {
                Executor::OpenCl(cl) if devices.len() == 1 => sorter.block(cl, len, bytes, false)?.is_none(),
                // One that can sort nothing leaves it to the others.
                Executor::OpenCl(cl) => sorter.holds(len, bytes) && passes_tile(cl.info(), bytes.0 + bytes.1).is_ok(),
                Executor::Host(_) => sorter.holds(len, bytes),
            };
            if is_whole {
                return Ok(Some(sorter));
            }
        }
        Ok(None)
    }
}
