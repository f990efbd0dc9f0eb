//! The candidates on the host, blocks of several sizes, and what their steps move and compute.

use std::fmt;

use manycore_arrays::orders::Order;
use manycore_model::{Blocks, DoesNotFit, Kernel, Machine, Operation, Program};
use manycore_tuning::Costed;

use super::arrays::{Arrays, key};
use crate::walsh::butterfly::{Algorithm, Butterfly};
use crate::walsh::host;

/// How the host goes through its memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostPlan {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Whether the values are reordered afterwards.
    pub reorders: bool,
    /// The base-2 logarithm of the bytes of a block, which goes through all its stages before the next one; in place.
    pub log_block_bytes: u32,
}

impl fmt::Display for HostPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.algorithm {
            Algorithm::CooleyTukey => write!(f, "in place, blocks of 2^{} bytes", self.log_block_bytes)?,
            Algorithm::ConstantGeometry => write!(f, "constant geometry, several steps a pass")?,
        }
        if self.reorders { write!(f, ", then reordered") } else { Ok(()) }
    }
}

/// The transform on the host, for the planner. Blocks of every size add in the same order, the lowest index bit first,
/// so that all candidates give the same bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OnHost {
    /// Which of the transforms.
    pub butterfly: Butterfly,
    /// The order of the spectrum.
    pub order: Order,
    /// The algorithm.
    pub algorithm: Algorithm,
}

impl OnHost {
    /// The key of the choice: transform, type, order and algorithm.
    pub(in crate::walsh) fn key(&self, arrays: &Arrays) -> String {
        key(self.butterfly, self.order, self.algorithm, arrays)
    }

    /// Vector operations of `stages` stages for a value: a sum and a difference for each pair `(u + v, u - v)`, one
    /// operation for each pair `(u, v - u)` or `(u, u xor v)`.
    fn of_stages(&self, stages: u32, values: u64) -> u64 {
        let each = if self.butterfly == Butterfly::Walsh { values } else { values / 2 };
        each.saturating_mul(stages.into())
    }

    /// Vector operations of the index bits within words: a mask, a shift and an exclusive or for each
    /// (`Words::xor_shifted`).
    fn within_words(&self, values: u64) -> u64 {
        match self.butterfly {
            Butterfly::ReedMuller { log_unit_bits } => {
                values.saturating_mul(3 * u64::from(6_u32.saturating_sub(log_unit_bits)))
            }
            _ => 0,
        }
    }
}

impl Costed for OnHost {
    type Size = Arrays;
    type Parameters = HostPlan;

    fn name(&self) -> &'static str {
        self.butterfly.names()[0]
    }

    fn candidates(&self, arrays: &Arrays, _: &Machine) -> Vec<HostPlan> {
        let reorders = (self.algorithm == Algorithm::CooleyTukey) != (self.order == Order::Hadamard);
        let plan = |log_block_bytes| HostPlan { algorithm: self.algorithm, reorders, log_block_bytes };
        let whole = arrays.log_len + (arrays.element.bytes() as u32).ilog2();
        match self.algorithm {
            Algorithm::CooleyTukey => host::BLOCK_BYTES
                // A block as large as the array is the same as any larger one.
                .filter(|&log| log <= whole.max(*host::BLOCK_BYTES.start()))
                .map(plan)
                .collect(),
            Algorithm::ConstantGeometry => vec![plan(*host::BLOCK_BYTES.end())],
        }
    }

    fn program(&self, arrays: &Arrays, plan: &HostPlan, machine: &Machine) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        let steps = Steps { operation: self, arrays, machine };
        match plan.algorithm {
            Algorithm::CooleyTukey => steps.in_place(&mut program, plan.log_block_bytes)?,
            Algorithm::ConstantGeometry => steps.geometry(&mut program, "walsh_geometry", true)?,
        }
        if plan.reorders {
            steps.geometry(&mut program, "walsh_order", false)?;
        }
        Ok(program)
    }
}

/// The base-2 logarithm of the rows of the next panel, of `left` stages.
fn log_rows(left: u32) -> u32 {
    left.div_ceil(left.div_ceil(host::LOG_PANEL_ROWS).max(1))
}

/// Steps of the host over all values.
#[derive(Clone, Copy)]
struct Steps<'a> {
    operation: &'a OnHost,
    arrays: &'a Arrays,
    machine: &'a Machine,
}

impl Steps<'_> {
    /// Blocks of `2^log_block_bytes` bytes through all their stages, then panels of rows.
    fn in_place(&self, program: &mut Program, log_block_bytes: u32) -> Result<(), DoesNotFit> {
        let Self { arrays, machine, .. } = *self;
        let log_bytes = (arrays.element.bytes() as u32).ilog2();
        let log_block = arrays.log_len.min(log_block_bytes - log_bytes);
        let first = log_block.min(host::LOG_FIRST_LEVEL_BYTES - log_bytes);
        let blocks = (arrays.values() >> log_block).max(1);
        let parts = self.over_memory("walsh_blocks", blocks, |values| {
            self.operation.of_stages(first, values).saturating_add(self.operation.within_words(values))
        });
        // The calling thread does a single block without waking others.
        program.queue(if blocks == 1 { parts.fused() } else { parts })?;
        // Each further step goes through the parts that it joins, in the smallest cache that holds them.
        let mut low = first;
        while low < log_block {
            let stages = host::next_radix(log_block - low, host::LOG_FAR_RADIX);
            low += stages;
            program.queue(self.within(blocks, stages, 1 << (low + log_bytes)))?;
        }
        let tasks = u64::from(machine.processors.max(1));
        let mut done = log_block;
        while done < arrays.log_len {
            let rows = log_rows(arrays.log_len - done);
            let row_bytes = host::row_bytes(machine.processors.max(1) as usize, rows) as u64;
            let mut low = 0;
            while low < rows {
                let stages = host::next_radix(rows - low, host::LOG_FAR_RADIX);
                let kernel = if low == 0 {
                    let operations = |values| self.operation.of_stages(stages, values);
                    self.over_memory("walsh_columns", tasks, operations).segment_bytes(row_bytes)
                } else {
                    // Rows a power of two apart fall into the same sets of a core's own caches: they lie in the shared
                    // one.
                    self.within(tasks, stages, (row_bytes << rows).max(host::CACHE_BYTES / tasks))
                };
                program.queue(kernel)?;
                low += stages;
            }
            done += rows;
        }
        Ok(())
    }

    /// A step of `tasks` tasks that moves every value once; `operations(n)` gives the vector operations on `n` values.
    fn step(&self, name: &str, tasks: u64, operations: impl Fn(u64) -> u64) -> Kernel {
        let values = self.arrays.values();
        let tasks = tasks.clamp(1, values.max(1));
        let each = values.div_ceil(tasks);
        // Vectors add integers as fast as floating-point numbers of their size.
        let operation = if self.arrays.element.bytes() == 8 { Operation::F64 } else { Operation::F32 };
        Kernel::new(name, 1)
            .blocks(Blocks::even(tasks, 1, operations(each), each, each))
            .operation(operation)
            .word_bytes(self.arrays.element.bytes() as u32)
            .traffic_words(values.saturating_mul(2))
    }

    /// A pass over memory, or over the cache that holds all values.
    fn over_memory(&self, name: &str, tasks: u64, operations: impl Fn(u64) -> u64) -> Kernel {
        let bytes = self.arrays.bytes();
        self.step(name, tasks, operations).footprint_bytes(if tasks == 1 { self.footprint(bytes) } else { bytes })
    }

    /// A step within the pass before it, over `bytes` of each thread.
    fn within(&self, tasks: u64, stages: u32, bytes: u64) -> Kernel {
        let operations = |values| self.operation.of_stages(stages, values);
        self.step("walsh_steps", tasks, operations).footprint_bytes(self.footprint(bytes)).fused()
    }

    /// Bytes of all threads together, of which each goes through `bytes` step by step: more than the cores' own caches
    /// where one of these does not hold a thread's.
    fn footprint(&self, bytes: u64) -> u64 {
        let threads = u64::from(self.machine.processors);
        let all = bytes.saturating_mul(threads).min(self.arrays.bytes());
        if bytes <= self.machine.local_bytes {
            all
        } else {
            all.max(threads.saturating_mul(self.machine.local_bytes).saturating_add(1))
        }
    }

    /// Passes out of place of up to [`host::LOG_GROUP`] stages each; even in number, so that the result comes back.
    fn geometry(&self, program: &mut Program, name: &str, butterflies: bool) -> Result<(), DoesNotFit> {
        let log_len = self.arrays.log_len;
        let passes = log_len.div_ceil(host::LOG_GROUP).max(1).next_multiple_of(2);
        for pass in 0..passes {
            let stages = if butterflies { (log_len * (pass + 1)) / passes - (log_len * pass) / passes } else { 0 };
            let operations = |values| self.operation.of_stages(stages, values);
            let kernel = self.step(name, self.machine.processors.into(), operations);
            program.queue(kernel.footprint_bytes(self.arrays.bytes().saturating_mul(2)))?;
        }
        Ok(())
    }
}
