//! The candidates of a transform: its passes over memory, and what each pass moves, computes and launches.
//!
//! Every pass reads and writes all values once. A tile of `2^t` values that fits a group's local memory does the lowest
//! `t` stages in one pass, and a pass over columns, whose tile is rows of one memory segment each, does up to `c = t -
//! log2(segment)` of the others. Large tiles make few passes; narrow segments make large columns, but move fewer bytes
//! a second.
//!
//! | file | what |
//! |---|---|
//! | `arrays` | what is transformed |
//! | `pass` | a pass, and its counts |
//! | `cuts` | the candidates on a device |
//! | `host` | the candidates on the host, and their counts |

mod arrays;
mod cuts;
mod host;
mod pass;
#[cfg(test)]
mod tests;

use std::fmt;

use manycore_device::{Limits, WordType};
use manycore_model::{DoesNotFit, Machine, Program};
use manycore_tuning::Costed;

pub use arrays::Arrays;
pub use host::{HostPlan, OnHost};
pub use pass::Pass;

use super::butterfly::{Algorithm, Butterfly};
use arrays::key;
use manycore_arrays::orders::Order;

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

/// The transform on an OpenCL device, for the planner.
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
    /// The most steps of the constant geometry in a pass.
    pub most_steps: Option<u32>,
}

impl OnDevice {
    /// The key of the choice: transform, type, order and algorithm.
    pub(super) fn key(&self, arrays: &Arrays) -> String {
        let steps = self.most_steps.filter(|_| self.algorithm == Algorithm::ConstantGeometry);
        let steps = steps.map_or(String::new(), |steps| format!(", at most {steps} steps a pass"));
        key(self.butterfly, self.order, self.algorithm, arrays) + &steps
    }

    /// The passes of the bit reversal that follows where the algorithm's natural order is another one.
    pub(super) fn reversal(&self, arrays: &Arrays) -> Vec<Pass> {
        if (self.algorithm == Algorithm::CooleyTukey) == (self.order == Order::Hadamard) {
            return Vec::new();
        }
        cuts::constant_geometry(arrays.log_len, arrays.element, &self.limits, u32::MAX, false)
    }

    /// The operation within the local memory of `machine`: a device may give more local memory than it reports, and
    /// more than a machine has that is not calibrated.
    fn within(&self, machine: &Machine) -> Self {
        let machine_bytes = usize::try_from(machine.local_bytes).unwrap_or(usize::MAX);
        Self { limits: self.limits.with_local_bytes(self.limits.local_bytes.min(machine_bytes)), ..*self }
    }
}

impl Costed for OnDevice {
    type Size = Arrays;
    type Parameters = Plan;

    fn name(&self) -> &'static str {
        self.butterfly.names()[0]
    }

    fn candidates(&self, arrays: &Arrays, machine: &Machine) -> Vec<Plan> {
        let Arrays { log_len, element, .. } = *arrays;
        // Passes of the constant geometry have the one size of tiles that is the largest.
        let within = self.within(machine);
        let all = match self.algorithm {
            Algorithm::CooleyTukey => cuts::cooley_tukey(arrays, &self.limits, self.butterfly),
            Algorithm::ConstantGeometry => {
                let most = cuts::most_steps(element, &within.limits);
                // Fewer passes come first.
                let steps = self.most_steps.map_or(1..=most, |given| given..=given).rev();
                let mut all: Vec<Vec<Pass>> = Vec::new();
                for steps in steps {
                    let passes = cuts::constant_geometry(log_len, element, &within.limits, steps, true);
                    // Other bounds that make as many passes make the same passes.
                    if all.last() != Some(&passes) {
                        all.push(passes);
                    }
                }
                all
            }
        };
        let reversal = within.reversal(arrays);
        let plan = |mut passes: Vec<Pass>| {
            passes.extend(&reversal);
            Plan { algorithm: self.algorithm, passes }
        };
        all.into_iter().map(plan).collect()
    }

    fn program(&self, arrays: &Arrays, plan: &Plan, machine: &Machine) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        for pass in &plan.passes {
            pass.queue(&mut program, arrays, self.butterfly, machine)?;
        }
        Ok(program)
    }

    /// Sums of floating-point numbers have the bits of the order of their additions.
    fn gives_same_bits(&self, arrays: &Arrays, one: &Plan, other: &Plan) -> bool {
        !arrays.element.is_floating() || one.stage_order(arrays.element) == other.stage_order(arrays.element)
    }
}

/// Butterfly operations of one transform of `2^log_len` values, `log_len` below 64: `n * 2^n` additions and
/// subtractions, at most `u64::MAX`.
pub const fn operations(log_len: u32) -> u64 {
    (log_len as u64).saturating_mul(1 << log_len)
}
