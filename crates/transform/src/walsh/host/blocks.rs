//! Contiguous blocks: every transform, or part of one, that fits the second-level cache.

use std::mem::size_of;

use super::butterfly::{Rows, columns, log_tile, tiles};
use super::vector::{Task, Vector};
use crate::scalar::Scalar;

/// The binary logarithm of the bytes of a sub-block, which passes all its stages in the first-level cache.
const LOG_FIRST_LEVEL_BYTES: u32 = 14;

/// The lowest `log_len` stages on every block of `2^log_len` values, divided by `2^scale` if given.
pub(super) struct Blocks<'a, T> {
    /// A whole number of blocks.
    pub(super) x: &'a mut [T],
    /// The binary logarithm of a block's length.
    pub(super) log_len: u32,
    /// The binary logarithm of the divisor, in the pass that completes the transform.
    pub(super) scale: Option<u32>,
}

impl<T: Scalar> Task for Blocks<'_, T> {
    type Scalar = T;

    #[inline(always)]
    unsafe fn run<V: Vector<Scalar = T>>(self) {
        // SAFETY: the caller vouches for the instruction set.
        unsafe {
            let factor = V::factor(self.scale.unwrap_or(0));
            if self.scale.is_some() {
                run::<V, true>(self.x, self.log_len, factor);
            } else {
                run::<V, false>(self.x, self.log_len, factor);
            }
        }
        if self.log_len <= log_tile::<V>() {
            let whole = self.x.len() - self.x.len() % (8 * V::LANES);
            plain(&mut self.x[whole..], self.log_len, self.scale);
        }
    }
}

/// # Safety
/// The instruction set is available.
#[inline(always)]
unsafe fn run<V: Vector, const SCALED: bool>(x: &mut [V::Scalar], log_len: u32, factor: V::Factor) {
    let start = x.as_mut_ptr();
    // SAFETY: the blocks are disjoint parts of `x`.
    unsafe {
        if log_len <= log_tile::<V>() {
            let whole = x.len() - x.len() % (8 * V::LANES);
            tiles::<V, SCALED>(log_len, start, whole, factor);
            return;
        }
        let log_first = log_len.min(LOG_FIRST_LEVEL_BYTES - size_of::<V::Scalar>().ilog2());
        let mut at = 0;
        while at < x.len() {
            let block = start.add(at);
            let mut inner = 0;
            while inner < 1 << log_len {
                let part = block.add(inner);
                tiles::<V, false>(log_tile::<V>(), part, 1 << log_first, factor);
                if log_first == log_len {
                    steps::<V, SCALED>(part, log_tile::<V>(), log_len, factor);
                } else {
                    steps::<V, false>(part, log_tile::<V>(), log_first, factor);
                }
                inner += 1 << log_first;
            }
            if log_first < log_len {
                steps::<V, SCALED>(block, log_first, log_len, factor);
            }
            at += 1 << log_len;
        }
    }
}

/// The stages from `low` up to `high` on one block of `2^high` values; the last step scales.
///
/// # Safety
/// `2^high` values from `x` on are readable and writable; a row of `2^low` values is a whole number of vectors; the
/// instruction set is available.
#[inline(always)]
pub(super) unsafe fn steps<V: Vector, const SCALED: bool>(
    x: *mut V::Scalar,
    mut low: u32,
    high: u32,
    factor: V::Factor,
) {
    while low < high {
        let log_radix = next_radix::<V>(high - low);
        let stride = 1 << low;
        let last = low + log_radix == high;
        let mut group = 0;
        while group < 1_usize << high {
            // SAFETY: the group lies in the block.
            unsafe {
                let rows = Rows { start: x.add(group), stride };
                if SCALED && last {
                    columns::<V, true>(log_radix, rows, rows, stride, factor);
                } else {
                    columns::<V, false>(log_radix, rows, rows, stride, factor);
                }
            }
            group += stride << log_radix;
        }
        low += log_radix;
    }
}

/// The radix of the next of the fewest and most even steps for `stages` stages.
pub(super) const fn next_radix<V: Vector>(stages: u32) -> u32 {
    stages.div_ceil(stages.div_ceil(V::LOG_RADIX))
}

/// The same for the few values that are less than a tile.
fn plain<T: Scalar>(x: &mut [T], log_len: u32, scale: Option<u32>) {
    for step in 0..log_len {
        for pair in x.chunks_exact_mut(2 << step) {
            let (low, high) = pair.split_at_mut(1 << step);
            for (a, b) in low.iter_mut().zip(high) {
                (*a, *b) = (a.plus(*b), a.minus(*b));
            }
        }
    }
    if let Some(log) = scale {
        for value in x {
            *value = value.divide_by_power(log);
        }
    }
}
