//! Characteristic polynomials over the integers: modulo primes, put together by Chinese remainders.

use manycore_device::Device;
use num_bigint::BigInt;

use super::IntegerEntry;
use super::bound::{coefficients_bound, is_enough};
use super::combine::Combination;
use super::determinant::{Certainty, Primes};
use super::integers::IntegerMatrix;
use crate::error::LinalgError;
use crate::shape::complete;

/// The coefficients of `det(x I - a)` for a square matrix of integers, row after row, the constant term first and the leading one 1:
/// proved, modulo primes whose product is past twice the bound of sums of principal minors.
///
/// About `log2(bound) / 31` primes, for each a polynomial from Hessenberg's form on the device.
///
/// ```
/// use manycore_device::Device;
/// use manycore_linalg::exact::characteristic_polynomial;
/// let found = characteristic_polynomial(&Device::from_env()?, 2, &[1i64, 2, 3, 4])?;
/// assert_eq!(found, [-2, -5, 1].map(Into::into));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`LinalgError::Entries`] for a number of entries other than `order^2`; [`LinalgError::TooLarge`]; [`LinalgError::Device`].
#[inline(never)]
pub fn characteristic_polynomial<T: IntegerEntry>(
    device: &Device,
    order: usize,
    a: &[T],
) -> Result<Vec<BigInt>, LinalgError> {
    complete((order, order), a.len())?;
    let bound = coefficients_bound(order, a);
    let mut product = BigInt::from(1);
    let mut matrix = None;
    let (mut fields, mut polynomials) = (Vec::new(), Vec::new());
    for field in Primes::new(Certainty::Proved) {
        if is_enough(&product, &bound) {
            break;
        }
        let matrix = IntegerMatrix::kept(&mut matrix, device, field, (order, order), a)?;
        let (space, residues) = matrix.modulo(field)?;
        polynomials.push(space.characteristic_polynomial(&residues)?);
        product *= field.modulus();
        fields.push(field);
    }
    let combination = Combination::new(&fields);
    Ok((0..=order).map(|k| combination.least(polynomials.iter().map(|polynomial| polynomial[k]))).collect())
}
