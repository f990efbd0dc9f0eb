//! Checking a decomposition by substitution.

use super::{Decomposition, Solutions};
use crate::error::BivariateError;
use crate::polynomial::Bivariate;
use crate::ring::{BivariateField, BivariateRing};

impl<F: BivariateField> BivariateRing<F> {
    /// Whether every chain is one, and all of its points are zeros of `f` and `g`: `T` is squarefree and monic, `H` monic in `y`, and
    /// both polynomials have the remainder zero by `H` modulo `T`. Whether the polynomials `T` are pairwise coprime. Whether `f` and `g`
    /// are the products of the curves and of their cofactors, up to constants; of a system with one polynomial zero, whether the other
    /// is the product of the curves.
    ///
    /// # Errors
    /// [`BivariateError::MixedFields`].
    #[inline(never)]
    pub fn verify_chains(
        &self,
        f: &Bivariate<F>,
        g: &Bivariate<F>,
        found: &Decomposition<F>,
    ) -> Result<bool, BivariateError> {
        self.own(f)?;
        self.own(g)?;
        let (u, one) = (self.univariate(), self.univariate().one());
        let mut product = one.clone();
        for chain in &found.chains {
            let h = chain.h.rows();
            if chain.t.len() < 2 || h.len() < 2 || h.last() != Some(&one) || chain.t.last() != one.last() {
                return Ok(false);
            }
            for f in [f, g] {
                if !u.remainder_mod(f.rows(), h, &chain.t)?.is_empty() {
                    return Ok(false);
                }
            }
            if u.gcd(&product, &chain.t)?.len() > 1 {
                return Ok(false);
            }
            product = u.mul(&product, &chain.t)?;
        }
        if u.squarefree_part(&product)? != product {
            return Ok(false);
        }
        let mut common = Bivariate::trimmed(self.field(), vec![one]);
        for curve in &found.curves {
            common = common.mul(curve)?;
        }
        let Some([a, b]) = &found.cofactors else {
            // The zeros of one polynomial, where the other is zero.
            let other = if f.is_zero() { g } else { f };
            let is_one_zero = f.is_zero() != g.is_zero();
            return Ok(is_one_zero && found.chains.is_empty() && self.associated(other, &common));
        };
        Ok(self.associated(f, &a.mul(&common)?) && self.associated(g, &b.mul(&common)?))
    }

    /// Whether polynomials are equal but for a constant factor other than zero.
    fn associated(&self, f: &Bivariate<F>, g: &Bivariate<F>) -> bool {
        let field = self.field();
        let leading = |f: &Bivariate<F>| f.rows().last().and_then(|row| row.last()).copied();
        let (Some(c), Some(d)) = (leading(f), leading(g)) else { return f == g };
        let rows = |f: &Bivariate<F>, by| -> Vec<Vec<F::Element>> {
            f.rows().iter().map(|row| row.iter().map(|&c| field.mul(c, by)).collect()).collect()
        };
        rows(f, d) == rows(g, c)
    }

    /// Whether every listed point is a zero of `f` and `g`, no two are equal, and [`BivariateRing::verify_chains`] holds.
    ///
    /// # Errors
    /// As [`BivariateRing::verify_chains`].
    #[inline(never)]
    pub fn verify_solutions(
        &self,
        f: &Bivariate<F>,
        g: &Bivariate<F>,
        found: &Solutions<F>,
    ) -> Result<bool, BivariateError> {
        let zero = self.field().zero();
        let is_zero = |&[x, y]: &[F::Element; 2]| f.evaluate(x, y) == zero && g.evaluate(x, y) == zero;
        let distinct = found.points.windows(2).all(|pair| pair[0] < pair[1]);
        Ok(distinct && found.points.iter().all(is_zero) && self.verify_chains(f, g, &found.decomposition)?)
    }
}
