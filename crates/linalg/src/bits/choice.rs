//! The choice of a plan of products of matrices of bits.

use manycore_device::Cache;
use manycore_tuning::{Choice, Plans, TuningTask, choose};

use super::algebra::BitAlgebra;
use super::cost::{BitProducts, BitShape};
use super::matrix::{BITS, BitMatrix, words_per_row};
use super::plan::BitProductPlan;
use crate::block::Block;
use crate::error::LinalgError;

/// Choices by shape, and those by estimates alone, which elimination takes.
#[derive(Debug)]
pub(super) struct BitChoices {
    chosen: Plans<BitShape, BitProductPlan>,
    estimated: Cache<BitShape, BitProductPlan>,
}

impl Default for BitChoices {
    fn default() -> Self {
        Self { chosen: Plans::default(), estimated: Cache::at_most(1 << 12) }
    }
}

impl BitAlgebra {
    /// The choice that is taken for products of a matrix of `rows` by `inner` bits and one of `inner` by `columns`: every plan with
    /// an estimate, the chosen one first, and the origin of the choice. Where the device is to be measured
    /// ([`Device::tuned`](manycore_device::Device::tuned)) and this shape was not yet, the candidates are measured now. The host
    /// has one candidate. Products within an elimination go by estimates.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_linalg::bits::BitAlgebra;
    /// let space = BitAlgebra::new(&Device::from_env()?);
    /// println!("{}", space.explain_product(1000, 1000, 1000)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LinalgError::NoChoice`] where no plan suits the device; [`LinalgError::TooLarge`] and [`LinalgError::Device`] where the
    /// matrices of a measurement cannot be made.
    pub fn explain_product(
        &self,
        rows: usize,
        inner: usize,
        columns: usize,
    ) -> Result<Choice<BitProductPlan>, LinalgError> {
        self.product_choice(BitShape { rows, inner, words: words_per_row(columns) })
    }

    /// Makes a product of its own by the plan that is taken.
    pub(super) fn by_product_plan<R>(
        &self,
        shape: BitShape,
        mut run: impl FnMut(BitProductPlan) -> Result<R, LinalgError>,
    ) -> Result<R, LinalgError> {
        if self.planner().on_host() {
            return run(BitProductPlan::Strips);
        }
        let choose = |&shape: &BitShape| self.product_choice(shape);
        self.choices().chosen.run(self.device(), shape, choose, |&plan| run(plan))
    }

    /// The plan that is estimated best for shapes like this one.
    pub(super) fn estimated_product(&self, shape: BitShape) -> Result<BitProductPlan, LinalgError> {
        if self.planner().on_host() {
            return Ok(BitProductPlan::Strips);
        }
        let plan = self.choices().estimated.get(shape.bucket(), |shape| {
            let choice = choose(&BitProducts { space: self }, shape, self.planner().machine())?;
            Ok::<_, LinalgError>(choice.best().parameters)
        })?;
        Ok(*plan)
    }

    /// The one place that plans products.
    fn product_choice(&self, shape: BitShape) -> Result<Choice<BitProductPlan>, LinalgError> {
        let operation = BitProducts { space: self };
        let BitShape { rows, inner, words } = shape;
        if rows == 0 || inner == 0 || words == 0 {
            // Nothing is multiplied.
            return Ok(choose(&operation, &shape, self.planner().machine())?);
        }
        let sizes = vec![rows, inner, words];
        let task = TuningTask { key: "bits-mul".to_owned(), sizes, count: 1, revision: crate::REVISION };
        let mut trial: Option<[BitMatrix; 3]> = None;
        let choice = self.planner().choose(&operation, &shape, &task, |&plan| -> Result<(), LinalgError> {
            let columns = words.saturating_mul(BITS);
            let [a, b, out] = match &mut trial {
                Some(trial) => trial,
                none => none.insert([
                    self.random(rows, inner, 1)?,
                    self.random(inner, columns, 2)?,
                    self.zeros(rows, columns)?,
                ]),
            };
            let (left, right, target) = (a.block(), b.block(), Block::whole(rows, words));
            self.product_by(plan, (&a.buffer, left), (&b.buffer, right), (&mut out.buffer, target))
        })?;
        Ok(choice)
    }
}
