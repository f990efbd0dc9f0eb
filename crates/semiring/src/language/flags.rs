//! Entries as integers with whether they, or what they are made of, passed their type.

use manycore_expressions::{Function as Written, Integer, Value};

use super::expression::{Arithmetic, Comparison, Expression, Function};
use super::forms::Forms;
use super::numbers::Numeric;
use super::text::{Fold, Lines};
use crate::checked::Checked;
use crate::computation::{Computation, Term};
use crate::error::SemiringError;
use crate::matrix::Matrix;
use crate::operations::exact::Domain;
use crate::operations::kind::{Kind, checked};

/// Integers with flags.
pub(crate) struct Flags<'a> {
    pub(crate) domain: &'a Domain,
}

type Flagged<T> = (Value<T>, Value<bool>);

impl Flags<'_> {
    /// What has no infinities: they pass the type.
    fn finite<T: Numeric + Checked>(
        &self,
        computation: &mut Computation,
        name: &str,
        a: Term<(T, bool)>,
    ) -> Result<Term<(T, bool)>, SemiringError> {
        if !self.domain.is_infinite {
            return Ok(a);
        }
        let marked = Written::<(T, bool), (T, bool)>::new(|(a, is_past): Flagged<T>| (a, is_past | is_end(a)))?;
        computation.map(name, &marked, a)
    }

    /// A product over a semiring, or the sums of lines.
    fn multiplied<T: Numeric + Checked>(
        &self,
        computation: &mut Computation,
        name: &str,
        kind: Kind,
        factors: Vec<Term<(T, bool)>>,
        multiply: impl FnOnce(&mut Computation, &str, Vec<Term<(T, bool)>>) -> Result<Term<(T, bool)>, SemiringError>,
    ) -> Result<Term<(T, bool)>, SemiringError> {
        if !self.domain.is_infinite || !matches!(kind, Kind::PlusTimes | Kind::MaxTimes | Kind::OrAnd) {
            return multiply(computation, name, factors);
        }
        let finite =
            |computation: &mut Computation, factor| self.finite(computation, &format!("{name}, finite"), factor);
        let factors = factors.into_iter().map(|factor| finite(computation, factor)).collect::<Result<_, _>>()?;
        let made = multiply(computation, &format!("{name}, as integers"), factors)?;
        self.finite(computation, name, made)
    }
}

/// Words of a matrix, which are right.
pub(crate) fn flagged<T: Numeric + Checked>(
    computation: &mut Computation,
    name: &str,
    words: Term<T>,
) -> Result<Term<(T, bool)>, SemiringError> {
    let flagged = Written::<T, (T, bool)>::new(|a: Value<T>| (a, false.into()))?;
    computation.map(&format!("{name}, with flags"), &flagged, words)
}

fn is_end<T: Numeric + Checked>(a: Value<T>) -> Value<bool> {
    a.equals(T::LEAST) | a.equals(T::GREATEST)
}

impl<T: Numeric + Checked> Forms<T> for Flags<'_> {
    type Element = (T, bool);

    fn given(
        &self,
        computation: &mut Computation,
        name: &str,
        matrix: Matrix<T>,
    ) -> Result<Term<(T, bool)>, SemiringError> {
        let given = computation.matrix(&format!("{name}, given"), matrix);
        flagged(computation, name, given)
    }

    fn value(
        &self,
        expression: &Expression,
        place: (Value<u64>, Value<u64>),
        a: Flagged<T>,
        b: Flagged<T>,
    ) -> Flagged<T> {
        expression.value(&Symbols { a, b, place, is_infinite: self.domain.is_infinite })
    }

    fn zero(&self) -> Flagged<T> {
        (T::ZERO.into(), false.into())
    }

    fn product(
        &self,
        computation: &mut Computation,
        name: &str,
        (_, kind): (usize, Kind),
        (a, b): (Term<(T, bool)>, Term<(T, bool)>),
    ) -> Result<Term<(T, bool)>, SemiringError> {
        let semiring = checked(kind)?;
        self.multiplied(computation, name, kind, vec![a, b], |computation, name, factors| {
            computation.product_checked(name, &semiring, factors[0], factors[1])
        })
    }

    fn reduce(
        &self,
        computation: &mut Computation,
        name: &str,
        (fold, lines): (Fold, Lines),
        a: Term<(T, bool)>,
    ) -> Result<Term<(T, bool)>, SemiringError> {
        // Sums of products with what leaves each entry as it is.
        let kind = match fold {
            Fold::Sum => Kind::PlusTimes,
            Fold::Max => Kind::MaxMin,
            Fold::Min => Kind::MinMax,
        };
        let semiring = checked(kind)?;
        self.multiplied(computation, name, kind, vec![a], |computation, name, factors| match lines {
            Lines::Rows => computation.reduce_rows_checked(name, &semiring, factors[0]),
            Lines::Columns => computation.reduce_columns_checked(name, &semiring, factors[0]),
        })
    }
}

/// Values of functions that are being written.
struct Symbols<T> {
    a: Flagged<T>,
    b: Flagged<T>,
    place: (Value<u64>, Value<u64>),
    is_infinite: bool,
}

impl<T: Numeric + Checked> Symbols<T> {
    /// A result, and whether it passed its type; of infinities in the place of numbers another one.
    fn result(
        &self,
        operands: [Flagged<T>; 2],
        (sum, is_past): Flagged<T>,
        infinite: impl FnOnce(Value<T>, Value<T>) -> Flagged<T>,
    ) -> Flagged<T> {
        let [(a, f), (b, g)] = operands;
        if !self.is_infinite {
            return (sum, is_past | f | g);
        }
        let is_infinite = is_end(a) | is_end(b);
        let (value, is_undefined) = infinite(a, b);
        let is_past = is_infinite.select(is_undefined, is_past | is_end(sum));
        (is_infinite.select(value, sum), is_past | f | g)
    }

    fn sum(&self, a: Flagged<T>, b: Flagged<T>) -> Flagged<T> {
        let sum = a.0 + b.0;
        // Of two infinities the same one, of one that.
        self.result([a, b], (sum, a.0.saturating_add(b.0).differs(sum)), |a, b| {
            (is_end(a).select(a, b), is_end(a) & is_end(b) & a.differs(b))
        })
    }

    fn difference(&self, a: Flagged<T>, b: Flagged<T>) -> Flagged<T> {
        let difference = a.0 - b.0;
        self.result([a, b], (difference, a.0.saturating_sub(b.0).differs(difference)), |a, b| {
            (is_end(a).select(a, opposite(b)), is_end(a) & is_end(b) & a.equals(b))
        })
    }

    fn product(&self, a: Flagged<T>, b: Flagged<T>) -> Flagged<T> {
        let product = a.0 * b.0;
        let sign = product.lt(T::ZERO).select(!Value::from(T::ZERO), T::ZERO);
        self.result([a, b], (product, a.0.mul_high(b.0).differs(sign)), |a, b| {
            let is_below = a.lt(T::ZERO) ^ b.lt(T::ZERO);
            (is_below.select(T::LEAST, T::GREATEST), a.equals(T::ZERO) | b.equals(T::ZERO))
        })
    }
}

/// The other end of the type.
fn opposite<T: Integer + Numeric>(a: Value<T>) -> Value<T> {
    a.equals(T::LEAST).select(T::GREATEST, T::LEAST)
}

impl<T: Numeric + Checked> Arithmetic for Symbols<T> {
    type Value = Flagged<T>;

    fn number(&self, text: &str) -> Option<Flagged<T>> {
        // What the type has not was refused.
        let number = if text == "inf" { T::GREATEST } else { T::parse(text)? };
        Some((number.into(), false.into()))
    }

    fn variable(&self, name: char) -> Flagged<T> {
        let of_place = |place: Value<u64>| {
            let most = Value::from(T::GREATEST).to::<u64>();
            (place.to::<T>(), if self.is_infinite { place.ge(most) } else { place.gt(most) })
        };
        match name {
            'a' => self.a,
            'b' => self.b,
            'x' => of_place(self.place.0),
            _ => of_place(self.place.1),
        }
    }

    fn negative(&self, a: Flagged<T>) -> Flagged<T> {
        self.difference((T::ZERO.into(), false.into()), a)
    }

    fn binary(&self, operator: char, a: Flagged<T>, b: Flagged<T>) -> Flagged<T> {
        match operator {
            '+' => self.sum(a, b),
            '-' => self.difference(a, b),
            // Integers do not divide, which was refused.
            _ => self.product(a, b),
        }
    }

    fn call(&self, function: Function, a: Flagged<T>, b: Flagged<T>) -> Flagged<T> {
        match function {
            Function::Min => (a.0.min(b.0), a.1 | b.1),
            Function::Max => (a.0.max(b.0), a.1 | b.1),
            Function::Abs => {
                let negative = self.negative(a);
                let is_below = a.0.lt(T::ZERO);
                (is_below.select(negative.0, a.0), is_below.select(negative.1, a.1))
            }
        }
    }

    fn select(&self, comparison: Comparison, [a, b, yes, no]: [Flagged<T>; 4]) -> Flagged<T> {
        let holds = comparison.of_values(a.0, b.0);
        (holds.select(yes.0, no.0), a.1 | b.1 | holds.select(yes.1, no.1))
    }
}
