//! Powers by left-to-right binary exponentiation (Knuth, The Art of Computer Programming, volume 2, section 4.6.3), whole and
//! modulo a power of `x`.

use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

impl<F: PolyField> PolyRing<F> {
    /// `f^exponent`: as many squares as the exponent has bits after the leading one, and as many products with `f` as these have
    /// ones, `O(M(n))` operations for a power of `n` coefficients. The power 0 is 1, also of zero.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(7)?)?;
    /// let power = ring.pow(&ring.poly(&[1, 1])?, 4)?; // (1 + x)^4
    /// assert_eq!(ring.coefficients(&power)?, [1, 4, 6, 4, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::TooLong`] for a power that no memory holds, and [`PolyError::Device`] for one that the device has no room for, before
    /// it is computed; as [`PolyRing::mul`].
    #[inline(never)]
    pub fn pow(&self, f: &Poly<F>, exponent: u64) -> Result<Poly<F>, PolyError> {
        self.own(f)?;
        if exponent == 0 {
            return self.one();
        }
        let Some(degree) = f.degree() else { return self.zero() };
        if degree == 0 {
            let power = self.field().power(self.coefficient(f, 0)?, exponent);
            return self.constant(power);
        }
        let what = "a power";
        let len = usize::try_from(exponent).ok().and_then(|k| k.checked_mul(degree)).and_then(|k| k.checked_add(1));
        self.room(len.ok_or(PolyError::TooLong { what })?, what)?;
        self.power(f, exponent, |a, b| self.mul(a, b))
    }

    /// The lowest `n` coefficients of `f^exponent`: the power modulo `x^n`, `O(M(n) log exponent)` operations. The power 0 is 1,
    /// also of zero.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(7)?)?;
    /// let power = ring.pow_short(&ring.poly(&[1, 1])?, 1_000_000_000_000, 3)?;
    /// assert_eq!(ring.coefficients(&power)?, [1, 1]); // the exponent is 1 modulo 7
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`PolyRing::mul`].
    #[inline(never)]
    pub fn pow_short(&self, f: &Poly<F>, exponent: u64, n: usize) -> Result<Poly<F>, PolyError> {
        self.own(f)?;
        if n == 0 {
            return self.zero();
        }
        if exponent == 0 {
            return self.one();
        }
        // `f = x^v g` gives `f^k = x^(k v) g^k`, so `g^k` is needed to `k v` fewer coefficients.
        let valuation = self.valuation(f)?;
        let zeros = valuation.and_then(|v| usize::try_from(exponent).ok().and_then(|k| k.checked_mul(v)));
        let (Some(valuation), Some(zeros)) = (valuation, zeros.filter(|&zeros| zeros < n)) else { return self.zero() };
        self.room(n, "a power")?;
        let n = n - zeros;
        let unit = self.truncate(&self.shift_down(f, valuation)?, n)?;
        let power = self.power(&unit, exponent, |a, b| self.mul_short(a, b, n))?;
        if zeros == 0 { Ok(power) } else { self.shift_up(&power, zeros) }
    }

    /// The lowest `n` coefficients of `f^2`: the square modulo `x^n`; by transforms with one of them less than a product.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(7)?)?;
    /// let square = ring.square_short(&ring.poly(&[1, 2, 3])?, 3)?;
    /// assert_eq!(ring.coefficients(&square)?, [1, 4, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`PolyRing::mul`].
    pub fn square_short(&self, f: &Poly<F>, n: usize) -> Result<Poly<F>, PolyError> {
        self.mul_short(f, f, n)
    }

    /// `f^exponent` for an exponent other than 0, by these products.
    fn power(
        &self,
        f: &Poly<F>,
        exponent: u64,
        product: impl Fn(&Poly<F>, &Poly<F>) -> Result<Poly<F>, PolyError>,
    ) -> Result<Poly<F>, PolyError> {
        let mut power = self.copy(f)?;
        for bit in (0..exponent.ilog2()).rev() {
            power = product(&power, &power)?;
            if exponent >> bit & 1 == 1 {
                power = product(&power, f)?;
            }
        }
        Ok(power)
    }

    /// The highest power of `x` that divides `f`; `None` for zero.
    pub(crate) fn valuation(&self, f: &Poly<F>) -> Result<Option<usize>, PolyError> {
        let Some(degree) = f.degree() else { return Ok(None) };
        if self.coefficient(f, 0)? != self.field().zero() {
            return Ok(Some(0));
        }
        Ok(Some(f.len() - self.reverse(f, degree)?.len()))
    }
}
