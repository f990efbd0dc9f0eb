//! What a transform costs on an OpenCL device, and which passes it takes there.
//!
//! Every pass reads and writes all values once, so their number decides: a tile of `2^t` values that fits a group's
//! local memory does the lowest `t` stages in one pass, and a pass over columns, whose tile is rows of one memory
//! segment each, does up to `c = t - log2(segment)` of the others.

use std::fmt;

use manycore_device::WordType;

/// One pass over the data: the kernel launched and its shape. All numbers are base-2 logarithms but for `log_regs`' own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Pass {
    /// The lowest `stages` index bits, in contiguous tiles of `2^log_tile` values; `log_spill` of the stages lie above
    /// the tile.
    Tile {
        /// Index bits transformed.
        stages: u32,
        /// Values of a tile.
        log_tile: u32,
        /// Values of a work-item.
        log_regs: u32,
        /// Stages done between tiles, whose values pass through the device's cache once more.
        log_spill: u32,
    },
    /// All `log_tile + log_fan` index bits of one array, out of place: every group reads all `2^log_fan` tiles and writes
    /// one.
    Fan {
        /// Values of a tile.
        log_tile: u32,
        /// Values of a work-item.
        log_regs: u32,
        /// Tiles, one a group.
        log_fan: u32,
    },
    /// `log_rows + log_spill` index bits from `log_stride` on, for `2^log_segment` neighbouring columns together.
    Columns {
        /// The lowest index bit transformed.
        log_stride: u32,
        /// Index bits transformed within the tile.
        log_rows: u32,
        /// Columns of a tile.
        log_segment: u32,
        /// Values of a work-item.
        log_regs: u32,
        /// Stages done between tiles.
        log_spill: u32,
    },
    /// `stages` steps of the constant geometry, out of place, while `log_waiting` index bits wait for later passes.
    Geometry {
        /// Steps.
        stages: u32,
        /// Values of a tile.
        log_tile: u32,
        /// Values of a work-item.
        log_regs: u32,
        /// Index bits not yet transformed after this pass.
        log_waiting: u32,
        /// Whether values are transformed, or only moved into the other order.
        butterflies: bool,
    },
}

impl Pass {
    /// Whether the pass writes to a second buffer.
    pub const fn is_out_of_place(&self) -> bool {
        matches!(self, Self::Geometry { .. } | Self::Fan { .. })
    }
}

impl fmt::Display for Pass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let spilled = |f: &mut fmt::Formatter<'_>, log_spill| match log_spill {
            0 => Ok(()),
            s => write!(f, ", {s} of them through the cache"),
        };
        match *self {
            Self::Tile { stages, log_tile, log_spill, .. } => {
                write!(f, "tiles of 2^{log_tile}: bits 0..{stages}")?;
                spilled(f, log_spill)
            }
            Self::Columns { log_stride, log_rows, log_segment, log_spill, .. } => {
                write!(
                    f,
                    "columns in segments of 2^{log_segment}: bits {log_stride}..{}",
                    log_stride.saturating_add(log_rows).saturating_add(log_spill)
                )?;
                spilled(f, log_spill)
            }
            Self::Fan { log_tile, log_fan, .. } => {
                write!(
                    f,
                    "2^{log_fan} groups that read all and write tiles of 2^{log_tile}: bits 0..{}",
                    log_tile.saturating_add(log_fan)
                )
            }
            Self::Geometry { stages, log_waiting, butterflies: true, .. } => {
                write!(f, "constant geometry: {stages} steps, {log_waiting} to follow")
            }
            Self::Geometry { stages, log_waiting, butterflies: false, .. } => {
                write!(f, "reversal of {stages} bits, {log_waiting} to follow")
            }
        }
    }
}

/// What of a device decides the passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of local memory that a kernel's static arrays can have.
    pub local_bytes: usize,
    /// Items of the largest group.
    pub group_limit: usize,
    /// Bytes of one memory segment that the device fetches at full speed.
    pub segment_bytes: usize,
    /// Values of 4 bytes that a work-item keeps in registers, as a base-2 logarithm; of 8 bytes, one less.
    pub log_regs: u32,
    /// Whether a launch is so slow beside memory that a short array is better read several times.
    pub fans: bool,
}

impl Limits {
    /// Limits from a device's local memory and group size: 128-byte segments, 32 registers an item.
    pub const fn new(local_bytes: usize, group_limit: usize) -> Self {
        Self { local_bytes, group_limit, segment_bytes: 128, log_regs: 5, fans: true }
    }

    fn log_regs(&self, element: WordType) -> u32 {
        if element.bytes() == 8 { self.log_regs - 1 } else { self.log_regs }
    }

    /// The base-2 logarithm of the largest tile.
    fn log_tile(&self, element: WordType) -> u32 {
        let by_memory = (self.local_bytes / element.bytes()).max(1).ilog2();
        by_memory.min(self.group_limit.max(1).ilog2() + self.log_regs(element))
    }

    fn log_segment(&self, element: WordType) -> u32 {
        (self.segment_bytes / element.bytes()).max(1).ilog2()
    }
}

/// The smallest tile worth a group: a transform of fewer values shares its tile with others.
const SMALL_TILE: u32 = 12;
/// Tiles up to this many bytes leave room for several groups on a compute unit, so that one computes while another waits
/// for memory.
const SHARED_TILE_BYTES: usize = 64 << 10;
/// A single array of at most `2^(SMALL_TILE + MOST_FAN)` values is read whole by each of `2^fan` groups: beyond, reading
/// it again costs more than a second launch.
const MOST_FAN: u32 = 5;

impl Pass {
    /// The time of a pass in units of one copy of the data, as measured on devices whose memory is the bound: narrow
    /// segments waste bandwidth, and a tile that leaves no room for a second group on its compute unit leaves memory idle
    /// while it computes.
    fn copies(&self, element: WordType) -> f64 {
        let alone = |log_tile: u32| element.bytes() << log_tile > SHARED_TILE_BYTES;
        match *self {
            Self::Tile { log_tile, .. } => {
                if alone(log_tile) {
                    1.4
                } else {
                    1.1
                }
            }
            Self::Columns { log_rows, log_segment, .. } => {
                let segment = match element.bytes() << log_segment {
                    0..32 => 2.4,
                    32..64 => 1.55,
                    64..128 => 1.25,
                    _ => 1.15,
                };
                segment * if alone(log_rows + log_segment) { 1.25 } else { 1.0 }
            }
            Self::Fan { log_fan, .. } => 1.1 + f64::from(1u32 << log_fan) / 4.0,
            Self::Geometry { .. } => 1.5,
        }
    }
}

/// The passes of the in-place (Cooley-Tukey) transform of `2^log_len` values, in the order of their launches; of `arrays` such arrays
/// together: the stages of a short one that is alone are shared by several groups.
///
/// Of all ways to cut the index bits into one tile and columns, the one with the least memory time.
pub fn cooley_tukey_passes(log_len: u32, arrays: usize, element: WordType, limits: &Limits) -> Vec<Pass> {
    let largest = limits.log_tile(element);
    let small = SMALL_TILE.min(largest);
    let shared = (SHARED_TILE_BYTES / element.bytes()).ilog2().min(largest);
    // 32 registers of 4 bytes an item pay where the tile is large.
    let log_regs = |log_tile: u32| {
        let least = log_tile.saturating_sub(limits.group_limit.max(1).ilog2());
        limits.log_regs(element).min(log_tile.saturating_sub(8).max(4)).max(least).min(log_tile - 1)
    };
    let tile = |stages: u32| {
        let log_tile = stages.max(small);
        Pass::Tile { stages, log_tile, log_regs: log_regs(log_tile), log_spill: 0 }
    };
    if arrays == 1 && limits.fans && log_len >= shared && log_len > small && log_len - small <= MOST_FAN {
        return vec![Pass::Fan { log_tile: small, log_regs: log_regs(small), log_fan: log_len - small }];
    }
    if log_len <= largest {
        return vec![tile(log_len)];
    }
    let widest = limits.log_segment(element).min(largest - 1);
    let mut best: Option<(f64, Vec<Pass>)> = None;
    for column_passes in 1..=log_len {
        for stages in small.min(log_len - 1)..=largest.min(log_len - 1) {
            let Some(passes) = columns(log_len, stages, column_passes, widest, largest, &log_regs) else { continue };
            let passes: Vec<Pass> = passes.into_iter().chain([tile(stages)]).collect();
            let copies = passes.iter().map(|pass| pass.copies(element)).sum();
            if best.as_ref().is_none_or(|(least, _)| copies < *least) {
                best = Some((copies, passes));
            }
        }
        // Every further pass costs a copy at least.
        if best.as_ref().is_some_and(|(least, _)| *least < f64::from(column_passes + 2)) {
            break;
        }
    }
    best.map_or_else(Vec::new, |(_, passes)| passes)
}

/// `count` passes over the columns above `stages` bits, of as equal numbers of rows as possible and the widest segments
/// that fit; `None` where the rows do not fit.
fn columns(
    log_len: u32,
    stages: u32,
    count: u32,
    widest: u32,
    largest: u32,
    log_regs: &impl Fn(u32) -> u32,
) -> Option<Vec<Pass>> {
    const NARROWEST: u32 = 2;
    let mut high = log_len;
    let mut passes = Vec::new();
    for left in (1..=count).rev() {
        let log_rows = (high - stages).div_ceil(left);
        let log_segment = widest.min(largest.checked_sub(log_rows)?);
        if log_rows == 0 || log_segment < NARROWEST.min(widest) {
            return None;
        }
        high -= log_rows;
        let log_regs = log_regs(log_rows + log_segment);
        passes.push(Pass::Columns { log_stride: high, log_rows, log_segment, log_regs, log_spill: 0 });
    }
    Some(passes)
}

/// The passes of the constant-geometry transform of `2^log_len` values, of at most `most_steps` steps each.
pub fn constant_geometry_passes(
    log_len: u32,
    element: WordType,
    limits: &Limits,
    most_steps: Option<u32>,
    butterflies: bool,
) -> Vec<Pass> {
    let (largest, log_segment) = (limits.log_tile(element), limits.log_segment(element));
    let log_regs = limits.log_regs(element);
    let alone = most_steps.unwrap_or(u32::MAX).clamp(1, largest.min(SMALL_TILE));
    let most = most_steps.unwrap_or(u32::MAX).clamp(1, largest.saturating_sub(log_segment).max(1));
    let count = if log_len <= alone { 1 } else { log_len.div_ceil(most) };
    let mut passes = Vec::new();
    let mut waiting = log_len;
    for left in (1..=count).rev() {
        let stages = waiting.div_ceil(left);
        waiting -= stages;
        let log_tile = (stages + log_segment).max(SMALL_TILE).min(largest);
        let log_regs = log_regs.min(log_tile);
        passes.push(Pass::Geometry { stages, log_tile, log_regs, log_waiting: waiting, butterflies });
    }
    passes
}

/// Butterfly operations of one transform of `2^log_len` values: `n * 2^n` additions and subtractions.
pub const fn operations(log_len: u32) -> u64 {
    (log_len as u64) << log_len
}

/// Bytes that `passes` read and write in the device's memory for `count` values.
pub fn traffic_bytes(passes: &[Pass], count: usize, element: WordType) -> u64 {
    2 * passes.len() as u64 * count as u64 * element.bytes() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    const LARGE: Limits = Limits::new(232_192, 1024);
    const SMALL: Limits = Limits::new(32 << 10, 256);

    fn bits(passes: &[Pass]) -> u32 {
        passes
            .iter()
            .map(|pass| match *pass {
                Pass::Tile { stages, .. } | Pass::Geometry { stages, .. } => stages,
                Pass::Fan { log_tile, log_fan, .. } => log_tile + log_fan,
                Pass::Columns { log_rows, log_spill, .. } => log_rows + log_spill,
            })
            .sum()
    }

    #[test]
    fn passes_cover_every_bit_and_fit_the_device() {
        for limits in [LARGE, SMALL, Limits::new(1 << 20, 4096), Limits::new(16 << 10, 64)] {
            for element in [WordType::F32, WordType::I64] {
                for n in 0..=36 {
                    let direct = cooley_tukey_passes(n, 7, element, &limits);
                    assert_eq!(bits(&direct), n);
                    assert_eq!(bits(&cooley_tukey_passes(n, 1, element, &limits)), n);
                    let mut low = n;
                    for pass in &direct {
                        let (log_tile, log_regs) = match *pass {
                            Pass::Columns { log_stride, log_rows, log_segment, log_regs, .. } => {
                                assert_eq!(log_stride + log_rows, low);
                                assert!(log_stride >= log_segment);
                                low = log_stride;
                                (log_rows + log_segment, log_regs)
                            }
                            Pass::Tile { stages, log_tile, log_regs, .. } => {
                                assert_eq!(stages, low);
                                (log_tile, log_regs)
                            }
                            Pass::Geometry { .. } | Pass::Fan { .. } => panic!("{pass}"),
                        };
                        assert!(element.bytes() << log_tile <= limits.local_bytes);
                        assert!(1 << (log_tile - log_regs) <= limits.group_limit);
                    }
                    for steps in [None, Some(1), Some(3)] {
                        assert_eq!(bits(&constant_geometry_passes(n, element, &limits, steps, true)), n);
                    }
                }
            }
        }
    }

    #[test]
    fn two_passes_reach_two_to_the_25_with_large_local_memory() {
        let count = |n| cooley_tukey_passes(n, 7, WordType::F32, &LARGE).len();
        assert_eq!([15, 16, 25, 28, 38].map(count), [1, 2, 2, 3, 4]);
        let single = |n| cooley_tukey_passes(n, 1, WordType::F32, &LARGE).len();
        assert_eq!([15, 16, 17, 18].map(single), [1, 1, 1, 2]);
    }
}
