//! The check of divisions with remainder of polynomials over prime fields: values at a random point of an extension of the
//! field.
//!
//! If `a` is not `b q + r`, then the difference has at most as many roots as its degree, as with products: see
//! [`product`](super). A remainder of lower degree than the divisor makes quotient and remainder the only ones.

use manycore_field::ResidueWord;

use super::extension::{Extension, extension_degree};
use super::value::Point;
use super::{METHOD, stripped};
use crate::modulus::Modulus;
use crate::{Chance, CheckError, Outcome, Passed, SplitMix};

/// Whether `q` and `r` are the quotient and the remainder of `a` by `b` modulo the prime `p`: `a = b q + r`, and the degree of
/// `r` below that of `b`. Coefficients stand the constant term first; zeros above the leading ones change nothing. A wrong pair
/// passes with a chance below `2^-64`. Takes `k` products for each coefficient of all four, with `k` the degree of the
/// extension.
///
/// ```
/// use manycore_verify::{SplitMix, product::division};
/// let mut random = SplitMix::new(1);
/// let (a, b) = ([1u32, 0, 0, 0, 0, 0, 0, 1], [1u32, 0, 0, 1]); // x^7 + 1 by x^3 + 1
/// assert!(division::check(7, &a, &b, &[0, 6, 0, 0, 1], &[1, 1], &mut random).is_ok());
/// assert!(division::check(7, &a, &b, &[0, 6, 0, 0, 1], &[1, 2], &mut random).is_err());
/// assert!(division::check(7, &a, &b, &[], &a, &mut random).is_err(), "no remainder is as long as the divisor");
/// ```
///
/// # Errors
/// [`CheckError::Length`], [`CheckError::OutOfRange`] and [`CheckError::Relation`] for a wrong quotient or remainder;
/// [`CheckError::Input`] for polynomials with other values than residues; [`CheckError::Shape`] for a `p` that is no prime and
/// for the zero divisor.
pub fn check<T: ResidueWord>(p: u64, a: &[T], b: &[T], q: &[T], r: &[T], random: &mut SplitMix) -> Outcome {
    let modulus = Modulus::new(p)?;
    modulus.check_input(a)?;
    modulus.check_input(b)?;
    modulus.check_result(q, q.len())?;
    modulus.check_result(r, r.len())?;
    let [a, b, q, r] = [a, b, q, r].map(stripped);
    let Some(degree) = b.len().checked_sub(1) else {
        return Err(CheckError::Shape { what: "a division by zero".to_owned() });
    };
    if r.len() > degree {
        return Err(CheckError::Length { found: r.len(), expected: degree });
    }
    let len = a.len().max(r.len()).max(if q.is_empty() { 0 } else { degree + q.len() });
    if len == 0 {
        return Ok(Passed::by_second_computation(METHOD));
    }
    let extension = Extension::new(modulus, extension_degree(p, len - 1));
    let point = Point::new(&extension, extension.random(random), len);
    let product = extension.mul(&point.value(b), &point.value(q));
    let k = extension.degree();
    if extension.add(&product, &point.value(r)) != point.value(a) {
        let relation = format!("a(z) = b(z) q(z) + r(z) at a random point z of the field with {p}^{k} elements");
        return Err(CheckError::Relation { relation });
    }
    let log2 = ((len - 1).max(1) as f64).log2() - k as f64 * (p as f64).log2();
    Ok(Passed { method: METHOD, chance: Chance::Below { log2 } })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(p: u64, [a, b, q, r]: [&[u64]; 4]) -> Outcome {
        check(p, a, b, q, r, &mut SplitMix::new(5))
    }

    #[test]
    fn right_divisions_pass() {
        for polynomials in [
            [&[1, 2, 3, 4, 5, 6, 7, 8][..], &[3, 1, 4, 1], &[1525, 8615, 98, 8976, 8], &[4427, 8636, 2996]],
            [&[], &[5], &[], &[]],
            [&[0, 0], &[5, 0], &[0], &[0, 0, 0]],
            [&[4], &[2, 1], &[], &[4, 0]],
            [&[4], &[2], &[2], &[]],
        ] {
            assert!(outcome(9001, polynomials).is_ok(), "{polynomials:?}");
        }
    }

    #[test]
    fn wrong_divisions_fail() {
        let (a, b): (&[u64], &[u64]) = (&[1, 2, 3, 4, 5, 6, 7, 8], &[3, 1, 4, 1]);
        let (q, r): (&[u64], &[u64]) = (&[1525, 8615, 98, 8976, 8], &[4427, 8636, 2996]);
        for (q, r) in [(&q[1..], r), (q, &r[..2]), (q, &[4427, 8636, 2997]), (&[], a)] {
            assert!(outcome(9001, [a, b, q, r]).is_err_and(|error| error.is_wrong()), "{q:?} {r:?}");
        }
        assert!(outcome(9001, [a, b, &[9001], r]).is_err_and(|error| error.is_wrong()));
        assert!(outcome(9001, [a, &[0, 0], q, r]).is_err_and(|error| !error.is_wrong()));
        assert!(outcome(7, [a, b, q, r]).is_err_and(|error| !error.is_wrong()), "8 is no residue modulo 7");
    }
}
