//! The resultant over the rationals: integers by Chinese remainders up to their bound, which proves them.
//!
//! A determinant of polynomials is a sum of products of one entry of each row, and sums of sizes of coefficients are submultiplicative:
//! the sizes of the coefficients of the resultant add up to at most `|f|^n |g|^m`, with `|f|` the sum of those of `f`.

use manycore_field::PrimeField;
use num_bigint::BigUint;
use num_rational::BigRational;
use num_traits::{One as _, Zero as _, pow::pow};

use super::RationalRing;
use super::combine::Residues;
use super::polynomial::RationalBivariate;
use super::primes::{fields, image};
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
        Self::resultant_of_parts(&[self.resultant_residues(f, g, eliminated, 0, 1)?])
    }

    /// The residues of the resultant modulo every `parts`-th of the primes that prove it, from the one of index `part` on: the work of
    /// one of `parts` machines, whose results [`RationalRing::resultant_of_parts`] puts together.
    ///
    /// ```
    /// use manycore_bivariate::{RationalBivariate, RationalRing, Variable};
    /// use manycore_device::Device;
    /// let ring = RationalRing::new(&Device::from_env()?);
    /// let f = RationalBivariate::parse("x^40 + 3^80 * y^2 - 5")?;
    /// let g = RationalBivariate::parse("x*y - 2^70")?;
    /// let parts = [0, 1, 2].map(|part| ring.resultant_residues(&f, &g, Variable::Y, part, 3));
    /// let parts: Vec<_> = parts.into_iter().collect::<Result<_, _>>()?;
    /// assert_eq!(RationalRing::resultant_of_parts(&parts)?, ring.resultant(&f, &g, Variable::Y)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`RationalRing::resultant`]; [`BivariateError::Part`] for a part that there is not.
    pub fn resultant_residues(
        &self,
        f: &RationalBivariate,
        g: &RationalBivariate,
        eliminated: Variable,
        part: usize,
        parts: usize,
    ) -> Result<ResultantResidues, BivariateError> {
        if part >= parts {
            return Err(BivariateError::Part { part, parts });
        }
        let none = ResultantResidues { primes: 0, bits: 0, factor: BigRational::zero(), residues: Vec::new() };
        let (Some(m), Some(n)) = (f.degree(eliminated), g.degree(eliminated)) else { return Ok(none) };
        let ((a, f), (b, g)) = (f.primitive(), g.primitive());
        // Two bits beyond the bound of the absolute value: the product of the primes must cover both signs.
        let bits = resultant_bits(&f, &g, eliminated) + 2;
        let count = degree_bound(&f, &g, eliminated) + 1;
        let mut found = ResultantResidues { bits, factor: pow(a, n) * pow(b, m), ..none };
        let mut product = BigUint::one();
        for field in fields(&f, &g) {
            let index = found.primes;
            found.primes += 1;
            product *= field.modulus();
            if index % parts == part
                && let Some(image) = image(self, [&f, &g], field)
            {
                let image = image?;
                let mut words = image.ring.resultant(&image.f, &image.g, eliminated)?;
                if words.len() > count {
                    return Err(BivariateError::Inconsistent { what: "the degree of a resultant" });
                }
                words.resize(count, 0);
                found.residues.push((image.ring.field().modulus(), words));
            }
            if product.bits() > bits {
                break;
            }
        }
        Ok(found)
    }

    /// The resultant of which these are all the residues.
    ///
    /// # Errors
    /// [`BivariateError::Parts`] for parts of different resultants, a prime that comes twice or is missing, and words that are no
    /// residues.
    pub fn resultant_of_parts(parts: &[ResultantResidues]) -> Result<Vec<BigRational>, BivariateError> {
        let Some(first) = parts.first() else { return Ok(Vec::new()) };
        let wrong = |reason| BivariateError::Parts { reason };
        let same = |part: &ResultantResidues| {
            (part.primes, part.bits, &part.factor) == (first.primes, first.bits, &first.factor)
        };
        if !parts.iter().all(same) {
            return Err(wrong("they are of different resultants"));
        }
        let mut all: Vec<&(u64, Vec<u64>)> = parts.iter().flat_map(|part| &part.residues).collect();
        all.sort_unstable();
        if all.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return Err(wrong("a prime comes twice"));
        }
        let count = all.first().map_or(0, |(_, words)| words.len());
        let mut found = Residues::new(count);
        for (prime, words) in all.iter().rev() {
            let field = PrimeField::<u64>::new(*prime).map_err(|_| wrong("a modulus is no prime"))?;
            if words.len() != count || words.iter().any(|word| word >= prime) {
                return Err(wrong("a word is no residue of its prime, or there are too few"));
            }
            found.push(&field, words);
        }
        if all.len() != first.primes || (first.primes > 0 && found.bits() < first.bits) {
            return Err(wrong("a prime is missing"));
        }
        let mut words: Vec<BigRational> =
            found.integers().into_iter().map(|c| &first.factor * BigRational::from(c)).collect();
        while words.pop_if(|c| c.is_zero()).is_some() {}
        Ok(words)
    }
}

/// Residues of a resultant over the rationals, modulo some of the primes that prove it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultantResidues {
    /// The primes that prove it: none of a zero polynomial.
    pub primes: usize,
    /// More bits than this their product has.
    pub bits: u64,
    /// The resultant is this times one with integer coefficients.
    pub factor: BigRational,
    /// Primes, each with the coefficients of that resultant modulo it, the constant term first, as many as its degree may ask for.
    pub residues: Vec<(u64, Vec<u64>)>,
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

#[cfg(test)]
mod tests {
    use manycore_device::Device;

    use super::*;

    fn system(f: &str, g: &str) -> [RationalBivariate; 2] {
        [f, g].map(|text| RationalBivariate::parse(text).unwrap())
    }

    #[test]
    fn parts_are_the_whole() {
        let ring = RationalRing::new(&Device::host());
        for [f, g] in [
            system("x^12 + 7^200 * y^3 - 5/3", "x*y^2 - 2^90*y + 1/7"),
            system("x^2 + y^2 - 5", "x*y - 2"),
            system("3", "x*y - 2"),
            system("0", "x*y - 2"),
            system("x*y", "x*y^2"),
        ] {
            let whole = ring.resultant(&f, &g, Variable::Y).unwrap();
            let primes = ring.resultant_residues(&f, &g, Variable::Y, 0, 1).unwrap().primes;
            for count in [1, 2, 3, 40] {
                let parts: Vec<_> =
                    (0..count).map(|part| ring.resultant_residues(&f, &g, Variable::Y, part, count).unwrap()).collect();
                assert_eq!(parts.iter().map(|part| part.residues.len()).sum::<usize>(), primes);
                assert_eq!(RationalRing::resultant_of_parts(&parts).unwrap(), whole, "{f} {g} {count}");
            }
        }
        // By hand: Res_y(y^2 + x^2 - 5, x y - 2) = x^4 - 5 x^2 + 4.
        let [f, g] = system("x^2 + y^2 - 5", "x*y - 2");
        let expected = [4, 0, -5, 0, 1].map(|c| BigRational::from(num_bigint::BigInt::from(c)));
        assert_eq!(ring.resultant(&f, &g, Variable::Y).unwrap(), expected);
    }

    #[test]
    fn parts_that_do_not_fit_together_are_refused() {
        let ring = RationalRing::new(&Device::host());
        let [f, g] = system("x^12 + 7^200 * y^3 - 5/3", "x*y^2 - 2^90*y + 1/7");
        let part = |part| ring.resultant_residues(&f, &g, Variable::Y, part, 2).unwrap();
        let refused = |parts: &[ResultantResidues]| RationalRing::resultant_of_parts(parts).unwrap_err().to_string();
        assert!(refused(&[part(0)]).contains("a prime is missing"));
        assert!(refused(&[part(0), part(1), part(1)]).contains("a prime comes twice"));
        let [other, _] = system("x + y", "x*y - 2");
        let other = ring.resultant_residues(&other, &g, Variable::Y, 1, 2).unwrap();
        assert!(refused(&[part(0), other]).contains("different resultants"));
        let mut wrong = part(1);
        wrong.residues[0].1[0] = wrong.residues[0].0;
        assert!(refused(&[part(0), wrong]).contains("no residue"));
        assert_eq!(ring.resultant_residues(&f, &g, Variable::Y, 2, 2), Err(BivariateError::Part { part: 2, parts: 2 }));
    }
}
