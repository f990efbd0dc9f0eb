//! The numbers of `num-traits` as ring values.

use std::marker::PhantomData;

use manycore_device::Word;
use num_traits::{Float, PrimInt, WrappingAdd, WrappingMul, WrappingNeg, WrappingSub};

use crate::algebra::{Field, Ring, Semiring};

/// The integers mod `2^B` in a machine word, signed or not: arithmetic that wraps around.
///
/// ```
/// use manycore_field::{Integers, Semiring};
///
/// assert_eq!(Integers::<i64>::new().power(-3, 3), -27);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Integers<T>(PhantomData<T>);

impl<T> Integers<T> {
    /// The ring over these words.
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<T: Word + PrimInt + WrappingAdd + WrappingMul> Semiring for Integers<T> {
    type Element = T;

    #[inline(always)]
    fn zero(&self) -> T {
        T::zero()
    }

    #[inline(always)]
    fn one(&self) -> T {
        T::one()
    }

    #[inline(always)]
    fn add(&self, a: T, b: T) -> T {
        a.wrapping_add(&b)
    }

    #[inline(always)]
    fn mul(&self, a: T, b: T) -> T {
        a.wrapping_mul(&b)
    }
}

impl<T: Word + PrimInt + WrappingAdd + WrappingSub + WrappingMul + WrappingNeg> Ring for Integers<T> {
    #[inline(always)]
    fn neg(&self, a: T) -> T {
        a.wrapping_neg()
    }

    #[inline(always)]
    fn sub(&self, a: T, b: T) -> T {
        a.wrapping_sub(&b)
    }
}

/// The floating-point numbers of a machine word: a field up to rounding, whose laws hold only approximately.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Reals<T>(PhantomData<T>);

impl<T> Reals<T> {
    /// The field over these words.
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<T: Word + Float> Semiring for Reals<T> {
    type Element = T;

    #[inline(always)]
    fn zero(&self) -> T {
        T::zero()
    }

    #[inline(always)]
    fn one(&self) -> T {
        T::one()
    }

    #[inline(always)]
    fn add(&self, a: T, b: T) -> T {
        a + b
    }

    #[inline(always)]
    fn mul(&self, a: T, b: T) -> T {
        a * b
    }

    fn contains(&self, a: T) -> bool {
        !a.is_nan()
    }
}

impl<T: Word + Float> Ring for Reals<T> {
    #[inline(always)]
    fn neg(&self, a: T) -> T {
        -a
    }

    #[inline(always)]
    fn sub(&self, a: T, b: T) -> T {
        a - b
    }
}

impl<T: Word + Float> Field for Reals<T> {
    fn inverse(&self, a: T) -> Option<T> {
        (a != T::zero()).then(|| a.recip())
    }

    fn characteristic(&self) -> u64 {
        0
    }

    fn div(&self, a: T, b: T) -> Option<T> {
        (b != T::zero()).then(|| a / b)
    }
}
