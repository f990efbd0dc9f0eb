//! Resultants and discriminants as operations of the ring.

use super::sequence;
use crate::arithmetic::gcd::half::{self, Kept};
use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

impl<F: PolyField> PolyRing<F> {
    /// The resultant: the determinant of Sylvester's matrix of the polynomials' degrees, the rows of `f` first; equal to
    /// `lc(f)^(deg g)` times the product of the values of `g` at the roots of `f`. Zero where a polynomial is zero or both have a
    /// common factor; `c^(deg f)` for a constant `g = c`.
    ///
    /// Half-gcd, which collects the degrees and leading coefficients of all remainders: `O(M(n) log n)` operations for `n`
    /// coefficients, with `M(n)` those of a product.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(9001)?)?;
    /// let (f, g) = (ring.poly(&[1, 2, 3])?, ring.poly(&[4, 5, 6, 7])?);
    /// assert_eq!(ring.resultant(&f, &g)?, 256);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`PolyRing::mul`].
    #[inline(never)]
    pub fn resultant(&self, f: &Poly<F>, g: &Poly<F>) -> Result<F::Element, PolyError> {
        self.resultant_with(f, g, self.half_gcd_base()?)
    }

    /// The resultant; a transition handles degrees of at most `base`.
    pub(super) fn resultant_with(&self, f: &Poly<F>, g: &Poly<F>, base: usize) -> Result<F::Element, PolyError> {
        self.own(f)?;
        self.own(g)?;
        let field = self.field();
        let (Some(m), Some(n)) = (f.degree(), g.degree()) else { return Ok(field.zero()) };
        let (above, below, degree) = if m < n { (g, f, n) } else { (f, g, m) };
        let kept = Kept { steps: true, factors: false };
        let descent = half::descend(self, above, below, base, kept)?;
        let value = sequence::resultant(field, degree, &descent.steps);
        Ok(if m < n && m % 2 == 1 && n % 2 == 1 { field.neg(value) } else { value })
    }

    /// The resultant of formal degrees: the determinant of Sylvester's matrix of size `m + n` of polynomials that count as of the
    /// degrees `m` and `n`, the rows of `f` first. So it is zero where both leading coefficients are zero, and 1 for `m = n = 0`.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(9001)?)?;
    /// let (f, g) = (ring.poly(&[1, 1])?, ring.poly(&[1, 0, 0, 2])?); // as 0 x^2 + x + 1
    /// assert_eq!(ring.resultant(&f, &g)?, 9000);
    /// assert_eq!(ring.resultant_formal(&f, 2, &g, 3)?, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::FormalDegree`] for a formal degree below that of its polynomial; as [`PolyRing::mul`].
    #[inline(never)]
    pub fn resultant_formal(&self, f: &Poly<F>, m: usize, g: &Poly<F>, n: usize) -> Result<F::Element, PolyError> {
        self.own(f)?;
        self.own(g)?;
        for (f, degree) in [(f, m), (g, n)] {
            if f.len > degree.saturating_add(1) {
                return Err(PolyError::FormalDegree { len: f.len, degree });
            }
        }
        let field = self.field();
        let constant = |f: &Poly<F>, power: usize| Ok(field.power(self.coefficient(f, 0)?, power as u64));
        // Constants have no row in the matrix of the other polynomial's degree 0.
        match (m, n) {
            (_, 0) => return constant(g, m),
            (0, _) => return constant(f, n),
            _ => {}
        }
        let (Some(own_m), Some(own_n)) = (f.degree(), g.degree()) else { return Ok(field.zero()) };
        if m > own_m && n > own_n {
            return Ok(field.zero());
        }
        let value = self.resultant(f, g)?;
        let leading = |f: &Poly<F>, power: usize| match power {
            0 => Ok(field.one()),
            _ => Ok::<_, PolyError>(field.power(self.leading(f)?.unwrap_or(field.zero()), power as u64)),
        };
        let (e, h) = (m - own_m, n - own_n);
        let value = field.mul(value, field.mul(leading(g, e)?, leading(f, h)?));
        Ok(if e % 2 == 1 && n % 2 == 1 { field.neg(value) } else { value })
    }

    /// The discriminant: `(-1)^(n (n - 1) / 2) Res_(n, n - 1)(f, f') / lc(f)` for `n = deg f`, with `f'` of the formal degree
    /// `n - 1`, also where its degree is lower because the field's characteristic divides `n`. Zero exactly for polynomials with a
    /// multiple root in the algebraic closure; 1 for `n = 1`, and zero for constants by agreement.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(9001)?)?;
    /// let f = ring.poly(&[3, 5, 2])?; // 2 x^2 + 5 x + 3
    /// assert_eq!(ring.discriminant(&f)?, 1); // 25 - 4 * 2 * 3
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`PolyRing::mul`].
    #[inline(never)]
    pub fn discriminant(&self, f: &Poly<F>) -> Result<F::Element, PolyError> {
        self.own(f)?;
        let field = self.field();
        let Some(n) = f.degree().filter(|&n| n > 0) else { return Ok(field.zero()) };
        let value = self.resultant_formal(f, n, &self.derivative(f)?, n - 1)?;
        let inverse = self.leading(f)?.and_then(|c| field.inverse(c)).unwrap_or(field.zero());
        let value = field.mul(value, inverse);
        Ok(if n % 4 >= 2 { field.neg(value) } else { value })
    }
}

#[cfg(test)]
mod tests {
    use manycore_device::Device;
    use manycore_field::PrimeField;

    use super::PolyRing;
    use crate::arithmetic::resultant::reference;

    /// The determinant does not depend on the base of the recursion.
    #[test]
    fn every_base_gives_the_determinant() {
        for p in [2, 3, 7, 469_762_049] {
            let ring = PolyRing::new(&Device::host(), PrimeField::<u32>::new(p).unwrap()).unwrap();
            for (seed, (n, m)) in [(1, 1), (4, 9), (30, 31), (31, 31), (60, 41), (25, 2)].into_iter().enumerate() {
                let (f, g) = (ring.random(n + 1, seed as u64).unwrap(), ring.random(m + 1, 50 + seed as u64).unwrap());
                let (Some(m), Some(n)) = (f.degree(), g.degree()) else { continue };
                let [a, b] = [&f, &g].map(|f| ring.coefficients(f).unwrap());
                let expected = reference::resultant(ring.field(), (&a, m), (&b, n));
                for base in [1, 2, 5, 16, 1000] {
                    let value = ring.resultant_with(&f, &g, base).unwrap();
                    assert_eq!(value, expected, "degrees {m} and {n} mod {p}, base {base}");
                }
            }
        }
    }
}
