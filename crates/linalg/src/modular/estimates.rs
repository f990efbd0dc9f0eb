//! Estimates that several operations by blocks share: products, each by the plan that is estimated best, and copies.

use manycore_device::Executor;
use manycore_model::{Blocks, DoesNotFit, Estimate, Kernel, Machine, Program};
use manycore_ntt::cost::Operations;
use manycore_tuning::Costed as _;

use crate::block::GROUP;
use crate::field::MatrixField;
use crate::modular::algebra::LinearAlgebra;
use crate::modular::multiply::Products;
use crate::modular::multiply::shape::ProductShape;

/// The places of an entry in both blocks: its row and column by a quotient, two products and four sums of 64 bits.
const PLACES: Operations = Operations { int32: 8 + 2 * 4, int64: 2, ..Operations::NONE };

impl<F: MatrixField> LinearAlgebra<F> {
    /// A product by the plan that is estimated best.
    pub(crate) fn product_estimate(&self, shape: ProductShape, machine: &Machine) -> Result<Estimate, DoesNotFit> {
        if shape.rows == 0 || shape.columns == 0 {
            return Ok(Estimate::default());
        }
        let no_fit = |error: crate::LinalgError| DoesNotFit::Parameter { reason: error.to_string() };
        let plan = self.estimated_product(shape).map_err(no_fit)?;
        Products { space: self }.estimate(&shape, &plan, machine)
    }

    /// The estimate of a copy of `words` words.
    pub(crate) fn copy_estimate(&self, words: usize, machine: &Machine) -> Result<Estimate, DoesNotFit> {
        if words == 0 {
            return Ok(Estimate::default());
        }
        let words = words as u64;
        let kernel = match self.device().executor() {
            Executor::Host(_) => Kernel::new("entries_copy", 1).blocks(Blocks::even(1, 1, 0, words, words)).fused(),
            Executor::OpenCl(cl) => {
                let group = GROUP.min(cl.info().group_limit) as u64;
                let operations = PLACES.of_one_kind(machine);
                Kernel::new("entries_copy", group as u32)
                    .blocks(Blocks::even(words.div_ceil(group), group as u32, operations, 1, 1))
                    .operation(PLACES.kind())
            }
        };
        let mut program = Program::new();
        program.queue(
            kernel.word_bytes(size_of::<F::Element>() as u32).traffic_words(2 * words).footprint_bytes(2 * words * 8),
        )?;
        machine.estimate(&program)
    }
}
