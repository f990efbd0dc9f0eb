//! Checking a resultant at random points.

use manycore_poly::linear::reference::random;

use super::formal;
use crate::error::BivariateError;
use crate::polynomial::{Bivariate, Variable};
use crate::ring::{BivariateField, BivariateRing};

impl<F: BivariateField> BivariateRing<F> {
    /// Whether a polynomial, of which the coefficients are given, is the resultant of `f` and `g` with respect to `eliminated` at
    /// `points` random elements of the field, by the formal resultant of the images there.
    ///
    /// A wrong polynomial of degree `d` agrees at an element with a chance of at most `d / p`; over fields of few elements all of
    /// them prove less than the degree asks for.
    ///
    /// # Errors
    /// [`BivariateError::NotChecked`] at no points; [`BivariateError::MixedFields`]; [`BivariateError::OutOfRange`] for a word that is
    /// no residue.
    #[inline(never)]
    pub fn verify_resultant(
        &self,
        f: &Bivariate<F>,
        g: &Bivariate<F>,
        eliminated: Variable,
        resultant: &[F::Element],
        (points, seed): (usize, u64),
    ) -> Result<bool, BivariateError> {
        self.own(f)?;
        self.own(g)?;
        if points == 0 {
            return Err(BivariateError::NotChecked { reason: "a resultant is compared at one point at least" });
        }
        let (field, u) = (self.field(), self.univariate());
        field.check(resultant)?;
        let (Some(m), Some(n)) = (f.degree(eliminated), g.degree(eliminated)) else { return Ok(resultant.is_empty()) };
        let oriented = |f: &Bivariate<F>| match eliminated {
            Variable::Y => f.clone(),
            Variable::X => f.exchanged(),
        };
        let (f, g) = (oriented(f), oriented(g));
        let image =
            |f: &Bivariate<F>, x| -> Vec<F::Element> { f.rows().iter().map(|row| u.evaluate(row, x)).collect() };
        for index in 0..points as u64 {
            let x = random(field, seed, index);
            let (a, b) = (image(&f, x), image(&g, x));
            let mut value = field.zero();
            if n == 0 {
                value = field.power(b[0], m as u64);
            } else if m == 0 {
                value = field.power(a[0], n as u64);
            } else {
                let (a, b) = if m >= n { (&a, &b) } else { (&b, &a) };
                formal::subresultants(field, a, b, |k, s, factor| {
                    if k == 0 {
                        value = field.mul(s.first().copied().unwrap_or(field.zero()), factor);
                    }
                });
                if m < n && m * n % 2 == 1 {
                    value = field.neg(value);
                }
            }
            if value != u.evaluate(resultant, x) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
