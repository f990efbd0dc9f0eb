//! Residues of primes below 2^31 in 32-bit words, with Shoup's products.
//!
//! `LOG_RANGE` is the logarithm of the multiple of `p` that fits the word. A product of any word by a factor is below
//! `2 p` (see `manycore_field::Shoup`), so a butterfly adds `2 p` at most to the range of its upper operand:
//!
//! | `LOG_RANGE` | `p` below | forward: on the way | corrected |
//! |---|---|---|---|
//! | 3 | 2^29 | `[0, 8 p)` | the upper operand from `8 p` to `4 p`, at every second level |
//! | 2 | 2^30 | `[0, 4 p)` | the upper operand from `4 p` to `2 p` |
//! | 1 | 2^31 | `[0, 2 p)` | the upper operand and the product from `2 p` to `p` |
//!
//! Backward the values are below `2 p`, and below `p` in the last case.

use manycore_field::simd::vectors::Words;

use super::residues::{Residues, inverse};

/// Shoup's products on vectors `V`.
#[derive(Clone, Copy)]
pub(super) struct Shoup<V: Words, const LOG_RANGE: u32> {
    p: V,
    p2: V,
    p4: V,
    /// `p` as a multiplier, and its inverse modulo `2^32`, for products of two values.
    multiplier: V::Multiplier,
    inverse: V,
}

/// Factors with their quotients by `p`.
#[derive(Clone, Copy)]
pub(super) struct Factor<V: Words> {
    value: V,
    quotient: V::Multiplier,
}

impl<V: Words, const LOG_RANGE: u32> Shoup<V, LOG_RANGE> {
    /// In `[0, 2 p)` for any word.
    #[inline(always)]
    fn product(self, x: V, w: Factor<V>) -> V {
        x.low_product(w.value).minus(x.high_product(w.quotient).low_product(self.p))
    }

    /// From `[0, 2 m)` to `[0, m)`: below `m` the difference wraps to a larger word.
    #[inline(always)]
    fn less(x: V, m: V) -> V {
        x.least(x.minus(m))
    }

    /// The range of [`backward`](Residues::backward): the multiple of `p` that is above every value.
    #[inline(always)]
    fn bound(self) -> V {
        if LOG_RANGE == 1 { self.p } else { self.p2 }
    }

    /// A product in that range.
    #[inline(always)]
    fn bounded_product(self, x: V, w: Factor<V>) -> V {
        let product = self.product(x, w);
        if LOG_RANGE == 1 { Self::less(product, self.p) } else { product }
    }
}

impl<V: Words, const LOG_RANGE: u32> Residues for Shoup<V, LOG_RANGE> {
    type Word = u32;
    type Vector = V;
    type Factor = Factor<V>;
    const LOG_LANES: u32 = V::LOG_LANES;
    const FACTOR_WORDS: usize = 2;
    const ENTERS: bool = false;
    const PRODUCT_SHIFT: u32 = 32;

    #[inline(always)]
    unsafe fn new(p: u32) -> Self {
        // SAFETY: the caller has the instruction set.
        unsafe {
            Self {
                p: V::splat(p),
                p2: V::splat(p << 1),
                p4: V::splat(p.wrapping_shl(2)),
                multiplier: V::splat_multiplier(p),
                inverse: V::splat(inverse(p.into()) as u32),
            }
        }
    }

    #[inline(always)]
    unsafe fn load(self, from: *const u32) -> V {
        // SAFETY: the caller vouches for the words, and `self` for the instruction set.
        unsafe { V::load(from) }
    }

    #[inline(always)]
    unsafe fn store(self, x: V, to: *mut u32) {
        // SAFETY: the caller vouches for the words.
        unsafe { x.store(to) }
    }

    #[inline(always)]
    unsafe fn same_factor(self, from: *const u32) -> Factor<V> {
        // SAFETY: the caller vouches for the words, and `self` for the instruction set.
        unsafe { Factor { value: V::splat(*from), quotient: V::splat_multiplier(*from.add(1)) } }
    }

    #[inline(always)]
    unsafe fn factors(self, from: *const u32) -> Factor<V> {
        // SAFETY: the caller vouches for the words, and `self` for the instruction set.
        unsafe { Factor { value: V::load(from), quotient: V::load(from.add(1 << V::LOG_LANES)).multiplier() } }
    }

    #[inline(always)]
    fn enter(self, x: V) -> V {
        x
    }

    #[inline(always)]
    fn leave(self, x: V) -> V {
        let x = if LOG_RANGE > 2 { Self::less(x, self.p4) } else { x };
        let x = if LOG_RANGE > 1 { Self::less(x, self.p2) } else { x };
        Self::less(x, self.p)
    }

    #[inline(always)]
    fn leave_product(self, x: V) -> V {
        Self::less(x, self.p)
    }

    #[inline(always)]
    fn forward(self, u: V, v: V, w: Factor<V>, level: usize) -> (V, V) {
        if LOG_RANGE == 1 {
            let (u, t) = (Self::less(u, self.p), Self::less(self.product(v, w), self.p));
            return (u.plus(t), u.plus(self.p).minus(t));
        }
        let u = match LOG_RANGE {
            2 => Self::less(u, self.p2),
            _ if level.is_multiple_of(2) => Self::less(u, self.p4),
            _ => u,
        };
        let t = self.product(v, w);
        (u.plus(t), u.plus(self.p2).minus(t))
    }

    #[inline(always)]
    fn forward_first(self, u: V, v: V) -> (V, V) {
        (Self::less(u.plus(v), self.p), u.plus(self.p).minus(v))
    }

    #[inline(always)]
    fn forward_by_one(self, u: V, v: V) -> (V, V) {
        if LOG_RANGE == 1 {
            let (u, v) = (Self::less(u, self.p), Self::less(v, self.p));
            return (u.plus(v), u.plus(self.p).minus(v));
        }
        (u.plus(v), u.plus(self.p2).minus(v))
    }

    #[inline(always)]
    fn backward_by_one(self, u: V, v: V) -> (V, V) {
        let bound = self.bound();
        (Self::less(u.plus(v), bound), Self::less(u.plus(bound).minus(v), bound))
    }

    #[inline(always)]
    fn backward(self, u: V, v: V, w: Factor<V>) -> (V, V) {
        let sum = Self::less(u.plus(v), self.bound());
        (sum, self.bounded_product(u.plus(self.bound()).minus(v), w))
    }

    #[inline(always)]
    fn backward_scaled(self, u: V, v: V, w: Factor<V>, s: Factor<V>) -> (V, V) {
        (self.product(u.plus(v), s), self.product(u.plus(self.bound()).minus(v), w))
    }

    #[inline(always)]
    fn right(self, y: V) -> V {
        self.leave(y)
    }

    /// Montgomery's: the high words of two products whose low words are equal. For any `x` and canonical `y` both are below
    /// `p`.
    #[inline(always)]
    fn product(self, x: V, y: V) -> V {
        let quotient = x.low_product(y).low_product(self.inverse);
        let product = x.high_product(y.multiplier()).plus(self.p).minus(quotient.high_product(self.multiplier));
        if LOG_RANGE == 1 { Self::less(product, self.p) } else { product }
    }

    #[inline(always)]
    fn transpose(self, rows: &mut [V]) {
        V::transpose(rows);
    }
}
