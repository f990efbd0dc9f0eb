//! Extended greatest common divisors: cofactors from the matrices of the half-gcd, multiplied from the last one back.

use super::half::{self, Factor, Kept};
use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

/// A greatest common divisor with its cofactors: `s a + t b = gcd`. Made by [`PolyRing::xgcd`].
#[derive(Debug)]
pub struct Xgcd<F: PolyField> {
    /// The monic greatest common divisor; zero where both polynomials are zero.
    pub gcd: Poly<F>,
    /// The factor of the first polynomial.
    pub s: Poly<F>,
    /// The factor of the second polynomial.
    pub t: Poly<F>,
}

impl<F: PolyField> PolyRing<F> {
    /// The monic greatest common divisor `g` with cofactors of least degree, `s a + t b = g`:
    ///
    /// | polynomials | cofactors |
    /// |---|---|
    /// | in general | the only ones with `deg s < deg(b / g)` and `deg t < deg(a / g)` |
    /// | `b` divides `a`, also `a = c b` for a constant `c`, and `a = 0` | `s = 0`, `t = 1 / lc(b)` |
    /// | `a` divides `b` and not the other way round, also `b = 0` | `s = 1 / lc(a)`, `t = 0` |
    /// | `a = b = 0` | `g = s = t = 0` |
    ///
    /// So the result is the same on every device. Half-gcd: `O(M(n) log n)` operations for `n` coefficients, with `M(n)` those of
    /// a product.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(7)?)?;
    /// let (a, b) = (ring.poly(&[1, 0, 1])?, ring.poly(&[3, 1])?); // x^2 + 1, x + 3
    /// let x = ring.xgcd(&a, &b)?;
    /// assert_eq!(ring.coefficients(&x.gcd)?, [1]);
    /// assert_eq!(ring.coefficients(&x.s)?, [5]); // 5 (x^2 + 1) + (2 x + 1) (x + 3) = 1
    /// assert_eq!(ring.coefficients(&x.t)?, [1, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`PolyRing::mul`].
    #[inline(never)]
    pub fn xgcd(&self, a: &Poly<F>, b: &Poly<F>) -> Result<Xgcd<F>, PolyError> {
        self.xgcd_with(a, b, self.half_gcd_base()?)
    }

    /// The extended greatest common divisor; a transition handles degrees of at most `base`.
    pub(super) fn xgcd_with(&self, a: &Poly<F>, b: &Poly<F>, base: usize) -> Result<Xgcd<F>, PolyError> {
        self.own(a)?;
        self.own(b)?;
        if a.len < b.len {
            let Xgcd { gcd, s, t } = self.xgcd_with(b, a, base)?;
            return Ok(Xgcd { gcd, s: t, t: s });
        }
        let kept = Kept { steps: false, factors: true };
        let descent = half::descend(self, a, b, base, kept)?;
        let (mut s, mut t) = (self.one()?, self.zero()?);
        for (index, factor) in descent.factors.iter().enumerate().rev() {
            let last = index + 1 == descent.factors.len();
            (s, t) = match factor {
                Factor::Matrix(matrix) if last => (self.entry(matrix, 0)?, self.entry(matrix, 1)?),
                Factor::Matrix(matrix) => self.apply_left((&s, &t), matrix)?,
                Factor::Quotient(q) => {
                    let next = self.sub(&s, &self.mul(&t, q)?)?;
                    (t, next)
                }
            };
        }
        let Some(inverse) = self.leading(&descent.gcd)?.and_then(|c| self.field().inverse(c)) else {
            return Ok(Xgcd { gcd: self.zero()?, s: self.zero()?, t: self.zero()? });
        };
        let [gcd, s, t] = [descent.gcd, s, t].map(|f| self.scale(&f, inverse));
        Ok(Xgcd { gcd: gcd?, s: s?, t: t? })
    }
}
