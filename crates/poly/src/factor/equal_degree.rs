//! Equal-degree factorization by the algorithm of Cantor and Zassenhaus (A New Algorithm for Factoring Polynomials over Finite
//! Fields, 1981), with the trace in the place of their power (J. von zur Gathen, V. Shoup, 1992).
//!
//! Modulo each irreducible factor of degree `d` the trace `a + a^p + ... + a^(p^(d-1))` of a random `a` is a random element
//! of the prime field. It is zero for half of the factors where `p = 2`; for odd `p` its power `(p - 1) / 2` is 1
//! for nearly half of them. So a greatest common divisor cuts the polynomial into two parts with a chance near 1/2 or more.

use manycore_device::{Device, Executor};
use manycore_field::ResidueWord as _;

use super::on_host::{Words, irreducible_factors};
use crate::arithmetic::divide::Divisor;
use crate::arithmetic::linear::reference;
use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

/// The most coefficients of parts of a polynomial on a device that the host factors: launches take longer than products of few
/// coefficients.
const HOST_LEN: usize = 256;

/// Draws that may fail to cut a polynomial one after the other: all of them do with a chance of `(5/9)^128 < 2^-108`.
const MOST_DRAWS: u32 = 128;

/// The seed of the random polynomials. The factors do not depend on it.
const SEED: u64 = 0x5eed;

impl<F: PolyField> PolyRing<F> {
    /// The irreducible factors of a squarefree polynomial all of whose irreducible factors have degree `d`: monic, in the order
    /// of their coefficients from the constant term on. Empty for constants.
    ///
    /// About `log2(n / d)` rounds of `d log2(p)` products modulo polynomials whose degrees sum to that of `f`, and of
    /// greatest common divisors. Random polynomials are those of a fixed seed.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(7)?)?;
    /// let f = ring.poly(&[1, 0, 0, 0, 1])?; // x^4 + 1
    /// let factors = ring.equal_degree(&f, 2)?;
    /// assert_eq!(ring.coefficients(&factors[0])?, [1, 3, 1]);
    /// assert_eq!(ring.coefficients(&factors[1])?, [1, 4, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::NotEqualDegree`] for an irreducible factor of another degree, found out by a distinct-degree factorization
    /// up to `d`; [`PolyError::NotSquarefree`]; [`PolyError::ZeroHasNoFactors`]; [`PolyError::NotSplit`]; as [`PolyRing::gcd`].
    #[inline(never)]
    pub fn equal_degree(&self, f: &Poly<F>, d: usize) -> Result<Vec<Poly<F>>, PolyError> {
        let f = self.monic_squarefree(f)?;
        let len = f.len();
        if len == 1 {
            return Ok(Vec::new());
        }
        let (mut products, rest) = self.products_by_degree(f, d)?;
        products.push((rest, len - 1));
        // One product that is all of f, and the rest 1; or f has no room for two factors of degree d or less, and is the rest.
        let whole = products.into_iter().find(|(product, degree)| product.len() == len && *degree == d);
        let Some((product, _)) = whole else {
            return Err(PolyError::NotEqualDegree { degree: d });
        };
        let mut factors = self.split(product, d)?;
        factors.sort_unstable_by(|a, b| a.iter().map(|c| c.as_u64()).cmp(b.iter().map(|c| c.as_u64())));
        factors.iter().map(|factor| self.poly(factor)).collect()
    }

    /// The coefficients of the irreducible factors of a monic squarefree polynomial all of whose irreducible factors have
    /// degree `d`, in any order.
    pub(super) fn split(&self, f: Poly<F>, d: usize) -> Result<Vec<Vec<F::Element>>, PolyError> {
        if f.len() == 1 {
            return Ok(Vec::new());
        }
        if matches!(self.device().executor(), Executor::Host(_)) {
            return irreducible_factors(&mut Words::new(self), self.coefficients(&f)?, d);
        }
        let (mut factors, short) = self.split_long(vec![f], d)?;
        if !short.is_empty() {
            let host = PolyRing::new(&Device::host(), self.field().clone())?;
            let words = &mut Words::new(&host);
            for part in short {
                factors.extend(irreducible_factors(words, part, d)?);
            }
        }
        Ok(factors)
    }

    /// Splits polynomials on an OpenCL device; those with few coefficients are left to the host.
    #[expect(clippy::type_complexity, reason = "two lists of polynomials")]
    fn split_long(
        &self,
        mut parts: Vec<Poly<F>>,
        d: usize,
    ) -> Result<(Vec<Vec<F::Element>>, Vec<Vec<F::Element>>), PolyError> {
        let (mut factors, mut short) = (Vec::new(), Vec::new());
        let mut draws = 0;
        while let Some(part) = parts.pop() {
            if part.len() == d + 1 {
                factors.push(self.coefficients(&part)?);
            } else if part.len() <= HOST_LEN {
                short.push(self.coefficients(&part)?);
            } else {
                let divisor = self.divisor(part)?;
                parts.extend(self.two_parts(&divisor, d, &mut draws)?);
            }
        }
        Ok((factors, short))
    }

    /// Two parts of a product of two or more irreducible factors.
    fn two_parts(&self, f: &Divisor<F>, d: usize, draws: &mut u64) -> Result<[Poly<F>; 2], PolyError> {
        let not_split = |draws| PolyError::NotSplit { degree: f.degree(), of_each: d, draws };
        if f.degree() < 2 * d || !f.degree().is_multiple_of(d) {
            return Err(not_split(0));
        }
        // Every draw cuts with a chance of 4/9 or more.
        for _ in 0..MOST_DRAWS {
            *draws += 1;
            let start = if d == 1 {
                // An element of the field for each root: shifts of the roots will do.
                self.poly(&[reference::random(self.field(), SEED, *draws), self.field().one()])?
            } else {
                self.random(f.degree(), SEED.wrapping_add(*draws))?
            };
            let mut value = self.trace(&start, d, f)?;
            if self.field().order() > 2 {
                let half = u128::from(self.field().order() / 2);
                value = self.sub(&self.pow_mod(&value, half, f)?, &self.one()?)?;
            }
            let part = self.gcd(f.poly(), &value)?;
            if part.degree() > Some(0) && part.len() < f.poly().len() {
                let other = self.cofactor(f.poly(), &part)?;
                return Ok([part, other]);
            }
        }
        Err(not_split(MOST_DRAWS))
    }
}
