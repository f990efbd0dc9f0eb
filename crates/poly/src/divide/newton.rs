//! Inverses of power series by Newton's iteration (Sieveking 1972; Kung 1974) over fast products.

use manycore_device::Buffer;

use crate::error::PolyError;
use crate::multiply::{Factors, Shape};
use crate::ring::{PolyField, PolyRing};

/// Coefficients that the host computes by the definition before the iteration begins.
const BASE: usize = 32;

/// A power series to some precision.
#[derive(Debug)]
pub(crate) struct Series<F: PolyField> {
    /// At least `precision` words.
    pub(crate) buffer: Buffer<F::Element>,
    pub(crate) precision: usize,
}

impl<F: PolyField> PolyRing<F> {
    /// `g` with `f g = 1 mod x^precision`, of `f` with `len` coefficients, the constant term first; `known` is an inverse to a
    /// lower precision, from which the iteration goes on.
    ///
    /// # Errors
    /// [`PolyError::NoUnit`] where the constant term is zero; [`PolyError::Device`].
    pub(crate) fn invert_series(
        &self,
        f: &Buffer<F::Element>,
        len: usize,
        precision: usize,
        known: Option<&Series<F>>,
    ) -> Result<Series<F>, PolyError> {
        let len = len.min(precision);
        let mut inverse = self.device().scratch(precision)?;
        let mut have = if let Some(known) = known.filter(|known| known.precision > 0) {
            let have = known.precision.min(precision);
            inverse.view_mut(..have)?.copy_from(known.buffer.view(..have)?)?;
            have
        } else {
            let have = precision.min(BASE);
            let start = f.view(..len.min(have))?.download()?;
            inverse.view_mut(..have)?.write(&self.short_inverse(&start, have)?)?;
            have
        };
        if have == precision {
            return Ok(Series { buffer: inverse, precision });
        }
        // With -f the errors of the inverse come with the sign that its corrections need.
        let negated = self.negated(f, len)?;
        while have < precision {
            let next = precision.min(2 * have);
            let n = len.min(next);
            // f g = 1 + x^have e, and g - x^have (e g) is the inverse to twice the precision.
            let shape = Shape { count: 1, n, m: have, low: have, len: next - have, square: false };
            let mut error = self.device().scratch(next - have)?;
            self.multiply(&shape, &Factors { a: &negated, b: &inverse }, &mut error, None)?;
            let shape = Shape { count: 1, n: next - have, m: have, low: 0, len: next - have, square: false };
            let mut correction = self.device().scratch(next - have)?;
            self.multiply(&shape, &Factors { a: &error, b: &inverse }, &mut correction, None)?;
            inverse.view_mut(have..next)?.copy_from(correction.view(..)?)?;
            have = next;
        }
        Ok(Series { buffer: inverse, precision })
    }

    /// The inverse of the power series with these first coefficients to `precision`, by the definition.
    fn short_inverse(&self, f: &[F::Element], precision: usize) -> Result<Vec<F::Element>, PolyError> {
        let field = self.field();
        let first = f.first().and_then(|&c| field.inverse(c)).ok_or(PolyError::NoUnit)?;
        let mut inverse = Vec::with_capacity(precision);
        for k in 0..precision {
            if k == 0 {
                inverse.push(first);
                continue;
            }
            let terms = f.iter().skip(1).zip(inverse.iter().rev());
            let sum = terms.fold(field.zero(), |sum, (&f, &g)| field.add(sum, field.mul(f, g)));
            inverse.push(field.neg(field.mul(first, sum)));
        }
        Ok(inverse)
    }
}
