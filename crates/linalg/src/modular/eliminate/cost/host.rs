//! Elimination on the host column by column, and of four columns at once: their counts.

use manycore_model::{Blocks, DoesNotFit, Estimate, Kernel, Machine};

use super::{Eliminations, one};
use crate::field::{MatrixField, PIVOTS};
use crate::modular::counts::parts;
use crate::modular::eliminate::host::{LONG, TASK};
use crate::modular::eliminate::plan::EliminationShape;

impl<F: MatrixField> Eliminations<'_, F> {
    /// The column of the pivot of number `k`: its row is divided, and taken from others.
    pub(super) fn host_column(&self, shape: EliminationShape, k: usize, machine: &Machine) -> Kernel {
        let counts = self.space.host_counts();
        let (changed, right) = (shape.changed(k), shape.columns.saturating_sub(k).max(1));
        let entries = (changed as u64).saturating_mul(right as u64);
        let is_shared = machine.processors > 1 && entries >= LONG as u64;
        let band = (TASK / shape.columns.max(1)).max(1);
        let tasks = if is_shared { changed.div_ceil(band) as u64 } else { 1 };
        let operations = counts.scaled(entries.saturating_add(right as u64)).plus(counts.inverse()).shared(tasks);
        let kernel = Kernel::new("eliminate", 1)
            .blocks(Blocks::even(
                tasks,
                1,
                operations.of_one_kind(machine).max(1),
                entries.div_ceil(tasks),
                entries.div_ceil(tasks),
            ))
            .operation(operations.kind())
            .word_bytes(Self::WORD_BYTES)
            .traffic_words(entries.saturating_mul(2))
            .footprint_bytes(Self::bytes(shape));
        if is_shared { kernel } else { kernel.fused() }
    }

    /// All columns.
    pub(super) fn host_columns(&self, shape: EliminationShape, machine: &Machine) -> Result<Estimate, DoesNotFit> {
        let mut all = Estimate::default();
        for (k, count) in parts(shape.limit()) {
            all = all.then(one(self.host_column(shape, k, machine), machine)?.times(count));
        }
        Ok(all)
    }

    /// The four columns of the pivots from number `k` on: the head's inverse, the pivots' rows, the others.
    pub(super) fn host_four(&self, shape: EliminationShape, k: usize, machine: &Machine) -> Kernel {
        let counts = self.space.host_counts();
        let count = PIVOTS.min(shape.limit().saturating_sub(k).max(1));
        let right = shape.columns.saturating_sub(k + count) as u64;
        // The last of the pivots' rows is as far down as the others begin.
        let entries = right.saturating_mul((shape.changed(k + count - 1) + PIVOTS) as u64);
        let operations = counts.four(entries).plus(counts.head());
        Kernel::new("eliminate", 1)
            .blocks(Blocks::even(1, 1, operations.of_one_kind(machine).max(1), entries, entries))
            .operation(operations.kind())
            .word_bytes(Self::WORD_BYTES)
            .traffic_words(entries.saturating_mul(2))
            .footprint_bytes(Self::bytes(shape))
            .fused()
    }

    /// All columns, four at once.
    pub(super) fn host_fours(&self, shape: EliminationShape, machine: &Machine) -> Result<Estimate, DoesNotFit> {
        let mut all = Estimate::default();
        for (panel, count) in parts(shape.limit().div_ceil(PIVOTS)) {
            all = all.then(one(self.host_four(shape, panel * PIVOTS, machine), machine)?.times(count));
        }
        Ok(all)
    }
}
