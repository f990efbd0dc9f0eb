//! Counts of both constructions: entries written and read, operations, look-ups, launches.
//!
//! The direct one writes each entry once and reads next to nothing; the Kronecker one writes a table a step and reads
//! the one before. Both are bound by memory where a processor has a few operations for every word.
//!
//! What is read again from the nearest cache counts as an access of local memory. Roots of groups whose exponent is too
//! large for a table count as looked up.

use manycore_field::Arithmetic;
use manycore_model::{Blocks, DoesNotFit, Estimate, ExecutionModel, Kernel, Machine, Operation, Program};
use manycore_tuning::Costed;

use super::construction::{Construction, Plan};
use super::device::{self, Deal, Lookup};
use super::host;
use super::panels::{Panel, first_panel, radices};
use super::part::{Part, parts};
use super::prepared::MOST_PARTS;
pub use super::shape::Shape;
use crate::values::Product;

/// Character tables as the planner sees them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tables {
    /// Whether they are made on the host.
    pub on_host: bool,
}

/// Operations of one product of entries, with its reduction: of `kronecker.cl` and `kernels/field`, from which the
/// host's hardly differ.
fn product_operations(product: Product) -> u64 {
    match product {
        // Addition, subtraction, minimum.
        Product::Sum => 3,
        // Two multiplications and two multiply-adds.
        Product::Complex => 4,
        // After Barrett: three multiplications, of which one subtracts, and a correction.
        Product::Residues(Arithmetic::Word32) => 5,
        // Both words of the product, then a division after Moeller and Granlund: three multiplications, seven shifts,
        // fifteen additions, comparisons and corrections.
        Product::Residues(Arithmetic::Word64 { .. } | Arithmetic::Floating) => 27,
        // Both words of the product, nine operations that reduce them, and a correction.
        Product::Residues(Arithmetic::Goldilocks) => 13,
    }
}

/// A kernel that moves the given numbers of words of 4 bytes.
fn kernel(name: &str, items: u32, (written, read, tables): (u64, u64, u64)) -> Kernel {
    let bytes = |words: u64| words.saturating_mul(4);
    Kernel::new(name, items)
        .traffic_words(written.saturating_add(read))
        .table_words(tables)
        .footprint_bytes(bytes(written.saturating_add(read).saturating_add(tables)))
}

/// A panel of a tile, and the factors that it is of.
struct DirectTile {
    part: Part,
    factors: usize,
    exponent: u64,
    panel: Panel,
    /// Whether entries are the exponents themselves.
    is_exponent: bool,
}

impl Shape {
    fn last(&self) -> Part {
        Part { rows: self.rows.clone(), columns: self.columns.clone() }
    }

    /// Words of 4 bytes.
    fn words(&self, entries: u64) -> u64 {
        entries.saturating_mul(u64::from(self.value_bytes)).div_ceil(4)
    }

    fn entries(part: &Part) -> u64 {
        (part.height() as u64).saturating_mul(part.width() as u64)
    }

    /// A part of the table of these factors by the direct construction; it has at least one entry.
    fn direct(&self, factors: &[u64], part: &Part) -> DirectTile {
        let panel = first_panel(&radices(factors), &part.columns, MOST_PARTS);
        let whole = factors.len() == self.factors.iter().filter(|&&n| n > 1).count();
        let exponent = if whole { self.exponent } else { factors.iter().copied().fold(1, num_integer::lcm) };
        let is_exponent = self.exponents && exponent == self.exponent;
        DirectTile { part: part.clone(), factors: factors.len(), exponent, panel, is_exponent }
    }

    /// The launch of a panel, and how many panels there are.
    fn direct_on_device(&self, tile: &DirectTile, machine: &Machine) -> (Kernel, u64) {
        let (panel, bytes) = (&tile.panel, self.value_bytes as usize);
        let is_single = self.product == Product::Complex && bytes == 8 && tile.exponent == self.exponent;
        let order = usize::try_from(tile.exponent).unwrap_or(usize::MAX);
        let lookup = if tile.is_exponent { Lookup::Exponent } else { Lookup::new(order, bytes, is_single) };
        let root_bytes = lookup.local_bytes(bytes);
        let rows = tile.part.height();
        let deal = Deal::new(
            machine.processors,
            rows,
            panel.len().saturating_mul(bytes),
            (8 * root_bytes, device::DIRECT_BYTES),
            None,
        );
        let items = device::group_items(machine.execution_model == ExecutionModel::Gpu, machine.block_threads as usize);
        let each = |count: usize| count.div_ceil(items) as u64;
        // Vectors of 16 bytes. An entry takes two sums of places, a subtraction and a minimum, and the way to the next
        // one: two steps, a comparison and a selection. Short ones are shifted into words; roots of order 4 take five
        // operations.
        let per_vector = (16 / bytes).max(1) as u64;
        let per_entry = 8 + if bytes < 4 { 2 } else { 0 } + if lookup == Lookup::Quarter { 5 } else { 0 };
        let vectors = each(panel.len().saturating_mul(bytes).div_ceil(16).div_ceil(deal.segments));
        // Each exponent of a low or a high: for each factor a multiply-add and its place, and a remainder.
        let prepared = each(panel.entries()) * (2 * tile.factors as u64 + 1);
        let rows_each = deal.rows_each as u64;
        let operations = rows_each.saturating_mul(3 + prepared + vectors.saturating_mul(per_vector * per_entry + 7));
        let looked_up = match lookup {
            Lookup::Local(_) | Lookup::Global => self.words(1),
            Lookup::Exponent | Lookup::Quarter => 0,
        };
        // Two exponents an entry; for each low and high a digit and a term for each factor.
        let copied = if root_bytes > 0 { each(order).saturating_mul(2 * looked_up) } else { 0 };
        let accesses = rows_each.saturating_mul(prepared + vectors.saturating_mul(per_vector * (2 + looked_up)));
        let (room, part_bytes) = device::parts_room(panel, tile.exponent);
        let local_bytes = room * part_bytes + 256 + root_bytes;
        let roots = if tile.is_exponent { 0 } else { self.words(tile.exponent) };
        let tables = roots.saturating_add((panel.entries() * tile.factors) as u64);
        let written = self.words((rows as u64).saturating_mul(panel.len() as u64));
        let groups = (deal.groups(rows) as u64).max(1);
        let kernel = kernel("characters_direct", items as u32, (written, 0, tables))
            .blocks(Blocks::even(groups, items as u32, operations, 0, rows_each.saturating_mul(4 * vectors)))
            .local_accesses(accesses.saturating_add(copied))
            .local_words(local_bytes.div_ceil(4) as u64);
        (kernel, tile.part.width().div_ceil(panel.len()) as u64)
    }

    /// One step by a factor `q`.
    fn step_on_device(&self, q: u64, from: &Part, to: &Part, machine: &Machine) -> Kernel {
        let together = device::rows_together(q);
        let rows = to.height();
        let blocks = if together > 1 { ((to.rows.start % q) as usize + rows).div_ceil(together) } else { rows };
        let row_bytes = to.width().saturating_mul(together * self.value_bytes as usize);
        let deal = Deal::new(machine.processors, blocks, row_bytes, (0, device::STEP_BYTES), None);
        let items = device::group_items(machine.execution_model == ExecutionModel::Gpu, machine.block_threads as usize);
        let columns = to.width().div_ceil(deal.segments).div_ceil(items);
        let sources = (deal.rows_each as u64).saturating_mul(columns as u64);
        let outputs = sources.saturating_mul(together as u64);
        // Beside the product the place of an output in its row, in the table, and of its factor.
        let operations = outputs.saturating_mul(5 + product_operations(self.product));
        let (written, read) = (self.words(Self::entries(to)), self.words(Self::entries(from)));
        let tables = self.words(q.saturating_mul(q));
        let operation = match self.product {
            Product::Residues(Arithmetic::Word32) | Product::Sum => Operation::Int32,
            Product::Residues(_) => Operation::Int64,
            Product::Complex if self.value_bytes == 16 => Operation::F64,
            Product::Complex => Operation::F32,
        };
        kernel("characters_kronecker", items as u32, (written, read, tables))
            .operation(operation)
            .blocks(Blocks::even(
                (deal.groups(blocks) as u64).max(1),
                items as u32,
                operations,
                self.words(sources),
                self.words(outputs),
            ))
            // An entry of the factor for each output, and one of the table before for those that it goes to.
            .local_accesses(self.words(outputs.saturating_add(sources)))
    }

    /// A step of the host over rows in tasks: `kernels` makes its kernels, which are one step, of the operations an entry.
    fn on_host(&self, part: &Part, kernels: impl FnOnce(u64) -> Vec<(Kernel, u64)>) -> Vec<(Kernel, u64)> {
        let bytes = self.value_bytes as usize;
        let is_alone = part.height().saturating_mul(part.width()).saturating_mul(bytes) <= host::SERIAL_BYTES;
        let rows = host::rows_each(part.width().saturating_mul(bytes)).min(part.height()).max(1);
        let rows = if is_alone { part.height() } else { rows } as u64;
        let tasks = (part.height() as u64).div_ceil(rows.max(1)).max(1);
        let in_tasks = |(kernel, row): (Kernel, u64)| {
            let words = self.words(rows.saturating_mul(part.width() as u64));
            kernel.blocks(Blocks::even(tasks, 1, rows.saturating_mul(row), 0, words))
        };
        let mut fused = is_alone;
        let of = |kernel: (Kernel, u64)| {
            let kernel = in_tasks(kernel);
            (if std::mem::replace(&mut fused, true) { kernel.fused() } else { kernel }, 1)
        };
        kernels(rows).into_iter().map(of).collect()
    }

    fn direct_on_host(&self, tile: &DirectTile) -> Vec<(Kernel, u64)> {
        let (panel, bytes) = (&tile.panel, self.value_bytes as usize);
        let panels = tile.part.width().div_ceil(panel.len()) as u64;
        let (lows, highs) = (panel.lows.count as usize, panel.highs.count as usize);
        let order = usize::try_from(tile.exponent).unwrap_or(usize::MAX);
        let is_copied = host::copies_patterns(order, lows, highs, bytes);
        let found = if is_copied { (order * lows) as u64 } else { panel.len() as u64 };
        // Addition, subtraction and minimum by vectors; with a look-up of the root one by one.
        let (operation, each) = if tile.is_exponent { (Operation::Int32, 3) } else { (Operation::Scalar, 4) };
        let written = self.words(Self::entries(&tile.part));
        let roots = if tile.is_exponent { 0 } else { self.words(tile.exponent) };
        let tables = roots.saturating_add((panel.entries() * tile.factors) as u64);
        self.on_host(&tile.part, |rows| {
            let copied = if is_copied { rows.saturating_mul(tile.part.width() as u64) } else { 0 };
            let entries = kernel("characters_direct", 1, (written, 0, tables)).operation(operation);
            // The exponents of lows and highs from those of the row before.
            let next = kernel("characters_parts", 1, (0, 0, 0));
            let advanced = panels.saturating_mul(3 * panel.entries() as u64);
            vec![(entries.local_accesses(self.words(copied)), panels.saturating_mul(found * each)), (next, advanced)]
        })
    }

    fn step_on_host(&self, q: u64, from: &Part, to: &Part) -> Vec<(Kernel, u64)> {
        let (written, read) = (self.words(Self::entries(to)), self.words(Self::entries(from)));
        self.on_host(to, |rows| {
            let (width, tables) = (to.width() as u64, self.words(q.saturating_mul(q)));
            let kernel = kernel("characters_kronecker", 1, (written, read, tables));
            // Rows of a factor are short, so that there are no vectors.
            let kernel = kernel.operation(Operation::Scalar);
            let accesses = self.words(rows.saturating_mul(width));
            vec![(kernel.local_accesses(accesses), width.saturating_mul(product_operations(self.product)))]
        })
    }
}

impl Tables {
    /// The kernels of a candidate in their order, each with the number of its launches one after the other.
    fn kernels(self, shape: &Shape, plan: &Plan, machine: &Machine) -> Vec<(Kernel, u64)> {
        let last = shape.last();
        if Shape::entries(&last) == 0 {
            return Vec::new();
        }
        let direct = |factors: &[u64], part: &Part| {
            let tile = shape.direct(factors, part);
            if self.on_host { shape.direct_on_host(&tile) } else { vec![shape.direct_on_device(&tile, machine)] }
        };
        let factors: Vec<u64> = shape.factors.iter().copied().filter(|&n| n > 1).collect();
        if plan.construction == Construction::Direct || factors.is_empty() {
            return direct(&factors, &last);
        }
        let parts = parts(&factors, last);
        let mut kernels = direct(&factors[..1], &parts[0]);
        for (pair, &q) in parts.windows(2).zip(&factors[1..]) {
            if self.on_host {
                kernels.extend(shape.step_on_host(q, &pair[0], &pair[1]));
            } else {
                kernels.push((shape.step_on_device(q, &pair[0], &pair[1], machine), 1));
            }
        }
        kernels
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
        for (kernel, launches) in self.kernels(shape, plan, machine) {
            for _ in 0..launches {
                program.queue(kernel.clone())?;
            }
        }
        Ok(program)
    }

    /// As of the program, whose equal launches are counted once.
    fn estimate(&self, shape: &Shape, plan: &Plan, machine: &Machine) -> Result<Estimate, DoesNotFit> {
        let mut all = Estimate::default();
        for (kernel, launches) in self.kernels(shape, plan, machine) {
            let mut program = Program::new();
            program.queue(kernel)?;
            all = all.then(machine.estimate(&program)?.times(launches));
        }
        Ok(all)
    }

    fn gives_same_bits(&self, shape: &Shape, one: &Plan, other: &Plan) -> bool {
        // A product of roots is not rounded as a root is; with one factor both constructions take the roots.
        shape.product != Product::Complex || one.construction == other.construction || one.passes == other.passes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use manycore_model::machine::Class;
    use manycore_tuning::choose;

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

    fn direct() -> Plan {
        Plan { construction: Construction::Direct, passes: 1 }
    }

    fn kronecker(passes: usize) -> Plan {
        Plan { construction: Construction::Kronecker, passes }
    }

    #[test]
    fn traffic_is_that_of_the_tables() {
        let shape = shape(&[3; 8]);
        for (on_host, machine) in [(false, class().gpu()), (true, class().host())] {
            let traffic = |plan: &Plan| {
                let program = Tables { on_host }.program(&shape, plan, &machine).unwrap();
                let launches = program.kernels().iter().filter(|kernel| kernel.traffic_bytes() > 0).count();
                (launches, program.kernels().iter().map(Kernel::traffic_bytes).sum::<u128>())
            };
            let entries = |factors: u32| 9u128.pow(factors) * 8;
            assert_eq!(traffic(&direct()), (1, entries(8)));
            // Every step writes its table and reads the one before.
            let steps = (1..=8).map(entries).sum::<u128>() + (1..8).map(entries).sum::<u128>();
            assert_eq!(traffic(&kronecker(8)), (8, steps));
        }
    }

    #[test]
    fn a_step_counts_products() {
        let shape = shape(&[3, 3, 3]);
        let program = Tables { on_host: false }.program(&shape, &kronecker(3), &class().gpu()).unwrap();
        let last = program.kernels().last().unwrap();
        // 9 blocks of 3 rows with one source, 6 in the first group, and an item for each of 27 columns: 4 operations of
        // a product and 5 of places for each output.
        assert_eq!((last.block_count(), last.span()), (2, 6 * 3 * 9));
        let on_host = Tables { on_host: true }.program(&shape, &kronecker(3), &class().host()).unwrap();
        assert_eq!(on_host.kernels().last().unwrap().work(), Some(27 * 27 * 4));
    }

    #[test]
    fn panels_are_launches_of_a_device_and_one_step_of_the_host() {
        let shape = shape(&[2, 8191]);
        let launches = |on_host, machine: &Machine| {
            let operation = Tables { on_host };
            let estimate = operation.estimate(&shape, &direct(), machine).unwrap();
            let program = machine.estimate(&operation.program(&shape, &direct(), machine).unwrap()).unwrap();
            assert_eq!(estimate.launches, program.launches);
            assert!((estimate.seconds / program.seconds - 1.0).abs() < 1e-9);
            estimate.launches
        };
        assert_eq!(launches(false, &class().gpu()), 5);
        assert_eq!(launches(true, &class().host()), 1);
    }

    #[test]
    fn rounding_tells_complex_constructions_apart() {
        let same = |product: Product, factors: &[u64]| {
            let shape = Shape { product, ..shape(factors) };
            let steps = factors.len().max(1);
            Tables { on_host: true }.gives_same_bits(&shape, &direct(), &kronecker(steps))
        };
        assert!(!same(Product::Complex, &[3, 3]) && same(Product::Complex, &[9]));
        assert!(same(Product::Sum, &[3, 3]) && same(Product::Residues(Arithmetic::Word32), &[3, 3]));
    }

    #[test]
    fn counts_of_the_largest_tables_do_not_overflow() {
        for (factors, rows, columns) in [(&[2; 60][..], 1 << 30, 1 << 30), (&[1 << 30, 2], 1 << 30, 1 << 31)] {
            let shape = Shape { rows: 0..rows, columns: 0..columns, ..shape(factors) };
            for (on_host, machine) in [(false, class().gpu()), (true, class().host())] {
                for plan in [direct(), kronecker(factors.len())] {
                    let estimate = Tables { on_host }.estimate(&shape, &plan, &machine).unwrap();
                    assert!(estimate.seconds > 1e3, "{plan}: {estimate}");
                }
            }
        }
    }
}
