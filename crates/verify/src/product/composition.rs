//! The check of compositions and powers of polynomials over prime fields: values at a random point of an extension of the field.
//!
//! If `h` is not `f(g)`, then the difference has at most as many roots as its degree, as with products: see
//! [`product`](super). The value of `f` at `g(z)` is Horner's rule in the extension.

use manycore_field::ResidueWord;

use super::extension::{Element, Extension, extension_degree};
use super::value::Point;
use super::{METHOD, stripped};
use crate::modulus::Modulus;
use crate::{Chance, CheckError, Outcome, Passed, SplitMix};

/// Whether `h` is `f(g)` modulo the prime `p`: coefficients, the constant term first, those of `h` up to the leading one and no
/// further; zeros above the leading coefficients of `f` and `g` change nothing. A wrong composition passes with a chance below
/// `2^-64`. Takes `k` products for each coefficient of `g` and `h` and `k^2` for each of `f`, with `k` the degree of the extension.
///
/// ```
/// use manycore_verify::{SplitMix, product::composition};
/// let mut random = SplitMix::new(1);
/// let (f, g) = ([5u32, 0, 1], [1u32, 0, 3]); // (3 x^2 + 1)^2 + 5
/// assert!(composition::check(9001, &f, &g, &[6u32, 0, 6, 0, 9], &mut random).is_ok());
/// assert!(composition::check(9001, &f, &g, &[6u32, 0, 7, 0, 9], &mut random).is_err());
/// ```
///
/// # Errors
/// [`CheckError::Length`], [`CheckError::OutOfRange`] and [`CheckError::Relation`] for a wrong composition;
/// [`CheckError::Input`] for polynomials with other values than residues, and [`CheckError::Shape`] for a `p` that is no prime or
/// a degree past 64 bits.
pub fn check<T: ResidueWord>(p: u64, f: &[T], g: &[T], h: &[T], random: &mut SplitMix) -> Outcome {
    let modulus = Modulus::new(p)?;
    modulus.check_input(f)?;
    modulus.check_input(g)?;
    let (f, g) = (stripped(f), stripped(g));
    let (n, m) = (f.len().saturating_sub(1), g.len().saturating_sub(1));
    // The value of a polynomial at a constant may be zero.
    let least = if n > 0 && m == 0 { 0 } else { f.len().min(1) + product_degree(n as u64, m)? };
    relation(modulus, h, (least, f.len().min(1) + n * m), "h(z) = f(g(z))", random, |point| {
        let (extension, at) = (point.extension(), point.value(g));
        f.iter().rev().fold(extension.zero(), |mut value, c| {
            value = extension.mul(&value, &at);
            value[0] = modulus.add(value[0], c.as_u64());
            value
        })
    })
}

/// Whether `h` is `f^exponent` modulo the prime `p`, of which the power 0 is 1: as [`check`], with as many products for `f` as for `g`
/// there, and two for each bit of the exponent.
///
/// ```
/// use manycore_verify::{SplitMix, product::composition};
/// let mut random = SplitMix::new(1);
/// assert!(composition::check_power(7, &[1u32, 1], 4, &[1u32, 4, 6, 4, 1], &mut random).is_ok());
/// assert!(composition::check_power(7, &[1u32, 1], 4, &[1u32, 4, 6, 4, 2], &mut random).is_err());
/// ```
///
/// # Errors
/// As [`check`].
pub fn check_power<T: ResidueWord>(p: u64, f: &[T], exponent: u64, h: &[T], random: &mut SplitMix) -> Outcome {
    let modulus = Modulus::new(p)?;
    modulus.check_input(f)?;
    let f = stripped(f);
    let len = match f.len() {
        _ if exponent == 0 => 1,
        0 => 0,
        len => 1 + product_degree(exponent, len - 1)?,
    };
    relation(modulus, h, (len, len), "h(z) = f(z)^k", random, |point| {
        point.extension().power(&point.value(f), exponent)
    })
}

/// The degree of a power, or of a composition with a polynomial of this degree.
fn product_degree(n: u64, m: usize) -> Result<usize, CheckError> {
    let degree = usize::try_from(n).ok().and_then(|n| n.checked_mul(m)).filter(|&degree| degree < usize::MAX);
    degree.ok_or_else(|| CheckError::Shape { what: "a polynomial of a degree past 64 bits".to_owned() })
}

/// Checks that a result of `least` to `most` coefficients has the value of `expected` at a random point.
fn relation<T: ResidueWord>(
    modulus: Modulus,
    h: &[T],
    (least, most): (usize, usize),
    sides: &str,
    random: &mut SplitMix,
    expected: impl FnOnce(&Point<'_>) -> Element,
) -> Outcome {
    if !(least..=most).contains(&h.len()) {
        return Err(CheckError::Length { found: h.len(), expected: most });
    }
    modulus.check_result(h, h.len())?;
    if most == 0 {
        return Ok(Passed::by_second_computation(METHOD));
    }
    let p = modulus.value();
    let extension = Extension::new(modulus, extension_degree(p, most - 1));
    let point = Point::new(&extension, extension.random(random), most);
    let k = extension.degree();
    if expected(&point) != point.value(h) {
        let relation = format!("{sides} at a random point z of the field with {p}^{k} elements");
        return Err(CheckError::Relation { relation });
    }
    let log2 = ((most - 1).max(1) as f64).log2() - k as f64 * (p as f64).log2();
    Ok(Passed { method: METHOD, chance: Chance::Below { log2 } })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(p: u64, [f, g, h]: [&[u64]; 3]) -> Outcome {
        check(p, f, g, h, &mut SplitMix::new(5))
    }

    #[test]
    fn right_compositions_pass() {
        for polynomials in [
            [&[5, 0, 1][..], &[1, 0, 3], &[6, 0, 6, 0, 9]],
            [&[], &[1, 2], &[]],
            [&[4, 0], &[1, 2, 0], &[4]],
            [&[4, 1], &[0, 0], &[4]],
            [&[0, 1], &[], &[]],
            [&[8999, 1], &[2], &[]],
            [&[1, 1], &[3, 1], &[4, 1]],
        ] {
            assert!(outcome(9001, polynomials).is_ok(), "{polynomials:?}");
        }
        assert!(outcome(2, [&[1, 1, 1], &[1, 1], &[1, 1, 1]]).is_ok());
    }

    #[test]
    fn wrong_compositions_fail() {
        let (f, g): (&[u64], &[u64]) = (&[5, 0, 1], &[1, 0, 3]);
        for h in [&[6, 0, 6, 0, 8][..], &[6, 0, 6, 0], &[6, 0, 6, 0, 9, 1], &[7, 0, 6, 0, 9], &[], &[9001, 0, 6, 0, 9]]
        {
            assert!(outcome(9001, [f, g, h]).is_err_and(|error| error.is_wrong()), "{h:?}");
        }
        assert!(outcome(9001, [&[1, 1], &[5], &[7]]).is_err_and(|error| error.is_wrong()));
        assert!(outcome(7, [&[9], g, f]).is_err_and(|error| !error.is_wrong()), "9 is no residue modulo 7");
    }

    #[test]
    fn powers_are_told_from_others() {
        let power = |exponent, h: &[u64]| check_power(9001, &[1u64, 1], exponent, h, &mut SplitMix::new(5));
        assert!(power(0, &[1]).is_ok() && power(1, &[1, 1]).is_ok() && power(3, &[1, 3, 3, 1]).is_ok());
        for (exponent, h) in [(0, &[2][..]), (0, &[]), (1, &[1, 2]), (3, &[1, 3, 3]), (3, &[1, 3, 4, 1])] {
            assert!(power(exponent, h).is_err_and(|error| error.is_wrong()), "{exponent} {h:?}");
        }
        let none = |exponent, h: &[u64]| check_power(9001, &[0u64], exponent, h, &mut SplitMix::new(5)).is_ok();
        assert!(none(0, &[1]) && none(7, &[]) && !none(7, &[1]));
        assert!(power(u64::MAX, &[1]).is_err_and(|error| !error.is_wrong()));
    }
}
