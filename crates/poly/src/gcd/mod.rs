//! Greatest common divisors (paper 002, chapter 9).
//!
//! | file | what |
//! |---|---|
//! | [`mod@reference`] | Euclid's algorithm by the definition: specification and oracle |

pub mod reference;

use crate::error::PolyError;
use crate::poly::Poly;
use crate::ring::{PolyField, PolyRing};

impl<F: PolyField> PolyRing<F> {
    /// The monic greatest common divisor; zero where both are zero.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(9001)?)?;
    /// let (a, b) = (ring.poly(&[5, 11, 3, 17, 3, 3])?, ring.poly(&[35, 7, 12, 1, 1])?);
    /// assert_eq!(ring.coefficients(&ring.gcd(&a, &b)?)?, [5, 1, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`PolyRing::div_rem`].
    pub fn gcd(&self, a: &Poly<F>, b: &Poly<F>) -> Result<Poly<F>, PolyError> {
        let (mut a, mut b) = (self.copy(a)?, self.copy(b)?);
        while !b.is_zero() {
            let r = self.rem(&a, &b)?;
            (a, b) = (b, r);
        }
        self.monic(&a)
    }

    /// The polynomial over its leading coefficient; zero for zero.
    ///
    /// # Errors
    /// [`PolyError::MixedRings`] and [`PolyError::Device`].
    pub fn monic(&self, f: &Poly<F>) -> Result<Poly<F>, PolyError> {
        match self.leading(f)?.and_then(|c| self.field().inverse(c)) {
            Some(inverse) => self.scale(f, inverse),
            None => self.zero(),
        }
    }
}
