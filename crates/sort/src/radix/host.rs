//! Radix sort on the host, stable: keys are shared out by their highest digit until a part fits a cache, and parts are sorted there
//! by their digits from the lowest (Knuth, The Art of Computer Programming, volume 3, section 5.2.5).

use manycore_device::Team;

use super::lines::{Lines, Payload};
use crate::digits::{Digits, Flip};

/// Bytes of keys and values that are sorted where they are, within a core's second cache with their scratch memory.
const CACHED: usize = 1 << 19;
/// Bits of a digit within a cache.
const DIGIT: u32 = 11;
/// Bits of a digit of few keys, whose counters are few as well.
const SHORT_DIGIT: u32 = 8;
/// Bits of a digit by which keys are shared out, at most.
const SHARED: u32 = 10;
/// Keys that are sorted by comparisons, at most.
pub(crate) const SHORT: usize = 64;
/// Keys of a thread's share, at least.
pub(crate) const SHARE: usize = 1 << 14;
/// Bits of a range whose keys are counted and written anew where no value goes with them.
const COUNTED: u32 = 12;

/// Keys and what goes with them.
pub(crate) struct Part<'a, W, V> {
    pub(crate) keys: &'a mut [W],
    pub(crate) values: &'a mut [V],
}

impl<W, V> Part<'_, W, V> {
    pub(crate) fn split_at(self, at: usize) -> (Self, Self) {
        let (keys, later_keys) = self.keys.split_at_mut(at);
        let (values, later_values) = self.values.split_at_mut(at);
        (Self { keys, values }, Part { keys: later_keys, values: later_values })
    }

    pub(crate) fn reborrow(&mut self) -> Part<'_, W, V> {
        Part { keys: self.keys, values: self.values }
    }
}

/// What of its keys is sorted by: bits of `image - least`.
#[derive(Clone, Copy)]
struct Digit<W> {
    flip: Flip<W>,
    least: W,
    /// Bits that are yet to be sorted by, the lowest ones.
    bits: u32,
}

impl<W: Digits> Digit<W> {
    #[inline]
    fn at(&self, key: W, shift: u32, mask: u32) -> usize {
        (key.image(self.flip).digit(self.least, shift) & mask) as usize
    }
}

/// Sorts keys with what goes with them, by all threads of a team; `scratch` is as long.
pub(crate) fn sort<'a, W: Digits, V: Payload>(
    team: Team<'_>,
    mut data: Part<'a, W, V>,
    scratch: Part<'a, W, V>,
    flip: Flip<W>,
) {
    let len = data.keys.len();
    let team = team.only_if(len >= 2 * SHARE);
    if len <= 1 {
        return;
    }
    if len <= SHORT {
        return insert(&mut data, flip);
    }
    let Some((least, most)) = survey(team, data.keys, flip) else { return };
    let bits = 64 - (most.to_u64() - least.to_u64()).leading_zeros();
    let digit = Digit { flip, least, bits };
    if size_of::<V>() == 0 && bits <= COUNTED && len >> bits > 0 {
        return count(team, data.keys, digit);
    }
    by_digits(team, data, scratch, digit, false);
}

/// The least and the greatest image; `None` where the keys are sorted.
fn survey<W: Digits>(team: Team<'_>, keys: &[W], flip: Flip<W>) -> Option<(W, W)> {
    let share = share(team, keys.len());
    let mut found = vec![(W::ONES, W::of_u64(0), true); keys.len().div_ceil(share)];
    team.each(keys.chunks(share).zip(&mut found), |(keys, found)| {
        let fold = |(least, most): (W, W), &key: &W| {
            let image = key.image(flip);
            (least.min(image), most.max(image))
        };
        let (least, most) = keys.iter().fold((W::ONES, W::of_u64(0)), fold);
        *found = (least, most, keys.is_sorted_by_key(|key| key.image(flip)));
    });
    let is_sorted = found.iter().all(|part| part.2) && found.windows(2).all(|pair| pair[0].1 <= pair[1].0);
    let least = found.iter().map(|part| part.0).min()?;
    let most = found.iter().map(|part| part.1).max()?;
    (!is_sorted).then_some((least, most))
}

/// Counts keys, and writes them anew: equal keys are the same.
fn count<W: Digits>(team: Team<'_>, keys: &mut [W], digit: Digit<W>) {
    let share = share(team, keys.len());
    let mut counts = vec![vec![0usize; 1 << digit.bits]; keys.len().div_ceil(share)];
    team.each(keys.chunks(share).zip(&mut counts), |(keys, counts)| {
        for &key in keys {
            counts[digit.at(key, 0, u32::MAX)] += 1;
        }
    });
    let mut rest = keys;
    let runs = (0..1u64 << digit.bits).map(|value| {
        let count = counts.iter().map(|counts| counts[value as usize]).sum();
        let (run, later) = std::mem::take(&mut rest).split_at_mut(count);
        rest = later;
        (run, W::of_u64(digit.least.to_u64().wrapping_add(value)).key_of(digit.flip))
    });
    let runs: Vec<_> = runs.filter(|(run, _)| !run.is_empty()).collect();
    team.each(runs, |(run, key)| run.fill(key));
}

/// Sorts `data` by the digit's bits, into itself or into `other`.
fn by_digits<'a, W: Digits, V: Payload>(
    team: Team<'_>,
    mut data: Part<'a, W, V>,
    mut other: Part<'a, W, V>,
    digit: Digit<W>,
    into_other: bool,
) {
    let len = data.keys.len();
    let bytes = len * (size_of::<W>() + size_of::<V>());
    if len <= SHORT || digit.bits == 0 {
        if digit.bits > 0 {
            insert(&mut data, digit.flip);
        }
        if into_other {
            copy(team, &data, &mut other);
        }
        return;
    }
    if bytes <= CACHED {
        return in_cache(data, other, digit, into_other);
    }
    let parts = (bytes.div_ceil(CACHED / 2)).next_power_of_two().ilog2();
    let width = parts.clamp(1, SHARED).min(digit.bits);
    let shares = counts_of_shares(team, data.keys, digit, width);
    let counts: Vec<usize> = (0..1 << width).map(|value| shares.iter().map(|counts| counts[value]).sum()).collect();
    if counts.contains(&len) {
        return by_digits(team, data, other, Digit { bits: digit.bits - width, ..digit }, into_other);
    }
    share_out(team, &data, &mut other, digit, width, &shares);
    // Parts of both, and their results in the one that the whole was to be in.
    let rest = Digit { bits: digit.bits - width, ..digit };
    let mut pairs = Vec::new();
    for &count in &counts {
        let (part, later) = data.split_at(count);
        let (part_of_other, later_of_other) = other.split_at(count);
        (data, other) = (later, later_of_other);
        if count > 0 {
            pairs.push((part_of_other, part));
        }
    }
    let is_large = |pair: &(Part<'_, W, V>, _)| pair.0.keys.len() > (len / (4 * team.threads())).max(SHARE);
    let (large, small): (Vec<_>, Vec<_>) = pairs.into_iter().partition(|pair| !team.is_alone() && is_large(pair));
    for (part, other) in large {
        by_digits(team, part, other, rest, !into_other);
    }
    team.each(small, |(part, other)| by_digits(Team::ALONE, part, other, rest, !into_other));
}

/// Copies keys and what goes with them, by all threads.
pub(crate) fn copy<W: Digits, V: Payload>(team: Team<'_>, from: &Part<'_, W, V>, to: &mut Part<'_, W, V>) {
    let share = share(team, from.keys.len());
    team.each(from.keys.chunks(share).zip(to.keys.chunks_mut(share)), |(from, to)| to.copy_from_slice(from));
    if size_of::<V>() > 0 {
        team.each(from.values.chunks(share).zip(to.values.chunks_mut(share)), |(from, to)| to.copy_from_slice(from));
    }
}

/// How many keys each share has of each value of the highest `width` bits.
fn counts_of_shares<W: Digits>(team: Team<'_>, keys: &[W], digit: Digit<W>, width: u32) -> Vec<Vec<usize>> {
    let (shift, mask) = (digit.bits - width, (1 << width) - 1);
    let share = share(team, keys.len());
    let mut counts = vec![vec![0usize; 1 << width]; keys.len().div_ceil(share)];
    team.each(keys.chunks(share).zip(&mut counts), |(keys, counts)| {
        for &key in keys {
            counts[digit.at(key, shift, mask)] += 1;
        }
    });
    counts
}

/// Keys of a thread's share.
pub(crate) fn share(team: Team<'_>, len: usize) -> usize {
    len.div_ceil(team.threads()).max(SHARE)
}

/// Writes keys in the order of their highest `width` bits, those of equal digits in the order in which they stand.
fn share_out<W: Digits, V: Payload>(
    team: Team<'_>,
    from: &Part<'_, W, V>,
    to: &mut Part<'_, W, V>,
    digit: Digit<W>,
    width: u32,
    counts: &[Vec<usize>],
) {
    let (shift, mask) = (digit.bits - width, (1 << width) - 1);
    let share = share(team, from.keys.len());
    let targets = targets(to.keys, counts).into_iter().zip(targets(to.values, counts));
    let shares = from.keys.chunks(share).zip(from.values.chunks(share));
    team.each(shares.zip(targets), |((keys, values), (of_keys, of_values))| {
        let mut lines = Lines::new(of_keys.into_iter().zip(of_values).collect());
        for (&key, &value) in keys.iter().zip(values) {
            lines.push(digit.at(key, shift, mask), key, value);
        }
        lines.finish();
    });
}

/// For each share and digit the part of memory that its keys go to.
pub(crate) fn targets<'a, T>(mut to: &'a mut [T], counts: &[Vec<usize>]) -> Vec<Vec<&'a mut [T]>> {
    let digits = counts.first().map_or(0, Vec::len);
    let mut targets: Vec<Vec<&'a mut [T]>> = counts.iter().map(|_| Vec::with_capacity(digits)).collect();
    for value in 0..digits {
        for (targets, counts) in targets.iter_mut().zip(counts) {
            let (run, later) = to.split_at_mut(counts[value]);
            targets.push(run);
            to = later;
        }
    }
    targets
}

/// Sorts by digits from the lowest, by one thread.
fn in_cache<'a, W: Digits, V: Payload>(
    mut data: Part<'a, W, V>,
    mut other: Part<'a, W, V>,
    digit: Digit<W>,
    into_other: bool,
) {
    // Digits as wide as counters of few keys allow.
    let widest = (data.keys.len().ilog2().saturating_sub(2)).clamp(SHORT_DIGIT, DIGIT);
    let passes = digit.bits.div_ceil(widest);
    let width = digit.bits.div_ceil(passes);
    let mut is_in_other = false;
    let mut counts = [0u32; 1 << DIGIT];
    for pass in 0..passes {
        let (shift, mask) = (pass * width, (1 << width.min(digit.bits - pass * width)) - 1);
        let at = |key: W| digit.at(key, shift, mask) % (1 << DIGIT);
        let (from, to) = if is_in_other { (&mut other, &mut data) } else { (&mut data, &mut other) };
        counts[..1 << width].fill(0);
        for &key in from.keys.iter() {
            counts[at(key)] += 1;
        }
        if counts[..1 << width].contains(&(from.keys.len() as u32)) {
            continue; // one digit for all
        }
        let mut sum = 0;
        for count in &mut counts[..1 << width] {
            sum += std::mem::replace(count, sum);
        }
        for (i, &key) in from.keys.iter().enumerate() {
            let count = &mut counts[at(key)];
            if let Some(place) = to.keys.get_mut(*count as usize) {
                *place = key;
            }
            if size_of::<V>() > 0
                && let (Some(place), Some(&value)) = (to.values.get_mut(*count as usize), from.values.get(i))
            {
                *place = value;
            }
            *count += 1;
        }
        is_in_other = !is_in_other;
    }
    if is_in_other != into_other {
        let (from, to) = if is_in_other { (&other, &mut data) } else { (&data, &mut other) };
        copy(Team::ALONE, from, to);
    }
}

/// Insertion from the left.
pub(crate) fn insert<W: Digits, V: Payload>(data: &mut Part<'_, W, V>, flip: Flip<W>) {
    let Part { keys, values } = data.reborrow();
    for i in 1..keys.len() {
        let (key, value) = (keys[i], values[i]);
        let image = key.image(flip);
        let mut at = i;
        while at > 0 && keys[at - 1].image(flip) > image {
            keys[at] = keys[at - 1];
            values[at] = values[at - 1];
            at -= 1;
        }
        keys[at] = key;
        values[at] = value;
    }
}
