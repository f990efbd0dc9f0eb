//! What the inverse of a matrix counts that is taken at once: by one thread, or by one group whose steps wait for each other.

use manycore_device::Executor;
use manycore_model::{Blocks, DoesNotFit, Estimate, Kernel, Machine, Program};
use manycore_transform::ntt::cost::Operations;

use super::device;
use crate::algebra::LinearAlgebra;
use crate::counts::{inverse_steps, with_chain};
use crate::field::MatrixField;

/// Operations of a step that wait for each other: an entry of the column is read and compared, and all items wait; the pivot and the
/// entries of its row and column are read and selected; two products, a sum, Montgomery's two products, a difference, a minimum; an
/// entry is written, and all items wait.
const CHAIN: u64 = 14;

impl<F: MatrixField> LinearAlgebra<F> {
    /// The estimate of the inverse of a matrix of an order that is taken at once, of which the host waits for the determinant.
    pub(crate) fn inverse_estimate(&self, order: usize, machine: &Machine) -> Result<Estimate, DoesNotFit> {
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
                    .traffic_words(2 * n * n)
                    .round_trips(1);
                program.queue(kernel)?;
                let chain = n * CHAIN + inverse_steps(self.field().order());
                Ok(with_chain(machine.estimate(&program)?, chain, machine))
            }
        }
    }
}
