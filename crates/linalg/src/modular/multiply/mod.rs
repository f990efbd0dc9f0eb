//! Products of matrices, `O(l m n)` products of residues in sums that are reduced late (paper 002, section 7.2).
//!
//! | file | what |
//! |---|---|
//! | `reference` | the definition |
//! | `host` | tiles of sums, rows shared by threads |
//! | `device` | tiles in local memory |
//! | `digits` | digits of 8 bits, on tensor cores |
//! | `several` | matrices of the host's memory, on several devices and past their memory |
//! | `shape` | the shape of a product, and what becomes of it |
//! | `plan` | the algorithms and their parameters |
//! | `cost` | what they count |
//! | `choice` | the choice among them |

mod choice;
mod cost;
mod device;
mod digits;
mod host;
pub(crate) mod plan;
pub mod reference;
mod several;
pub(crate) mod shape;

use manycore_device::{Buffer, Executor};

use crate::block::Block;
use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::modular::algebra::LinearAlgebra;
use crate::modular::matrix::Matrix;
use shape::{ProductShape, Store};

pub(crate) use cost::Products;
pub use manycore_arrays::blocks::ProductTiles;
pub use plan::{ProductPlan, ProductTile};

impl<F: MatrixField> LinearAlgebra<F> {
    /// The product of a matrix of `l` by `m` entries and one of `m` by `n`, in `l m n` products of residues.
    ///
    /// # Errors
    /// [`LinalgError::Shapes`] where the first has not as many columns as the second has rows; [`LinalgError::MixedFields`];
    /// [`LinalgError::TooLarge`]; [`LinalgError::Device`].
    #[inline(never)]
    pub fn mul(&self, a: &Matrix<F>, b: &Matrix<F>) -> Result<Matrix<F>, LinalgError> {
        self.fits(a, b)?;
        let mut out = self.scratch(a.rows, b.columns)?;
        let (left, right) = (Block::whole(a.rows, a.columns), Block::whole(b.rows, b.columns));
        let block = Block::whole(a.rows, b.columns);
        if !block.is_empty() {
            let shape = ProductShape { rows: a.rows, inner: a.columns, columns: b.columns };
            self.by_product_plan(shape, |plan| {
                let target = (&mut out.buffer, block);
                self.product_by(plan, (&a.buffer, left), (&b.buffer, right), target, Store::Set)
            })?;
        }
        Ok(out)
    }

    /// [`LinearAlgebra::mul`] by a given plan, which the host does not ask for: the same bits by every plan.
    ///
    /// # Errors
    /// As [`LinearAlgebra::mul`]; [`LinalgError::Plan`] for a plan that an OpenCL device does not take
    /// ([`LinearAlgebra::takes_plan`]).
    #[inline(never)]
    pub fn mul_with(&self, a: &Matrix<F>, b: &Matrix<F>, plan: ProductPlan) -> Result<Matrix<F>, LinalgError> {
        self.fits(a, b)?;
        if !self.takes_plan(plan)? {
            return Err(LinalgError::Plan { plan, device: self.device().info().name.clone() });
        }
        let mut out = self.scratch(a.rows, b.columns)?;
        let (left, right) = (Block::whole(a.rows, a.columns), Block::whole(b.rows, b.columns));
        let target = (&mut out.buffer, Block::whole(a.rows, b.columns));
        if !target.1.is_empty() {
            self.product_by(plan, (&a.buffer, left), (&b.buffer, right), target, Store::Set)?;
        }
        Ok(out)
    }

    /// Whether the device takes a plan for this field.
    ///
    /// # Errors
    /// [`LinalgError::Device`].
    pub fn takes_plan(&self, plan: ProductPlan) -> Result<bool, LinalgError> {
        match (self.device().executor(), plan) {
            (Executor::Host(_), _) => Ok(true),
            (Executor::OpenCl(_), ProductPlan::Panels) => Ok(false),
            (Executor::OpenCl(cl), ProductPlan::Words(tile)) => Ok(tile.fits(cl, size_of::<F::Element>())?),
            (Executor::OpenCl(cl), ProductPlan::Digits) => digits::fits(self, cl),
        }
    }

    /// A product that has entries by a given plan; the host has one.
    fn product_by(
        &self,
        plan: ProductPlan,
        a: (&Buffer<F::Element>, Block),
        b: (&Buffer<F::Element>, Block),
        out: (&mut Buffer<F::Element>, Block),
        store: Store,
    ) -> Result<(), LinalgError> {
        match (self.device().executor(), plan) {
            (Executor::Host(pool), _) => Ok(host::product(self.field(), pool, a, b, out, store)?),
            (Executor::OpenCl(cl), ProductPlan::Words(tile)) => device::product(self, cl, tile, a, b, out, store),
            (Executor::OpenCl(cl), ProductPlan::Digits) => digits::product(self, cl, a, b, out, store),
            (Executor::OpenCl(cl), ProductPlan::Panels) => {
                Err(LinalgError::Plan { plan, device: cl.info().name.clone() })
            }
        }
    }

    fn fits(&self, a: &Matrix<F>, b: &Matrix<F>) -> Result<(), LinalgError> {
        self.own(a)?;
        self.own(b)?;
        if a.columns == b.rows {
            Ok(())
        } else {
            Err(LinalgError::Shapes { operation: "product", left: a.shape(), right: b.shape() })
        }
    }

    /// The power of a square matrix by repeated squaring: at most `2 log2(exponent)` products; the identity for exponent 0.
    ///
    /// # Errors
    /// [`LinalgError::NotSquare`]; [`LinalgError::MixedFields`]; [`LinalgError::Device`].
    #[inline(never)]
    pub fn power(&self, a: &Matrix<F>, exponent: u64) -> Result<Matrix<F>, LinalgError> {
        self.own(a)?;
        let order = a.order("power")?;
        let bits = u64::BITS - exponent.leading_zeros();
        let mut result: Option<Matrix<F>> = None;
        for bit in (0..bits).rev() {
            if let Some(square) = &result {
                result = Some(self.mul(square, square)?);
            }
            if exponent >> bit & 1 == 1 {
                let times = match &result {
                    Some(power) => self.mul(power, a)?,
                    None => self.of(self.block_of(&a.buffer, Block::whole(order, order))?, order, order),
                };
                result = Some(times);
            }
        }
        match result {
            Some(power) => Ok(power),
            None => self.identity(order),
        }
    }

    /// The product of two blocks, into a block of another buffer, by the plan that is estimated best.
    pub(crate) fn product_into(
        &self,
        a: (&Buffer<F::Element>, Block),
        b: (&Buffer<F::Element>, Block),
        out: (&mut Buffer<F::Element>, Block),
        store: Store,
    ) -> Result<(), LinalgError> {
        if out.1.is_empty() {
            return Ok(());
        }
        let shape = ProductShape { rows: out.1.rows, inner: a.1.columns, columns: out.1.columns };
        let plan = self.estimated_product(shape)?;
        self.product_by(plan, a, b, out, store)
    }
}
