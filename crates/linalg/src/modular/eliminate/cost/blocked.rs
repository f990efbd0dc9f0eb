//! Elimination by blocks: the inverse of each panel's head, which the host waits for, and products, each as its own choice says.

use manycore_model::{DoesNotFit, Estimate, Machine};

use super::Eliminations;
use crate::field::MatrixField;
use crate::modular::counts::parts;
use crate::modular::eliminate::plan::{EliminationShape, Reach};
use crate::modular::multiply::shape::ProductShape;

impl<F: MatrixField> Eliminations<'_, F> {
    /// The estimate of all panels, of `columns` columns each.
    pub(super) fn blocked(
        &self,
        shape: EliminationShape,
        columns: usize,
        machine: &Machine,
    ) -> Result<Estimate, DoesNotFit> {
        let limit = shape.limit();
        let columns = columns.min(limit).max(1);
        let mut all = Estimate::default();
        for (number, count) in parts(limit / columns) {
            all = all.then(self.panel(shape, number * columns, columns, machine)?.times(count));
        }
        let rest = limit % columns;
        if rest > 0 { Ok(all.then(self.panel(shape, limit - rest, rest, machine)?)) } else { Ok(all) }
    }

    /// The panel of `count` columns behind `first` pivots.
    fn panel(
        &self,
        shape: EliminationShape,
        first: usize,
        count: usize,
        machine: &Machine,
    ) -> Result<Estimate, DoesNotFit> {
        let (right, below) = (shape.columns - first - count, shape.rows - first - count);
        let above = if shape.reach == Reach::All { first } else { 0 };
        let product =
            |rows, columns| self.space.product_estimate(ProductShape { rows, inner: count, columns }, machine);
        let copy = |words| self.space.copy_estimate(words, machine);
        let top = if shape.reach == Reach::All { shape.rows } else { below };
        let mut all = self.space.head_estimate(count, machine)?.then(product(count, right)?).then(copy(top * count)?);
        for rows in [above, below] {
            all = all.then(product(rows, right)?);
        }
        if shape.reach == Reach::All {
            all = all.then(copy(count * right)?).then(copy(shape.rows * count)?);
        }
        Ok(all)
    }
}
