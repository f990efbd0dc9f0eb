//! Integrals, logarithms, exponentials and powers of power series, by Newton's iteration (R. Brent, H. Kung, Fast algorithms for
//! manipulating formal power series, Journal of the ACM 25, 1978; G. Hanrot, P. Zimmermann, Newton iteration revisited, 2004).
//!
//! The logarithm is the integral of `f' / f`. For the exponential `g` of `f`, known modulo `x^m`, `g f' - g'` is 0 modulo
//! `x^(m-1)`; divided by `g` and integrated it is what the logarithm of `g` lacks, and `g` times this what `g` lacks, modulo
//! `x^(2m)`. The inverse of `g` is kept beside, to half the precision.

use super::recurrences;
use super::steps::{SERIES, precisions};
use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

impl<F: PolyField> PolyRing<F> {
    /// The integral of `f` with the constant term 0: coefficient `i` over `i + 1` becomes coefficient `i + 1`.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(7)?)?;
    /// assert_eq!(ring.coefficients(&ring.integral(&ring.poly(&[3, 2, 3])?)?)?, [0, 3, 1, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::Characteristic`] for a polynomial of as many coefficients as the prime, or more; [`PolyError::TooLong`];
    /// [`PolyError::MixedRings`] and [`PolyError::Device`].
    #[inline(never)]
    pub fn integral(&self, f: &Poly<F>) -> Result<Poly<F>, PolyError> {
        self.own(f)?;
        self.divides_below(f.len() + 1, "an integral")?;
        self.shift_up(&self.integral_from(f, 0)?, 1)
    }

    /// The integral of `x^at f`, over `x^(at + 1)`: coefficient `i` over `at + i + 1`.
    fn integral_from(&self, f: &Poly<F>, at: usize) -> Result<Poly<F>, PolyError> {
        if f.is_zero() {
            return self.zero();
        }
        let end = at + f.len();
        let inverses = self.weights.inverses((self.device(), self.field()), end)?;
        Ok(self.exact(self.hadamard(f.view()?, inverses.view(at..end)?)?, f.len()))
    }

    /// The first `n` coefficients of the logarithm of a power series with the constant term 1: a quotient and an integral.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(9001)?)?;
    /// let f = ring.poly(&[1, 9000])?; // -log(1 - x) = x + x^2 / 2 + x^3 / 3 + ...
    /// let logarithm = ring.neg(&ring.log_series(&f, 4)?)?;
    /// assert_eq!(ring.coefficients(&logarithm)?, [0, 1, 4501, 6001]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::ConstantTerm`] where the constant term is not 1; [`PolyError::Characteristic`] for an `n` above the prime; as
    /// [`PolyRing::mul`].
    #[inline(never)]
    pub fn log_series(&self, f: &Poly<F>, n: usize) -> Result<Poly<F>, PolyError> {
        const OPERATION: &str = "the logarithm of a power series";
        self.begins_with(f, 1, OPERATION)?;
        self.divides_below(n, OPERATION)?;
        if n <= 1 {
            return self.zero();
        }
        self.room(n, SERIES)?;
        let derivative = self.derivative(&self.truncate(f, n)?)?;
        let quotient = self.div_series(&derivative, f, n - 1).map_err(|error| self.spoiled_unit(error))?;
        self.integral(&quotient)
    }

    /// The first `n` coefficients of the exponential of a power series with the constant term 0, by Newton's iteration.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(9001)?)?;
    /// let g = ring.exp_series(&ring.poly(&[0, 1])?, 4)?; // 1 + x + x^2 / 2 + x^3 / 6
    /// assert_eq!(ring.coefficients(&g)?, [1, 1, 4501, 7501]);
    /// assert_eq!(ring.coefficients(&ring.log_series(&g, 4)?)?, [0, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::ConstantTerm`] where the constant term is not 0; [`PolyError::Characteristic`] for an `n` above the prime; as
    /// [`PolyRing::mul`].
    #[inline(never)]
    pub fn exp_series(&self, f: &Poly<F>, n: usize) -> Result<Poly<F>, PolyError> {
        const OPERATION: &str = "the exponential of a power series";
        self.begins_with(f, 0, OPERATION)?;
        self.divides_below(n, OPERATION)?;
        if n == 0 {
            return self.zero();
        }
        self.room(n, SERIES)?;
        let precisions = precisions(n, self.recurrence_len(n)?);
        let mut m = precisions[0];
        let inverses = self.inverses_below(m)?;
        let mut g = self.poly(&recurrences::exponential(self.field(), &self.lowest(f, m)?, &inverses, m))?;
        if m == n {
            return Ok(g);
        }
        let derivative = self.derivative(&self.truncate(f, n)?)?;
        let mut inverse = self.inverse_series(&g, m).map_err(|error| self.spoiled_unit(error))?;
        let mut known = m;
        for &to in &precisions[1..] {
            inverse = self.extended_inverse(&g, &inverse, known, m)?;
            known = m;
            let error = self.mul_middle(&g, &derivative, m - 1..to - 1)?;
            let lacking = self.integral_from(&self.mul_short(&error, &inverse, to - m)?, m - 1)?;
            g = self.joined(&g, m, &self.mul_short(&g, &lacking, to - m)?)?;
            m = to;
        }
        Ok(g)
    }

    /// The first `n` coefficients of the power series `f^exponent`, for an exponent from the field and a constant term 1: the
    /// exponential of the exponent times the logarithm. With the inverse of `k` it is the `k`-th root with the constant term 1.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::{Field as _, PrimeField};
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(9001)?)?;
    /// let third = ring.field().inverse(3).unwrap_or_default();
    /// let root = ring.pow_series(&ring.poly(&[1, 3])?, third, 4)?; // the cube root of 1 + 3 x
    /// assert_eq!(ring.coefficients(&ring.pow_short(&root, 3, 4)?)?, [1, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::OutOfRange`] for an exponent that is no residue; as [`PolyRing::log_series`].
    #[inline(never)]
    pub fn pow_series(&self, f: &Poly<F>, exponent: F::Element, n: usize) -> Result<Poly<F>, PolyError> {
        self.field().check(&[exponent])?;
        self.exp_series(&self.scale(&self.log_series(f, n)?, exponent)?, n)
    }
}
