//! Sorts past the memory of a device, and by several: sorted blocks, and one exchange (parallel sorting by regular sampling, Shi and
//! Schaeffer, 1992, with exact splitting).
//!
//! Blocks of one length are sorted in turn on whichever lane is free. Then each lane takes a range of places of the result, gathers the
//! keys that go there from all blocks, in their order, and sorts them: stable, and whatever keys are equal. Each key goes to a device and
//! back twice, while others are sorted on the other lanes; the host copies, and finds ends of runs.

use std::fmt;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use manycore_device::{Buffer, Device, DeviceError, DeviceSet, LANES, Word};

use super::sorter::Sorter;
use super::split::cut;
use super::words::{Radix, Value, by_threads};
use crate::digits::Flip;
use crate::error::SortError;

/// Keys of a block that is not cut further for the sake of more lanes: a sort of so many takes some launches and copies.
const SHARED: usize = 1 << 16;
/// Blocks of a lane, so that the last ones end together.
const TURNS: usize = 2;

/// Stable sorts of keys of the host's memory by [several devices](Sorter::over), or by one through several lanes.
#[derive(Debug)]
pub struct SharedSorter {
    pub(super) set: DeviceSet,
    /// One for each lane of each device.
    pub(super) sorters: Vec<Sorter>,
}

/// Keys, and the values that go with them where there are any.
struct Sorted<W: Word, V: Word> {
    keys: Buffer<W>,
    values: Option<Buffer<V>>,
}

/// A sorted block on the host.
type Block<W, V> = (Vec<W>, Vec<V>);

impl Sorter {
    /// The same sorter on the lanes of its device.
    pub(super) fn on_lanes(&self) -> Result<SharedSorter, SortError> {
        let set = DeviceSet::from(self.device().clone());
        SharedSorter::new(&set, &|lane| Self { asked: self.asked, memory_bytes: self.memory_bytes, ..Self::new(lane) })
    }

    /// Sorts what runs hold, one behind the other; values have the runs of their keys.
    fn sorted<W: Radix, V: Value>(
        &self,
        keys: &[&[W]],
        values: Option<&[&[V]]>,
        flip: Flip<W>,
    ) -> Result<Sorted<W, V>, SortError> {
        let device = self.device();
        let mut keys = gathered(device, keys)?;
        let mut values = values.map(|values| gathered(device, values)).transpose()?;
        device.in_place(
            (&mut keys, values.as_mut()),
            |pool, data| by_threads(device, pool, data, flip),
            |cl, (keys, values)| self.on_device(cl, keys, values, flip),
        )?;
        Ok(Sorted { keys, values })
    }
}

impl SharedSorter {
    pub(super) fn new(set: &DeviceSet, sorter: &dyn Fn(&Device) -> Sorter) -> Result<Self, SortError> {
        let sorters = set.lanes(LANES)?.devices().iter().map(sorter).collect();
        Ok(Self { set: set.clone(), sorters })
    }

    /// Sorts blocks of keys in place, and ranges of the result out of them.
    pub(super) fn runs_into<W: Radix>(&self, keys: &mut [W], sorted: &mut [W], flip: Flip<W>) -> Result<(), SortError> {
        let (set, SortBlocks { keys: block, .. }) = self.cut(keys.len(), (size_of::<W>(), 0))?;
        set.each_in_place(keys.chunks_mut(block).collect(), |lane, _, own, _| {
            // As a whole: a device that fails in between leaves the keys.
            let (made, _) = self.sorter(lane).sorted::<W, u32>(&[&**own], None, flip)?.download()?;
            own.copy_from_slice(&made);
            Ok::<(), SortError>(())
        })?;
        let runs: Vec<&[W]> = keys.chunks(block).collect();
        let outcome = self.gather::<W, u32>(&set, (&runs, None), &targets(sorted, None, block), flip);
        outcome.map_err(|error| error.unwrap_or_else(|| DeviceError::elsewhere().into()))
    }

    /// How a sort of so many keys, with values of so many bytes, is cut, and the lanes that share it.
    pub(super) fn cut(&self, len: usize, bytes: (usize, usize)) -> Result<(DeviceSet, SortBlocks), SortError> {
        let mut refused = None;
        for lanes in (0..=LANES).rev() {
            let set = self.set.lanes(lanes)?;
            let mut most: Option<usize> = None;
            for device in set.devices() {
                let of_device = set.devices().iter().filter(|other| other.info().id == device.info().id).count();
                let fitting = self.sorter(device).largest_block(len, bytes, of_device);
                match fitting {
                    Ok(keys) => most = Some(most.map_or(keys, |most| most.min(keys))),
                    Err(error) => refused = Some(error),
                }
            }
            let Some(most) = most else { continue };
            // As many as keep all lanes busy.
            let turns = if set.devices().len() > 1 { TURNS * set.devices().len() } else { 1 };
            let keys = most.min(len.div_ceil(turns).max(SHARED));
            let blocks = len.div_ceil(keys.max(1));
            return Ok((set, SortBlocks { keys: len.div_ceil(blocks.max(1)), blocks, lanes: lanes.max(1) }));
        }
        Err(refused.unwrap_or_else(|| DeviceError::elsewhere().into()))
    }

    pub(super) fn sorter(&self, lane: &Device) -> &Sorter {
        self.sorters.iter().find(|sorter| sorter.device() == lane).unwrap_or(&self.sorters[0])
    }

    /// Sorts keys of the host, with values beside them where there are any.
    pub(super) fn exchange<W: Radix, V: Value>(
        &self,
        keys: &mut [W],
        mut values: Option<&mut [V]>,
        flip: Flip<W>,
    ) -> Result<(), SortError> {
        let len = keys.len();
        if len <= 1 {
            return Ok(());
        }
        let bytes = (size_of::<W>(), values.as_ref().map_or(0, |_| size_of::<V>()));
        let (set, SortBlocks { keys: block, blocks, .. }) = self.cut(len, bytes)?;
        let of = |at: usize| at * block..((at + 1) * block).min(len);
        let mut sorted: Vec<Block<W, V>> = Vec::new();
        sorted.resize_with(blocks, Default::default);
        set.each_in_place(sorted.iter_mut().collect(), |lane, at, sorted, _| {
            let values = values.as_deref().map(|values| [&values[of(at)]]);
            let made = self.sorter(lane).sorted(&[&keys[of(at)]], values.as_ref().map(<[_; 1]>::as_slice), flip)?;
            **sorted = made.download()?;
            Ok::<(), SortError>(())
        })?;
        let outcome = if blocks > 1 {
            let targets = targets(keys, values.as_deref_mut(), block);
            let runs: Vec<&[W]> = sorted.iter().map(|(keys, _)| keys.as_slice()).collect();
            let beside: Vec<&[V]> = sorted.iter().map(|(_, values)| values.as_slice()).collect();
            self.gather(&set, (&runs, Some(&beside)), &targets, flip)
        } else {
            Err(None)
        };
        let Err(error) = outcome else { return Ok(()) };
        // One block is the result; of several all keys are there.
        for (at, (own, beside)) in sorted.into_iter().enumerate() {
            keys[of(at)].copy_from_slice(&own);
            if let Some(values) = &mut values {
                values[of(at)].copy_from_slice(&beside);
            }
        }
        error.map_or(Ok(()), Err)
    }

    /// Sorts each range of places out of the sorted runs, with values beside them where targets have any.
    fn gather<W: Radix, V: Value>(
        &self,
        set: &DeviceSet,
        (runs, beside): (&[&[W]], Option<&[&[V]]>),
        targets: &[Mutex<Target<'_, W, V>>],
        flip: Flip<W>,
    ) -> Result<(), Option<SortError>> {
        let block = runs.first().map_or(0, |run| run.len());
        let each = |sorter: &Sorter, target: &Mutex<Target<'_, W, V>>, (begin, end): (&[usize], &[usize])| {
            let keys: Vec<&[W]> = cuts(runs, begin, end);
            let mut target = target.lock().unwrap_or_else(PoisonError::into_inner);
            let values = beside.filter(|_| target.1.is_some()).map(|beside| cuts(beside, begin, end));
            let sorted = sorter.sorted(&keys, values.as_deref(), flip)?;
            sorted.keys.read_into(target.0)?;
            if let (Some(values), Some(target)) = (sorted.values, &mut target.1) {
                values.read_into(target)?;
            }
            Ok::<(), SortError>(())
        };
        let all = |lane: &Device, range: Range<usize>| {
            let sorter = self.sorter(lane);
            let mut begin = cut(runs, range.start * block, flip);
            for at in range {
                let end = cut(runs, (at + 1) * block, flip);
                each(sorter, &targets[at], (&begin, &end))?;
                begin = end;
            }
            Ok(())
        };
        set.share(targets.len(), 1, all).map(drop).map_err(Some)
    }
}

/// The blocks of a sort by several devices, or past the memory of one ([`SharedSorter::blocks`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct SortBlocks {
    /// Keys of a block, of which the last one may have fewer.
    pub keys: usize,
    /// Blocks.
    pub blocks: usize,
    /// Lanes of each OpenCL device; the host is one.
    pub lanes: usize,
}

impl fmt::Display for SortBlocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { keys, blocks, lanes } = self;
        let times = if *blocks > 1 { "twice" } else { "once" };
        write!(f, "in {blocks} blocks of {keys} keys on {lanes} lanes of each device, to which each key goes {times}")
    }
}

impl<W: Word, V: Word> Sorted<W, V> {
    fn download(&self) -> Result<Block<W, V>, SortError> {
        let values = self.values.as_ref().map(Buffer::download).transpose()?;
        Ok((self.keys.download()?, values.unwrap_or_default()))
    }
}

/// Where a range of the result goes.
type Target<'a, W, V> = (&'a mut [W], Option<&'a mut [V]>);

fn targets<'a, W, V>(keys: &'a mut [W], values: Option<&'a mut [V]>, block: usize) -> Vec<Mutex<Target<'a, W, V>>> {
    let keys = keys.chunks_mut(block);
    match values {
        None => keys.map(|keys| Mutex::new((keys, None))).collect(),
        Some(values) => {
            keys.zip(values.chunks_mut(block)).map(|(keys, values)| Mutex::new((keys, Some(values)))).collect()
        }
    }
}

/// The parts of runs between two cuts.
fn cuts<'a, T>(runs: &[&'a [T]], begin: &[usize], end: &[usize]) -> Vec<&'a [T]> {
    let parts = runs.iter().zip(begin.iter().zip(end)).map(|(run, (&begin, &end))| &run[begin..end]);
    parts.filter(|part| !part.is_empty()).collect()
}

/// Runs one behind the other in a device's memory.
fn gathered<T: Word>(device: &Device, runs: &[&[T]]) -> Result<Buffer<T>, DeviceError> {
    let mut begins = Vec::with_capacity(runs.len());
    let mut len = 0;
    for run in runs {
        begins.push(len);
        len += run.len();
    }
    let mut buffer = device.scratch(len)?;
    buffer.view_mut(..)?.write_with(|start, part| {
        let mut run = begins.partition_point(|&begin| begin <= start) - 1;
        let mut at = 0;
        while at < part.len() {
            let from = &runs[run][start + at - begins[run]..];
            let count = from.len().min(part.len() - at);
            part[at..at + count].copy_from_slice(&from[..count]);
            at += count;
            run += 1;
        }
    })?;
    Ok(buffer)
}
