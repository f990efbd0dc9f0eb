//! The common part of spectral transforms: runs of powers of two, steps one after the other, and orders.

use manycore::spectral::Direction;
use manycore::{BitOrder, Spectral};
use serde::Serialize;

use crate::failure::Failure;
use crate::random::Random;
use crate::site::Site;

/// The context of a device.
pub(crate) fn context(site: &Site) -> Result<std::rc::Rc<Spectral>, Failure> {
    site.context("spectral", || Ok::<_, Failure>(Spectral::with_machine(&site.device, site.machine())))
}

/// Runs of `2^log_len` values.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Runs {
    pub(crate) log_len: u32,
    pub(crate) count: usize,
}

impl Runs {
    /// At most `most` values; one run three times of four.
    pub(crate) fn draw(random: &mut Random, most: usize) -> Self {
        let log_len = random.log_length(most);
        let count = if random.once_in(4) { random.length((most >> log_len).min(64)) } else { 1 };
        Self { log_len, count }
    }

    pub(crate) fn len(self) -> usize {
        1 << self.log_len
    }

    pub(crate) fn values(self) -> usize {
        self.count << self.log_len
    }
}

/// A direction.
pub(crate) fn direction(random: &mut Random) -> Direction {
    if random.once_in(3) { Direction::Inverse } else { Direction::Forward }
}

/// Butterflies of one index bit after the other, each over the whole array: the textbook's form. `pair` gets the values whose
/// index bit is 0 and 1.
pub(crate) fn steps<T: Copy>(x: &mut [T], log_len: u32, pair: impl Fn(T, T) -> (T, T)) {
    for bit in 0..log_len {
        let half = 1 << bit;
        for block in x.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for (a, b) in low.iter_mut().zip(high) {
                (*a, *b) = pair(*a, *b);
            }
        }
    }
}

/// Runs with row `i` taken from place `at(i)` of the same run.
pub(crate) fn gathered<T: Copy>(x: &[T], len: usize, at: impl Fn(usize) -> usize) -> Vec<T> {
    x.chunks_exact(len).flat_map(|run| (0..len).map(|i| run[at(i)]).collect::<Vec<_>>()).collect()
}

/// Runs in the order of the variables' bits, from spectra in `order` or to them: both orders are their own inverse.
pub(crate) fn reordered<T: Copy>(x: &[T], log_len: u32, order: BitOrder) -> Vec<T> {
    gathered(x, 1 << log_len, |i| order.natural_index(i, log_len))
}

/// A polarity below `2^log_len`; 0 half of the time.
pub(crate) fn polarity(random: &mut Random, log_len: u32) -> u64 {
    let drawn = random.below(1 << log_len);
    if random.once_in(2) { 0 } else { drawn }
}
