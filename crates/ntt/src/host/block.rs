//! Blocks of the tree of remainders, and their factors.

use std::ops::Range;

use super::residues::Residues;

/// A block of the tree: `2^log_len` values from `x` on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block<W> {
    pub(super) x: *mut W,
    pub(super) log_len: u32,
    /// Its level: 0 for the whole transform.
    pub(super) level: u32,
    /// Its index in its level.
    pub(super) index: usize,
}

impl<W> Block<W> {
    /// The whole transform of `x`.
    pub(super) fn whole(x: &mut [W]) -> Self {
        Self { x: x.as_mut_ptr(), log_len: x.len().ilog2(), level: 0, index: 0 }
    }

    /// The block of `2^log_len` values that begins at value `at` of this one.
    ///
    /// # Safety
    /// It does not exceed this one.
    pub(super) unsafe fn part(self, log_len: u32, at: usize) -> Self {
        let levels = self.log_len - log_len;
        Self {
            // SAFETY: the caller's.
            x: unsafe { self.x.add(at) },
            log_len,
            level: self.level + levels,
            index: (self.index << levels) + (at >> log_len),
        }
    }

    /// The whole transform `i` places to the right.
    ///
    /// # Safety
    /// This one is a whole transform, and that one exists.
    pub(super) unsafe fn run(self, i: usize) -> Self {
        // SAFETY: the caller's.
        Self { x: unsafe { self.x.add(i << self.log_len) }, ..self }
    }

    /// The block `i` places to the right in its level.
    ///
    /// # Safety
    /// It exists.
    #[inline(always)]
    pub(super) unsafe fn neighbour(self, i: usize) -> Self {
        // SAFETY: the caller's.
        Self { x: unsafe { self.x.add(i << self.log_len) }, index: self.index + i, ..self }
    }

    /// All columns of a step of `levels` levels.
    pub(super) fn columns(self, levels: u32) -> Range<usize> {
        0..1 << (self.log_len - levels)
    }
}

/// The factors of one direction: see [`tables`](super::tables).
#[derive(Debug, Clone, Copy)]
pub(super) struct Factors<W> {
    /// For block `i` of level `l` at `i`, or for negacyclic transforms at `2^l + i`.
    pub(super) blocks: *const W,
    /// Whether those of level `l` begin at `2^l`.
    pub(super) negacyclic: bool,
    /// For each square, those of its lanes.
    pub(super) squares: *const W,
    /// Backward, those of the last level: for sums and for differences.
    pub(super) last: *const W,
}

impl<W: Copy> Factors<W> {
    /// The factor of block `group` of the `2^level` ones below a block, `level` levels down.
    ///
    /// # Safety
    /// The blocks exist.
    #[inline(always)]
    pub(super) unsafe fn of<A: Residues<Word = W>>(
        self,
        a: A,
        block: Block<W>,
        level: usize,
        group: usize,
    ) -> A::Factor {
        let first = if self.negacyclic { 1usize << (block.level as usize + level) } else { 0 };
        // SAFETY: the caller vouches for the block, so its factor is in the table.
        unsafe { a.same_factor(self.blocks.add((first + (block.index << level) + group) * A::FACTOR_WORDS)) }
    }

    /// The factors of the lanes of a square: number 0 of its blocks, 1 and 2 of their halves, and so on.
    ///
    /// # Safety
    /// The square exists and has factors up to `number`.
    #[inline(always)]
    pub(super) unsafe fn of_lanes<A: Residues<Word = W>>(self, a: A, square: usize, number: usize) -> A::Factor {
        let lanes = 1usize << A::LOG_LANES;
        let at = (square * (lanes - 1) + number) * lanes * A::FACTOR_WORDS;
        // SAFETY: the caller vouches for the factors.
        unsafe { a.factors(self.squares.add(at)) }
    }

    /// The factors of the last level backward: for sums and for differences.
    ///
    /// # Safety
    /// The table has them.
    #[inline(always)]
    pub(super) unsafe fn last<A: Residues<Word = W>>(self, a: A) -> (A::Factor, A::Factor) {
        // SAFETY: the caller's.
        unsafe { (a.same_factor(self.last), a.same_factor(self.last.add(A::FACTOR_WORDS))) }
    }
}
