//! The resultant over the rationals: integers by Chinese remainders up to their bound, which proves them.
//!
//! A determinant of polynomials is a sum of products of one entry of each row, and sums of sizes of coefficients are submultiplicative:
//! the sizes of the coefficients of the resultant add up to at most `|f|^n |g|^m`, with `|f|` the sum of those of `f`.

use num_rational::BigRational;
use num_traits::{Zero as _, pow::pow};

use super::RationalRing;
use super::combine::Residues;
use super::polynomial::RationalBivariate;
use super::primes::images;
use crate::error::BivariateError;
use crate::polynomial::Variable;

impl RationalRing {
    /// The resultant of `f` and `g` with respect to `eliminated`: its coefficients, the constant term first, none for zero. Proved: as
    /// many primes are taken as the bound of the coefficients asks for.
    ///
    /// ```
    /// use manycore_bivariate::{RationalBivariate, RationalRing, Variable};
    /// use manycore_device::Device;
    /// let f = RationalBivariate::parse("x^2 + y^2 - 5")?;
    /// let g = RationalBivariate::parse("x*y - 2")?;
    /// let found = RationalRing::new(&Device::from_env()?).resultant(&f, &g, Variable::Y)?;
    /// assert_eq!(found, [4, 0, -5, 0, 1].map(|c| num_bigint::BigInt::from(c).into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`BivariateRing::resultant`](crate::BivariateRing::resultant).
    pub fn resultant(
        &self,
        f: &RationalBivariate,
        g: &RationalBivariate,
        eliminated: Variable,
    ) -> Result<Vec<BigRational>, BivariateError> {
        let (Some(m), Some(n)) = (f.degree(eliminated), g.degree(eliminated)) else { return Ok(Vec::new()) };
        let ((a, f), (b, g)) = (f.primitive(), g.primitive());
        let bits = resultant_bits(&f, &g, eliminated);
        let mut found: Option<Residues> = None;
        for image in images(self, &f, &g) {
            let image = image?;
            let mut words = image.ring.resultant(&image.f, &image.g, eliminated)?;
            let count = degree_bound(&f, &g, eliminated) + 1;
            if words.len() > count {
                return Err(BivariateError::Inconsistent { what: "the degree of a resultant" });
            }
            words.resize(count, 0);
            let residues = found.get_or_insert_with(|| Residues::new(count));
            residues.push(image.ring.field(), &words);
            // Both signs.
            if residues.bits() > bits + 1 {
                break;
            }
        }
        let factor = pow(a, n) * pow(b, m);
        let integers = found.map(|found| found.integers()).unwrap_or_default();
        let mut words: Vec<BigRational> = integers.into_iter().map(|c| &factor * BigRational::from(c)).collect();
        while words.pop_if(|c| c.is_zero()).is_some() {}
        Ok(words)
    }
}

/// The degree of a resultant, at most.
fn degree_bound(f: &RationalBivariate, g: &RationalBivariate, eliminated: Variable) -> usize {
    let other = match eliminated {
        Variable::X => Variable::Y,
        Variable::Y => Variable::X,
    };
    let degree = |f: &RationalBivariate, variable| f.degree(variable).unwrap_or(0);
    degree(g, eliminated) * degree(f, other) + degree(f, eliminated) * degree(g, other)
}

/// The bits of coefficients of the resultant of polynomials with integer coefficients, at most.
pub(super) fn resultant_bits(f: &RationalBivariate, g: &RationalBivariate, eliminated: Variable) -> u64 {
    let degree = |f: &RationalBivariate| f.degree(eliminated).unwrap_or(0) as u64;
    f.norm_bits() * degree(g) + g.norm_bits() * degree(f)
}
