//! A product that has entries, by a plan: the algorithms that a plan stands for.

use manycore_device::Executor;
use manycore_expressions::WordsMut;

use super::bits::{self, Bits};
use super::form::{ProductForm, ProductShape};
use super::plan::ProductPlan;
use super::products::Products;
use super::{device, direct, host, lists, registers};
use crate::error::SemiringError;
use crate::operand::{Form, Operand};
use crate::ready::known;

/// The plans of the host, the best one first.
pub(crate) fn on_host(form: &ProductForm) -> Vec<ProductPlan> {
    let is_stored = [&form.left, &form.right].into_iter().all(|form| *form == Form::Stored);
    if Bits::of(form).is_some() {
        vec![ProductPlan::Bits, ProductPlan::Rows]
    } else if is_stored && known(&form.algebra).is_some() {
        vec![ProductPlan::Registers, ProductPlan::Rows]
    } else {
        vec![ProductPlan::Rows]
    }
}

impl Products {
    /// A product that has entries, by a plan.
    pub(crate) fn product_by(
        &self,
        plan: ProductPlan,
        form: &ProductForm,
        shape: ProductShape,
        (a, b): (&Operand<'_>, &Operand<'_>),
        out: &mut [WordsMut<'_>],
    ) -> Result<(), SemiringError> {
        let words = match (self.device().executor(), plan) {
            (Executor::Host(_), ProductPlan::Bits) => Some(None),
            (Executor::OpenCl(_), ProductPlan::BitTiles(tile)) => Some(Some(ProductPlan::Tiles(tile))),
            _ => None,
        };
        if let Some((words, bits)) = words.and_then(|words| Some((words, Bits::of(form)?))) {
            let form = bits.form();
            let plan = words.unwrap_or_else(|| on_host(&form)[0]);
            let kernels = (self.device(), &self.bit_kernels);
            return bits::product(kernels, (bits, shape), (a, b), out, |shape, factors, out| {
                self.product_by(plan, &form, shape, factors, out)
            });
        }
        let is_dense = |operand: &Operand<'_>| matches!(operand, Operand::Stored(_) | Operand::Computed(..));
        match (self.device().executor(), plan) {
            (Executor::Host(pool), ProductPlan::Registers)
                if registers::product(pool, (&form.algebra, shape), (a, b), out)? =>
            {
                Ok(())
            }
            (Executor::Host(pool), ProductPlan::Rows) => host::product(pool, (&form.algebra, shape), (a, b), out),
            (Executor::OpenCl(cl), ProductPlan::Tiles(tile))
                if is_dense(a) && is_dense(b) && tile.fits(cl, &form.algebra)? =>
            {
                device::product(cl, &self.kernels, (form, shape, tile), (a, b), out)
            }
            (Executor::OpenCl(cl), ProductPlan::Direct) => {
                direct::product(cl, &self.direct_kernels, (form, shape), (a, b), out)
            }
            (Executor::OpenCl(cl), ProductPlan::Lists) => match (a, b) {
                (Operand::Lists { rows: a, .. }, Operand::Lists { rows: b, .. }) => {
                    lists::product(cl, &self.list_kernels, (&form.algebra, shape), (a, b), out)
                }
                _ => Err(SemiringError::Plan { plan, device: self.device().info().label() }),
            },
            _ => Err(SemiringError::Plan { plan, device: self.device().info().label() }),
        }
    }
}
