//! Curves and chains over the rationals: images of one shape are combined, and hold modulo a prime that has no part in them.

use std::collections::HashMap;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::One as _;

use super::combine::Residues;
use super::polynomial::{RationalBivariate, residue};
use super::primes::{Field, Image, PRIME_BITS, images};
use super::resultant::resultant_bits;
use super::{RationalChain, RationalDecomposition, RationalRing};
use crate::error::BivariateError;
use crate::polynomial::Variable;
use crate::ring::BivariateRing;
use crate::solve::Decomposition;

/// Primes beside those that the length of the resultant's coefficients asks for, at most.
const MORE_PRIMES: u64 = 32;

/// Lengths of coefficients of chains and curves as multiples of those of the resultant, at most; numerators and denominators.
const LENGTHS: u64 = 16;

/// The numbers of coefficients of curves, a list for each, and for each chain the degrees of `T` and of `H` in `y`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Shape {
    curves: Vec<Vec<usize>>,
    chains: Vec<[usize; 2]>,
}

/// Images of one shape.
struct Group {
    residues: Residues,
    primes: usize,
    /// Fractions that the images make, which the next image is compared with.
    candidate: Option<Vec<BigRational>>,
    /// The number of primes at which fractions are looked for again.
    next: usize,
}

impl RationalRing {
    /// The common zeros of `f` and `g` over the algebraic closure of the rationals: the curves that they share, and the points of the
    /// rest as pairwise disjoint chains. Multiplicities are not kept.
    ///
    /// The result holds modulo a prime of 62 bits that has no part in it; [`RationalRing::verify_solutions`] tries others.
    ///
    /// ```
    /// use manycore_bivariate::{RationalBivariate, RationalRing};
    /// use manycore_device::Device;
    /// let f = RationalBivariate::parse("x^2 + y^2 - 5")?;
    /// let g = RationalBivariate::parse("x*y - 2")?;
    /// let found = RationalRing::new(&Device::from_env()?).decompose(&f, &g)?;
    /// assert_eq!(found.chains[0].t, [4, 0, -5, 0, 1].map(Into::into));
    /// // At a root of T, y = (4 x^2 - 10) / (2 x^3 - 5 x).
    /// assert_eq!(found.chains[0].h.to_string(), "2*x^3*y - 5*x*y - 4*x^2 + 10");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BivariateError::WholePlane`] for two zero polynomials; [`BivariateError::NotReconstructed`] where a device that computes
    /// wrongly gives images that fit nothing; as [`BivariateRing::decompose`].
    pub fn decompose(
        &self,
        f: &RationalBivariate,
        g: &RationalBivariate,
    ) -> Result<RationalDecomposition, BivariateError> {
        let (f, g) = (f.primitive().1, g.primitive().1);
        let bits = resultant_bits(&f, &g, Variable::Y) + f.norm_bits() + g.norm_bits();
        let most = MORE_PRIMES + LENGTHS * bits / u64::from(PRIME_BITS);
        let mut groups: HashMap<Shape, Group> = HashMap::new();
        let mut taken = 0;
        for image in images(self, &f, &g) {
            let image = image?;
            let (shape, words) = flattened(&image)?;
            let group = groups.entry(shape.clone()).or_insert_with(|| Group::new(words.len()));
            if let Some(fractions) = group.holds(image.ring.field(), &words) {
                let primes = group.primes;
                return built(&shape, fractions, primes, taken - primes);
            }
            group.take(image.ring.field(), &words);
            taken += 1;
            if taken as u64 >= most {
                break;
            }
        }
        Err(BivariateError::NotReconstructed { primes: taken })
    }
}

impl Group {
    fn new(words: usize) -> Self {
        Self { residues: Residues::new(words), primes: 0, candidate: None, next: 1 }
    }

    /// The candidate, if the residues are its ones.
    fn holds(&self, field: &Field, words: &[u64]) -> Option<Vec<BigRational>> {
        let candidate = self.candidate.as_ref()?;
        let same = candidate.iter().zip(words).all(|(c, &word)| residue(field, c) == Some(word));
        same.then(|| candidate.clone())
    }

    fn take(&mut self, field: &Field, words: &[u64]) {
        self.residues.push(field, words);
        self.primes += 1;
        if self.primes >= self.next {
            self.candidate = self.residues.fractions();
            self.next = self.primes + (self.primes / 4).max(1);
        }
    }
}

/// The shape and the words of the decomposition of an image: curves, then `T` but for its leading 1, and the rows of `T' H` but for the
/// last one, which is `T'`.
fn flattened(image: &Image) -> Result<(Shape, Vec<u64>), BivariateError> {
    let found = image.ring.decompose(&image.f, &image.g)?;
    flattened_decomposition(&image.ring, &found)
}

fn flattened_decomposition(
    ring: &BivariateRing<Field>,
    found: &Decomposition<Field>,
) -> Result<(Shape, Vec<u64>), BivariateError> {
    let u = ring.univariate();
    let mut shape = Shape { curves: Vec::new(), chains: Vec::new() };
    let mut words = Vec::new();
    for curve in &found.curves {
        shape.curves.push(curve.rows().iter().map(Vec::len).collect());
        words.extend(curve.rows().iter().flatten());
    }
    for chain in &found.chains {
        let degree = chain.t.len() - 1;
        words.extend(&chain.t[..degree]);
        let derivative = u.derivative(&chain.t);
        let Some((_, low)) = chain.h.rows().split_last() else { continue };
        shape.chains.push([degree, low.len()]);
        for row in low {
            let mut row = u.mul_mod(row, &derivative, &chain.t)?;
            row.resize(degree, 0);
            words.extend(row);
        }
    }
    Ok((shape, words))
}

/// The decomposition of fractions in the order of the words of an image.
fn built(
    shape: &Shape,
    fractions: Vec<BigRational>,
    primes: usize,
    unlucky: usize,
) -> Result<RationalDecomposition, BivariateError> {
    let mut fractions = fractions.into_iter();
    let mut take = |count: usize| -> Vec<BigRational> { fractions.by_ref().take(count).collect() };
    let curves =
        shape.curves.iter().map(|lens| RationalBivariate::from_rows(lens.iter().map(|&len| take(len)).collect()));
    let curves = curves.collect::<Result<_, _>>()?;
    let mut chains = Vec::new();
    for &[degree, height] in &shape.chains {
        let mut t = take(degree);
        t.push(BigRational::one());
        let mut rows: Vec<_> = (0..height).map(|_| take(degree)).collect();
        let derivative = t.iter().enumerate().skip(1).map(|(i, c)| c * BigRational::from(BigInt::from(i)));
        rows.push(derivative.collect());
        let t = RationalBivariate::trimmed(vec![t]).primitive().1;
        let t = t.rows().first().map(|row| row.iter().map(|c| c.numer().clone()).collect()).unwrap_or_default();
        chains.push(RationalChain { t, h: RationalBivariate::from_rows(rows)?.primitive().1 });
    }
    Ok(RationalDecomposition { curves, chains, primes, unlucky })
}
