//! Checking extended greatest common divisors on the host: the identity at a random point, and that both polynomials are
//! multiples.

use manycore_verify::SplitMix;
use manycore_verify::product::bezout::{Bezout, check};

use super::Xgcd;
use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

impl<F: PolyField> PolyRing<F> {
    /// Whether `x` is an extended greatest common divisor of `a` and `b`: the divisor monic, `s a + t b` equal to it, and both
    /// polynomials multiples of it. Found out by values at random points of an extension of the field, on the host, whatever the
    /// device; only the quotients by the divisor, which are checked themselves, are computed on the device. A right result always
    /// passes, also one with cofactors of higher degree; a wrong one with a chance below `2^-62` over the choice of `seed`.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(9001)?)?;
    /// let (a, b) = (ring.random(300, 1)?, ring.random(200, 2)?);
    /// let x = ring.xgcd(&a, &b)?;
    /// assert!(ring.verify_xgcd(&a, &b, &x, 3)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`PolyRing::div_rem`]; [`PolyError::Check`] where the check could not be made.
    #[inline(never)]
    pub fn verify_xgcd(&self, a: &Poly<F>, b: &Poly<F>, x: &Xgcd<F>, seed: u64) -> Result<bool, PolyError> {
        let quotient = |f: &Poly<F>| -> Result<Vec<F::Element>, PolyError> {
            if x.gcd.is_zero() { Ok(Vec::new()) } else { self.coefficients(&self.div(f, &x.gcd)?) }
        };
        let quotients = [quotient(a)?, quotient(b)?];
        let [a, b] = [self.coefficients(a)?, self.coefficients(b)?];
        let [gcd, s, t] = [self.coefficients(&x.gcd)?, self.coefficients(&x.s)?, self.coefficients(&x.t)?];
        let bezout = Bezout { gcd: &gcd, s: &s, t: &t, quotients: [&quotients[0], &quotients[1]] };
        match check(self.field().order(), [&a, &b], &bezout, &mut SplitMix::new(seed)) {
            Ok(_) => Ok(true),
            Err(error) if error.is_wrong() => Ok(false),
            Err(error) => Err(PolyError::Check(error)),
        }
    }
}
