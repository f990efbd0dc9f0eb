//! Elimination by blocks: the inverse of each panel's head, which the host waits for, and products, each as its own choice says.

use manycore_device::Executor;
use manycore_model::{Blocks, DoesNotFit, Estimate, Kernel, Machine};
use manycore_transform::ntt::cost::Operations;
use manycore_tuning::Costed as _;

use super::{Eliminations, one, parts};
use crate::block::GROUP;
use crate::eliminate::plan::{EliminationShape, Reach};
use crate::field::MatrixField;
use crate::multiply::{ProductShape, Products};

/// The places of an entry in both blocks: its row and column by a quotient, two products and four sums of 64 bits.
const PLACES: Operations = Operations { int32: 8 + 2 * 4, int64: 2, ..Operations::NONE };

impl<F: MatrixField> Eliminations<'_, F> {
    /// All panels of so many columns.
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
        let product = |rows, columns| self.product(ProductShape { rows, inner: count, columns }, machine);
        let top = if shape.reach == Reach::All { shape.rows } else { below };
        let mut all = self.head(count, machine)?.then(product(count, right)?).then(self.copy(top * count, machine)?);
        for rows in [above, below] {
            all = all.then(product(rows, right)?);
        }
        if shape.reach == Reach::All {
            let copied = self.copy(count * right, machine)?;
            all = all.then(copied).then(self.copy(shape.rows * count, machine)?);
        }
        Ok(all)
    }

    /// The inverse of a panel's head: at once, or by elimination beside the identity.
    fn head(&self, order: usize, machine: &Machine) -> Result<Estimate, DoesNotFit> {
        let most = self.space.most_inverted();
        if order <= most {
            return self.space.inverse_estimate(order, machine);
        }
        let words = order * order;
        let copies = self.copy(words, machine)?.times(3);
        Ok(copies.then(self.blocked(EliminationShape::inverse(order), most, machine)?))
    }

    /// A product by the plan that is estimated best.
    fn product(&self, shape: ProductShape, machine: &Machine) -> Result<Estimate, DoesNotFit> {
        if shape.rows == 0 || shape.columns == 0 {
            return Ok(Estimate::default());
        }
        let no_fit = |error: crate::LinalgError| DoesNotFit::Parameter { reason: error.to_string() };
        let plan = self.space.estimated_product(shape).map_err(no_fit)?;
        Products { space: self.space }.estimate(&shape, &plan, machine)
    }

    /// A copy of so many words.
    fn copy(&self, words: usize, machine: &Machine) -> Result<Estimate, DoesNotFit> {
        if words == 0 {
            return Ok(Estimate::default());
        }
        let words = words as u64;
        let kernel = match self.space.device().executor() {
            Executor::Host(_) => Kernel::new("entries_copy", 1).blocks(Blocks::even(1, 1, 0, words, words)).fused(),
            Executor::OpenCl(cl) => {
                let group = GROUP.min(cl.info().group_limit) as u64;
                let operations = PLACES.of_one_kind(machine);
                Kernel::new("entries_copy", group as u32)
                    .blocks(Blocks::even(words.div_ceil(group), group as u32, operations, 1, 1))
                    .operation(PLACES.kind())
            }
        };
        one(kernel.word_bytes(Self::WORD_BYTES).traffic_words(2 * words).footprint_bytes(2 * words * 8), machine)
    }
}
