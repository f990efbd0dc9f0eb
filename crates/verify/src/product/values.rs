//! The check of values of a polynomial over a prime field at many points, by one value of a quotient and a remainder at a random
//! point of an extension of the field.
//!
//! For distinct points `u_1, ..., u_n` with `P = prod(x - u_i)` let `f P' = Q P + N` with `deg N < n`. At a point `P'(u_i)` is not
//! zero, and `N(u_i) = f(u_i) P'(u_i)`. The polynomial `V = sum v_i P / (x - u_i)` of degree below `n` has `V(u_i) = v_i P'(u_i)`.
//! So the values `v_i` are those of `f` exactly where `N = V`. Both identities are compared at one point `z`, drawn uniformly from
//! the field with `p^k` elements: `f(z) P'(z) = Q(z) P(z) + N(z)` and `N(z) = V(z)`. `P(z)`, `P'(z)` and `V(z)` come from the
//! points and values by sums of fractions, `f(z)`, `Q(z)` and `N(z)` from coefficients.
//!
//! `Q` and `N` are computed by others, who do not know `z` and need not be trusted. An identity of degree `d` that is wrong
//! passes with a chance of at most `d / p^k`. Where points are repeated their values must be equal, and one stands for all.

use manycore_field::ResidueWord;

use super::extension::{Element, Extension, extension_degree};
use super::stripped;
use super::value::Point;
use crate::modulus::Modulus;
use crate::outcome::collected;
use crate::threads::{join, levels};
use crate::{Chance, CheckError, Passed, SplitMix};

/// How values are checked, as reports name it.
pub const METHOD: &str = "the values' interpolation at a random point of an extension of the field";

/// How a few values are checked, as reports name it.
pub const BY_HORNER: &str = "Horner's rule at every point";

/// Products up to which values are computed again: a few milliseconds.
const MOST_PRODUCTS: usize = 1 << 18;

/// Coefficients of a polynomial whose values are computed again at any number of points.
const MOST_COEFFICIENTS: usize = 32;

/// Points of a group at least: fewer are not worth a product each.
const LEAST_POINTS: usize = 1 << 10;

/// What is computed for a check: the quotient and the remainder of `f P'` by `P`, for the product `P` of `x - u` over a group of
/// distinct points, at most as many as `f` has coefficients or 1024.
pub type Witness<T> = (Vec<T>, Vec<T>);

/// Whether these are the values of `f` at these points modulo the prime `p`; points may be repeated. Right values always pass;
/// wrong ones do with a chance below `2^-64`, and with none where there are so few that each is computed by Horner's rule. A few
/// products of the extension for each point, and `k` products for each coefficient of `f` and the witnesses.
///
/// ```
/// use manycore_verify::{CheckError, SplitMix, product::values};
/// let mut random = SplitMix::new(1);
/// let no_witness = |_: &[u32]| unreachable!("three values are computed again");
/// assert!(values::check::<_, CheckError>(7, &[1, 2, 3], &[0, 1, 2], &[1, 6, 3], no_witness, &mut random).is_ok());
/// assert!(values::check::<_, CheckError>(7, &[1, 2, 3], &[0, 1, 2], &[1, 6, 4], no_witness, &mut random).is_err());
/// ```
///
/// # Errors
/// [`CheckError::Length`], [`CheckError::OutOfRange`], [`CheckError::Value`] and [`CheckError::Relation`] for wrong values or
/// witnesses; [`CheckError::Input`] for a polynomial or points with other values than residues; [`CheckError::Shape`] for a `p`
/// that is no prime; those of the witness.
pub fn check<T: ResidueWord, E: From<CheckError>>(
    p: u64,
    f: &[T],
    points: &[T],
    values: &[T],
    mut witness: impl FnMut(&[T]) -> Result<Witness<T>, E>,
    random: &mut SplitMix,
) -> Result<Passed, E> {
    let modulus = Modulus::new(p)?;
    modulus.check_input(f)?;
    modulus.check_input(points)?;
    if values.len() != points.len() {
        return Err(CheckError::Length { found: values.len(), expected: points.len() }.into());
    }
    modulus.check_result(values, values.len())?;
    let f = stripped(f);
    if f.len() <= MOST_COEFFICIENTS || f.len().saturating_mul(points.len()) <= MOST_PRODUCTS {
        return Ok(by_horner(modulus, f, points, values)?);
    }
    let pairs = distinct(points, values)?;
    let size = f.len().max(LEAST_POINTS).min(pairs.len());
    // The degree of an identity, also with the longest witness that is taken.
    let degree = f.len() + 2 * size;
    let extension = Extension::new(modulus, extension_degree(p, degree));
    let point = Point::new(&extension, extension.random(random), f.len().max(size));
    let value = point.value(f);
    for group in pairs.chunks(size) {
        let own = collected(group.iter().map(|&(u, _)| T::from_u64(u)))?;
        let (quotient, remainder) = witness(&own)?;
        for (part, most) in [(&quotient, f.len()), (&remainder, group.len())] {
            if part.len() > most {
                return Err(CheckError::Length { found: part.len(), expected: most }.into());
            }
            modulus.check_result(part, part.len())?;
        }
        let Sums { product, slope, weighted } = sums(levels(), &extension, point.point(), group);
        let remainder = point.value(&remainder);
        let right = extension.add(&extension.mul(&point.value(&quotient), &product), &remainder);
        if extension.mul(&value, &slope) != right {
            return Err(wrong("f(z) P'(z) = Q(z) P(z) + N(z) at a random point z of an extension of the field").into());
        }
        if weighted != remainder {
            let relation = "that the polynomial through the values is f modulo the product of x - u over the points";
            return Err(wrong(relation).into());
        }
    }
    let log2 = (degree as f64).log2() - extension.degree() as f64 * (p as f64).log2();
    Ok(Passed { method: METHOD, chance: Chance::Below { log2 } })
}

/// Compares each value with Horner's rule.
fn by_horner<T: ResidueWord>(modulus: Modulus, f: &[T], points: &[T], values: &[T]) -> Result<Passed, CheckError> {
    let at = |x: u64| f.iter().rev().fold(0, |value, c| modulus.add(modulus.mul(value, x), c.as_u64()));
    modulus.compare(values, |index| at(points[index].as_u64()), 0)?;
    Ok(Passed::by_second_computation(BY_HORNER))
}

/// The points, each once and ascending, with their values.
fn distinct<T: ResidueWord>(points: &[T], values: &[T]) -> Result<Vec<(u64, u64)>, CheckError> {
    let mut pairs = collected(points.iter().zip(values).map(|(point, value)| (point.as_u64(), value.as_u64())))?;
    pairs.sort_unstable();
    pairs.dedup();
    match pairs.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        None => Ok(pairs),
        Some(pair) => {
            let (point, first, second) = (pair[0].0, pair[0].1, pair[1].1);
            let relation = format!("that the value at {point} is {first} and {second}");
            Err(CheckError::Relation { relation })
        }
    }
}

/// At a point `z`: the product of `z - u` over points, its derivative, and the sum of values times the product over `z - u`.
struct Sums {
    product: Element,
    slope: Element,
    weighted: Element,
}

/// The sums of a group by halves: `(a / P) + (b / R) = (a R + b P) / (P R)`, for the derivative too, which has the value 1 at every
/// point.
fn sums(levels: u32, extension: &Extension, z: &[u64], group: &[(u64, u64)]) -> Sums {
    if let [(u, v)] = group {
        let (mut product, mut weighted) = (z.to_vec(), extension.zero());
        product[0] = extension.modulus().sub(product[0], *u);
        weighted[0] = *v;
        return Sums { product, slope: extension.one(), weighted };
    }
    let (low, high) = group.split_at(group.len() / 2);
    if low.is_empty() && high.is_empty() {
        return Sums { product: extension.one(), slope: extension.zero(), weighted: extension.zero() };
    }
    let work = group.len() * extension.degree() * extension.degree();
    let half = |group| move |levels| sums(levels, extension, z, group);
    let (a, b) = join(levels, work, half(low), half(high));
    let cross = |x: &Element, y: &Element| extension.add(&extension.mul(x, &b.product), &extension.mul(y, &a.product));
    Sums {
        slope: cross(&a.slope, &b.slope),
        weighted: cross(&a.weighted, &b.weighted),
        product: extension.mul(&a.product, &b.product),
    }
}

fn wrong(relation: &str) -> CheckError {
    CheckError::Relation { relation: relation.to_owned() }
}

#[cfg(test)]
mod tests;
