//! Multiplication after Montgomery: the quotient is taken from the low end.

use super::word::ResidueWord;

/// Products divided by `R = 2^B` mod an odd `p`, `3 <= p < 2^B`: no precomputation on an operand, three multiplications
/// of words. Source: Montgomery, "Modular multiplication without trial division", Mathematics of Computation 44 (1985).
///
/// With `i = p^-1 mod R` and `t = a b`, the number `t - (t i mod R) p` is divisible by `R`, and its quotient by `R` is
/// the difference of the two high words: `hi(t) - hi((lo(t) i mod R) p)`. No carry can come from the low words because
/// they are equal. For `t < p R` both high words are below `p`, so one addition of `p` makes the difference canonical.
///
/// The range holds for every odd `p < 2^B`, for products `a b < p R`: also where one factor is any word and the other is
/// canonical.
///
/// ```
/// use manycore_field::Montgomery;
///
/// let by = Montgomery::new(469_762_049u32).ok_or("even")?;
/// let (a, b) = (by.enter(123), by.enter(456)); // a R, b R
/// assert_eq!(by.leave(by.mul(a, b)), 123 * 456);
/// assert_eq!(by.mul(a, 456), 123 * 456); // one factor in Montgomery's form is enough
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Montgomery<W> {
    modulus: W,
    inverse: W,
    one: W,
    square: W,
}

/// The inverse of an odd number modulo `2^B`, by Newton's iteration: it doubles the correct bits, and a number is its own inverse
/// mod 8.
#[inline(always)]
pub(crate) fn inverse_of_odd<W: ResidueWord>(modulus: W) -> W {
    let two = W::one() + W::one();
    (0..5).fold(modulus, |inverse, _| inverse.wrapping_mul(&two.wrapping_sub(&modulus.wrapping_mul(&inverse))))
}

/// `(low + R high) / R` mod the modulus, canonical, for `high` below it.
#[inline(always)]
pub(crate) fn reduced<W: ResidueWord>((low, high): (W, W), modulus: W, inverse: W) -> W {
    let other = low.wrapping_mul(&inverse).high_mul(modulus);
    let difference = high.wrapping_sub(&other);
    if high < other { difference.wrapping_add(&modulus) } else { difference }
}

impl<W: ResidueWord> Montgomery<W> {
    /// The constants of an odd modulus from 3 on; `None` for others. The modulus need not be prime.
    pub fn new(modulus: W) -> Option<Self> {
        (modulus & W::one() != W::zero() && modulus != W::one()).then(|| Self::odd(modulus))
    }

    /// The form for a modulus that is known to be odd and above 1.
    pub(crate) fn odd(modulus: W) -> Self {
        debug_assert!(modulus & W::one() != W::zero());
        let inverse = inverse_of_odd(modulus);
        let one = W::one().shifted_remainder(modulus);
        let square = one.shifted_remainder(modulus);
        Self { modulus, inverse, one, square }
    }

    /// `p`.
    #[inline(always)]
    pub fn modulus(&self) -> W {
        self.modulus
    }

    /// `p^-1 mod R`; kernels that add instead of subtracting want its negative.
    #[inline(always)]
    pub fn inverse(&self) -> W {
        self.inverse
    }

    /// `R mod p`: one in Montgomery's form.
    #[inline(always)]
    pub fn one(&self) -> W {
        self.one
    }

    /// `R^2 mod p`: what [`enter`](Self::enter) multiplies by.
    #[inline(always)]
    pub fn square(&self) -> W {
        self.square
    }

    /// `(low + R high) / R` mod `p`, canonical, for `high < p`.
    #[inline(always)]
    pub fn reduce(&self, low: W, high: W) -> W {
        reduced((low, high), self.modulus, self.inverse)
    }

    /// `a b / R` mod `p`, canonical, for `a b < p R`.
    #[inline(always)]
    pub fn mul(&self, a: W, b: W) -> W {
        let (low, high) = a.wide_mul(b);
        self.reduce(low, high)
    }

    /// A number congruent to `a b / R` in `(0, 2 p)`, for `a b < p R` and `p < 2^(B - 1)`; for `p < 2^(B - 2)` the factors
    /// may both be below `2 p`, so that lazy products feed each other.
    #[inline(always)]
    pub fn mul_lazy(&self, a: W, b: W) -> W {
        let (low, high) = a.wide_mul(b);
        let other = low.wrapping_mul(&self.inverse).high_mul(self.modulus);
        high.wrapping_sub(&other).wrapping_add(&self.modulus)
    }

    /// `a R` mod `p` for any word `a`.
    #[inline(always)]
    pub fn enter(&self, a: W) -> W {
        self.mul(a, self.square)
    }

    /// `a / R` mod `p` for any word `a`.
    #[inline(always)]
    pub fn leave(&self, a: W) -> W {
        self.reduce(a, W::zero())
    }

    /// `a^exponent` in Montgomery's form, for `a` in that form.
    pub fn power(&self, a: W, exponent: u64) -> W {
        let (mut result, mut square, mut left) = (self.one, a, exponent);
        while left != 0 {
            if left & 1 == 1 {
                result = self.mul(result, square);
            }
            square = self.mul(square, square);
            left >>= 1;
        }
        result
    }
}
