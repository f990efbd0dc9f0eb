//! The dyadic shift over threads.

use manycore_device::{Buffer, HostPool, Word};
use rayon::prelude::*;

use crate::packed::shifted_word;

/// The bytes of a part that one thread takes, so that its start costs little beside it.
const PART_BYTES: usize = 1 << 18;

/// Exchanges `x[i]` and `x[i ^ by]`, `by` not 0.
pub(super) fn shift<T: Word>(pool: &HostPool, x: &mut Buffer<T>, by: u64) {
    in_pairs(pool, x, by, |a, b| std::mem::swap(a, b));
}

/// The same for packed bits.
pub(super) fn shift_packed(pool: &HostPool, x: &mut Buffer<u64>, by: u64) {
    let bits_by = (by & 63) as u32;
    if by >> 6 == 0 {
        let bytes = 16 * x.len() as u64;
        if let Some(words) = x.as_host_mut() {
            pool.step_on_all("dyadic_shift", bytes, 0, || {
                let part = |words: &mut [u64]| words.iter_mut().for_each(|w| *w = shifted_word(*w, bits_by));
                words.par_chunks_mut(PART_BYTES / 8).for_each(part);
            });
        }
    } else {
        in_pairs(pool, x, by >> 6, |a, b| (*a, *b) = (shifted_word(*b, bits_by), shifted_word(*a, bits_by)));
    }
}

/// Calls `exchange` for each pair of words that are `by` apart.
fn in_pairs<T: Word>(pool: &HostPool, x: &mut Buffer<T>, by: u64, exchange: impl Fn(&mut T, &mut T) + Sync) {
    let bytes = 2 * (x.len() * size_of::<T>()) as u64;
    let Some(words) = x.as_host_mut() else { return };
    let by = by as usize;
    let half = 1 << by.ilog2();
    let rest = by ^ half;
    // The pair of a block of both halves lies at the same place of the other half, but for the lower bits of the shift.
    let part = (PART_BYTES / size_of::<T>()).next_power_of_two().min(half);
    pool.step_on_all("dyadic_shift", bytes, 0, || {
        words.par_chunks_mut(2 * half).for_each(|pair| {
            let (low, high) = pair.split_at_mut(half);
            let parts = half / part;
            // The bits of the shift above a part permute the parts of the upper half.
            let mut partners: Vec<Option<&mut [T]>> = high.chunks_mut(part).map(Some).collect();
            let pairs: Vec<_> = low
                .chunks_mut(part)
                .zip(0..parts)
                .filter_map(|(low, i)| Some((low, partners[i ^ (rest / part)].take()?)))
                .collect();
            pairs.into_par_iter().for_each(|(low, high)| {
                let within = rest % part;
                if within == 0 {
                    low.iter_mut().zip(high).for_each(|(a, b)| exchange(a, b));
                } else {
                    for (i, a) in low.iter_mut().enumerate() {
                        exchange(a, &mut high[i ^ within]);
                    }
                }
            });
        });
    });
}
