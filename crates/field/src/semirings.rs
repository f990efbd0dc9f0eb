//! Idempotent semirings: Boolean, max-plus, min-plus, max-times.

use std::marker::PhantomData;

use manycore_device::Word;

use crate::algebra::{Idempotent, Semiring};

/// "Or" and "and" on bytes 0 and 1: relations, reachability.
///
/// Any byte but 0 is read as true; results are 0 or 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Boolean;

impl Semiring for Boolean {
    type Element = u8;

    fn zero(&self) -> u8 {
        0
    }

    fn one(&self) -> u8 {
        1
    }

    #[inline(always)]
    fn add(&self, a: u8, b: u8) -> u8 {
        u8::from(a | b != 0)
    }

    #[inline(always)]
    fn mul(&self, a: u8, b: u8) -> u8 {
        u8::from(a != 0 && b != 0)
    }

    fn contains(&self, a: u8) -> bool {
        a <= 1
    }
}

impl Idempotent for Boolean {}

/// The words of [`MaxPlus`] and [`MinPlus`]: `i32`, `i64`, `f32`, `f64`.
pub trait Tropical: Word + PartialOrd + private::Sealed {
    /// What stands below all numbers: the least integer, `-inf`.
    const LOWEST: Self;
    /// What stands above all numbers: the largest integer, `inf`.
    const HIGHEST: Self;
    /// The number 0.
    const ZERO: Self;

    /// Whether it is a number: neither [`LOWEST`](Self::LOWEST) nor [`HIGHEST`](Self::HIGHEST) nor NaN.
    fn is_number(self) -> bool;

    /// The sum of two numbers, or the number nearest to it where it is beyond all numbers.
    #[must_use]
    fn saturating_sum(self, other: Self) -> Self;

    /// The sum of two numbers where it is a number.
    fn checked_sum(self, other: Self) -> Option<Self>;
}

macro_rules! tropical_integers {
    ($($t:ty)*) => {$(
        impl Tropical for $t {
            const LOWEST: Self = Self::MIN;
            const HIGHEST: Self = Self::MAX;
            const ZERO: Self = 0;

            #[inline(always)]
            fn is_number(self) -> bool {
                self != Self::MIN && self != Self::MAX
            }

            #[inline(always)]
            fn saturating_sum(self, other: Self) -> Self {
                self.saturating_add(other).clamp(Self::MIN + 1, Self::MAX - 1)
            }

            fn checked_sum(self, other: Self) -> Option<Self> {
                self.checked_add(other).filter(|sum| sum.is_number())
            }
        }

        impl private::Sealed for $t {}
    )*};
}

macro_rules! tropical_floats {
    ($($t:ty)*) => {$(
        impl Tropical for $t {
            const LOWEST: Self = Self::NEG_INFINITY;
            const HIGHEST: Self = Self::INFINITY;
            const ZERO: Self = 0.0;

            #[inline(always)]
            fn is_number(self) -> bool {
                self.is_finite()
            }

            #[inline(always)]
            fn saturating_sum(self, other: Self) -> Self {
                (self + other).clamp(Self::MIN, Self::MAX)
            }

            fn checked_sum(self, other: Self) -> Option<Self> {
                Some(self + other).filter(|sum| sum.is_finite())
            }
        }

        impl private::Sealed for $t {}
    )*};
}

tropical_integers!(i32 i64);
tropical_floats!(f32 f64);

macro_rules! tropical_semiring {
    ($(#[$doc:meta])* $name:ident, $epsilon:ident, $better:tt) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
        pub struct $name<T>(PhantomData<T>);

        impl<T: Tropical> $name<T> {
            /// The semiring's zero. No sum of numbers becomes it.
            pub const EPSILON: T = T::$epsilon;

            /// The semiring over these words.
            pub const fn new() -> Self {
                Self(PhantomData)
            }

            /// The product; `None` where it is beyond all numbers, so that [`mul`](Semiring::mul) saturates.
            pub fn checked_mul(&self, a: T, b: T) -> Option<T> {
                if a == T::$epsilon || b == T::$epsilon { Some(T::$epsilon) } else { a.checked_sum(b) }
            }
        }

        impl<T: Tropical> Semiring for $name<T> {
            type Element = T;

            #[inline(always)]
            fn zero(&self) -> T {
                T::$epsilon
            }

            #[inline(always)]
            fn one(&self) -> T {
                T::ZERO
            }

            #[inline(always)]
            fn add(&self, a: T, b: T) -> T {
                if b $better a { b } else { a }
            }

            #[inline(always)]
            fn mul(&self, a: T, b: T) -> T {
                if a == T::$epsilon || b == T::$epsilon { T::$epsilon } else { a.saturating_sum(b) }
            }

            fn natural(&self, n: u64) -> T {
                if n == 0 { T::$epsilon } else { T::ZERO }
            }

            fn contains(&self, a: T) -> bool {
                a.is_number() || a == T::$epsilon
            }
        }

        impl<T: Tropical> Idempotent for $name<T> {}
    };
}

tropical_semiring! {
    /// Maximum and sum: longest paths, schedules. Its zero, epsilon, is the least integer or `-inf`, and exact: it is
    /// neutral for the maximum, absorbs in every sum, and no sum of numbers becomes it.
    ///
    /// The elements are epsilon and the numbers: for integers all but the least and the largest, for floating point the
    /// finite ones. A sum beyond the numbers saturates to the nearest number. The laws hold exactly for integers as long
    /// as no sum saturates, which [`checked_mul`](Self::checked_mul) tells; floating-point sums round besides.
    ///
    /// ```
    /// use manycore_field::{MaxPlus, Semiring};
    ///
    /// let s = MaxPlus::<i32>::new();
    /// assert_eq!(s.add(s.mul(3, 4), s.mul(5, s.zero())), 7);
    /// assert_eq!((s.mul(i32::MIN + 1, -5), s.checked_mul(i32::MIN + 1, -5)), (i32::MIN + 1, None));
    /// ```
    MaxPlus, LOWEST, >
}

tropical_semiring! {
    /// Minimum and sum: shortest paths. [`MaxPlus`] upside down: its zero, epsilon, is the largest integer or `inf`.
    MinPlus, HIGHEST, <
}

/// Maximum and product of numbers that are not negative: most reliable paths, most likely sequences.
///
/// Over `u32` and `u64` products saturate at the largest number, and all laws hold exactly all the same; over `f32` and
/// `f64` they round, to 0 or `inf` at the ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct MaxTimes<T>(PhantomData<T>);

impl<T> MaxTimes<T> {
    /// The semiring over these words.
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

macro_rules! max_times {
    ($($t:ty, $zero:literal, $one:literal, $multiply:expr;)*) => {$(
        impl Semiring for MaxTimes<$t> {
            type Element = $t;

            #[inline(always)]
            fn zero(&self) -> $t {
                $zero
            }

            #[inline(always)]
            fn one(&self) -> $t {
                $one
            }

            #[inline(always)]
            fn add(&self, a: $t, b: $t) -> $t {
                if b > a { b } else { a }
            }

            #[inline(always)]
            fn mul(&self, a: $t, b: $t) -> $t {
                // Zero annihilates inf too.
                if a == $zero || b == $zero { $zero } else { $multiply(a, b) }
            }

            #[allow(unused_comparisons)] // the integers are unsigned
            fn contains(&self, a: $t) -> bool {
                a >= $zero
            }
        }

        impl Idempotent for MaxTimes<$t> {}
    )*};
}

max_times! {
    u32, 0, 1, u32::saturating_mul;
    u64, 0, 1, u64::saturating_mul;
    f32, 0.0, 1.0, std::ops::Mul::mul;
    f64, 0.0, 1.0, std::ops::Mul::mul;
}

mod private {
    pub trait Sealed {}
}
