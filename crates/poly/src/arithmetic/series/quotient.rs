//! Quotients of power series by Newton's iteration for the inverse to half the precision, and one step for the quotient itself
//! (A. Karp, P. Markstein, ACM Transactions on Mathematical Software 23, 1997; G. Hanrot, P. Zimmermann, Newton iteration
//! revisited, 2004).

use super::recurrences;
use super::steps::SERIES;
use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

impl<F: PolyField> PolyRing<F> {
    /// The first `n` coefficients of the power series `f / g`: `g q = f` modulo `x^n`, in `O(M(n))` operations.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(9001)?)?;
    /// let (f, g) = (ring.poly(&[0, 1])?, ring.poly(&[1, 9000, 9000])?); // x / (1 - x - x^2)
    /// assert_eq!(ring.coefficients(&ring.div_series(&f, &g, 7)?)?, [0, 1, 1, 2, 3, 5, 8]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::NoUnit`] where the constant term of `g` is zero; as [`PolyRing::mul`].
    #[inline(never)]
    pub fn div_series(&self, f: &Poly<F>, g: &Poly<F>, n: usize) -> Result<Poly<F>, PolyError> {
        self.own(f)?;
        self.own(g)?;
        self.room(n, SERIES)?;
        if let (Some(f), Some(g)) = (f.as_host(), g.as_host())
            && n <= self.recurrence_len(n)?
        {
            return self.poly(&recurrences::quotient(self.field(), f, g, n).ok_or(PolyError::NoUnit)?);
        }
        let half = n.div_ceil(2);
        // A divisor without an inverse is an error also for `n = 0`.
        let inverse = self.inverse_series(g, half)?;
        let low = self.mul_short(f, &inverse, half)?;
        if half == n {
            return Ok(low);
        }
        let error = self.sub(&self.slice(f, half, n)?, &self.mul_middle(g, &low, half..n)?)?;
        self.joined(&low, half, &self.mul_short(&error, &inverse, n - half)?)
    }
}
