//! What a transform costs, and which passes over memory it takes.
//!
//! Every pass reads and writes all values once. A tile of `2^t` values that fits a group's local memory does the lowest
//! `t` stages in one pass, and a pass over columns, whose tile is rows of one memory segment each, does up to
//! `c = t - log2(segment)` of the others. Large tiles make few passes, but leave no room for a second group on their
//! compute unit, so that memory rests while they compute; narrow segments make large columns, but waste bandwidth. The
//! machine model weighs these.
//!
//! | file | what |
//! |---|---|
//! | `pass` | a pass, and its kernel for the model |
//! | `cuts` | the candidates on a device |
//! | `host` | the same for the host |

mod cuts;
mod host;
mod pass;
#[cfg(test)]
mod tests;

use std::fmt;

use manycore_device::{Limits, WordType};
use manycore_model::{Costed, DoesNotFit, Kernel, Machine, Operation, Program};

pub use host::{HostPlan, OnHost};
pub use pass::Pass;

use super::butterfly::Butterfly;
use super::order::{Algorithm, Order};

/// What is transformed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Arrays {
    /// Arrays side by side.
    pub count: usize,
    /// The base-2 logarithm of the values of one.
    pub log_len: u32,
    /// Their type.
    pub element: WordType,
}

impl Arrays {
    /// Values of all arrays.
    pub const fn values(&self) -> u64 {
        (self.count as u64) << self.log_len
    }
}

/// An algorithm and its passes, in the order of their launches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The passes.
    pub passes: Vec<Pass>,
}

impl Plan {
    /// The index bits in the order in which the passes transform them. Plans of the same order add the same pairs of numbers:
    /// their floating-point results have the same bits.
    pub fn stage_order(&self, element: WordType) -> Vec<u32> {
        let stages = |pass: &Pass| match *pass {
            Pass::Tile { stages, .. } => stages,
            Pass::Fan { log_tile, log_fan, .. } => log_tile + log_fan,
            Pass::Columns { log_rows, log_spill, .. } => log_rows + log_spill,
            Pass::Geometry { stages, butterflies, .. } => stages * u32::from(butterflies),
        };
        let log_len = self.passes.iter().map(stages).sum();
        self.passes.iter().flat_map(|pass| pass.stage_order(element, log_len)).collect()
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, pass) in self.passes.iter().enumerate() {
            write!(f, "{}{pass}", if i == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

/// The transform on an OpenCL device, for the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OnDevice {
    /// Which of the transforms.
    pub butterfly: Butterfly,
    /// What the kernels can be built with.
    pub limits: Limits,
    /// The order of the spectrum.
    pub order: Order,
    /// The algorithm.
    pub algorithm: Algorithm,
    /// At most so many steps of the constant geometry in a pass.
    pub most_steps: Option<u32>,
}

impl OnDevice {
    /// The passes of the bit reversal that follows where the algorithm's natural order is another one.
    pub(super) fn reversal(&self, arrays: &Arrays) -> Vec<Pass> {
        if (self.algorithm == Algorithm::CooleyTukey) == (self.order == Order::Hadamard) {
            return Vec::new();
        }
        cuts::constant_geometry(arrays.log_len, arrays.element, &self.limits, u32::MAX, false)
    }

    /// The same within the local memory that `machine` has: a device may give more than it reports, and more than a machine that
    /// is not calibrated.
    fn within(&self, machine: &Machine) -> Self {
        let machine_bytes = usize::try_from(machine.local_bytes).unwrap_or(usize::MAX);
        Self { limits: self.limits.with_local_bytes(self.limits.local_bytes.min(machine_bytes)), ..*self }
    }
}

impl Costed for OnDevice {
    type Size = Arrays;
    type Parameters = Plan;

    fn name(&self) -> &'static str {
        "walsh"
    }

    fn candidates(&self, arrays: &Arrays, machine: &Machine) -> Vec<Plan> {
        let Arrays { log_len, element, .. } = *arrays;
        // Passes of the constant geometry have the one size of tiles that is the largest.
        let within = self.within(machine);
        let ways = match self.algorithm {
            Algorithm::CooleyTukey => cuts::cooley_tukey(arrays, &self.limits, self.butterfly),
            Algorithm::ConstantGeometry => {
                let most = cuts::most_steps(element, &within.limits);
                let steps = self.most_steps.map_or(1..=most, |given| given..=given);
                let mut ways: Vec<Vec<Pass>> = Vec::new();
                for steps in steps {
                    let passes = cuts::constant_geometry(log_len, element, &within.limits, steps, true);
                    // More steps that make as many passes are the same passes.
                    if ways.last() != Some(&passes) {
                        ways.push(passes);
                    }
                }
                ways
            }
        };
        let reversal = within.reversal(arrays);
        let plan = |mut passes: Vec<Pass>| {
            passes.extend(&reversal);
            Plan { algorithm: self.algorithm, passes }
        };
        ways.into_iter().map(plan).collect()
    }

    fn program(&self, arrays: &Arrays, plan: &Plan, machine: &Machine) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        let wide = arrays.element.bytes() == 8 && machine.items_are_loops();
        for pass in &plan.passes {
            let kernel = pass.kernel(arrays);
            let kernel = if wide { loops_of_wide_words(kernel) } else { kernel };
            program.queue(match self.butterfly {
                // One exclusive or for two words of 64 bits, which takes two of 32.
                Butterfly::ReedMuller { .. } => kernel.operation(Operation::Int32),
                // Vectors add integers as fast as floating-point numbers; the rate of integers is that of multiply-adds, which
                // some processors do far slower.
                _ if machine.items_are_loops() && matches!(arrays.element, WordType::I32 | WordType::U32) => {
                    kernel.operation(Operation::F32)
                }
                _ => kernel,
            })?;
        }
        Ok(program)
    }
}

/// A pass over words of 8 bytes by items that are loops: they take as long as words of 4 bytes, in runs of any length, because
/// what calibration sees there of memory and of short runs is the time of addresses (PoCL on a Zen 4).
fn loops_of_wide_words(kernel: Kernel) -> Kernel {
    const SPEEDUP: f64 = 0.4;
    const RUN: u64 = 1 << 12;
    let words = u64::try_from(kernel.traffic_bytes() / 8).unwrap_or(u64::MAX);
    kernel.slowdown(SPEEDUP).segment_bytes(RUN).traffic_words(words / 2)
}

/// Butterfly operations of one transform of `2^log_len` values: `n * 2^n` additions and subtractions.
pub const fn operations(log_len: u32) -> u64 {
    (log_len as u64) << log_len
}

/// Bytes that `passes` read and write in the device's memory for `count` values.
pub fn traffic_bytes(passes: &[Pass], count: usize, element: WordType) -> u64 {
    2 * passes.len() as u64 * count as u64 * element.bytes() as u64
}
