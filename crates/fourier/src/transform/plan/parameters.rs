//! Parameters of plans, and the limits of an executor's tiles.

use std::fmt;
use std::sync::Arc;

use crate::numbers::Numbers;
use crate::transform::host::codelets::LARGEST;
use crate::transform::host::tasks::serial_bytes;

/// A candidate of the planner: how a transform is cut into passes over memory.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Plan {
    /// Values that a tile holds.
    pub tile_values: usize,
    /// Prime factors of cyclic lengths that are too large for registers are done by the definition up to this one, and larger
    /// ones by convolutions with chirps where there are the roots for them.
    pub largest_dense: u64,
    /// Whether such convolutions have a power of two as length, else also factors 3 and 5.
    pub powers_of_two: bool,
    /// The passes over memory, each in the steps that it takes within tiles; shared, so that every call may give its plan.
    pub passes: Arc<[String]>,
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.passes.is_empty() {
            return f.write_str("nothing to do");
        }
        write!(f, "tiles of {}: {}", self.tile_values, self.passes.join(" | "))
    }
}

/// What an executor's tiles may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Neighbours in memory that make a pass fast.
    pub(crate) columns: usize,
    /// Numbers of a vector; columns are filled up to a multiple of it.
    pub(crate) lanes: usize,
    /// Columns of a tile at most.
    pub(crate) most_columns: usize,
    /// Whether tiles of fewer columns are as good where their rows follow each other in memory.
    pub(crate) narrow: bool,
    /// The largest prime that is done in registers.
    pub(crate) largest_radix: u64,
    /// The binary logarithm of the largest power of two that is.
    pub(crate) radix_log: u32,
    /// Tiles that keep all processors busy.
    pub(crate) groups: usize,
    /// The most values of a pass that one processor does alone.
    pub(crate) alone_values: usize,
}

impl Limits {
    pub(crate) fn new<N: Numbers>(numbers: &N, device_is_host: bool, processors: usize) -> Self {
        let value_bytes = size_of::<N::Value>();
        if device_is_host {
            // A cache line of neighbours, and a vector.
            let columns = (64 / value_bytes).max(numbers.lanes());
            return Self {
                columns,
                lanes: numbers.lanes(),
                most_columns: 4 * columns,
                narrow: false,
                largest_radix: LARGEST as u64,
                // Sixteen numbers fill the registers of wide vectors.
                radix_log: if N::CONJUGATES && numbers.lanes() * value_bytes == 128 { 4 } else { 3 },
                groups: 4 * processors,
                // What is read and what is written.
                alone_values: serial_bytes(processors) / (2 * value_bytes),
            };
        }
        let columns = 128 / value_bytes;
        Self {
            columns,
            lanes: 1,
            most_columns: 4 * columns,
            narrow: true,
            largest_radix: 13,
            radix_log: 4,
            groups: 2 * processors,
            alone_values: 0,
        }
    }
}
