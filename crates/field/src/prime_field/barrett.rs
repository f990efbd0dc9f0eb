//! Multiplication after Barrett: the quotient comes from a precomputed reciprocal of the modulus.

use super::word::ResidueWord;

/// Products mod any `p`, `1 <= p < 2^B`, of plain residues in and out: three multiplications of words for 32 bits (the
/// reciprocal has two words), three for 64 (the modulus is shifted to the top of its word). The default multiplication
/// of [`PrimeField`](super::PrimeField). Source: Barrett, CRYPTO '86; for 64 bits Möller and Granlund (2011).
///
/// The range holds for every modulus of the word, odd or even, and where the first factor is any word and the second
/// canonical.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Barrett<W> {
    modulus: W,
    reciprocal: u64,
}

impl<W: ResidueWord> Barrett<W> {
    /// The constants of a modulus; `None` for 0.
    pub fn new(modulus: W) -> Option<Self> {
        (modulus != W::zero()).then(|| Self { modulus, reciprocal: W::reciprocal(modulus) })
    }

    /// `p`.
    #[inline(always)]
    pub fn modulus(&self) -> W {
        self.modulus
    }

    /// `floor((2^64 - 1) / p)` for 32-bit words; for 64-bit words `floor((2^128 - 1) / (p 2^s)) - 2^64`, where `p 2^s` has
    /// bit 63.
    #[inline(always)]
    pub fn reciprocal(&self) -> u64 {
        self.reciprocal
    }

    /// `low + 2^B high` mod `p`, for `high < p`.
    #[inline(always)]
    pub fn reduce_wide(&self, low: W, high: W) -> W {
        W::reduce_wide(low, high, self.modulus, self.reciprocal)
    }

    /// `a` mod `p` for any word `a`.
    #[inline(always)]
    pub fn reduce(&self, a: W) -> W {
        self.reduce_wide(a, W::zero())
    }

    /// `a b` mod `p`, canonical, for any word `a` and canonical `b`.
    #[inline(always)]
    pub fn mul(&self, a: W, b: W) -> W {
        a.mul_modulo(b, self.modulus, self.reciprocal)
    }
}
