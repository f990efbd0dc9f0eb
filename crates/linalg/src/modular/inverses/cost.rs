//! Counts of the inverse of a matrix: of a small one, by one thread or by one group whose steps wait for each other, and of a large one by
//! blocks. Where all heads have inverses, as in all matrices but special ones.

use manycore_device::Executor;
use manycore_model::{Blocks, DoesNotFit, Estimate, Kernel, Machine, Program};
use manycore_ntt::cost::Operations;

use super::device;
use crate::field::MatrixField;
use crate::modular::algebra::LinearAlgebra;
use crate::modular::counts::{inverse_steps, parts, with_chain, with_trips};
use crate::modular::eliminate::plan::EliminationShape;
use crate::modular::multiply::shape::ProductShape;

/// Operations of a step that wait for each other: an entry of the column is read and compared, and all items wait; the pivot and the
/// entries of its row and column are read and selected; two products, a sum, Montgomery's two products, a difference, a minimum; an
/// entry is written, and all items wait.
const CHAIN: u64 = 14;

impl<F: MatrixField> LinearAlgebra<F> {
    /// The inverse of a matrix of an order that is taken at once.
    fn at_once_estimate(&self, order: usize, machine: &Machine) -> Result<Estimate, DoesNotFit> {
        let (n, word_bytes) = (order.max(1) as u64, size_of::<F::Element>() as u32);
        let mut program = Program::new();
        match self.device().executor() {
            Executor::Host(_) => {
                let counts = self.host_counts();
                let operations = counts.scaled(n * n).plus(counts.inverse()).times(n);
                let kernel = Kernel::new("inverses", 1)
                    .blocks(Blocks::even(1, 1, operations.of_one_kind(machine).max(1), n * n, n * n))
                    .operation(operations.kind());
                program
                    .queue(kernel.word_bytes(word_bytes).footprint_bytes(2 * n * n * u64::from(word_bytes)).fused())?;
                machine.estimate(&program)
            }
            Executor::OpenCl(cl) => {
                let Some((side, each)) = device::tile(cl, order) else {
                    return Err(DoesNotFit::Parameter { reason: format!("order {order}: no group holds it") });
                };
                let counts = self.device_counts();
                let (group, each) = ((side * side) as u64, each as u64);
                // An entry takes three comparisons with the step's row and column and three with the next one; a row and a column
                // are read and selected; two products of denominators.
                let step = counts.pair.plus(Operations::int32(6)).times(each * each);
                let step = step.plus(Operations::int32(8 * each)).plus(counts.pair.times(2));
                let kernel = Kernel::new("inverses", group as u32)
                    .blocks(Blocks::even(1, group as u32, step.times(n).of_one_kind(machine), each * each, each * each))
                    .operation(step.kind())
                    .word_bytes(word_bytes)
                    .local_words(6 * (side as u64) * each)
                    .local_accesses(n * (2 * each + 4))
                    .traffic_words(2 * n * n);
                program.queue(kernel)?;
                let chain = n * CHAIN + inverse_steps(self.field().order());
                Ok(with_chain(machine.estimate(&program)?, chain, machine))
            }
        }
    }

    /// The inverse of a panel's head, for whose determinant the host waits: at once, or by blocks themselves.
    pub(crate) fn head_estimate(&self, order: usize, machine: &Machine) -> Result<Estimate, DoesNotFit> {
        let most = self.most_inverted();
        let inverse = if order <= most {
            self.at_once_estimate(order, machine)?
        } else {
            let copied = self.copy_estimate(order * order, machine)?;
            copied.then(self.panels_estimate((order, most), machine, |count| self.at_once_estimate(count, machine))?)
        };
        Ok(with_trips(inverse, 1, machine))
    }

    /// The estimate of an inverse in place of a copy, by panels of at most the given number of columns.
    pub(super) fn in_place_estimate(
        &self,
        order: usize,
        columns: usize,
        machine: &Machine,
    ) -> Result<Estimate, DoesNotFit> {
        let copied = self.copy_estimate(order * order, machine)?;
        Ok(copied.then(self.panels_estimate((order, columns), machine, |count| self.head_estimate(count, machine))?))
    }

    /// The inverse by elimination beside the identity: both are written, and the inverse is copied out.
    pub(super) fn beside_estimate(&self, order: usize, machine: &Machine) -> Result<Estimate, DoesNotFit> {
        let copied = self.copy_estimate(order * order, machine)?.times(4);
        Ok(copied.then(self.elimination_estimate(EliminationShape::inverse(order), machine)?))
    }

    /// The steps of all panels, with their heads' estimates.
    fn panels_estimate(
        &self,
        (order, columns): (usize, usize),
        machine: &Machine,
        head: impl Fn(usize) -> Result<Estimate, DoesNotFit>,
    ) -> Result<Estimate, DoesNotFit> {
        let columns = columns.clamp(1, order.max(1));
        let is_whole = self.is_one_product(order, columns);
        let panel = |first: usize, count: usize| -> Result<Estimate, DoesNotFit> {
            // Of the panel's columns a word is read and two are written.
            let all = head(count)?.then(self.copy_estimate(order * count * 3 / 2, machine)?);
            let heads = self.product_estimate(ProductShape { rows: count, inner: count, columns: order }, machine)?;
            Ok(all.then(heads).then(self.step_estimate((order, first, count), is_whole, machine)?))
        };
        let mut all = Estimate::default();
        for (number, count) in parts(order / columns) {
            all = all.then(panel(number * columns, columns)?.times(count));
        }
        let rest = order % columns;
        if rest > 0 { Ok(all.then(panel(order - rest, rest)?)) } else { Ok(all) }
    }

    /// Whether one product that changes all rows takes less than two and a copy, for a panel in the middle.
    pub(super) fn is_one_product(&self, order: usize, columns: usize) -> bool {
        let count = columns.clamp(1, order.max(1));
        let seconds = |is_whole| {
            let place = (order, (order - count.min(order)) / 2, count);
            self.step_estimate(place, is_whole, self.machine()).map(|estimate| estimate.seconds)
        };
        matches!((seconds(true), seconds(false)), (Ok(one), Ok(two)) if one < two)
    }

    /// The products that change rows in the step of a panel.
    fn step_estimate(
        &self,
        (order, first, count): (usize, usize, usize),
        is_whole: bool,
        machine: &Machine,
    ) -> Result<Estimate, DoesNotFit> {
        let product = |rows| self.product_estimate(ProductShape { rows, inner: count, columns: order }, machine);
        if is_whole {
            return product(order);
        }
        let others = product(first)?.then(product(order - first - count)?);
        Ok(others.then(self.copy_estimate(order * count, machine)?))
    }
}
