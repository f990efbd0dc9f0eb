//! Arithmetic modulo a prime below 2^31 on vectors of 32-bit words.

use super::vectors::Pairs;
use crate::prime_field::ShoupFactor;

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

impl<V: Pairs> Factor<V> {
    /// # Safety
    /// The instruction set of `V` is available.
    #[inline(always)]
    pub(super) unsafe fn new(factor: ShoupFactor<u32>) -> Self {
        // SAFETY: the caller has the instruction set.
        unsafe { Self { value: V::splat(factor.value), quotient: V::splat(factor.quotient) } }
    }
}

impl<V: Pairs> Modulus<V> {
    /// For an odd `p < 2^31` and `p^-1 mod 2^32`.
    ///
    /// # Safety
    /// The instruction set of `V` is available.
    #[inline(always)]
    pub(super) unsafe fn new(p: u32, inverse: u32) -> Self {
        // SAFETY: the caller has the instruction set.
        unsafe { Self { p: V::splat(p), inverse: V::splat(inverse) } }
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

    /// `p - x`, and 0 for 0: as a difference from `p`, which is reduced again.
    #[inline(always)]
    pub(super) fn negative(self, x: V) -> V {
        self.once_less(self.p.minus(x))
    }

    /// Montgomery's product of canonical residues. The low words of the products and of the multiples of `p` are equal, so
    /// that the differences of the pairs have the wanted high words.
    #[inline(always)]
    pub(super) fn montgomery(self, x: V, y: V) -> V {
        self.reduced_pairs(x.even_product(y), x.odd().even_product(y.odd()))
    }

    /// Montgomery's reductions of pairs below `2^32 p`, of the even words and of the odd ones.
    #[inline(always)]
    pub(super) fn reduced_pairs(self, even: V, odd: V) -> V {
        let (m_even, m_odd) = (even.even_product(self.inverse), odd.even_product(self.inverse));
        let even = even.pair_minus(m_even.even_product(self.p));
        let odd = odd.pair_minus(m_odd.even_product(self.p));
        self.once_more(V::high_words(even, odd))
    }

    /// The number of least size with sign that is congruent to a residue, for an odd `p` and `half = (p - 1) / 2`.
    #[inline(always)]
    pub(super) fn centred(self, x: V, half: V) -> V {
        // A residue beyond `half` makes a sum from `p` on, of which `p` is taken; others stay.
        self.once_less(x.plus(half)).minus(half)
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
