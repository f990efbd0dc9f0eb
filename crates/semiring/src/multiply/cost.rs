//! What generalized products count, and the candidates: operations by the semiring's text, memory by the kernel's.

use manycore_device::Executor;
use manycore_expressions::{Counts, Program as Expression};
use manycore_model::{Blocks, DoesNotFit, Kernel, Machine, Operation, Program};
use manycore_tuning::Costed;

use super::plan::{ProductPlan, ProductTile};
use super::{ProductForm, ProductShape, Products};
use crate::algebra::Algebra;
use crate::operand::Form;
use crate::ready::known;

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

/// Operations of so many calls of a program, and of so many places.
fn operations(program: &Expression, calls: f64, places: f64, machine: &Machine) -> (Operation, u64) {
    let (kind, each) = of_one_kind(program.counts(), machine);
    let places = places * PLACE as f64 * (machine.rate(kind) / machine.rate(Operation::Int32));
    (kind, (calls * each + places).ceil() as u64)
}

impl ProductCosts<'_> {
    fn algebra(&self) -> &Algebra {
        &self.form.algebra
    }

    /// All of it on the host: blocks of a row pass the first cache once for each operation.
    fn rows(&self, shape: ProductShape, machine: &Machine) -> Kernel {
        let algebra = self.algebra();
        let (rows, each) = (shape.rows.max(1) as u64, (shape.inner.max(1) * shape.columns.max(1)) as f64);
        let (kind, steps) = operations(&algebra.step, each, 0.0, machine);
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
        let (kind, steps) = operations(&algebra.step, band as f64 * inner as f64 * columns as f64, 0.0, machine);
        let read = inner.saturating_mul(columns).saturating_mul(words);
        Kernel::new("semiring_product", 1)
            .blocks(Blocks::even(rows.div_ceil(64), 1, steps.max(1), read, band.saturating_mul(columns)))
            .operation(kind)
            .word_bytes(4)
            .local_accesses(read.saturating_mul(band.div_ceil(8)))
            .traffic_words(rows.div_ceil(64).saturating_mul(read))
            .footprint_bytes(shape.bytes(algebra))
    }

    /// A launch of items for entries of the result; how many entries the lists have is not told, so that all count.
    fn lists(&self, shape: ProductShape, machine: &Machine) -> Kernel {
        let algebra = self.algebra();
        let entries = (shape.rows.max(1) as u64).saturating_mul(shape.columns.max(1) as u64);
        let inner = shape.inner.max(1) as u64;
        let (kind, steps) = operations(&algebra.step, inner as f64, 1.0, machine);
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
        let (kind, steps) = operations(&algebra.step, inner as f64, inner as f64 + 1.0, machine);
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

    /// A launch of tiles in local memory.
    fn tiles(&self, shape: ProductShape, tile: ProductTile, machine: &Machine) -> Kernel {
        let algebra = self.algebra();
        let (height, width, depth) = (tile.rows() as u64, tile.columns() as u64, u64::from(tile.depth));
        let (rows, inner, columns) = (shape.rows.max(1) as u64, shape.inner.max(1) as u64, shape.columns.max(1) as u64);
        let items = tile.group() as u64;
        let groups = rows.div_ceil(height).saturating_mul(columns.div_ceil(width));
        let rounds = inner.div_ceil(depth);
        let entries = u64::from(tile.registers.0) * u64::from(tile.registers.1);
        // Entries of both factors that an item brings to local memory in a round.
        let brought = |side: u64| (depth * side).div_ceil(items);
        let calls = inner as f64 * entries as f64;
        let program = if tile.steps == 2 { &algebra.pair } else { &algebra.step };
        let places = rounds as f64 * (brought(height) + brought(width)) as f64 + entries as f64;
        let (kind, mut steps) = operations(program, calls / f64::from(tile.steps), places, machine);
        for (form, side) in [(&self.form.left, height), (&self.form.right, width)] {
            steps = steps.saturating_add(rounds.saturating_mul(brought(side)).saturating_mul(form.operations()));
        }
        // Words of 32 bits of an entry; of a factor that is computed none are read.
        let words = |kinds: &[_]| (Algebra::bytes(kinds).1 as u64).div_ceil(4);
        let read = |form: &Form, kinds: &[_]| if *form == Form::Stored { words(kinds) } else { 0 };
        let (left, right) = (read(&self.form.left, algebra.left()), read(&self.form.right, algebra.right()));
        let reads = rounds.saturating_mul(brought(height) * left + brought(width) * right);
        let (a, b) = (words(algebra.left()), words(algebra.right()));
        let local = rounds.saturating_mul(
            brought(height) * a
                + brought(width) * b
                + depth * (u64::from(tile.registers.0) * a + u64::from(tile.registers.1) * b),
        );
        let read = groups.saturating_mul(rounds.saturating_mul(depth * (height * left + width * right)));
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

    fn candidates(&self, _: &ProductShape, _: &Machine) -> Vec<ProductPlan> {
        let Executor::OpenCl(cl) = self.products.device().executor() else {
            let is_stored = [&self.form.left, &self.form.right].into_iter().all(|form| *form == Form::Stored);
            let is_known = is_stored && known(self.algebra()).is_some();
            return if is_known { vec![ProductPlan::Registers, ProductPlan::Rows] } else { vec![ProductPlan::Rows] };
        };
        let forms = [&self.form.left, &self.form.right];
        if forms.into_iter().any(|form| matches!(form, Form::AtResult(..) | Form::Made(_))) {
            return vec![ProductPlan::Direct];
        }
        if forms.contains(&&Form::Lists) {
            return vec![ProductPlan::Lists];
        }
        let tiles = ProductTile::candidates(cl, self.algebra()).unwrap_or_default();
        tiles.into_iter().map(ProductPlan::Tiles).chain([ProductPlan::Direct]).collect()
    }

    fn program(&self, shape: &ProductShape, plan: &ProductPlan, machine: &Machine) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        program.queue(match plan {
            ProductPlan::Registers => self.registers(*shape, machine),
            ProductPlan::Rows => self.rows(*shape, machine),
            ProductPlan::Lists => self.lists(*shape, machine),
            ProductPlan::Direct => self.direct(*shape, machine),
            ProductPlan::Tiles(tile) => self.tiles(*shape, *tile, machine),
        })?;
        Ok(program)
    }
}
