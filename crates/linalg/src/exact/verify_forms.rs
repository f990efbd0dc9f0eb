//! The checks of Hermite and Smith forms by their transforms, and of minimal polynomials, modulo large random primes on the host.

use manycore_field::PrimeField;
use manycore_verify::{CheckError, Outcome, Passed, SplitMix, matrix};
use num_bigint::BigInt;
use num_traits::{One as _, Signed as _, Zero};

use super::bound::most_bits;
use super::verify::{modulo_primes, residues};
use super::{HermiteForm, IntegerEntry, SmithForm, hadamard_bound};
use crate::error::{LinalgError, Shape};
use crate::modular::characteristic;
use crate::modular::multiply::reference::multiply;
use crate::shape::{complete, entries};

/// Whether a form and a transform are those of a matrix of integers, row after row, by [`HermiteForm`]'s definition: the places and sizes
/// of the entries are compared, and modulo random primes of 61 bits `U A = H` (Freivalds) and `det(U)^2 = 1`. Others pass with a chance
/// below `2^-64`.
///
/// # Errors
/// [`LinalgError::Entries`] for other numbers of entries; [`LinalgError::Check`] for a wrong form.
#[inline(never)]
pub fn check_hermite_form<T: IntegerEntry>(
    (rows, columns): Shape,
    a: &[T],
    found: &HermiteForm,
    transform: &[BigInt],
    seed: u64,
) -> Result<Passed, LinalgError> {
    complete((rows, columns), a.len())?;
    complete((rows, columns), found.entries.len())?;
    complete((rows, rows), transform.len())?;
    is_hermite(found, (rows, columns))?;
    let products = most_bits(a) + most_bits(transform).max(most_bits(&found.entries)) + 64;
    let bits = products.max(2 * hadamard_bound(rows, transform).bits() + 2);
    Ok(modulo_primes(bits, seed, |p, random| {
        let (a, u, h) = (residues(a, p), residues(transform, p), residues(&found.entries, p));
        has_determinant(p, rows, &u, 1, random)?;
        matrix::product(p, (rows, rows, columns), &u, &a, &h, random)
    })?)
}

/// Whether factors and transforms are those of the Smith form of a matrix of integers, row after row: each factor is above 0 and divides
/// the next, and modulo random primes of 61 bits `U A V = S`, `det(U)^2 = 1` and `det(V)^2 = 1`. Others pass with a chance below `2^-64`.
///
/// # Errors
/// As [`check_hermite_form`].
#[inline(never)]
pub fn check_smith_form<T: IntegerEntry>(
    (rows, columns): Shape,
    a: &[T],
    found: &SmithForm,
    seed: u64,
) -> Result<Passed, LinalgError> {
    complete((rows, columns), a.len())?;
    complete((rows, rows), found.left.len())?;
    complete((columns, columns), found.right.len())?;
    let SmithForm { factors, left, right } = found;
    are_factors((rows, columns), factors)?;
    let mut diagonal = vec![BigInt::ZERO; entries(rows, columns)?];
    diagonal.iter_mut().step_by(columns + 1).zip(factors).for_each(|(word, factor)| word.clone_from(factor));
    let products = most_bits(a) + most_bits(left) + most_bits(right) + most_bits(factors) + 128;
    let determinants = hadamard_bound(rows, left).bits().max(hadamard_bound(columns, right).bits());
    Ok(modulo_primes(products.max(2 * determinants + 2), seed, |p, random| {
        let (u, v) = (residues(left, p), residues(right, p));
        has_determinant(p, rows, &u, 1, random)?;
        has_determinant(p, columns, &v, 1, random)?;
        let half = multiply(&field(p)?, &residues(a, p), &v, (rows, columns, columns));
        matrix::product(p, (rows, rows, columns), &u, &half, &residues(&diagonal, p), random)
    })?)
}

/// Whether coefficients, the constant term first and the leading one 1, are those of the minimal polynomial of a square matrix of integers,
/// row after row: modulo random primes of 61 bits, by [`characteristic::check_minimal_polynomial`]. One that is not 0 at the matrix passes
/// with a chance below `2^-64`, one of too large a degree never.
///
/// # Errors
/// As [`check_hermite_form`].
#[inline(never)]
pub fn check_minimal_polynomial<T: IntegerEntry>(
    order: usize,
    a: &[T],
    found: &[BigInt],
    seed: u64,
) -> Result<Passed, LinalgError> {
    complete((order, order), a.len())?;
    if found.last().is_none_or(|last| !last.is_one()) {
        return Err(relation("that the leading coefficient is 1"));
    }
    // Entries of the value are at most the sum of the coefficients times powers of a norm.
    let bits = most_bits(found) + (most_bits(a) + u64::from(order.max(1).ilog2()) + 1) * found.len() as u64 + 64;
    Ok(modulo_primes(bits, seed, |p, random| {
        characteristic::check_minimal_polynomial(&field(p)?, order, &residues(a, p), &residues(found, p), random)
    })?)
}

fn field(p: u64) -> Result<PrimeField<u64>, CheckError> {
    PrimeField::new(p).map_err(|_| CheckError::Relation { relation: format!("that {p} is a prime") })
}

pub(super) fn relation(relation: &str) -> LinalgError {
    LinalgError::Check(CheckError::Relation { relation: relation.to_owned() })
}

/// Whether the determinant is a residue modulo a prime, or less than 0 by as much.
pub(super) fn has_determinant(p: u64, order: usize, words: &[u64], size: u64, random: &mut SplitMix) -> Outcome {
    match matrix::determinant(p, order, words, (p - size) % p, random) {
        Err(error) if error.is_wrong() => matrix::determinant(p, order, words, size, random),
        other => other,
    }
}

/// Whether entries stand as those of a Hermite form do.
pub(super) fn is_hermite(form: &HermiteForm, (rows, columns): Shape) -> Result<(), LinalgError> {
    let row = |i: usize| &form.entries[i * columns..][..columns];
    let rank = form.pivots.len();
    let has_pivot = |(i, &pivot): (usize, &usize)| {
        let above = |k: usize| !row(k)[pivot].is_negative() && row(k)[pivot] < row(i)[pivot];
        row(i)[..pivot].iter().all(Zero::is_zero) && row(i)[pivot].is_positive() && (0..i).all(above)
    };
    let is_one = (form.rows, form.columns) == (rows, columns)
        && rank <= rows
        && form.pivots.windows(2).all(|pair| pair[0] < pair[1])
        && form.pivots.last().is_none_or(|&last| last < columns)
        && form.pivots.iter().enumerate().all(has_pivot)
        && (rank..rows).all(|i| row(i).iter().all(Zero::is_zero));
    if is_one {
        return Ok(());
    }
    Err(relation("that rows have pivots above 0, each to the right of those above, with smaller entries above it"))
}

/// Whether integers can be the invariant factors of a matrix of this shape.
pub(super) fn are_factors((rows, columns): Shape, factors: &[BigInt]) -> Result<(), LinalgError> {
    let divides = |pair: &[BigInt]| (&pair[1] % &pair[0]).is_zero();
    if factors.len() <= rows.min(columns) && factors.iter().all(BigInt::is_positive) && factors.windows(2).all(divides)
    {
        return Ok(());
    }
    Err(relation("that factors are above 0, and each divides the next"))
}
