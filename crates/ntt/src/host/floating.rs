//! Residues of primes below 2^50 in double precision, with fused multiply-adds.
//!
//! On the way a residue is an integer of either sign, exact in 53 bits. A product `x w` is the sum of its rounding `h` and
//! of `l = fma(x, w, -h)`; with `q` the integer next to `x (w / p)` the residue is `fma(-q, p, h) + l`, both of which are
//! exact. For `|w| <= p / 2` and `|x| <= 4 p` the quotient is below `2^51`, so that adding and subtracting
//! `1.5 * 2^52` rounds it to an integer, and its error before that is below `1/4`: the residue is at most `3/4 p` in
//! magnitude. So a butterfly adds that much to the range of its upper operand, which is reduced to `p / 2` at every third
//! level: `1/2 + 3 * 3/4 < 4`.

use manycore_field::simd::vectors::Doubles;

use super::residues::Residues;

/// Added to an integer below `2^51` in magnitude, leaves no bits for fractions.
const ROUND: f64 = 6_755_399_441_055_744.0;
/// `2^52`, whose bits are those of an integer below it if they are added.
const INTEGERS: f64 = 4_503_599_627_370_496.0;

/// The arithmetic on vectors `V`.
#[derive(Clone, Copy)]
pub(super) struct Floating<V> {
    p: V,
    inverse: V,
    round: V,
    integers: V,
}

/// Factors `w` between `-p / 2` and `p / 2`, and `w / p`.
#[derive(Clone, Copy)]
pub(super) struct Ratio<V> {
    value: V,
    ratio: V,
}

impl<V: Doubles> Floating<V> {
    #[inline(always)]
    fn product(self, x: V, w: Ratio<V>) -> V {
        let quotient = x.times_plus(w.ratio, self.round).minus(self.round);
        let high = x.times(w.value);
        let low = x.times_minus(w.value, high);
        high.minus_times(quotient, self.p).plus(low)
    }

    /// From `[-4 p, 4 p]` to `[-p / 2, p / 2]`, about.
    #[inline(always)]
    fn reduced(self, x: V) -> V {
        let quotient = x.times_plus(self.inverse, self.round).minus(self.round);
        x.minus_times(quotient, self.p)
    }
}

impl<V: Doubles> Residues for Floating<V> {
    type Word = u64;
    type Vector = V;
    type Factor = Ratio<V>;
    const LOG_LANES: u32 = V::LOG_LANES;
    const FACTOR_WORDS: usize = 2;
    const PRODUCT_SHIFT: u32 = 0;

    #[inline(always)]
    unsafe fn new(p: u64) -> Self {
        let p = p as f64;
        // SAFETY: the caller has the instruction set.
        unsafe {
            Self { p: V::splat(p), inverse: V::splat(1.0 / p), round: V::splat(ROUND), integers: V::splat(INTEGERS) }
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
    unsafe fn same_factor(self, from: *const u64) -> Ratio<V> {
        // SAFETY: the caller vouches for the words, and `self` for the instruction set.
        unsafe { Ratio { value: V::splat(f64::from_bits(*from)), ratio: V::splat(f64::from_bits(*from.add(1))) } }
    }

    #[inline(always)]
    unsafe fn factors(self, from: *const u64) -> Ratio<V> {
        // SAFETY: the caller vouches for the words, and `self` for the instruction set.
        unsafe { Ratio { value: V::load(from), ratio: V::load(from.add(1 << V::LOG_LANES)) } }
    }

    #[inline(always)]
    fn enter(self, x: V) -> V {
        x.bits_or(self.integers).minus(self.integers)
    }

    #[inline(always)]
    fn leave(self, x: V) -> V {
        self.leave_product(self.reduced(x))
    }

    #[inline(always)]
    fn leave_product(self, x: V) -> V {
        x.not_negative(self.p).plus(self.integers).bits_xor(self.integers)
    }

    #[inline(always)]
    fn forward(self, u: V, v: V, w: Ratio<V>, level: usize) -> (V, V) {
        let u = if level.is_multiple_of(3) { self.reduced(u) } else { u };
        let t = self.product(v, w);
        (u.plus(t), u.minus(t))
    }

    #[inline(always)]
    fn forward_first(self, u: V, v: V) -> (V, V) {
        (self.reduced(u.plus(v)), u.minus(v))
    }

    /// Sums of four canonical residues are below `4 p`.
    #[inline(always)]
    fn forward_by_one(self, u: V, v: V) -> (V, V) {
        (u.plus(v), u.minus(v))
    }

    #[inline(always)]
    fn backward_by_one(self, u: V, v: V) -> (V, V) {
        (self.reduced(u.plus(v)), self.reduced(u.minus(v)))
    }

    /// Residues are at most `3/4 p` in magnitude on the way.
    #[inline(always)]
    fn backward(self, u: V, v: V, w: Ratio<V>) -> (V, V) {
        (self.reduced(u.plus(v)), self.product(u.minus(v), w))
    }

    #[inline(always)]
    fn backward_scaled(self, u: V, v: V, w: Ratio<V>, s: Ratio<V>) -> (V, V) {
        (self.product(u.plus(v), s), self.product(u.minus(v), w))
    }

    #[inline(always)]
    fn right(self, y: V) -> V {
        self.reduced(y)
    }

    /// Both are reduced, so that the quotient is below `p / 4` and its error, of two roundings, far below `1/4`.
    #[inline(always)]
    fn product(self, x: V, y: V) -> V {
        let x = self.reduced(x);
        let high = x.times(y);
        let low = x.times_minus(y, high);
        let quotient = high.times_plus(self.inverse, self.round).minus(self.round);
        high.minus_times(quotient, self.p).plus(low)
    }

    #[inline(always)]
    fn transpose(self, rows: &mut [V]) {
        V::transpose(rows);
    }
}
