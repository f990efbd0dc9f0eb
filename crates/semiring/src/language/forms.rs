//! Forms of entries while a program runs: how matrices, functions, products and sums of them are made.

use manycore_expressions::{Elements, Value};

use super::expression::Expression;
use super::text::{Fold, Lines};
use crate::computation::{Computation, Term};
use crate::error::SemiringError;
use crate::matrix::Matrix;
use crate::operations::kind::Kind;

/// Values of entries in functions that are being written.
pub(super) type Values<F, T> = <<F as Forms<T>>::Element as Elements>::Values;

/// What entries are while a program runs, and how they are made.
pub(super) trait Forms<T> {
    type Element: Elements;

    fn given(
        &self,
        computation: &mut Computation,
        name: &str,
        matrix: Matrix<T>,
    ) -> Result<Term<Self::Element>, SemiringError>;

    /// A function of entries and their place.
    fn value(
        &self,
        expression: &Expression,
        place: (Value<u64>, Value<u64>),
        a: Values<Self, T>,
        b: Values<Self, T>,
    ) -> Values<Self, T>;

    fn zero(&self) -> Values<Self, T>;

    /// A product of the statement of this number.
    fn product(
        &self,
        computation: &mut Computation,
        name: &str,
        product: (usize, Kind),
        factors: (Term<Self::Element>, Term<Self::Element>),
    ) -> Result<Term<Self::Element>, SemiringError>;

    fn reduce(
        &self,
        computation: &mut Computation,
        name: &str,
        reduction: (Fold, Lines),
        a: Term<Self::Element>,
    ) -> Result<Term<Self::Element>, SemiringError>;
}
