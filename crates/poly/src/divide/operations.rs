//! Division as operations of the ring.

use manycore_device::Buffer;

use super::Divisor;
use crate::error::PolyError;
use crate::multiply::{Factors, Shape};
use crate::poly::Poly;
use crate::ring::{PolyField, PolyRing};

impl<F: PolyField> PolyRing<F> {
    /// Quotient and remainder: `a = b q + r` with the degree of `r` below that of `b`.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(9001)?)?;
    /// let (a, b) = (ring.poly(&[1, 2, 3, 4, 5, 6, 7, 8])?, ring.poly(&[3, 1, 4, 1])?);
    /// let (q, r) = ring.div_rem(&a, &b)?;
    /// assert_eq!(ring.coefficients(&q)?, [1525, 8615, 98, 8976, 8]);
    /// assert_eq!(ring.coefficients(&r)?, [4427, 8636, 2996]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::ZeroDivisor`]; as [`PolyRing::mul`].
    pub fn div_rem(&self, a: &Poly<F>, b: &Poly<F>) -> Result<(Poly<F>, Poly<F>), PolyError> {
        self.own(a)?;
        self.div_rem_by(a, &self.divisor(self.copy(b)?)?)
    }

    /// The quotient of [`PolyRing::div_rem`].
    ///
    /// # Errors
    /// As [`PolyRing::div_rem`].
    pub fn div(&self, a: &Poly<F>, b: &Poly<F>) -> Result<Poly<F>, PolyError> {
        self.own(a)?;
        self.div_by(a, &self.divisor(self.copy(b)?)?)
    }

    /// The remainder of [`PolyRing::div_rem`].
    ///
    /// # Errors
    /// As [`PolyRing::div_rem`].
    pub fn rem(&self, a: &Poly<F>, b: &Poly<F>) -> Result<Poly<F>, PolyError> {
        Ok(self.div_rem(a, b)?.1)
    }

    /// The quotient of a division that has no remainder.
    ///
    /// # Errors
    /// [`PolyError::NotExact`] where there is one; as [`PolyRing::div_rem`].
    pub fn div_exact(&self, a: &Poly<F>, b: &Poly<F>) -> Result<Poly<F>, PolyError> {
        let (q, r) = self.div_rem(a, b)?;
        r.degree().map_or(Ok(q), |degree| Err(PolyError::NotExact { degree }))
    }

    /// Quotient and remainder by a kept divisor.
    ///
    /// # Errors
    /// As [`PolyRing::mul`].
    pub fn div_rem_by(&self, a: &Poly<F>, divisor: &Divisor<F>) -> Result<(Poly<F>, Poly<F>), PolyError> {
        let q = self.div_by(a, divisor)?;
        let b = divisor.poly();
        let len = a.len.min(divisor.degree());
        if q.is_zero() || len == 0 {
            return Ok((q, self.truncate(a, len)?));
        }
        let mut low = self.device().scratch(len)?;
        let shape = Shape { count: 1, n: q.len, m: b.len, low: 0, len, square: false };
        self.multiply(&shape, &Factors { a: &q.buffer, b: &b.buffer }, &mut low, None)?;
        let low = self.exact(low, len);
        let r = self.sub(&self.truncate(a, len)?, &low)?;
        let r = self.stripped(r.buffer, r.len)?;
        Ok((q, r))
    }

    /// The quotient by a kept divisor.
    ///
    /// # Errors
    /// As [`PolyRing::mul`].
    pub fn div_by(&self, a: &Poly<F>, divisor: &Divisor<F>) -> Result<Poly<F>, PolyError> {
        self.own(a)?;
        let b = divisor.poly();
        self.own(b)?;
        if a.len < b.len {
            return self.zero();
        }
        let len = a.len - b.len + 1;
        let inverse = divisor.inverse(self, len)?;
        let top = self.reversed_top(&a.buffer, a.len, len)?;
        let mut reversed = self.device().scratch(len)?;
        let shape = Shape { count: 1, n: len, m: len, low: 0, len, square: false };
        self.multiply(&shape, &Factors { a: &top, b: &inverse.buffer }, &mut reversed, None)?;
        // The leading coefficients' quotient is not zero.
        Ok(self.exact(self.reversed_top(&reversed, len, len)?, len))
    }

    /// The last `count` of `len` words in reversed order.
    pub(crate) fn reversed_top(
        &self,
        words: &Buffer<F::Element>,
        len: usize,
        count: usize,
    ) -> Result<Buffer<F::Element>, PolyError> {
        let mut top = self.device().scratch(count)?;
        top.view_mut(..)?.copy_from(words.view(len - count..len)?)?;
        self.reverse_words(&self.exact(top, count))
    }
}
