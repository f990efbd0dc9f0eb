//! Checking a resultant by another remainder sequence.

use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

impl<F: PolyField> PolyRing<F> {
    /// Whether `value` is the resultant of `f` and `g`, by a second computation from other polynomials.
    ///
    /// With `m = deg f >= n = deg g`, a random polynomial `h` of degree `m - n` at most and coefficients reversed,
    ///
    /// ```text
    ///   Res_(m,n)(f, g) = Res_(m,n)(f + h g, g) = (-1)^(m n) Res_(m,n)(rev_m(f + h g), rev_n(g))
    /// ```
    ///
    /// because Sylvester's matrix changes by row operations, then by the order of rows and columns. Euclid's algorithm on the
    /// reversed polynomials has other quotients and other remainders from its first division on, so that a mistake in the first
    /// sequence, or in its degrees, shows; a mistake that both make alike does not. Takes as long as the resultant.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(9001)?)?;
    /// let (f, g) = (ring.poly(&[1, 2, 3])?, ring.poly(&[4, 5, 6, 7])?);
    /// assert!(ring.verify_resultant(&f, &g, 256, 1)?);
    /// assert!(!ring.verify_resultant(&f, &g, 255, 1)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`PolyRing::mul`]; [`PolyError::OutOfRange`] for a value that is no residue.
    #[inline(never)]
    pub fn verify_resultant(&self, f: &Poly<F>, g: &Poly<F>, value: F::Element, seed: u64) -> Result<bool, PolyError> {
        self.own(f)?;
        self.own(g)?;
        let field = self.field();
        field.check(&[value])?;
        let (Some(m), Some(n)) = (f.degree(), g.degree()) else { return Ok(value == field.zero()) };
        let multiple = |above: &Poly<F>, below: &Poly<F>| {
            let h = self.random(above.len - below.len + 1, seed)?;
            self.add(above, &self.mul(&h, below)?)
        };
        let changed = if m >= n { multiple(f, g)? } else { multiple(g, f)? };
        let (f, g) = if m >= n { (&changed, g) } else { (f, &changed) };
        let found = self.resultant_formal(&self.reverse(f, m)?, m, &self.reverse(g, n)?, n)?;
        Ok(value == if m % 2 == 1 && n % 2 == 1 { field.neg(found) } else { found })
    }
}
