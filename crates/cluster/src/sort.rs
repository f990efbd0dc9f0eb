//! Sorting over ranks by regular sampling (Shi and Schaeffer, Parallel Sorting by Regular Sampling, 1992), one exchange of all keys.

use std::cmp::Ordering;

use bytemuck::{Pod, Zeroable};
use manycore_device::Device;
use manycore_sort::{Key, SortOrder, Sorter};

use crate::error::ClusterError;
use crate::exchange::{all_gather, all_to_all};
use crate::ranks::{Ranks, part};

/// A key with the place that it came from, which orders equal keys.
#[derive(Debug, Clone, Copy, Zeroable, Pod)]
#[repr(C)]
struct Sample {
    rank: u64,
    place: u64,
}

/// Sorts the keys of all ranks: each rank gets keys that follow those of the rank before it, not more than twice its share where
/// ranks had equally many. Equal keys may be on several ranks.
///
/// Each rank sorts on its device, before and after the exchange, and sends its keys once. Floating-point keys stand in the order of
/// [`Sorter::sort`].
///
/// # Errors
/// [`ClusterError::Lost`]; [`ClusterError::Sort`]; [`ClusterError::Device`] without memory for the keys that come.
pub fn sort<K: Ordered>(
    ranks: &dyn Ranks,
    device: &Device,
    mut keys: Vec<K>,
    order: SortOrder,
) -> Result<Vec<K>, ClusterError> {
    let (rank, size) = (ranks.rank(), ranks.size());
    let sorter = Sorter::new(device);
    sorter.sort(&mut keys, order)?;
    if size == 1 {
        return Ok(keys);
    }
    let places: Vec<usize> = (0..size).filter_map(|at| part(keys.len(), size, at).next()).collect();
    let sampled: Vec<K> = places.iter().map(|&place| keys[place]).collect();
    let from: Vec<Sample> = places.iter().map(|&place| Sample { rank: rank as u64, place: place as u64 }).collect();
    let (sampled, from) = (all_gather(ranks, &sampled)?.concat(), all_gather(ranks, &from)?.concat());
    // The samples in order, equal ones by their place: a stable sort of them as they stand, rank by rank.
    let sorted = sorter.argsort(&sampled, order)?;
    let splitters: Vec<(K, Sample)> = (1..size)
        .filter_map(|at| sorted.get(part(sorted.len(), size, at).start))
        .map(|&sample| (sampled[sample as usize], from[sample as usize]))
        .collect();
    let mut start = 0;
    let mut out: Vec<Vec<K>> = Vec::with_capacity(size);
    for (key, sample) in splitters {
        let before = |other: &K| compare(other, &key, order);
        let end = match (rank as u64).cmp(&sample.rank) {
            // All equal keys of ranks before the sample's go with those below it.
            Ordering::Less => keys.partition_point(|other| before(other).is_le()),
            Ordering::Equal => sample.place as usize,
            Ordering::Greater => keys.partition_point(|other| before(other).is_lt()),
        };
        out.push(keys[start..end.max(start)].to_vec());
        start = end.max(start);
    }
    out.push(keys[start..].to_vec());
    out.resize(size, Vec::new());
    drop(keys);
    let mut keys = all_to_all(ranks, &out)?.concat();
    sorter.sort(&mut keys, order)?;
    Ok(keys)
}

/// Keys that ranks sort: integers, and floating-point numbers in their total order.
pub trait Ordered: Key + Pod + sealed::Sealed {
    #[doc(hidden)]
    fn compare(&self, other: &Self) -> Ordering;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! ordered {
    ($($key:ty: $compare:ident;)*) => {$(
        impl sealed::Sealed for $key {}

        impl Ordered for $key {
            fn compare(&self, other: &Self) -> Ordering {
                self.$compare(other)
            }
        }
    )*};
}

ordered! { u8: cmp; i8: cmp; u16: cmp; i16: cmp; u32: cmp; i32: cmp; u64: cmp; i64: cmp; f32: total_cmp; f64: total_cmp; }

/// How two keys stand in a sorted list.
fn compare<K: Ordered>(a: &K, b: &K, order: SortOrder) -> Ordering {
    let ordering = a.compare(b);
    if order == SortOrder::Descending { ordering.reverse() } else { ordering }
}
