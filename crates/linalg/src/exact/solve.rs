//! Solutions of linear systems over the rationals, by lifting modulo powers of a prime.

use manycore_device::Device;
use manycore_field::PrimeField;
use manycore_field::crt::rational_reconstruction_within;
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::Zero as _;

use super::determinant::{Certainty, Primes, combined};
use super::integers::IntegerMatrix;
use super::{IntegerEntry, hadamard_bound};
use crate::error::LinalgError;
use crate::field::dot;
use crate::matrix::entries;

/// The solution of a square system over the rationals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RationalSolution {
    /// The only one, in lowest terms.
    Unique(Vec<BigRational>),
    /// The determinant is 0: there is no solution, or there are many.
    Singular,
}

/// Primes that divide a determinant by chance: after so many in a row it is computed.
const SINGULAR_PRIMES: usize = 2;

/// The rational solution `x` of `a x = b` for a square matrix of integers, row after row, of an order, and a right side with as many
/// integers: proved, for the prime power is past what Cramer's rule and Hadamard's bound allow.
///
/// The inverse modulo a prime of 31 bits is computed on the device, `2 n^3` products; each of about `2 log2(bound) / 31` digits
/// then takes two products of a matrix and a vector on the host, and each entry a rational reconstruction. Source: Dixon, "Exact
/// solution of linear equations using p-adic expansions", Numerische Mathematik 40 (1982).
///
/// ```
/// use manycore_device::Device;
/// use manycore_linalg::exact::{RationalSolution, solve};
/// let solution = solve(&Device::from_env()?, 2, &[2i64, 1, 1, 3], &[1, 1])?;
/// let RationalSolution::Unique(x) = solution else { return Err("singular".into()) };
/// assert_eq!((x[0].to_string(), x[1].to_string()), ("2/5".to_owned(), "1/5".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`LinalgError::Entries`] for other numbers of entries; [`LinalgError::TooLarge`]; [`LinalgError::Device`].
pub fn solve<T: IntegerEntry>(
    device: &Device,
    order: usize,
    a: &[T],
    b: &[T],
) -> Result<RationalSolution, LinalgError> {
    solve_columns(device, order, a, 1, b)
}

/// [`solve`] for a right side of some columns, row after row, each a system of its own: the solutions as columns, row after row,
/// from one inverse.
///
/// ```
/// use manycore_device::Device;
/// use manycore_linalg::exact::{RationalSolution, solve_columns};
/// let solution = solve_columns(&Device::host(), 1, &[2i64], 2, &[1, 4])?;
/// let RationalSolution::Unique(x) = solution else { return Err("singular".into()) };
/// assert_eq!((x[0].to_string(), x[1].to_string()), ("1/2".to_owned(), "2".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`solve`].
pub fn solve_columns<T: IntegerEntry>(
    device: &Device,
    order: usize,
    a: &[T],
    columns: usize,
    b: &[T],
) -> Result<RationalSolution, LinalgError> {
    if entries(order, order)? != a.len() {
        return Err(LinalgError::Entries { given: a.len(), rows: order, columns: order });
    }
    if entries(order, columns)? != b.len() {
        return Err(LinalgError::Entries { given: b.len(), rows: order, columns });
    }
    let mut matrix = None;
    let mut singular = 0;
    for field in Primes::new(Certainty::Proved) {
        let matrix = IntegerMatrix::kept(&mut matrix, device, field, order, a)?;
        let (space, residues) = matrix.modulo(field)?;
        match space.inverse(&residues) {
            Ok(inverse) => {
                let inverse = space.entries(&inverse)?;
                let mut all = vec![BigRational::default(); b.len()];
                for column in 0..columns {
                    let right: Vec<T> = b.iter().skip(column).step_by(columns).cloned().collect();
                    let places = all.iter_mut().skip(column).step_by(columns);
                    places.zip(lifted(field, &inverse, a, &right)).for_each(|(place, x)| *place = x);
                }
                return Ok(RationalSolution::Unique(all));
            }
            Err(LinalgError::Singular { .. }) => singular += 1,
            Err(error) => return Err(error),
        }
        let determinant = || combined(order, a, Certainty::Proved, 1, |fields| matrix.determinants(fields));
        if singular == SINGULAR_PRIMES && determinant()?.value.is_zero() {
            break;
        }
    }
    Ok(RationalSolution::Singular)
}

/// Whether `a x = b`, exactly.
///
/// ```
/// use manycore_linalg::exact::is_solution;
/// use num_rational::BigRational;
/// let half = BigRational::new(1.into(), 2.into());
/// assert!(is_solution(&[2i64], &[half.clone()], &[1]));
/// assert!(!is_solution(&[2i64], &[half], &[2]));
/// ```
pub fn is_solution<T: IntegerEntry>(a: &[T], x: &[BigRational], b: &[T]) -> bool {
    let sum = |row: &[T]| row.iter().zip(x).map(|(a, x)| x * a.to_integer()).sum::<BigRational>();
    a.len() == x.len() * b.len()
        && (x.is_empty() || a.chunks(x.len()).zip(b).all(|(row, b)| sum(row) == BigRational::from(b.to_integer())))
}

/// The solution from the inverse modulo a prime.
fn lifted<T: IntegerEntry>(field: PrimeField<u32>, inverse: &[u32], a: &[T], b: &[T]) -> Vec<BigRational> {
    let order = b.len();
    let p = BigInt::from(field.modulus());
    let matrix: Vec<BigInt> = a.iter().map(T::to_integer).collect();
    let mut rest: Vec<BigInt> = b.iter().map(T::to_integer).collect();
    let (numerator, denominator) = bounds(order, &matrix, &rest);
    let enough = BigInt::from(&numerator * &denominator * 2u32);
    let (mut power, mut x) = (BigInt::from(1), vec![BigInt::ZERO; order]);
    while power <= enough {
        let residues: Vec<u32> = rest.iter().map(|entry| field.reduce_bigint(entry)).collect();
        let digits: Vec<u32> = inverse.chunks(order.max(1)).map(|row| dot(&field, row, &residues)).collect();
        for (x, &digit) in x.iter_mut().zip(&digits) {
            *x += &power * digit;
        }
        // What is left is a multiple of the prime.
        for (rest, row) in rest.iter_mut().zip(matrix.chunks(order.max(1))) {
            let product: BigInt = row.iter().zip(&digits).map(|(entry, &digit)| entry * digit).sum();
            *rest = (&*rest - product) / &p;
        }
        power *= &p;
    }
    let modulus = power.magnitude();
    // There is one fraction within the bounds, which the solution is by Cramer's rule.
    x.iter()
        .map(|x| rational_reconstruction_within(x.magnitude(), modulus, &numerator, &denominator).unwrap_or_default())
        .collect()
}

/// The largest numerator and denominator of a solution by Cramer's rule: determinants with the right side in the place of a
/// column, at most the product of the norms of the rows with both, and the determinant of the matrix.
fn bounds(order: usize, matrix: &[BigInt], right: &[BigInt]) -> (BigUint, BigUint) {
    let square = |entry: &BigInt| (entry * entry).magnitude().clone();
    let rows = matrix.chunks(order.max(1)).zip(right);
    let squares: BigUint = rows.map(|(row, right)| row.iter().map(square).sum::<BigUint>() + square(right)).product();
    let root = squares.sqrt() + 1u32;
    (root, hadamard_bound(order, matrix))
}

#[cfg(test)]
mod tests {
    use manycore_field::{ModularField as _, Semiring as _};

    use super::*;

    #[test]
    fn lifting_takes_as_many_digits_as_the_bounds_ask_for() {
        let field = PrimeField::<u32>::new(7).unwrap();
        // 3 x = 10^20 + 1 has the inverse 5 of 3 mod 7.
        let right = BigInt::from(10).pow(20) + 1;
        let x = lifted(field, &[5], &[BigInt::from(3)], std::slice::from_ref(&right));
        assert_eq!(x, [BigRational::new(right, BigInt::from(3))]);
        assert_eq!(field.order(), 7);
        assert_eq!(field.mul(3, 5), 1);
    }
}
