//! Residues modulo `p = 2^64 - 2^32 + 1` in 64-bit words.
//!
//! With `2^64 = 2^32 - 1` and `2^96 = -1` a product in two words, `low + 2^64 high` with `high = a + 2^32 b`, is
//! `low - b + (2^32 - 1) a`. On the way a residue is any word forward, a canonical one backward, in the form in which words
//! are compared; carries and borrows are what comparisons find.

use manycore_field::simd::vectors::WideWords;

use super::residues::Residues;

/// `2^64 - 2^32 + 1`.
const P: u64 = 0xffff_ffff_0000_0001;
/// `2^32 - 1`: what `2^64` is modulo `p`.
const EPSILON: u64 = 0xffff_ffff;

/// The arithmetic on vectors `V`.
#[derive(Clone, Copy)]
pub(super) struct GoldilocksWords<V> {
    /// The largest residue, for comparison.
    largest: V,
    epsilon: V,
}

/// The low halves of factors, and the high ones in their place.
#[derive(Clone, Copy)]
pub(super) struct HalvedFactor<V> {
    low: V,
    high: V,
}

impl<V: WideWords> GoldilocksWords<V> {
    /// `u + v` canonical, for sums below `2^64 + p`, in the form of `u`: from `p` on `2^32 - 1` is added, which passes
    /// `2^64` and so takes `p` away, once. `v` is at most `p - 1`, and not in the form for comparison.
    #[inline(always)]
    fn sum(self, u: V, v: V) -> V {
        u.plus(v).plus_where_above(u, self.largest.minus(v), self.epsilon)
    }

    /// `u - v` modulo `p`, in the form of `u`, for a canonical `v` that is not: a borrow leaves `2^32 - 1` too much, and at
    /// least that.
    #[inline(always)]
    fn difference(self, u: V, v: V) -> V {
        let difference = u.minus(v);
        difference.minus_where_above(difference, u, self.epsilon)
    }

    /// Any residue by a factor, canonical.
    #[inline(always)]
    fn product(self, x: V, w: HalvedFactor<V>) -> V {
        let x = x.compared();
        let x_high = x.high_in_low();
        let low = x.half_product(w.low);
        let middle = x_high.half_product(w.low).plus(low.high_half());
        let other = x.half_product(w.high).plus(middle.low_half());
        let high = x_high.half_product(w.high).plus(middle.high_half()).plus(other.high_half());
        let low = low.below(other).compared();
        // The product by 2^32 - 1 is at most 2^64 - 2^33 + 1.
        self.sum(self.difference(low, high.high_half()), high.half_product(self.epsilon))
    }
}

impl<V: WideWords> Residues for GoldilocksWords<V> {
    type Word = u64;
    type Vector = V;
    type Factor = HalvedFactor<V>;
    const LOG_LANES: u32 = V::LOG_LANES;
    const FACTOR_WORDS: usize = 1;
    const PRODUCT_SHIFT: u32 = 0;

    #[inline(always)]
    unsafe fn new(_: u64) -> Self {
        // SAFETY: the caller has the instruction set.
        unsafe { Self { largest: V::splat(P - 1).compared(), epsilon: V::splat(EPSILON) } }
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
    unsafe fn same_factor(self, from: *const u64) -> HalvedFactor<V> {
        // SAFETY: the caller vouches for the words, and `self` for the instruction set.
        unsafe { HalvedFactor { low: V::splat_half(*from as u32), high: V::splat_half((*from >> 32) as u32) } }
    }

    #[inline(always)]
    unsafe fn factors(self, from: *const u64) -> HalvedFactor<V> {
        // SAFETY: the caller vouches for the words, and `self` for the instruction set.
        let low = unsafe { V::load(from) };
        HalvedFactor { low, high: low.high_in_low() }
    }

    #[inline(always)]
    fn enter(self, x: V) -> V {
        x.compared()
    }

    #[inline(always)]
    fn leave(self, x: V) -> V {
        x.plus_where_above(x, self.largest, self.epsilon).compared()
    }

    #[inline(always)]
    fn leave_product(self, x: V) -> V {
        x.compared()
    }

    /// The product is canonical: a carry leaves less than `p`, to which `2^32 - 1` can be added.
    #[inline(always)]
    fn forward(self, u: V, v: V, w: HalvedFactor<V>, _: usize) -> (V, V) {
        let t = self.product(v, w).compared();
        let sum = u.plus(t);
        (sum.plus_where_above(u, sum, self.epsilon), self.difference(u, t))
    }

    /// The operand that is subtracted is canonical, as a product is.
    #[inline(always)]
    fn forward_first(self, u: V, v: V) -> (V, V) {
        let v = v.compared();
        let sum = u.plus(v);
        (sum.plus_where_above(u, sum, self.epsilon), self.difference(u, v))
    }

    #[inline(always)]
    fn forward_by_one(self, u: V, v: V) -> (V, V) {
        let v = v.plus_where_above(v, self.largest, self.epsilon).compared();
        let sum = u.plus(v);
        (sum.plus_where_above(u, sum, self.epsilon), self.difference(u, v))
    }

    /// A difference of canonical residues that has a borrow gets `p`, and is canonical.
    #[inline(always)]
    fn backward_by_one(self, u: V, v: V) -> (V, V) {
        let v = v.compared();
        (self.sum(u, v), self.difference(u, v))
    }

    #[inline(always)]
    fn backward(self, u: V, v: V, w: HalvedFactor<V>) -> (V, V) {
        let v = v.compared();
        (self.sum(u, v), self.product(self.difference(u, v), w))
    }

    #[inline(always)]
    fn backward_scaled(self, u: V, v: V, w: HalvedFactor<V>, s: HalvedFactor<V>) -> (V, V) {
        let v = v.compared();
        (self.product(self.sum(u, v), s), self.product(self.difference(u, v), w))
    }

    #[inline(always)]
    fn right(self, y: V) -> V {
        y.compared()
    }

    #[inline(always)]
    fn product(self, x: V, y: V) -> V {
        self.product(x, HalvedFactor { low: y, high: y.high_in_low() })
    }

    #[inline(always)]
    fn transpose(self, rows: &mut [V]) {
        V::transpose(rows);
    }
}
