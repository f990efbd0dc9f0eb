//! The choice of a plan of products of matrices of bits.

use manycore_tuning::{Choice, Operation, Proof, choose, proof};

use super::algebra::BitAlgebra;
use super::cost::BitProducts;
use super::matrix::{BITS, BitMatrix, words_per_row};
use super::plan::{BitProductPlan, BitShape};
use crate::block::Block;
use crate::error::LinalgError;

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
        let shape = BitShape { rows, inner, words: words_per_row(columns) };
        self.planner().choice(&BitProducts { space: self }, &shape)
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
        let ask = |&shape: &BitShape| Ok(self.planner().ask(BitProducts { space: self }, shape));
        self.choices().chosen.run(self.device(), shape, ask, |&plan| run(plan))
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
}

impl Operation for BitProducts<'_> {
    type Costs = Self;
    /// Both factors and the product.
    type Trial = [BitMatrix; 3];
    type Error = LinalgError;

    fn revision(&self) -> u64 {
        crate::REVISION
    }

    fn costs(&self) -> &Self {
        self
    }

    fn family(&self, _: &BitShape) -> String {
        "bits-mul".to_owned()
    }

    fn sizes(&self, shape: &BitShape) -> Vec<usize> {
        vec![shape.rows, shape.inner, shape.words]
    }

    fn is_empty(&self, shape: &BitShape) -> bool {
        shape.rows == 0 || shape.inner == 0 || shape.words == 0
    }

    fn trial(&self, &BitShape { rows, inner, words }: &BitShape) -> Result<[BitMatrix; 3], LinalgError> {
        let (space, columns) = (self.space, words.saturating_mul(BITS));
        Ok([space.random(rows, inner, 1)?, space.random(inner, columns, 2)?, space.zeros(rows, columns)?])
    }

    fn try_plan(
        &self,
        shape: &BitShape,
        [a, b, out]: &mut [BitMatrix; 3],
        &plan: &BitProductPlan,
    ) -> Result<(), LinalgError> {
        let (left, right, target) = (a.block(), b.block(), Block::whole(shape.rows, shape.words));
        self.space.product_by(plan, (&a.buffer, left), (&b.buffer, right), (&mut out.buffer, target))
    }

    /// A part of the product: its tiles are those of the whole.
    fn proof(&self, shape: &BitShape, plan: &BitProductPlan) -> Result<Proof, LinalgError> {
        const MOST: [usize; 3] = [1025, 2500, 35];
        let small = BitShape {
            rows: shape.rows.min(MOST[0]),
            inner: shape.inner.min(MOST[1]),
            words: shape.words.min(MOST[2]),
        };
        let mut trial = self.trial(&small)?;
        self.try_plan(&small, &mut trial, plan)?;
        let host = BitAlgebra::new(&proof::host());
        let (a, b) = (host.random(small.rows, small.inner, 1)?, host.random(small.inner, small.words * BITS, 2)?);
        Ok(Proof::of_words(&trial[2].buffer.download()?, &host.words(&host.mul(&a, &b)?)?))
    }
}
