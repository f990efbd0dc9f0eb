//! Univariate polynomials as vectors: those short enough by their definitions, longer ones by the ring of polynomials on the host.

use manycore_device::Device;
use manycore_field::ResidueWord as _;
use manycore_poly::linear::reference::stripped_len;
use manycore_poly::{Poly, PolyError, PolyField, PolyRing};

use crate::error::BivariateError;

/// Coefficients up to which operations are done by their definitions: a call of the ring costs about as much.
const SHORT: usize = 16;

/// Coefficients by powers, the constant term first, the last one not zero.
pub(crate) type Words<F> = Vec<<F as manycore_field::Semiring>::Element>;

/// Operations on univariate polynomials.
#[derive(Debug)]
pub(crate) struct Univariate<F: PolyField> {
    ring: PolyRing<F>,
}

impl<F: PolyField> Univariate<F> {
    pub(crate) fn new(device: &Device, field: F) -> Result<Self, BivariateError> {
        Ok(Self { ring: PolyRing::new(device, field)? })
    }

    pub(crate) fn field(&self) -> &F {
        self.ring.field()
    }

    pub(crate) fn ring(&self) -> &PolyRing<F> {
        &self.ring
    }

    fn poly(&self, f: &[F::Element]) -> Result<Poly<F>, PolyError> {
        self.ring.poly(f)
    }

    fn words(&self, f: &Poly<F>) -> Result<Words<F>, BivariateError> {
        Ok(self.ring.coefficients(f)?)
    }

    pub(crate) fn one(&self) -> Words<F> {
        vec![self.field().one()]
    }

    /// The words without zeros at the end.
    pub(crate) fn stripped(&self, mut f: Words<F>) -> Words<F> {
        f.truncate(stripped_len(self.field(), &f));
        f
    }

    pub(crate) fn sub(&self, f: &[F::Element], g: &[F::Element]) -> Words<F> {
        let field = self.field();
        let at = |f: &[F::Element], i: usize| f.get(i).copied().unwrap_or(field.zero());
        self.stripped((0..f.len().max(g.len())).map(|i| field.sub(at(f, i), at(g, i))).collect())
    }

    pub(crate) fn scale(&self, f: &[F::Element], c: F::Element) -> Words<F> {
        self.stripped(f.iter().map(|&x| self.field().mul(x, c)).collect())
    }

    pub(crate) fn monic(&self, f: &[F::Element]) -> Words<F> {
        let inverse = f.last().and_then(|&c| self.field().inverse(c));
        inverse.map_or_else(Vec::new, |inverse| self.scale(f, inverse))
    }

    pub(crate) fn mul(&self, f: &[F::Element], g: &[F::Element]) -> Result<Words<F>, BivariateError> {
        if f.is_empty() || g.is_empty() {
            return Ok(Vec::new());
        }
        if f.len().min(g.len()) == 1 {
            let (c, other) = if f.len() == 1 { (f[0], g) } else { (g[0], f) };
            return Ok(self.scale(other, c));
        }
        if f.len().min(g.len()) <= SHORT {
            // Domains have no zero divisors: the leading coefficient is not zero.
            let mut product = vec![self.field().zero(); f.len() + g.len() - 1];
            self.field().convolve(f, g, 0, &mut product);
            return Ok(product);
        }
        self.words(&self.ring.mul(&self.poly(f)?, &self.poly(g)?)?)
    }

    pub(crate) fn power(&self, f: &[F::Element], exponent: usize) -> Result<Words<F>, BivariateError> {
        let mut power = self.one();
        for bit in (0..usize::BITS - exponent.leading_zeros()).rev() {
            power = self.mul(&power, &power)?;
            if exponent >> bit & 1 == 1 {
                power = self.mul(&power, f)?;
            }
        }
        Ok(power)
    }

    /// Quotient and remainder; `g` is not zero.
    fn div_rem(&self, f: &[F::Element], g: &[F::Element]) -> Result<(Words<F>, Words<F>), BivariateError> {
        if f.len() < g.len() {
            return Ok((Vec::new(), f.to_vec()));
        }
        if g.len().min(f.len() - g.len() + 1) <= SHORT {
            let divided = manycore_poly::divide::reference::divide(self.field(), f, g);
            let (q, r) = divided.ok_or(PolyError::ZeroDivisor)?;
            return Ok((self.stripped(q), self.stripped(r)));
        }
        let (q, r) = self.ring.div_rem(&self.poly(f)?, &self.poly(g)?)?;
        Ok((self.words(&q)?, self.words(&r)?))
    }

    pub(crate) fn rem(&self, f: &[F::Element], g: &[F::Element]) -> Result<Words<F>, BivariateError> {
        Ok(self.div_rem(f, g)?.1)
    }

    /// The quotient by a factor that a step before found.
    pub(crate) fn div_exact(&self, f: &[F::Element], g: &[F::Element]) -> Result<Words<F>, BivariateError> {
        let not_exact = || BivariateError::Inconsistent { what: "the division by a common factor" };
        match *g {
            [] => Err(not_exact()),
            [c] => Ok(self.scale(f, self.field().inverse(c).ok_or_else(not_exact)?)),
            _ => {
                let (q, r) = self.div_rem(f, g)?;
                if r.is_empty() { Ok(q) } else { Err(not_exact()) }
            }
        }
    }

    /// The product modulo `t`.
    pub(crate) fn mul_mod(
        &self,
        f: &[F::Element],
        g: &[F::Element],
        t: &[F::Element],
    ) -> Result<Words<F>, BivariateError> {
        self.rem(&self.mul(f, g)?, t)
    }

    /// The monic greatest common divisor; zero of zeros.
    pub(crate) fn gcd(&self, f: &[F::Element], g: &[F::Element]) -> Result<Words<F>, BivariateError> {
        if f.is_empty() || g.is_empty() {
            return Ok(self.monic(if f.is_empty() { g } else { f }));
        }
        if f.len() == 1 || g.len() == 1 {
            return Ok(self.one());
        }
        if f.len().min(g.len()) <= SHORT && f.len().max(g.len()) <= 4 * SHORT {
            return Ok(manycore_poly::gcd::reference::gcd(self.field(), f, g));
        }
        self.words(&self.ring.gcd(&self.poly(f)?, &self.poly(g)?)?)
    }

    /// The inverse of `f`, coprime with it, modulo `t` of positive degree.
    pub(crate) fn inverse_mod(&self, f: &[F::Element], t: &[F::Element]) -> Result<Words<F>, BivariateError> {
        if let [c] = *f {
            let inverse = self.field().inverse(c).ok_or(PolyError::ZeroDivisor)?;
            return Ok(vec![inverse]);
        }
        self.words(&self.ring.inverse_mod(&self.poly(f)?, &self.poly(t)?)?)
    }

    /// The monic product of the different irreducible factors; `f` is not zero.
    pub(crate) fn squarefree_part(&self, f: &[F::Element]) -> Result<Words<F>, BivariateError> {
        if f.len() <= 2 {
            return Ok(if f.len() <= 1 { self.one() } else { self.monic(f) });
        }
        self.words(&self.ring.squarefree_part(&self.poly(f)?)?)
    }

    /// The roots in the field, ascending, each once; `f` is not zero.
    pub(crate) fn roots(&self, f: &[F::Element]) -> Result<Words<F>, BivariateError> {
        if let [c, leading] = *f {
            return Ok(self.field().div(self.field().neg(c), leading).into_iter().collect());
        }
        Ok(self.ring.roots(&self.poly(f)?)?)
    }

    pub(crate) fn derivative(&self, f: &[F::Element]) -> Words<F> {
        let field = self.field();
        self.stripped(f.iter().enumerate().skip(1).map(|(i, &c)| field.mul(c, field.natural(i as u64))).collect())
    }

    /// The multiplicity of a root, 0 of another element; `f` is not zero.
    pub(crate) fn multiplicity(&self, f: &[F::Element], root: F::Element) -> usize {
        let field = self.field();
        let mut rest = f.to_vec();
        let mut multiplicity = 0;
        while rest.len() > 1 {
            // Horner's rule leaves the quotient by `x - root`, and the value at its end.
            let mut value = field.zero();
            for c in rest.iter_mut().rev() {
                value = field.add(field.mul(value, root), *c);
                *c = value;
            }
            if value != field.zero() {
                break;
            }
            rest.remove(0);
            multiplicity += 1;
        }
        multiplicity
    }

    pub(crate) fn evaluate(&self, f: &[F::Element], x: F::Element) -> F::Element {
        manycore_poly::evaluate::reference::evaluate(self.field(), f, x)
    }

    /// A word that is not zero, the same for the same number.
    pub(crate) fn unit(&self, seed: u64) -> F::Element {
        let field = self.field();
        let drawn = manycore_poly::linear::reference::random(field, seed, 0);
        if drawn.as_u64() == 0 { field.one() } else { drawn }
    }
}
