//! The field mod `2^64 - 2^32 + 1`.

use crate::algebra::{Field, Ring, Semiring};
use crate::modular::{ModularField, inverse_modulo};

/// The integers mod `p = 2^64 - 2^32 + 1`, whose residues fill the 64-bit word.
///
/// Because `2^64 = 2^32 - 1` and `2^96 = -1` mod `p`, a product in two words is reduced by shifts, additions and one small
/// multiplication, and multiplication by powers of two, which are the roots of unity of the orders that divide 192, needs
/// no multiplication. `p - 1 = 2^32 * 3 * 5 * 17 * 257 * 65537`, so transforms of up to `2^32` elements exist.
///
/// ```
/// use manycore_field::{Field, Goldilocks, ModularField, Semiring};
///
/// let field = Goldilocks;
/// assert_eq!(field.mul(1 << 48, 1 << 48), Goldilocks::MODULUS - 1); // 2^96 = -1
/// assert_eq!(field.root_of_unity(1 << 32)?, field.power(7, (1 << 32) - 1));
/// # Ok::<(), manycore_field::NoRoot>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Goldilocks;

/// `2^32 - 1`, which is `2^64` mod `p`.
const EPSILON: u64 = 0xffff_ffff;

impl Goldilocks {
    /// `2^64 - 2^32 + 1`.
    pub const MODULUS: u64 = 0xffff_ffff_0000_0001;

    /// The least primitive root.
    pub const PRIMITIVE_ROOT: u64 = 7;

    /// Any word mod `p`.
    #[inline(always)]
    pub fn reduce(&self, a: u64) -> u64 {
        a.min(a.wrapping_sub(Self::MODULUS))
    }

    /// Any number of 128 bits mod `p`: with 32-bit words `x3 x2 x1 x0` it is `x1 x0 - x3 + x2 (2^32 - 1)`.
    #[inline(always)]
    pub fn reduce_u128(&self, a: u128) -> u64 {
        let (low, high) = (a as u64, (a >> 64) as u64);
        let (mut sum, borrow) = low.overflowing_sub(high >> 32);
        if borrow {
            sum = sum.wrapping_sub(EPSILON); // the borrowed 2^64; sum is above 2^64 - 2^32 here
        }
        let (sum, carry) = sum.overflowing_add((high & EPSILON) * EPSILON);
        // With a carry the sum is below 2^64 - 2^33, so this does not overflow.
        self.reduce(if carry { sum + EPSILON } else { sum })
    }

    /// `a 2^exponent`, for any exponent.
    #[inline(always)]
    pub fn mul_power_of_two(&self, a: u64, exponent: u32) -> u64 {
        let exponent = exponent % 192;
        let shift = exponent % 96;
        let part = self.reduce_u128(u128::from(a) << (shift % 48));
        let shifted = if shift >= 48 { self.reduce_u128(u128::from(part) << 48) } else { part };
        if exponent >= 96 { self.neg(shifted) } else { shifted }
    }
}

impl Semiring for Goldilocks {
    type Element = u64;

    #[inline(always)]
    fn zero(&self) -> u64 {
        0
    }

    #[inline(always)]
    fn one(&self) -> u64 {
        1
    }

    #[inline(always)]
    fn add(&self, a: u64, b: u64) -> u64 {
        // a - (p - b), so that nothing overflows but the difference, which is corrected.
        self.sub(a, Self::MODULUS - b)
    }

    #[inline(always)]
    fn mul(&self, a: u64, b: u64) -> u64 {
        self.reduce_u128(u128::from(a) * u128::from(b))
    }

    fn contains(&self, a: u64) -> bool {
        a < Self::MODULUS
    }

    fn natural(&self, n: u64) -> u64 {
        self.reduce(n)
    }
}

impl Ring for Goldilocks {
    #[inline(always)]
    fn neg(&self, a: u64) -> u64 {
        if a == 0 { 0 } else { Self::MODULUS - a }
    }

    #[inline(always)]
    fn sub(&self, a: u64, b: u64) -> u64 {
        let (difference, borrow) = a.overflowing_sub(b);
        if borrow { difference.wrapping_add(Self::MODULUS) } else { difference }
    }
}

impl Field for Goldilocks {
    fn inverse(&self, a: u64) -> Option<u64> {
        inverse_modulo(a, Self::MODULUS)
    }

    fn characteristic(&self) -> u64 {
        Self::MODULUS
    }
}

impl ModularField for Goldilocks {
    fn order(&self) -> u64 {
        Self::MODULUS
    }

    fn primitive_root(&self) -> u64 {
        Self::PRIMITIVE_ROOT
    }
}
