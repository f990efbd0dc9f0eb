//! Ranks and nullspaces of matrices of integers.

use manycore_device::{Device, host_room};
use num_bigint::BigInt;

use super::IntegerEntry;
use super::bound::{dividing_primes, integers_bytes, minors_bound};
use super::determinant::{Certainty, Primes};
use super::integers::IntegerMatrix;
use super::pivots::Pivots;
use crate::error::{LinalgError, Shape};
use crate::shape::{complete, entries};

/// A basis of the nullspace of a matrix of integers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntegerNullspace {
    /// The vectors: unknowns less the rank.
    pub dimension: usize,
    /// The vectors as columns, row after row: as many rows as the matrix has columns. Column `k` is above 0 in the row of the column
    /// without pivot of number `k`, 0 in those of the others, and its entries have no common divisor.
    pub basis: Vec<BigInt>,
}

/// The rank over the rationals of a matrix of `rows` by `columns` integers, row after row: proved.
///
/// The rank modulo a prime of 31 bits, by elimination on the device, is at most the rank; where it is less than rows and columns, the other
/// columns (or rows) are shown to be combinations of the chosen ones by a lifted solution each, multiplied out over the integers.
///
/// ```
/// use manycore_device::Device;
/// use manycore_linalg::exact::rank;
/// assert_eq!(rank(&Device::from_env()?, (2, 3), &[1i64, 2, 3, 2, 4, 6])?, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`LinalgError::Entries`] for another number of entries; [`LinalgError::TooLarge`]; [`LinalgError::Unproved`] and
/// [`LinalgError::Device`] when the device fails.
#[inline(never)]
pub fn rank<T: IntegerEntry>(device: &Device, shape: Shape, a: &[T]) -> Result<usize, LinalgError> {
    with_pivots(device, shape, a, |pivots| Ok(pivots.is_proved().then(|| pivots.rank())))
}

/// A basis of the nullspace over the rationals of a matrix of `rows` by `columns` integers, row after row: vectors of integers, each
/// proved by its product with the matrix. Their number is the number of columns less the rank.
///
/// ```
/// use manycore_device::Device;
/// use manycore_linalg::exact::nullspace;
/// let found = nullspace(&Device::from_env()?, (1, 3), &[2i64, 4, 3])?;
/// // 2 x + 4 y + 3 z = 0 for (-2, 1, 0) and (-3, 0, 2).
/// assert_eq!(found.basis, [-2, -3, 1, 0, 0, 2].map(Into::into));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`rank`].
#[inline(never)]
pub fn nullspace<T: IntegerEntry>(device: &Device, shape: Shape, a: &[T]) -> Result<IntegerNullspace, LinalgError> {
    let columns = shape.1;
    with_pivots(device, shape, a, |pivots| {
        let dimension = columns - pivots.rank();
        let integers = entries(columns, dimension)?;
        // The vectors, and the basis row after row, by Cramer's rule.
        host_room(integers_bytes(integers, pivots.determinant_bits()).saturating_mul(2))?;
        let vectors: Option<Vec<Vec<BigInt>>> =
            pivots.other_columns().map(|column| pivots.null_vector(column)).collect();
        let Some(vectors) = vectors else { return Ok(None) };
        let basis = (0..columns).flat_map(|row| vectors.iter().map(move |vector| vector[row].clone())).collect();
        Ok(Some(IntegerNullspace { dimension, basis }))
    })
}

/// What `work` makes of a regular part modulo the first prime for which it makes something: all but those that divide a minor of the
/// rank's order that is not 0.
fn with_pivots<'a, T: IntegerEntry, R>(
    device: &Device,
    (rows, columns): Shape,
    a: &'a [T],
    work: impl Fn(&Pivots<'a, T>) -> Result<Option<R>, LinalgError>,
) -> Result<R, LinalgError> {
    complete((rows, columns), a.len())?;
    let mut kept = None;
    for field in Primes::new(Certainty::Proved).take(1 + dividing_primes(&minors_bound(columns, a))) {
        let matrix = IntegerMatrix::kept(&mut kept, device, field, (rows, columns), a)?;
        let pivots = Pivots::new(device, field, (rows, columns), a, matrix)?;
        if let Some(found) = pivots.as_ref().map(&work).transpose()?.flatten() {
            return Ok(found);
        }
        // Primes that divide minors are rare: rather, a transfer failed.
        kept = None;
    }
    Err(LinalgError::Unproved { device: device.info().label() })
}

#[cfg(test)]
mod tests {
    use super::super::{RationalSolution, solve};
    use super::*;

    #[test]
    fn columns_are_chosen_over_the_rationals() {
        let device = Device::host();
        // Modulo the first primes the first column is 0.
        for field in Primes::new(Certainty::Proved).take(3) {
            let p = i64::from(field.modulus());
            assert_eq!(nullspace(&device, (1, 2), &[p, 1]).unwrap().basis, [-1, p].map(BigInt::from));
            assert_eq!(rank(&device, (1, 2), &[p, 1]).unwrap(), 1);
            let found = solve(&device, (1, 2), &[p, 1], &[p]).unwrap();
            let RationalSolution::Affine { point, dimension: 1 } = found else { panic!("{found:?}") };
            assert_eq!(point.iter().map(ToString::to_string).collect::<Vec<_>>(), ["1", "0"]);
        }
    }
}
