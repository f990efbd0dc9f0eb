//! Inverses over the rationals: the adjugate and the determinant modulo primes, put together by Chinese remainders.

use manycore_device::{Device, host_room};
use manycore_field::{PrimeField, Semiring as _};
use num_bigint::BigInt;
use num_rational::BigRational;

use super::IntegerEntry;
use super::bound::{dividing_primes, integers_bytes, is_enough, minors_bound};
use super::combine::Combination;
use super::determinant::{Certainty, Primes};
use super::fractions::lowest_terms;
use super::integers::IntegerMatrix;
use super::nullspace::rank;
use crate::error::LinalgError;
use crate::shape::complete;

/// The number of primes modulo which a matrix is found singular before its rank is computed.
const SINGULAR_PRIMES: usize = 2;

/// The inverse over the rationals of a square matrix of integers, row after row, in lowest terms: proved, for the adjugate and the
/// determinant are known modulo primes whose product is past twice the bound of all minors (Hadamard).
///
/// About `log2(bound) / 31` primes, with an inverse and a determinant each on the device, `8/3 n^3` products, and for each entry as many
/// products of words on the host as the square of the number of primes over two.
///
/// ```
/// use manycore_device::Device;
/// use manycore_linalg::exact::inverse;
/// let found = inverse(&Device::from_env()?, 2, &[1i64, 2, 3, 4])?;
/// let text: Vec<String> = found.iter().map(ToString::to_string).collect();
/// assert_eq!(text, ["-2", "1", "3/2", "-1/2"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`LinalgError::Singular`] with the rank, which is proved, of a matrix that has none; [`LinalgError::Entries`];
/// [`LinalgError::TooLarge`]; [`LinalgError::Unproved`] and [`LinalgError::Device`] when the device fails.
#[inline(never)]
pub fn inverse<T: IntegerEntry>(device: &Device, order: usize, a: &[T]) -> Result<Vec<BigRational>, LinalgError> {
    complete((order, order), a.len())?;
    let bound = minors_bound(order, a);
    let mut product = BigInt::from(1);
    let mut kept = None;
    let most_singular = dividing_primes(&bound);
    let (mut fields, mut adjugates, mut determinants) = (Vec::new(), Vec::new(), Vec::new());
    let mut singular = 0;
    for field in Primes::new(Certainty::Proved) {
        if is_enough(&product, &bound) {
            break;
        }
        let matrix = IntegerMatrix::kept(&mut kept, device, field, (order, order), a)?;
        match residues(matrix, field) {
            Ok((adjugate, determinant)) => {
                product *= field.modulus();
                fields.push(field);
                adjugates.push(adjugate);
                determinants.push(determinant);
            }
            Err(LinalgError::Singular { .. }) => {
                singular += 1;
                if singular == SINGULAR_PRIMES && fields.is_empty() {
                    let rank = rank(device, (order, order), a)?;
                    if rank < order {
                        return Err(LinalgError::Singular { rank, order });
                    }
                }
                // Primes that divide the determinant are rare: rather, a transfer failed.
                kept = None;
                // The determinant is not 0 where the matrix is regular modulo a prime, or its rank was proved.
                if singular > most_singular.max(SINGULAR_PRIMES) {
                    return Err(LinalgError::Unproved { device: device.info().label() });
                }
            }
            Err(error) => return Err(error),
        }
    }
    // The adjugate, and numerators and denominators.
    host_room(integers_bytes(a.len(), bound.bits()).saturating_mul(3))?;
    let combination = Combination::new(&fields);
    let determinant = combination.least(determinants.into_iter());
    let entry = |at: usize| combination.least(adjugates.iter().map(|adjugate| adjugate[at]));
    let adjugate: Vec<BigInt> = (0..a.len()).map(entry).collect();
    Ok(lowest_terms(&adjugate, &determinant))
}

/// The adjugate and the determinant modulo a prime.
fn residues(matrix: &IntegerMatrix, field: PrimeField<u32>) -> Result<(Vec<u32>, u32), LinalgError> {
    let (space, residues) = matrix.modulo(field)?;
    let mut adjugate = space.entries(&space.inverse(&residues)?)?;
    let determinant = space.determinant(&residues)?;
    for entry in &mut adjugate {
        *entry = field.mul(*entry, determinant);
    }
    Ok((adjugate, determinant))
}
