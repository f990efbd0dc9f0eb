//! Counting sorts of keys below a range: the classical one, and the one of which every step works within a cache. Paper 002,
//! chapter 4: Algorithms 1, 2 and 3 as corrected; and both on all threads.

mod threads;

use manycore_device::Team;

use crate::digits::Digits;
use crate::error::SortError;

/// Keys and their places, in the order of the keys, by counting them: Algorithm 1. Stable.
///
/// O(keys + range); memory for a counter of each key of the range. Of a range far beyond a cache each key costs a miss: there
/// [`preprocess`] comes first, or [`Sorter::sort`](crate::Sorter::sort).
///
/// ```
/// let (keys, places) = manycore_sort::counting::sort(&[3u32, 1, 0, 1], 4)?;
/// assert_eq!((keys, places), (vec![0, 1, 1, 3], vec![2, 1, 3, 0]));
/// # Ok::<(), manycore_sort::SortError>(())
/// ```
///
/// # Errors
/// [`SortError::Range`] for a key that is not below the range, with its place; [`SortError::Counters`] where memory does not hold
/// the counters.
pub fn sort<K: Digits>(keys: &[K], range: u64) -> Result<(Vec<K>, Vec<usize>), SortError> {
    let places: Vec<usize> = (0..keys.len()).collect();
    threads::below(keys, range)?;
    count(keys, &places, range)
}

/// Keys and their places in groups that ascend: the same order as [`sort`]'s but for keys with the same quotient by `groups`, which
/// stand in the order in which they stood. Algorithm 2.
///
/// A step shares the keys of each part of the range out to `groups` parts of it, by counters of these alone, until parts have
/// `groups` keys of the range at most. O(keys + range / groups) a step, of which there are about `log(range) / log(groups)`. While a
/// cache of `Z` words in lines of `L` holds `groups` lines and counters, a step misses `3 keys / L` lines and those of the counters
/// (Proposition 7 as corrected); a [`sort`] of what it gives misses about as few, for its counters are used one part after the other.
///
/// ```
/// use manycore_sort::counting;
/// let keys = [7u32, 1, 4, 0, 6, 3, 2, 5];
/// assert_eq!(counting::preprocess(&keys, 8, 2)?.0, [1, 0, 3, 2, 4, 5, 7, 6]);
/// # Ok::<(), manycore_sort::SortError>(())
/// ```
///
/// # Errors
/// [`SortError::Groups`] for fewer than two groups; as [`sort`].
pub fn preprocess<K: Digits>(keys: &[K], range: u64, groups: u64) -> Result<(Vec<K>, Vec<usize>), SortError> {
    if groups < 2 {
        return Err(SortError::Groups { groups });
    }
    threads::below(keys, range)?;
    let mut from = (keys.to_vec(), (0..keys.len()).collect::<Vec<usize>>());
    let mut to = (vec![K::of_u64(0); keys.len()], vec![0; keys.len()]);
    // The least power of `groups` that is no less than the range.
    let mut width = u128::from(groups);
    while width < u128::from(range) {
        width *= u128::from(groups);
    }
    let mut counters = counters(groups, u128::from(groups))?;
    while width > u128::from(groups) {
        share_out(&from, &mut to, (width, u128::from(groups)), &mut counters);
        width /= u128::from(groups);
        std::mem::swap(&mut from, &mut to);
    }
    Ok(from)
}

/// [`sort`] after [`preprocess`].
///
/// # Errors
/// As [`preprocess`].
pub fn sort_by_groups<K: Digits>(keys: &[K], range: u64, groups: u64) -> Result<(Vec<K>, Vec<usize>), SortError> {
    let (keys, places) = preprocess(keys, range, groups)?;
    count(&keys, &places, range)
}

/// [`sort`] by all threads of a team: the same result at any number of them.
///
/// Keys below a range of at most `2^12` are counted in a share by each thread, and go to their places from there. Of a larger range
/// the keys are shared out, by steps of Algorithm 3 of up to `2^10` groups that all threads do, to parts of at most `2^17` numbers,
/// each of which one thread sorts by Algorithm 1. O(keys) for each step, of which there are `1 + (bits(range) - 17) / 10`; memory: as much
/// again as keys and places, and some MiB a thread.
///
/// ```
/// use manycore_device::{Device, Executor};
/// let device = Device::host();
/// if let Executor::Host(pool) = device.executor() {
///     let (keys, places) = manycore_sort::counting::sort_on(pool.team(), &[3u32, 1, 0, 1], 4)?;
///     assert_eq!((keys, places), (vec![0, 1, 1, 3], vec![2, 1, 3, 0]));
/// }
/// # Ok::<(), manycore_sort::SortError>(())
/// ```
///
/// # Errors
/// [`SortError::Range`] for the first key that is not below the range.
pub fn sort_on<K: Digits>(team: Team<'_>, keys: &[K], range: u64) -> Result<(Vec<K>, Vec<usize>), SortError> {
    threads::sorted(team, keys, range, &threads::steps_of_range(range))
}

/// [`sort_by_groups`] by all threads of a team: the same result at any number of them. A step over keys of many parts is done part by
/// part, a part with many keys by all threads.
///
/// # Errors
/// As [`sort_by_groups`]; [`SortError::Counters`] where memory does not hold counters of the groups for each thread.
pub fn sort_by_groups_on<K: Digits>(
    team: Team<'_>,
    keys: &[K],
    range: u64,
    groups: u64,
) -> Result<(Vec<K>, Vec<usize>), SortError> {
    if groups < 2 {
        return Err(SortError::Groups { groups });
    }
    threads::sorted(team, keys, range, &threads::steps_by_groups(range, groups))
}

/// Algorithm 3: within each part of `width` numbers of the range, whose keys follow each other, the keys by parts of
/// `width / groups` numbers.
fn share_out<K: Digits>(
    (keys, places): &(Vec<K>, Vec<usize>),
    (to, places_to): &mut (Vec<K>, Vec<usize>),
    (width, groups): (u128, u128),
    counters: &mut [usize],
) {
    let step = width / groups;
    // Shifts in place of divisions where both are powers of two.
    let shift = step.is_power_of_two().then(|| step.trailing_zeros());
    let group = |key: K, base: u128| {
        let within = u128::from(key.to_u64()) - base;
        (match shift {
            Some(shift) => within >> shift,
            None => within / step,
        }) as usize
    };
    let mut begin = 0;
    while let Some(first) = keys.get(begin) {
        // The part that the next key is in; parts without keys cost nothing.
        let base = u128::from(first.to_u64()) / width * width;
        let part = keys[begin..].iter().take_while(|key| u128::from(key.to_u64()) < base + width).count();
        counters.fill(0);
        for &key in &keys[begin..begin + part] {
            counters[group(key, base)] += 1;
        }
        let mut sum = begin;
        for counter in counters.iter_mut() {
            sum += std::mem::replace(counter, sum);
        }
        for at in begin..begin + part {
            let place = &mut counters[group(keys[at], base)];
            (to[*place], places_to[*place]) = (keys[at], places[at]);
            *place += 1;
        }
        begin += part;
    }
}

/// Algorithm 1, of keys that are below the range.
fn count<K: Digits>(keys: &[K], places: &[usize], range: u64) -> Result<(Vec<K>, Vec<usize>), SortError> {
    let mut counters = counters(range, u128::from(range))?;
    for &key in keys {
        counters[key.to_u64() as usize] += 1;
    }
    let mut sum = 0;
    for counter in &mut counters {
        sum += std::mem::replace(counter, sum);
    }
    let (mut to, mut places_to) = (keys.to_vec(), places.to_vec());
    for (&key, &place) in keys.iter().zip(places) {
        let counter = &mut counters[key.to_u64() as usize];
        (to[*counter], places_to[*counter]) = (key, place);
        *counter += 1;
    }
    Ok((to, places_to))
}

/// `count` counters, all zero.
fn counters(range: u64, count: u128) -> Result<Vec<usize>, SortError> {
    let bytes = count * size_of::<usize>() as u128;
    threads::room(range, bytes)?;
    let refused = |reason: String| SortError::Counters { range, bytes, reason };
    let count = usize::try_from(count).map_err(|error| refused(error.to_string()))?;
    let mut counters = Vec::new();
    counters.try_reserve_exact(count).map_err(|error| refused(error.to_string()))?;
    counters.resize(count, 0);
    Ok(counters)
}
