//! Stable sorts of numbers by radix, on any device: keys, keys with values, places of keys, and segments side by side.
//!
//! | file | what |
//! |---|---|
//! | `reference` | the definition |
//! | `host` | threads: the highest digits first, then those below within a cache |
//! | `device/passes` | an OpenCL device: counts, sums and places for each digit |
//! | `device/sweeps` | an OpenCL device: one launch a digit, and one tile in a launch |
//! | `words` | the instances of the host's sort |
//! | `plan` | the algorithms and their parameters |
//! | `cost` | what they count |
//! | `choice` | the choice among them |

mod choice;
mod cost;
mod device;
mod host;
mod plan;
pub(crate) mod reference;
mod words;

use manycore_device::{Buffer, Device, Executor, InPlace, OpenCl, View, Word};
use manycore_tuning::{Choice, Planner, Plans};

use crate::SortOrder;
use crate::error::SortError;
use crate::key::{Digits, Flip, Key};
use choice::{SortShape, Sorting};
use device::Sort;
pub use plan::{SortPlan, SortTile};
pub use words::{Radix, Value};

/// Stable sorts of numbers on a device.
///
/// Sorts are O(keys) for each digit of 8 to 10 bits in which keys differ; keys that are sorted cost one reading. Memory: as much
/// again as keys and values have, and on OpenCL devices 256 counts of 4 bytes for each tile of 2048 to 4096 keys.
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
    chosen: Plans<SortShape, SortPlan>,
}

impl Sorter {
    /// Sorts on this device.
    pub fn new(device: &Device) -> Self {
        Self { planner: Planner::new(device), asked: None, chosen: Plans::default() }
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
    /// [`SortError::Device`] for memory of another device, and where memory is short.
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
    pub fn argsort<K: Key>(&self, keys: &[K], order: SortOrder) -> Result<Vec<u32>, SortError> {
        let keys = self.device().upload(keys)?;
        Ok(self.argsort_of(&keys, order)?.download()?)
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
        let len = u32::try_from(keys.len()).map_err(|_| SortError::Places { keys: keys.len() })?;
        let mut copy = device.scratch::<K>(keys.len())?;
        manycore_device::ViewMut::from(&mut copy).copy_from(keys)?;
        let mut places = device.upload(&(0..len).collect::<Vec<u32>>())?;
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
    pub fn first<K: Key>(&self, keys: &[K], count: usize, order: SortOrder) -> Result<Vec<K>, SortError> {
        let count = count.min(keys.len());
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
        let mut low = self.device().upload(&keys.iter().map(|&key| key as u64).collect::<Vec<_>>())?;
        let mut high = self.device().upload(&keys.iter().map(|&key| (key >> 64) as u64).collect::<Vec<_>>())?;
        self.sort_pairs(&mut low, &mut high, order)?;
        self.sort_pairs(&mut high, &mut low, order)?;
        for ((key, high), low) in keys.iter_mut().zip(high.download()?).zip(low.download()?) {
            *key = u128::from(high) << 64 | u128::from(low);
        }
        Ok(())
    }

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

    fn sort_in<K: Key, V: Value>(
        &self,
        keys: InPlace<'_, K>,
        values: Option<InPlace<'_, V>>,
        order: SortOrder,
    ) -> Result<(), SortError> {
        let (flip, device) = (flip::<K>(order), self.device());
        if let Some(values) = &values {
            device.accepts(values)?;
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
