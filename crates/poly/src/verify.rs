//! Checking products and divisions by values at a random point of an extension of the field, on the host: a fraction of their
//! cost.

use manycore_verify::{SplitMix, product};

use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

impl<F: PolyField> PolyRing<F> {
    /// Whether `h` is `f g`, found out by the value of all three at a random point of an extension of the field: a right
    /// product always passes, a wrong one with a chance below `2^-64` over the choice of `seed`. The coefficients are
    /// downloaded and checked on the host by [`product::check`], whatever the device.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(2)?)?;
    /// let (f, g) = (ring.random(1000, 1)?, ring.random(900, 2)?);
    /// let h = ring.mul(&f, &g)?;
    /// assert!(ring.verify_product(&f, &g, &h, 3)?);
    /// assert!(!ring.verify_product(&f, &g, &ring.add(&h, &ring.one()?)?, 3)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::MixedRings`] and [`PolyError::Device`]; [`PolyError::Check`] where the check could not be made.
    #[inline(never)]
    pub fn verify_product(&self, f: &Poly<F>, g: &Poly<F>, h: &Poly<F>, seed: u64) -> Result<bool, PolyError> {
        let a = self.coefficients(f)?;
        let square = std::ptr::eq(f, g);
        let b = if square { Vec::new() } else { self.coefficients(g)? };
        let b = if square { &a } else { &b };
        let c = self.coefficients(h)?;
        match product::check(self.field().order(), &a, b, &c, &mut SplitMix::new(seed)) {
            Ok(_) => Ok(true),
            Err(error) if error.is_wrong() => Ok(false),
            Err(error) => Err(PolyError::Check(error)),
        }
    }

    /// Whether `q` and `r` are the quotient and the remainder of `a` by `b`, found out by the values of all four at a random
    /// point of an extension of the field: a right pair always passes, a wrong one with a chance below `2^-64` over the choice of
    /// `seed`. The coefficients are downloaded and checked on the host by [`product::division::check`], whatever the device.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(9001)?)?;
    /// let (a, b) = (ring.random(1000, 1)?, ring.random(400, 2)?);
    /// let (q, r) = ring.div_rem(&a, &b)?;
    /// assert!(ring.verify_division(&a, &b, &q, &r, 3)?);
    /// assert!(!ring.verify_division(&a, &b, &q, &ring.add(&r, &ring.one()?)?, 3)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::ZeroDivisor`]; [`PolyError::MixedRings`] and [`PolyError::Device`]; [`PolyError::Check`] where the check
    /// could not be made.
    #[inline(never)]
    pub fn verify_division(
        &self,
        a: &Poly<F>,
        b: &Poly<F>,
        q: &Poly<F>,
        r: &Poly<F>,
        seed: u64,
    ) -> Result<bool, PolyError> {
        self.own(b)?;
        if b.is_zero() {
            return Err(PolyError::ZeroDivisor);
        }
        let [a, b, q, r] = [self.coefficients(a)?, self.coefficients(b)?, self.coefficients(q)?, self.coefficients(r)?];
        match product::division::check(self.field().order(), &a, &b, &q, &r, &mut SplitMix::new(seed)) {
            Ok(_) => Ok(true),
            Err(error) if error.is_wrong() => Ok(false),
            Err(error) => Err(PolyError::Check(error)),
        }
    }
}
