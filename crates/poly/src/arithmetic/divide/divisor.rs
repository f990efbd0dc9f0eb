//! A divisor with the inverse of its reversal, which later divisions use again.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::newton::Series;
use super::span::Span;
use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

/// A polynomial by which many others are divided: keeps the inverse of its reversed coefficients as a power series, to the
/// precision that divisions needed so far. Made by [`PolyRing::divisor`].
pub struct Divisor<F: PolyField> {
    poly: Poly<F>,
    inverse: Mutex<Option<Arc<Series<F>>>>,
}

impl<F: PolyField> fmt::Debug for Divisor<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Divisor").field(&self.poly).finish()
    }
}

impl<F: PolyField> Divisor<F> {
    /// The polynomial.
    pub fn poly(&self) -> &Poly<F> {
        &self.poly
    }

    /// Its degree.
    pub fn degree(&self) -> usize {
        self.poly.len - 1
    }

    /// The inverse to at least this precision.
    pub(crate) fn inverse(&self, ring: &PolyRing<F>, precision: usize) -> Result<Arc<Series<F>>, PolyError> {
        let known = self.inverse.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(known) = known.as_ref().filter(|known| known.precision >= precision) {
            return Ok(Arc::clone(known));
        }
        // Nothing is locked meanwhile: two threads may compute it, and the longer one stays.
        let own = Span { buffer: &self.poly.buffer, at: 0, len: self.poly.len };
        let series = Arc::new(ring.invert_reversed(own, precision, known.as_deref())?);
        let mut kept = self.inverse.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.as_ref().is_none_or(|kept| kept.precision < precision) {
            *kept = Some(Arc::clone(&series));
        }
        Ok(series)
    }
}

impl<F: PolyField> PolyRing<F> {
    /// A divisor for many divisions. Its inverse is computed when the first of them needs it.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(7)?)?;
    /// let divisor = ring.divisor(ring.poly(&[1, 0, 0, 1])?)?; // x^3 + 1
    /// let (q, r) = ring.div_rem_with(&ring.poly(&[1, 0, 0, 0, 0, 0, 0, 1])?, &divisor)?;
    /// assert_eq!(ring.coefficients(&q)?, [0, 6, 0, 0, 1]);
    /// assert_eq!(ring.coefficients(&r)?, [1, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::ZeroDivisor`]; [`PolyError::MixedRings`] and [`PolyError::Device`] for a polynomial of another ring.
    #[inline(never)]
    pub fn divisor(&self, poly: Poly<F>) -> Result<Divisor<F>, PolyError> {
        self.own(&poly)?;
        if poly.is_zero() {
            return Err(PolyError::ZeroDivisor);
        }
        Ok(Divisor { poly, inverse: Mutex::new(None) })
    }
}
