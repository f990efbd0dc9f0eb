//! The ring as the oracle of checks: products modulo a polynomial, which the check compares and need not trust.

use manycore_verify::product::Oracle;

use crate::arithmetic::divide::Divisor;
use crate::arithmetic::gcd::Xgcd;
use crate::error::PolyError;
use crate::poly::PolyField;
use crate::ring::PolyRing;

/// A ring, mostly the host's, with a modulus.
pub(crate) struct RingOracle<'a, F: PolyField> {
    ring: &'a PolyRing<F>,
    divisor: Option<Divisor<F>>,
}

impl<'a, F: PolyField> RingOracle<'a, F> {
    /// The ring, without a modulus yet.
    pub(crate) fn new(ring: &'a PolyRing<F>) -> Self {
        Self { ring, divisor: None }
    }

    fn divisor(&self) -> Result<&Divisor<F>, PolyError> {
        self.divisor.as_ref().ok_or(PolyError::ZeroDivisor)
    }
}

impl<F: PolyField> Oracle<F::Element> for RingOracle<'_, F> {
    type Error = PolyError;

    fn product(&mut self, a: &[F::Element], b: &[F::Element]) -> Result<Vec<F::Element>, PolyError> {
        let product = self.ring.mul(&self.ring.poly(a)?, &self.ring.poly(b)?)?;
        self.ring.coefficients(&product)
    }

    fn modulus(&mut self, m: &[F::Element]) -> Result<(), PolyError> {
        self.divisor = Some(self.ring.divisor(self.ring.poly(m)?)?);
        Ok(())
    }

    fn product_modulo(
        &mut self,
        a: &[F::Element],
        b: &[F::Element],
    ) -> Result<(Vec<F::Element>, Vec<F::Element>), PolyError> {
        let first = self.ring.poly(a)?;
        let product =
            if std::ptr::eq(a, b) { self.ring.square(&first)? } else { self.ring.mul(&first, &self.ring.poly(b)?)? };
        let (quotient, remainder) = self.ring.div_rem_with(&product, self.divisor()?)?;
        Ok((self.ring.coefficients(&quotient)?, self.ring.coefficients(&remainder)?))
    }

    fn cofactors(&mut self, a: &[F::Element]) -> Result<(Vec<F::Element>, Vec<F::Element>), PolyError> {
        let Xgcd { s, t, .. } = self.ring.xgcd(&self.ring.poly(a)?, self.divisor()?.poly())?;
        Ok((self.ring.coefficients(&s)?, self.ring.coefficients(&t)?))
    }
}
