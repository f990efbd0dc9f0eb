//! Residues of primes below 2^63 in 64-bit words, with Shoup's products.
//!
//! `LOG_RANGE` is the logarithm of the multiple of `p` that fits the word. The quotient is estimated from three of the four
//! partial products of the high product, which leaves products below `4 p`; only primes from 2^62 on, which have no room for
//! that, take all four, which leaves them below `2 p`.
//!
//! | `LOG_RANGE` | `p` below | forward: on the way | corrected |
//! |---|---|---|---|
//! | 4 | 2^60 | `[0, 16 p)` | the upper operand from `16 p` to `8 p`, at every second level |
//! | 2 | 2^62 | `[0, 4 p)` | the upper operand and the product from `4 p` to `2 p` |
//! | 1 | 2^63 | `[0, 2 p)` | the upper operand and the product from `2 p` to `p` |
//!
//! Backward the values are below `4 p`, `2 p` and `p`.

use manycore_field::simd::vectors::WideWords;

use super::residues::{Residues, inverse};

/// Shoup's products on vectors `V`.
#[derive(Clone, Copy)]
pub(super) struct ShoupWide<V, const LOG_RANGE: u32> {
    p: V,
    p2: V,
    p4: V,
    p8: V,
    /// The halves of `p`, and its inverse modulo `2^64`, for products of two values.
    halves: (V, V),
    inverse: V,
}

/// Factors with their quotients by `p`.
#[derive(Clone, Copy)]
pub(super) struct WideFactor<V> {
    value: V,
    quotient: V,
    quotient_high: V,
}

/// The high words of products, by the halves of the right operands.
#[inline(always)]
fn high_product<V: WideWords>(x: V, (low, high): (V, V)) -> V {
    let x_high = x.high_in_low();
    let (high, low_high) = (x_high.half_product(high), x.half_product(high));
    let high_low = x_high.half_product(low).plus(x.half_product(low).high_half());
    let middle = low_high.plus(high_low.low_half());
    high.plus(high_low.high_half()).plus(middle.high_half())
}

impl<V: WideWords, const LOG_RANGE: u32> ShoupWide<V, LOG_RANGE> {
    /// Below `4 p`, for `LOG_RANGE` 1 below `2 p`, for any word.
    #[inline(always)]
    fn product(self, x: V, w: WideFactor<V>) -> V {
        let q = if LOG_RANGE == 1 {
            high_product(x, (w.quotient, w.quotient_high))
        } else {
            let x_high = x.high_in_low();
            let (high, low_high) = (x_high.half_product(w.quotient_high), x.half_product(w.quotient_high));
            let high_low = x_high.half_product(w.quotient);
            high.plus(high_low.high_half()).plus(low_high.high_half())
        };
        x.remainder(w.value, q, self.p)
    }

    /// The range of [`backward`](Residues::backward): the multiple of `p` that is above every value.
    #[inline(always)]
    fn bound(self) -> V {
        match LOG_RANGE {
            1 => self.p,
            2 => self.p2,
            _ => self.p4,
        }
    }

    /// A product in that range.
    #[inline(always)]
    fn bounded_product(self, x: V, w: WideFactor<V>) -> V {
        let product = self.product(x, w);
        if LOG_RANGE <= 2 { product.less(self.bound()) } else { product }
    }
}

impl<V: WideWords, const LOG_RANGE: u32> Residues for ShoupWide<V, LOG_RANGE> {
    type Word = u64;
    type Vector = V;
    type Factor = WideFactor<V>;
    const LOG_LANES: u32 = V::LOG_LANES;
    const FACTOR_WORDS: usize = 2;
    const ENTERS: bool = false;
    const PRODUCT_SHIFT: u32 = 64;

    #[inline(always)]
    unsafe fn new(p: u64) -> Self {
        // SAFETY: the caller has the instruction set.
        unsafe {
            Self {
                p: V::splat(p),
                p2: V::splat(p << 1),
                p4: V::splat(p << 2),
                p8: V::splat(p << 3),
                halves: (V::splat_half(p as u32), V::splat_half((p >> 32) as u32)),
                inverse: V::splat(inverse(p)),
            }
        }
    }

    #[inline(always)]
    unsafe fn load(self, from: *const u64) -> V {
        // SAFETY: the caller vouches for the words, and `self` for the instruction set.
        unsafe { V::load(from) }
    }

    #[inline(always)]
    unsafe fn store(self, x: V, to: *mut u64) {
        // SAFETY: the caller vouches for the words.
        unsafe { x.store(to) }
    }

    #[inline(always)]
    unsafe fn same_factor(self, from: *const u64) -> WideFactor<V> {
        // SAFETY: the caller vouches for the words, and `self` for the instruction set.
        unsafe {
            let quotient = *from.add(1);
            WideFactor {
                value: V::splat(*from),
                quotient: V::splat_half(quotient as u32),
                quotient_high: V::splat_half((quotient >> 32) as u32),
            }
        }
    }

    #[inline(always)]
    unsafe fn factors(self, from: *const u64) -> WideFactor<V> {
        // SAFETY: the caller vouches for the words, and `self` for the instruction set.
        unsafe {
            let quotient = V::load(from.add(1 << V::LOG_LANES));
            WideFactor { value: V::load(from), quotient, quotient_high: quotient.high_in_low() }
        }
    }

    #[inline(always)]
    fn enter(self, x: V) -> V {
        x
    }

    #[inline(always)]
    fn leave(self, x: V) -> V {
        let x = if LOG_RANGE > 2 { x.less(self.p8).less(self.p4) } else { x };
        let x = if LOG_RANGE > 1 { x.less(self.p2) } else { x };
        x.less(self.p)
    }

    #[inline(always)]
    fn leave_product(self, x: V) -> V {
        let x = if LOG_RANGE > 1 { x.less(self.p2) } else { x };
        x.less(self.p)
    }

    #[inline(always)]
    fn forward(self, u: V, v: V, w: WideFactor<V>, level: usize) -> (V, V) {
        let u = match LOG_RANGE {
            1 => u.less(self.p),
            2 => u.less(self.p2),
            _ if level.is_multiple_of(2) => u.less(self.p8),
            _ => u,
        };
        let t = self.bounded_product(v, w);
        (u.plus(t), u.plus(self.bound()).minus(t))
    }

    #[inline(always)]
    fn forward_first(self, u: V, v: V) -> (V, V) {
        (u.plus(v).less(self.p), u.plus(self.p).minus(v))
    }

    #[inline(always)]
    fn forward_by_one(self, u: V, v: V) -> (V, V) {
        if LOG_RANGE == 1 {
            let (u, v) = (u.less(self.p), v.less(self.p));
            return (u.plus(v), u.plus(self.p).minus(v));
        }
        (u.plus(v), u.plus(self.p2).minus(v))
    }

    #[inline(always)]
    fn backward_by_one(self, u: V, v: V) -> (V, V) {
        let bound = self.bound();
        (u.plus(v).less(bound), u.plus(bound).minus(v).less(bound))
    }

    #[inline(always)]
    fn backward(self, u: V, v: V, w: WideFactor<V>) -> (V, V) {
        let sum = u.plus(v).less(self.bound());
        (sum, self.bounded_product(u.plus(self.bound()).minus(v), w))
    }

    #[inline(always)]
    fn backward_scaled(self, u: V, v: V, w: WideFactor<V>, s: WideFactor<V>) -> (V, V) {
        (self.product(u.plus(v), s), self.product(u.plus(self.bound()).minus(v), w))
    }

    #[inline(always)]
    fn right(self, y: V) -> V {
        self.leave(y)
    }

    /// Montgomery's, as for [words of 32 bits](super::word32).
    #[inline(always)]
    fn product(self, x: V, y: V) -> V {
        let quotient = x.low_product(y).low_product(self.inverse);
        let high = high_product(x, (y, y.high_in_low()));
        let product = high.plus(self.p).minus(high_product(quotient, self.halves));
        if LOG_RANGE == 1 { product.less(self.p) } else { product }
    }

    #[inline(always)]
    fn transpose(self, rows: &mut [V]) {
        V::transpose(rows);
    }
}
