//! Counts of transforms, and the passes that an OpenCL device may take.
//!
//! The index bits are cut as for the Walsh-Hadamard transform: a tile for the lowest ones, columns for the others. Beside
//! its butterflies a pass multiplies every value by two factors where its parts belong to a longer array.
//!
//! | file | what |
//! |---|---|
//! | `operations` | numbers of operations by kind |
//! | `counts` | the operations of an arithmetic's butterflies and products |
//! | `sums` | the operations of sums of products |
//! | `pass` | one pass over the data, and the passes of a transform |

mod counts;
mod operations;
mod pass;
mod sums;

use manycore_device::{Limits, WordType};
use manycore_field::{Arithmetic, FloatingPoint};
use manycore_model::{Blocks, DoesNotFit, Kernel, Machine, Program};
use manycore_tuning::Costed;

pub use counts::{Counts, fastest, host_butterfly, host_product};
pub(super) use counts::{element, fastest_butterflies};
pub use operations::Operations;
pub use pass::{Pass, Plan};
pub use sums::{SumCounts, sum_terms};

/// The base-2 logarithm of the smallest tile.
const SMALL_TILE: u32 = 8;
/// The binary logarithm of the words of the larger tile that short transforms may share, too.
const SHARED_TILE: u32 = 10;
/// The base-2 logarithms of the items of a group whose tile parts of a longer transform share: two warps, or one.
const LOG_ITEMS: [u32; 2] = [6, 5];
/// The base-2 logarithm of the columns of a tile, at least: a run of 4 values.
const NARROWEST: u32 = 2;
/// Numbers of registers of an item that are candidates: the most that the device has, half as many, and so on.
const REGISTER_COUNTS: u32 = 3;
/// Lengths of runs of columns that are candidates for one number of passes: the longest that fit.
const SEGMENT_LENGTHS: usize = 3;
/// Cuts between columns and tile that are candidates for one length of runs: those nearest to equal parts.
const CUTS: usize = 2;
/// More passes over columns than any memory needs.
const MOST_COLUMN_PASSES: u32 = 3;

/// Words of the factors that a transform of `2^log_len` values on the host reads: nearly one factor for each value, since the
/// levels within vectors have one for each lane.
pub const fn host_factor_words(arithmetic: Arithmetic, log_len: u32) -> u64 {
    (arithmetic.factor_words() as u64) << log_len
}

/// The number of times that an array of `2^log_len` words of `word_bytes` bytes is moved on the host: once in tiles, and once for every
/// three levels whose blocks are larger than a core's own cache.
pub fn host_moves(word_bytes: u64, log_len: u32, machine: &Machine) -> u64 {
    let array = word_bytes.saturating_mul(1u64.checked_shl(log_len).unwrap_or(u64::MAX));
    let blocks = array.div_ceil(machine.local_bytes.max(1));
    let levels = blocks.checked_next_power_of_two().map_or(64, u64::ilog2);
    1 + u64::from(levels.div_ceil(super::host::MOST_LEVELS))
}

/// The arithmetic of the host for a field of `order` elements whose kernels compute in `arithmetic`: primes of 64-bit
/// words are done in double precision where they are short enough.
pub const fn host_arithmetic(arithmetic: Arithmetic, order: u64) -> Arithmetic {
    match arithmetic {
        Arithmetic::Word64 { .. } if order < FloatingPoint::FUSED_LIMIT => Arithmetic::Floating,
        given => given,
    }
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

    /// Butterflies of all transforms: `n 2^(n-1)` each.
    pub const fn butterflies(&self) -> u64 {
        (self.values() / 2).saturating_mul(self.log_len as u64)
    }

    /// The operations of all transforms on the host, for a field of `order` elements.
    pub fn host_operations(&self, order: u64) -> Operations {
        host_butterfly(host_arithmetic(self.arithmetic, order), order).times(self.butterflies())
    }

    /// Whether the host's calling thread does them alone.
    pub fn suit_one_processor(&self, order: u64, machine: &Machine) -> bool {
        let bytes = self.values().saturating_mul(2 * self.element().bytes() as u64);
        let is_one_task = self.values() < 2 * super::host::TASK_VALUES as u64;
        is_one_task || self.host_operations(order).suit_one_processor(bytes, machine)
    }
}

/// The transform on an OpenCL device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OnDevice {
    /// What the kernels can be built with.
    pub limits: Limits,
}

impl OnDevice {
    /// The base-2 logarithm of the largest tile; in local memory it has gaps of up to an eighth of its words.
    fn largest(&self, element: WordType) -> u32 {
        self.limits.with_local_bytes(self.limits.local_bytes / 9 * 8).log_tile(element)
    }

    /// What identifies the choice from process to process, but for the number of arrays.
    pub(super) fn key(&self, arrays: &Arrays) -> String {
        let Arrays { arithmetic, negacyclic, natural, .. } = *arrays;
        let kind = if negacyclic { ", negacyclic" } else { "" };
        let order = if natural { ", natural order" } else { "" };
        let (tile, group) = (self.largest(arrays.element()), self.limits.group_limit);
        format!("ntt, {arithmetic}{kind}{order}, tiles to 2^{tile}, groups to {group}")
    }

    /// The lowest `stages` bits by items of at most `2^most_regs` values, in tiles of at least `2^least` values.
    fn tile(&self, stages: u32, twisted: bool, least: u32, most_regs: u32) -> Option<Pass> {
        // Items hold values of one part.
        let most_regs = if twisted { most_regs.min(stages) } else { most_regs };
        let log_tile = stages.max(least);
        let log_regs = self.log_regs(log_tile, most_regs)?;
        (!twisted || log_regs <= stages).then_some(Pass::Tile { stages, log_tile, log_regs })
    }

    /// The base-2 logarithm of an item's values: as many as asked for, as far as a group is a warp or more; `None`
    /// where a group would have more items than the device takes.
    fn log_regs(&self, log_tile: u32, most: u32) -> Option<u32> {
        let least = log_tile.saturating_sub(self.limits.group_limit.max(1).ilog2()).max(1);
        let regs = most.min(log_tile.saturating_sub(5)).max(1);
        (least <= most.max(1)).then_some(regs.max(least).min(log_tile))
    }

    /// `count` passes over the columns above `stages` bits.
    fn columns(&self, arrays: &Arrays, stages: u32, count: u32, log_segment: u32, most_regs: u32) -> Option<Vec<Pass>> {
        let (log_len, largest) = (arrays.log_len, self.largest(arrays.element()));
        let (mut high, mut passes) = (log_len, Vec::new());
        for left in (1..=count).rev() {
            let log_rows = (high - stages).div_ceil(left);
            if log_rows == 0 || log_rows + log_segment > largest {
                return None;
            }
            high -= log_rows;
            if high < log_segment {
                return None;
            }
            let log_regs = self.log_regs(log_rows + log_segment, most_regs)?.min(log_rows);
            let items = (log_rows + log_segment).checked_sub(log_regs)?;
            if 1usize << items > self.limits.group_limit {
                return None;
            }
            passes.push(Pass::Columns { log_stride: high, log_rows, log_segment, log_regs });
        }
        Some(passes)
    }

    /// Plans of one pass, where a tile holds a transform.
    fn whole(&self, arrays: &Arrays, regs: u32) -> Vec<Plan> {
        let largest = self.largest(arrays.element());
        if arrays.log_len > largest {
            return Vec::new();
        }
        let shared = if arrays.negacyclic { LOG_ITEMS.map(|items| regs + items) } else { [SMALL_TILE, SHARED_TILE] };
        let tile = |least: u32| self.tile(arrays.log_len, arrays.negacyclic, least.min(largest), regs);
        // One array alone shares no tile.
        let sizes = if arrays.count > 1 { shared.len() } else { 1 };
        shared.into_iter().take(sizes).filter_map(tile).map(|pass| Plan { passes: vec![pass] }).collect()
    }

    /// Plans of `count` passes over columns and one over tiles.
    fn cut(&self, arrays: &Arrays, count: u32, regs: u32) -> Vec<Plan> {
        let (element, log_len) = (arrays.element(), arrays.log_len);
        let largest = self.largest(element);
        let smallest = largest.min(SMALL_TILE).min(log_len);
        let even = log_len.div_ceil(count + 1);
        let widest = (self.limits.log_segment(element) + 1).min(largest.saturating_sub(1));
        let mut found: Vec<Plan> = Vec::new();
        let mut lengths = 0;
        for log_segment in (NARROWEST.min(widest)..=widest).rev() {
            let mut cuts: Vec<(u32, Vec<Pass>)> = (smallest..=largest.min(log_len.saturating_sub(1)))
                .filter_map(|stages| Some((stages, self.columns(arrays, stages, count, log_segment, regs)?)))
                .collect();
            cuts.sort_by_key(|(stages, _)| stages.abs_diff(even));
            lengths += usize::from(!cuts.is_empty());
            for (nearest, (stages, columns)) in cuts.into_iter().take(CUTS).enumerate() {
                let shared = if nearest == 0 { &LOG_ITEMS[..] } else { &LOG_ITEMS[..1] };
                for items in shared {
                    let Some(tile) = self.tile(stages, true, (regs + items).min(largest), regs) else { continue };
                    found.push(Plan { passes: columns.iter().copied().chain([tile]).collect() });
                }
            }
            if lengths == SEGMENT_LENGTHS {
                break;
            }
        }
        found
    }
}

impl Costed for OnDevice {
    type Size = Arrays;
    type Parameters = Plan;

    fn name(&self) -> &'static str {
        "ntt"
    }

    fn candidates(&self, arrays: &Arrays, _: &Machine) -> Vec<Plan> {
        let element = arrays.element();
        let most = self.limits.log_regs(element).max(1);
        let regs = || (1..=most).rev().take(REGISTER_COUNTS as usize);
        let mut found: Vec<Plan> = regs().flat_map(|regs| self.whole(arrays, regs)).collect();
        // The fewest passes that do, and one more: narrow columns can cost more than a pass.
        let mut left = if found.is_empty() { 2 } else { 1 };
        for count in 1..=MOST_COLUMN_PASSES {
            let before = found.len();
            found.extend(regs().flat_map(|regs| self.cut(arrays, count, regs)));
            left -= u32::from(found.len() > before);
            if left == 0 {
                break;
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

    fn program(&self, arrays: &Arrays, plan: &Plan, machine: &Machine) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        for pass in &plan.passes {
            program.queue(pass.kernel(arrays, machine))?;
        }
        if arrays.natural {
            program.queue(super::reversal::kernel(arrays.values(), arrays.element().bytes() as u64))?;
        }
        Ok(program)
    }
}

/// The transform on the host, which has one candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OnHost {
    /// The number of the field's elements.
    pub order: u64,
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
        let operations = arrays.host_operations(self.order);
        let alone = arrays.suit_one_processor(self.order, machine);
        let tasks = if alone { 1 } else { u64::from(machine.processors).max(1).min(arrays.values().max(1)) };
        let bytes = arrays.element().bytes() as u64;
        let moved = arrays.values().div_ceil(tasks).saturating_mul(host_moves(bytes, arrays.log_len, machine));
        let factors = host_factor_words(host_arithmetic(arrays.arithmetic, self.order), arrays.log_len);
        let kernel = Kernel::new("ntt", 1)
            .blocks(Blocks::even(tasks, 1, operations.shared(tasks).of_one_kind(machine), moved, moved))
            .operation(operations.kind())
            .word_bytes(bytes as u32)
            .table_words(factors.saturating_mul(arrays.count as u64))
            .footprint_bytes(bytes.saturating_mul(arrays.values().saturating_add(factors)));
        let mut program = Program::new();
        program.queue(if alone { kernel.fused() } else { kernel })?;
        Ok(program)
    }
}
