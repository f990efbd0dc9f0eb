//! Square roots of power series and their inverses, by Newton's iteration (R. Brent, Multiple-precision zero-finding methods, 1976;
//! G. Hanrot, P. Zimmermann, Newton iteration revisited, 2004).
//!
//! With `f r^2 = 1 + x^m e`, the inverse root `r` to precision `m` becomes `r - x^m (e r) / 2` to precision `2 m`. The root is
//! `f r` to half the precision, and one step more for the root itself: `s + x^m (f - s^2)_m r / 2`.

use manycore_field::ResidueWord as _;

use super::recurrences;
use super::steps::{SERIES, precisions};
use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

impl<F: PolyField> PolyRing<F> {
    /// The first `n` coefficients of the square root of a power series: `s^2 = f`, all coefficients of `f` counted. Of both roots
    /// the one whose lowest coefficient is the lesser residue: 1 for a root of 1. The root of zero is zero.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::{PolyError, PolyRing};
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(9001)?)?;
    /// let f = ring.poly(&[0, 0, 4, 4, 1])?; // (2 x + x^2)^2
    /// assert_eq!(ring.coefficients(&ring.sqrt_series(&f, 5)?)?, [0, 2, 1]);
    /// let error = ring.sqrt_series(&ring.poly(&[0, 1])?, 5).unwrap_err();
    /// assert_eq!(error, PolyError::NoSquareRoot { coefficient: 1, power: 1, p: 9001 });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::NoSquareRoot`] where the lowest coefficient is that of an odd power of `x` or no square;
    /// [`PolyError::CharacteristicTwo`]; as [`PolyRing::mul`].
    #[inline(never)]
    pub fn sqrt_series(&self, f: &Poly<F>, n: usize) -> Result<Poly<F>, PolyError> {
        self.own(f)?;
        self.has_half("the square root of a power series")?;
        let Some(power) = self.valuation(f)? else { return self.zero() };
        let unit;
        let f = if power == 0 {
            f
        } else {
            unit = self.shift_down(f, power)?;
            &unit
        };
        let root = self.lowest_root(f, power)?;
        let Some(n) = n.checked_sub(power / 2).filter(|&n| n > 0) else { return self.zero() };
        self.room(n, SERIES)?;
        if n <= self.recurrence_len(n)? {
            // Neither 2 nor the root is 0.
            let words = recurrences::square_root(self.field(), &self.lowest(f, n)?, root, n);
            let root = self.poly(&words.unwrap_or_default())?;
            return if power == 0 { Ok(root) } else { self.shift_up(&root, power / 2) };
        }
        let half = n.div_ceil(2);
        let inverse = self.inverse_root(f, root, half)?;
        let low = self.mul_short(f, &inverse, half)?;
        let error = self.sub(&self.slice(f, half, n)?, &self.mul_middle(&low, &low, half..n)?)?;
        let high = self.halved(&self.mul_short(&error, &inverse, n - half)?)?;
        let root = self.joined(&low, half, &high)?;
        if power == 0 { Ok(root) } else { self.shift_up(&root, power / 2) }
    }

    /// The first `n` coefficients of the inverse of the square root of a power series: `f r^2 = 1` modulo `x^n`, the inverse of
    /// [`PolyRing::sqrt_series`].
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(9001)?)?;
    /// let f = ring.poly(&[1, 8997])?; // 1 - 4 x: the central binomial coefficients
    /// assert_eq!(ring.coefficients(&ring.inverse_sqrt_series(&f, 5)?)?, [1, 2, 6, 20, 70]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::NoUnit`] where the constant term is zero; [`PolyError::NoSquareRoot`] where it is no square;
    /// [`PolyError::CharacteristicTwo`]; as [`PolyRing::mul`].
    #[inline(never)]
    pub fn inverse_sqrt_series(&self, f: &Poly<F>, n: usize) -> Result<Poly<F>, PolyError> {
        self.own(f)?;
        self.has_half("the inverse of the square root of a power series")?;
        if self.coefficient(f, 0)? == self.field().zero() {
            return Err(PolyError::NoUnit);
        }
        let root = self.lowest_root(f, 0)?;
        self.inverse_root(f, root, n)
    }

    /// The lesser square root of the constant term of `f`, the lowest coefficient of a series at `x^power`.
    fn lowest_root(&self, f: &Poly<F>, power: usize) -> Result<F::Element, PolyError> {
        let (field, lowest) = (self.field(), self.coefficient(f, 0)?);
        let root = field.square_root(lowest).filter(|_| power.is_multiple_of(2)).ok_or(PolyError::NoSquareRoot {
            coefficient: lowest.as_u64(),
            power,
            p: field.order(),
        })?;
        let other = field.neg(root);
        Ok(if other.as_u64() < root.as_u64() { other } else { root })
    }

    /// The inverse of the square root of `f` with the constant term `root`, which is not 0.
    fn inverse_root(&self, f: &Poly<F>, root: F::Element, n: usize) -> Result<Poly<F>, PolyError> {
        if n == 0 {
            return self.zero();
        }
        self.room(n, SERIES)?;
        let (field, precisions) = (self.field(), precisions(n, self.recurrence_len(n)?));
        let mut m = precisions[0];
        // Neither 2 nor the root is 0.
        let first = recurrences::square_root(field, &self.lowest(f, m)?, root, m);
        let inverse = first.and_then(|first| recurrences::quotient(field, &[field.one()], &first, m));
        let mut r = self.poly(&inverse.unwrap_or_default())?;
        for &to in &precisions[1..] {
            let error = self.mul_middle(f, &self.square_short(&r, to)?, m..to)?;
            let correction = self.halved(&self.mul_short(&error, &r, to - m)?)?;
            r = self.joined(&r, m, &self.neg(&correction)?)?;
            m = to;
        }
        Ok(r)
    }

    /// `f / 2`.
    fn halved(&self, f: &Poly<F>) -> Result<Poly<F>, PolyError> {
        let field = self.field();
        let two = field.add(field.one(), field.one());
        // The prime is odd.
        self.scale(f, field.inverse(two).unwrap_or(two))
    }

    /// Fails modulo 2.
    fn has_half(&self, operation: &'static str) -> Result<(), PolyError> {
        if self.field().order() == 2 { Err(PolyError::CharacteristicTwo { operation }) } else { Ok(()) }
    }
}
