//! Entries as words of their type, and functions of them as they are written.

use manycore_expressions::Value;

use super::expression::{Arithmetic, Comparison, Expression, Function};
use super::forms::Forms;
use super::numbers::Numeric;
use super::text::{Fold, Lines};
use crate::computation::{Computation, Term};
use crate::error::SemiringError;
use crate::matrix::Matrix;
use crate::operations::kind::Kind;
use crate::reduce::Reduction;
use crate::semiring::Semiring;

/// Words of a type.
pub(crate) struct Words<'a, T> {
    /// The semiring of the product of a statement.
    pub(crate) semiring: &'a dyn Fn(usize, Kind) -> Result<Semiring<T, T, T>, SemiringError>,
    /// The words that stand for minus infinity and infinity, where integers have those.
    pub(crate) ends: Option<(T, T)>,
}

impl<T: Numeric> Forms<T> for Words<'_, T> {
    type Element = T;

    fn given(&self, computation: &mut Computation, name: &str, matrix: Matrix<T>) -> Result<Term<T>, SemiringError> {
        Ok(computation.matrix(name, matrix))
    }

    fn value(&self, expression: &Expression, place: (Value<u64>, Value<u64>), a: Value<T>, b: Value<T>) -> Value<T> {
        expression.value(&Symbols { a, b, place, ends: self.ends })
    }

    fn zero(&self) -> Value<T> {
        T::ZERO.into()
    }

    fn product(
        &self,
        computation: &mut Computation,
        name: &str,
        (at, kind): (usize, Kind),
        (a, b): (Term<T>, Term<T>),
    ) -> Result<Term<T>, SemiringError> {
        computation.product(name, &(self.semiring)(at, kind)?, a, b)
    }

    fn reduce(
        &self,
        computation: &mut Computation,
        name: &str,
        (fold, lines): (Fold, Lines),
        a: Term<T>,
    ) -> Result<Term<T>, SemiringError> {
        let reduction = match fold {
            Fold::Sum => T::plus(),
            Fold::Max => Reduction::max(),
            Fold::Min => Reduction::min(),
        }?;
        match lines {
            Lines::Rows => computation.reduce_rows(name, &reduction, a),
            Lines::Columns => computation.reduce_columns(name, &reduction, a),
        }
    }
}

/// Values of functions that are being written.
struct Symbols<T> {
    a: Value<T>,
    b: Value<T>,
    place: (Value<u64>, Value<u64>),
    ends: Option<(T, T)>,
}

impl<T: Numeric> Symbols<T> {
    /// Of infinities, one of which it is where one is among the operands; sums of opposite ones and products of 0 do not come here.
    fn kept(&self, operator: char, a: Value<T>, b: Value<T>, value: Value<T>) -> Value<T> {
        let Some((least, greatest)) = self.ends else { return value };
        let is_end = |a: Value<T>| a.equals(least) | a.equals(greatest);
        let opposite = |a: Value<T>| a.equals(least).select(greatest, least);
        let infinite = match operator {
            '+' => is_end(a).select(a, b),
            '-' => is_end(a).select(a, opposite(b)),
            _ => (a.lt(T::ZERO) ^ b.lt(T::ZERO)).select(least, greatest),
        };
        (is_end(a) | is_end(b)).select(infinite, value)
    }
}

impl<T: Numeric> Arithmetic for Symbols<T> {
    type Value = Value<T>;

    fn number(&self, text: &str) -> Option<Value<T>> {
        // What the type has not was refused.
        Some(if text == "inf" { T::GREATEST } else { T::parse(text)? }.into())
    }

    fn variable(&self, name: char) -> Value<T> {
        match name {
            'a' => self.a,
            'b' => self.b,
            'x' => self.place.0.to::<T>(),
            _ => self.place.1.to::<T>(),
        }
    }

    fn negative(&self, a: Value<T>) -> Value<T> {
        match self.ends {
            Some(_) => self.binary('-', T::ZERO.into(), a),
            // Also the sign of zero.
            None => a * (Value::from(T::ZERO) - one()),
        }
    }

    fn binary(&self, operator: char, a: Value<T>, b: Value<T>) -> Value<T> {
        let value = match operator {
            '+' => a + b,
            '-' => a - b,
            '*' => a * b,
            _ => a / b,
        };
        self.kept(operator, a, b, value)
    }

    fn call(&self, function: Function, a: Value<T>, b: Value<T>) -> Value<T> {
        match function {
            Function::Min => a.min(b),
            Function::Max => a.max(b),
            Function::Abs if self.ends.is_some() => a.lt(T::ZERO).select(self.negative(a), a),
            Function::Abs => a.abs(),
        }
    }

    fn select(&self, comparison: Comparison, [a, b, yes, no]: [Value<T>; 4]) -> Value<T> {
        comparison.of_values(a, b).select(yes, no)
    }
}

/// 1.
pub(crate) fn one<T: Numeric>() -> Value<T> {
    Value::<u64>::from(1).to::<T>()
}
