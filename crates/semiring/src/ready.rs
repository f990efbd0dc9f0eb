//! Semirings that the field knows by name, each a line of expressions.

use std::collections::HashMap;
use std::sync::OnceLock;

use manycore_device::WordType;
use manycore_expressions::{Bits, Elements, Function, Integer, Number, Real, Scalar, Value};

use crate::algebra::Algebra;
use crate::error::SemiringError;
use crate::semiring::Semiring;

/// Numbers with the least and the greatest one, which are identities of maximum and minimum: infinities where there are any.
pub trait Bounded: Number + Elements<Values = Value<Self>> {
    /// The least number, or minus infinity.
    const LEAST: Self;
    /// The greatest number, or infinity.
    const GREATEST: Self;
    /// 0.
    const ZERO: Self;
}

macro_rules! bounded {
    ($($word:ty, $least:expr, $greatest:expr;)*) => {$(
        impl Bounded for $word {
            const LEAST: Self = $least;
            const GREATEST: Self = $greatest;
            const ZERO: Self = 0 as $word;
        }
    )*};
}

bounded! {
    u8, u8::MIN, u8::MAX; u16, u16::MIN, u16::MAX; u32, u32::MIN, u32::MAX; u64, u64::MIN, u64::MAX;
    i8, i8::MIN, i8::MAX; i16, i16::MIN, i16::MAX; i32, i32::MIN, i32::MAX; i64, i64::MIN, i64::MAX;
    f32, f32::NEG_INFINITY, f32::INFINITY; f64, f64::NEG_INFINITY, f64::INFINITY;
}

type V<T> = Value<T>;

/// Both operations written as closures of values; the laws hold, so that they are not tried at each call (30 ms of all semirings).
fn of<T: Scalar + Elements<Values = V<T>>>(
    product: impl FnOnce(V<T>, V<T>) -> V<T>,
    sum: impl FnOnce(V<T>, V<T>) -> V<T>,
    zero: T,
) -> Result<Semiring<T, T, T>, SemiringError> {
    let product = Function::new(|(a, b): (V<T>, V<T>)| product(a, b))?;
    Semiring::lawful(product, Function::new(|(a, b): (V<T>, V<T>)| sum(a, b))?, zero, true)
}

/// Semirings with arithmetic, whose laws hold.
macro_rules! arithmetic {
    ($bound:ident: $($(#[$meta:meta])* pub fn $name:ident = $product:expr, $sum:expr, $zero:ident;)*) => {
        impl<T: Bounded + $bound> Semiring<T, T, T> {
            $(
                $(#[$meta])*
                ///
                /// # Errors
                /// None that is known: the laws hold.
                pub fn $name() -> Result<Self, SemiringError> {
                    of($product, $sum, T::$zero)
                }
            )*
        }
    };
}

arithmetic! {
    Real:
    /// Sums of products: the ring of numbers. Of integers those of [`CheckedSemiring`](crate::CheckedSemiring) are exact, and those of
    /// [`Semiring::wrapping_plus_times`] modulo `2^bits`.
    #[inline(never)]
    pub fn plus_times = |a, b| a * b, |a, b| a + b, ZERO;
    /// Maxima of sums: longest paths. Of integers see [`CheckedSemiring`](crate::CheckedSemiring), [`Semiring::wrapping_max_plus`] and
    /// [`Semiring::max_plus_saturating`].
    #[inline(never)]
    pub fn max_plus = |a, b| a + b, Value::max, LEAST;
    /// Minima of sums: shortest paths. Of integers see [`CheckedSemiring`](crate::CheckedSemiring), [`Semiring::wrapping_min_plus`] and
    /// [`Semiring::min_plus_saturating`].
    #[inline(never)]
    pub fn min_plus = |a, b| a + b, Value::min, GREATEST;
    /// Maxima of products: likeliest paths, over numbers from 0 on. The sum of nothing is minus infinity.
    #[inline(never)]
    pub fn max_times = |a, b| a * b, Value::max, LEAST;
}

arithmetic! {
    Integer:
    /// Sums of products modulo `2^bits`: the ring of words. [`CheckedSemiring`](crate::CheckedSemiring) is that of the integers.
    #[inline(never)]
    pub fn wrapping_plus_times = |a, b| a * b, |a, b| a + b, ZERO;
    /// Maxima of sums modulo `2^bits`, of which minus infinity is none ([`Semiring::max_plus_saturating`] keeps it).
    #[inline(never)]
    pub fn wrapping_max_plus = |a, b| a + b, Value::max, LEAST;
    /// Minima of sums modulo `2^bits`, of which infinity is none ([`Semiring::min_plus_saturating`] keeps it).
    #[inline(never)]
    pub fn wrapping_min_plus = |a, b| a + b, Value::min, GREATEST;
    /// Maxima of products modulo `2^bits`. The sum of nothing is the least integer.
    #[inline(never)]
    pub fn wrapping_max_times = |a, b| a * b, Value::max, LEAST;
}

impl<T: Bounded> Semiring<T, T, T> {
    /// Maxima of minima: widest paths.
    ///
    /// # Errors
    /// None that is known: the laws hold.
    #[inline(never)]
    pub fn max_min() -> Result<Self, SemiringError> {
        of(Value::min, Value::max, T::LEAST)
    }

    /// Minima of maxima: paths whose worst arc is best.
    ///
    /// # Errors
    /// None that is known: the laws hold.
    #[inline(never)]
    pub fn min_max() -> Result<Self, SemiringError> {
        of(Value::max, Value::min, T::GREATEST)
    }
}

impl<T: Bounded + Integer> Semiring<T, T, T> {
    /// Maxima of sums that end at the least and the greatest integer; the least one stands for minus infinity and absorbs.
    /// Sums that end at an end forget by how much they passed it, so that products of three are associative where none does.
    ///
    /// # Errors
    /// None that is known: the laws of the sum hold.
    #[inline(never)]
    pub fn max_plus_saturating() -> Result<Self, SemiringError> {
        let product =
            |a: V<T>, b: V<T>| (a.equals(T::LEAST) | b.equals(T::LEAST)).select(T::LEAST, a.saturating_add(b));
        of(product, Value::max, T::LEAST)
    }

    /// Minima of sums that end at the least and the greatest integer; the greatest one stands for infinity and absorbs.
    ///
    /// # Errors
    /// None that is known: the laws hold.
    #[inline(never)]
    pub fn min_plus_saturating() -> Result<Self, SemiringError> {
        let product =
            |a: V<T>, b: V<T>| (a.equals(T::GREATEST) | b.equals(T::GREATEST)).select(T::GREATEST, a.saturating_add(b));
        of(product, Value::min, T::GREATEST)
    }
}

impl<T: Bits + Elements<Values = V<T>>> Semiring<T, T, T> {
    /// Unions of intersections, bit by bit: reachability; of `bool` that of one graph, of integers of as many as they have bits.
    ///
    /// # Errors
    /// None that is known: the laws hold.
    #[inline(never)]
    pub fn or_and() -> Result<Self, SemiringError> {
        of(|a, b| a & b, |a, b| a | b, T::from_bits(0))
    }

    /// Sums modulo 2 of intersections, bit by bit: the field of two elements.
    ///
    /// # Errors
    /// None that is known: the laws hold.
    #[inline(never)]
    pub fn xor_and() -> Result<Self, SemiringError> {
        of(|a, b| a & b, |a, b| a ^ b, T::from_bits(0))
    }
}

/// Operations that have forms of their own beside the general ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Known {
    PlusTimes,
    MaxPlus,
    MinPlus,
    MaxMin,
    MinMax,
    OrAnd,
}

/// What a semiring is, by its operations and its sum of nothing, whoever wrote it; `None` for all others.
pub(crate) fn known(algebra: &Algebra) -> Option<(Known, WordType)> {
    static KNOWN: OnceLock<HashMap<Algebra, (Known, WordType)>> = OnceLock::new();
    KNOWN.get_or_init(all).get(algebra).copied()
}

fn all() -> HashMap<Algebra, (Known, WordType)> {
    let mut all = HashMap::new();
    macro_rules! add {
        ($kind:ident, $constructor:ident, $($word:ty)*) => {$(
            // A semiring that cannot be made is known to nobody.
            if let Ok(semiring) = Semiring::<$word, $word, $word>::$constructor() {
                all.insert(semiring.algebra().clone(), (Known::$kind, <$word as manycore_device::Word>::TYPE));
            }
        )*};
    }
    add!(PlusTimes, plus_times, f32 f64);
    add!(PlusTimes, wrapping_plus_times, i16 i32 i64 u16 u32 u64);
    add!(MaxPlus, max_plus, f32 f64);
    add!(MaxPlus, wrapping_max_plus, i16 i32 i64);
    add!(MinPlus, min_plus, f32 f64);
    add!(MinPlus, wrapping_min_plus, i16 i32 i64);
    add!(MaxMin, max_min, i16 i32 i64 f32 f64);
    add!(MinMax, min_max, i16 i32 i64 f32 f64);
    add!(OrAnd, or_and, u8 u16 u32 u64);
    all
}

#[cfg(test)]
mod tests {
    use manycore_expressions::Laws;

    use super::*;

    fn is_lawful<T: Elements<Values = V<T>>>(semiring: Result<Semiring<T, T, T>, SemiringError>, name: &str) {
        let semiring = semiring.unwrap();
        let laws = Laws::new(&[semiring.zero()]);
        laws.associative(semiring.sum()).unwrap_or_else(|error| panic!("{name}: {error}"));
        laws.identity(semiring.sum(), semiring.zero()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(laws.commutative(semiring.sum()).is_ok(), semiring.is_commutative(), "{name}");
    }

    macro_rules! lawful {
        ($($word:ident: $($constructor:ident)*;)*) => {
            $($(is_lawful(Semiring::<$word, $word, $word>::$constructor(), stringify!($word $constructor));)*)*
        };
    }

    #[test]
    fn laws_hold_of_every_semiring_with_a_name() {
        lawful! {
            f32: plus_times max_plus min_plus max_times max_min min_max;
            f64: plus_times max_plus min_plus max_times max_min min_max;
            i32: wrapping_plus_times wrapping_max_plus wrapping_min_plus wrapping_max_times max_min min_max
                max_plus_saturating min_plus_saturating or_and xor_and;
            u64: wrapping_plus_times wrapping_max_plus wrapping_min_plus wrapping_max_times max_min min_max
                max_plus_saturating min_plus_saturating or_and xor_and;
            u8: wrapping_plus_times max_min min_max or_and xor_and;
            bool: or_and xor_and;
        }
    }
}
