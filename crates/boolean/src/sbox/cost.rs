//! Counts of the tables of an S-box: look-ups, counters, words moved, launches.
//!
//! A difference distribution table is counted row by row in local memory, and the number of counters there is chosen:
//! all of a row take one pass over the inputs, fewer take less local memory. A linear approximation table is made in
//! blocks of rows, by writing signs, a Walsh transform and a count; small blocks stay in a cache, large ones take few
//! launches.
//!
//! What is read again from the nearest cache counts as an access of local memory.

use std::fmt;

use manycore_model::{Blocks, DoesNotFit, Estimate, ExecutionModel, Kernel, Machine, Operation, Program};
use manycore_tuning::Costed;

use crate::groups::{LOCAL_BINS, items, tally_groups};
use crate::threads::TASK;

/// The bits of an S-box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bits {
    /// Input bits, `m`, at least 1.
    pub input: u32,
    /// Output bits, `n`, at least 1.
    pub output: u32,
}

/// Counting a whole difference distribution table on an OpenCL device, or on the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Differences {
    /// Whether it is counted on the host.
    pub on_host: bool,
    /// Items of a group; 1 on the host.
    pub items: u32,
    /// Bytes of local memory that a group can have.
    pub local_bytes: u64,
    /// Rows of a launch at most; 0 on the host, which counts all rows in one step.
    pub rows_at_once: u32,
}

/// Counters that a group has in local memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Counters {
    /// The base-2 logarithm of their number.
    pub log: u32,
    /// The passes over the inputs for a row.
    pub pieces: u32,
}

impl fmt::Display for Counters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "2^{} counters, {} pieces a row", self.log, self.pieces)
    }
}

/// Bytes of local memory of a group beside its counters: three words an item, and counts of small entries.
const fn other_bytes(items: u32) -> u64 {
    12 * items as u64 + 256
}

/// Waits of the host for the device about a difference distribution table: two uploads and two downloads.
const DIFFERENCE_TRIPS: u32 = 4;

impl Differences {
    /// Of one pair of inputs in each piece: its two places (four operations), the difference (two), its ones (three),
    /// the piece (two), and the next pair (two).
    const PAIR: u64 = 13;
    /// Of one pair in its own piece: the counter, its word and its half.
    const COUNTED: u64 = 4;
    /// Of a word of two counters: eleven comparisons and sums each, its halves, and the next word, which is cleared
    /// too.
    const WORD: u64 = 28;

    fn device_program(&self, bits: Bits, counters: Counters) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        let (rows, items) = (1u64 << bits.input, u64::from(self.items.max(1)));
        let pieces = u64::from(counters.pieces);
        let pairs = (1u64 << (bits.input - 1)).div_ceil(items);
        let words = (1u64 << counters.log.min(bits.output)).div_ceil(2).div_ceil(items);
        let operations = pieces * (Self::PAIR * pairs + Self::WORD * words) + Self::COUNTED * pairs;
        // Two outputs of each pair and piece; a counter is read and written, and so is a word of counters.
        let accesses = 2 * pieces * (pairs + words) + 2 * pairs;
        let local = ((2u64 << counters.log) + other_bytes(self.items)) / 4;
        let at_once = u64::from(self.rows_at_once).clamp(1, rows);
        let mut trips = DIFFERENCE_TRIPS;
        for first in (0..rows).step_by(at_once as usize) {
            let count = at_once.min(rows - first);
            let kernel = Kernel::new(self.name(), self.items.max(1))
                .blocks(Blocks::even(count, self.items.max(1), operations, pieces * pairs, 0))
                // Groups read all outputs again and again, from a cache.
                .traffic_words((rows / 2).max(1))
                .footprint_bytes(2 * rows)
                .local_words(local)
                .local_accesses(accesses)
                .round_trips(std::mem::take(&mut trips));
            program.queue(kernel)?;
        }
        Ok(program)
    }

    fn host_program(&self, bits: Bits) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        let (rows, pairs) = (1u64 << bits.input, 1u64 << (bits.input - 1));
        let words = (1u64 << bits.output).div_ceil(2);
        let kernel = |name, operations| {
            Kernel::new(name, 1)
                .blocks(Blocks::even(rows, 1, operations, pairs, 0))
                .traffic_words((rows / 2).max(1))
                .footprint_bytes(2 * rows)
        };
        // Look-ups of the other output of a pair and of its counter, which is stored.
        program.queue(kernel(self.name(), 3 * pairs).operation(Operation::Scalar))?;
        // Counters in vectors: cleared, compared with six values whose numbers are summed, and with those above and the
        // most.
        program.queue(kernel("boolean_counters", 16 * words).local_accesses(9 * words).fused())?;
        Ok(program)
    }
}

impl Costed for Differences {
    type Size = Bits;
    type Parameters = Counters;

    fn name(&self) -> &'static str {
        "boolean_differences"
    }

    fn candidates(&self, bits: &Bits, _: &Machine) -> Vec<Counters> {
        let least = if self.on_host { bits.output.max(1) } else { 1 };
        let counters = |log: u32| Counters { log, pieces: 1 << (bits.output - log) };
        let fits = |log: &u32| self.on_host || (2u64 << log) + other_bytes(self.items) <= self.local_bytes;
        // The fewest counters stay a candidate, so that the estimate says why they do not fit.
        (least..=bits.output.max(1)).filter(|log| *log == least || fits(log)).map(counters).collect()
    }

    fn program(&self, bits: &Bits, counters: &Counters, _: &Machine) -> Result<Program, DoesNotFit> {
        if self.on_host { self.host_program(*bits) } else { self.device_program(*bits, *counters) }
    }
}

/// Counting a whole linear approximation table in blocks of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LinearApproximations {
    /// Whether it is made on the host.
    pub on_host: bool,
    /// Bytes of memory that a block may take.
    pub memory_bytes: u64,
}

/// Rows that are made together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rows {
    /// The base-2 logarithm of their number.
    pub log: u32,
}

impl fmt::Display for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "blocks of 2^{} rows", self.log)
    }
}

/// The base-2 logarithm of the entries of a block, at most: 2^30 bytes.
const LOG_ENTRIES: u32 = 28;

/// Waits of the host for the device about a linear approximation table: two uploads, the end, and three downloads.
const LINEAR_TRIPS: u32 = 6;

impl LinearApproximations {
    /// The kernels of one block of rows.
    fn block(&self, bits: Bits, rows: Rows, machine: &Machine, round_trips: u32) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        let is_gpu = machine.execution_model == ExecutionModel::Gpu;
        let items = if self.on_host { 1 } else { items(is_gpu, machine.block_threads as usize, 256) as u64 };
        let entries = 1u64 << (rows.log + bits.input);
        // `each`: entries of a thread in one turn. A thread takes several turns where the entries fill more than `groups` groups.
        let kernel = |name: &str, each: u64, groups: u64, operations: u64, [reads, writes]: [u64; 2]| {
            let groups = (entries / (items * each)).clamp(1, groups);
            let each = entries.div_ceil(items * groups);
            let kernel = Kernel::new(name, items as u32)
                .blocks(Blocks::even(groups, items as u32, each * operations, each * reads, each * writes))
                .traffic_words(entries * (reads + writes))
                .footprint_bytes(4 * entries);
            (kernel, each)
        };
        let task = TASK as u64;
        // Each sign: its mask and its input (five operations), the ones of both, and 1 or -1 of their parity (two); the
        // host's threads go through inputs in order.
        let (signs, each) = if self.on_host {
            kernel("boolean_components", task, u64::MAX, 5, [0, 1])
        } else {
            kernel("boolean_components", 1, u64::MAX, 8, [0, 1])
        };
        program.queue(signs.local_accesses(each).round_trips(round_trips))?;
        // Passes of a transform in place, of stages of a sum or a difference of each entry, by tiles of local memory or
        // of a core's own cache. An item has 16 entries in registers.
        let log_tile = (machine.local_bytes / 4).max(2).ilog2();
        let passes = bits.input.div_ceil(log_tile).max(1);
        let stages = u64::from(bits.input.div_ceil(passes));
        for _ in 0..passes {
            let each = if self.on_host { task } else { 16 };
            let (walsh, each) = kernel("walsh", each, u64::MAX, stages, [1, 1]);
            // Between registers for every four stages.
            program.queue(walsh.local_accesses(2 * each * stages.div_ceil(4).saturating_sub(1)))?;
        }
        if self.on_host {
            // A counter is looked up and stored.
            let (tally, _) = kernel("boolean_tally", task, u64::MAX, 2, [1, 0]);
            program.queue(tally.operation(Operation::Scalar))?;
            return Ok(program);
        }
        // Each entry: its bin (three operations), its row (two), what it is compared with (four), the ones of both
        // masks (five). A group clears its bins and adds them up.
        let groups = tally_groups(machine.processors) as u64;
        let (tally, each) = kernel("boolean_tally", 4, groups, 14, [1, 0]);
        let bins = 2 * (LOCAL_BINS as u64).div_ceil(items);
        let local = LOCAL_BINS as u64 + 3 * items;
        program.queue(tally.local_words(local).local_accesses(2 * each + bins))?;
        Ok(program)
    }

    fn blocks(bits: Bits, rows: Rows) -> u64 {
        1 << bits.output.saturating_sub(rows.log)
    }

    fn trips(&self) -> u32 {
        if self.on_host { 0 } else { LINEAR_TRIPS }
    }
}

impl Costed for LinearApproximations {
    type Size = Bits;
    type Parameters = Rows;

    fn name(&self) -> &'static str {
        "boolean_linear"
    }

    fn candidates(&self, bits: &Bits, _: &Machine) -> Vec<Rows> {
        let log_entries = (self.memory_bytes / 4).max(1).ilog2().min(LOG_ENTRIES);
        let most = log_entries.saturating_sub(bits.input).min(bits.output);
        (0..=most).map(|log| Rows { log }).collect()
    }

    fn program(&self, bits: &Bits, rows: &Rows, machine: &Machine) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        let mut trips = self.trips();
        for _ in 0..Self::blocks(*bits, *rows) {
            let block = self.block(*bits, *rows, machine, std::mem::take(&mut trips))?;
            for kernel in block.kernels() {
                program.queue(kernel.clone())?;
            }
        }
        Ok(program)
    }

    /// As of the program, whose equal blocks are counted once.
    fn estimate(&self, bits: &Bits, rows: &Rows, machine: &Machine) -> Result<Estimate, DoesNotFit> {
        let first = machine.estimate(&self.block(*bits, *rows, machine, self.trips())?)?;
        match Self::blocks(*bits, *rows) - 1 {
            0 => Ok(first),
            others => Ok(first.then(machine.estimate(&self.block(*bits, *rows, machine, 0)?)?.times(others))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use manycore_model::machine::Class;
    use manycore_tuning::choose;

    fn class(local_bytes: u64) -> Class {
        Class {
            name: "a GPU".into(),
            vendor: String::new(),
            processors: 100,
            clock_hz: 0,
            local_bytes,
            block_threads: 1024,
            fp64: true,
        }
    }

    #[test]
    fn fewer_counters_than_differences_take_more_passes() {
        let bits = Bits { input: 16, output: 16 };
        let differences = |local_bytes| Differences { on_host: false, items: 1024, local_bytes, rows_at_once: 1 << 13 };
        let seconds = |log: u32| {
            let counters = Counters { log, pieces: 1 << (16 - log) };
            let all = differences(224 << 10);
            all.estimate(&bits, &counters, &class(224 << 10).gpu()).unwrap().seconds
        };
        assert!(seconds(10) > 4.0 * seconds(14) && seconds(12) > seconds(14));
        // What does not fit is no candidate.
        let choice = choose(&differences(48 << 10), &bits, &class(48 << 10).gpu()).unwrap();
        assert!(choice.candidates().iter().all(|candidate| candidate.parameters.log <= 14));
        assert!(choice.best().parameters.log >= 13, "{choice}");
    }

    #[test]
    fn short_sboxes_have_few_candidates() {
        let on_host = Differences { on_host: true, items: 1, local_bytes: 0, rows_at_once: 0 };
        let bits = Bits { input: 1, output: 1 };
        let choice = choose(&on_host, &bits, &class(0).host()).unwrap();
        assert_eq!(choice.candidates().len(), 1);
        let linear = LinearApproximations { on_host: false, memory_bytes: 1 << 30 };
        assert_eq!(linear.candidates(&bits, &class(48 << 10).gpu()), [Rows { log: 0 }, Rows { log: 1 }]);
    }

    /// Blocks that stay in a cache beat those that do not, and single rows take too many launches.
    #[test]
    fn blocks_are_neither_short_nor_long() {
        let linear = LinearApproximations { on_host: false, memory_bytes: 1 << 32 };
        let bits = Bits { input: 16, output: 16 };
        let machine = class(48 << 10).gpu();
        let choice = choose(&linear, &bits, &machine).unwrap();
        assert_eq!(choice.candidates().len(), 13);
        let single = linear.estimate(&bits, &Rows { log: 0 }, &machine).unwrap();
        assert!(single.seconds > 2.0 * choice.best().estimate.seconds, "{choice}");
    }

    #[test]
    fn differences_count_pairs_and_counters() {
        let differences = Differences { on_host: false, items: 64, local_bytes: 48 << 10, rows_at_once: 1 << 10 };
        let bits = Bits { input: 12, output: 9 };
        let program = |log| {
            let counters = Counters { log, pieces: 1 << (9 - log) };
            differences.program(&bits, &counters, &class(48 << 10).gpu()).unwrap()
        };
        // 2^12 rows in four launches, each of 2^11 pairs and 2^8 words of counters.
        for (log, pieces) in [(9, 1), (7, 4)] {
            let program = program(log);
            assert_eq!(program.kernels().len(), 4);
            let work: u128 = program.kernels().iter().filter_map(Kernel::work).sum();
            assert_eq!(work, (1 << 12) * ((13 * pieces + 4) * (1 << 11) + 28 * (1 << 8)));
        }
        let on_host = Differences { on_host: true, items: 1, local_bytes: 0, rows_at_once: 0 };
        let counters = Counters { log: 9, pieces: 1 };
        let program = on_host.program(&bits, &counters, &class(0).host()).unwrap();
        let work: Vec<_> = program.kernels().iter().filter_map(Kernel::work).collect();
        assert_eq!(work, [(1 << 12) * 3 * (1 << 11), (1 << 12) * 16 * (1 << 8)]);
    }

    #[test]
    fn linear_tables_count_every_entry_and_launch() {
        let (bits, rows) = (Bits { input: 10, output: 12 }, Rows { log: 8 });
        for (on_host, machine) in [(false, class(48 << 10).gpu()), (true, class(0).host())] {
            let linear = LinearApproximations { on_host, memory_bytes: 1 << 30 };
            let program = linear.program(&bits, &rows, &machine).unwrap();
            // Sixteen blocks of signs, one pass of a transform, and a count; each entry is written, read and written,
            // and read.
            assert_eq!(program.kernels().len(), 16 * 3);
            assert_eq!(program.kernels().iter().map(Kernel::traffic_bytes).sum::<u128>(), 16 << 22);
            let (whole, estimate) =
                (machine.estimate(&program).unwrap(), linear.estimate(&bits, &rows, &machine).unwrap());
            assert_eq!(whole.launches, estimate.launches);
            assert!((whole.seconds / estimate.seconds - 1.0).abs() < 1e-9);
        }
    }
}
