//! The algorithms of radix sorts and their parameters.

use std::fmt;

use manycore_device::WordType;

/// Values of a digit.
pub(super) const DIGITS: usize = 256;

/// Items of a part of a group whose digits are compared.
pub(super) const PART: u32 = 32;

/// Keys that a work-group of an OpenCL device takes at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SortTile {
    /// Items of a group, a multiple of 32.
    pub group: u32,
    /// Keys of an item.
    pub per: u32,
}

impl SortTile {
    /// The smallest to choose from, which has the most counts beside its keys.
    pub(super) const SMALLEST: Self = Self { group: 256, per: 8 };

    /// Tiles to choose from.
    pub(super) fn candidates() -> [Self; 6] {
        [(256, 40), (256, 32), (256, 24), (256, 16), (256, 8), (512, 16)].map(|(group, per)| Self { group, per })
    }

    /// Keys of a tile.
    pub(super) fn keys(self) -> usize {
        self.group as usize * self.per as usize
    }

    /// Bytes of local memory for keys and values of so many bytes: counts of the parts, and keys and values after them; ends and bases
    /// of digits, and a word for each item.
    pub(super) fn local_bytes(self, (key, value): (usize, usize)) -> usize {
        let counts = (self.group / PART) as usize * DIGITS * 4;
        (self.keys() * (key + value)).max(counts) + DIGITS * (4 + 8) + self.group as usize * 4 + 256
    }
}

/// How keys are sorted by radix: an algorithm with its parameters. All give the same result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SortPlan {
    /// By threads of the host.
    Host,
    /// By digits from the lowest on an OpenCL device: for each one the counts of tiles, their sums, and the keys to their places, in
    /// three launches.
    Passes {
        /// Items of a group, a power of two.
        group: u32,
        /// Keys of an item, a power of two.
        per: u32,
    },
    /// By digits from the lowest on an OpenCL device, each in one launch that reads and writes keys once: a tile sums the counts of
    /// the tiles before by looking back.
    Sweeps(SortTile),
    /// At most a tile of keys, in one launch of one group.
    Tile(SortTile),
}

impl SortPlan {
    /// Keys of a tile; 1 on the host.
    pub(super) fn tile(self) -> usize {
        match self {
            Self::Host => 1,
            Self::Passes { group, per } => group as usize * per as usize,
            Self::Sweeps(tile) | Self::Tile(tile) => tile.keys(),
        }
    }
}

impl fmt::Display for SortPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host => f.write_str("host"),
            Self::Passes { group, per } => write!(f, "passes, {group} items of {per} keys"),
            Self::Sweeps(tile) => write!(f, "sweeps, {tile}"),
            Self::Tile(tile) => write!(f, "one tile, {tile}"),
        }
    }
}

impl fmt::Display for SortTile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} items of {} keys", self.group, self.per)
    }
}

/// What plans are chosen for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct SortShape {
    pub(super) key: WordType,
    pub(super) value: Option<WordType>,
    pub(super) len: usize,
}
