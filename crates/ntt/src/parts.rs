//! The parts that a pass finds, left by the passes before, and how it twists them into transforms of their own.

use manycore_field::Arithmetic;

use super::cost::{Arrays, Pass};

/// The most parts and rows that are twisted by rows alone: the base-2 logarithm of the entries of their table.
const MOST_BY_ROWS: u32 = 18;
/// The base-2 logarithm of the items that share a part of a tile, at least, where it twists by all bits above it: a register then has few
/// factors beside its values.
const LOG_PART_ITEMS: u32 = 3;

/// The twist by which a pass makes independent transforms of the parts of its input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Twisting {
    /// None: the parts are independent transforms already.
    Not,
    /// Value `j` of part `t` takes the `j`-th power of the part's root, in two factors.
    Whole,
    /// The power for the row of `j` alone, in one factor; the next pass, which then has more parts, takes the rest of the power.
    Rows,
}

impl Twisting {
    /// The value of the kernels' define.
    pub(super) const fn define(self) -> u8 {
        match self {
            Self::Not => 0,
            Self::Whole => 1,
            Self::Rows => 2,
        }
    }
}

/// The parts of a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Parts {
    /// The base-2 logarithm of the parts that have twists of their own.
    pub(super) log_count: u32,
    pub(super) twisting: Twisting,
}

impl Parts {
    /// The parts of the first pass.
    pub(super) const fn first(arrays: &Arrays) -> Self {
        let twisting = if arrays.negacyclic { Twisting::Whole } else { Twisting::Not };
        Self { log_count: 0, twisting }
    }

    /// The parts of pass `i`: those that the pass before left, which it twisted into independent transforms, wholly or by rows.
    pub(super) fn of(passes: &[Pass], i: usize, arrays: &Arrays) -> Self {
        let Some(before) = i.checked_sub(1) else { return Self::first(arrays) };
        let previous = Self::of(passes, before, arrays);
        let left = if previous.twisting == Twisting::Rows { previous.log_count } else { 0 };
        let log_count = left + passes[before].stages();
        let halves = left == 0
            // Where a factor is one word, tables for more parts cost less than the products saved.
            && arrays.arithmetic == Arithmetic::Goldilocks
            && matches!(passes[i], Pass::Columns { log_rows, .. } if log_count + log_rows <= MOST_BY_ROWS)
            && matches!(passes.get(i + 1), Some(Pass::Tile { stages, log_regs, .. }) if log_regs + LOG_PART_ITEMS <= *stages);
        Self { log_count, twisting: if halves { Twisting::Rows } else { Twisting::Whole } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(stages: [u32; 3], log_regs: u32, arithmetic: Arithmetic) -> Vec<(u32, Twisting)> {
        let [first, second, tile] = stages;
        let columns = |log_stride, log_rows| Pass::Columns { log_stride, log_rows, log_segment: 3, log_regs };
        let passes = [
            columns(second + tile, first),
            columns(tile, second),
            Pass::Tile { stages: tile, log_tile: tile.max(log_regs + 6), log_regs },
        ];
        let log_len = stages.iter().sum();
        let arrays = Arrays { count: 1, log_len, arithmetic, negacyclic: false, natural: false };
        let of = |i| Parts::of(&passes, i, &arrays);
        (0..3).map(of).map(|parts| (parts.log_count, parts.twisting)).collect()
    }

    #[test]
    fn tiles_take_over_what_columns_leave() {
        use Twisting::{Not, Rows, Whole};
        let of = |stages, log_regs| parts(stages, log_regs, Arithmetic::Goldilocks);
        assert_eq!(of([8, 8, 8], 4), [(0, Not), (8, Rows), (16, Whole)]);
        // Tables would be long, or as long as the data.
        assert_eq!(of([10, 9, 8], 4), [(0, Not), (10, Whole), (9, Whole)]);
        assert_eq!(of([8, 8, 6], 4), [(0, Not), (8, Whole), (8, Whole)]);
        assert_eq!(parts([8, 8, 8], 4, Arithmetic::Word32), [(0, Not), (8, Whole), (8, Whole)]);
    }

    #[test]
    fn negacyclic_transforms_twist_at_once() {
        let arrays = Arrays { count: 1, log_len: 9, arithmetic: Arithmetic::Word32, negacyclic: true, natural: false };
        let passes = [Pass::Tile { stages: 9, log_tile: 9, log_regs: 4 }];
        assert_eq!(Parts::of(&passes, 0, &arrays), Parts { log_count: 0, twisting: Twisting::Whole });
    }
}
