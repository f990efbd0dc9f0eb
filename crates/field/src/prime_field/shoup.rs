//! Multiplication by a constant after Shoup: the quotient comes from a precomputed quotient of the constant.

use super::word::ResidueWord;

/// A constant `w < p` with `floor(w 2^B / p)`: what tables of roots of unity hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ShoupFactor<W> {
    /// The constant, canonical.
    pub value: W,
    /// `floor(value 2^B / p)`.
    pub quotient: W,
}

/// Products by constants mod any `p`, `1 <= p < 2^(B - 1)`: one high product and two low ones, the cheapest
/// multiplication there is where a factor is known in advance. Source: Shoup's NTL; Harvey, "Faster arithmetic for
/// number-theoretic transforms", Journal of Symbolic Computation 60 (2014).
///
/// With `q = floor(x quotient / 2^B)` is `x w / p >= q > x w / p - x / 2^B - 1 > x w / p - 2`, for any word `x`: the
/// remainder `x w - q p` is below `2 p`, which fits the word, so its low word is all that is computed.
///
/// ```
/// use manycore_field::Shoup;
///
/// let by = Shoup::new(97u32).ok_or("too large")?;
/// let w = by.factor(55);
/// assert_eq!(by.mul(1_000_000_000, &w), 1_000_000_000u64.wrapping_mul(55).wrapping_rem(97) as u32);
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shoup<W> {
    modulus: W,
}

impl<W: ResidueWord> Shoup<W> {
    /// For a modulus from 1 to `2^(B - 1) - 1`; `None` for others.
    pub fn new(modulus: W) -> Option<Self> {
        (modulus != W::zero() && modulus.leading_zeros() > 0).then_some(Self { modulus })
    }

    /// The form for a modulus that is known to be in range.
    #[inline(always)]
    pub(crate) fn below_half(modulus: W) -> Self {
        debug_assert!(modulus.leading_zeros() > 0);
        Self { modulus }
    }

    /// `p`.
    #[inline(always)]
    pub fn modulus(&self) -> W {
        self.modulus
    }

    /// Prepares a constant, any word: one division.
    pub fn factor(&self, value: W) -> ShoupFactor<W> {
        let value = value % self.modulus;
        ShoupFactor { value, quotient: value.shifted_quotient(self.modulus) }
    }

    /// A number congruent to `x w` in `[0, 2 p)`, for any word `x`.
    #[inline(always)]
    pub fn mul_lazy(&self, x: W, w: &ShoupFactor<W>) -> W {
        let quotient = x.high_mul(w.quotient);
        x.wrapping_mul(&w.value).wrapping_sub(&quotient.wrapping_mul(&self.modulus))
    }

    /// `x w` mod `p`, canonical, for any word `x`.
    #[inline(always)]
    pub fn mul(&self, x: W, w: &ShoupFactor<W>) -> W {
        let remainder = self.mul_lazy(x, w);
        // Below p the difference wraps to a larger number.
        remainder.min(remainder.wrapping_sub(&self.modulus))
    }
}
