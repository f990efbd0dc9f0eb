//! One transform on several threads, and several transforms.

use manycore_device::Team;

use super::block::Block;
use super::engine::Work;
use super::transform::{Transform, next_levels};
use crate::Way;

/// Values that a thread takes at a time.
pub(crate) const TASK_VALUES: usize = 1 << 12;
/// The parts of a transform for each thread, so that the threads end together.
pub(super) const PARTS_PER_THREAD: usize = 4;

/// A block that threads share.
#[derive(Clone, Copy)]
pub(super) struct Shared<W>(pub(super) Block<W>);

// SAFETY: each task has values of its own.
unsafe impl<W: Send> Sync for Shared<W> {}

impl<W: Copy + Send + Sync> Transform<'_, W> {
    /// Every run of `2^log_len` values of `x`.
    pub(super) fn runs(&self, x: &mut [W], log_len: u32, team: Team<'_>) {
        let len = 1 << log_len;
        if team.is_alone() || x.len() < 2 * TASK_VALUES {
            x.chunks_exact_mut(len).for_each(|run| self.alone(run));
        } else if x.len() / len >= PARTS_PER_THREAD * team.threads() || len < 2 * TASK_VALUES {
            let some = len * TASK_VALUES.div_ceil(len);
            team.each(x.chunks_mut(some), |runs| runs.chunks_exact_mut(len).for_each(|run| self.alone(run)));
        } else {
            x.chunks_exact_mut(len).for_each(|run| self.together(run, team));
        }
    }

    fn alone(&self, x: &mut [W]) {
        // SAFETY: the values belong to this function.
        unsafe { self.block(Block::whole(x)) }
    }

    /// The highest levels step by step, each over all threads; then the blocks below them, as many as the threads need.
    fn together(&self, x: &mut [W], team: Team<'_>) {
        let whole = Shared(Block::whole(x));
        let above = self.above(whole.0, team);
        let below = || {
            let log_block = whole.0.log_len - above;
            team.each(0..1usize << above, |index| {
                let whole = &whole;
                // SAFETY: no other task has this block.
                unsafe { self.block(whole.0.part(log_block, index << log_block)) }
            });
        };
        // SAFETY: the values belong to this function.
        unsafe {
            match self.way {
                Way::Forward => {
                    self.highest(whole, above, team, false);
                    below();
                }
                Way::Inverse => {
                    below();
                    self.highest(whole, above, team, false);
                }
            }
        }
    }

    /// The levels of a whole transform above the blocks that threads take.
    pub(super) fn above(&self, whole: Block<W>, team: Team<'_>) -> u32 {
        // A block is longer than a tile, and long enough for a task.
        let most = (whole.log_len - self.engine.log_tile - 1).min(whole.log_len - TASK_VALUES.ilog2());
        log_parts(team).min(most).max(1)
    }

    /// The `above` highest levels of a whole transform, step by step, each over all threads. `half`: forward, the upper half
    /// of the values counts as zeros.
    ///
    /// # Safety
    /// The values belong to the caller.
    pub(super) unsafe fn highest(&self, whole: Shared<W>, above: u32, team: Team<'_>, half: bool) {
        let log_len = whole.0.log_len;
        let step = |(level, levels): (u32, u32)| {
            let log_block = log_len - level;
            // Tasks of equal size: some columns, of whole vectors, of one of 2^level blocks.
            let log_tasks = log_parts(team).saturating_sub(level).min(log_block - levels - self.engine.log_lanes);
            let log_columns = log_block - levels - log_tasks;
            team.each(0..1usize << (level + log_tasks), |task| {
                let (index, part) = (task >> log_tasks, task & ((1 << log_tasks) - 1));
                let columns = part << log_columns..(part + 1) << log_columns;
                let whole = &whole;
                let half = half && level == 0;
                let work = if half { Work::HalfLevels(levels, columns) } else { Work::Levels(levels, columns) };
                // SAFETY: no other task has these columns of this block.
                unsafe { self.job(whole.0.part(log_block, index << log_block), 1, work) }
            });
        };
        let mut steps = Vec::new();
        let mut level = 0;
        while level < above {
            let levels = next_levels(above - level);
            steps.push((level, levels));
            level += levels;
        }
        match self.way {
            Way::Forward => steps.into_iter().for_each(step),
            Way::Inverse => steps.into_iter().rev().for_each(step),
        }
    }
}

/// The binary logarithm of the parts that work is cut into.
fn log_parts(team: Team<'_>) -> u32 {
    (PARTS_PER_THREAD * team.threads()).next_power_of_two().ilog2()
}
