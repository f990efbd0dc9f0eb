//! Inverses modulo a polynomial, by the extended greatest common divisor.

use manycore_field::ResidueWord;

use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

impl<F: PolyField> PolyRing<F> {
    /// The polynomial `i` with `a i = 1 mod m` and a degree below that of `m`.
    ///
    /// Modulo a constant other than zero all polynomials are equal, and the inverse of each is zero, the only residue.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::{PolyError, PolyRing};
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(7)?)?;
    /// let m = ring.poly(&[1, 0, 1])?; // x^2 + 1
    /// let inverse = ring.inverse_mod(&ring.poly(&[3, 1])?, &m)?; // of x + 3
    /// assert_eq!(ring.coefficients(&inverse)?, [1, 2]);
    /// let error = ring.inverse_mod(&ring.zero()?, &m).unwrap_err();
    /// assert_eq!(error, PolyError::NotInvertible { gcd: vec![1, 0, 1] });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::ZeroDivisor`] for a zero `m`; [`PolyError::NotInvertible`] with the monic greatest common divisor of `a` and `m`
    /// where it is not 1; as [`PolyRing::mul`].
    #[inline(never)]
    pub fn inverse_mod(&self, a: &Poly<F>, m: &Poly<F>) -> Result<Poly<F>, PolyError> {
        self.own(a)?;
        self.own(m)?;
        match m.degree() {
            None => return Err(PolyError::ZeroDivisor),
            Some(0) => return self.zero(),
            Some(_) => {}
        }
        let reduced;
        let a = if a.len < m.len {
            a
        } else {
            reduced = self.rem(a, m)?;
            &reduced
        };
        let found = self.xgcd(a, m)?;
        if found.gcd.degree() == Some(0) {
            return Ok(found.s);
        }
        let gcd = self.coefficients(&found.gcd)?;
        Err(PolyError::NotInvertible { gcd: gcd.into_iter().map(ResidueWord::as_u64).collect() })
    }
}
