//! One pass over the data: its shape, and what its kernel moves and computes.

use std::fmt;

use manycore_device::WordType;
use manycore_model::{Blocks, DoesNotFit, Kernel, Machine, Operation, Program};

use super::arrays::Arrays;
use crate::walsh::butterfly::Butterfly;

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
        /// Stages done between tiles, whose values pass through the device's cache again.
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
    /// Adds the pass over `arrays` to `program`: one launch, and where stages lie above the tile, the values that come
    /// from a cache again.
    ///
    /// A work-item of `r` values reads and writes each once, and does one stage of butterflies after the other; between
    /// rounds of up to `log2 r` stages the values change places through local memory.
    pub(super) fn queue(
        &self,
        program: &mut Program,
        arrays: &Arrays,
        butterfly: Butterfly,
        machine: &Machine,
    ) -> Result<(), DoesNotFit> {
        let counts = Counts { arrays, butterfly };
        program.queue(counts.kernel(self))?;
        if let Some(kernel) = counts.spill(self, machine) {
            program.queue(kernel)?;
        }
        Ok(())
    }
}

/// What passes over some arrays by one butterfly move and compute.
#[derive(Clone, Copy)]
struct Counts<'a> {
    arrays: &'a Arrays,
    butterfly: Butterfly,
}

/// A group's part of a pass.
#[derive(Clone, Copy)]
struct Group {
    /// The base-2 logarithm of the values of a tile.
    log_tile: u32,
    /// The base-2 logarithm of the values of a work-item, of one tile.
    log_regs: u32,
    /// The base-2 logarithm of the tiles that a group writes.
    log_tiles: u32,
    /// The base-2 logarithm of the tiles that it reads.
    log_tiles_read: u32,
    /// The number of exchanges of a tile's values through local memory.
    exchanges: u32,
}

impl Group {
    /// A group that reads the tiles that it writes.
    const fn of(log_tile: u32, log_regs: u32, log_tiles: u32, exchanges: u32) -> Self {
        Self { log_tile, log_regs, log_tiles, log_tiles_read: log_tiles, exchanges }
    }
}

impl Counts<'_> {
    /// The pass's launch.
    fn kernel(&self, pass: &Pass) -> Kernel {
        let element = self.arrays.element;
        let bytes = element.bytes() as u64;
        match *pass {
            Pass::Tile { stages, log_tile, log_regs, log_spill } => {
                let stages = stages - log_spill;
                let exchanges = tile_exchanges(element, stages, log_tile, log_regs);
                let group = Group::of(log_tile, log_regs, log_spill, exchanges);
                let operations = |values| self.stages(stages, values).saturating_add(self.within_words(values));
                self.of_groups("walsh_tile", group, operations)
            }
            Pass::Columns { log_rows, log_segment, log_regs, log_spill, .. } => {
                let exchanges = log_rows.div_ceil(log_regs) - 1;
                let group = Group::of(log_rows + log_segment, log_regs, log_spill, exchanges);
                let kernel = self.of_groups("walsh_columns", group, |values| self.stages(log_rows, values));
                // A single round needs no tile in local memory.
                let kernel = if exchanges == 0 { kernel.local_words(1) } else { kernel };
                kernel.segment_bytes(bytes << log_segment)
            }
            Pass::Fan { log_tile, log_regs, log_fan } => {
                // Every group reads all tiles and combines them to one by all butterflies of one row: one less than
                // there are.
                let exchanges = tile_exchanges(element, log_tile, log_tile, log_regs);
                let group = Group { log_tiles_read: log_fan, ..Group::of(log_tile, log_regs, 0, exchanges) };
                let combinations = (1u64 << log_fan) - 1;
                let operations = |values: u64| {
                    self.stages(1, combinations * values)
                        .saturating_add(self.stages(log_tile, values))
                        .saturating_add(self.within_words(values))
                };
                let words = self.arrays.values().saturating_mul(1 + (1 << log_fan));
                self.of_groups("walsh_fan", group, operations)
                    .traffic_words(words)
                    .footprint_bytes(self.arrays.bytes().saturating_mul(2))
            }
            Pass::Geometry { stages, log_tile, log_regs, log_waiting, butterflies } => {
                let steps = if butterflies { stages } else { 0 };
                // Into the tile, back and forth in every round, and out of it.
                let exchanges = 1 + steps.div_ceil(log_regs.max(1));
                let group = Group::of(log_tile, log_regs, 0, exchanges);
                let kernel = self
                    .of_groups("walsh_geometry", group, |values| self.stages(steps, values))
                    .footprint_bytes(self.arrays.bytes().saturating_mul(2));
                match log_waiting.min(log_tile - stages) {
                    // The last pass writes whole rows.
                    0 => kernel,
                    run => kernel.write_segment_bytes(bytes << run),
                }
            }
        }
    }

    /// A launch over all values in place; `operations(n)` gives the operations of a work-item on `n` values.
    fn of_groups(&self, name: &str, group: Group, operations: impl Fn(u64) -> u64) -> Kernel {
        let Group { log_tile, log_regs, log_tiles, log_tiles_read, exchanges } = group;
        let (element, values) = (self.arrays.element, self.arrays.values());
        let items = 1u32 << log_tile.saturating_sub(log_regs);
        // Values of a work-item.
        let each = 1u64 << (log_regs + log_tiles);
        let between = self.between_tiles(log_tiles, 1 << log_regs);
        let blocks = Blocks::even(
            values.div_ceil(1 << (log_tile + log_tiles)).max(1),
            items,
            operations(each).saturating_add(between),
            1 << (log_regs + log_tiles_read),
            each,
        );
        Kernel::new(name, items)
            .blocks(blocks)
            .operation(stage(self.butterfly, element, 0).0)
            .word_bytes(element.bytes() as u32)
            .local_words(1 << log_tile)
            .local_accesses(2 * each * u64::from(exchanges))
            .traffic_words(values.saturating_mul(2))
            .footprint_bytes(self.arrays.bytes())
    }

    /// Operations of `stages` stages on `values` values.
    fn stages(&self, stages: u32, values: u64) -> u64 {
        stage(self.butterfly, self.arrays.element, values).1.saturating_mul(u64::from(stages))
    }

    /// Operations of 32 bits of the index bits within words of 64 bits: each bit takes a mask, a shift and an exclusive
    /// or, but the highest no mask (`walsh_within_word`).
    fn within_words(&self, values: u64) -> u64 {
        let bits = match self.butterfly {
            Butterfly::ReedMuller { log_unit_bits } => u64::from(6_u32.saturating_sub(log_unit_bits)),
            _ => 0,
        };
        values.saturating_mul(2 * (3 * bits).saturating_sub(1))
    }

    /// Operations of a work-item with `values` values of each of `2^log_tiles` tiles between these tiles: the
    /// butterflies, or by the Reed-Muller transform `3^s - 2^s` exclusive ors of tiles.
    fn between_tiles(&self, log_tiles: u32, values: u64) -> u64 {
        match self.butterfly {
            Butterfly::ReedMuller { .. } => {
                // A stage is half an exclusive or for each value.
                self.stages(1, 2 * values).saturating_mul(3_u64.pow(log_tiles) - (1 << log_tiles))
            }
            _ => self.stages(log_tiles, values << log_tiles),
        }
    }

    /// The repeated traffic of a pass with stages above its tile, between a cache and the groups that run at the same
    /// time: tiles of the Reed-Muller transform are read `3^s` times in all instead of `2^s`, those of others but for
    /// the first are written and read again.
    fn spill(&self, pass: &Pass, machine: &Machine) -> Option<Kernel> {
        let (name, log_tile, log_regs, log_tiles) = match *pass {
            Pass::Tile { log_tile, log_regs, log_spill, .. } => ("walsh_tile, cached", log_tile, log_regs, log_spill),
            Pass::Columns { log_rows, log_segment, log_regs, log_spill, .. } => {
                ("walsh_columns, cached", log_rows + log_segment, log_regs, log_spill)
            }
            _ => return None,
        };
        if log_tiles == 0 {
            return None;
        }
        let tiles = 1u64 << log_tiles;
        let (reads, writes) = match self.butterfly {
            Butterfly::ReedMuller { .. } => (3_u64.pow(log_tiles) - tiles, 0),
            _ => (tiles - 1, tiles - 1),
        };
        let (values, bytes) = (self.arrays.values(), self.arrays.element.bytes() as u64);
        let words = (u128::from(values) * u128::from(reads + writes)) >> log_tiles;
        let items = 1u32 << log_tile.saturating_sub(log_regs);
        let blocks = values.div_ceil(1 << (log_tile + log_tiles)).max(1);
        let at_the_same_time = blocks.min(machine.processors.into()).saturating_mul(bytes << (log_tile + log_tiles));
        let kernel = Kernel::new(name, items)
            .blocks(Blocks::even(blocks, items, 0, reads << log_regs, writes << log_regs))
            .word_bytes(bytes as u32)
            .traffic_words(u64::try_from(words).unwrap_or(u64::MAX))
            .footprint_bytes(at_the_same_time);
        let kernel = match *pass {
            Pass::Columns { log_segment, .. } => kernel.segment_bytes(bytes << log_segment),
            _ => kernel,
        };
        Some(kernel.fused())
    }
}

/// The base-2 logarithm of the values of a vector of 16 bytes, in which a tile's first loads come.
fn log_vector(element: WordType) -> u32 {
    (16 / element.bytes()).ilog2()
}

/// The number of exchanges of the values of a tile of `stages` stages: `kernels/spectral/walsh_tile.clh` draws its rounds.
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

/// The operations of one stage of butterflies on `values` values of a device: two additions for each pair `(u + v, u -
/// v)`, one for each pair `(u, v - u)`. An integer of 64 bits takes two operations of 32 bits, the upper one with a
/// carry.
fn stage(butterfly: Butterfly, element: WordType, values: u64) -> (Operation, u64) {
    let additions = if butterfly == Butterfly::Walsh { values } else { values / 2 };
    match element {
        WordType::F32 => (Operation::F32, additions),
        WordType::F64 => (Operation::F64, additions),
        _ if element.bytes() == 8 => (Operation::Int32, additions.saturating_mul(2)),
        _ => (Operation::Int32, additions),
    }
}
