//! The cuts of a transform's index bits into passes.

use manycore_device::{Limits, WordType};

use super::arrays::Arrays;
use super::pass::Pass;
use crate::walsh::butterfly::Butterfly;

/// The smallest tile of a group: a transform of fewer values shares its tile with others.
const SMALL_TILE: u32 = 12;
/// A single array of at most `2^(SMALL_TILE + MOST_FAN)` values may be read whole by each of `2^fan` groups.
const MOST_FAN: u32 = 5;
/// The shortest runs of columns: of 4 values.
const NARROWEST: u32 = 2;
/// The most passes over columns; three reach past any memory.
const MOST_COLUMN_PASSES: u32 = 4;

/// The cuts of the in-place (Cooley-Tukey) transform: one tile that holds the lowest bits, and none to some passes over
/// columns of as equal numbers of rows as possible, in runs of several lengths.
///
/// Where short arrays may be read several times, groups may read a whole array of up to `2^MOST_FAN` tiles; and the
/// Reed-Muller butterfly, which leaves one of its values as it is, may do a stage above a tile of columns, which reads
/// half of the values again and writes nothing more.
pub(super) fn cooley_tukey(arrays: &Arrays, limits: &Limits, butterfly: Butterfly) -> Vec<Vec<Pass>> {
    let (log_len, element) = (arrays.log_len, arrays.element);
    let largest = limits.log_tile(element);
    let small = SMALL_TILE.min(largest);
    let log_regs = |log_tile: u32| limits.log_regs_of(log_tile, element);
    let tile = |stages: u32| {
        let log_tile = stages.max(small);
        Pass::Tile { stages, log_tile, log_regs: log_regs(log_tile), log_spill: 0 }
    };
    let mut found = Vec::new();
    if log_len <= largest {
        found.push(vec![tile(log_len)]);
    }
    if arrays.count == 1 && limits.redundant_read && log_len > small && log_len - small <= MOST_FAN {
        found.push(vec![Pass::Fan { log_tile: small, log_regs: log_regs(small), log_fan: log_len - small }]);
    }
    let widest = limits.log_segment(element).min(largest - 1);
    let may_spill = limits.redundant_read && matches!(butterfly, Butterfly::ReedMuller { .. });
    for column_passes in 1..=MOST_COLUMN_PASSES {
        let before = found.len();
        for stages in small.min(log_len)..=largest.min(log_len.saturating_sub(1)) {
            for log_segment in (NARROWEST.min(widest)..=widest).rev() {
                let most = u32::from(may_spill && column_passes == 1);
                let cut = columns(log_len, stages, column_passes, log_segment, largest, most, &log_regs);
                if let Some(mut passes) = cut {
                    passes.push(tile(stages));
                    found.push(passes);
                }
            }
        }
        // More passes than are needed cost another trip through memory each: one more is enough to compare.
        if before > 0 && found.len() > before {
            break;
        }
    }
    found
}

/// `count` passes over the columns above `stages` bits, in runs of `2^log_segment` values, at most `most_spill` of their stages
/// through the cache; `None` where the rows do not fit.
fn columns(
    log_len: u32,
    stages: u32,
    count: u32,
    log_segment: u32,
    largest: u32,
    most_spill: u32,
    log_regs: &impl Fn(u32) -> u32,
) -> Option<Vec<Pass>> {
    let mut high = log_len;
    let mut passes = Vec::new();
    for left in (1..=count).rev() {
        let log_rows = (high - stages).div_ceil(left);
        let log_spill = (log_rows + log_segment).saturating_sub(largest);
        if log_rows <= log_spill || log_spill > most_spill {
            return None;
        }
        high -= log_rows;
        let log_rows = log_rows - log_spill;
        let log_regs = log_regs(log_rows + log_segment);
        passes.push(Pass::Columns { log_stride: high, log_rows, log_segment, log_regs, log_spill });
    }
    Some(passes)
}

/// The passes of the constant-geometry transform, of at most `most_steps` steps each; without butterflies, those of the bit
/// reversal alone.
pub(super) fn constant_geometry(
    log_len: u32,
    element: WordType,
    limits: &Limits,
    most_steps: u32,
    butterflies: bool,
) -> Vec<Pass> {
    let (largest, log_segment) = (limits.log_tile(element), limits.log_segment(element));
    let alone = most_steps.clamp(1, largest.min(SMALL_TILE));
    let most = most_steps.clamp(1, largest.saturating_sub(log_segment).max(1));
    let count = if log_len <= alone { 1 } else { log_len.div_ceil(most) };
    let mut passes = Vec::new();
    let mut waiting = log_len;
    for left in (1..=count).rev() {
        let stages = waiting.div_ceil(left);
        waiting -= stages;
        let log_tile = (stages + log_segment).max(SMALL_TILE).min(largest);
        let log_regs = limits.log_regs(element).min(log_tile);
        passes.push(Pass::Geometry { stages, log_tile, log_regs, log_waiting: waiting, butterflies });
    }
    passes
}

/// The most steps of the constant geometry in one pass.
pub(super) fn most_steps(element: WordType, limits: &Limits) -> u32 {
    let largest = limits.log_tile(element);
    largest.min(SMALL_TILE).max(largest.saturating_sub(limits.log_segment(element)))
}
