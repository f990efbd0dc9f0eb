//! Stable sorts of numbers by radix, on any device: keys, keys with values, places of keys, and segments side by side.
//!
//! | file | what |
//! |---|---|
//! | `reference` | the definition |
//! | `host`, `lines` | threads: the highest digits first, then those below within a cache |
//! | `device/passes` | an OpenCL device: counts, sums and places for each digit |
//! | `device/sweeps` | an OpenCL device: one launch a digit, and one tile in a launch |
//! | `device/extent` | sizes of what both take |
//! | `blocks` | sorts past the memory of a device: how many keys fit |
//! | `several`, `split` | sorts in blocks on several devices or lanes: sorted blocks and one exchange |
//! | `words` | the instances of the host's sort |
//! | `plan` | the algorithms and their parameters |
//! | `cost` | what they count |
//! | `choice` | the choice among them |

mod blocks;
mod choice;
mod cost;
mod device;
pub(crate) mod host;
pub(crate) mod lines;
mod plan;
pub(crate) mod reference;
mod several;
mod split;
mod words;

use manycore_device::{Buffer, Device, Executor, InPlace, OpenCl, View, Word, zeroed_words};
use manycore_tuning::{Choice, Planner, Plans};

use crate::SortOrder;
use crate::error::SortError;
use crate::key::{Digits, Flip, Key};
use blocks::on_host;
use choice::{SortShape, Sorting};
use device::Sort;
pub use plan::{SortPlan, SortTile};
pub use several::{SharedSorter, SortBlocks};
pub use words::{Radix, Value};

/// Stable sorts of numbers on a device.
///
/// Sorts are O(keys) for each digit of 8 to 10 bits in which keys differ; keys that are sorted cost one reading.
///
/// Memory beside `n` keys of `K` bytes and values of `V` bytes, on an OpenCL device with a tile of `T` keys, 2048 to 10240 (counts of
/// sweeps have 8 bytes from `2^30` keys on, those of passes from `2^32` on):
///
/// | form | on the host | on an OpenCL device |
/// |---|---|---|
/// | [`sort`](Sorter::sort), [`sort_pairs`](Sorter::sort_pairs) | `(K + V) n` | `(K + V) n`, and `2048 n / T` bytes of counts |
/// | [`argsort`](Sorter::argsort) | `(2 K + 8) n` | `(2 K + 8) n` and counts |
/// | [`sort_segments`](Sorter::sort_segments) | `K n` | `(K + 8) n` and counts |
/// | [`first`](Sorter::first) | `K n`, and `2 K` for each that is asked for | `2 K n` and counts |
/// | [`sort_wide`](Sorter::sort_wide) | `48 n` | `32 n` and counts, `16 n` of the host |
///
/// Keys and values of the host are on the device as well while they are sorted there. What does not fit the device, or so much of it
/// as [`Sorter::memory_bytes`] grants, is sorted in blocks on several lanes, in `(K + V) n` more bytes of the host: by [`SharedSorter`],
/// which does so on several devices, too.
///
/// ```
/// use manycore_device::Device;
/// use manycore_sort::{SortOrder, Sorter};
///
/// let sorter = Sorter::new(&Device::from_env()?);
/// let mut temperatures = [21.5f32, -3.0, 17.25, -0.0, 0.0];
/// sorter.sort(&mut temperatures, SortOrder::Descending)?;
/// assert_eq!(temperatures.map(f32::to_bits), [21.5, 17.25, 0.0, -0.0, -3.0].map(f32::to_bits));
/// assert_eq!(sorter.argsort(&[30u32, 10, 20], SortOrder::Ascending)?, [1, 2, 0]);
/// # Ok::<(), manycore_sort::SortError>(())
/// ```
#[derive(Debug)]
pub struct Sorter {
    planner: Planner,
    /// The plan that was asked for.
    asked: Option<SortPlan>,
    /// Bytes of an OpenCL device that a sort may take at a time.
    memory_bytes: Option<u64>,
    chosen: Plans<SortShape, SortPlan>,
}

impl Sorter {
    /// Sorts on this device.
    pub fn new(device: &Device) -> Self {
        Self { planner: Planner::new(device), asked: None, memory_bytes: None, chosen: Plans::default() }
    }

    /// Sorts by this plan whatever the planner would choose: the same results by every plan.
    ///
    /// # Errors
    /// Sorts tell [`SortError::NoChoice`] where the plan does not suit the device or the number of keys.
    #[must_use]
    pub fn by(self, plan: SortPlan) -> Self {
        Self { asked: Some(plan), ..self }
    }

    /// The choice that is taken for so many keys `K`, alone or with values `V`: every plan with an estimate, the chosen one first, and
    /// the origin of the choice. Where the device is to be measured ([`Device::tuned`]) and this shape was not yet, the plans are
    /// measured now.
    ///
    /// # Errors
    /// [`SortError::NoChoice`] where no plan suits the device; [`SortError::Device`] where there is no memory for a measurement.
    #[inline(never)]
    pub fn explain<K: Key, V: Value>(&self, keys: usize, with_values: bool) -> Result<Choice<SortPlan>, SortError> {
        let sorting = Sorting::<K::Bits, V::Bits>::new(self, K::FLIP, with_values);
        self.planner.choice(&sorting, &keys)
    }

    /// The device.
    pub fn device(&self) -> &Device {
        self.planner.device()
    }

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
            self.device().accepts(&keys)?;
            return on_host(self.device(), keys, block, |keys| self.segments_by_blocks(keys, offsets, order, block));
        }
        self.device().in_place(
            keys,
            |pool, keys| {
                let mut scratch = self.device().scratch::<K::Bits>(keys.len())?;
                let (mut keys, mut other) = (bytemuck::cast_slice_mut(keys), scratch.host_mut()?);
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
                keys.seen_as::<K::Bits, _>(|keys| {
                    self.on_device(cl, &mut *keys, Some(&mut ids), flip)?;
                    self.on_device(cl, &mut ids, Some(keys), u32::FLIP)
                })?
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
    fn on_device<W: Radix, V: Word>(
        &self,
        cl: &OpenCl,
        keys: &mut Buffer<W>,
        values: Option<&mut Buffer<V>>,
        flip: Flip<W>,
    ) -> Result<(), SortError> {
        let len = keys.len();
        if len <= 1 {
            return Ok(());
        }
        let shape = SortShape { key: W::TYPE, value: values.is_some().then_some(V::TYPE), len };
        let with_values = values.is_some();
        let ask = |_: &SortShape| Ok(self.planner.ask(Sorting::<W, V>::new(self, flip, with_values), len));
        match values {
            None => self.chosen.run_in_place(keys, shape, ask, |&plan, keys| {
                Ok(Sort::<W, V> { planner: &self.planner, cl, keys, values: None, flip }.by(plan)?)
            }),
            Some(values) => {
                let plan = self.chosen.plan(shape, ask)?;
                Ok(Sort { planner: &self.planner, cl, keys, values: Some(values), flip }.by(plan)?)
            }
        }
    }

    #[inline(never)]
    pub(crate) fn sort_in<K: Key, V: Value>(
        &self,
        keys: InPlace<'_, K>,
        values: Option<InPlace<'_, V>>,
        order: SortOrder,
    ) -> Result<(), SortError> {
        let (flip, device) = (flip::<K>(order), self.device());
        if let Some(values) = &values {
            device.accepts(values)?;
        }
        if let Executor::OpenCl(cl) = device.executor() {
            device.accepts(&keys)?;
            let is_resident = matches!(keys, InPlace::Buffer(_)) && matches!(values, None | Some(InPlace::Buffer(_)));
            let bytes = (size_of::<K>(), if values.is_some() { size_of::<V>() } else { 0 });
            if let Some(block) = self.block(cl, keys.len(), bytes, is_resident)? {
                let shared = self.on_lanes()?;
                return on_host(device, keys, block, |keys| {
                    let keys = bytemuck::cast_slice_mut::<K, K::Bits>(keys);
                    let Some(values) = values else { return shared.exchange::<_, u32>(keys, None, flip) };
                    on_host(device, values, block, |values| {
                        shared.exchange(keys, Some(bytemuck::cast_slice_mut::<V, V::Bits>(values)), flip)
                    })
                });
            }
        }
        let Some(values) = values else {
            return device.in_place(
                keys,
                |pool, keys| K::Bits::on_host(device, pool, bytemuck::cast_slice_mut(keys), flip),
                |cl, keys| keys.seen_as::<K::Bits, _>(|keys| self.on_device::<_, u32>(cl, keys, None, flip))?,
            );
        };
        if self.planner.on_host() {
            let (keys, values) = (keys.into_host()?, values.into_host()?);
            let Executor::Host(pool) = device.executor() else { return Ok(()) };
            return V::on_host(device, pool, bytemuck::cast_slice_mut(keys), values, flip);
        }
        device.in_place(
            keys,
            |_, _| Ok(()),
            |cl, keys| {
                device.in_place(
                    values,
                    |_, _| Ok(()),
                    |_, values| {
                        values.seen_as::<V::Bits, _>(|values| {
                            keys.seen_as::<K::Bits, _>(|keys| self.on_device(cl, keys, Some(values), flip))
                        })??
                    },
                )
            },
        )
    }
}

/// The places of so many keys, which have 32 bits.
fn places(keys: usize) -> Result<Vec<u32>, SortError> {
    let last = last_place(keys)?;
    let mut places = zeroed_words::<u32>(keys)?;
    places.iter_mut().zip(0..=last).for_each(|(place, at)| *place = at);
    Ok(places)
}

/// The last place of so many keys; 0 of none.
fn last_place(keys: usize) -> Result<u32, SortError> {
    u32::try_from(keys.saturating_sub(1)).map_err(|_| SortError::Places { keys })
}

fn flip<K: Key>(order: SortOrder) -> Flip<K::Bits> {
    match order {
        SortOrder::Ascending => K::FLIP,
        SortOrder::Descending => K::FLIP.reversed(),
    }
}

/// Whether segments follow each other from the first key to the last.
pub(crate) fn segments(offsets: &[usize], keys: usize) -> Result<(), SortError> {
    let wrong = |index: usize| {
        Err(SortError::Segments { index, offset: offsets.get(index).copied().unwrap_or_default(), keys })
    };
    if offsets.first() != Some(&0) {
        return wrong(0);
    }
    if let Some(index) = offsets.windows(2).position(|pair| pair[0] > pair[1]) {
        return wrong(index + 1);
    }
    if offsets.last() != Some(&keys) {
        return wrong(offsets.len() - 1);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_end_at_two_to_the_thirty_two() {
        assert_eq!([0, 1, (1 << 31) + 1].map(|keys| last_place(keys).unwrap()), [0, 0, 1 << 31]);
        assert_eq!(last_place(1 << 32).unwrap(), u32::MAX);
        for keys in [(1 << 32) + 1, usize::MAX] {
            assert_eq!(last_place(keys).unwrap_err(), SortError::Places { keys });
        }
        assert_eq!(places(3).unwrap(), [0, 1, 2]);
        assert!(places(0).unwrap().is_empty());
    }
}
