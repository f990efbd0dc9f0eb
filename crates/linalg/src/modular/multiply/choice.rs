//! The choice among the algorithms of products.

use manycore_tuning::{Choice, Operation, Proof, choose};

use super::cost::Products;
use super::plan::ProductPlan;
use super::shape::{ProductShape, Store};
use crate::block::Block;
use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::modular::algebra::LinearAlgebra;
use crate::modular::matrix::Matrix;

impl<F: MatrixField> LinearAlgebra<F> {
    /// The choice that is taken for products of a matrix of `rows` by `inner` entries and one of `inner` by `columns`: every
    /// algorithm and its parameters with an estimate, the chosen one first, and the origin of the choice. Where the device is to
    /// be measured ([`Device::tuned`](manycore_device::Device::tuned)) and this shape was not yet, the candidates are measured
    /// now. The host has one candidate.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_linalg::LinearAlgebra;
    /// let space = LinearAlgebra::new(&Device::from_env()?, PrimeField::<u32>::new(469_762_049)?)?;
    /// println!("{}", space.explain_product(1000, 1000, 1000)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LinalgError::NoChoice`] where no algorithm suits the device; [`LinalgError::TooLarge`] and [`LinalgError::Device`]
    /// where the matrices of a measurement cannot be made.
    #[inline(never)]
    pub fn explain_product(
        &self,
        rows: usize,
        inner: usize,
        columns: usize,
    ) -> Result<Choice<ProductPlan>, LinalgError> {
        self.planner().choice(&Products { space: self }, &ProductShape { rows, inner, columns })
    }

    /// Makes a product of its own by the plan that is taken.
    pub(super) fn by_product_plan(
        &self,
        shape: ProductShape,
        mut run: impl FnMut(ProductPlan) -> Result<(), LinalgError>,
    ) -> Result<(), LinalgError> {
        if self.planner().on_host() {
            return run(ProductPlan::Panels);
        }
        let ask = |&shape: &ProductShape| Ok(self.planner().ask(Products { space: self }, shape));
        self.products.chosen.run(self.device(), shape, ask, |&plan| run(plan))
    }

    /// The plan that is estimated best for shapes like this one.
    pub(crate) fn estimated_product(&self, shape: ProductShape) -> Result<ProductPlan, LinalgError> {
        if self.planner().on_host() {
            return Ok(ProductPlan::Panels);
        }
        let plan = self.products.estimated.get(shape.bucket(), |shape| {
            let choice = choose(&Products { space: self }, shape, self.machine())?;
            Ok::<_, LinalgError>(choice.best().parameters)
        })?;
        Ok(*plan)
    }
}

impl<F: MatrixField> Operation for Products<'_, F> {
    type Costs = Self;
    /// Both factors and the product.
    type Trial = [Matrix<F>; 3];
    type Error = LinalgError;

    fn revision(&self) -> u64 {
        crate::REVISION
    }

    fn costs(&self) -> &Self {
        self
    }

    fn family(&self, _: &ProductShape) -> String {
        format!("matrix-mul, {}", self.space.plan_key())
    }

    fn sizes(&self, shape: &ProductShape) -> Vec<usize> {
        vec![shape.rows, shape.inner, shape.columns]
    }

    fn is_empty(&self, shape: &ProductShape) -> bool {
        shape.rows == 0 || shape.columns == 0
    }

    fn trial(&self, &ProductShape { rows, inner, columns }: &ProductShape) -> Result<[Matrix<F>; 3], LinalgError> {
        let space = self.space;
        Ok([space.random(rows, inner, 1)?, space.random(inner, columns, 2)?, space.scratch(rows, columns)?])
    }

    fn try_plan(
        &self,
        &ProductShape { rows, inner, columns }: &ProductShape,
        [a, b, out]: &mut [Matrix<F>; 3],
        &plan: &ProductPlan,
    ) -> Result<(), LinalgError> {
        let (left, right) = (Block::whole(rows, inner), Block::whole(inner, columns));
        let target = (&mut out.buffer, Block::whole(rows, columns));
        self.space.product_by(plan, (&a.buffer, left), (&b.buffer, right), target, Store::Set)
    }

    /// A part of the product: its tiles are those of the whole.
    fn proof(&self, shape: &ProductShape, plan: &ProductPlan) -> Result<Proof, LinalgError> {
        const MOST: [usize; 3] = [301, 1100, 299];
        let small = ProductShape {
            rows: shape.rows.min(MOST[0]),
            inner: shape.inner.min(MOST[1]),
            columns: shape.columns.min(MOST[2]),
        };
        let mut trial = self.trial(&small)?;
        self.try_plan(&small, &mut trial, plan)?;
        let host = self.space.proving();
        let (a, b) = (host.random(small.rows, small.inner, 1)?, host.random(small.inner, small.columns, 2)?);
        Ok(Proof::of_words(&trial[2].buffer.download()?, &host.entries(&host.mul(&a, &b)?)?))
    }
}
