//! Stable sorts of numbers by radix, on any device: keys, keys with values, places of keys, and segments side by side.
//!
//! | file | what |
//! |---|---|
//! | `reference` | the definition |
//! | `sorter` | the context: a device, and plans that were taken |
//! | `host`, `lines` | threads: the highest digits first, then those below within a cache |
//! | `device/passes` | an OpenCL device: counts, sums and places for each digit |
//! | `device/sweeps` | an OpenCL device: one launch a digit, and one tile in a launch |
//! | `device/extent` | sizes of what both take |
//! | `lengths` | places and segments of keys |
//! | `blocks` | sorts past the memory of a device: how many keys fit |
//! | `exchange`, `split` | sorts in blocks: sorted blocks and one exchange |
//! | `several` | sorts on several devices |
//! | `words` | the instances of the host's sort |
//! | `plan` | the algorithms and their parameters |
//! | `cost` | what they count |
//! | `choice` | the choice among them, and sorts by it |

mod blocks;
mod choice;
mod cost;
mod device;
mod exchange;
pub(crate) mod host;
pub(crate) mod lengths;
pub(crate) mod lines;
mod plan;
pub(crate) mod reference;
mod several;
pub(crate) mod sorter;
mod split;
pub(crate) mod words;

use manycore_device::{Buffer, Executor, InPlace, View};

use crate::digits::Digits as _;
use crate::error::SortError;
use crate::key::{Key, flip};
use crate::sort_order::SortOrder;
use lengths::{places, segments};
use words::by_threads;

pub use exchange::{SharedSorter, SortBlocks};
pub use plan::{SortPlan, SortTile};
pub use sorter::Sorter;
pub use words::{Radix, Value};

impl Sorter {
    /// Sorts keys in place: integers by value, floating numbers by the total order of IEEE 754.
    ///
    /// # Errors
    /// [`SortError::Device`] for memory of another device, and where memory is short; [`SortError::Memory`] where an OpenCL device
    /// does not even hold a block of 256 keys.
    pub fn sort<'a, K: Key>(&self, keys: impl Into<InPlace<'a, K>>, order: SortOrder) -> Result<(), SortError> {
        self.sort_in::<K, u32>(keys.into(), None, order)
    }

    /// Sorts keys in place, and each value with its key; values of equal keys keep their order.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_sort::{SortOrder, Sorter};
    /// let (mut keys, mut values) = ([3u8, 1, 3, 2], [10i64, 11, 12, 13]);
    /// Sorter::new(&Device::host()).sort_pairs(&mut keys, &mut values, SortOrder::Descending)?;
    /// assert_eq!((keys, values), ([3, 3, 2, 1], [10, 12, 13, 11]));
    /// # Ok::<(), manycore_sort::SortError>(())
    /// ```
    ///
    /// # Errors
    /// [`SortError::Values`] for another number of values; as [`Sorter::sort`].
    pub fn sort_pairs<'a, 'b, K: Key, V: Value>(
        &self,
        keys: impl Into<InPlace<'a, K>>,
        values: impl Into<InPlace<'b, V>>,
        order: SortOrder,
    ) -> Result<(), SortError> {
        let (keys, values) = (keys.into(), values.into());
        if keys.len() != values.len() {
            return Err(SortError::Values { keys: keys.len(), values: values.len() });
        }
        self.sort_in(keys, Some(values), order)
    }

    /// The places of keys in their order: `keys[result[i]]` ascends, or descends. Places of equal keys ascend.
    ///
    /// # Errors
    /// [`SortError::Places`] for more than `2^32` keys; as [`Sorter::sort`].
    #[inline(never)]
    pub fn argsort<K: Key>(&self, keys: &[K], order: SortOrder) -> Result<Vec<u32>, SortError> {
        if let Executor::OpenCl(cl) = self.device().executor()
            && self.block(cl, keys.len(), (size_of::<K>(), size_of::<u32>()), false)?.is_some()
        {
            let (mut copy, mut places) = (keys.to_vec(), places(keys.len())?);
            self.sort_pairs(&mut copy, &mut places, order)?;
            return Ok(places);
        }
        // The copy of the host's keys is sorted itself.
        let (mut copy, mut places) = (self.device().upload(keys)?, self.device().upload(&places(keys.len())?)?);
        self.sort_pairs(&mut copy, &mut places, order)?;
        Ok(places.download()?)
    }

    /// As [`Sorter::argsort`], of keys on the device, which stay as they are.
    ///
    /// # Errors
    /// As [`Sorter::argsort`].
    pub fn argsort_of<'a, K: Key>(
        &self,
        keys: impl Into<View<'a, K>>,
        order: SortOrder,
    ) -> Result<Buffer<u32>, SortError> {
        let (keys, device) = (keys.into(), self.device());
        let places = places(keys.len())?;
        if let Executor::OpenCl(cl) = device.executor()
            && self.block(cl, keys.len(), (size_of::<K>(), size_of::<u32>()), false)?.is_some()
        {
            device.same_as(keys.buffer().device())?;
            let (mut copy, mut places) = (keys.download()?, places);
            self.sort_pairs(&mut copy, &mut places, order)?;
            return Ok(device.upload(&places)?);
        }
        let mut copy = device.scratch::<K>(keys.len())?;
        manycore_device::ViewMut::from(&mut copy).copy_from(keys)?;
        let mut places = device.upload(&places)?;
        self.sort_in(InPlace::Buffer(&mut copy), Some(InPlace::Buffer(&mut places)), order)?;
        Ok(places)
    }

    /// Sorts each segment `offsets[i]..offsets[i + 1]` of the keys in place.
    ///
    /// # Errors
    /// [`SortError::Segments`] for offsets that do not ascend from 0 to the number of keys; as [`Sorter::sort`].
    pub fn sort_segments<'a, K: Key>(
        &self,
        keys: impl Into<InPlace<'a, K>>,
        offsets: &[usize],
        order: SortOrder,
    ) -> Result<(), SortError> {
        let keys = keys.into();
        segments(offsets, keys.len())?;
        let flip = flip::<K>(order);
        if let Executor::OpenCl(cl) = self.device().executor()
            && let Some(block) = self.block(cl, keys.len(), (size_of::<K>(), size_of::<u32>()), false)?
        {
            return self.device().on_host(keys, |keys| self.segments_by_blocks(keys, offsets, order, block));
        }
        self.device().in_place(
            keys.seen_as::<K::Bits>(),
            |pool, mut keys| {
                let mut scratch = self.device().scratch::<K::Bits>(keys.len())?;
                let mut other = scratch.host_mut()?;
                let mut parts = Vec::new();
                for bounds in offsets.windows(2) {
                    let (own, later) = keys.split_at_mut(bounds[1] - bounds[0]);
                    let (own_other, later_other) = other.split_at_mut(bounds[1] - bounds[0]);
                    (keys, other) = (later, later_other);
                    if own.len() > 1 {
                        parts.push((own, own_other));
                    }
                }
                pool.team().each(parts, |(keys, other)| K::Bits::by_one(keys, other, flip));
                Ok(())
            },
            |cl, keys| {
                // By key, then by segment.
                let of_segment = |(bounds, segment): (&[usize], u32)| vec![segment; bounds[1] - bounds[0]];
                let ids: Vec<u32> = offsets.windows(2).zip(0..).flat_map(of_segment).collect();
                let mut ids = self.device().upload(&ids)?;
                self.on_device(cl, &mut *keys, Some(&mut ids), flip)?;
                self.on_device(cl, &mut ids, Some(keys), u32::FLIP)
            },
        )
    }

    /// The first `count` keys in their order, as a sort would have them; all where there are fewer.
    ///
    /// # Errors
    /// As [`Sorter::sort`].
    #[inline(never)]
    pub fn first<K: Key>(&self, keys: &[K], count: usize, order: SortOrder) -> Result<Vec<K>, SortError> {
        let count = count.min(keys.len());
        if let Executor::OpenCl(cl) = self.device().executor()
            && let Some(block) = self.block(cl, keys.len(), (size_of::<K>(), 0), false)?
        {
            // The first of all are among the first of each block.
            let mut found = Vec::new();
            for keys in keys.chunks(block) {
                let mut own = self.device().upload(keys)?;
                self.sort(&mut own, order)?;
                found.extend(own.view(..count.min(keys.len()))?.download()?);
            }
            self.sort(&mut found, order)?;
            found.truncate(count);
            return Ok(found);
        }
        let mut all = self.device().upload(keys)?;
        if let (Executor::Host(_), Some(last)) = (self.device().executor(), count.checked_sub(1)) {
            let flip = flip::<K>(order);
            let images: &mut [K::Bits] = bytemuck::cast_slice_mut(all.host_mut()?);
            images.select_nth_unstable_by_key(last, |key| key.image(flip));
            let mut first = self.device().upload(&all.host()?[..count])?;
            self.sort(&mut first, order)?;
            return Ok(first.download()?);
        }
        self.sort(&mut all, order)?;
        Ok(all.view(..count)?.download()?)
    }

    /// Sorts integers of 128 bits in place.
    ///
    /// # Errors
    /// As [`Sorter::sort`].
    pub fn sort_wide(&self, keys: &mut [u128], order: SortOrder) -> Result<(), SortError> {
        #[allow(clippy::cast_possible_truncation)] // the lower half
        let mut low: Vec<u64> = keys.iter().map(|&key| key as u64).collect();
        let mut high: Vec<u64> = keys.iter().map(|&key| (key >> 64) as u64).collect();
        let is_past = match self.device().executor() {
            Executor::OpenCl(cl) => self.block(cl, keys.len(), (8, 8), false)?.is_some(),
            Executor::Host(_) => true,
        };
        if is_past {
            self.sort_pairs(&mut low, &mut high, order)?;
            self.sort_pairs(&mut high, &mut low, order)?;
        } else {
            let (mut lower, mut higher) = (self.device().upload(&low)?, self.device().upload(&high)?);
            self.sort_pairs(&mut lower, &mut higher, order)?;
            self.sort_pairs(&mut higher, &mut lower, order)?;
            lower.read_into(&mut low)?;
            higher.read_into(&mut high)?;
        }
        for ((key, high), low) in keys.iter_mut().zip(high).zip(low) {
            *key = u128::from(high) << 64 | u128::from(low);
        }
        Ok(())
    }

    #[inline(never)]
    pub(crate) fn sort_in<K: Key, V: Value>(
        &self,
        keys: InPlace<'_, K>,
        values: Option<InPlace<'_, V>>,
        order: SortOrder,
    ) -> Result<(), SortError> {
        let (flip, device, len) = (flip::<K>(order), self.device(), keys.len());
        device.accepts(&keys)?;
        values.iter().try_for_each(|values| device.accepts(values))?;
        let is_resident = matches!(keys, InPlace::Buffer(_)) && matches!(values, None | Some(InPlace::Buffer(_)));
        let bytes = (size_of::<K>(), if values.is_some() { size_of::<V>() } else { 0 });
        let data = (keys.seen_as::<K::Bits>(), values.map(InPlace::seen_as::<V::Bits>));
        if let Executor::OpenCl(cl) = device.executor()
            && self.block(cl, len, bytes, is_resident)?.is_some()
        {
            let shared = self.on_lanes()?;
            return device.on_host(data, |(keys, values)| shared.exchange(keys, values, flip));
        }
        device.in_place(
            data,
            |pool, data| by_threads(device, pool, data, flip),
            |cl, (keys, values)| self.on_device(cl, keys, values, flip),
        )
    }

    /// Sorts segments of keys of the host: as many at a time as a device holds, and longer ones by themselves.
    fn segments_by_blocks<K: Key>(
        &self,
        keys: &mut [K],
        offsets: &[usize],
        order: SortOrder,
        block: usize,
    ) -> Result<(), SortError> {
        let mut first = 0;
        while first + 1 < offsets.len() {
            let begin = offsets[first];
            let of_block = |&&offset: &&usize| offset - begin <= block;
            let next = (first + offsets[first + 1..].iter().take_while(of_block).count()).max(first + 1);
            let own = &mut keys[begin..offsets[next]];
            if next == first + 1 {
                self.sort(own, order)?;
            } else {
                let within: Vec<usize> = offsets[first..=next].iter().map(|offset| offset - begin).collect();
                self.sort_segments(own, &within, order)?;
            }
            first = next;
        }
        segments(offsets, keys.len())
    }
}
