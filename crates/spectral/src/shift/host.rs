//! The dyadic shift over threads.

use manycore_device::{HostPool, Word};

use crate::packed::word::shifted_word;

/// The bytes of a part that one thread takes, so that its start costs little beside it.
const PART_BYTES: usize = 1 << 18;

/// Exchanges `x[i]` and `x[i ^ by]`, `by` not 0.
pub(super) fn shift<T: Word>(pool: &HostPool, x: &mut [T], by: u64) {
    in_pairs(pool, x, by, |a, b| std::mem::swap(a, b));
}

/// Shifts packed bits.
pub(super) fn shift_packed(pool: &HostPool, words: &mut [u64], by: u64) {
    let bits_by = (by & 63) as u32;
    if by >> 6 == 0 {
        let bytes = 16 * words.len() as u64;
        let part = |words: &mut [u64]| words.iter_mut().for_each(|w| *w = shifted_word(*w, bits_by));
        pool.step("dyadic_shift", bytes, 0, || pool.team().each(words.chunks_mut(PART_BYTES / 8), part));
    } else {
        in_pairs(pool, words, by >> 6, |a, b| (*a, *b) = (shifted_word(*b, bits_by), shifted_word(*a, bits_by)));
    }
}

/// Calls `exchange` for each pair of words that are `by` apart.
fn in_pairs<T: Word>(pool: &HostPool, words: &mut [T], by: u64, exchange: impl Fn(&mut T, &mut T) + Sync) {
    let bytes = 2 * size_of_val(words) as u64;
    let by = by as usize;
    let half = 1 << by.ilog2();
    let rest = by ^ half;
    let part = (PART_BYTES / size_of::<T>()).next_power_of_two();
    pool.step("dyadic_shift", bytes, 0, || {
        if half < part {
            pool.team().each(words.chunks_mut(part), |words| {
                for pair in words.chunks_exact_mut(2 * half) {
                    let (low, high) = pair.split_at_mut(half);
                    between(low, high, rest, &exchange);
                }
            });
            return;
        }
        let pairs = words.chunks_exact_mut(2 * half).flat_map(|pair| {
            let (low, high) = pair.split_at_mut(half);
            // The bits of the shift above a part permute the parts of the upper half.
            let mut partners: Vec<Option<&mut [T]>> = high.chunks_exact_mut(part).map(Some).collect();
            let lows = low.chunks_exact_mut(part).enumerate();
            lows.filter_map(move |(i, low)| Some((low, partners[i ^ (rest / part)].take()?)))
        });
        pool.team().each(pairs, |(low, high)| between(low, high, rest % part, &exchange));
    });
}

/// Calls `exchange` for each word of `low` and its partner, whose place in `high` is the word's place in `low`, changed by `within`.
fn between<T>(low: &mut [T], high: &mut [T], within: usize, exchange: impl Fn(&mut T, &mut T)) {
    if within == 0 {
        low.iter_mut().zip(high).for_each(|(a, b)| exchange(a, b));
    } else {
        for (i, a) in low.iter_mut().enumerate() {
            exchange(a, &mut high[i ^ within]);
        }
    }
}
