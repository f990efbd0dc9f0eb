//! Triangular decomposition of the common zeros of two bivariate polynomials: resultant, first subresultants and, where both leading
//! coefficients vanish, gcds by splitting (Kalkbrener; Boulier, Lemaire, Moreno Maza).
//!
//! At a root `x0` of the resultant where not both leading coefficients vanish the least `k` with `s_k(x0) != 0` is the degree of
//! `gcd(f(x0, y), g(x0, y))`, and `S_k(x0, y)` is that divisor, `s_k` being the coefficient of `y^k` in `S_k`. Where both vanish
//! subresultants may vanish identically, and the divisor is computed by Euclid's algorithm.

use super::d5::{Branch, Rows};
use super::{Chain, Decomposition};
use crate::chain::Subresultants;
use crate::error::BivariateError;
use crate::polynomial::Bivariate;
use crate::ring::{BivariateField, BivariateRing};
use crate::univariate::Words;

/// A polynomial as its content in `F_p[x]` and its primitive part.
struct Split<F: BivariateField> {
    content: Words<F>,
    primitive: Bivariate<F>,
}

/// Subresultants by their index; none for none that were computed.
type Found<F> = Vec<Option<Bivariate<F>>>;

/// What polynomials have in common.
enum Common<F: BivariateField> {
    /// No factor that contains `y`: the subresultants that say so.
    None(Found<F>),
    Factor(Bivariate<F>),
}

impl<F: BivariateField> BivariateRing<F> {
    /// The common zeros of `f` and `g` over the algebraic closure of the field: the curves that they share, and the points of the rest
    /// as pairwise disjoint regular chains. Multiplicities are not kept.
    ///
    /// ```
    /// use manycore_bivariate::{Bivariate, BivariateRing};
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// let field = PrimeField::<u32>::new(9001)?;
    /// let f = Bivariate::parse(&field, "(y - x)*(y - 1)")?;
    /// let g = Bivariate::parse(&field, "(y - x)*(x - 2)")?;
    /// let found = BivariateRing::new(&Device::from_env()?, field)?.decompose(&f, &g)?;
    /// assert_eq!(found.curves, [Bivariate::parse(&field, "y - x")?]);
    /// assert_eq!((&found.chains[0].t[..], &found.chains[0].h), (&[8999, 1][..], &Bivariate::parse(&field, "y - 1")?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BivariateError::WholePlane`] for two zero polynomials; as [`BivariateRing::resultant`].
    #[inline(never)]
    pub fn decompose(&self, f: &Bivariate<F>, g: &Bivariate<F>) -> Result<Decomposition<F>, BivariateError> {
        self.own(f)?;
        self.own(g)?;
        match (f.is_zero(), g.is_zero()) {
            (true, true) => return Err(BivariateError::WholePlane),
            (true, false) | (false, true) => {
                let other = if f.is_zero() { g } else { f };
                return Ok(Decomposition { curves: self.curves(other)?, chains: Vec::new(), cofactors: None });
            }
            (false, false) => {}
        }
        let (mut a, mut b) = (self.split(f)?, self.split(g)?);
        let swapped = a.primitive.degree_y() < b.primitive.degree_y();
        if swapped {
            std::mem::swap(&mut a, &mut b);
        }
        let (curves, found) = self.divide_common(&mut a, &mut b)?;
        let chains = self.points(&a, &b, found)?;
        let [first, second] = [&a, &b].map(|f| self.times(&f.primitive, &f.content));
        let cofactors = if swapped { [second?, first?] } else { [first?, second?] };
        Ok(Decomposition { curves, chains, cofactors: Some(cofactors) })
    }

    /// Content and primitive part of a polynomial other than zero; the content is monic.
    fn split(&self, f: &Bivariate<F>) -> Result<Split<F>, BivariateError> {
        let u = self.univariate();
        let mut content = Vec::new();
        for row in f.rows() {
            content = u.gcd(&content, row)?;
            if content.len() == 1 {
                break;
            }
        }
        let primitive = f.rows().iter().map(|row| u.div_exact(row, &content)).collect::<Result<_, _>>()?;
        Ok(Split { content, primitive: Bivariate::trimmed(self.field(), primitive) })
    }

    fn times(&self, f: &Bivariate<F>, by: &[F::Element]) -> Result<Bivariate<F>, BivariateError> {
        let rows = f.rows().iter().map(|row| self.univariate().mul(row, by)).collect::<Result<_, _>>()?;
        Ok(Bivariate::trimmed(self.field(), rows))
    }

    /// The quotient of a division in `F_p[x][y]` that has no remainder.
    fn divided(&self, f: &Bivariate<F>, by: &Bivariate<F>) -> Result<Bivariate<F>, BivariateError> {
        let u = self.univariate();
        let not_exact = || BivariateError::Inconsistent { what: "the division by a common factor" };
        let n = by.rows().len().checked_sub(1).ok_or_else(not_exact)?;
        let mut rest = f.rows().to_vec();
        let mut quotient: Rows<F> = vec![Vec::new(); rest.len().saturating_sub(n)];
        for (i, q) in quotient.iter_mut().enumerate().rev() {
            *q = u.div_exact(&rest[i + n], &by.rows()[n])?;
            for (row, by) in rest[i..].iter_mut().zip(by.rows()) {
                let difference = u.sub(row, &u.mul(q, by)?);
                *row = difference;
            }
        }
        if rest.iter().any(|row| !row.is_empty()) {
            return Err(not_exact());
        }
        Ok(Bivariate::trimmed(self.field(), quotient))
    }

    /// The zeros of one polynomial: its content and its primitive part, where they are not constant, the leading coefficient 1.
    fn curves(&self, f: &Bivariate<F>) -> Result<Vec<Bivariate<F>>, BivariateError> {
        let parts = self.split(f)?;
        self.curves_of(parts.content, &parts.primitive)
    }

    fn curves_of(&self, content: Words<F>, primitive: &Bivariate<F>) -> Result<Vec<Bivariate<F>>, BivariateError> {
        let leading = primitive.rows().last().and_then(|row| row.last());
        let unit = leading.and_then(|&c| self.field().inverse(c)).unwrap_or(self.field().one());
        let parts = [Bivariate::trimmed(self.field(), vec![content]), self.times(primitive, &[unit])?];
        Ok(parts.into_iter().filter(|part| !part.is_constant()).collect())
    }

    /// Divides two polynomials by their greatest common divisor, whose curves it gives, and subresultants of the primitive parts that
    /// were found on the way; `deg_y a >= deg_y b` before.
    fn divide_common(
        &self,
        a: &mut Split<F>,
        b: &mut Split<F>,
    ) -> Result<(Vec<Bivariate<F>>, Found<F>), BivariateError> {
        let u = self.univariate();
        let content = u.gcd(&a.content, &b.content)?;
        a.content = u.div_exact(&a.content, &content)?;
        b.content = u.div_exact(&b.content, &content)?;
        let mut common = Bivariate::trimmed(self.field(), vec![u.one()]);
        let mut found = Found::<F>::new();
        if b.primitive.degree_y() >= Some(1) {
            match self.common_factor(&a.primitive, &b.primitive)? {
                Common::None(subresultants) => found = subresultants,
                Common::Factor(divisor) => {
                    a.primitive = self.divided(&a.primitive, &divisor)?;
                    b.primitive = self.divided(&b.primitive, &divisor)?;
                    common = divisor;
                }
            }
        }
        Ok((self.curves_of(content, &common)?, found))
    }

    /// The primitive greatest common divisor of primitive polynomials of positive degrees in `y`, if it is not constant: the primitive
    /// part of the first subresultant whose coefficient of `y^k` is not zero.
    fn common_factor(&self, f: &Bivariate<F>, g: &Bivariate<F>) -> Result<Common<F>, BivariateError> {
        let mut chain = Subresultants::new(self, f, g)?;
        if !chain.resultant()?.is_empty() {
            return Ok(Common::None(chain.into_found()));
        }
        for k in 1..chain.len() {
            let s = chain.get(k)?;
            if s.degree_y() == Some(k) {
                return Ok(Common::Factor(self.split(s)?.primitive));
            }
        }
        Ok(Common::Factor(g.clone()))
    }

    /// The points of polynomials without a common factor, `deg_y a >= deg_y b`.
    fn points(&self, a: &Split<F>, b: &Split<F>, found: Found<F>) -> Result<Vec<Chain<F>>, BivariateError> {
        let u = self.univariate();
        let vertical = u.squarefree_part(&u.mul(&a.content, &b.content)?)?;
        let mut branches = Vec::new();
        if vertical.len() > 1 {
            let [f, g] = [a, b].map(|f| self.times(&f.primitive, &f.content));
            branches = u.gcd_by_splitting(&vertical, f?.rows(), g?.rows())?;
        }
        if b.primitive.degree_y() >= Some(1) {
            branches.extend(self.branches([&a.primitive, &b.primitive], found, &vertical)?);
        }
        branches.retain(|(t, h)| t.len() > 1 && h.len() > 1);
        let chain = |(t, h): Branch<F>| Chain { t: u.monic(&t), h: Bivariate::trimmed(self.field(), h) };
        Ok(branches.into_iter().map(chain).collect())
    }

    /// The branches of coprime polynomials of degrees `m >= n >= 1` in `y`, over the roots of their resultant that are not roots of
    /// `without`.
    fn branches(
        &self,
        [f, g]: [&Bivariate<F>; 2],
        found: Found<F>,
        without: &[F::Element],
    ) -> Result<Vec<Branch<F>>, BivariateError> {
        let u = self.univariate();
        let mut chain = Subresultants::resumed(self, f, g, found)?;
        let resultant = chain.resultant()?;
        if resultant.is_empty() {
            return Err(BivariateError::Inconsistent { what: "the division by a common factor" });
        }
        let mut t = u.squarefree_part(&resultant)?;
        t = u.div_exact(&t, &u.gcd(&t, without)?)?;
        let leading = |f: &Bivariate<F>| f.rows().last().cloned().unwrap_or_default();
        let both = u.gcd(&u.gcd(&t, &leading(f))?, &leading(g))?;
        let mut branches = Vec::new();
        if both.len() > 1 {
            branches = u.gcd_by_splitting(&both, f.rows(), g.rows())?;
            t = u.div_exact(&t, &both)?;
        }
        for k in 1..chain.len() {
            if t.len() <= 1 {
                break;
            }
            let s = chain.get(k)?;
            let principal = s.rows().get(k).cloned().unwrap_or_default();
            let rest = u.gcd(&t, &principal)?;
            branches.extend(u.normalise(&u.div_exact(&t, &rest)?, s.rows())?);
            t = rest;
        }
        branches.extend(u.normalise(&t, g.rows())?);
        Ok(branches)
    }
}
