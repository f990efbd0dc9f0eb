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
use crate::Way;

/// The binary logarithm of the bytes of a part, which stays in the first-level cache.
const LOG_PART_BYTES: u32 = 14;
/// The most levels of a step: rows a large power of two apart fall into one set of every cache, and many a first-level
/// cache has eight ways.
pub(crate) const MOST_LEVELS: u32 = 3;

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
    pub(super) unsafe fn job(&self, block: Block<W>, count: usize, work: Work<W>) {
        let job = Job { way: self.way, factors: self.factors, block, count, work };
        // SAFETY: the caller's.
        unsafe { self.engine.run(job) }
    }

    /// The binary logarithm of the values of a part of a block, which is longer than a tile. The highest levels make a whole
    /// step, in which many factors are 1.
    pub(super) fn log_part(&self, block: Block<W>) -> u32 {
        (LOG_PART_BYTES - size_of::<W>().ilog2())
            .min(block.log_len.saturating_sub(MOST_LEVELS))
            .max(self.engine.log_tile)
    }

    /// The tiles of the part that begins at value `at` of a block: the first of them, and how many they are.
    ///
    /// # Safety
    /// The part lies in the block.
    pub(super) unsafe fn tiles(&self, block: Block<W>, at: usize) -> (Block<W>, usize) {
        let log_tile = self.engine.log_tile;
        // SAFETY: the caller's.
        (unsafe { block.part(log_tile, at) }, 1 << (self.log_part(block) - log_tile))
    }

    /// Forward: what comes before the tiles of the part at value `at` of a block, after the parts to the left of it. `half`:
    /// the upper half of the block, which is a whole transform, counts as zeros.
    ///
    /// # Safety
    /// The block's values belong to the caller.
    pub(super) unsafe fn down(&self, block: Block<W>, at: usize, half: bool) {
        let log_part = self.log_part(block);
        // SAFETY: all parts lie in the block.
        unsafe {
            for (log_len, levels) in
                steps(block.log_len, log_part).filter(|(log_len, _)| at.is_multiple_of(1 << log_len))
            {
                self.all_columns(block, (log_len, levels), at, 1, half);
            }
            for (log_len, levels) in steps(log_part, self.engine.log_tile) {
                self.all_columns(block, (log_len, levels), at, 1 << (log_part - log_len), half);
            }
        }
    }

    /// Backward: what comes after the tiles of the part at value `at` of a block, before the parts to the right of it.
    ///
    /// # Safety
    /// The block's values belong to the caller.
    pub(super) unsafe fn up(&self, block: Block<W>, at: usize) {
        let log_part = self.log_part(block);
        let end = at + (1 << log_part);
        // SAFETY: all parts lie in the block.
        unsafe {
            for (log_len, levels) in steps(log_part, self.engine.log_tile).rev() {
                self.all_columns(block, (log_len, levels), at, 1 << (log_part - log_len), false);
            }
            for (log_len, levels) in
                steps(block.log_len, log_part).rev().filter(|(log_len, _)| end.is_multiple_of(1 << log_len))
            {
                self.all_columns(block, (log_len, levels), end - (1 << log_len), 1, false);
            }
        }
    }

    /// Some levels on all columns of `count` parts of `2^log_len` values from value `at` of a block on.
    ///
    /// # Safety
    /// The parts lie in the block, whose values belong to the caller.
    unsafe fn all_columns(&self, block: Block<W>, (log_len, levels): (u32, u32), at: usize, count: usize, half: bool) {
        // SAFETY: the caller's.
        unsafe {
            let part = block.part(log_len, at);
            let columns = part.columns(levels);
            let half = half && log_len == block.log_len;
            self.job(part, count, if half { Work::HalfLevels(levels, columns) } else { Work::Levels(levels, columns) });
        }
    }

    /// All levels of a block, which is longer than a tile.
    ///
    /// # Safety
    /// The block's values belong to the caller.
    pub(super) unsafe fn block(&self, block: Block<W>) {
        for at in (0..1usize << block.log_len).step_by(1 << self.log_part(block)) {
            // SAFETY: the part lies in the block.
            unsafe {
                let (tile, count) = self.tiles(block, at);
                match self.way {
                    Way::Forward => {
                        self.down(block, at, false);
                        self.job(tile, count, Work::Tiles);
                    }
                    Way::Inverse => {
                        self.job(tile, count, Work::Tiles);
                        self.up(block, at);
                    }
                }
            }
        }
    }
}
