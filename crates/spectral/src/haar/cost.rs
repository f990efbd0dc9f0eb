//! The candidates of a Haar transform, tiles of several sizes, and what their passes move, compute and launch.
//!
//! Every value is read once and every coefficient written once; a tile of `2^t` values leaves one sum, so the pass after it has
//! `2^t` times less to do. Larger tiles make fewer launches, smaller ones more groups to a compute unit.

use std::fmt;

use manycore_device::{Limits, WordType};
use manycore_model::{Blocks, DoesNotFit, Kernel, Machine, Operation, Program};
use manycore_tuning::Costed;

use super::host;
use crate::walsh::cost::Arrays;
use manycore_arrays::orders::HaarOrder;

/// The base-2 logarithm of the values of an item.
pub(super) const LOG_ITEM: u32 = 4;
/// The base-2 logarithms of the values of the smallest and the largest tile.
const TILES: [u32; 2] = [8, 13];

/// How a device or the host cuts the levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct HaarPlan {
    /// The order, which decides the algorithm: in constant geometry out of place, or in place.
    pub order: HaarOrder,
    /// The base-2 logarithm of the values that go through as many levels together.
    pub log_tile: u32,
}

impl HaarPlan {
    /// The levels of each pass over arrays of `2^log_len`, the finest first.
    pub fn levels(&self, log_len: u32) -> Vec<u32> {
        let mut left = log_len;
        let mut levels = Vec::new();
        while left > 0 {
            let these = left.min(self.log_tile);
            levels.push(these);
            left -= these;
        }
        levels
    }
}

impl fmt::Display for HaarPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.order {
            HaarOrder::Standard => write!(f, "tiles of 2^{}, out of place", self.log_tile),
            HaarOrder::InPlace => write!(f, "tiles of 2^{}, in place", self.log_tile),
        }
    }
}

/// The transform on an OpenCL device, for the planner. Tiles of every size add the same pairs, so that all candidates
/// give the same bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OnDevice {
    /// What the kernels can be built with.
    pub limits: Limits,
    /// The order of the spectrum.
    pub order: HaarOrder,
}

impl OnDevice {
    /// The key of the choice: type and order.
    pub(super) fn key(&self, arrays: &Arrays) -> String {
        format!("haar, {}, {} order", arrays.element.name(), self.order)
    }

    fn fits(&self, log_tile: u32, element: WordType) -> bool {
        let bytes = element.bytes() << log_tile;
        bytes <= self.limits.local_bytes && 1usize << (log_tile - LOG_ITEM) <= self.limits.group_limit
    }
}

impl Costed for OnDevice {
    type Size = Arrays;
    type Parameters = HaarPlan;

    fn name(&self) -> &'static str {
        "haar"
    }

    fn candidates(&self, arrays: &Arrays, _: &Machine) -> Vec<HaarPlan> {
        let [least, most] = TILES;
        let tiles = (least..=most).filter(|&log_tile| log_tile == least || self.fits(log_tile, arrays.element));
        tiles.map(|log_tile| HaarPlan { order: self.order, log_tile }).collect()
    }

    fn program(&self, arrays: &Arrays, plan: &HaarPlan, _: &Machine) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        let mut left = arrays.log_len;
        for levels in plan.levels(arrays.log_len) {
            let sums = Arrays { log_len: left, ..*arrays };
            let log_stride = match self.order {
                HaarOrder::Standard => 0,
                HaarOrder::InPlace => arrays.log_len - left,
            };
            program.queue(pass(&sums, *plan, levels, log_stride))?;
            left -= levels;
        }
        Ok(program)
    }
}

/// One pass of `levels` levels over sums that stand `2^log_stride` places apart.
fn pass(sums: &Arrays, plan: HaarPlan, levels: u32, log_stride: u32) -> Kernel {
    let (bytes, each) = (sums.element.bytes() as u64, 1u64 << LOG_ITEM);
    let items = 1u32 << (plan.log_tile - LOG_ITEM);
    let tile = 1u64 << plan.log_tile;
    // Pairs of a tile in all levels: each leaves one sum in place of two values, and takes a sum and a difference.
    let pairs = tile - (tile >> levels);
    let (operation, additions) = match sums.element {
        WordType::F32 => (Operation::F32, 1),
        WordType::F64 => (Operation::F64, 1),
        // Two additions of 32 bits, the upper one with a carry.
        _ if sums.element.bytes() == 8 => (Operation::Int32, 2),
        _ => (Operation::Int32, 1),
    };
    let (name, local_words, accesses, arrays) = match plan.order {
        // The sums of every second level are written to local memory, and read by the items of the next two.
        HaarOrder::Standard => {
            let exchanged: u64 = (2..=levels).step_by(2).map(|level| tile >> level).sum();
            ("haar_forward", tile / 4, 2 * exchanged, 2)
        }
        // The tile is written and read as a whole, and both values of every pair are read and written.
        HaarOrder::InPlace => ("haar_in_place", tile, 2 * tile + 4 * pairs, 1),
    };
    let threads = u64::from(items);
    let operations = (2 * additions * pairs).div_ceil(threads);
    let blocks = sums.values().div_ceil(tile).max(1);
    let kernel = Kernel::new(name, items)
        .blocks(Blocks::even(blocks, items, operations, each, each))
        .operation(operation)
        .word_bytes(bytes as u32)
        .local_words(local_words)
        .local_accesses(accesses.div_ceil(threads))
        .traffic_words(sums.values().saturating_mul(2))
        .footprint_bytes(sums.bytes().saturating_mul(arrays));
    if log_stride > 0 { kernel.segment_bytes(bytes) } else { kernel }
}

/// The transform on the host, of one candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OnHost {
    /// The order of the spectrum.
    pub order: HaarOrder,
}

impl Costed for OnHost {
    type Size = Arrays;
    type Parameters = HaarPlan;

    fn name(&self) -> &'static str {
        "haar"
    }

    fn candidates(&self, _: &Arrays, _: &Machine) -> Vec<HaarPlan> {
        vec![HaarPlan { order: self.order, log_tile: host::LOG_BLOCK }]
    }

    fn program(&self, arrays: &Arrays, plan: &HaarPlan, machine: &Machine) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        let values = arrays.values();
        // The calling thread does a short array without waking others.
        let alone = arrays.bytes() <= host::SERIAL_BYTES as u64;
        let tasks = if alone { 1 } else { u64::from(machine.processors).clamp(1, values.max(1)) };
        let each = values.div_ceil(tasks);
        let arrays_touched = if plan.order == HaarOrder::Standard { 2 } else { 1 };
        // A sum and a difference for each of as many pairs as there are values, less one.
        let kernel = Kernel::new("haar_blocks", 1)
            .blocks(Blocks::even(tasks, 1, each.saturating_mul(2), each, each))
            .operation(if arrays.element.bytes() == 8 { Operation::F64 } else { Operation::F32 })
            .word_bytes(arrays.element.bytes() as u32)
            .traffic_words(values.saturating_mul(2))
            .footprint_bytes(arrays.bytes().saturating_mul(arrays_touched));
        program.queue(if alone { kernel.fused() } else { kernel })?;
        Ok(program)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_take_every_level_once() {
        for log_tile in 8..=13 {
            for log_len in 0..40 {
                let plan = HaarPlan { order: HaarOrder::Standard, log_tile };
                let levels = plan.levels(log_len);
                assert_eq!(levels.iter().sum::<u32>(), log_len);
                assert!(levels.iter().all(|&levels| levels > 0 && levels <= log_tile));
            }
        }
    }

    #[test]
    fn candidates_fit_the_device() {
        let machine = manycore_model::Machine::known("NVIDIA H200").expect("a known machine");
        for (limits, most) in [(Limits::new(32 << 10, 256), 12), (Limits::new(232_192, 1024), 13)] {
            let operation = OnDevice { limits, order: HaarOrder::InPlace };
            let arrays = Arrays { count: 1, log_len: 20, element: WordType::F64 };
            let plans = operation.candidates(&arrays, &machine);
            assert_eq!(plans.iter().map(|plan| plan.log_tile).max(), Some(most));
            assert!(manycore_tuning::choose(&operation, &arrays, &machine).is_ok());
        }
    }

    #[test]
    fn passes_count_their_sums_and_bytes() {
        let machine = manycore_model::Machine::known("NVIDIA H200").expect("a known machine");
        let of = |order, element, log_tile| {
            let operation = OnDevice { limits: Limits::new(232_192, 1024), order };
            let arrays = Arrays { count: 1, log_len: 20, element };
            let program = operation.program(&arrays, &HaarPlan { order, log_tile }, &machine).unwrap();
            let counts = program.kernels().iter().map(|kernel| (kernel.work().unwrap(), kernel.traffic_bytes()));
            counts.collect::<Vec<_>>()
        };
        // Two additions for each pair, rounded up to whole ones of a work-item: 2^10 values leave 1023 pairs.
        let bytes = |log_len: u32| 8 << log_len;
        let f32 = of(HaarOrder::Standard, WordType::F32, 10);
        assert_eq!(f32, [(1 << 21, bytes(20)), (1 << 11, bytes(10))]);
        let i64 = of(HaarOrder::InPlace, WordType::I64, 10);
        assert_eq!(i64, [(1 << 22, 2 * bytes(20)), (1 << 12, 2 * bytes(10))]);
    }

    #[test]
    fn the_longest_arrays_neither_wrap_nor_panic() {
        let machine = manycore_model::Machine::known("NVIDIA H200").expect("a known machine");
        for (count, log_len) in [(1, 62), (1, 63), (usize::MAX, 0), (1 << 32, 31)] {
            for order in HaarOrder::ALL {
                let arrays = Arrays { count, log_len, element: WordType::F64 };
                let device = OnDevice { limits: Limits::new(232_192, 1024), order };
                let host = manycore_tuning::choose(&OnHost { order }, &arrays, &machine).unwrap();
                let device = manycore_tuning::choose(&device, &arrays, &machine).unwrap();
                let least = if log_len == 0 { 0.0 } else { 1e5 };
                assert!(host.best().estimate.seconds > least && device.best().estimate.seconds >= least, "{arrays:?}");
            }
        }
    }
}
