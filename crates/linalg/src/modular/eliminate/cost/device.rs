//! Elimination on OpenCL devices, column by column and within local memory: counts of `eliminate.cl` and `echelon.cl`.

use manycore_device::OpenCl;
use manycore_model::{Blocks, DoesNotFit, Estimate, Kernel, Machine};
use manycore_ntt::cost::Operations;

use super::{Eliminations, one};
use crate::block::GROUP;
use crate::field::MatrixField;
use crate::modular::counts::{inverse_steps, parts, with_chain, with_trips};
use crate::modular::eliminate::device::BAND;
use crate::modular::eliminate::plan::EliminationShape;

/// What is read at the end: the number of pivots, their columns, their rows, their values.
const READS: u64 = 4;
/// Operations of a column within local memory that wait for each other, beside an inverse: an entry is read and compared, its row
/// noted, and all items wait; the pivot is read and its inverse written; an entry of its row is read, multiplied and written; two
/// entries are read, a product is taken from the third and reduced, it is written; the column is set to 0. Five times all items wait.
const CHAIN: u64 = 20;
/// The place of an entry: a product and two sums of 64 bits, comparisons with the row and the ends.
const PLACE: Operations = Operations { int32: 4 + 2 * 2, int64: 1, ..Operations::NONE };

impl<F: MatrixField> Eliminations<'_, F> {
    /// The launches of a column, each with its operations that wait for each other.
    pub(super) fn device_column(
        &self,
        cl: &OpenCl,
        shape: EliminationShape,
        column: usize,
        machine: &Machine,
    ) -> [(Kernel, u64); 3] {
        let counts = self.space.device_counts();
        let group = GROUP.min(cl.info().group_limit);
        let (rows, right) = (shape.rows as u64, shape.columns.saturating_sub(column).max(1) as u64);
        // Columns behind the last pivot change nothing.
        let is_pivot = column < shape.limit();
        let changed = if is_pivot { shape.changed(column) } else { 0 };
        let kernel = |name, blocks: Blocks, operations: Operations, words: u64| {
            Kernel::new(name, group as u32)
                .blocks(blocks)
                .operation(operations.kind())
                .word_bytes(Self::WORD_BYTES)
                .traffic_words(words)
                .footprint_bytes(Self::bytes(shape))
        };
        // One item finds the inverse.
        let chain = if is_pivot { inverse_steps(self.space.field().order()) } else { 1 };
        let alone = Blocks { count: 1, span: chain, work: u128::from(chain), reads: 1, writes: 1 };
        let pivot = kernel("eliminate_pivot", alone, Operations::int32(1), group as u64);
        let items = group as u32;
        let divided = counts.product.plus(PLACE.times(2));
        let groups = rows.max(right).div_ceil(group as u64).max(1);
        let exchanged = Blocks::even(groups, items, divided.of_one_kind(machine), 3, 3);
        let exchange = kernel("eliminate_exchange", exchanged, divided, 4 * right + 2 * rows);
        let band = counts.product.plus(counts.sums.addition).plus(PLACE).times(BAND as u64);
        let bands = changed.div_ceil(BAND).max(1) as u64;
        let groups = right.div_ceil(group as u64).saturating_mul(bands);
        let updated = Blocks::even(groups, items, band.of_one_kind(machine), 2 * BAND as u64 + 1, BAND as u64);
        let words = right.saturating_mul(2 * changed as u64 + bands);
        let update = kernel("eliminate_update", updated, band, words);
        [(pivot, chain), (exchange, 1), (update, 1)]
    }

    /// All columns in which pivots are searched: nothing is read back before the end, so that all of them are launched.
    pub(super) fn device_columns(
        &self,
        cl: &OpenCl,
        shape: EliminationShape,
        machine: &Machine,
    ) -> Result<Estimate, DoesNotFit> {
        let mut all = Estimate::default();
        for (column, count) in parts(shape.search) {
            for (kernel, chain) in self.device_column(cl, shape, column, machine) {
                all = all.then(with_chain(one(kernel, machine)?, chain, machine).times(count));
            }
        }
        Ok(with_trips(all, READS, machine))
    }

    /// One group that eliminates within local memory, and its operations that wait for each other.
    pub(super) fn local(&self, cl: &OpenCl, shape: EliminationShape, machine: &Machine) -> (Kernel, u64) {
        let counts = self.space.device_counts();
        let group = GROUP.min(cl.info().group_limit) as u64;
        let (words, limit) = ((shape.rows * shape.columns) as u64, shape.limit());
        let turns = |entries: usize| (entries as u64).div_ceil(group);
        let right = |k: usize| shape.columns - k.min(shape.columns);
        let divided: u64 = (0..limit).map(|k| turns(right(k))).sum();
        let updated: u64 = (0..limit).map(|k| turns(shape.changed(k) * right(k + 1))).sum();
        // The row and the column of a number by a quotient: a product in floating point and two corrections.
        let entry = counts.product.plus(counts.sums.addition).plus(Operations::int32(8 + 6));
        let operations = entry.times(updated).plus(counts.product.times(divided)).plus(PLACE.times(2 * words / group));
        let kernel = Kernel::new("echelon_local", group as u32)
            .blocks(Blocks::even(
                1,
                group as u32,
                operations.of_one_kind(machine).max(1),
                words.div_ceil(group),
                words.div_ceil(group),
            ))
            .operation(operations.kind())
            .word_bytes(Self::WORD_BYTES)
            .local_words(words)
            .local_accesses(4 * updated + 3 * divided + 2 * words.div_ceil(group))
            .traffic_words(2 * words)
            .footprint_bytes(Self::bytes(shape));
        (kernel, limit as u64 * (CHAIN + inverse_steps(self.space.field().order())))
    }

    /// Elimination within local memory.
    pub(super) fn local_estimate(
        &self,
        cl: &OpenCl,
        shape: EliminationShape,
        machine: &Machine,
    ) -> Result<Estimate, DoesNotFit> {
        let (kernel, chain) = self.local(cl, shape, machine);
        Ok(with_trips(with_chain(one(kernel, machine)?, chain, machine), READS, machine))
    }
}
