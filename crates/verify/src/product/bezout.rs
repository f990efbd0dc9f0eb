//! The check of extended greatest common divisors: values of the identity at a random point, and products by the quotients.
//!
//! If `s a + t b = g`, every common divisor of `a` and `b` divides `g`; if `g` divides both, it is one of them.

use manycore_field::ResidueWord;

use super::extension::{Extension, extension_degree};
use super::value::Point;
use super::{check as check_product, stripped};
use crate::modulus::Modulus;
use crate::{Chance, CheckError, Outcome, Passed, SplitMix};

/// How extended greatest common divisors are checked, as reports name it.
pub const METHOD: &str = "identity at a random point of an extension of the field, and the quotients' products";

/// What is checked: coefficients, the constant term first.
#[derive(Debug, Clone, Copy)]
pub struct Bezout<'a, T> {
    /// The greatest common divisor and the factors of the two polynomials, up to their leading coefficients.
    pub gcd: &'a [T],
    /// The factor of the first.
    pub s: &'a [T],
    /// The factor of the second.
    pub t: &'a [T],
    /// The two polynomials over the greatest common divisor, both empty where that is zero. They are checked too.
    pub quotients: [&'a [T]; 2],
}

/// Whether `gcd` is the monic greatest common divisor of `a` and `b` modulo the prime `p`, zero for two zeros, and
/// `s a + t b` it, with the quotients as witnesses. A wrong result passes with a chance below `2^-62`.
///
/// ```
/// use manycore_verify::SplitMix;
/// use manycore_verify::product::bezout::{Bezout, check};
/// let mut random = SplitMix::new(1);
/// let x = Bezout { gcd: &[1u32], s: &[5], t: &[1, 2], quotients: [&[1, 0, 1], &[3, 1]] };
/// assert!(check(7, [&[1, 0, 1], &[3, 1]], &x, &mut random).is_ok());
/// assert!(check(7, [&[1, 0, 1], &[3, 1]], &Bezout { s: &[4], ..x }, &mut random).is_err());
/// ```
///
/// # Errors
/// [`CheckError::OutOfRange`] and [`CheckError::Relation`] for a wrong result; [`CheckError::Input`] for polynomials with other
/// values than residues and [`CheckError::Shape`] for a `p` that is no prime.
pub fn check<T: ResidueWord>(p: u64, [a, b]: [&[T]; 2], x: &Bezout<'_, T>, random: &mut SplitMix) -> Outcome {
    let modulus = Modulus::new(p)?;
    for f in [a, b] {
        modulus.check_input(f)?;
    }
    for f in [x.gcd, x.s, x.t, x.quotients[0], x.quotients[1]] {
        modulus.check_result(f, f.len())?;
    }
    let wrong = |relation: &str| Err(CheckError::Relation { relation: relation.to_owned() });
    let (a, b) = (stripped(a), stripped(b));
    if x.gcd.last().is_some_and(|c| c.as_u64() != 1) {
        return wrong("that the greatest common divisor is monic");
    }
    // The quotients of what was checked hold whatever they are.
    for (f, q) in [a, b].into_iter().zip(x.quotients) {
        match check_product(p, x.gcd, q, f, random) {
            Ok(_) => {}
            Err(error) if error.is_wrong() => {
                return wrong("that the greatest common divisor divides both polynomials");
            }
            Err(error) => return Err(error),
        }
    }
    let len = (x.s.len() + a.len()).max(x.t.len() + b.len()).max(x.gcd.len()).max(2);
    let extension = Extension::new(modulus, extension_degree(p, len));
    let point = Point::new(&extension, extension.random(random), len);
    let product = |f: &[T], g: &[T]| extension.mul(&point.value(f), &point.value(g));
    if extension.add(&product(x.s, a), &product(x.t, b)) != point.value(x.gcd) {
        return wrong("s(z) a(z) + t(z) b(z) = g(z) at a random point z of an extension of the field");
    }
    let log2 = (len as f64).log2() - extension.degree() as f64 * (p as f64).log2();
    // Three checks have been made, each below 2^-64.
    Ok(Passed { method: METHOD, chance: Chance::Below { log2: log2.max(-64.0) + 2.0 } })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passes(p: u64, a: &[u32], b: &[u32], x: &Bezout<'_, u32>) -> bool {
        check(p, [a, b], x, &mut SplitMix::new(3)).is_ok()
    }

    #[test]
    fn each_part_of_a_result_counts() {
        // x^2 - 1 and x^2 + 2 x + 1 modulo 7: x + 1 = 3 (x^2 - 1) - 3 (x^2 + 2 x + 1), times -1/6 = 1.
        let (a, b) = ([6, 0, 1], [1, 2, 1]);
        let right = Bezout { gcd: &[1, 1], s: &[3], t: &[4], quotients: [&[6, 1], &[1, 1]] };
        assert!(passes(7, &a, &b, &right));
        assert!(!passes(7, &a, &b, &Bezout { s: &[4], ..right }));
        assert!(!passes(7, &a, &b, &Bezout { t: &[4, 1], ..right }));
        assert!(!passes(7, &a, &b, &Bezout { gcd: &[2, 2], s: &[6], t: &[1], ..right }));
        assert!(!passes(7, &a, &b, &Bezout { quotients: [&[6, 1], &[1, 2]], ..right }));
        let multiple = Bezout { gcd: &[1, 2, 1], s: &[3, 3], t: &[4, 4], quotients: [&[1], &[1]] };
        assert!(!passes(7, &a, &b, &multiple));
        assert!(!passes(7, &a, &b, &Bezout { s: &[9], ..right }));
    }

    #[test]
    fn zeros_have_the_divisor_zero() {
        let zero = Bezout { gcd: &[], s: &[], t: &[], quotients: [&[], &[]] };
        assert!(passes(2, &[], &[], &zero));
        assert!(!passes(2, &[1], &[], &zero));
        let one = Bezout { gcd: &[1], s: &[1], t: &[], quotients: [&[1], &[]] };
        assert!(passes(2, &[1], &[], &one));
        let not_prime = check(4, [&[1u32], &[]], &one, &mut SplitMix::new(1)).unwrap_err();
        assert!(!not_prime.is_wrong());
    }
}
