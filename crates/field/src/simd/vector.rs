//! What modular arithmetic needs of a vector of 32-bit words, and the arithmetic written on it.

use crate::prime_field::{Montgomery, ShoupFactor};

/// A SIMD vector of 32-bit words, which is also one of half as many 64-bit words ("pairs"): the even word of a pair is its
/// low half.
///
/// Values come from [`load`](Self::load) and [`splat`](Self::splat), which are unsafe where the instruction set is missing;
/// the other operations are safe because a value exists.
pub(crate) trait Words: Copy {
    /// The number of 32-bit words.
    const LANES: usize;

    /// Reads `LANES` words, at any alignment.
    ///
    /// # Safety
    /// The instruction set is available and `LANES` words from `from` on are readable.
    unsafe fn load(from: *const u32) -> Self;

    /// Writes the words, at any alignment.
    ///
    /// # Safety
    /// `LANES` words from `to` on are writable.
    unsafe fn store(self, to: *mut u32);

    /// Reads the first `count` words, and 0 for the others.
    ///
    /// # Safety
    /// The instruction set is available, `count` is at most `LANES`, and `count` words from `from` on are readable.
    unsafe fn load_part(from: *const u32, count: usize) -> Self;

    /// Writes the first `count` words.
    ///
    /// # Safety
    /// `count` is at most `LANES`, and `count` words from `to` on are writable.
    unsafe fn store_part(self, to: *mut u32, count: usize);

    /// The same word in all lanes.
    ///
    /// # Safety
    /// The instruction set is available.
    unsafe fn splat(word: u32) -> Self;

    /// The wrapping sums of words.
    fn plus(self, other: Self) -> Self;

    /// The wrapping differences of words.
    fn minus(self, other: Self) -> Self;

    /// The smaller words, unsigned.
    fn least(self, other: Self) -> Self;

    /// The low words of the products of words.
    fn low_product(self, other: Self) -> Self;

    /// The products of the even words, as pairs.
    fn even_product(self, other: Self) -> Self;

    /// The odd words in the places of the even ones; the odd places hold anything.
    fn odd(self) -> Self;

    /// The pairs shifted right by 32 bits.
    fn high_half(self) -> Self;

    /// The pairs without their high words.
    fn low_half(self) -> Self;

    /// The wrapping sums of pairs.
    fn pair_plus(self, other: Self) -> Self;

    /// The wrapping differences of pairs.
    fn pair_minus(self, other: Self) -> Self;

    /// The high words of the pairs of `even` in the even places, those of `odd` in the odd ones.
    fn high_words(even: Self, odd: Self) -> Self;

    /// The high words of the pairs of `first`, then those of `second`.
    fn all_high_words(first: Self, second: Self) -> Self;

    /// The sum of the pairs.
    fn sum_of_pairs(self) -> u128;
}

/// The constants of a modulus in every lane.
#[derive(Clone, Copy)]
pub(super) struct Modulus<V> {
    p: V,
    inverse: V,
}

/// A constant factor in every lane.
#[derive(Clone, Copy)]
pub(super) struct Factor<V> {
    value: V,
    quotient: V,
}

impl<V: Words> Factor<V> {
    /// # Safety
    /// The instruction set of `V` is available.
    #[inline(always)]
    pub(super) unsafe fn new(factor: ShoupFactor<u32>) -> Self {
        // SAFETY: the caller has the instruction set.
        unsafe { Self { value: V::splat(factor.value), quotient: V::splat(factor.quotient) } }
    }
}

impl<V: Words> Modulus<V> {
    /// # Safety
    /// The instruction set of `V` is available.
    #[inline(always)]
    pub(super) unsafe fn new(by: &Montgomery<u32>) -> Self {
        // SAFETY: the caller has the instruction set.
        unsafe { Self { p: V::splat(by.modulus()), inverse: V::splat(by.inverse()) } }
    }

    /// Without what [`montgomery`](Self::montgomery) needs, for any `p < 2^31`.
    ///
    /// # Safety
    /// The instruction set of `V` is available.
    #[inline(always)]
    pub(super) unsafe fn of(p: u32) -> Self {
        // SAFETY: the caller has the instruction set.
        unsafe { Self { p: V::splat(p), inverse: V::splat(0) } }
    }

    /// From `[0, 2 p)` to `[0, p)`: below `p` the difference wraps to a larger word, for `p < 2^31`.
    #[inline(always)]
    pub(super) fn once_less(self, x: V) -> V {
        x.least(x.minus(self.p))
    }

    /// From `(-p, p)` to `[0, p)`: a difference that wrapped is a larger word than its correction, for `p < 2^31`.
    #[inline(always)]
    fn once_more(self, x: V) -> V {
        x.least(x.plus(self.p))
    }

    #[inline(always)]
    pub(super) fn plus(self, x: V, y: V) -> V {
        self.once_less(x.plus(y))
    }

    #[inline(always)]
    pub(super) fn minus(self, x: V, y: V) -> V {
        self.once_more(x.minus(y))
    }

    /// `p - x`, and 0 for 0: as a difference from `p`, which is reduced once more.
    #[inline(always)]
    pub(super) fn negative(self, x: V) -> V {
        self.once_less(self.p.minus(x))
    }

    /// Montgomery's product of canonical residues. The low words of the products and of the multiples of `p` are equal, so
    /// that the differences of the pairs have the wanted high words.
    #[inline(always)]
    pub(super) fn montgomery(self, x: V, y: V) -> V {
        let (even, odd) = (x.even_product(y), x.odd().even_product(y.odd()));
        let (m_even, m_odd) = (even.even_product(self.inverse), odd.even_product(self.inverse));
        let even = even.pair_minus(m_even.even_product(self.p));
        let odd = odd.pair_minus(m_odd.even_product(self.p));
        self.once_more(V::high_words(even, odd))
    }

    /// Montgomery's reductions of pairs below `2^63`, those of the first vector, then those of the second, but for multiples
    /// of `p`: the high words are above `-p` and below `2^31`, and `p` is added to negative ones.
    #[inline(always)]
    pub(super) fn reduced(self, (first, second): (V, V)) -> V {
        let first = first.pair_minus(first.even_product(self.inverse).even_product(self.p));
        let second = second.pair_minus(second.even_product(self.inverse).even_product(self.p));
        self.once_more(V::all_high_words(first, second))
    }

    /// `x - t / R` for pairs `t < p R` of the even and of the odd words, with `p < 2^30`: the quotient without a correction is above
    /// `-p` and below `p`, so that the difference is above `-p` and below `2 p`, and a word holds `3 p`.
    #[inline(always)]
    pub(super) fn minus_reduced(self, x: V, (even, odd): (V, V)) -> V {
        let (m_even, m_odd) = (even.even_product(self.inverse), odd.even_product(self.inverse));
        let even = even.pair_minus(m_even.even_product(self.p));
        let odd = odd.pair_minus(m_odd.even_product(self.p));
        self.once_less(self.once_more(x.minus(V::high_words(even, odd))))
    }

    /// `x - t / R` for pairs `t < 2 p R` of the even and of the odd words.
    #[inline(always)]
    pub(super) fn minus_folded(self, x: V, (even, odd): (V, V)) -> V {
        let (m_even, m_odd) = (even.even_product(self.inverse), odd.even_product(self.inverse));
        let high = self.once_less(V::high_words(even, odd));
        // The low words are those of the pairs, so that nothing is carried.
        let other = V::high_words(m_even.even_product(self.p), m_odd.even_product(self.p));
        self.minus(x, self.minus(high, other))
    }

    /// Shoup's product of any words by a constant.
    #[inline(always)]
    pub(super) fn scaled(self, x: V, by: Factor<V>) -> V {
        let quotient = V::high_words(x.even_product(by.quotient), x.odd().even_product(by.quotient));
        self.once_less(x.low_product(by.value).minus(quotient.low_product(self.p)))
    }
}
