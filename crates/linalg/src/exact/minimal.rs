//! Minimal polynomials over the integers: modulo primes, put together by Chinese remainders, and proved.
//!
//! Modulo a prime the degree is at most that over the integers, for the polynomial over the integers is 0 at the matrix there too. With
//! `N` the largest sum of the sizes of a row's entries, eigenvalues are at most `N`, so that the coefficient of `x^k` of a polynomial of
//! degree `d` whose roots they are is at most `C(d, k) N^(d - k)`. A polynomial with such coefficients that is 0 at the matrix modulo
//! primes with a product past `2 (2 N)^d` is 0 there over the integers: entries of its value are at most `(2 N)^d`.

use manycore_device::Device;
use num_bigint::{BigInt, BigUint};

use super::IntegerEntry;
use super::bound::is_enough;
use super::characteristic_polynomial;
use super::combine::Combination;
use super::determinant::{Certainty, Primes};
use super::integers::IntegerMatrix;
use crate::error::LinalgError;
use crate::shape::complete;

/// The coefficients of the minimal polynomial of a square matrix of integers, row after row, the constant term first and the leading one
/// 1: proved. They are integers, for the polynomial divides the characteristic one (Gauss' lemma).
///
/// Where the degree is the order modulo the first prime, the characteristic polynomial; else about `d log2(2 N) / 31` primes for the
/// degree `d` and the largest sum `N` of the sizes of a row's entries, each with the cost of
/// [`LinearAlgebra::minimal_polynomial`](crate::LinearAlgebra::minimal_polynomial).
///
/// ```
/// use manycore_device::Device;
/// use manycore_linalg::exact::minimal_polynomial;
/// let found = minimal_polynomial(&Device::from_env()?, 3, &[2i64, 0, 0, 0, 2, 0, 0, 0, -5])?;
/// assert_eq!(found, [-10, 3, 1].map(Into::into)); // (x - 2) (x + 5)
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`LinalgError::Entries`] for a number of entries other than `order^2`; [`LinalgError::TooLarge`]; [`LinalgError::Unproved`] and
/// [`LinalgError::Device`] when the device fails.
#[inline(never)]
pub fn minimal_polynomial<T: IntegerEntry>(device: &Device, order: usize, a: &[T]) -> Result<Vec<BigInt>, LinalgError> {
    complete((order, order), a.len())?;
    let sum = |row: &[T]| row.iter().map(|entry| entry.to_integer().magnitude().clone()).sum::<BigUint>();
    let norm = a.chunks(order.max(1)).map(sum).max().unwrap_or_default().max(BigUint::from(1u32));
    let mut matrix = None;
    let (mut fields, mut polynomials, mut product) = (Vec::new(), Vec::new(), BigInt::from(1));
    // The least degree that is not refuted.
    let mut degree = 0;
    for field in Primes::new(Certainty::Proved) {
        let kept = IntegerMatrix::kept(&mut matrix, device, field, (order, order), a)?;
        let (space, residues) = kept.modulo(field)?;
        let polynomial = space.minimal_polynomial(&residues)?;
        let own = polynomial.len() - 1;
        if own == order {
            return characteristic_polynomial(device, order, a);
        }
        if own < degree {
            continue;
        }
        if own > degree {
            degree = own;
            (fields, polynomials, product) = (Vec::new(), Vec::new(), BigInt::from(1));
        }
        product *= field.modulus();
        fields.push(field);
        polynomials.push(polynomial);
        if is_enough(&product, &(&norm * 2u32).pow(degree as u32)) {
            let combination = Combination::new(&fields);
            let coefficient = |k: usize| combination.least(polynomials.iter().map(|polynomial| polynomial[k]));
            let found: Vec<BigInt> = (0..=degree).map(coefficient).collect();
            if is_bounded(&found, &norm) {
                return Ok(found);
            }
            // All primes so far divide what they must not.
            degree += 1;
            (fields, polynomials, product) = (Vec::new(), Vec::new(), BigInt::from(1));
        }
    }
    Err(LinalgError::Unproved { device: device.info().label() })
}

/// Whether coefficients are within the bounds of those of a polynomial whose roots are at most `norm`.
fn is_bounded(found: &[BigInt], norm: &BigUint) -> bool {
    let degree = found.len() - 1;
    let mut bound = BigUint::from(1u32);
    // From the leading coefficient on: C(d, k) N^(d - k) from that of k + 1.
    found.iter().enumerate().rev().all(|(k, coefficient)| {
        let is_within = *coefficient.magnitude() <= bound;
        bound = &bound * norm * k / (degree + 1 - k);
        is_within
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_those_of_powers() {
        // (x + 3)^4 has each bound as its coefficient.
        let found = [81, 108, 54, 12, 1].map(BigInt::from);
        assert!(is_bounded(&found, &3u32.into()));
        for k in 0..5 {
            let mut wrong = found.clone();
            wrong[k] += 1;
            assert!(!is_bounded(&wrong, &3u32.into()), "{k}");
        }
        assert!(is_bounded(&[BigInt::from(1)], &1u32.into()));
    }
}
