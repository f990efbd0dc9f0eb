//! The form of a product, without its data: sizes, operations, and the forms of both operands.

use manycore_expressions::Program;

use super::assembly::Halves;
use super::plan::ProductPlan;
use crate::algebra::Algebra;
use crate::operand::{Form, Operand};

/// The sizes of a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ProductShape {
    pub(crate) rows: usize,
    pub(crate) inner: usize,
    pub(crate) columns: usize,
}

impl ProductShape {
    /// Products of two entries.
    pub(crate) fn pairs(self) -> u64 {
        [self.rows, self.inner, self.columns]
            .into_iter()
            .fold(1, |product: u64, size| product.saturating_mul(size as u64))
    }

    /// Bytes of both factors and of the product, all stored.
    pub(crate) fn bytes(self, algebra: &Algebra) -> u64 {
        let of = |a: usize, b: usize, kinds: &[_]| {
            (a as u64).saturating_mul(b as u64).saturating_mul(Algebra::bytes(kinds).1 as u64)
        };
        of(self.rows, self.inner, algebra.left())
            .saturating_add(of(self.inner, self.columns, algebra.right()))
            .saturating_add(of(self.rows, self.columns, algebra.sums()))
    }
}

/// What choices depend on beside sizes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct ProductForm {
    pub(crate) algebra: Algebra,
    pub(crate) left: Form,
    pub(crate) right: Form,
}

impl ProductForm {
    /// Of a product of these operands.
    pub(crate) fn of(algebra: &Algebra, left: &Operand<'_>, right: &Operand<'_>) -> Self {
        Self { algebra: algebra.clone(), left: left.form(), right: right.form() }
    }

    /// All programs that run for it.
    fn programs(&self) -> impl Iterator<Item = &Program> {
        [&*self.algebra.step].into_iter().chain(self.left.programs()).chain(self.right.programs())
    }

    /// Whether a device needs double precision for it.
    pub(crate) fn needs_fp64(&self) -> bool {
        self.programs().any(Program::needs_fp64)
    }

    /// The plan on an OpenCL device, where there is one alone: of factors that are lists, or that depend on the result's entry.
    pub(crate) fn sole_plan(&self) -> Option<ProductPlan> {
        match (&self.left, &self.right) {
            (Form::Lists, Form::Lists) => Some(ProductPlan::Lists),
            (Form::Stored | Form::Computed(_), Form::Stored | Form::Computed(_)) => None,
            _ => Some(ProductPlan::Direct),
        }
    }

    /// Whether a word may hold two columns of a product of `columns` columns.
    pub(crate) fn has_halves(&self, columns: u64) -> bool {
        columns.is_multiple_of(2)
            && [&self.left, &self.right].into_iter().all(|form| *form == Form::Stored)
            && Halves::of(&self.algebra).is_some()
    }

    /// The directives before the functions of a kernel's text.
    pub(crate) fn head(&self) -> String {
        self.programs().find(|program| program.needs_fp64()).unwrap_or(&self.algebra.step).opencl_head()
    }
}
