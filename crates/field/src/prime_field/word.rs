//! The words that residues are stored in.

use std::fmt::Display;
use std::hash::Hash;

use manycore_device::Word;
use num_traits::{PrimInt, Unsigned, WrappingAdd, WrappingMul, WrappingNeg, WrappingSub};

/// A word of residues: `u32` or `u64`. The arithmetic is that of `num-traits`, what is added is the product in two
/// words and the quotient by an invariant divisor.
pub trait ResidueWord:
    Word + PrimInt + Unsigned + WrappingAdd + WrappingSub + WrappingMul + WrappingNeg + Hash + Display + Default + 'static
{
    /// The bits of the word, `B` in the bounds of this crate.
    const BITS: u32;

    /// The low bits of a 64-bit word.
    fn from_u64(x: u64) -> Self;

    /// The number as a `u64`.
    fn as_u64(self) -> u64;

    /// The low and the high word of the product.
    fn wide_mul(self, other: Self) -> (Self, Self);

    /// The high word of the product.
    #[inline(always)]
    #[must_use]
    fn high_mul(self, other: Self) -> Self {
        self.wide_mul(other).1
    }

    /// `floor(self * 2^B / modulus)`, for `self < modulus`.
    #[must_use]
    fn shifted_quotient(self, modulus: Self) -> Self;

    /// `self 2^B mod modulus`, for `self < modulus`.
    #[doc(hidden)]
    #[must_use]
    fn shifted_remainder(self, modulus: Self) -> Self {
        self.shifted_quotient(modulus).wrapping_mul(&modulus).wrapping_neg()
    }

    /// What [`reduce_wide`](Self::reduce_wide) multiplies by, for a modulus that is not 0.
    #[doc(hidden)]
    fn reciprocal(modulus: Self) -> u64;

    /// `low + 2^B high` mod the modulus, for `high < modulus`.
    #[doc(hidden)]
    fn reduce_wide(low: Self, high: Self, modulus: Self, reciprocal: u64) -> Self;

    /// `self other` mod the modulus, for `other < modulus`.
    #[doc(hidden)]
    #[must_use]
    fn mul_modulo(self, other: Self, modulus: Self, reciprocal: u64) -> Self;
}

impl ResidueWord for u32 {
    const BITS: u32 = 32;

    #[inline(always)]
    fn from_u64(x: u64) -> Self {
        x as u32
    }

    #[inline(always)]
    fn as_u64(self) -> u64 {
        self.into()
    }

    #[inline(always)]
    fn wide_mul(self, other: Self) -> (Self, Self) {
        let product = u64::from(self) * u64::from(other);
        (product as u32, (product >> 32) as u32)
    }

    #[inline(always)]
    fn shifted_quotient(self, modulus: Self) -> Self {
        ((u64::from(self) << 32) / u64::from(modulus)) as u32
    }

    /// `m = floor((2^64 - 1) / p)`, so `m >= 2^64 / p - 1`.
    fn reciprocal(modulus: Self) -> u64 {
        u64::MAX / u64::from(modulus)
    }

    /// With `q = floor(x m / 2^64)` is `x / p >= q > x / p - x / 2^64 - 1 > x / p - 2`: the remainder is below `2 p`.
    #[inline(always)]
    fn reduce_wide(low: Self, high: Self, modulus: Self, reciprocal: u64) -> Self {
        let x = u64::from(high) << 32 | u64::from(low);
        let remainder = x - x.high_mul(reciprocal) * u64::from(modulus);
        remainder.min(remainder.wrapping_sub(modulus.into())) as u32
    }

    #[inline(always)]
    fn mul_modulo(self, other: Self, modulus: Self, reciprocal: u64) -> Self {
        let (low, high) = self.wide_mul(other);
        Self::reduce_wide(low, high, modulus, reciprocal)
    }
}

impl ResidueWord for u64 {
    const BITS: u32 = 64;

    #[inline(always)]
    fn from_u64(x: u64) -> Self {
        x
    }

    #[inline(always)]
    fn as_u64(self) -> u64 {
        self
    }

    #[inline(always)]
    fn wide_mul(self, other: Self) -> (Self, Self) {
        let product = u128::from(self) * u128::from(other);
        (product as u64, (product >> 64) as u64)
    }

    #[inline(always)]
    fn shifted_quotient(self, modulus: Self) -> Self {
        ((u128::from(self) << 64) / u128::from(modulus)) as u64
    }

    /// `floor((2^128 - 1) / d) - 2^64` for the modulus shifted to its highest bit, `d`.
    fn reciprocal(modulus: Self) -> u64 {
        // The quotient lies in [2^64, 2^65), so that dropping its bit 64 is the subtraction.
        (u128::MAX / u128::from(modulus << modulus.leading_zeros())) as u64
    }

    #[inline(always)]
    fn reduce_wide(low: Self, high: Self, modulus: Self, reciprocal: u64) -> Self {
        let shift = modulus.leading_zeros();
        let dividend = (low << shift, high << shift | low >> 1 >> (63 - shift));
        remainder_by_normalised(dividend, modulus << shift, reciprocal) >> shift
    }

    /// One factor is shifted instead of the product.
    #[inline(always)]
    fn mul_modulo(self, other: Self, modulus: Self, reciprocal: u64) -> Self {
        let shift = modulus.leading_zeros();
        remainder_by_normalised(self.wide_mul(other << shift), modulus << shift, reciprocal) >> shift
    }
}

/// The remainder of two words, low and high, by a divisor with bit 63 that is above the high word, after Möller and
/// Granlund, "Improved division by invariant integers", IEEE Transactions on Computers 60 (2011), algorithm 4.
#[inline(always)]
fn remainder_by_normalised((low, high): (u64, u64), divisor: u64, reciprocal: u64) -> u64 {
    let estimate = u128::from(reciprocal) * u128::from(high) + (u128::from(high) << 64 | u128::from(low));
    let quotient = ((estimate >> 64) as u64).wrapping_add(1);
    let remainder = low.wrapping_sub(quotient.wrapping_mul(divisor));
    let remainder = if remainder > estimate as u64 { remainder.wrapping_add(divisor) } else { remainder };
    remainder.min(remainder.wrapping_sub(divisor))
}
