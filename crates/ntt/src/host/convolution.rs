//! Products of transforms: forward, multiplied and back in one descent of the tree.
//!
//! A part that fits the nearest cache is transformed down to its tiles, which are multiplied and transformed back while they
//! stand in registers, in the order that they happen to have there; so no pass over the memory is for the products alone,
//! and no tile is transposed back and forth. Factors that are short come with zeros in the upper half, which costs the first
//! level nothing.

use manycore_device::Team;

use super::block::Block;
use super::engine::Work;
use super::threads::{PARTS_PER_THREAD, Shared, TASK_VALUES};
use super::transform::Transform;

/// Where right factors stand.
#[derive(Debug, Clone, Copy)]
enum Right<W> {
    /// For squares: the left factor.
    Left,
    /// Values, to be transformed on the way.
    Values(Block<W>),
    /// A spectrum in the order of [`Work::RightTiles`].
    Spectrum(Block<W>),
}

/// Right factors that threads share.
struct SharedRight<W>(Right<W>);

// SAFETY: each task has values of its own, and spectra are only read.
unsafe impl<W: Send> Sync for SharedRight<W> {}

impl<W: Copy> Right<W> {
    /// Right factors below a block of left ones.
    ///
    /// # Safety
    /// As for [`Block::part`].
    unsafe fn part(self, log_len: u32, at: usize) -> Self {
        // SAFETY: the caller's.
        unsafe {
            match self {
                Self::Left => Self::Left,
                Self::Values(block) => Self::Values(block.part(log_len, at)),
                Self::Spectrum(block) => Self::Spectrum(block.part(log_len, at)),
            }
        }
    }
}

/// Which operands have zeros in their upper halves, which then are not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Halves {
    pub(super) left: bool,
    pub(super) right: bool,
}

/// Both directions; the inverse scales by what the products are divided by, too.
#[derive(Debug, Clone, Copy)]
pub(super) struct Convolution<'a, W> {
    pub(super) forward: Transform<'a, W>,
    pub(super) inverse: Transform<'a, W>,
    pub(super) halves: Halves,
}

impl<W: Copy + Send + Sync> Convolution<'_, W> {
    /// Every run of `2^log_len` values of `left` becomes its product by a run of `right`: `shared` runs in a row have the
    /// same, and there are as many as that takes. Without right factors squares are taken. What is left in `right` has no
    /// meaning.
    pub(super) fn runs(&self, left: &mut [W], right: &mut [W], shared: usize, log_len: u32, team: Team<'_>) {
        let len = 1usize << log_len;
        let count = left.len() / len;
        let rights = if right.is_empty() { 0 } else { count.div_ceil(shared.max(1)) };
        assert!(left.len() == count * len && right.len() == rights * len, "whole runs, each with its right factor");
        if count == 0 {
            return;
        }
        let run = |x: &mut [W]| Shared(Block { log_len, ..Block::whole(x) });
        let (lefts, rights) = (run(left), (!right.is_empty()).then(|| run(right)));
        let team = team.only_if(left.len() >= 2 * TASK_VALUES);
        // SAFETY: `i` is below the number of runs; left factors, and right ones that are not shared, belong to the caller that takes run
        // `i`, and spectra are only read.
        let operands = |i: usize| unsafe {
            let (lefts, rights) = (&lefts, &rights);
            let right = match rights {
                None => Right::Left,
                Some(rights) if shared > 1 => Right::Spectrum(rights.0.run(i / shared)),
                Some(rights) => Right::Values(rights.0.run(i)),
            };
            (lefts.0.run(i), right)
        };
        // SAFETY: each run is taken once.
        let one = |i| unsafe {
            let (left, right) = operands(i);
            self.block(left, right, self.halves);
        };
        if shared > 1 {
            let spectrum = |i: usize| {
                let rights = &rights;
                // SAFETY: nobody else has this run yet.
                rights.iter().for_each(|rights| unsafe { self.spectrum(rights.0.run(i)) });
            };
            team.each(0..right.len() / len, spectrum);
        }
        if team.is_alone() || count >= PARTS_PER_THREAD * team.threads() || len < 2 * TASK_VALUES {
            let some = TASK_VALUES.div_ceil(len);
            team.each((0..count).step_by(some), |first| (first..count.min(first + some)).for_each(one));
        } else {
            for i in 0..count {
                let (left, right) = operands(i);
                // SAFETY: as above.
                unsafe { self.together(left, right, team) };
            }
        }
    }

    /// The spectrum of a right factor.
    ///
    /// # Safety
    /// The values belong to the caller.
    unsafe fn spectrum(&self, block: Block<W>) {
        for at in (0..1usize << block.log_len).step_by(1 << self.forward.log_part(block)) {
            // SAFETY: the part lies in the block.
            unsafe {
                self.forward.down(block, at, self.halves.right);
                let (tile, count) = self.forward.tiles(block, at);
                self.forward.job(tile, count, Work::RightTiles);
            }
        }
    }

    /// All levels forward, products, and all levels backward, on the calling thread; `halves` for whole transforms only.
    ///
    /// # Safety
    /// The values belong to the caller.
    unsafe fn block(&self, left: Block<W>, right: Right<W>, halves: Halves) {
        for at in (0..1usize << left.log_len).step_by(1 << self.forward.log_part(left)) {
            // SAFETY: the part lies in the block.
            unsafe {
                let (tile, count) = self.forward.tiles(left, at);
                let right = match right {
                    Right::Left => std::ptr::null_mut(),
                    Right::Spectrum(block) => self.forward.tiles(block, at).0.x,
                    Right::Values(block) => {
                        self.forward.down(block, at, halves.right);
                        let (tile, count) = self.forward.tiles(block, at);
                        self.forward.job(tile, count, Work::RightTiles);
                        tile.x
                    }
                };
                self.forward.down(left, at, halves.left);
                self.forward.job(tile, count, Work::Products { right: right.cast_const(), back: self.inverse.factors });
                self.inverse.up(left, at);
            }
        }
    }

    /// The highest levels of both operands over all threads, then the blocks below them, as many as the threads need.
    ///
    /// # Safety
    /// The values belong to the caller.
    unsafe fn together(&self, left: Block<W>, right: Right<W>, team: Team<'_>) {
        let above = self.forward.above(left, team);
        let log_block = left.log_len - above;
        // SAFETY: the caller's; each task has a block of its own.
        unsafe {
            self.forward.highest(Shared(left), above, team, self.halves.left);
            if let Right::Values(right) = right {
                self.forward.highest(Shared(right), above, team, self.halves.right);
            }
            let (lefts, rights) = (Shared(left), SharedRight(right));
            team.each(0..1usize << above, |index| {
                let ((lefts, rights), at) = ((&lefts, &rights), index << log_block);
                let whole = Halves { left: false, right: false };
                self.block(lefts.0.part(log_block, at), rights.0.part(log_block, at), whole);
            });
            self.inverse.highest(Shared(left), above, team, false);
        }
    }
}
