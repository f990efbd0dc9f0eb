//! The compositional inverse of a power series by Newton's iteration over compositions (R. Brent, H. Kung, Fast algorithms for
//! manipulating formal power series, Journal of the ACM 25, 1978, section 3).
//!
//! With `F = f(g)`, which is `x` modulo `x^m`, `g` becomes `g - (F - x) / f'(g)`, and `f'(g) = F' / g'` by the chain rule, in
//! every characteristic: one composition a step.

use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

use super::steps::{SERIES, precisions};

impl<F: PolyField> PolyRing<F> {
    /// The first `n` coefficients of the compositional inverse of a power series without constant term: `f(g) = x` modulo `x^n`,
    /// and `g(f) = x` too. Takes about twice as long as [`PolyRing::compose_short`].
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(9001)?)?;
    /// let f = ring.poly(&[0, 1, 9000])?; // x - x^2: the Catalan numbers
    /// assert_eq!(ring.coefficients(&ring.reversion(&f, 7)?)?, [0, 1, 1, 2, 5, 14, 42]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::ConstantTerm`] where the constant term is not 0; [`PolyError::NoReversion`] where the coefficient of `x` is;
    /// as [`PolyRing::mul`].
    #[inline(never)]
    pub fn reversion(&self, f: &Poly<F>, n: usize) -> Result<Poly<F>, PolyError> {
        self.begins_with(f, 0, "the compositional inverse of a power series")?;
        let inverse = self.field().inverse(self.coefficient(f, 1)?).ok_or(PolyError::NoReversion)?;
        if n <= 1 {
            return self.zero();
        }
        self.room(n, SERIES)?;
        let x = self.monomial(1)?;
        let mut g = self.scale(&x, inverse)?;
        let mut m = 2;
        for to in precisions(n, 2) {
            if to <= m {
                continue;
            }
            let value = self.compose_short(f, &g, to)?;
            let error = self.shift_down(&value, m)?;
            let slope = self.div_series(&self.derivative(&g)?, &self.derivative(&value)?, to - m);
            let slope = slope.map_err(|error| self.spoiled_unit(error))?;
            let correction = self.mul_short(&error, &slope, to - m)?;
            g = self.joined(&g, m, &self.neg(&correction)?)?;
            m = to;
        }
        Ok(g)
    }
}
