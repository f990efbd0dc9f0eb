//! What the tables of an S-box cost.
//!
//! A difference distribution table is counted row by row in local memory, and the number of counters there is chosen: all of a
//! row take one pass over the inputs, fewer leave room for more groups on a compute unit. A linear approximation table is made
//! in blocks of rows, by writing signs, a Walsh transform and a count; it is bound by memory.

use std::fmt;

use manycore_model::{Blocks, Costed, DoesNotFit, Kernel, Machine, Operation, Program};

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

impl Costed for Differences {
    type Size = Bits;
    type Parameters = Counters;

    fn name(&self) -> &'static str {
        "boolean_differences"
    }

    fn candidates(&self, bits: &Bits, _: &Machine) -> Vec<Counters> {
        let least = if self.on_host { bits.output } else { bits.output.min(10) };
        let counters = |log: u32| Counters { log, pieces: 1 << (bits.output - log) };
        let fits = |log: &u32| self.on_host || (2u64 << log) + other_bytes(self.items) <= self.local_bytes;
        // The shortest stays, so that the model says why it does not fit.
        (least.max(1)..=bits.output.max(1)).filter(|log| *log == least.max(1) || fits(log)).map(counters).collect()
    }

    fn program(&self, bits: &Bits, counters: &Counters, machine: &Machine) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        let (rows, items) = (1u64 << bits.input, u64::from(self.items.max(1)));
        let per_item = |count: u64| count.div_ceil(items);
        let pieces = u64::from(counters.pieces);
        let pairs = 1u64 << (bits.input - 1);
        let words = (1u64 << counters.log.min(bits.output)).div_ceil(2);
        // A pair: two look-ups, the difference and its ones, a counter. A word of counters: cleared, read, two entries compared.
        // Fitted to measurements: on the host a look-up and a counter are no vector operations, and count as look-ups.
        let (of_pair, of_word) = if self.on_host { (14, 16) } else { (18, 30) };
        let operation = if self.on_host { Operation::Scalar } else { Operation::Int32 };
        let operations = pieces * (of_pair * per_item(pairs) + of_word * per_item(words));
        let accesses = pieces * (2 * per_item(pairs) + 2 * per_item(words));
        let blocks = Blocks::even(rows, self.items.max(1), operations, pieces * per_item(pairs), 0);
        let kernel = Kernel::new(self.name(), self.items.max(1)).blocks(blocks).footprint_bytes(2 << bits.input);
        // Outputs are read from a cache; nothing else is moved.
        let kernel = kernel.operation(operation).traffic_words((rows >> 1).max(1) + 1);
        let local = ((2u64 << counters.log) + other_bytes(self.items)) / 4;
        let _ = machine;
        // The outputs and where the largest entries will stand go up; counts, cleared before, and those places come back.
        let on_device = |kernel: Kernel| kernel.local_words(local).local_accesses(accesses).round_trips(5);
        program.queue(if self.on_host { kernel } else { on_device(kernel) })?;
        Ok(program)
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

/// The base-2 logarithms of the entries of blocks that are considered.
const LOG_ENTRIES: std::ops::RangeInclusive<u32> = 20..=28;

impl Costed for LinearApproximations {
    type Size = Bits;
    type Parameters = Rows;

    fn name(&self) -> &'static str {
        "boolean_linear"
    }

    fn candidates(&self, bits: &Bits, _: &Machine) -> Vec<Rows> {
        let most = (self.memory_bytes / 4).max(1).ilog2();
        let log_rows = |log_entries: u32| log_entries.min(most).saturating_sub(bits.input).min(bits.output);
        let mut rows: Vec<Rows> = LOG_ENTRIES.map(|log| Rows { log: log_rows(log) }).collect();
        rows.dedup();
        rows
    }

    fn program(&self, bits: &Bits, rows: &Rows, machine: &Machine) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        let items = if self.on_host { 1 } else { 256.min(machine.block_threads.max(1)) };
        let entries = 1u64 << (rows.log + bits.input);
        // A thread makes a few entries, on the host as many as stay in its cache.
        let groups = (entries / u64::from(items) / if self.on_host { 1 << 14 } else { 16 }).max(1);
        let each = entries.div_ceil(groups * u64::from(items));
        // Passes of a transform in place: a tile of 2^12 words in local memory each, or in a cache.
        let passes = bits.input.div_ceil(if self.on_host { 16 } else { 13 }).max(1);
        let kernel = |name: &str, operations: u64, reads: u64, writes: u64| {
            Kernel::new(name, items)
                .blocks(Blocks::even(groups, items, each * operations, each * reads, each * writes))
                .traffic_words(entries * (reads + writes))
                .footprint_bytes(4 * entries)
        };
        let mut last = Vec::new();
        let mut queue = |kernel: Kernel| -> Result<(), DoesNotFit> {
            // Behind the kernel before, which is behind all others.
            last = vec![program.push(kernel, &last)?];
            Ok(())
        };
        // The host's were fitted to measurements.
        let stages = u64::from(bits.input.div_ceil(passes));
        let (signs, transform, count) = if self.on_host { (10, stages + stages / 2, 34) } else { (6, 2 * stages, 12) };
        // Outputs and the places of the largest entries go up; two kinds of counts are cleared, and come back with the places.
        let mut trips = if self.on_host { 0 } else { 7 };
        for _ in 0..1u64 << (bits.output - rows.log) {
            queue(kernel("boolean_components", signs, 0, 1).round_trips(std::mem::take(&mut trips)))?;
            for _ in 0..passes {
                queue(kernel("walsh", transform, 1, 1))?;
            }
            queue(kernel("boolean_tally", count, 1, 0))?;
        }
        Ok(program)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use manycore_model::choose;
    use manycore_model::machine::Class;

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
        let differences = |local_bytes| Differences { on_host: false, items: 1024, local_bytes };
        let seconds = |log: u32| {
            let counters = Counters { log, pieces: 1 << (16 - log) };
            let all = differences(224 << 10);
            all.predict(&bits, &counters, &class(224 << 10).gpu()).unwrap().seconds
        };
        assert!(seconds(10) > 4.0 * seconds(14) && seconds(12) > seconds(14));
        // What does not fit is no candidate.
        let choice = choose(&differences(48 << 10), &bits, &class(48 << 10).gpu()).unwrap();
        assert!(choice.candidates().iter().all(|candidate| candidate.parameters.log <= 14));
        assert!(choice.best().parameters.log >= 13, "{choice}");
    }

    #[test]
    fn short_sboxes_have_one_way() {
        let on_host = Differences { on_host: true, items: 1, local_bytes: 0 };
        let bits = Bits { input: 1, output: 1 };
        let choice = choose(&on_host, &bits, &class(0).host()).unwrap();
        assert_eq!(choice.candidates().len(), 1);
        let linear = LinearApproximations { on_host: false, memory_bytes: 1 << 30 };
        assert_eq!(linear.candidates(&bits, &class(48 << 10).gpu()), [Rows { log: 1 }]);
    }

    /// Blocks that stay in a cache beat those that do not, and single rows take too many launches.
    #[test]
    fn blocks_are_neither_short_nor_long() {
        let linear = LinearApproximations { on_host: false, memory_bytes: 1 << 32 };
        let bits = Bits { input: 16, output: 16 };
        let machine = class(48 << 10).gpu();
        let choice = choose(&linear, &bits, &machine).unwrap();
        assert_eq!(choice.candidates().len(), 9);
        let single = linear.predict(&bits, &Rows { log: 0 }, &machine).unwrap();
        assert!(single.seconds > 2.0 * choice.best().prediction.seconds, "{choice}");
    }
}
