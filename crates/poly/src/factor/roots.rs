//! Roots in a prime field (M. O. Rabin, Probabilistic Algorithms in Finite Fields, 1980): the factors `x - r` of `f` are those
//! of `gcd(x^p - x, f)`, which equal-degree factorization separates.

use manycore_device::Executor;
use manycore_field::ResidueWord as _;

use crate::arithmetic::evaluate::reference::evaluate;
use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

/// Products up to which all elements of the field are tried on the host: `p` values of a polynomial of degree below `p`.
const MOST_TRIALS: u64 = 1 << 16;

impl<F: PolyField> PolyRing<F> {
    /// The roots in the field, each once, ascending as integers; none of constants other than zero.
    ///
    /// `log2(p)` squares modulo `f`, and then as [`PolyRing::equal_degree`] of the product of the linear factors. Over small
    /// fields all elements are tried.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(469_762_049)?)?;
    /// let f = ring.poly(&[0, 3, 469_762_045, 1])?; // x (x - 1) (x - 3)
    /// assert_eq!(ring.roots(&f)?, [0, 1, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::EveryElementIsRoot`] for the zero polynomial; [`PolyError::NotSplit`]; as [`PolyRing::gcd`].
    #[inline(never)]
    pub fn roots(&self, f: &Poly<F>) -> Result<Vec<F::Element>, PolyError> {
        self.own(f)?;
        let p = self.field().order();
        match f.degree() {
            None => return Err(PolyError::EveryElementIsRoot),
            Some(0) => return Ok(Vec::new()),
            Some(_) if p.saturating_mul(p.min(f.len() as u64)) <= MOST_TRIALS => return self.roots_by_trial(f),
            Some(_) => {}
        }
        let linear = self.linear_factors(f)?;
        let factors = self.split(linear, 1)?;
        let mut roots: Vec<F::Element> = factors.iter().map(|factor| self.field().neg(factor[0])).collect();
        roots.sort_unstable_by_key(|root| root.as_u64());
        Ok(roots)
    }

    /// The monic product of `x - r` over the roots of a polynomial that is not constant.
    fn linear_factors(&self, f: &Poly<F>) -> Result<Poly<F>, PolyError> {
        if f.degree() > Some(1) && matches!(self.device().executor(), Executor::Host(_)) {
            let (mut products, _) = self.products_by_degree(self.monic(f)?, 1)?;
            return products.pop().map_or_else(|| self.one(), |(product, _)| Ok(product));
        }
        let f = self.divisor(self.monic(f)?)?;
        if f.degree() == 1 {
            return self.copy(f.poly());
        }
        let power = self.x_pow_mod(self.field().order().into(), &f)?;
        self.gcd(f.poly(), &self.sub(&power, &self.monomial(1)?)?)
    }

    /// The elements of the field at which the polynomial is zero, one after the other.
    fn roots_by_trial(&self, f: &Poly<F>) -> Result<Vec<F::Element>, PolyError> {
        let (field, p) = (self.field(), self.field().order());
        let mut short = self.coefficients(f)?;
        // x^p = x at every element.
        let least = usize::try_from(p).unwrap_or(usize::MAX);
        for i in (least..short.len()).rev() {
            let to = i + 1 - least;
            short[to] = field.add(short[to], short[i]);
        }
        short.truncate(least);
        let elements = (0..p).map(F::Element::from_u64);
        Ok(elements.filter(|&x| evaluate(field, &short, x) == field.zero()).collect())
    }
}
