//! Sizes of a sort on an OpenCL device: tiles, counters and their words, memory. Functions of lengths alone, so that lengths past 2^31
//! and 2^32 are tested without the memory.

use manycore_device::WordType;

use crate::radix::plan::{DIGITS, SortPlan, SortTile};

/// Words of 32 bits before the totals of a sweep's digits: what differs, and tickets.
pub(super) const TOTALS: usize = 16;
/// Keys that groups of a survey count in local memory, in words of 32 bits.
const COUNTED: usize = u32::MAX as usize;

/// What sweeps over so many keys take beside these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sweeps {
    /// Tiles, which have numbers of 32 bits.
    pub(crate) tiles: u32,
    /// The type of a count with its mark of two bits.
    pub(crate) count: WordType,
    /// Words of 32 bits of what groups have in common.
    pub(crate) control: usize,
    /// Counts of all tiles, of this sweep and of the next.
    pub(crate) states: usize,
    /// Groups of the survey, at least.
    pub(crate) surveyors: usize,
}

impl Sweeps {
    /// `None` where the tiles are more than their numbers tell, or sizes more than addresses do.
    pub(crate) fn new(len: usize, tile: SortTile, key_bytes: usize) -> Option<Self> {
        let keys = tile.keys();
        let tiles = u32::try_from(len.checked_next_multiple_of(keys)? / keys).ok()?;
        let count = if len < 1 << 30 { WordType::U32 } else { WordType::U64 };
        let states = (tiles as usize).checked_mul(2 * DIGITS)?;
        states.checked_mul(count.bytes())?;
        Some(Self {
            tiles,
            count,
            control: TOTALS + key_bytes * DIGITS * count.bytes() / size_of::<u32>(),
            states,
            surveyors: len.div_ceil(COUNTED).max(1),
        })
    }
}

/// What passes over so many keys take beside these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Passes {
    /// Tiles.
    pub(crate) tiles: usize,
    /// The type of a count.
    pub(crate) count: WordType,
    /// Counts of all tiles.
    pub(crate) counts: usize,
}

impl Passes {
    /// `None` where sizes are more than addresses tell.
    pub(crate) fn new(len: usize, group: usize, per: usize) -> Option<Self> {
        let keys = group.checked_mul(per)?;
        let tiles = len.checked_next_multiple_of(keys)? / keys;
        let count = if u32::try_from(len).is_ok() { WordType::U32 } else { WordType::U64 };
        let counts = tiles.checked_mul(DIGITS)?;
        counts.checked_mul(count.bytes())?;
        Some(Self { tiles, count, counts })
    }
}

/// The bytes that a sort by a plan allocates beside its keys and values, of so many bytes each; `None` where addresses do not tell
/// them, or the plan takes no such number of keys.
pub(crate) fn scratch_bytes(len: usize, plan: SortPlan, (key, value): (usize, usize)) -> Option<usize> {
    let other = len.checked_mul(key + value)?;
    let beside = match plan {
        SortPlan::Host => return Some(other),
        SortPlan::Tile(_) => return Some(value.max(4)),
        SortPlan::Passes { group, per } => {
            let passes = Passes::new(len, group as usize, per as usize)?;
            (passes.counts + DIGITS).checked_mul(passes.count.bytes())?
        }
        SortPlan::Sweeps(tile) => {
            let sweeps = Sweeps::new(len, tile, key)?;
            (sweeps.states.checked_mul(sweeps.count.bytes())?).checked_add(4 * sweeps.control)?
        }
    };
    other.checked_add(beside)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TILE: SortTile = SortTile { group: 256, per: 8 };

    #[test]
    fn counts_of_sweeps_hold_two_bits_more() {
        let of = |len: usize| Sweeps::new(len, TILE, 4).unwrap();
        assert_eq!(of((1 << 30) - 1).count, WordType::U32);
        assert_eq!(of((1 << 30) - 1).control, 16 + 4 * 256);
        for len in [1usize << 30, (1 << 31) - 1, 1 << 31, (1 << 31) + 1, (1 << 32) - 1, 1 << 32, (1 << 32) + 1] {
            let sweeps = of(len);
            assert_eq!((sweeps.count, sweeps.control), (WordType::U64, 16 + 2 * 4 * 256), "{len}");
            let all = u64::from(sweeps.tiles) * 2048;
            assert!(all >= len as u64 && all - (len as u64) < 2048, "{len}: {sweeps:?}");
            assert_eq!(sweeps.states as u64, 2 * 256 * u64::from(sweeps.tiles), "{len}");
        }
        assert_eq!(
            [of((1 << 31) - 1).tiles, of(1 << 31).tiles, of((1 << 31) + 1).tiles],
            [1 << 20, 1 << 20, (1 << 20) + 1]
        );
        // A group of the survey counts no more than 2^32 - 1 keys.
        let surveyors = [1 << 31, (1 << 32) - 1, 1 << 32, 1 << 33, (1 << 33) + 9].map(|len| of(len).surveyors);
        assert_eq!(surveyors, [1, 1, 2, 3, 3]);
    }

    #[test]
    fn counts_of_passes_hold_the_number_of_keys() {
        let of = |len: usize| Passes::new(len, 256, 16).unwrap();
        assert_eq!(
            of((1 << 31) + 1),
            Passes { tiles: (1 << 19) + 1, count: WordType::U32, counts: ((1 << 19) + 1) << 8 }
        );
        assert_eq!(of((1 << 32) - 1), Passes { tiles: 1 << 20, count: WordType::U32, counts: 1 << 28 });
        assert_eq!(of(1 << 32), Passes { tiles: 1 << 20, count: WordType::U64, counts: 1 << 28 });
        assert_eq!(of((1 << 32) + 1).tiles, (1 << 20) + 1);
    }

    #[test]
    fn lengths_that_nothing_counts_are_none() {
        // 2^32 tiles and more.
        assert!(Sweeps::new((1 << 43) - 1, TILE, 4).is_none() && Sweeps::new((1 << 42) + 1, TILE, 4).is_some());
        for len in [usize::MAX, usize::MAX - 1, 1 << 63] {
            assert_eq!(Sweeps::new(len, TILE, 4), None);
            let plans = [SortPlan::Host, SortPlan::Sweeps(TILE), SortPlan::Passes { group: 256, per: 16 }];
            for plan in plans {
                assert_eq!(scratch_bytes(len, plan, (4, 0)), None, "{len} by {plan}");
            }
        }
        assert_eq!(Passes::new(usize::MAX, 1, 1), None);
    }

    #[test]
    fn scratch_memory_is_that_of_the_documentation() {
        // As much again, and 1 KiB of counts for a tile of 4096 keys; two words for each digit of a tile of 2048.
        let passes = SortPlan::Passes { group: 256, per: 16 };
        assert_eq!(scratch_bytes(1 << 20, passes, (4, 0)), Some((4 << 20) + (256 << 10) + 1024));
        let sweeps = scratch_bytes(1 << 20, SortPlan::Sweeps(TILE), (8, 4));
        assert_eq!(sweeps, Some((12 << 20) + 512 * 2048 + 4 * (16 + 8 * 256)));
        let long = scratch_bytes(1 << 32, SortPlan::Sweeps(TILE), (1, 0));
        assert_eq!(long, Some((1 << 32) + (1 << 21) * 4096 + 4 * (16 + 512)));
    }
}
