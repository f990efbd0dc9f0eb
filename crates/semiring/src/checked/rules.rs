//! Semirings of integers by their operations: on words, on exact integers, and on integers with whether they passed their type.

use manycore_expressions::{Elements, Function, Value};

use super::words::Checked;
use crate::error::SemiringError;
use crate::semiring::Semiring;

/// A sum and a product of integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    PlusTimes,
    MaxPlus,
    MinPlus,
    MaxTimes,
    MaxMin,
    MinMax,
    OrAnd,
}

type V<T> = Value<T>;
pub(super) type Sums<T> = <<T as super::sealed::Exact>::Sum as Elements>::Values;
/// Operations on exact integers.
pub(super) type Exactly<T> = Semiring<T, T, <T as super::sealed::Exact>::Sum>;
/// An integer, and whether it, or what it is made of, passed its type.
pub(crate) type Flagged<T> = (T, bool);
/// An exact integer, and whether what it is made of passed its type.
type FlaggedSum<T> = (<T as super::sealed::Exact>::Sum, bool);
type FlaggedValues<T> = (V<T>, V<bool>);
type FlaggedSums<T> = (Sums<T>, V<bool>);
/// A matrix of integers with flags.
type Ones<T> = Function<(u64, u64), Flagged<T>>;
/// Operations on integers with flags.
type OfFlags<T, S> = Semiring<Flagged<T>, Flagged<T>, S>;

/// A semiring of integers whose results are exact: [`CheckedSemiring::multiply`], [`Products::multiply_checked`] and
/// [`Computation::product_checked`] refuse what its type does not hold, and nothing wraps around.
///
/// In `max_plus` and `min_plus` the ends of a type with a sign stand for infinities: sums with the one that is the sum of nothing
/// are that one, sums with the other one are the other one, and no sum of two integers is an end. Of types without a sign 0 is an integer in
/// `min_plus`, and stands for minus infinity in `max_plus`.
///
/// [`Products::multiply_checked`]: crate::Products::multiply_checked
/// [`Computation::product_checked`]: crate::Computation::product_checked
#[derive(Debug, Clone)]
pub struct CheckedSemiring<T: Checked> {
    rule: Rule,
    /// Whether the least and the greatest integer of the type are infinities.
    infinities: (bool, bool),
    /// Operations modulo 2^bits.
    plain: Semiring<T, T, T>,
}

macro_rules! constructors {
    ($($(#[$meta:meta])* pub fn $name:ident = $rule:ident;)*) => {$(
        $(#[$meta])*
        ///
        /// # Errors
        /// None that is known: the laws hold.
        pub fn $name() -> Result<Self, SemiringError> {
            Self::of(Rule::$rule)
        }
    )*};
}

impl<T: Checked> CheckedSemiring<T> {
    constructors! {
        /// Sums of products: the ring of integers.
        #[inline(never)]
        pub fn plus_times = PlusTimes;
        /// Maxima of sums: longest paths. The least integer stands for minus infinity, and absorbs.
        #[inline(never)]
        pub fn max_plus = MaxPlus;
        /// Minima of sums: shortest paths. The greatest integer stands for infinity, and absorbs.
        #[inline(never)]
        pub fn min_plus = MinPlus;
        /// Maxima of products: likeliest paths. The sum of nothing is the least integer.
        #[inline(never)]
        pub fn max_times = MaxTimes;
        /// Maxima of minima: widest paths.
        #[inline(never)]
        pub fn max_min = MaxMin;
        /// Minima of maxima: paths whose worst arc is best.
        #[inline(never)]
        pub fn min_max = MinMax;
        /// Unions of intersections, bit by bit.
        #[inline(never)]
        pub fn or_and = OrAnd;
    }

    fn of(rule: Rule) -> Result<Self, SemiringError> {
        let infinities = match rule {
            Rule::MaxPlus => (true, true),
            Rule::MinPlus => (T::IS_SIGNED, true),
            _ => (false, false),
        };
        let plain = match rule {
            Rule::PlusTimes => Semiring::wrapping_plus_times(),
            Rule::MaxPlus => Semiring::wrapping_max_plus(),
            Rule::MinPlus => Semiring::wrapping_min_plus(),
            Rule::MaxTimes => Semiring::wrapping_max_times(),
            Rule::MaxMin => Semiring::max_min(),
            Rule::MinMax => Semiring::min_max(),
            Rule::OrAnd => Semiring::or_and(),
        }?;
        Ok(Self { rule, infinities, plain })
    }

    pub(super) fn rule(&self) -> Rule {
        self.rule
    }

    /// Whether the least and the greatest integer of the type are infinities.
    pub(super) fn infinities(&self) -> (bool, bool) {
        self.infinities
    }

    /// Whether ends of the type are infinities.
    pub(super) fn has_infinities(&self) -> bool {
        self.infinities.0 || self.infinities.1
    }

    /// Operations on words, right where nothing passes its type and no entry is infinite.
    pub(super) fn plain(&self) -> &Semiring<T, T, T> {
        &self.plain
    }

    /// Whether no result can pass its type, whatever the operands are.
    pub(super) fn is_closed(&self) -> bool {
        matches!(self.rule, Rule::MaxMin | Rule::MinMax | Rule::OrAnd)
    }

    fn is_end(&self, a: V<T>) -> V<bool> {
        let (below, above) = self.infinities;
        (V::from(below) & a.equals(T::LEAST)) | (V::from(above) & a.equals(T::GREATEST))
    }

    /// Operations on words where infinities may be among them; of maxima and minima of sums those that pass the type end at its end where
    /// `saturates`, or beside it where that is an infinity, which comes from infinities alone.
    pub(super) fn keeping(&self, saturates: bool) -> Result<Semiring<T, T, T>, SemiringError> {
        // Also of unsigned integers, of which it is added modulo 2^bits.
        let minus_one = || !V::from(T::ZERO);
        let (none, other) = match self.rule {
            Rule::MaxPlus => (T::LEAST, T::GREATEST),
            Rule::MinPlus => (T::GREATEST, T::LEAST),
            // Products that pass the type, too, are greatest or least.
            Rule::MaxTimes if saturates => {
                let product = Function::new(|(a, b): (V<T>, V<T>)| {
                    let word = a * b;
                    let sign =
                        if T::IS_SIGNED { word.lt(T::ZERO).select(!V::from(T::ZERO), T::ZERO) } else { T::ZERO.into() };
                    let end = (a.lt(T::ZERO) ^ b.lt(T::ZERO)).select(T::LEAST, T::GREATEST);
                    a.mul_high(b).equals(sign).select(word, end)
                })?;
                return Semiring::new(product, self.plain.sum().clone(), self.plain.zero());
            }
            _ => return Ok(self.plain.clone()),
        };
        let product = Function::new(|(a, b): (V<T>, V<T>)| {
            let sum = if saturates { a.saturating_add(b) } else { a + b };
            let has_other = self.infinities == (true, true);
            let beside =
                if self.rule == Rule::MaxPlus { V::from(other) + minus_one() } else { V::from(other) - minus_one() };
            let finite = if saturates && has_other { sum.equals(other).select(beside, sum) } else { sum };
            let kept = if has_other { (a.equals(other) | b.equals(other)).select(other, finite) } else { sum };
            (a.equals(none) | b.equals(none)).select(none, kept)
        })?;
        Semiring::new(product, self.plain.sum().clone(), self.plain.zero())
    }

    /// Of products of signed integers, where they are maximized, whether one is the least integer: -1, and 0 of those that are not, below
    /// it or not. Products below it end there ([`CheckedSemiring::keeping`]), and are no maximum beside it.
    pub(super) fn least_products(&self) -> Result<Option<Semiring<T, T, T>>, SemiringError> {
        if self.rule != Rule::MaxTimes || !T::IS_SIGNED {
            return Ok(None);
        }
        let is_least = Function::new(|(a, b): (V<T>, V<T>)| {
            let minus_one = !V::from(T::ZERO);
            ((a * b).equals(T::LEAST) & a.mul_high(b).equals(minus_one)).select(minus_one, T::ZERO)
        })?;
        let least = Function::new(|(a, b): (V<T>, V<T>)| b.lt(a).select(b, a))?;
        Ok(Some(Semiring::new(is_least, least, T::GREATEST)?))
    }

    /// The product of two integers, exactly.
    fn product(&self, a: V<T>, b: V<T>) -> Sums<T> {
        let sum = |infinite: (T, T::Sum), other: (T, T::Sum), has_other: bool| {
            let held = T::plus(a, b);
            let is_other = V::from(has_other) & (a.equals(other.0) | b.equals(other.0));
            let held = is_other.select_elements::<T::Sum>(constant::<T>(other.1), held);
            let is_none = a.equals(infinite.0) | b.equals(infinite.0);
            is_none.select_elements::<T::Sum>(constant::<T>(infinite.1), held)
        };
        let (below, above) = ((T::LEAST, T::BELOW), (T::GREATEST, T::ABOVE));
        match self.rule {
            Rule::MaxPlus => sum(below, above, self.infinities.1),
            Rule::MinPlus => sum(above, below, self.infinities.0),
            _ => T::product(a, b),
        }
    }

    fn sum(&self, a: Sums<T>, b: Sums<T>) -> Sums<T> {
        match self.rule {
            Rule::PlusTimes => T::sum(a, b),
            Rule::MinPlus => T::is_less(b, a).select_elements::<T::Sum>(b, a),
            _ => T::is_less(a, b).select_elements::<T::Sum>(b, a),
        }
    }

    fn exact_zero(&self) -> T::Sum {
        match self.rule {
            Rule::PlusTimes => T::NULL,
            Rule::MinPlus => T::ABOVE,
            _ => T::BELOW,
        }
    }

    /// Operations on exact integers, of those that may pass their type.
    pub(super) fn exact(&self) -> Result<Exactly<T>, SemiringError> {
        let product = Function::<(T, T), T::Sum>::new(|(a, b): (V<T>, V<T>)| self.product(a, b))?;
        let sum = Function::<(T::Sum, T::Sum), T::Sum>::new(|(a, b): (Sums<T>, Sums<T>)| self.sum(a, b))?;
        Semiring::new(product, sum, self.exact_zero())
    }

    /// The integer of a type that an exact one is, and whether it passes the type.
    pub(super) fn narrowed(&self, sum: Sums<T>) -> (V<T>, V<bool>) {
        let equals = |infinity: T::Sum| {
            let infinity = constant::<T>(infinity);
            !(T::is_less(sum, infinity) | T::is_less(infinity, sum))
        };
        let (word, is_whole) = T::word(sum);
        let is_held = is_whole & !self.is_end(word);
        match self.rule {
            Rule::PlusTimes => (word, !is_held),
            _ => (word, !(is_held | equals(T::BELOW) | equals(T::ABOVE))),
        }
    }

    /// [`CheckedSemiring::narrowed`] of numbers.
    pub(super) fn narrow(&self, sum: T::Sum) -> Option<T> {
        let (word, is_whole) = T::held(sum);
        let is_end = (self.infinities.0 && word == T::LEAST) || (self.infinities.1 && word == T::GREATEST);
        let is_infinite = self.rule != Rule::PlusTimes && (sum == T::BELOW || sum == T::ABOVE);
        (is_infinite || (is_whole && !is_end)).then_some(word)
    }

    /// Operations on integers that may have passed their type before: the sum is exact, and flagged where one of them was but
    /// where the other factor makes it nothing.
    pub(crate) fn flagged(&self) -> Result<OfFlags<T, FlaggedSum<T>>, SemiringError> {
        let product = Function::<(Flagged<T>, Flagged<T>), FlaggedSum<T>>::new(
            |(a, b): (FlaggedValues<T>, FlaggedValues<T>)| (self.product(a.0, b.0), self.is_past(a, b)),
        )?;
        let sum = Function::<(FlaggedSum<T>, FlaggedSum<T>), FlaggedSum<T>>::new(
            |((a, f), (b, g)): (FlaggedSums<T>, FlaggedSums<T>)| (self.sum(a, b), f | g),
        )?;
        Semiring::new(product, sum, (self.exact_zero(), false))
    }

    /// What [`CheckedSemiring::flagged`] makes as integers of the type.
    pub(crate) fn narrowing(&self) -> Result<Function<FlaggedSum<T>, Flagged<T>>, SemiringError> {
        Ok(Function::new(|(sum, was_past): (Sums<T>, V<bool>)| {
            let (word, is_past) = self.narrowed(sum);
            (word, was_past | is_past)
        })?)
    }

    /// [`CheckedSemiring::flagged`] of operations whose results are of their type.
    pub(crate) fn flagged_closed(&self) -> Result<OfFlags<T, Flagged<T>>, SemiringError> {
        let product =
            Function::<(Flagged<T>, Flagged<T>), Flagged<T>>::new(|(a, b): (FlaggedValues<T>, FlaggedValues<T>)| {
                (self.plain.product().of((a.0, b.0)), self.is_past(a, b))
            })?;
        let sum = Function::<(Flagged<T>, Flagged<T>), Flagged<T>>::new(
            |((a, f), (b, g)): (FlaggedValues<T>, FlaggedValues<T>)| (self.plain.sum().of((a, b)), f | g),
        )?;
        Semiring::new(product, sum, (self.plain.zero(), false))
    }

    /// A semiring of these sums, and a matrix whose products with another one over it are its entries. In `max_plus` integers without a sign
    /// have no neutral factor, as 0 is minus infinity: maxima are sums of `max_min` too, which has one in every type.
    pub(crate) fn sums_of_lines(&self) -> Result<(Self, Ones<T>), SemiringError> {
        let (rule, one) = match self.rule {
            Rule::PlusTimes => (Rule::PlusTimes, T::from_bits(1)),
            Rule::MaxPlus | Rule::MaxTimes | Rule::MaxMin => (Rule::MaxMin, T::GREATEST),
            Rule::MinPlus | Rule::MinMax => (Rule::MinMax, T::LEAST),
            Rule::OrAnd => (Rule::OrAnd, T::from_bits(u64::MAX)),
        };
        Ok((Self::of(rule)?, Function::new(|_: (V<u64>, V<u64>)| (one.into(), false.into()))?))
    }

    /// Whether a product of integers that may have passed their type did, too: not with a factor that is the sum of nothing.
    fn is_past(&self, a: FlaggedValues<T>, b: FlaggedValues<T>) -> V<bool> {
        let is_past = a.1 | b.1;
        if self.rule == Rule::MaxTimes {
            return is_past;
        }
        let is_nothing = |a: FlaggedValues<T>| a.0.equals(self.plain.zero()) & !a.1;
        is_past & !(is_nothing(a) | is_nothing(b))
    }
}

fn constant<T: Checked>(sum: T::Sum) -> Sums<T> {
    let mut bits = Vec::new();
    sum.put_bits(&mut bits);
    T::Sum::constants(&mut bits.into_iter())
}
