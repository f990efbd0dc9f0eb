//! Whole blocks of the tree, depth first, on one thread.
//!
//! The levels of a block that exceeds the first-level cache are taken up to three at a time over all of its columns; as soon
//! as its first part, which fits that cache, has come to its own levels, these are done, while the part is there:
//!
//! ```text
//!  forward   step 1 over the columns of all
//!            step 2 over those of the first eighth
//!            parts 0 1 2 3 4 5 6 7, each in the first-level cache; step 2 over the second eighth, parts 8 ...
//! ```
//! Backward everything is the other way round. No cache's size need be known but the first one's.

use super::block::{Block, Factors};
use super::engine::{Engine, Job, Work};
use crate::ntt::Way;

/// The binary logarithm of the bytes of a part, which stays in the first-level cache.
const LOG_PART_BYTES: u32 = 14;
/// The most levels of a step: rows a large power of two apart fall into one set of every cache, and many a first-level
/// cache has eight ways.
const MOST_LEVELS: u32 = 3;

/// The levels of the next of the fewest and most even steps for `levels` levels.
pub(super) fn next_levels(levels: u32) -> u32 {
    if levels == 0 { 0 } else { levels.div_ceil(levels.div_ceil(MOST_LEVELS)) }
}

/// The steps between two lengths of blocks: the logarithm of the length that each begins with, and its levels; the longest
/// first.
fn steps(from: u32, to: u32) -> impl DoubleEndedIterator<Item = (u32, u32)> + Clone {
    let count = (from - to).div_ceil(MOST_LEVELS);
    // As `next_levels` takes them: first those of one level more.
    let (least, more) = ((from - to) / count.max(1), (from - to) % count.max(1));
    (0..count).map(move |i| (from - i * least - i.min(more), least + u32::from(i < more)))
}

/// What all jobs of a transform share.
#[derive(Debug, Clone, Copy)]
pub(super) struct Transform<'a, W> {
    pub(super) engine: &'a Engine<W>,
    pub(super) factors: Factors<W>,
    pub(super) way: Way,
}

// SAFETY: the factors are only read.
unsafe impl<W: Sync> Sync for Transform<'_, W> {}

impl<W: Copy> Transform<'_, W> {
    /// Does some work on `count` neighbouring blocks.
    ///
    /// # Safety
    /// The values belong to the caller.
    pub(super) unsafe fn job(&self, block: Block<W>, count: usize, work: Work) {
        let job = Job { way: self.way, factors: self.factors, block, count, work };
        // SAFETY: the caller's.
        unsafe { self.engine.run(job) }
    }

    /// All levels of a block, which is longer than a tile.
    ///
    /// # Safety
    /// The block's values belong to the caller.
    pub(super) unsafe fn block(&self, block: Block<W>) {
        let log_tile = self.engine.log_tile;
        let log_part = (LOG_PART_BYTES - size_of::<W>().ilog2()).max(log_tile).min(block.log_len);
        let (outer, inner) = (steps(block.log_len, log_part), steps(log_part, log_tile));
        // SAFETY: all parts lie in the block.
        let all_columns = |log_len: u32, levels: u32, at: usize, count: usize| unsafe {
            let part = block.part(log_len, at);
            self.job(part, count, Work::Levels(levels, part.columns(levels)));
        };
        // SAFETY: as above.
        let tiles = |at: usize| unsafe { self.job(block.part(log_tile, at), 1 << (log_part - log_tile), Work::Tiles) };
        for part in 0..1usize << (block.log_len - log_part) {
            let (at, end) = (part << log_part, (part + 1) << log_part);
            match self.way {
                Way::Forward => {
                    for (log_len, levels) in outer.clone().filter(|(log_len, _)| at % (1 << log_len) == 0) {
                        all_columns(log_len, levels, at, 1);
                    }
                    for (log_len, levels) in inner.clone() {
                        all_columns(log_len, levels, at, 1 << (log_part - log_len));
                    }
                    tiles(at);
                }
                Way::Inverse => {
                    tiles(at);
                    for (log_len, levels) in inner.clone().rev() {
                        all_columns(log_len, levels, at, 1 << (log_part - log_len));
                    }
                    for (log_len, levels) in outer.clone().rev().filter(|(log_len, _)| end % (1 << log_len) == 0) {
                        all_columns(log_len, levels, end - (1 << log_len), 1);
                    }
                }
            }
        }
    }
}
