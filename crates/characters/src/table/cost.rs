//! What the constructions cost.
//!
//! The direct one writes each entry once and reads next to nothing; the Kronecker one writes a table a step and reads the
//! one before. Both are bound by memory where a processor has a few operations for every word.

use std::ops::Range;

use manycore_model::{Blocks, Costed, DoesNotFit, Kernel, Machine, Operation, Program};

use super::host::SERIAL_BYTES;
use super::kronecker::{Part, parts};
use super::{Construction, Plan};
use crate::values::Product;

/// A tile of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// The group's factors.
    pub factors: Vec<u64>,
    /// The group's exponent.
    pub exponent: u64,
    /// The rows.
    pub rows: Range<u64>,
    /// The columns.
    pub columns: Range<u64>,
    /// Bytes of an entry.
    pub value_bytes: u32,
    /// Whether entries are exponents.
    pub exponents: bool,
    /// How entries are multiplied.
    pub product: Product,
}

/// Character tables, for the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tables {
    /// Whether they are made on the host.
    pub on_host: bool,
}

/// Items of a device's group.
const ITEMS: u32 = 256;
/// Bytes that a group or a task of the host writes.
const BLOCK_BYTES: u64 = 64 << 10;
/// Operations of the host before the first entry: exponents of rows and columns, roots (measured: 20 us).
const PREPARATION: u64 = 60_000;
/// Reads that wait for each other before the first entry on a GPU (fitted to tables of 2^19 bytes on an H200).
const PREPARING_READS: u32 = 6;
/// The same where entries are exponents, of which an item writes many, one after the other (fitted to `C_3^6` in bytes on an
/// H200).
const PREPARING_READS_EXPONENTS: u32 = 22;
/// Operations of an item for each row, where items are loops (PoCL on a Xeon with AVX-512; on a Zen 4 three times as many).
const ROW_OPERATIONS: u64 = 10;
/// Bytes that a group writes at least.
const LEAST_BYTES: u64 = 4 << 10;

impl Shape {
    fn last(&self) -> Part {
        Part { rows: self.rows.clone(), columns: self.columns.clone() }
    }

    /// Operations of two entries from their exponents: sums, reductions, look-ups and addresses. The host's are scalar ones,
    /// fitted to measurements: a look-up for each entry, or, where `L` is small, copies of patterns; exponents are shorter.
    /// Copies are bound by what a core writes: a core of a Zen 5 54 GB/s where the last cache holds the table, and 29 where it
    /// does not; the figure lies between. Those of items that are loops are shorter too, but a row of its own costs more.
    fn direct_operations(&self, on_host: bool, loops: bool) -> u64 {
        let width = self.columns.end.saturating_sub(self.columns.start);
        match (on_host, self.exponents) {
            (true, _) if self.exponent.saturating_mul(4) <= width.isqrt() => {
                if self.exponents {
                    1
                } else {
                    4
                }
            }
            (true, true) => 5,
            (true, false) => 8,
            (false, true) if loops => 6,
            (false, false) if loops => 8,
            (false, true) => 22,
            (false, false) => 26,
        }
    }

    /// Operations of two entries from two pairs.
    fn product_operations(&self, on_host: bool, loops: bool) -> u64 {
        match (on_host, self.product) {
            (false, _) if loops && self.exponents => 11,
            (false, _) if loops => 10,
            (true, Product::Sum | Product::Complex) => 7,
            (true, Product::Residues(_)) => 14,
            (false, Product::Sum | Product::Complex) => 28,
            (false, Product::Residues(_)) => 44,
        }
    }

    /// A kernel that writes `written` entries and reads `read`, with `pair` operations for every two.
    fn kernel(&self, name: &str, machine: &Machine, on_host: bool, written: u64, read: u64, pair: u64) -> Kernel {
        let bytes = u64::from(self.value_bytes);
        let items = if on_host { 1 } else { ITEMS.min(machine.block_threads.max(1)) };
        let all = written.saturating_mul(bytes);
        // Small tables are cut finer, so that every compute unit has several groups.
        let finer = if on_host { 0 } else { (8 * u64::from(machine.processors)).min(all / LEAST_BYTES) };
        let blocks = all.div_ceil(BLOCK_BYTES).max(finer).max(1);
        let each = written.div_ceil(blocks.saturating_mul(u64::from(items))).max(1);
        // Words of 4 bytes: entries may be shorter or longer.
        let words = |entries: u64| entries.saturating_mul(bytes).div_ceil(4);
        let reads = words(each).saturating_mul(read) / written.max(1);
        let kernel = Kernel::new(name, items)
            .blocks(Blocks::even(blocks, items, each.saturating_mul(pair).div_ceil(2), reads, words(each)))
            .operation(if on_host { Operation::Scalar } else { Operation::Int32 })
            .word_bytes(4)
            .traffic_words(words(written).saturating_add(words(read)))
            .footprint_bytes(written.saturating_add(read).saturating_mul(bytes));
        if on_host && all <= SERIAL_BYTES as u64 {
            // The calling thread makes it without waking others.
            return kernel.fused();
        }
        if on_host {
            return kernel;
        }
        let local = each.saturating_mul(2 + bytes.div_ceil(4));
        if machine.items_are_loops() && !self.exponents {
            // Loops write neighbours in half the time of a calibration's copies, which look up more addresses, and the sums of
            // exponents stay in registers (PoCL on a Zen 4).
            let local = if read == 0 { local / 2 } else { local };
            return kernel.local_accesses(local).traffic_words(words(written).saturating_add(words(read)) / 2);
        }
        kernel.local_accesses(local)
    }
}

impl Costed for Tables {
    type Size = Shape;
    type Parameters = Plan;

    fn name(&self) -> &'static str {
        "characters"
    }

    fn candidates(&self, shape: &Shape, _: &Machine) -> Vec<Plan> {
        let steps = shape.factors.iter().filter(|&&n| n > 1).count().max(1);
        let passes = |construction| if construction == Construction::Direct { 1 } else { steps };
        Construction::ALL.map(|construction| Plan { construction, passes: passes(construction) }).into()
    }

    fn program(&self, shape: &Shape, plan: &Plan, machine: &Machine) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        let last = shape.last();
        let entries = |part: &Part| (part.height() as u64).saturating_mul(part.width() as u64);
        let loops = !self.on_host && machine.items_are_loops();
        let direct = |part: &Part| {
            // Every item of a group takes part in the preparation of each row.
            let rows = if loops { ROW_OPERATIONS * u64::from(ITEMS) * part.height() as u64 } else { 0 };
            let written = entries(part);
            let operations = shape.direct_operations(self.on_host, loops);
            let operations = operations + (2 * rows).div_ceil(written.max(u64::from(ITEMS)));
            let kernel = shape.kernel("characters_direct", machine, self.on_host, written, 0, operations);
            // Factors, strides and roots are read one after the other before the first entry.
            let waiting = if shape.exponents { PREPARING_READS_EXPONENTS } else { PREPARING_READS };
            if self.on_host || loops { kernel } else { kernel.cold_reads(waiting) }
        };
        if self.on_host {
            let prepare = Kernel::new("characters_prepare", 1).blocks(Blocks::even(1, 1, PREPARATION, 0, 0));
            program.queue(prepare.operation(Operation::Scalar).fused())?;
        }
        let factors: Vec<u64> = shape.factors.iter().copied().filter(|&n| n > 1).collect();
        if plan.construction == Construction::Direct || factors.is_empty() || entries(&last) == 0 {
            program.queue(direct(&last))?;
            return Ok(program);
        }
        let parts = parts(&factors, last);
        program.queue(direct(&parts[0]))?;
        for pair in parts.windows(2) {
            let operations = shape.product_operations(self.on_host, loops);
            let (read, written) = (entries(&pair[0]), entries(&pair[1]));
            program.queue(shape.kernel("characters_kronecker", machine, self.on_host, written, read, operations))?;
        }
        Ok(program)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use manycore_model::choose;
    use manycore_model::machine::Class;

    fn shape(factors: &[u64]) -> Shape {
        let order: u64 = factors.iter().product();
        let exponent = factors.iter().copied().max().unwrap_or(1);
        let (factors, product) = (factors.to_vec(), Product::Complex);
        Shape { factors, exponent, rows: 0..order, columns: 0..order, value_bytes: 8, exponents: false, product }
    }

    fn class() -> Class {
        Class {
            name: "a GPU".into(),
            vendor: String::new(),
            processors: 100,
            clock_hz: 0,
            local_bytes: 48 << 10,
            block_threads: 1024,
            fp64: true,
        }
    }

    #[test]
    fn one_pass_is_cheaper_than_many() {
        for factors in [&[3; 8][..], &[2; 14], &[5, 4, 3], &[7]] {
            for (on_host, machine) in [(false, class().gpu()), (true, class().host())] {
                let choice = choose(&Tables { on_host }, &shape(factors), &machine).unwrap();
                assert_eq!(choice.candidates().len(), 2);
                assert_eq!(choice.best().parameters.construction, Construction::Direct, "{choice}");
            }
        }
    }

    #[test]
    fn traffic_is_that_of_the_tables() {
        let machine = class().gpu();
        let shape = shape(&[3; 8]);
        let seconds = |construction, passes| {
            let plan = Plan { construction, passes };
            Tables { on_host: false }.predict(&shape, &plan, &machine).unwrap()
        };
        let (direct, steps) = (seconds(Construction::Direct, 1), seconds(Construction::Kronecker, 8));
        assert_eq!((direct.kernels.len(), steps.kernels.len()), (1, 8));
        // Written: 1 + 1/9 + 1/81 ... tables; read: the same less the last.
        let memory = |p: &manycore_model::Prediction| p.kernels.iter().map(|k| k.memory).sum::<f64>();
        let ratio = memory(&steps) / memory(&direct);
        assert!((1.1..1.6).contains(&ratio), "{ratio}");
    }
}
