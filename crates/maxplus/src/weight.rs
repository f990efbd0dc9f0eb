//! Weights of arcs: integers and floating-point numbers with an epsilon that no sum of weights becomes (paper 004, section 4.4).

use std::fmt::{Debug, Display};

use manycore_field::Tropical;

use crate::path_sum::PathSum;
use crate::spectral::ratio::RatioNumber;

/// A type of weights: `i32`, `i64`, `f32`, `f64`.
///
/// Epsilon is [`Tropical::LOWEST`] where a matrix has entries for all pairs of nodes: the least integer, `-inf`. While the star is
/// computed, epsilon is [`Weight::ABSENT`], to which weights are added without a test: of integers a number so low that no path with
/// it comes near one without, of which [`Weight::is_bounded`] makes sure before.
pub trait Weight: Tropical + Debug + Display {
    /// The accumulator of sums of weights: 128-bit integers, which hold all of them, or the type of the weights.
    type Sum: PathSum;

    /// A type that devices compute with and that holds all sums of weights of this one, where there is one ([`Weight::HAS_WIDER`]): of
    /// 64 bits for integers of 32.
    type Wider: Weight;

    /// Whether [`Weight::Wider`] is another type.
    const HAS_WIDER: bool;

    /// What cycle means and eigenvectors are computed in: integers of 128 bits, or double precision.
    type Exact: RatioNumber;
    /// Epsilon in the midst of a computation: twice of it is a number.
    const ABSENT: Self;
    /// Whether sums are exact.
    const IS_EXACT: bool;

    /// The sum; of integers modulo `2^bits`, which bounded weights never reach.
    #[must_use]
    fn plus(self, other: Self) -> Self;

    /// The greater of two numbers.
    #[must_use]
    fn longer(self, other: Self) -> Self;

    /// The number with the other sign; 0 has none.
    #[must_use]
    fn opposite(self) -> Self;

    /// Whether every sum of `count` weights of absolute value at most `largest` differs from [`Weight::ABSENT`].
    fn is_bounded(count: usize, largest: Self) -> bool;

    /// Whether an entry of a computation stands for epsilon.
    fn is_absent(self) -> bool;

    /// The size, saturating.
    #[must_use]
    fn size(self) -> Self;

    /// Bits of the mantissa of floating point; all but the sign of integers.
    const MANTISSA_BITS: u32;

    /// The odd mantissa and the exponent of two that make the number; 0 and 0 of 0.
    fn parts(self) -> (i64, i32);

    /// The exponent of two of half a unit in the last place, by which a number that is no integer may be off as it was written or
    /// computed; `None` of integers, which count as exact.
    fn half_unit(self) -> Option<i32>;

    /// The weight as a sum of one.
    fn sum(self) -> Self::Sum;

    /// The weight of a path; `None` where the type does not hold it.
    fn from_sum(sum: Self::Sum) -> Option<Self>;

    /// The weight as a number of cycle means.
    fn exact(self) -> Self::Exact;

    /// The integer; `None` of floating point.
    fn integer(self) -> Option<i128>;

    /// The nearest double.
    fn real(self) -> f64;

    /// The number of an integer; `None` where the type has none, or is of floating point.
    fn from_integer(value: i128) -> Option<Self>;

    /// The nearest number to a double; `None` of integers, and where it is none.
    fn from_real(value: f64) -> Option<Self>;
}

macro_rules! integers {
    ($($word:ty, $absent:expr, $has_wider:expr;)*) => {$(
        impl Weight for $word {
            type Sum = i128;
            type Wider = i64;
            const HAS_WIDER: bool = $has_wider;
            type Exact = i128;
            const ABSENT: Self = $absent;
            const IS_EXACT: bool = true;

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }

            #[inline(always)]
            fn longer(self, other: Self) -> Self {
                self.max(other)
            }

            fn opposite(self) -> Self {
                self.wrapping_neg()
            }

            fn is_bounded(count: usize, largest: Self) -> bool {
                // Paths stay above half of ABSENT, and paths with an epsilon below it.
                (count as i128) * i128::from(largest) < -i128::from($absent) / 2
            }

            #[inline(always)]
            fn is_absent(self) -> bool {
                self < $absent / 2
            }

            fn size(self) -> Self {
                self.saturating_abs()
            }

            const MANTISSA_BITS: u32 = Self::BITS - 1;

            fn parts(self) -> (i64, i32) {
                let zeros = if self == 0 { 0 } else { self.trailing_zeros() };
                ((self >> zeros).into(), zeros.cast_signed())
            }

            fn half_unit(self) -> Option<i32> {
                None
            }

            fn sum(self) -> i128 {
                self.into()
            }

            fn from_sum(sum: i128) -> Option<Self> {
                Self::from_integer(sum)
            }

            fn exact(self) -> i128 {
                self.into()
            }

            fn integer(self) -> Option<i128> {
                Some(self.into())
            }

            fn real(self) -> f64 {
                self as f64
            }

            fn from_integer(value: i128) -> Option<Self> {
                value.try_into().ok().filter(|&value: &Self| value.is_number())
            }

            fn from_real(_: f64) -> Option<Self> {
                None
            }
        }
    )*};
}

integers! { i32, -(1i32 << 30), true; i64, -(1i64 << 62), false; }

macro_rules! reals {
    ($($word:ty)*) => {$(
        impl Weight for $word {
            type Sum = Self;
            type Wider = Self;
            const HAS_WIDER: bool = false;
            type Exact = f64;
            const ABSENT: Self = Self::NEG_INFINITY;
            const IS_EXACT: bool = false;

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self + other
            }

            #[inline(always)]
            fn longer(self, other: Self) -> Self {
                if other > self { other } else { self }
            }

            fn opposite(self) -> Self {
                0.0 - self
            }

            fn is_bounded(count: usize, largest: Self) -> bool {
                (count as Self) * largest < Self::MAX / 2.0
            }

            #[inline(always)]
            fn is_absent(self) -> bool {
                self == Self::NEG_INFINITY
            }

            fn size(self) -> Self {
                self.abs()
            }

            const MANTISSA_BITS: u32 = Self::MANTISSA_DIGITS;

            fn parts(self) -> (i64, i32) {
                // Numbers of single precision are normal in double precision.
                let bits = f64::from(self).to_bits();
                let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i32, (bits & ((1 << 52) - 1)).cast_signed());
                let (size, exponent) =
                    if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
                if size == 0 {
                    return (0, 0);
                }
                let zeros = size.trailing_zeros();
                let mantissa = size >> zeros;
                (if self < 0.0 { -mantissa } else { mantissa }, exponent + zeros.cast_signed())
            }

            fn half_unit(self) -> Option<i32> {
                let (mantissa, exponent) = self.parts();
                let top = exponent + 64 - mantissa.unsigned_abs().leading_zeros().cast_signed();
                let last = (top - Self::MANTISSA_DIGITS.cast_signed())
                    .max(Self::MIN_EXP - Self::MANTISSA_DIGITS.cast_signed());
                (exponent < 0).then_some(last - 1)
            }

            fn sum(self) -> Self {
                self
            }

            fn from_sum(sum: Self) -> Option<Self> {
                Some(sum).filter(|sum| sum.is_finite())
            }

            fn exact(self) -> f64 {
                self.into()
            }

            fn integer(self) -> Option<i128> {
                None
            }

            fn real(self) -> f64 {
                f64::from(self)
            }

            fn from_integer(_: i128) -> Option<Self> {
                None
            }

            fn from_real(value: f64) -> Option<Self> {
                Some(value as Self).filter(|value| value.is_finite())
            }
        }
    )*};
}

reals! { f32 f64 }
