//! Checking roots and factorizations on the host: roots by a certificate of identities, factorizations by the value of the
//! product and Rabin's irreducibility test, whose products are checked too.

use manycore_device::Device;
use manycore_field::ResidueWord as _;
use manycore_verify::product::{factors, irreducible, roots};
use manycore_verify::{CheckError, Passed, SplitMix};

use super::Factorization;
use super::oracle::RingOracle;
use super::power::first_power;
use crate::arithmetic::gcd::Xgcd;
use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

/// How factorizations are checked, as reports name it.
const FACTORS: &str = "product and Rabin's test at random points of extensions of the field";

impl<F: PolyField> PolyRing<F> {
    /// Whether these are the distinct roots of `f` in the field, all of them and ascending: right roots always pass, wrong
    /// ones, also some too few, with a chance below `2^-64` over the choice of `seed`.
    ///
    /// The ring computes a certificate ([`roots`]): `f` over the product of `x - r`, the chain of squares to `x^p` modulo
    /// that, and an extended greatest common divisor. Each identity in it is checked on the host at a random point of an
    /// extension of the field, so that neither the device nor the ring's code is trusted. It takes as long as finding the
    /// product of the linear factors, with a download of each square.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(469_762_049)?)?;
    /// let f = ring.random(50, 1)?;
    /// let roots = ring.roots(&f)?;
    /// assert!(ring.verify_roots(&f, &roots, 3)?);
    /// assert!(!ring.verify_roots(&f, &[roots, vec![469_762_048]].concat(), 3)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::Check`] for the zero polynomial; as [`PolyRing::xgcd`].
    #[inline(never)]
    pub fn verify_roots(&self, f: &Poly<F>, roots: &[F::Element], seed: u64) -> Result<bool, PolyError> {
        passed(self.check_roots(f, roots, seed))
    }

    /// The check of [`PolyRing::verify_roots`] that returns its method and the chance that wrong roots pass.
    ///
    /// # Errors
    /// [`PolyError::Check`] for wrong roots ([`CheckError::is_wrong`]); as [`PolyRing::verify_roots`].
    #[inline(never)]
    pub fn check_roots(&self, f: &Poly<F>, roots: &[F::Element], seed: u64) -> Result<Passed, PolyError> {
        let p = self.field().order();
        let words = self.coefficients(f)?;
        let is_list = roots.iter().all(|r| r.as_u64() < p) && roots.len() < words.len();
        // The check below refuses a list that cannot be one of roots.
        let product = self.linear_product(if is_list { roots } else { &[] })?;
        let cofactor = self.div(f, &product)?;
        let mut random = SplitMix::new(seed);
        let mut check = roots::Check::new(p, &words, roots, &self.coefficients(&cofactor)?, &mut random)?;
        let m = self.divisor(cofactor)?;
        if m.degree() == 0 {
            let inverse = self.leading(m.poly())?.and_then(|c| self.field().inverse(c)).into_iter().collect::<Vec<_>>();
            let one = [self.field().one()];
            return Ok(check.finish(&[], &inverse, &one, &self.coefficients(&product)?)?);
        }
        let (start, squares) = first_power(p.into(), m.degree());
        check.start(start)?;
        let mut power = self.monomial(start)?;
        for bit in (0..squares).rev() {
            let odd = p >> bit & 1 == 1;
            let square = self.square(&power)?;
            let square = if odd { self.shift_up(&square, 1)? } else { square };
            let (quotient, remainder) = self.div_rem_with(&square, &m)?;
            check.square(odd, &self.coefficients(&quotient)?, &self.coefficients(&remainder)?)?;
            power = remainder;
        }
        let Xgcd { gcd, s, t } = self.xgcd(&self.sub(&power, &self.monomial(1)?)?, m.poly())?;
        let rest = self.div(&product, &gcd)?;
        let [s, t, common, rest] =
            [self.coefficients(&s)?, self.coefficients(&t)?, self.coefficients(&gcd)?, self.coefficients(&rest)?];
        Ok(check.finish(&s, &t, &common, &rest)?)
    }

    /// Whether this is the factorization of `f`: irreducible monic polynomials in their order, each once, whose product with
    /// the leading coefficient is `f`.
    ///
    /// A wrong one passes with a chance below `2^-64` over the choice of `seed`. The product of the powers is compared with `f` at
    /// a random point of an extension of the field ([`factors::check`]). That the factors are irreducible is found out by Rabin's
    /// test on the host, whatever the device, with compositions in the place of most powers and every product checked at such a
    /// point ([`irreducible::check`]): a fraction of the time of the factorization.
    ///
    /// # Errors
    /// [`PolyError::Check`] for the zero polynomial; as [`PolyRing::gcd`].
    #[inline(never)]
    pub fn verify_factors(&self, f: &Poly<F>, factors: &Factorization<F>, seed: u64) -> Result<bool, PolyError> {
        passed(self.check_factors(f, factors, seed))
    }

    /// The check of [`PolyRing::verify_factors`] that returns its method and the chance that a wrong product passes.
    ///
    /// # Errors
    /// [`PolyError::Check`] for a wrong factorization ([`CheckError::is_wrong`]); as [`PolyRing::verify_factors`].
    #[inline(never)]
    pub fn check_factors(&self, f: &Poly<F>, factors: &Factorization<F>, seed: u64) -> Result<Passed, PolyError> {
        let words = self.coefficients(f)?;
        let mut lists = Vec::with_capacity(factors.factors.len());
        for (factor, multiplicity) in &factors.factors {
            lists.push((self.coefficients(factor)?, *multiplicity));
        }
        let random = &mut SplitMix::new(seed);
        let p = self.field().order();
        let product = factors::check(p, &words, factors.leading, &lists, random)?;
        let host = PolyRing::new(&Device::host(), self.field().clone())?;
        let polynomials: Vec<&[F::Element]> = lists.iter().map(|(factor, _)| &factor[..]).collect();
        let irreducible = irreducible::check(p, &polynomials, &mut RingOracle::new(&host), random)?;
        Ok(Passed { method: FACTORS, chance: product.chance.or(irreducible.chance) })
    }

    /// The product of `x - r`, by halves on the host.
    fn linear_product(&self, roots: &[F::Element]) -> Result<Poly<F>, PolyError> {
        let host = PolyRing::new(&Device::host(), self.field().clone())?;
        let linear = |&r: &F::Element| host.poly(&[self.field().neg(r), self.field().one()]);
        let mut level = roots.iter().map(linear).collect::<Result<Vec<_>, _>>()?;
        while level.len() > 1 {
            let mut next = Vec::with_capacity(level.len().div_ceil(2));
            let mut pairs = level.into_iter();
            while let Some(first) = pairs.next() {
                next.push(match pairs.next() {
                    Some(second) => host.mul(&first, &second)?,
                    None => first,
                });
            }
            level = next;
        }
        match level.pop() {
            Some(product) => self.poly(&host.coefficients(&product)?),
            None => self.one(),
        }
    }
}

impl From<CheckError> for PolyError {
    fn from(error: CheckError) -> Self {
        Self::Check(error)
    }
}

/// Whether a check passed.
fn passed(outcome: Result<Passed, PolyError>) -> Result<bool, PolyError> {
    match outcome {
        Ok(_) => Ok(true),
        Err(PolyError::Check(error)) if error.is_wrong() => Ok(false),
        Err(error) => Err(error),
    }
}
