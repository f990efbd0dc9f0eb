//! What the transform costs on the host, and how large its blocks are.

use std::fmt;

use manycore_model::{Blocks, Costed, DoesNotFit, Kernel, Machine, Operation, Program};

use super::{Algorithm, Arrays, Order};
use crate::walsh::butterfly::Butterfly;
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

/// The transform on the host, for the model.
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
    /// What the index bits within a word take, in butterflies: a mask, a shift and an exclusive or each, which wait for one
    /// another (fitted to measurements on a Zen 4).
    const fn within_words(&self) -> u32 {
        match self.butterfly {
            Butterfly::ReedMuller { log_unit_bits } => 4 * 6_u32.saturating_sub(log_unit_bits),
            _ => 0,
        }
    }
}

impl OnHost {
    /// The words of blocks that another thread has read since they were written here: of butterflies that leave the first value
    /// as it is, the first row of the last panel. Where there is but one matrix of rows, all of them are one thread's.
    fn only_read(&self, arrays: &Arrays, log_block: u32, machine: &Machine) -> u64 {
        let (mut done, mut rows) = (log_block, 0);
        while done < arrays.log_len {
            rows = log_rows(arrays.log_len - done);
            done += rows;
        }
        if self.butterfly == Butterfly::Walsh || rows == 0 {
            return 0;
        }
        let (processors, matrices) = (u64::from(machine.processors), (arrays.values() >> done).max(1));
        (arrays.values() >> rows) / matrices.min(processors) * (processors - 1)
    }
}

impl Costed for OnHost {
    type Size = Arrays;
    type Parameters = HostPlan;

    fn name(&self) -> &'static str {
        "walsh"
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
        let pass = HostPass { arrays, machine };
        match plan.algorithm {
            Algorithm::CooleyTukey => {
                let log_bytes = (arrays.element.bytes() as u32).ilog2();
                let log_block = arrays.log_len.min(plan.log_block_bytes - log_bytes);
                let first = log_block.min(host::LOG_FIRST_LEVEL_BYTES - log_bytes);
                let blocks = (arrays.values() >> log_block).max(1);
                let tiles = pass.over_memory("walsh_blocks", blocks, first + self.within_words(), None);
                // The calling thread does a single block without waking others.
                let tiles = if blocks == 1 { tiles.fused() } else { tiles };
                program.queue(tiles.taken_over(self.only_read(arrays, log_block, machine)))?;
                // Each further step goes through what it joins, in the smallest cache that holds that.
                let mut low = first;
                while low < log_block {
                    let stages = host::next_radix(log_block - low, host::LOG_FAR_RADIX);
                    low += stages;
                    let bytes = pass.with_next(1 << (low + log_bytes));
                    program.queue(pass.within("walsh_steps", blocks, stages, bytes))?;
                }
                let mut done = log_block;
                while done < arrays.log_len {
                    let rows = log_rows(arrays.log_len - done);
                    let row_bytes = host::row_bytes(machine.processors as usize, rows) as u64;
                    let tasks = u64::from(machine.processors);
                    let mut low = 0;
                    while low < rows {
                        let stages = host::next_radix(rows - low, host::LOG_FAR_RADIX);
                        program.queue(match low {
                            0 => pass.over_memory("walsh_columns", tasks, stages, Some(row_bytes)),
                            // Rows a power of two apart fall into the same sets of a core's own caches.
                            _ => pass.within(
                                "walsh_steps",
                                tasks,
                                stages,
                                (row_bytes << rows).max(host::CACHE_BYTES / tasks),
                            ),
                        })?;
                        low += stages;
                    }
                    done += rows;
                }
            }
            Algorithm::ConstantGeometry => pass.geometry(&mut program, "walsh_geometry", true)?,
        }
        if plan.reorders {
            pass.geometry(&mut program, "walsh_order", false)?;
        }
        Ok(program)
    }
}

/// The base-2 logarithm of the rows of the next panel, of `left` stages.
fn log_rows(left: u32) -> u32 {
    left.div_ceil(left.div_ceil(host::LOG_PANEL_ROWS).max(1))
}

/// Words of another thread that a thread waits for from one task to the next, where there are several threads: what two of a
/// Zen 4 lose there (arrays of 2^20 to 2^22 values in blocks of 2^17 bytes against blocks of 2^21: 2 to 5 us a block of three
/// steps) and two of a Zen 5 hardly (2^22 values take 462 us in blocks of 2^18 bytes and 487 in blocks of 2^20).
const BETWEEN_TASKS: u32 = 3;

/// Words that threads of a shared step wait for from each other one after the other, beyond its launch and what they hand over
/// in a row: they neither begin nor end at the same time. Two threads of a Zen 5 that have a common cache take 23.9 us for 1 MiB
/// in two passes, and 6.7 for 256 KiB; without one 34.9 and 10.8: 5 to 13 words where a word takes 40 ns, and none where it
/// takes 190. Two threads of a Xeon with AVX-512 took 25 us for 256 KiB in two blocks, and one thread 22 in one block.
const MEETING: u32 = 4;

/// Steps of the host over all values.
#[derive(Clone, Copy)]
struct HostPass<'a> {
    arrays: &'a Arrays,
    machine: &'a Machine,
}

impl HostPass<'_> {
    /// A kernel of `tasks` tasks that do `stages` butterflies a value and move every value once.
    fn kernel(&self, name: &str, tasks: u64, stages: u32) -> Kernel {
        let values = self.arrays.values();
        let tasks = tasks.clamp(1, values.max(1));
        let each = values.div_ceil(tasks);
        // Additions of integers take a vector unit as long as those of floating-point numbers of their size.
        let operation = if self.arrays.element.bytes() == 8 { Operation::F64 } else { Operation::F32 };
        // A thread that is one of several goes from task to task, and to values that another had.
        let turns = u32::try_from(tasks.div_ceil(u64::from(self.machine.processors.max(1)))).unwrap_or(u32::MAX);
        // An addition takes about five sixths as long as a calibration's multiply-add: less on a Zen 4, as long on a Zen 5.
        let additions = (5 * each * u64::from(stages)).div_ceil(6);
        Kernel::new(name, 1)
            .blocks(Blocks::even(tasks, 1, additions, each, each))
            .operation(operation)
            .word_bytes(self.arrays.element.bytes() as u32)
            .traffic_words(2 * values)
            .handovers(BETWEEN_TASKS.saturating_mul(turns))
    }

    /// A pass over memory, or over the cache that holds all of it, in runs of `run_bytes`.
    fn over_memory(&self, name: &str, tasks: u64, stages: u32, run_bytes: Option<u64>) -> Kernel {
        let shared = tasks > 1 && self.machine.processors > 1;
        let meeting = if shared { MEETING } else { 0 };
        let footprint = if tasks == 1 { self.footprint(self.bytes()) } else { self.bytes() };
        let kernel = self.kernel(name, tasks, stages).footprint_bytes(footprint).handovers(meeting);
        match run_bytes {
            Some(bytes) => kernel.segment_bytes(bytes),
            None => kernel,
        }
    }

    /// A step within the pass before, over `bytes` in each thread's hands.
    fn within(&self, name: &str, tasks: u64, stages: u32, bytes: u64) -> Kernel {
        let kernel = self.kernel(name, tasks, stages).footprint_bytes(self.footprint(bytes)).fused();
        // Rows in a cache that threads share come a little later than a copy of it.
        let values = self.arrays.values();
        if bytes >= self.machine.local_bytes { kernel.traffic_words(2 * values + values / 4) } else { kernel }
    }

    /// The bytes that all threads have together, of which each goes through `bytes` step by step: more than their own caches
    /// where those do not hold these and anything else.
    fn footprint(&self, bytes: u64) -> u64 {
        let threads = u64::from(self.machine.processors);
        let all = bytes.saturating_mul(threads).min(self.bytes());
        if bytes < self.machine.local_bytes {
            all
        } else {
            all.max(threads.saturating_mul(self.machine.local_bytes) + 1)
        }
    }

    /// The bytes of a block's step over `bytes` and of those that come meanwhile: where a core's own cache does not hold them,
    /// the next ones come while the last ones are still in what threads share, and it has to hold both.
    const fn with_next(&self, bytes: u64) -> u64 {
        if bytes < self.machine.local_bytes { bytes } else { bytes.saturating_mul(2) }
    }

    /// Passes out of place of up to [`host::LOG_GROUP`] stages each; even in number, so that the result comes back.
    fn geometry(&self, program: &mut Program, name: &str, butterflies: bool) -> Result<(), DoesNotFit> {
        let log_len = self.arrays.log_len;
        let passes = log_len.div_ceil(host::LOG_GROUP).max(1).next_multiple_of(2);
        for pass in 0..passes {
            let stages = if butterflies { (log_len * (pass + 1)) / passes - (log_len * pass) / passes } else { 0 };
            let tasks = u64::from(self.machine.processors);
            program.queue(self.kernel(name, tasks, stages).footprint_bytes(2 * self.bytes()))?;
        }
        Ok(())
    }

    fn bytes(&self) -> u64 {
        self.arrays.values() * self.arrays.element.bytes() as u64
    }
}
