//! Counting sorts by all threads (paper 002, chapter 4: Algorithms 1 and 3 as corrected): a step shares the keys of a part of the range
//! out to smaller parts of it, the last step to single numbers.
//!
//! Each thread counts the keys of its share; sums over parts and shares give the places of a share's keys in a part, so that threads write
//! to memory of their own, and equal keys keep their order whatever the number of threads.

use manycore_device::{DeviceError, Team};

use crate::digits::{Digits, Flip};
use crate::error::SortError;
use crate::radix::host::{Part, SHARE, SHORT, copy, insert, share, targets};
use crate::radix::lines::{LINE, Lines};

/// Bits of a range whose keys are shared out to single numbers at once.
const SMALL: u32 = 12;
/// Bits of the groups of a step that is not the last, at most.
const GROUPS: u32 = 10;
/// Bits of the numbers of the last step, at most: their counters are within a core's second cache.
const LAST: u32 = 17;
/// Groups of which each has a line of keys on their way, at most.
const LINES: usize = 1 << GROUPS;

/// Checks that memory holds counters of `bytes` bytes.
pub(super) fn room(range: u64, bytes: u128) -> Result<(), SortError> {
    let refused = |reason: String| SortError::Counters { range, bytes, reason };
    let short = u64::try_from(bytes).map_err(|_| refused("addresses have 64 bits".to_owned()))?;
    manycore_device::host_room(short).map_err(|error| match error {
        DeviceError::Cancelled => error.into(),
        _ => refused(error.to_string()),
    })
}

/// Numbers of a part after each step of a sort of keys below a range; the last part is one number.
pub(super) fn steps_of_range(range: u64) -> Vec<u64> {
    let mut bits = u64::BITS - range.saturating_sub(1).leading_zeros();
    let mut steps = Vec::new();
    while bits > LAST || (steps.is_empty() && bits > SMALL) {
        bits -= if bits > LAST + GROUPS { GROUPS } else { GROUPS.min(bits / 2) };
        steps.push(1 << bits);
    }
    if bits > 0 || steps.is_empty() {
        steps.push(1);
    }
    steps
}

/// The steps of [`steps_of_range`], each into `groups` groups.
pub(super) fn steps_by_groups(range: u64, groups: u64) -> Vec<u64> {
    // The least power of `groups` that is no less than the range.
    let mut width = u128::from(groups);
    while width < u128::from(range) {
        width *= u128::from(groups);
    }
    let mut steps = Vec::new();
    while width > 1 {
        width /= u128::from(groups);
        // Less than the range, or 1.
        steps.push(u64::try_from(width).unwrap_or(u64::MAX));
    }
    steps
}

/// Keys below a range and their places, in order, by these steps.
pub(super) fn sorted<K: Digits>(
    team: Team<'_>,
    keys: &[K],
    range: u64,
    steps: &[u64],
) -> Result<(Vec<K>, Vec<usize>), SortError> {
    let len = keys.len();
    let team = team.only_if(len >= 2 * SHARE);
    within(team, keys, range)?;
    let mut groups = vec![range.div_ceil(steps.first().copied().unwrap_or(1))];
    groups.extend(steps.windows(2).map(|pair| pair[0].div_ceil(pair[1])));
    let most = groups.iter().copied().max().unwrap_or(1);
    let shares = len.div_ceil(share_of(team, len, usize::try_from(most).unwrap_or(usize::MAX)));
    // A counter of each, and where its keys and places go.
    let each = size_of::<usize>() + size_of::<(&mut [K], &mut [usize])>();
    room(range, u128::from(most) * (shares.max(1) * each) as u128)?;

    let mut from = (vec![K::of_u64(0); len], vec![0usize; len]);
    let mut other = (vec![K::of_u64(0); len], vec![0; len]);
    let share = share(team, len);
    let parts = keys.chunks(share).zip(from.0.chunks_mut(share)).zip(from.1.chunks_mut(share));
    team.each(parts.enumerate(), |(i, ((keys, to), places))| {
        to.copy_from_slice(keys);
        places.iter_mut().zip(i * share..).for_each(|(to, place)| *to = place);
    });
    let into_other = !steps.len().is_multiple_of(2);
    let data = Part { keys: &mut from.0, values: &mut from.1 };
    by_steps(team, data, Part { keys: &mut other.0, values: &mut other.1 }, (0, &groups, steps), into_other);
    Ok(if into_other { other } else { from })
}

/// Refuses the first key that is not below the range.
pub(super) fn below<K: Digits>(keys: &[K], range: u64) -> Result<(), SortError> {
    match keys.iter().position(|key| key.to_u64() >= range) {
        Some(index) => Err(SortError::Range { index, key: keys[index].to_u64(), range }),
        None => Ok(()),
    }
}

/// Checks that keys are below the range.
fn within<K: Digits>(team: Team<'_>, keys: &[K], range: u64) -> Result<(), SortError> {
    let share = share(team, keys.len());
    let mut found = vec![Ok(()); keys.len().div_ceil(share)];
    team.each(keys.chunks(share).zip(&mut found).enumerate(), |(i, (keys, found))| {
        *found = below(keys, range).map_err(|error| match error {
            SortError::Range { index, key, range } => SortError::Range { index: index + i * share, key, range },
            other => other,
        });
    });
    found.into_iter().collect()
}

/// Keys of a share, no fewer than it has counters.
fn share_of(team: Team<'_>, len: usize, groups: usize) -> usize {
    share(team, len).max(groups)
}

/// The group of a key in a step.
#[derive(Clone, Copy)]
struct Groups {
    base: u64,
    step: u64,
    /// In place of a division, where the step is a power of two.
    shift: Option<u32>,
    count: usize,
}

impl Groups {
    #[inline]
    fn of<K: Digits>(&self, key: K) -> usize {
        let within = key.to_u64().wrapping_sub(self.base);
        (match self.shift {
            Some(shift) => within >> shift,
            None => within / self.step,
        }) as usize
    }
}

/// Sorts the keys of the part of the range that begins at `base` by the steps that are left, with the numbers of their groups, into
/// `data` or into `other`.
fn by_steps<'a, K: Digits>(
    team: Team<'_>,
    mut data: Part<'a, K, usize>,
    mut other: Part<'a, K, usize>,
    (base, groups, steps): (u64, &[u64], &[u64]),
    into_other: bool,
) {
    let len = data.keys.len();
    let team = team.only_if(len >= 2 * SHARE);
    let (Some((&step, steps)), Some((&count, groups))) = (steps.split_first(), groups.split_first()) else {
        if into_other {
            copy(team, &data, &mut other);
        }
        return;
    };
    if len <= SHORT {
        insert(&mut data, Flip { other: K::of_u64(0), difference: K::of_u64(0) });
        if into_other {
            copy(team, &data, &mut other);
        }
        return;
    }
    let shift = step.is_power_of_two().then(|| step.trailing_zeros());
    let of = Groups { base, step, shift, count: count as usize };
    let share = share_of(team, len, of.count);
    let mut shares = vec![vec![0usize; of.count]; len.div_ceil(share)];
    team.each(data.keys.chunks(share).zip(&mut shares), |(keys, counts)| {
        for &key in keys {
            counts[of.of(key)] += 1;
        }
    });
    let counts: Vec<usize> = match &shares[..] {
        [counts] => counts.clone(),
        _ => (0..of.count).map(|group| shares.iter().map(|counts| counts[group]).sum()).collect(),
    };
    let begin = |group: usize| base.saturating_add((group as u64).saturating_mul(step));
    if let Some(group) = counts.iter().position(|&count| count == len) {
        return by_steps(team, data, other, (begin(group), groups, steps), into_other);
    }
    write(team, &data, &mut other, of, share, &mut shares);
    if steps.is_empty() {
        if !into_other {
            copy(team, &other, &mut data);
        }
        return;
    }
    // Parts of both, and their results in the one that the whole was to be in.
    let mut parts = Vec::new();
    for (group, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        let (part, later) = data.split_at(count);
        let (part_of_other, later_of_other) = other.split_at(count);
        (data, other) = (later, later_of_other);
        parts.push((group, part_of_other, part));
    }
    let is_large =
        |(_, part, _): &(usize, Part<'_, K, usize>, _)| part.keys.len() > (len / (4 * team.threads())).max(SHARE);
    let (large, small): (Vec<_>, Vec<_>) = parts.into_iter().partition(|part| !team.is_alone() && is_large(part));
    for (group, part, other) in large {
        by_steps(team, part, other, (begin(group), groups, steps), !into_other);
    }
    team.each(small, |(group, part, other)| {
        by_steps(Team::ALONE, part, other, (begin(group), groups, steps), !into_other);
    });
}

/// Writes keys and places in the order of groups, those of a group in the order in which they stand; `shares` has the counts of each
/// share's keys in each group.
fn write<K: Digits>(
    team: Team<'_>,
    from: &Part<'_, K, usize>,
    to: &mut Part<'_, K, usize>,
    of: Groups,
    share: usize,
    shares: &mut [Vec<usize>],
) {
    let has_lines = of.count <= LINES && from.keys.len() / shares.len().max(1) >= LINE * of.count;
    if let ([counts], false) = (&mut *shares, has_lines) {
        let mut sum = 0;
        for count in counts.iter_mut() {
            sum += std::mem::replace(count, sum);
        }
        for (&key, &place) in from.keys.iter().zip(from.values.iter()) {
            let at = &mut counts[of.of(key)];
            (to.keys[*at], to.values[*at]) = (key, place);
            *at += 1;
        }
        return;
    }
    let targets = targets(to.keys, shares).into_iter().zip(targets(to.values, shares));
    let parts = from.keys.chunks(share).zip(from.values.chunks(share));
    team.each(parts.zip(targets), |((keys, values), (of_keys, of_values))| {
        let mut targets: Vec<(&mut [K], &mut [usize])> = of_keys.into_iter().zip(of_values).collect();
        let all = keys.iter().zip(values);
        if has_lines {
            let mut lines = Lines::new(targets);
            all.for_each(|(&key, &place)| lines.push(of.of(key), key, place));
            return lines.finish();
        }
        for (&key, &place) in all {
            let (keys, places) = &mut targets[of.of(key)];
            if let (Some((to, keys_left)), Some((to_place, places_left))) =
                (std::mem::take(keys).split_first_mut(), std::mem::take(places).split_first_mut())
            {
                (*to, *to_place) = (key, place);
                (*keys, *places) = (keys_left, places_left);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_end_at_single_numbers() {
        assert_eq!(steps_of_range(0), [1]);
        assert_eq!(steps_of_range(1 << 12), [1]);
        assert_eq!(steps_of_range((1 << 12) + 1), [1 << 7, 1]);
        assert_eq!(steps_of_range(100_000_000), [1 << 17, 1]);
        assert_eq!(steps_of_range(u64::MAX), [1 << 54, 1 << 44, 1 << 34, 1 << 24, 1 << 14, 1]);
        assert_eq!(steps_by_groups(0, 2), [1]);
        assert_eq!(steps_by_groups(1000, 10), [100, 10, 1]);
        assert_eq!(steps_by_groups(1001, 10), [1000, 100, 10, 1]);
        assert_eq!(steps_by_groups(u64::MAX, u64::MAX), [1]);
        assert_eq!(steps_by_groups(u64::MAX, 1 << 63), [1 << 63, 1]);
    }
}
