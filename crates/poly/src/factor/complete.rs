//! Factorization into irreducible polynomials: squarefree, distinct-degree and equal-degree factorization one after the other
//! (J. von zur Gathen, J. Gerhard, Modern Computer Algebra, algorithm 14.13).

use std::fmt;

use manycore_field::ResidueWord as _;

use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

/// A polynomial as a constant times powers of irreducible polynomials. Made by [`PolyRing::factor`].
pub struct Factorization<F: PolyField> {
    /// The leading coefficient of the polynomial.
    pub leading: F::Element,
    /// Monic irreducible polynomials, each once, with their multiplicities: by degree, and those of a degree in the order of
    /// their coefficients from the constant term on, as integers.
    pub factors: Vec<(Poly<F>, usize)>,
}

impl<F: PolyField> fmt::Debug for Factorization<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Factorization").field("leading", &self.leading).field("factors", &self.factors).finish()
    }
}

impl<F: PolyField> PolyRing<F> {
    /// The factorization into irreducible polynomials, the same on every device; no factors for constants.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(7)?)?;
    /// let f = ring.poly(&[0, 0, 3, 0, 3])?; // 3 x^2 (x^2 + 1)
    /// let factorization = ring.factor(&f)?;
    /// let [(x, two), (quadratic, one)] = &factorization.factors[..] else { unreachable!() };
    /// assert_eq!((factorization.leading, *two, *one), (3, 2, 1));
    /// assert_eq!((ring.coefficients(x)?, ring.coefficients(quadratic)?), (vec![0, 1], vec![1, 0, 1]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::ZeroHasNoFactors`]; [`PolyError::NotSplit`]; as [`PolyRing::gcd`].
    #[inline(never)]
    pub fn factor(&self, f: &Poly<F>) -> Result<Factorization<F>, PolyError> {
        let leading = self.leading(f)?.ok_or(PolyError::ZeroHasNoFactors)?;
        let mut factors = Vec::new();
        for (part, multiplicity) in self.squarefree(f)? {
            let (products, rest) = self.products_by_degree(part, usize::MAX)?;
            for (product, degree) in products {
                factors.extend(self.split(product, degree)?.into_iter().map(|factor| (factor, multiplicity)));
            }
            if rest.degree() > Some(0) {
                factors.push((self.coefficients(&rest)?, multiplicity));
            }
        }
        factors.sort_unstable_by(|(a, _), (b, _)| {
            let words = |f: &[F::Element]| f.iter().map(|c| c.as_u64()).collect::<Vec<_>>();
            a.len().cmp(&b.len()).then_with(|| words(a).cmp(&words(b)))
        });
        let upload = |(factor, multiplicity): (Vec<_>, _)| Ok((self.poly(&factor)?, multiplicity));
        let factors = factors.into_iter().map(upload).collect::<Result<_, PolyError>>()?;
        Ok(Factorization { leading, factors })
    }
}
