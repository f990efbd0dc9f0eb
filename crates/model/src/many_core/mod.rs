//! The many-core machine model of paper 002, chapter 3.
//!
//! A machine has `p` processors, each with a local memory of `Z` words, and needs `U` cycles to move one word of a
//! thread between global and local memory. A [`Program`] is a directed acyclic graph of [`Kernel`]s; a kernel is a
//! number of independent blocks of threads. For a block `B` of `q` threads
//!
//! - the span `S(B)` is the number of local operations of its longest thread, the work `W(B)` that of all together,
//!   `S(B) <= W(B) <= q S(B)`;
//! - the overhead is `O(B) = (r + w) U` cycles, for the `r` words that one thread reads and the `w` that it writes.
//!
//! Work and overhead add up over blocks and kernels; the span of a program is that of its longest path; `N` counts the
//! blocks, `L` the kernels on the longest path, and `C` is the largest `S(B) + O(B)`. Any greedy scheduler then ends
//! within `(N/p + L) C` cycles ([`Cost::bound_cycles`]; theorem 1, in the tradition of Graham and Brent), and even
//! within `((N - L)/p + L) C` ([`Cost::sharper_bound_cycles`]).
//!
//! The paper sums the overhead over all antichains of the graph, which counts kernels several times; the intended sum
//! is over parallel steps, which is the sum over all kernels. It leaves open whether `L` counts vertices or edges: with
//! edges the theorem fails for a single block. Its remark that no two blocks transfer at the same time contradicts the
//! theorem; [`Cost::serialised_bound_cycles`] is the bound for that reading.
//!
//! | file | what |
//! |---|---|
//! | `kernel` | a kernel and its blocks |
//! | `program` | the graph, its levels, series and parallel composition |
//! | `cost` | work, span, overhead, bounds, and their composition |

mod cost;
mod kernel;
mod program;

pub use crate::error::{DoesNotFit, ProgramError};
pub use cost::Cost;
pub use kernel::{Blocks, Kernel};
pub use program::{KernelId, Program, Shape};

use crate::error::MachineError;

/// The abstract machine: `p` processors, `Z` words of local memory each, `U` cycles for each word moved by a thread.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ManyCore {
    processors: u32,
    local_words: u64,
    transfer_cycles: f64,
}

impl ManyCore {
    /// A machine of `processors` (`p`) with `local_words` (`Z`) words of local memory each, that moves a word of a
    /// thread in `transfer_cycles` (`U`) cycles.
    ///
    /// # Errors
    /// [`MachineError`] when there is no processor or no local memory, or `U` is negative or not finite.
    pub fn new(processors: u32, local_words: u64, transfer_cycles: f64) -> Result<Self, MachineError> {
        if processors == 0 {
            return Err(MachineError::Zero { parameter: "processors" });
        }
        if local_words == 0 {
            return Err(MachineError::Zero { parameter: "local_words" });
        }
        if !transfer_cycles.is_finite() || transfer_cycles < 0.0 {
            return Err(MachineError::NotPositive { parameter: "transfer_cycles", value: transfer_cycles });
        }
        Ok(Self { processors, local_words, transfer_cycles })
    }

    /// The number of processors, `p`.
    pub const fn processors(&self) -> u32 {
        self.processors
    }

    /// Words of local memory of one processor, `Z`.
    pub const fn local_words(&self) -> u64 {
        self.local_words
    }

    /// Cycles to move one word of a thread, `U`.
    pub const fn transfer_cycles(&self) -> f64 {
        self.transfer_cycles
    }

    /// The machine with `processors` processors.
    ///
    /// # Errors
    /// [`MachineError::Zero`] for none.
    pub fn with_processors(self, processors: u32) -> Result<Self, MachineError> {
        Self::new(processors, self.local_words, self.transfer_cycles)
    }
}
