//! Products of matrices on a device, whose entries are stored: by the plan that is taken, or by a given one.

use manycore_expressions::{Elements, WordsMut};

use super::cost::ProductCosts;
use super::fit::{leaves_out, shape, sizes};
use super::form::{ProductForm, ProductShape};
use super::plan::ProductPlan;
use super::products::Products;
use super::run::on_host;
use crate::error::SemiringError;
use crate::factor::Factor;
use crate::operand::Operand;
use crate::resident::DeviceMatrix;
use crate::semiring::Semiring;

impl Products {
    /// The product of a matrix of `l` by `m` entries and one of `m` by `n`, stored, in `l m n` products and sums. An operand that
    /// is a function is computed where it is read; a [`FunctionMatrix`](crate::FunctionMatrix) for each entry of the product. Missing entries of lists are left out: of a left operand as lists O(entries n)
    /// steps, of a right one O(l entries), and as many as there are pairs of entries where both are.
    ///
    /// # Errors
    /// [`SemiringError::Shapes`]; [`SemiringError::Absent`] where products with missing entries are not zero; [`SemiringError::NoChoice`] where no plan suits the device; [`SemiringError::Device`].
    #[inline(never)]
    pub fn multiply<A: Elements, B: Elements, S: Elements>(
        &self,
        semiring: &Semiring<A, B, S>,
        a: &impl Factor<A>,
        b: &impl Factor<B>,
    ) -> Result<DeviceMatrix<S>, SemiringError> {
        leaves_out(semiring, a, b)?;
        self.multiply_leaving_out(semiring, a, b)
    }

    /// [`Products::multiply`] whose missing entries are known to count for nothing.
    pub(crate) fn multiply_leaving_out<A: Elements, B: Elements, S: Elements>(
        &self,
        semiring: &Semiring<A, B, S>,
        a: &impl Factor<A>,
        b: &impl Factor<B>,
    ) -> Result<DeviceMatrix<S>, SemiringError> {
        self.stored(semiring, a, b, |form, shape, factors, out| self.product(form, shape, factors, out))
    }

    /// [`Products::multiply`] by a given plan: the same bits by every plan.
    ///
    /// # Errors
    /// As [`Products::multiply`]; [`SemiringError::Plan`] for a plan that the device does not take.
    pub fn multiply_by<A: Elements, B: Elements, S: Elements>(
        &self,
        plan: ProductPlan,
        semiring: &Semiring<A, B, S>,
        a: &impl Factor<A>,
        b: &impl Factor<B>,
    ) -> Result<DeviceMatrix<S>, SemiringError> {
        leaves_out(semiring, a, b)?;
        self.stored(semiring, a, b, |form, shape, factors, out| self.product_by(plan, form, shape, factors, out))
    }

    /// Makes a result of a product, by `run` where it has entries.
    fn stored<A: Elements, B: Elements, S: Elements>(
        &self,
        semiring: &Semiring<A, B, S>,
        a: &impl Factor<A>,
        b: &impl Factor<B>,
        run: impl FnOnce(
            &ProductForm,
            ProductShape,
            (&Operand<'_>, &Operand<'_>),
            &mut [WordsMut<'_>],
        ) -> Result<(), SemiringError>,
    ) -> Result<DeviceMatrix<S>, SemiringError> {
        let shape = shape(a.shape(), b.shape())?;
        for device in [a.device(), b.device()].into_iter().flatten() {
            self.device().same_as(device)?;
        }
        a.check()?;
        b.check()?;
        let sizes = sizes(a.shape(), b.shape(), self.device())?;
        let (left, right) = (a.operand(), b.operand());
        for (operand, side, is_by_rows, lines) in [(&left, "first", true, "columns"), (&right, "second", false, "rows")]
        {
            if let Operand::Made(lists, ..) = operand
                && lists.is_by_rows != is_by_rows
            {
                return Err(SemiringError::Lines { lines, side });
            }
        }
        let mut out = DeviceMatrix::scratch(self.device(), shape)?;
        if let Some(entries) = out.entries_mut().filter(|entries| !entries.is_empty()) {
            let mut words: Vec<WordsMut<'_>> =
                entries.memory_mut().iter_mut().map(|memory| memory.words_mut()).collect();
            let form = ProductForm::of(semiring.algebra(), &left, &right);
            run(&form, sizes, (&left, &right), &mut words)?;
        }
        Ok(out)
    }

    /// A product that has entries, by the plan that is taken.
    pub(crate) fn product(
        &self,
        form: &ProductForm,
        shape: ProductShape,
        factors: (&Operand<'_>, &Operand<'_>),
        out: &mut [WordsMut<'_>],
    ) -> Result<(), SemiringError> {
        let sole = if self.planner.on_host() { Some(on_host(form)[0]) } else { form.sole_plan() };
        if let Some(plan) = sole {
            return self.product_by(plan, form, shape, factors, out);
        }
        let ask = |_: &_| Ok(self.planner.ask(ProductCosts { products: self, form }, shape));
        self.chosen
            .run(self.device(), (form.clone(), shape), ask, |&plan| self.product_by(plan, form, shape, factors, out))
    }
}
