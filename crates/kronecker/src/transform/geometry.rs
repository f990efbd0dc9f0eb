//! The geometry of a tile in a group of an OpenCL device.

use super::plan::Pass;

/// The most rounds, and the most different matrices, of a pass.
pub(super) const MOST_PARTS: usize = 4;

/// Items of a group, at most.
const MOST_ITEMS: usize = 256;
/// Neighbouring bytes that items of a group load or store together, at least.
const LEAST_RUN_BYTES: usize = 64;

/// How a group does a tile.
#[derive(Debug, Clone)]
pub(super) struct Geometry {
    /// Items of a group.
    pub(super) group: usize,
    /// The rounds in the order in which they are done.
    pub(super) order: Vec<usize>,
    pub(super) stage_in: bool,
    pub(super) stage_out: bool,
    /// Values of local memory.
    pub(super) local_values: usize,
}

impl Geometry {
    pub(super) fn new(pass: &Pass, value_bytes: usize) -> Self {
        let rounds = &pass.rounds;
        let registers = rounds.iter().map(|round| round.registers).max().unwrap_or(1);
        let group = pass.tile().div_ceil(registers).next_multiple_of(32).clamp(32, MOST_ITEMS);
        // The rounds of the two largest distances first and last: they alone need no copy.
        let mut order: Vec<usize> = (0..rounds.len()).collect();
        if order.len() > 2 {
            let second = order.remove(1);
            order.push(second);
        }
        let near = |round: Option<&usize>| {
            let stride = round.map_or(1, |&i| rounds[i].stride);
            pass.contiguous() && stride * value_bytes < LEAST_RUN_BYTES && pass.tile() > registers
        };
        let (stage_in, stage_out) = (near(order.first()), near(order.last()));
        let used = rounds.len() > 1 || stage_in || stage_out;
        let gap = 128 / value_bytes;
        let local_values = if used { pass.tile() + pass.tile() / gap } else { 1 };
        Self { group, order, stage_in, stage_out, local_values }
    }

    /// The number of exchanges of the values through local memory.
    pub(super) fn exchanges(&self) -> usize {
        self.order.len() - 1 + usize::from(self.stage_in) + usize::from(self.stage_out)
    }
}
