//! The check of products of polynomials over prime fields: values at a random point of an extension of the field.
//!
//! If `h` is not `f g`, then `f g - h` has at most as many roots as its degree `d`, in the field and in every extension of
//! it. So at a point drawn uniformly from the field with `p^k` elements a wrong product passes with a chance of at most
//! `d / p^k`, and `k` is taken as small as keeps this below `2^-64`: an extension of degree 3 for 31-bit primes, of 2 for
//! 62-bit ones, of 85 for `p = 2` and a degree of `2^20`. The prime's own points would not do: mod 2 there are two.
//!
//! For coefficients of the product from the middle, or the lowest ones, the value is taken without the product: each
//! coefficient of `f` times the value of the part of `g` that it meets, parts that follow from one another.

pub mod bezout;
pub mod composition;
pub mod division;
mod extension;
pub mod factors;
pub mod irreducible;
mod modulo;
#[cfg(test)]
mod plain;
pub mod resultant;
pub mod roots;
mod value;
pub mod values;

use std::ops::Range;

use manycore_field::ResidueWord;

use crate::modulus::Modulus;
use crate::{Chance, CheckError, Outcome, Passed, SplitMix};
use extension::{Extension, extension_degree};
pub use modulo::Oracle;
use value::Point;

/// How products are checked, as reports name it.
pub const METHOD: &str = "value at a random point of an extension of the field";

/// Whether `h` is the product of `f` and `g` modulo the prime `p`: coefficients, the constant term first, those of `h` up to
/// the leading one and no further; zeros above the leading coefficients of `f` and `g` change nothing, and the zero polynomial
/// has no coefficients. A wrong product passes with a chance below `2^-64`. Takes `k` products for each coefficient of all
/// three, with `k` the degree of the extension.
///
/// ```
/// use manycore_verify::{SplitMix, product};
/// let mut random = SplitMix::new(1);
/// let passed = product::check(7, &[3u32, 0, 5, 1], &[2, 6], &[6u64, 4, 3, 4, 6], &mut random)?;
/// assert!(passed.chance.log2().is_some_and(|log2| log2 < -64.0));
/// assert!(product::check(7, &[3u32, 0, 5, 1], &[2, 6], &[6u64, 4, 3, 5, 6], &mut random).is_err());
/// # Ok::<(), manycore_verify::CheckError>(())
/// ```
///
/// # Errors
/// [`CheckError::Length`], [`CheckError::OutOfRange`] and [`CheckError::Relation`] for a wrong product;
/// [`CheckError::Input`] for factors with other values than residues and [`CheckError::Shape`] for a `p` that is no prime.
pub fn check<T: ResidueWord, H: ResidueWord>(p: u64, f: &[T], g: &[T], h: &[H], random: &mut SplitMix) -> Outcome {
    let modulus = Modulus::new(p)?;
    modulus.check_input(f)?;
    modulus.check_input(g)?;
    let (f, g) = (stripped(f), stripped(g));
    let len = product_len(f, g);
    if h.len() != len {
        return Err(CheckError::Length { found: h.len(), expected: len });
    }
    modulus.check_result(h, len)?;
    if len == 0 {
        return Ok(Passed::by_second_computation(METHOD));
    }
    // The constant term of a product of constants is checked at a point too: degree 0 counts as 1.
    let extension = Extension::new(modulus, extension_degree(p, len - 1));
    let point = Point::new(&extension, extension.random(random), len);
    let square = std::ptr::eq(f, g);
    let left = point.value(f);
    let right = if square { left.clone() } else { point.value(g) };
    passed(&extension, len, extension.mul(&left, &right) == point.value(h))
}

/// Whether `h` holds the coefficients `range` of the product of `f` and `g` modulo the prime `p`: those of the product modulo
/// `x^n` for `0..n`. Coefficients that the range has past the end of the product are 0, and so are those that `h` lacks of the
/// range. A wrong part passes with a chance below `2^-64`. Takes `k^2` products for each coefficient of the shorter
/// factor and `k` for those of the range.
///
/// ```
/// use manycore_verify::{SplitMix, product};
/// let mut random = SplitMix::new(1);
/// assert!(product::check_part(7, &[3u32, 0, 5, 1], &[2, 6], 1..3, &[4u32, 3], &mut random).is_ok());
/// assert!(product::check_part(7, &[3u32, 0, 5, 1], &[2, 6], 1..3, &[4u32, 4], &mut random).is_err());
/// ```
///
/// # Errors
/// As [`check`]; [`CheckError::Length`] for an `h` longer than the range.
pub fn check_part<T: ResidueWord, H: ResidueWord>(
    p: u64,
    f: &[T],
    g: &[T],
    range: Range<usize>,
    h: &[H],
    random: &mut SplitMix,
) -> Outcome {
    let modulus = Modulus::new(p)?;
    modulus.check_input(f)?;
    modulus.check_input(g)?;
    if h.len() > range.len() {
        return Err(CheckError::Length { found: h.len(), expected: range.len() });
    }
    modulus.check_result(h, h.len())?;
    if range.is_empty() {
        return Ok(Passed::by_second_computation(METHOD));
    }
    let (short, long) = if f.len() <= g.len() { (f, g) } else { (g, f) };
    let extension = Extension::new(modulus, extension_degree(p, range.len() - 1));
    let point = Point::new(&extension, extension.random(random), range.len().min(long.len()));
    let len = range.len();
    passed(&extension, len, point.part_value(short, long, range) == point.value(h))
}

/// What the comparison of values answers, for `len` coefficients.
fn passed(extension: &Extension, len: usize, equal: bool) -> Outcome {
    let (p, k) = (extension.modulus().value(), extension.degree());
    if !equal {
        let relation = format!("f(z) g(z) = h(z) at a random point z of the field with {p}^{k} elements");
        return Err(CheckError::Relation { relation });
    }
    let log2 = ((len - 1).max(1) as f64).log2() - k as f64 * (p as f64).log2();
    Ok(Passed { method: METHOD, chance: Chance::Below { log2 } })
}

/// The coefficients up to the leading one.
fn stripped<T: ResidueWord>(f: &[T]) -> &[T] {
    &f[..f.iter().rposition(|c| c.as_u64() != 0).map_or(0, |i| i + 1)]
}

/// The coefficients of a product: a field has no divisors of zero.
fn product_len<T>(f: &[T], g: &[T]) -> usize {
    if f.is_empty() || g.is_empty() { 0 } else { f.len() + g.len() - 1 }
}

#[cfg(test)]
mod tests;
