//! Checks of resultants and solutions over the rationals modulo random primes of 62 bits, on the host.
//!
//! A wrong fraction is right modulo the primes that divide a number other than zero, of which there are fewer than it has words.

use manycore_device::Device;
use manycore_field::{PrimeField, primes};
use manycore_poly::linear::reference::random;
use num_rational::BigRational;

use super::polynomial::{RationalBivariate, residue};
use super::primes::{Field, Image, PRIME_BITS, image};
use super::{RationalChain, RationalRing, RationalSolutions};
use crate::error::BivariateError;
use crate::polynomial::{Bivariate, Variable};
use crate::solve::{Chain, Decomposition};

/// Random primes of a check.
const PRIMES: usize = 2;

/// Random elements of each field at which resultants are compared.
const ELEMENTS: usize = 2;

/// Numbers from which the next lower prime is searched: 60 bits of chance.
fn random_primes(seed: u64) -> impl Iterator<Item = Field> {
    // A prime below 2^61, whose residues are drawn.
    let drawn = PrimeField::<u64>::new((1 << 61) - 1).ok();
    (0u64..).filter_map(move |index| {
        let number = (1 << (PRIME_BITS - 1)) + random(drawn.as_ref()?, seed, index);
        PrimeField::new(primes::previous_prime(number)?).ok()
    })
}

/// Images on the host modulo random primes that keep the degrees.
fn random_images<'a>(
    f: &'a RationalBivariate,
    g: &'a RationalBivariate,
    seed: u64,
) -> impl Iterator<Item = Result<Image, BivariateError>> + 'a {
    let host = RationalRing::new(&Device::host());
    random_primes(seed).filter_map(move |field| image(&host, [f, g], field)).take(PRIMES)
}

impl RationalRing {
    /// Whether a polynomial, of which the coefficients are given, is the resultant of `f` and `g` with respect to `eliminated`, at random
    /// elements modulo random primes, on the host.
    ///
    /// # Errors
    /// As [`BivariateRing::verify_resultant`](crate::BivariateRing::verify_resultant).
    pub fn verify_resultant(
        &self,
        f: &RationalBivariate,
        g: &RationalBivariate,
        eliminated: Variable,
        resultant: &[BigRational],
        seed: u64,
    ) -> Result<bool, BivariateError> {
        for image in random_images(f, g, seed) {
            let Image { ring, f, g } = image?;
            let words: Option<Vec<u64>> = resultant.iter().map(|c| residue(ring.field(), c)).collect();
            let Some(words) = words else { return Ok(false) };
            if !ring.verify_resultant(&f, &g, eliminated, &words, (ELEMENTS, seed))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether solutions are those of `f` and `g`: modulo random primes the curves and chains are those of a decomposition on the host,
    /// and zeros of the system by substitution; the points are zeros of the system, different, and those of the chains.
    ///
    /// # Errors
    /// As [`BivariateRing::decompose`](crate::BivariateRing::decompose).
    pub fn verify_solutions(
        &self,
        f: &RationalBivariate,
        g: &RationalBivariate,
        found: &RationalSolutions,
        seed: u64,
    ) -> Result<bool, BivariateError> {
        use num_traits::Zero as _;
        let is_zero = |[x, y]: &[BigRational; 2]| f.evaluate(x, y).is_zero() && g.evaluate(x, y).is_zero();
        let distinct = found.points.windows(2).all(|pair| pair[0] < pair[1]);
        if !distinct || !found.points.iter().all(is_zero) {
            return Ok(false);
        }
        let mut points = Vec::new();
        for chain in &found.decomposition.chains {
            points.extend(chain.points()?);
        }
        points.sort_unstable();
        if points != found.points {
            return Ok(false);
        }
        for image in random_images(f, g, seed) {
            let image = image?;
            let second = image.ring.decompose(&image.f, &image.g)?;
            if !image.ring.verify_chains(&image.f, &image.g, &second)? {
                return Ok(false);
            }
            let curves = found.decomposition.curves.iter().map(|curve| curve.reduced(image.ring.field()));
            let Some(curves) = curves.collect::<Option<Vec<_>>>() else { return Ok(false) };
            let chains = found.decomposition.chains.iter().map(|chain| reduced(&image, chain));
            let Some(chains) = chains.collect::<Result<Option<Vec<_>>, _>>()? else { return Ok(false) };
            if (Decomposition { curves, chains, cofactors: second.cofactors.clone() }) != second {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// A chain modulo a prime, `T` and `H` monic; `None` where it is none there.
fn reduced(image: &Image, chain: &RationalChain) -> Result<Option<Chain<Field>>, BivariateError> {
    let (field, u) = (image.ring.field(), image.ring.univariate());
    let t = u.monic(&u.stripped(chain.t.iter().map(|c| field.reduce_bigint(c)).collect()));
    let Some(h) = chain.h.reduced(field) else { return Ok(None) };
    let Some(leading) = h.rows().last() else { return Ok(None) };
    if t.len() != chain.t.len() || t.len() < 2 || u.gcd(leading, &t)?.len() != 1 {
        return Ok(None);
    }
    let inverse = u.inverse_mod(&u.rem(leading, &t)?, &t)?;
    let rows = h.rows().iter().map(|row| u.mul_mod(row, &inverse, &t)).collect::<Result<_, _>>()?;
    Ok(Some(Chain { t, h: Bivariate::trimmed(field, rows) }))
}
