//! What a transform costs, and which passes it takes on an OpenCL device.
//!
//! The index bits are cut as for the Walsh-Hadamard transform: a tile for the lowest ones, columns for the others. Beside
//! its butterflies a pass multiplies every value by two factors where its parts belong to a longer array.
//!
//! | file | what |
//! |---|---|
//! | `price` | what an arithmetic's butterflies and products cost |
//! | `pass` | one pass over the data, and the passes of a transform |

mod pass;
pub(super) mod price;

use manycore_device::{Limits, WordType};
use manycore_field::{Arithmetic, FloatingPoint};
use manycore_model::{Blocks, Costed, DoesNotFit, Kernel, Machine, Program};

pub use pass::{Pass, Plan};
use price::element;

/// The smallest tile of short transforms that share one, and the fewest levels that a pass over tiles does of longer ones.
const SMALL_TILE: u32 = 8;
/// The base-2 logarithm of the fewest items of a group, where parts can share a tile.
const fn fewest_items(arithmetic: Arithmetic) -> u32 {
    match arithmetic {
        // Double precision gains from groups that are one warp (measured on an H200, 2^24 values: 70 us for 76).
        Arithmetic::Floating => 5,
        _ => 6,
    }
}
/// Arrays of fewer bytes are transformed by the calling thread alone on the host.
pub const SERIAL_BYTES: u64 = super::host::SERIAL_BYTES;

/// Parts of so many levels have a tile each.
const OWN_TILE: u32 = 10;
/// Levels of an array that is not transformed alone in one tile, where others would wait.
const LONE_TILE: u32 = 14;
/// Tiles of columns of long words have as many values, where runs of twice a line do that.
const WIDE_TILE: u32 = 12;
/// Up to so many values there are hardly items for all compute units, so that they hold fewer values: `2^FEWER_REGS`.
const FEW_VALUES: u64 = 1 << 18;
/// See there.
const FEWER_REGS: u32 = 3;
/// The narrowest runs of columns: of 4 values.
const NARROWEST: u32 = 2;
/// More passes over columns than any memory needs.
const MOST_COLUMN_PASSES: u32 = 3;
/// Multiply-adds of 32 bits that a butterfly modulo `p` on the host takes as long as, by the widest vectors: between what Zen 4,
/// Zen 5 and Sapphire Rapids take.
pub fn host_butterfly_operations(arithmetic: Arithmetic, p: u64) -> f64 {
    match arithmetic {
        // Words with more room are reduced less often.
        Arithmetic::Word32 if p < 1 << 30 => 4.0,
        Arithmetic::Word32 => 4.9,
        Arithmetic::Floating => 9.3,
        Arithmetic::Word64 { lazy: true } => 13.7,
        Arithmetic::Word64 { lazy: false } => 15.6,
        Arithmetic::Goldilocks => 21.0,
    }
}

/// Words of the factors that a transform of `2^log_len` values on the host reads: nearly one factor for each value, since the
/// levels within vectors have one for each lane.
pub const fn host_factor_words(arithmetic: Arithmetic, log_len: u32) -> u64 {
    (arithmetic.factor_words() as u64) << log_len
}

/// How often an array of `2^log_len` words of so many bytes is moved on the host: once in tiles, and for three levels each time
/// while its blocks are larger than a core's own cache.
pub fn host_moves(word_bytes: u64, log_len: u32, machine: &Machine) -> u64 {
    let levels = (word_bytes << log_len).div_ceil(machine.local_bytes.max(1)).next_power_of_two().ilog2();
    1 + u64::from(levels.div_ceil(super::host::MOST_LEVELS))
}

/// What is transformed: arrays of residues.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Arrays {
    /// Arrays side by side.
    pub count: usize,
    /// The base-2 logarithm of the values of one.
    pub log_len: u32,
    /// How kernels compute with them.
    pub arithmetic: Arithmetic,
    /// Whether the transform is negacyclic, and so multiplies every value first.
    pub negacyclic: bool,
    /// Whether spectra are in natural order, which takes a bit reversal.
    pub natural: bool,
}

impl Arrays {
    /// The type of their words in memory.
    pub const fn element(&self) -> WordType {
        element(self.arithmetic)
    }

    /// Values of all arrays.
    pub const fn values(&self) -> u64 {
        (self.count as u64) << self.log_len
    }

    /// Whether the host's calling thread does it alone.
    pub(super) fn is_serial(&self) -> bool {
        self.values() * (self.element().bytes() as u64) < SERIAL_BYTES
    }

    /// Butterflies of all transforms: `n 2^(n-1)` each.
    pub const fn butterflies(&self) -> u64 {
        self.values() * self.log_len as u64 / 2
    }
}

/// The transform on an OpenCL device, for the model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OnDevice {
    /// What the kernels can be built with.
    pub limits: Limits,
    /// How many times as long operations take as the machine's rates say.
    pub slowdowns: Slowdowns,
}

/// How many times as long the operations of passes take as the machine's rates say, by the base-2 logarithm of the values of an
/// item, from 0 on: what a CPU's compiler makes of them depends on it. 1 where that is not measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slowdowns([f64; Self::SIZES]);

impl Slowdowns {
    const SIZES: usize = 7;

    /// Those that `of` tells of each size.
    pub(super) fn new(of: impl Fn(u32) -> f64) -> Self {
        Self(std::array::from_fn(|log_regs| of(log_regs as u32)))
    }

    /// That of a pass.
    pub fn of(&self, pass: &Pass) -> f64 {
        self.0[(pass.log_regs() as usize).min(Self::SIZES - 1)]
    }

    /// The least.
    pub fn least(&self) -> f64 {
        self.0.into_iter().fold(f64::INFINITY, f64::min)
    }
}

impl Default for Slowdowns {
    fn default() -> Self {
        Self([1.0; Self::SIZES])
    }
}

impl OnDevice {
    /// The base-2 logarithm of the largest tile; in local memory it has gaps of up to an eighth of its words.
    fn largest(&self, arrays: &Arrays) -> u32 {
        self.limits.with_local_bytes(self.limits.local_bytes / 9 * 8).log_tile(arrays.element())
    }

    pub(super) fn tile(&self, arithmetic: Arithmetic, stages: u32, twisted: bool, most_regs: u32) -> Option<Pass> {
        // Items hold values of one part.
        let most_regs = if twisted { most_regs.min(stages) } else { most_regs };
        let log_tile = match (twisted, stages) {
            (false, _) => stages.max(SMALL_TILE),
            (true, 1..OWN_TILE) => stages.max(most_regs + fewest_items(arithmetic)),
            (true, _) => stages,
        };
        let log_regs = self.log_regs(log_tile, most_regs)?;
        (!twisted || log_regs <= stages).then_some(Pass::Tile { stages, log_tile, log_regs })
    }

    /// Registers of an item: as many as asked for, as far as the tile has work-items.
    fn log_regs(&self, log_tile: u32, most: u32) -> Option<u32> {
        let least = log_tile.saturating_sub(self.limits.group_limit.max(1).ilog2()).max(1);
        let regs = most.min(log_tile.saturating_sub(5)).max(1);
        (least <= most.max(1)).then_some(regs.max(least).min(log_tile))
    }

    /// `count` passes over the columns above `stages` bits.
    fn columns(&self, arrays: &Arrays, stages: u32, count: u32, log_segment: u32, most_regs: u32) -> Option<Vec<Pass>> {
        let (log_len, largest) = (arrays.log_len, self.largest(arrays));
        let (mut high, mut passes) = (log_len, Vec::new());
        for left in (1..=count).rev() {
            let log_rows = (high - stages).div_ceil(left);
            if log_rows == 0 || log_rows + log_segment > largest {
                return None;
            }
            high -= log_rows;
            // Of long words, groups of few rows take twice as many columns: an H200 had 73 us for 77 at seven rows of 2^24 values.
            let wider = arrays.element().bytes() == 8
                && log_segment == self.limits.log_segment(arrays.element())
                && log_rows + log_segment < WIDE_TILE.min(largest)
                && log_segment < high;
            let log_segment = log_segment + u32::from(wider);
            let log_regs = self.log_regs(log_rows + log_segment, most_regs)?.min(log_rows);
            let items = (log_rows + log_segment).checked_sub(log_regs)?;
            if 1usize << items > self.limits.group_limit {
                return None;
            }
            passes.push(Pass::Columns { log_stride: high, log_rows, log_segment, log_regs });
        }
        Some(passes)
    }
}

impl Costed for OnDevice {
    type Size = Arrays;
    type Parameters = Plan;

    fn name(&self) -> &'static str {
        "ntt"
    }

    fn candidates(&self, arrays: &Arrays, _: &Machine) -> Vec<Plan> {
        let element = element(arrays.arithmetic);
        let log_len = arrays.log_len;
        let largest = self.largest(arrays);
        let most_regs = self.limits.log_regs(element);
        let widest = self.limits.log_segment(element).min(largest.saturating_sub(1));
        let mut found: Vec<Plan> = Vec::new();
        let mut regs: Vec<u32> = (most_regs.saturating_sub(1)..=most_regs).rev().collect();
        if arrays.values() <= FEW_VALUES && most_regs > FEWER_REGS + 1 {
            regs.push(FEWER_REGS);
        }
        // One array in one tile keeps one compute unit busy, from here on for longer than two queued launches take (measured on
        // an H200: 2^14 values of 31 bits 10.5 us, in two passes 6.2).
        if log_len <= largest && (log_len < LONE_TILE || arrays.count > 1 || !self.limits.fans) {
            let whole = |&regs: &u32| self.tile(arrays.arithmetic, log_len, arrays.negacyclic, regs);
            found.extend(regs.iter().filter_map(whole).map(|pass| Plan { passes: vec![pass] }));
        }
        let smallest = largest.min(SMALL_TILE).min(log_len);
        // The fewest passes that do, and one more: narrow columns can cost more than a pass.
        let more = if log_len <= largest { 1 } else { 2 };
        for (&tile_regs, &column_regs) in regs.iter().flat_map(|tile| regs.iter().map(move |column| (tile, column))) {
            let mut counts = 0;
            for count in 1..=MOST_COLUMN_PASSES {
                let before = found.len();
                for stages in smallest..=largest.min(log_len.saturating_sub(1)) {
                    for log_segment in (NARROWEST.min(widest)..=widest).rev() {
                        let plan = || {
                            let mut passes = self.columns(arrays, stages, count, log_segment, column_regs)?;
                            passes.push(self.tile(arrays.arithmetic, stages, true, tile_regs)?);
                            Some(Plan { passes })
                        };
                        found.extend(plan());
                    }
                }
                counts += u32::from(found.len() > before);
                if counts == more {
                    break;
                }
            }
        }
        // Short tiles have as many registers with more as with fewer.
        let mut different: Vec<Plan> = Vec::new();
        for plan in found {
            if !different.contains(&plan) {
                different.push(plan);
            }
        }
        different
    }

    fn program(&self, arrays: &Arrays, plan: &Plan, _: &Machine) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        for pass in &plan.passes {
            program.queue(pass.kernel(arrays).slowdown(self.slowdowns.of(pass)))?;
        }
        if arrays.natural {
            program.queue(super::reversal::kernel(arrays))?;
        }
        Ok(program)
    }
}

/// The transform on the host, for the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OnHost {
    /// The number of the field's elements.
    pub order: u64,
}

impl OnHost {
    /// What the host computes with: primes of 64-bit words in double precision where they are short enough.
    const fn arithmetic(self, arrays: &Arrays) -> Arithmetic {
        match arrays.arithmetic {
            Arithmetic::Word64 { .. } if self.order < FloatingPoint::FUSED_LIMIT => Arithmetic::Floating,
            given => given,
        }
    }
}

impl Costed for OnHost {
    type Size = Arrays;
    type Parameters = Plan;

    fn name(&self) -> &'static str {
        "ntt"
    }

    fn candidates(&self, _: &Arrays, _: &Machine) -> Vec<Plan> {
        vec![Plan { passes: Vec::new() }]
    }

    fn program(&self, arrays: &Arrays, _: &Plan, machine: &Machine) -> Result<Program, DoesNotFit> {
        let serial = arrays.is_serial();
        let tasks = if serial { 1 } else { u64::from(machine.processors).max(1).min(arrays.values().max(1)) };
        let operation = host_butterfly_operations(self.arithmetic(arrays), self.order);
        let operations = (arrays.butterflies().div_ceil(tasks) as f64 * operation) as u64;
        let each = arrays.values().div_ceil(tasks);
        let bytes = element(arrays.arithmetic).bytes() as u64;
        let moved = each * host_moves(bytes, arrays.log_len, machine);
        let factors = host_factor_words(self.arithmetic(arrays), arrays.log_len);
        let mut program = Program::new();
        let kernel = Kernel::new("ntt", 1)
            .blocks(Blocks::even(tasks, 1, operations, moved, moved))
            .word_bytes(bytes as u32)
            .table_words(factors.saturating_mul(arrays.count as u64))
            .footprint_bytes(bytes.saturating_mul(arrays.values().saturating_add(factors)));
        program.queue(if serial { kernel.fused() } else { kernel })?;
        Ok(program)
    }
}
