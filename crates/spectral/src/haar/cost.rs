//! What a Haar transform costs, and how large its tiles are.
//!
//! Every value is read once and every coefficient written once; a tile of `2^t` values leaves one sum, so the pass after it has
//! `2^t` times less to do. Larger tiles make fewer launches, smaller ones more groups to a compute unit.

use std::fmt;

use manycore_device::{Limits, WordType};
use manycore_model::{Blocks, Costed, DoesNotFit, Kernel, Machine, Operation, Program};

use super::form::HaarOrder;
use super::host;
use crate::walsh::cost::Arrays;

/// The base-2 logarithm of the values of an item.
pub(super) const LOG_ITEM: u32 = 4;
/// Those of the smallest and the largest tile worth a look.
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

/// The transform on an OpenCL device, for the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OnDevice {
    /// What the kernels can be built with.
    pub limits: Limits,
    /// The order of the spectrum.
    pub order: HaarOrder,
}

impl OnDevice {
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

    fn program(&self, arrays: &Arrays, plan: &HaarPlan, machine: &Machine) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        let mut left = arrays.log_len;
        for levels in plan.levels(arrays.log_len) {
            let values = (arrays.count as u64) << left;
            let stride = match self.order {
                HaarOrder::Standard => 0,
                HaarOrder::InPlace => arrays.log_len - left,
            };
            program.queue(pass(arrays, *plan, values, levels, stride, machine.items_are_loops()))?;
            left -= levels;
        }
        Ok(program)
    }
}

/// One pass over `values` sums, `2^log_stride` places apart.
fn pass(arrays: &Arrays, plan: HaarPlan, values: u64, levels: u32, log_stride: u32, loops: bool) -> Kernel {
    let (bytes, each) = (arrays.element.bytes() as u64, 1u64 << LOG_ITEM);
    let items = 1u32 << (plan.log_tile - LOG_ITEM);
    let blocks = values.div_ceil(1 << plan.log_tile).max(1);
    let (name, local, streams) = match plan.order {
        // A quarter of the values change places after two levels, a sixteenth after four.
        HaarOrder::Standard => ("haar_forward", (1 << plan.log_tile) / 4, 2),
        HaarOrder::InPlace => ("haar_in_place", 1 << plan.log_tile, 1),
    };
    let exchanged = if streams == 2 { each / 2 } else { each * u64::from(levels.min(4)) };
    Kernel::new(name, items)
        .blocks(Blocks::even(blocks, items, 2 * each, each, each))
        .operation(operation(arrays.element))
        .word_bytes(bytes as u32)
        .local_words(local)
        .local_accesses(2 * exchanged)
        .chains(1 << (LOG_ITEM - 1))
        // Of CPUs (PoCL) one takes for this half of what copying blocks does (Zen 4), one all of it (Sapphire Rapids), one twice as
        // long while its cores have no common cache (Zen 5).
        .traffic_words(2 * values)
        .footprint_bytes(streams * values * bytes)
        .segment_bytes(match log_stride {
            // A loop over the items of a group goes along the tile, and along a quarter of it of the second level's differences.
            0 if loops => bytes << (plan.log_tile - 2),
            0 => 128,
            _ => bytes,
        })
}

/// What an addition takes the time of.
fn operation(element: WordType) -> Operation {
    match element {
        WordType::F32 => Operation::F32,
        WordType::F64 => Operation::F64,
        _ if element.bytes() == 8 => Operation::Int64,
        _ => Operation::Int32,
    }
}

/// The transform on the host, for the model: one way.
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
        let (values, bytes) = (arrays.values(), arrays.element.bytes() as u64);
        // The calling thread does a short array without waking others.
        let alone = values.saturating_mul(bytes) <= super::SERIAL_BYTES as u64;
        let tasks = if alone { 1 } else { u64::from(machine.processors).clamp(1, values.max(1)) };
        let each = values.div_ceil(tasks);
        let streams = if plan.order == HaarOrder::Standard { 2 } else { 1 };
        // Sums and differences of neighbours, which take shuffles, loads and stores beside the additions: between
        // what a Zen 4 and a Sapphire Rapids take. What is written to another array is read first; the sums lie there meanwhile.
        let streamed = if streams == 2 { 4 * values } else { 2 * values };
        let kernel = Kernel::new("haar_blocks", 1)
            .blocks(Blocks::even(tasks, 1, 18 * each, each, each))
            .operation(if bytes == 8 { Operation::F64 } else { Operation::F32 })
            .word_bytes(bytes as u32)
            .traffic_words(streamed)
            // The spectrum lies elsewhere than the values that it is made of, and is the next one's values.
            .taken_over(if streams == 2 { values - each } else { 0 })
            .footprint_bytes(streams * values * bytes);
        program.queue(if tasks == 1 { kernel.fused() } else { kernel })?;
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
            assert!(manycore_model::choose(&operation, &arrays, &machine).is_ok());
        }
    }
}
