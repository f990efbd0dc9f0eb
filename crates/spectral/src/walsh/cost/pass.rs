//! One pass over the data: its shape, and the kernel that the model prices.

use std::fmt;

use manycore_device::WordType;
use manycore_model::{Blocks, Kernel, Operation};

use super::Arrays;

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

impl Pass {
    /// What the model needs to know of the pass over `arrays`.
    ///
    /// A work-item of `r` values reads and writes each once, and does one addition or subtraction for each value and
    /// stage; between rounds of up to `log2 r` stages the values change places through local memory.
    pub fn kernel(&self, arrays: &Arrays) -> Kernel {
        let element = arrays.element;
        let bytes = element.bytes() as u64;
        let values = arrays.values();
        // All passes touch the same values; those that need a second buffer touch both.
        let footprint = values * bytes * if self.is_out_of_place() { 2 } else { 1 };
        let items = |log_tile: u32, log_regs: u32| 1u32 << log_tile.saturating_sub(log_regs);
        let pass = |name, log_tile: u32, log_regs: u32, stages: u32, exchanges: u32| {
            let each = 1u64 << log_regs;
            let blocks = Blocks::even(
                values.div_ceil(1 << log_tile).max(1),
                items(log_tile, log_regs),
                u64::from(stages) * each,
                each,
                each,
            );
            Kernel::new(name, items(log_tile, log_regs))
                .blocks(blocks)
                .operation(operation(element))
                .word_bytes(bytes as u32)
                .local_words(1 << log_tile)
                .local_accesses(2 * each * u64::from(exchanges))
                .chains(1 << log_regs)
                .registers(element.bytes() as u32 / 4 * (1 << log_regs) + 24)
                .traffic_words(2 * values)
                .footprint_bytes(footprint)
        };
        match *self {
            Self::Tile { stages, log_tile, log_regs, log_spill } => {
                let exchanges = tile_exchanges(element, stages - log_spill, log_tile, log_regs);
                let kernel = pass("walsh_tile", log_tile, log_regs, stages, exchanges);
                spilled(kernel, values, log_spill)
            }
            Self::Columns { log_rows, log_segment, log_regs, log_spill, .. } => {
                let (log_tile, stages) = (log_rows + log_segment, log_rows + log_spill);
                let exchanges = log_rows.div_ceil(log_regs) - 1;
                let kernel = pass("walsh_columns", log_tile, log_regs, stages, exchanges);
                // A single round needs no tile in local memory.
                let kernel = if exchanges == 0 { kernel.local_words(1) } else { kernel };
                spilled(kernel, values, log_spill).segment_bytes(bytes << log_segment)
            }
            Self::Fan { log_tile, log_regs, log_fan } => {
                // Every group reads all tiles, from the cache after the first has.
                let each = 1u64 << log_regs;
                let stages = u64::from(log_tile) + (1 << log_fan);
                let items = items(log_tile, log_regs);
                Kernel::new("walsh_fan", items)
                    .blocks(Blocks::even(1 << log_fan, items, stages * each, each << log_fan, each))
                    .operation(operation(element))
                    .word_bytes(bytes as u32)
                    .local_words(1 << log_tile)
                    .local_accesses(2 * each * u64::from(tile_exchanges(element, log_tile, log_tile, log_regs)))
                    .chains(1 << log_regs)
                    .footprint_bytes(footprint)
            }
            Self::Geometry { stages, log_tile, log_regs, log_waiting, butterflies } => {
                let steps = if butterflies { stages } else { 0 };
                let exchanges = 1 + steps.div_ceil(log_regs.max(1));
                let kernel = pass("walsh_geometry", log_tile, log_regs, steps, exchanges).phased();
                match log_waiting.min(log_tile - stages) {
                    // The last pass writes whole rows.
                    0 => kernel,
                    run => kernel.write_segment_bytes(bytes << run),
                }
            }
        }
    }
}

/// The base-2 logarithm of the values of a vector of 16 bytes, in which a tile's first loads come.
fn log_vector(element: WordType) -> u32 {
    (16 / element.bytes()).ilog2()
}

/// How often the values of a tile of `stages` stages change places: `kernels/spectral/walsh_tile.clh` draws its rounds.
fn tile_exchanges(element: WordType, stages: u32, log_tile: u32, log_regs: u32) -> u32 {
    let vector = log_vector(element);
    // The load's registers hold the lowest bits and the highest; the rounds take those between.
    let middle_end = stages.min(log_tile + vector - log_regs);
    let rounds = middle_end.saturating_sub(vector).div_ceil(log_regs);
    // The last round's registers store side by side only from some bit on; else they go through the load's layout again.
    let stores_apart = rounds > 0 && vector + (rounds - 1) * log_regs < 5;
    rounds + u32::from(stores_apart)
}

impl Pass {
    /// The index bits in the order in which the kernel transforms them.
    pub(super) fn stage_order(&self, element: WordType, log_len: u32) -> Vec<u32> {
        // Rounds from the highest bits down, each from its lowest bit up.
        let rounds_down = |low: u32, count: u32, log_regs: u32| {
            let mut order = Vec::new();
            let mut left = count;
            while left > 0 {
                let width = left.min(log_regs);
                left -= width;
                order.extend(low + left..low + left + width);
            }
            order
        };
        let tile = |stages: u32, log_tile: u32, log_regs: u32| {
            let vector = log_vector(element);
            let high = log_tile + vector - log_regs;
            (0..stages.min(vector)).chain(high..stages.max(high)).chain(vector..stages.min(high).max(vector))
        };
        match *self {
            Self::Tile { stages, log_tile, log_regs, log_spill } => {
                (log_tile..log_tile + log_spill).chain(tile(stages - log_spill, log_tile, log_regs)).collect()
            }
            Self::Fan { log_tile, log_regs, log_fan } => {
                (log_tile..log_tile + log_fan).chain(tile(log_tile, log_tile, log_regs)).collect()
            }
            Self::Columns { log_stride, log_rows, log_regs, log_spill, .. } => {
                let above = log_stride + log_rows;
                (above..above + log_spill).chain(rounds_down(log_stride, log_rows, log_regs)).collect()
            }
            Self::Geometry { butterflies: false, .. } => Vec::new(),
            // Every step takes the lowest of the bits that wait.
            Self::Geometry { stages, log_waiting, .. } => {
                let done = log_len - log_waiting - stages;
                (done..done + stages).collect()
            }
        }
    }
}

/// Stages between tiles read values again, from the cache, which takes about half of a reading from memory: `1.5^s - 1` values
/// for each one where a sum leaves one of its values as it is, as in the Reed-Muller transform, which alone takes them unasked.
fn spilled(kernel: Kernel, values: u64, log_spill: u32) -> Kernel {
    let readings = 1.5_f64.powi(log_spill as i32) - 1.0;
    if log_spill == 0 { kernel } else { kernel.traffic_words(2 * values + (0.5 * readings * values as f64) as u64) }
}

fn operation(element: WordType) -> Operation {
    match element {
        WordType::F32 => Operation::F32,
        WordType::F64 => Operation::F64,
        _ if element.bytes() == 8 => Operation::Int64,
        _ => Operation::Int32,
    }
}
