//! Counts of generalized products, and the candidates: operations by the semiring's text, memory by the kernel's.

use manycore_device::Executor;
use manycore_expressions::{Counts, Program as Expression};
use manycore_model::{Blocks, DoesNotFit, ExecutionModel, Kernel, Machine, Operation, Program};
use manycore_tuning::Costed;

use super::assembly::{self, Balanced};
use super::bits::{self, Bits};
use super::form::{ProductForm, ProductShape};
use super::plan::{ProductPlan, ProductTile};
use super::products::Products;
use super::run::on_host;
use crate::algebra::Algebra;
use crate::operand::Form;
use crate::plan::Shape;
use crate::ready::{Known, known};

/// Products over a semiring on a device.
#[derive(Debug)]
pub(crate) struct ProductCosts<'a> {
    pub(crate) products: &'a Products,
    pub(crate) form: &'a ProductForm,
}

/// Operations of a place in a matrix: a quotient and a remainder by a constant, a product and sums of 64 bits, two minima.
const PLACE: u64 = 16;

/// The kind that stands for all operations: of those that there are the one with the slowest lanes; and how many of it take as
/// long.
fn of_one_kind(counts: Counts, machine: &Machine) -> (Operation, f64) {
    let all = [
        (Operation::F64, counts.f64),
        (Operation::Int64, counts.int64),
        (Operation::F32, counts.f32),
        (Operation::Int32, counts.int32),
    ];
    let kind = all.into_iter().find(|(_, count)| *count > 0).map_or(Operation::Int32, |(kind, _)| kind);
    let rate = machine.rate(kind);
    (kind, all.into_iter().map(|(other, count)| count as f64 * (rate / machine.rate(other))).sum())
}

/// Operations of `calls` calls of a program and of the computation of `places` places.
fn operations(counts: Counts, calls: f64, places: f64, machine: &Machine) -> (Operation, u64) {
    let (kind, each) = of_one_kind(counts, machine);
    let places = places * PLACE as f64 * (machine.rate(kind) / machine.rate(Operation::Int32));
    (kind, (calls * each + places).ceil() as u64)
}

/// A launch of an item for each of `count` words, which reads and writes bytes of truth values and words of bits for each.
fn passed(count: u64, values: u64, words: u64) -> Kernel {
    let count = count.max(1);
    Kernel::new("semiring_bits", 256)
        .blocks(Blocks::even(count.div_ceil(256), 256, 3 * values, values.div_ceil(4) + words, 1))
        .operation(Operation::Int32)
        .word_bytes(4)
        .traffic_words(count.saturating_mul(values + 4 * words).div_ceil(4))
}

/// A launch of an item for each entry of a function of column and row, which reads tables and stores it.
pub(crate) fn entries(entry: &Expression, shape: Shape, machine: &Machine) -> Result<Program, DoesNotFit> {
    const GROUP: u32 = 256;
    let count = shape.rows.saturating_mul(shape.columns).max(1);
    let group = GROUP.min(machine.block_threads.max(1));
    // Where a group is one item, it takes a row.
    let each = if group == 1 { shape.columns.max(1) } else { 1 };
    let (kind, steps) = operations(entry.counts(), each as f64, each as f64, machine);
    let written: u64 = entry.outputs().map(|kind| kind.memory().bytes() as u64).sum();
    let (read, written) = (entry.read_bytes().div_ceil(4), written.div_ceil(4));
    let blocks = count.div_ceil(u64::from(group) * each);
    let kernel = Kernel::new("semiring_entries", group)
        .blocks(Blocks::even(blocks, group, steps.max(1), each * read, each * written))
        .operation(kind)
        .word_bytes(4)
        .traffic_words(count.saturating_mul(read + written));
    let mut program = Program::new();
    program.queue(kernel)?;
    Ok(program)
}

impl ProductCosts<'_> {
    fn algebra(&self) -> &Algebra {
        &self.form.algebra
    }

    /// All of it on the host: blocks of a row pass the first cache once for each operation.
    fn rows(&self, shape: ProductShape, machine: &Machine) -> Kernel {
        let algebra = self.algebra();
        let (rows, each) = (shape.rows.max(1) as u64, (shape.inner.max(1) * shape.columns.max(1)) as f64);
        let (kind, steps) = operations(algebra.step.counts(), each, 0.0, machine);
        let words = |kinds: &[_]| Algebra::bytes(kinds).1 as u64 / 4 + 1;
        let passes = algebra.step.operations() as u64 + 2;
        Kernel::new("semiring_product", 1)
            .blocks(Blocks::even(rows, 1, steps.max(1), each as u64, shape.columns as u64))
            .operation(kind)
            .word_bytes(4)
            .local_accesses((each as u64).saturating_mul(3 * passes))
            .traffic_words(
                rows.saturating_mul(shape.inner as u64)
                    .saturating_mul(shape.columns as u64)
                    .saturating_mul(words(algebra.right())),
            )
            .footprint_bytes(shape.bytes(algebra))
    }

    /// All of it on the host in tiles of eight rows: a panel of the right factor passes the first cache once for each tile.
    fn registers(&self, shape: ProductShape, machine: &Machine) -> Kernel {
        let algebra = self.algebra();
        let (rows, inner, columns) = (shape.rows.max(1) as u64, shape.inner.max(1) as u64, shape.columns.max(1) as u64);
        let words = (Algebra::bytes(algebra.right()).1 as u64).div_ceil(4);
        let band = rows.min(64);
        let (kind, steps) =
            operations(algebra.step.counts(), band as f64 * inner as f64 * columns as f64, 0.0, machine);
        let read = inner.saturating_mul(columns).saturating_mul(words);
        Kernel::new("semiring_product", 1)
            .blocks(Blocks::even(rows.div_ceil(64), 1, steps.max(1), read, band.saturating_mul(columns)))
            .operation(kind)
            .word_bytes(4)
            .local_accesses(read.saturating_mul(band.div_ceil(8)))
            .traffic_words(rows.div_ceil(64).saturating_mul(read))
            .footprint_bytes(shape.bytes(algebra))
    }

    /// A launch of items for entries of the result; the number of entries in the lists is unknown, so all count.
    fn lists(&self, shape: ProductShape, machine: &Machine) -> Kernel {
        let algebra = self.algebra();
        let entries = (shape.rows.max(1) as u64).saturating_mul(shape.columns.max(1) as u64);
        let inner = shape.inner.max(1) as u64;
        let (kind, steps) = operations(algebra.step.counts(), inner as f64, 1.0, machine);
        let words = |kinds: &[_]| (Algebra::bytes(kinds).1 as u64).div_ceil(4);
        let read = inner.saturating_mul(2 + words(algebra.left()) + words(algebra.right()));
        Kernel::new("semiring_lists", 128)
            .blocks(Blocks::even(entries.div_ceil(128), 128, steps.max(1), read, words(algebra.sums())))
            .operation(kind)
            .word_bytes(4)
            .traffic_words(entries.saturating_mul(read))
            .footprint_bytes(shape.bytes(algebra))
    }

    /// A launch of items for entries of the result, which read both factors themselves; the items of a group share a row of the
    /// left one.
    fn direct(&self, shape: ProductShape, machine: &Machine) -> Kernel {
        const GROUP: u64 = 128;
        let algebra = self.algebra();
        let (rows, inner, columns) = (shape.rows.max(1) as u64, shape.inner.max(1) as u64, shape.columns.max(1) as u64);
        let (kind, steps) = operations(algebra.step.counts(), inner as f64, inner as f64 + 1.0, machine);
        let words = |form: &Form, kinds: &[_]| match form {
            Form::Stored => (Algebra::bytes(kinds).1 as u64).div_ceil(4),
            Form::Lists => 2 + (Algebra::bytes(kinds).1 as u64).div_ceil(4),
            _ => 0,
        };
        let (left, right) = (words(&self.form.left, algebra.left()), words(&self.form.right, algebra.right()));
        let computed = (self.form.left.operations() + self.form.right.operations()).saturating_mul(inner);
        let groups = rows.saturating_mul(columns.div_ceil(GROUP));
        let of_group = inner.saturating_mul(left + right * GROUP.min(columns));
        let sums = (Algebra::bytes(algebra.sums()).1 as u64).div_ceil(4);
        Kernel::new("semiring_direct", GROUP as u32)
            .blocks(Blocks::even(
                groups,
                GROUP as u32,
                steps.saturating_add(computed).max(1),
                inner.saturating_mul(left + right),
                sums,
            ))
            .operation(kind)
            .word_bytes(4)
            .traffic_words(groups.saturating_mul(of_group))
            .footprint_bytes(shape.bytes(algebra))
    }

    /// What the device does of the text, and in how many steps of a sum: one or two, of one column or two at once.
    fn counts(&self, tile: ProductTile) -> (Counts, f64) {
        let algebra = self.algebra();
        let program = if tile.steps == 2 { &algebra.pair } else { &algebra.step };
        let has_pairs = match self.products.device().executor() {
            Executor::OpenCl(cl) => assembly::is_for(cl),
            Executor::Host(_) => false,
        };
        if has_pairs && tile.steps == 2 && Balanced::of(algebra).is_some() {
            // Of each two sums, one takes its two steps by an operation each, the other both by one of its kind of units.
            return (Counts { int32: 3, ..Counts::default() }, 4.0);
        }
        let mut counts = if has_pairs { program.counts_in_pairs() } else { program.counts() };
        if has_pairs && tile.halves && matches!(known(algebra), Some((Known::MaxPlus | Known::MinPlus, _))) {
            counts.int32 = 1;
        }
        (counts, tile.steps.into())
    }

    /// The part of a processor's rate that the items reach which it holds at once, one operation of each under way. Registers are
    /// those of sums, of the factors of a step, and of reads that wait for local memory, and as many as 32 for places.
    fn reached(&self, tile: ProductTile, groups: u64, kind: Operation, machine: &Machine) -> f64 {
        /// Words of registers for each item of the largest group, that a processor has.
        const REGISTERS: u64 = 64;
        /// Words of an item for places.
        const PLACES: u64 = 32;
        if machine.execution_model != ExecutionModel::Gpu {
            return 1.0;
        }
        let algebra = self.algebra();
        let (items, own) = (tile.group() as u64, tile.item_words(algebra) as u64);
        let by_registers = REGISTERS * u64::from(machine.block_threads) / ((own + PLACES) * items);
        let by_local = machine.local_bytes / (tile.local_bytes(algebra) as u64).max(1);
        let by_groups = groups.div_ceil(u64::from(machine.processors.max(1)));
        let threads = (by_registers.min(by_local).min(by_groups).max(1) * items) as f64;
        let saturating = machine.operation_latency_seconds * machine.rate(kind) / f64::from(machine.processors.max(1));
        if saturating > threads { threads / saturating } else { 1.0 }
    }

    /// A launch of tiles in local memory.
    fn tiles(&self, shape: ProductShape, tile: ProductTile, machine: &Machine) -> Kernel {
        let algebra = self.algebra();
        let (height, width, depth) = (tile.rows() as u64, tile.columns() as u64, u64::from(tile.depth));
        let (rows, inner, columns) = (shape.rows.max(1) as u64, shape.inner.max(1) as u64, shape.columns.max(1) as u64);
        // Words of a row of the tile, of one column each or of two.
        let wide = tile.words() as u64;
        let items = tile.group() as u64;
        let groups = rows.div_ceil(height).saturating_mul(columns.div_ceil(width));
        let rounds = inner.div_ceil(depth);
        let entries = u64::from(tile.registers.0) * u64::from(tile.registers.1);
        // Entries of both factors that an item brings to local memory in a round.
        let brought = |side: u64| (depth * side).div_ceil(items);
        // Reads of both, of up to 16 bytes each, and writes of the item's sums.
        let at_once = |kinds: &[_]| (16 / tile.bytes(kinds).0) as u64;
        let reads =
            brought(height).div_ceil(at_once(algebra.left())) + brought(wide).div_ceil(at_once(algebra.right()));
        let places = rounds.saturating_mul(reads) as f64 + entries.div_ceil(at_once(algebra.sums())) as f64;
        let calls = inner as f64 * entries as f64;
        let (counts, at_a_time) = self.counts(tile);
        let (kind, mut steps) = operations(counts, calls / at_a_time, places, machine);
        for (form, side) in [(&self.form.left, height), (&self.form.right, wide)] {
            steps = steps.saturating_add(rounds.saturating_mul(brought(side)).saturating_mul(form.operations()));
        }
        steps = (steps as f64 / self.reached(tile, groups, kind, machine)) as u64;
        // Words of 32 bits of an entry; of a factor that is computed none are read.
        let words = |kinds: &[_]| (Algebra::bytes(kinds).1 as u64).div_ceil(4);
        let read = |form: &Form, kinds: &[_]| if *form == Form::Stored { words(kinds) } else { 0 };
        let (left, right) = (read(&self.form.left, algebra.left()), read(&self.form.right, algebra.right()));
        let reads = rounds.saturating_mul(brought(height) * left + brought(wide) * right);
        let (a, b) = (words(algebra.left()), words(algebra.right()));
        let local = rounds.saturating_mul(
            brought(height) * a
                + brought(wide) * b
                + depth * (u64::from(tile.registers.0) * a + u64::from(tile.registers.1) * b),
        );
        let read = groups.saturating_mul(rounds.saturating_mul(depth * (height * left + wide * right)));
        let written = rows.saturating_mul(columns).saturating_mul(words(algebra.sums()));
        Kernel::new("semiring_product", items as u32)
            .blocks(Blocks::even(groups, items as u32, steps.max(1), reads, entries * words(algebra.sums())))
            .operation(kind)
            .word_bytes(4)
            .local_words((tile.local_bytes(algebra) as u64).div_ceil(4))
            .local_accesses(local)
            .traffic_words(read.saturating_add(written))
            .footprint_bytes(shape.bytes(algebra))
    }
}

impl Costed for ProductCosts<'_> {
    type Size = ProductShape;
    type Parameters = ProductPlan;

    fn name(&self) -> &'static str {
        "semiring-mul"
    }

    fn candidates(&self, shape: &ProductShape, _: &Machine) -> Vec<ProductPlan> {
        let Executor::OpenCl(cl) = self.products.device().executor() else { return on_host(self.form) };
        if let Some(plan) = self.form.sole_plan() {
            return vec![plan];
        }
        let tiles = ProductTile::candidates(cl, self.algebra()).unwrap_or_default();
        let halves = self.form.has_halves(shape.columns as u64);
        let tiles = tiles.into_iter().filter(|tile| halves || !tile.halves).map(ProductPlan::Tiles);
        let words = Bits::of(self.form).map(|bits| ProductTile::candidates(cl, bits.algebra).unwrap_or_default());
        words
            .unwrap_or_default()
            .into_iter()
            .map(ProductPlan::BitTiles)
            .chain(tiles)
            .chain([ProductPlan::Direct])
            .collect()
    }

    fn program(&self, shape: &ProductShape, plan: &ProductPlan, machine: &Machine) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        if let (ProductPlan::Bits | ProductPlan::BitTiles(_), Some(bits)) = (plan, Bits::of(self.form)) {
            let words = bits::words(*shape);
            let form = bits.form();
            let of_words = ProductCosts { products: self.products, form: &form };
            for (values, made) in [(shape.rows, words.inner), (words.inner, shape.columns)] {
                program.queue(passed(values as u64 * made as u64, 32, 1))?;
            }
            let plan = match plan {
                ProductPlan::BitTiles(tile) => ProductPlan::Tiles(*tile),
                _ => on_host(&form)[0],
            };
            for kernel in of_words.program(&words, &plan, machine)?.kernels() {
                program.queue(kernel.clone())?;
            }
            program.queue(passed(shape.rows as u64 * shape.columns as u64, 1, 4))?;
            return Ok(program);
        }
        program.queue(match plan {
            ProductPlan::Registers => self.registers(*shape, machine),
            // Bits are of the forms above.
            ProductPlan::Rows | ProductPlan::Bits => self.rows(*shape, machine),
            ProductPlan::Lists => self.lists(*shape, machine),
            ProductPlan::Direct => self.direct(*shape, machine),
            ProductPlan::Tiles(tile) | ProductPlan::BitTiles(tile) => self.tiles(*shape, *tile, machine),
        })?;
        Ok(program)
    }
}
