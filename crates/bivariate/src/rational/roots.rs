//! Rational roots by Newton's (Hensel's) lifting of the roots modulo a prime (Loos 1983), and the rational points of a system.

use manycore_device::Device;
use manycore_field::{ModularField as _, PrimeField, Semiring as _, primes};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer as _;
use num_rational::BigRational;
use num_traits::{One as _, Zero as _};

use manycore_field::crt::rational_reconstruction_within;

use super::polynomial::RationalBivariate;
use super::primes::{Field, PRIME_BITS};
use super::{RationalChain, RationalRing, RationalSolutions};
use crate::error::BivariateError;
use crate::univariate::Univariate;

/// Primes that are tried for one that keeps the roots apart.
const MOST_PRIMES: usize = 1 << 12;

impl RationalRing {
    /// All common zeros of `f` and `g` with rational coordinates, beside those of curves that they share.
    ///
    /// ```
    /// use manycore_bivariate::{RationalBivariate, RationalRing};
    /// use manycore_device::Device;
    /// let f = RationalBivariate::parse("2*x*y - 3")?;
    /// let g = RationalBivariate::parse("x + y - 7/2")?;
    /// let found = RationalRing::new(&Device::from_env()?).solve(&f, &g)?;
    /// let points: Vec<String> = found.points.iter().map(|[x, y]| format!("{x} {y}")).collect();
    /// assert_eq!(points, ["1/2 3", "3 1/2"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`RationalRing::decompose`].
    pub fn solve(&self, f: &RationalBivariate, g: &RationalBivariate) -> Result<RationalSolutions, BivariateError> {
        let decomposition = self.decompose(f, g)?;
        let mut points = Vec::new();
        for chain in &decomposition.chains {
            points.extend(chain.points()?);
        }
        points.sort_unstable();
        Ok(RationalSolutions { points, decomposition })
    }
}

impl RationalChain {
    /// `T` as a polynomial in two variables.
    pub fn minimal_polynomial(&self) -> RationalBivariate {
        RationalBivariate::trimmed(vec![self.t.iter().cloned().map(BigRational::from).collect()])
    }

    /// The points with rational coordinates, each once.
    ///
    /// # Errors
    /// As [`PolyRing::roots`](manycore_poly::PolyRing::roots).
    pub fn points(&self) -> Result<Vec<[BigRational; 2]>, BivariateError> {
        let mut points = Vec::new();
        for x in rational_roots(&self.t)? {
            let value = |row: &Vec<BigRational>| row.iter().rev().fold(BigRational::zero(), |value, c| value * &x + c);
            let image: Vec<BigRational> = self.h.rows().iter().map(value).collect();
            let roots = match &image[..] {
                [constant, leading] => vec![-constant / leading],
                _ => rational_roots(&squarefree(integers(image)))?,
            };
            points.extend(roots.into_iter().map(|y| [x.clone(), y]));
        }
        Ok(points)
    }
}

/// The coefficients of a polynomial in one variable as integers without a common divisor.
fn integers(f: Vec<BigRational>) -> Vec<BigInt> {
    let f = RationalBivariate::trimmed(vec![f]).primitive().1;
    f.rows().first().map(|row| row.iter().map(|c| c.numer().clone()).collect()).unwrap_or_default()
}

/// The polynomial without multiple factors: over its gcd with its derivative, by primitive remainders.
fn squarefree(f: Vec<BigInt>) -> Vec<BigInt> {
    let (mut a, mut b) = (f.clone(), derivative(&f));
    while !b.is_empty() {
        let mut r = a;
        pseudo_divide(&mut r, &b, |_| {});
        a = b;
        b = without_content(r);
    }
    let mut quotient = Vec::new();
    let mut rest = f;
    pseudo_divide(&mut rest, &a, |q| quotient.push(q));
    // Leading terms come first; each is to be multiplied by the leading coefficients of those after it.
    let leading = a.last().cloned().unwrap_or_else(BigInt::one);
    let mut scale = BigInt::one();
    for q in quotient.iter_mut().rev() {
        *q *= &scale;
        scale *= &leading;
    }
    quotient.reverse();
    without_content(quotient)
}

/// Makes `f` a multiple of its remainder by `g`; `each` gets the top coefficient of every step, the highest one first.
fn pseudo_divide(f: &mut Vec<BigInt>, g: &[BigInt], mut each: impl FnMut(BigInt)) {
    let Some((leading, low)) = g.split_last() else { return };
    while f.len() >= g.len() {
        let Some(top) = f.pop() else { return };
        let from = f.len() - low.len();
        for c in f.iter_mut() {
            *c *= leading;
        }
        for (c, by) in f[from..].iter_mut().zip(low) {
            *c -= &top * by;
        }
        each(top);
    }
    while f.pop_if(|c| c.is_zero()).is_some() {}
}

fn without_content(mut f: Vec<BigInt>) -> Vec<BigInt> {
    let content = f.iter().fold(BigInt::zero(), |gcd, c| gcd.gcd(c));
    if content > BigInt::one() {
        for c in &mut f {
            *c /= &content;
        }
    }
    f
}

fn derivative(f: &[BigInt]) -> Vec<BigInt> {
    f.iter().enumerate().skip(1).map(|(i, c)| c * i).collect()
}

/// The rational roots of a squarefree polynomial with integer coefficients, ascending.
///
/// A root `n / d` in lowest terms has an `n` that divides the constant term and a `d` that divides the leading coefficient; a root modulo
/// a power of a prime above twice their product is one of at most one such fraction, of which the value is computed.
fn rational_roots(f: &[BigInt]) -> Result<Vec<BigRational>, BivariateError> {
    let low = f.iter().take_while(|c| c.is_zero()).count();
    let mut roots = Vec::new();
    if low > 0 {
        roots.push(BigRational::zero());
    }
    let f = &f[low..];
    let [constant, .., leading] = f else { return Ok(roots) };
    if let [constant, leading] = f {
        roots.push(BigRational::new(-constant, leading.clone()));
    } else {
        let (field, residues) = roots_modulo_a_prime(f)?;
        let (numerator, denominator) = (constant.magnitude(), leading.magnitude());
        let least = (numerator * denominator) << 1u32;
        for residue in residues {
            let (root, modulus) = lifted(f, residue, &field, &least);
            let found = rational_reconstruction_within(&root, &modulus, numerator, denominator);
            roots.extend(found.filter(|root| is_root(f, root)));
        }
    }
    roots.sort_unstable();
    Ok(roots)
}

/// The roots modulo a prime that keeps the degree, and modulo which all of them are simple.
fn roots_modulo_a_prime(f: &[BigInt]) -> Result<(Field, Vec<u64>), BivariateError> {
    let slope = derivative(f);
    let mut tried = 0;
    for field in primes::ntt_primes(PRIME_BITS, 12).filter_map(|p| PrimeField::<u64>::new(p).ok()).take(MOST_PRIMES) {
        tried += 1;
        let image: Vec<u64> = f.iter().map(|c| field.reduce_bigint(c)).collect();
        if image.last() == Some(&field.zero()) {
            continue;
        }
        let u = Univariate::new(&Device::host(), field)?;
        let roots = u.roots(&image)?;
        let slope: Vec<u64> = slope.iter().map(|c| field.reduce_bigint(c)).collect();
        if roots.iter().all(|&root| u.evaluate(&slope, root) != field.zero()) {
            return Ok((field, roots));
        }
    }
    Err(BivariateError::NotReconstructed { primes: tried })
}

/// The root modulo a power of the prime above `least`, and that power: `r - f(r) / f'(r)` doubles the exponent, and a second iteration
/// the digits of the inverse.
fn lifted(f: &[BigInt], root: u64, field: &Field, least: &BigUint) -> (BigUint, BigUint) {
    let slope = derivative(f);
    let mut modulus = BigInt::from(field.order());
    let value = |f: &[BigInt], x: &BigInt, modulus: &BigInt| -> BigInt {
        f.iter().rev().fold(BigInt::zero(), |value, c| (value * x + c).mod_floor(modulus))
    };
    let mut root = BigInt::from(root);
    let slope_residue = field.reduce_bigint(&value(&slope, &root, &modulus));
    // Roots are simple.
    let mut inverse = BigInt::from(manycore_field::Field::inverse(field, slope_residue).unwrap_or(field.one()));
    while modulus.magnitude() <= least {
        modulus = &modulus * &modulus;
        root = (&root - value(f, &root, &modulus) * &inverse).mod_floor(&modulus);
        let error = (BigInt::from(2) - &inverse * value(&slope, &root, &modulus)).mod_floor(&modulus);
        inverse = (inverse * error).mod_floor(&modulus);
    }
    (root.magnitude().clone(), modulus.magnitude().clone())
}

/// Whether a fraction is a root: `d^k f(n / d)` by Horner's rule.
fn is_root(f: &[BigInt], root: &BigRational) -> bool {
    let mut power = BigInt::one();
    let mut value = BigInt::zero();
    for c in f.iter().rev() {
        value = value * root.numer() + c * &power;
        power *= root.denom();
    }
    value.is_zero()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The product of `d x - n`, and of `x^2 + 1`.
    fn product(roots: &[(i64, i64)]) -> Vec<BigInt> {
        let factors = roots.iter().map(|&(n, d)| vec![BigInt::from(-n), d.into()]);
        factors.fold(vec![1.into(), 0.into(), 1.into()], |f, factor| {
            let mut product = vec![BigInt::zero(); f.len() + 1];
            for (i, c) in f.iter().enumerate() {
                for (j, d) in factor.iter().enumerate() {
                    product[i + j] += c * d;
                }
            }
            product
        })
    }

    #[test]
    fn chosen_roots_are_found() {
        let large = 1_234_567_890_123_456_789;
        for roots in [
            &[][..],
            &[(0, 1)],
            &[(1, 2), (-1, 3)],
            &[(0, 1), (large, 1), (-large, 7), (5, large)],
            &[(3, 1), (3, 2), (3, 4), (-3, 4), (1, 1)],
        ] {
            let mut expected: Vec<BigRational> =
                roots.iter().map(|&(n, d)| BigRational::new(n.into(), d.into())).collect();
            expected.sort_unstable();
            assert_eq!(rational_roots(&product(roots)).unwrap(), expected);
            // Every root twice.
            let twice = squarefree(product(&[roots, roots].concat()));
            assert_eq!(rational_roots(&twice).unwrap(), expected, "{roots:?}");
        }
    }
}
