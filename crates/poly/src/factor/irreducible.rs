//! Rabin's irreducibility test (M. O. Rabin, Probabilistic Algorithms in Finite Fields, 1980): a polynomial of degree `n` is
//! irreducible if `x^(p^n) = x` modulo it and no `x^(p^(n/q)) - x`, for a prime `q` that divides `n`, has a factor in common
//! with it.

use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

impl<F: PolyField> PolyRing<F> {
    /// Whether a polynomial is irreducible: not constant, and no product of polynomials of lower degree.
    ///
    /// A power of `x` and a greatest common divisor for each prime factor of the degree, and one more power. Each takes at most
    /// `2 log2(n)` compositions modulo the polynomial, or `n log2(p)` squares where those are fewer operations.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(7)?)?;
    /// assert!(ring.is_irreducible(&ring.poly(&[1, 0, 1])?)?); // x^2 + 1
    /// assert!(!ring.is_irreducible(&ring.poly(&[1, 0, 0, 0, 1])?)?); // x^4 + 1
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`PolyRing::gcd`].
    #[inline(never)]
    pub fn is_irreducible(&self, f: &Poly<F>) -> Result<bool, PolyError> {
        self.own(f)?;
        let Some(degree) = f.degree().filter(|&degree| degree > 0) else { return Ok(false) };
        if degree == 1 {
            return Ok(true);
        }
        let p = u128::from(self.field().order());
        let (x, m) = (self.monomial(1)?, self.divisor(self.copy(f)?)?);
        let first = self.x_pow_mod(p, &m)?;
        // Of the lowest degrees first, whose factors are the most likely.
        for d in (1..degree).filter(|&d| is_maximal_divisor(d, degree)) {
            let power = self.iterated_power_of_x(&first, d, &m)?;
            if self.gcd(f, &self.sub(&power, &x)?)?.degree() != Some(0) {
                return Ok(false);
            }
        }
        let power = self.iterated_power_of_x(&first, degree, &m)?;
        self.equal(&power, &x)
    }
}

/// Whether `d` is `n` over a prime.
fn is_maximal_divisor(d: usize, n: usize) -> bool {
    let q = n / d;
    n.is_multiple_of(d) && q > 1 && (2..q).take_while(|i| i * i <= q).all(|i| !q.is_multiple_of(i))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maximal_divisors_are_those_by_primes() {
        let of = |n| (1..=n).filter(|&d| is_maximal_divisor(d, n)).collect::<Vec<_>>();
        assert_eq!((of(1), of(2), of(9), of(12), of(30)), (vec![], vec![1], vec![3], vec![4, 6], vec![6, 10, 15]));
    }
}
