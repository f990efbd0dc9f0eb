//! Types of entries of programs, with the second computation's arithmetic: of integers exactly, of numbers as they are rounded.

use super::expression::{Arithmetic, Comparison, Function};
use super::text::Fold;
use crate::error::SemiringError;
use crate::operations::check::{Plain, Real, told};
use crate::operations::exact::{ABOVE, Domain, Exact};
use crate::operations::kind::{Kind, numbers, wrapping};
use crate::reduce::Reduction;
use crate::semiring::Semiring;

/// A type of entries that programs have, with its arithmetic.
pub trait Numeric: Plain {
    /// What the second computation has for an entry.
    type Second: Copy + PartialEq;

    /// An entry that is given; `None` of what passed its type.
    fn second(domain: &Domain, entry: Option<Self>) -> Self::Second;
    /// The second computation's text.
    fn told(second: Self::Second) -> String;
    /// Whether two are the same, by the bits.
    fn are_same(a: Self::Second, b: Self::Second) -> bool;
    /// The number that a text of a function says; `None` where the type has none.
    fn number(domain: &Domain, text: &str) -> Option<Self::Second>;
    /// A row or a column.
    fn of_place(domain: &Domain, place: u64) -> Self::Second;
    /// `-a`.
    fn negative(domain: &Domain, a: Self::Second) -> Self::Second;
    /// `a + b`, `a - b`, `a * b` or `a / b`; integers do not divide.
    fn binary(domain: &Domain, operator: char, a: Self::Second, b: Self::Second) -> Self::Second;
    /// The least, the greatest or the size.
    fn call(domain: &Domain, function: Function, a: Self::Second, b: Self::Second) -> Self::Second;
    /// The third where the first two compare so, else the fourth.
    fn select(comparison: Comparison, of: [Self::Second; 4]) -> Self::Second;
    /// The entry of a product of these pairs.
    fn entry(
        domain: &Domain,
        kind: Kind,
        pairs: &mut dyn Iterator<Item = (Self::Second, Self::Second)>,
    ) -> Self::Second;
    /// The sum of a line.
    fn fold(domain: &Domain, fold: Fold, line: &mut dyn Iterator<Item = Self::Second>) -> Self::Second;

    /// A semiring that computes with words of the type.
    ///
    /// # Errors
    /// None that is known: the laws hold.
    fn on_words(kind: Kind) -> Result<Semiring<Self, Self, Self>, SemiringError>;
    /// Sums of words.
    ///
    /// # Errors
    /// None that is known: the laws hold.
    fn plus() -> Result<Reduction<Self>, SemiringError>;
}

macro_rules! integers {
    ($($word:ty)*) => {$(
        impl Numeric for $word {
            type Second = Exact;

            fn second(domain: &Domain, entry: Option<Self>) -> Exact {
                entry.map(|entry| domain.of(entry.into()))
            }

            fn told(second: Exact) -> String {
                told(second)
            }

            fn are_same(a: Exact, b: Exact) -> bool {
                a == b
            }

            fn number(domain: &Domain, text: &str) -> Option<Exact> {
                if text == "inf" {
                    return domain.is_infinite.then_some(Some(ABOVE));
                }
                let number: Self = text.parse().ok()?;
                domain.held(number.into()).map(Some)
            }

            fn of_place(domain: &Domain, place: u64) -> Exact {
                domain.held(place.into())
            }

            fn negative(domain: &Domain, a: Exact) -> Exact {
                domain.negative(a?)
            }

            fn binary(domain: &Domain, operator: char, a: Exact, b: Exact) -> Exact {
                match operator {
                    '+' => domain.sum(a?, b?),
                    '-' => domain.difference(a?, b?),
                    '*' => domain.product(a?, b?),
                    _ => None,
                }
            }

            fn call(domain: &Domain, function: Function, a: Exact, b: Exact) -> Exact {
                match function {
                    Function::Min => Some(a?.min(b?)),
                    Function::Max => Some(a?.max(b?)),
                    Function::Abs => if a? < 0 { domain.negative(a?) } else { a },
                }
            }

            fn select(comparison: Comparison, [a, b, yes, no]: [Exact; 4]) -> Exact {
                if comparison.holds(&a?, &b?) { yes } else { no }
            }

            fn entry(domain: &Domain, kind: Kind, pairs: &mut dyn Iterator<Item = (Exact, Exact)>) -> Exact {
                domain.entry(kind, pairs)
            }

            fn fold(domain: &Domain, fold: Fold, line: &mut dyn Iterator<Item = Exact>) -> Exact {
                let (kind, one) = match fold {
                    Fold::Sum => (Kind::PlusTimes, 1),
                    Fold::Max => (Kind::MaxMin, domain.zero(Kind::MinMax)),
                    Fold::Min => (Kind::MinMax, domain.zero(Kind::MaxMin)),
                };
                domain.entry(kind, &mut line.map(|entry| (entry, Some(one))))
            }

            fn on_words(kind: Kind) -> Result<Semiring<Self, Self, Self>, SemiringError> {
                wrapping(kind)
            }

            fn plus() -> Result<Reduction<Self>, SemiringError> {
                Reduction::wrapping_plus()
            }
        }
    )*};
}

integers! { i32 i64 }

macro_rules! reals {
    ($($word:ty)*) => {$(
        impl Numeric for $word {
            type Second = Self;

            fn second(_: &Domain, entry: Option<Self>) -> Self {
                entry.unwrap_or(Self::NAN)
            }

            fn told(second: Self) -> String {
                second.to_string()
            }

            fn are_same(a: Self, b: Self) -> bool {
                a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
            }

            fn number(_: &Domain, text: &str) -> Option<Self> {
                if text == "inf" { Some(Self::INFINITY) } else { text.parse().ok() }
            }

            fn of_place(_: &Domain, place: u64) -> Self {
                place as Self
            }

            fn negative(_: &Domain, a: Self) -> Self {
                -a
            }

            fn binary(_: &Domain, operator: char, a: Self, b: Self) -> Self {
                match operator {
                    '+' => a + b,
                    '-' => a - b,
                    '*' => a * b,
                    _ => a / b,
                }
            }

            fn call(_: &Domain, function: Function, a: Self, b: Self) -> Self {
                match function {
                    Function::Min => Real::sum(Kind::MinPlus, a, b),
                    Function::Max => Real::sum(Kind::MaxPlus, a, b),
                    Function::Abs => a.abs(),
                }
            }

            fn select(comparison: Comparison, [a, b, yes, no]: [Self; 4]) -> Self {
                if comparison.holds(&a, &b) { yes } else { no }
            }

            fn entry(_: &Domain, kind: Kind, pairs: &mut dyn Iterator<Item = (Self, Self)>) -> Self {
                let zero = numbers::<Self>(kind).map_or(0.0, |semiring| semiring.zero());
                pairs.fold(zero, |sum, (a, b)| Real::sum(kind, sum, <Self as Real>::product(kind, a, b)))
            }

            fn fold(_: &Domain, fold: Fold, line: &mut dyn Iterator<Item = Self>) -> Self {
                let (kind, zero) = match fold {
                    Fold::Sum => (Kind::PlusTimes, 0.0),
                    Fold::Max => (Kind::MaxPlus, Self::NEG_INFINITY),
                    Fold::Min => (Kind::MinPlus, Self::INFINITY),
                };
                line.fold(zero, |sum, entry| Real::sum(kind, sum, entry))
            }

            fn on_words(kind: Kind) -> Result<Semiring<Self, Self, Self>, SemiringError> {
                numbers(kind)
            }

            fn plus() -> Result<Reduction<Self>, SemiringError> {
                Reduction::plus()
            }
        }
    )*};
}

reals! { f32 f64 }

/// The second computation's entries at a place.
pub(crate) struct At<'a, T: Numeric> {
    pub(crate) domain: &'a Domain,
    pub(crate) a: T::Second,
    pub(crate) b: T::Second,
    pub(crate) place: (u64, u64),
}

impl<'a, T: Numeric> At<'a, T> {
    /// At the first place, of zeros.
    pub(crate) fn origin(domain: &'a Domain) -> Self {
        let zero = T::second(domain, Some(T::ZERO));
        Self { domain, a: zero, b: zero, place: (0, 0) }
    }
}

impl<T: Numeric> Arithmetic for At<'_, T> {
    type Value = T::Second;

    fn number(&self, text: &str) -> Option<T::Second> {
        T::number(self.domain, text)
    }

    fn variable(&self, name: char) -> T::Second {
        match name {
            'a' => self.a,
            'b' => self.b,
            'x' => T::of_place(self.domain, self.place.0),
            _ => T::of_place(self.domain, self.place.1),
        }
    }

    fn negative(&self, a: T::Second) -> T::Second {
        T::negative(self.domain, a)
    }

    fn binary(&self, operator: char, a: T::Second, b: T::Second) -> T::Second {
        T::binary(self.domain, operator, a, b)
    }

    fn call(&self, function: Function, a: T::Second, b: T::Second) -> T::Second {
        T::call(self.domain, function, a, b)
    }

    fn select(&self, comparison: Comparison, of: [T::Second; 4]) -> T::Second {
        T::select(comparison, of)
    }
}
