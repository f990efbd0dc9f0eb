//! Contiguous blocks: every transform, or part of one, that one thread does while it is in the caches.
//!
//! A block is done depth first: as soon as all parts of a step's rows are done, so is the step, while they are still in
//! the smallest cache that holds them. No cache's size need be known but the first one's.
//!
//! ```text
//!  parts   0  1  2  3  4  5  6  7 | 8 ...
//!          ----------------------   the first 8 parts, each in the first-level cache
//!                     step 1        their columns, in the second-level cache; then parts 8 to 15, step 1, ...
//!                     step 2        after 64 parts: the columns of the results of 8 of step 1
//! ```

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
use std::mem::size_of;

use super::butterfly::{Columns, Rows, columns, log_tile, tiles, tiles_of};
use super::vector::{Task, Vector, apart};
use crate::number::Number;

/// The binary logarithm of the bytes of a part, which passes all its stages in the first-level cache.
pub(crate) const LOG_FIRST_LEVEL_BYTES: u32 = 14;
/// The binary logarithm of the largest radix for rows a large power of two apart: they fall into one set of every
/// cache, and many a first-level cache has eight ways. Sixteen such rows take three times as long as eight.
pub(crate) const LOG_FAR_RADIX: u32 = 3;
/// The bytes that are taken to stay in the second-level cache.
const SECOND_LEVEL_BYTES: usize = 1 << 18;
/// The bytes of a cache line.
const LINE_BYTES: usize = 64;

/// The lowest `log_len` stages on every block of `2^log_len` values, divided by `2^scale` if given.
pub(super) struct Blocks<'a, T> {
    /// A whole number of blocks.
    pub(super) x: &'a mut [T],
    /// The binary logarithm of a block's length.
    pub(super) log_len: u32,
    /// The binary logarithm of the divisor, in the pass that completes the transform.
    pub(super) scale: Option<u32>,
}

impl<T: Number> Task for Blocks<'_, T> {
    type Scalar = T;

    #[inline(always)]
    unsafe fn run<V: Vector<Scalar = T>>(self) {
        assert!(self.x.len().is_multiple_of(1 << self.log_len), "whole blocks of 2^{}", self.log_len);
        // SAFETY: the caller vouches for the instruction set; the values are whole blocks, or whole tiles.
        unsafe {
            if self.log_len > log_tile::<V>() {
                return run::<V>(self.x, self.log_len, self.scale);
            }
            let (start, whole) = (self.x.as_mut_ptr(), self.x.len() - self.x.len() % (8 * V::LANES));
            let factor = V::factor(self.scale.unwrap_or(0));
            if V::SCALES && self.scale.is_some() {
                tiles::<V, true>(self.log_len, start, whole, factor);
            } else {
                tiles::<V, false>(self.log_len, start, whole, factor);
            }
            plain::<V>(&mut self.x[whole..], self.log_len, self.scale);
        }
    }
}

/// Blocks longer than a tile.
///
/// # Safety
/// The instruction set is available, and `x` is a whole number of blocks.
#[inline(always)]
unsafe fn run<V: Vector>(x: &mut [V::Scalar], log_len: u32, scale: Option<u32>) {
    let start = x.as_mut_ptr();
    let log_first = log_len.min(LOG_FIRST_LEVEL_BYTES - size_of::<V::Scalar>().ilog2());
    // What fits the second-level cache needs no fetching.
    let ahead = size_of_val(x) > SECOND_LEVEL_BYTES;
    let scale_of = |high| if high == log_len { scale } else { None };
    let mut end = 0;
    // SAFETY: the blocks are disjoint parts of `x`.
    unsafe {
        let factor = V::factor(0);
        while end < x.len() {
            let first = start.add(end);
            end += 1 << log_first;
            if ahead {
                tiles_fetching_next::<V>(first, 1 << log_first, factor);
            } else {
                tiles_of::<V, false>(log_tile::<V>(), first, 1 << log_first, factor);
            }
            apart::<V, _>(Steps { x: first, low: log_tile::<V>(), high: log_first, scale: scale_of(log_first) });
            // The steps whose rows end here.
            let mut low = log_first;
            while low < log_len {
                let log_radix = next_radix(log_len - low, LOG_FAR_RADIX);
                let high = low + log_radix;
                if !end.is_multiple_of(1 << high) {
                    break;
                }
                let stride = 1 << low;
                let rows = Rows { start: start.add(end - (1 << high)), stride };
                apart::<V, _>(Columns { rows, log_rows: log_radix, width: stride, scale: scale_of(high) });
                low = high;
            }
        }
    }
}

/// The stages of tiles on the `len` values of a part; the next part is prefetched meanwhile, so that the butterflies
/// hide its latency.
///
/// # Safety
/// `len` values from `x` on are readable and writable, `len` is a multiple of the tile, and the instruction set is
/// available.
#[inline(always)]
unsafe fn tiles_fetching_next<V: Vector>(x: *mut V::Scalar, len: usize, factor: V::Factor) {
    let tile = 1_usize << log_tile::<V>();
    let mut at = 0;
    while at < len {
        let mut line = 0;
        while line < tile {
            prefetch(x.wrapping_add(len + at + line));
            line += LINE_BYTES / size_of::<V::Scalar>();
        }
        // SAFETY: the tile lies in the part.
        unsafe { tiles_of::<V, false>(log_tile::<V>(), x.add(at), tile, factor) }
        at += tile;
    }
}

/// Asks for a cache line, which need not exist, on targets that have an instruction for that.
#[inline(always)]
fn prefetch<T>(line: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every processor of the target has the instruction, and it faults at no address.
    unsafe {
        _mm_prefetch::<_MM_HINT_T0>(line.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = line;
}

/// The stages from `low` up to `high` on one block of `2^high` values, divided by `2^scale` if given; a row of `2^low` values is
/// a whole number of vectors.
pub(super) struct Steps<T> {
    pub(super) x: *mut T,
    pub(super) low: u32,
    pub(super) high: u32,
    pub(super) scale: Option<u32>,
}

impl<T: Number> Task for Steps<T> {
    type Scalar = T;

    #[inline(always)]
    unsafe fn run<V: Vector<Scalar = T>>(self) {
        let Self { x, low, high, scale } = self;
        // SAFETY: the caller vouches for the instruction set, and who made the task for the block.
        unsafe {
            let factor = V::factor(scale.unwrap_or(0));
            if V::SCALES && scale.is_some() {
                steps::<V, true>(x, low, high, factor);
            } else {
                steps::<V, false>(x, low, high, factor);
            }
        }
    }
}

/// [`Steps`]; the last step scales.
///
/// # Safety
/// `2^high` values from `x` on are readable and writable; a row of `2^low` values is a whole number of vectors; the
/// instruction set is available.
#[inline(always)]
unsafe fn steps<V: Vector, const SCALED: bool>(x: *mut V::Scalar, mut low: u32, high: u32, factor: V::Factor) {
    while low < high {
        let log_radix = next_radix(high - low, V::LOG_RADIX);
        let stride = 1 << low;
        let last = low + log_radix == high;
        let mut group = 0;
        while group < 1_usize << high {
            // SAFETY: the group lies in the block.
            unsafe {
                let rows = Rows { start: x.add(group), stride };
                if SCALED && last {
                    columns::<V, true>(log_radix, rows, stride, factor);
                } else {
                    columns::<V, false>(log_radix, rows, stride, factor);
                }
            }
            group += stride << log_radix;
        }
        low += log_radix;
    }
}

/// The binary logarithm of the radix of the next of the fewest and most even steps for `stages` stages, none above
/// `2^most`. Smaller ones come first, so that fewer steps are done past a cache.
pub(crate) const fn next_radix(stages: u32, most: u32) -> u32 {
    stages / stages.div_ceil(most)
}

/// The transform of the few values that are less than a tile.
fn plain<V: Vector>(x: &mut [V::Scalar], log_len: u32, scale: Option<u32>) {
    for value in &mut *x {
        *value = V::scalar_entering(*value);
    }
    for step in 0..log_len {
        for pair in x.chunks_exact_mut(2 << step) {
            let (low, high) = pair.split_at_mut(1 << step);
            for (a, b) in low.iter_mut().zip(high) {
                (*a, *b) = V::scalar_butterfly(*a, *b);
            }
        }
    }
    if let Some(log) = scale.filter(|_| V::SCALES) {
        for value in x {
            *value = value.divide_by_power(log);
        }
    }
}
