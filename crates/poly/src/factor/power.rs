//! Powers modulo a polynomial by left-to-right binary exponentiation (Knuth, The Art of Computer Programming, volume 2,
//! section 4.6.3) with one kept divisor.

use crate::arithmetic::divide::Divisor;
use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

/// Coefficients up to which a base is multiplied to the square before the reduction, which is then one instead of two.
const SHORT_BASE: usize = 4;

impl<F: PolyField> PolyRing<F> {
    /// `f^exponent mod m` for the polynomial `m` of the divisor: `log2(exponent)` squares, as many products with `f` as the
    /// exponent has ones, and a reduction after each. The power 0 is 1, also of zero; modulo a constant everything is zero.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(7)?)?;
    /// let m = ring.divisor(ring.poly(&[1, 0, 1])?)?; // x^2 + 1: x is a square root of -1
    /// let power = ring.pow_mod(&ring.poly(&[1, 1])?, 4, &m)?; // (1 + x)^4 = (2 x)^2 = -4
    /// assert_eq!(ring.coefficients(&power)?, [3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`PolyRing::mul`].
    #[inline(never)]
    pub fn pow_mod(&self, f: &Poly<F>, exponent: u128, m: &Divisor<F>) -> Result<Poly<F>, PolyError> {
        self.own(f)?;
        self.own(m.poly())?;
        if m.degree() == 0 {
            return self.zero();
        }
        if exponent == 0 {
            return self.one();
        }
        let base = self.reduced(self.copy(f)?, m)?;
        let mut power = self.copy(&base)?;
        for bit in (0..exponent.ilog2()).rev() {
            power = self.square(&power)?;
            if exponent >> bit & 1 == 1 {
                if base.len() > SHORT_BASE {
                    power = self.reduced(power, m)?;
                }
                power = self.mul(&power, &base)?;
            }
            power = self.reduced(power, m)?;
        }
        Ok(power)
    }

    /// `x^exponent mod m` for the polynomial `m` of the divisor: as many squares as the exponent has bits more than the degree
    /// of `m`, each reduced once; products with `x` are shifts.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(9001)?)?;
    /// let m = ring.divisor(ring.poly(&[8999, 8998, 1])?)?; // x^2 = 3 x + 2
    /// assert_eq!(ring.coefficients(&ring.x_pow_mod(3, &m)?)?, [6, 11]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`PolyRing::mul`].
    #[inline(never)]
    pub fn x_pow_mod(&self, exponent: u128, m: &Divisor<F>) -> Result<Poly<F>, PolyError> {
        self.own(m.poly())?;
        let (start, squares) = first_power(exponent, m.degree());
        if m.degree() == 0 {
            return self.zero();
        }
        let mut power = self.monomial(start)?;
        for bit in (0..squares).rev() {
            power = self.next_power_of_x(&power, exponent >> bit & 1 == 1, m)?;
        }
        Ok(power)
    }

    /// The square of a power of `x`, times `x` if `odd`, modulo the divisor.
    fn next_power_of_x(&self, power: &Poly<F>, odd: bool, m: &Divisor<F>) -> Result<Poly<F>, PolyError> {
        let square = self.square(power)?;
        let square = if odd { self.shift_up(&square, 1)? } else { square };
        self.reduced(square, m)
    }

    /// `f` modulo the divisor.
    pub(crate) fn reduced(&self, f: Poly<F>, m: &Divisor<F>) -> Result<Poly<F>, PolyError> {
        if f.len() <= m.degree() { Ok(f) } else { self.rem_with(&f, m) }
    }
}

/// The leading bits of the exponent as long as their value lies below the degree, and the number of bits that are left.
pub(super) fn first_power(exponent: u128, degree: usize) -> (usize, u32) {
    let mut squares = 0;
    while squares < u128::BITS && exponent >> squares >= degree.max(1) as u128 {
        squares += 1;
    }
    ((exponent.checked_shr(squares).unwrap_or(0)) as usize, squares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_x_below_the_degree_need_no_square() {
        assert_eq!(first_power(0, 5), (0, 0));
        assert_eq!(first_power(4, 5), (4, 0));
        assert_eq!(first_power(5, 5), (2, 1));
        assert_eq!(first_power(23, 5), (2, 3));
        assert_eq!(first_power(1, 1), (0, 1));
        assert_eq!(first_power(u128::MAX, 1), (0, 128));
        assert_eq!(first_power(u128::MAX, 2), (1, 127));
    }
}
