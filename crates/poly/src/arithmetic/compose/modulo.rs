//! Modular composition by baby steps and giant steps (R. Brent, H. Kung, Fast algorithms for manipulating formal power series,
//! Journal of the ACM 25, 1978, algorithm 2.1; J. von zur Gathen, J. Gerhard, Modern Computer Algebra, algorithm 12.3).
//!
//! With `b` near the root of the `n` coefficients of `f`, the powers `g^0, ..., g^(b-1)` are multiplied by blocks of `b`
//! coefficients, which is a product of matrices, and Horner's rule in `g^b` puts the `n / b` values together.

use super::blocks::KeptPowers;
use crate::arithmetic::divide::Divisor;
use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

impl<F: PolyField> PolyRing<F> {
    /// `f(g)` modulo the polynomial `m` of the divisor, by baby steps and giant steps: `O(n^(1/2) M(d) + n d)` operations for `n`
    /// coefficients of `f` and an `m` of degree `d`, and memory for about `n^(1/2) d` words.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(7)?)?;
    /// let m = ring.divisor(ring.poly(&[1, 0, 1])?)?; // x^2 + 1: x is a square root of -1
    /// let h = ring.compose_mod(&ring.poly(&[0, 0, 0, 1])?, &ring.poly(&[1, 1])?, &m)?; // (1 + x)^3
    /// assert_eq!(ring.coefficients(&h)?, [5, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`PolyRing::mul`].
    #[inline(never)]
    pub fn compose_mod(&self, f: &Poly<F>, g: &Poly<F>, m: &Divisor<F>) -> Result<Poly<F>, PolyError> {
        self.own(f)?;
        self.own(g)?;
        self.own(m.poly())?;
        if m.degree() == 0 {
            return self.zero();
        }
        let g = self.reduced(self.copy(g)?, m)?;
        self.by_giant_steps(f, &g, &|a, b| self.reduced(self.mul(a, b)?, m))
    }

    /// The lowest `n` coefficients of `f(g)`: the composition modulo `x^n`, by baby steps and giant steps, `O(k^(1/2) M(n) + k n)`
    /// operations for the `k` coefficients of `f` that count: `n` of them where `g` has no constant term, else all.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(9001)?)?;
    /// let geometric = ring.poly(&[1; 100])?; // 1 / (1 - x) modulo x^100
    /// let h = ring.compose_short(&geometric, &ring.poly(&[0, 1, 1])?, 6)?; // 1 / (1 - x - x^2)
    /// assert_eq!(ring.coefficients(&h)?, [1, 1, 2, 3, 5, 8]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`PolyRing::mul`].
    #[inline(never)]
    pub fn compose_short(&self, f: &Poly<F>, g: &Poly<F>, n: usize) -> Result<Poly<F>, PolyError> {
        self.own(f)?;
        self.own(g)?;
        if n == 0 {
            return self.zero();
        }
        let g = self.truncate(g, n)?;
        let counted;
        let f = match self.valuation(&g)? {
            None => return self.constant(self.coefficient(f, 0)?),
            Some(0) => f,
            Some(valuation) => {
                counted = self.truncate(f, n.div_ceil(valuation))?;
                &counted
            }
        };
        self.by_giant_steps(f, &g, &|a, b| self.mul_short(a, b, n))
    }

    /// `f(g)` in a ring with these products.
    fn by_giant_steps(
        &self,
        f: &Poly<F>,
        g: &Poly<F>,
        product: &impl Fn(&Poly<F>, &Poly<F>) -> Result<Poly<F>, PolyError>,
    ) -> Result<Poly<F>, PolyError> {
        if f.len() <= 1 {
            return self.copy(f);
        }
        let log_block = f.len().ilog2().div_ceil(2);
        let mut powers = self.powers_of(g, 1 << log_block, product)?;
        let values = self.values_of_blocks(f, &powers, log_block)?;
        let step = match powers.pop() {
            Some(last) => product(&last, g)?,
            None => self.one()?,
        };
        drop(powers);
        self.put_together(values, &step, product)
    }

    /// The sum of the values of blocks times powers of `step`, by Horner's rule.
    fn put_together(
        &self,
        mut values: Vec<Poly<F>>,
        step: &Poly<F>,
        product: &impl Fn(&Poly<F>, &Poly<F>) -> Result<Poly<F>, PolyError>,
    ) -> Result<Poly<F>, PolyError> {
        let mut value = match values.pop() {
            Some(highest) => highest,
            None => self.zero()?,
        };
        while let Some(next) = values.pop() {
            value = self.add(&product(&value, step)?, &next)?;
        }
        Ok(value)
    }

    /// `g` for many compositions `f(g)` modulo the polynomial of the divisor, by `2^log_block` kept powers: each composition of an
    /// `f` of `n` coefficients takes `n / 2^log_block` products and `n d` operations.
    pub(crate) fn inner(&self, g: &Poly<F>, m: &Divisor<F>, log_block: u32) -> Result<Inner<F>, PolyError> {
        let product = |a: &Poly<F>, b: &Poly<F>| self.reduced(self.mul(a, b)?, m);
        let powers = self.powers_of(g, 1 << log_block, &product)?;
        let step = match powers.last() {
            Some(last) => product(last, g)?,
            None => self.one()?,
        };
        Ok(Inner { powers: self.kept_powers(&powers, log_block)?, step })
    }

    /// `f(g)` modulo the polynomial of the divisor that `g` was kept for.
    pub(crate) fn compose_inner(&self, f: &Poly<F>, g: &Inner<F>, m: &Divisor<F>) -> Result<Poly<F>, PolyError> {
        if f.len() <= 1 {
            return self.copy(f);
        }
        let values = self.values_at(f, &g.powers)?;
        self.put_together(values, &g.step, &|a, b| self.reduced(self.mul(a, b)?, m))
    }
}

/// A polynomial that others are composed with modulo one polynomial: its lowest powers, and the one behind them.
pub(crate) struct Inner<F: PolyField> {
    powers: KeptPowers<F>,
    step: Poly<F>,
}
