//! Solutions of linear systems of any shape over the rationals.

use manycore_device::{Device, host_room};
use num_bigint::BigInt;
use num_integer::Integer as _;
use num_rational::BigRational;
use num_traits::One as _;

use super::IntegerEntry;
use super::bound::{copied_bytes, dividing_primes, integers_bytes, minors_bound};
use super::determinant::{Certainty, Primes};
use super::fractions::sum;
use super::integers::IntegerMatrix;
use super::lift::Lifting;
use super::pivots::Pivots;
use crate::error::{LinalgError, Shape};
use crate::shape::{complete, entries};

/// The solutions of a system over the rationals, for every column of the right side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RationalSolution {
    /// The only ones, in lowest terms.
    Unique(Vec<BigRational>),
    /// One for each column, in lowest terms: 0 for the unknowns whose columns are combinations of those before them. Others differ by
    /// sums of the columns of [`nullspace`](super::nullspace).
    Affine {
        /// The solutions as columns, row after row.
        point: Vec<BigRational>,
        /// The number of columns of the nullspace: unknowns less the rank.
        dimension: usize,
    },
    /// None, for some column.
    None,
}

/// The rational solutions `x` of `a x = b` for a matrix of integers of `rows` by `columns`, row after row, and a right side of as many
/// integers as it has rows: proved.
///
/// Modulo a prime of 31 bits two eliminations on the device find rows and columns of a regular part as large as the rank, and its inverse
/// `2 r^3` products; digits of the unknowns are lifted on the host ([Dixon, 1982](https://doi.org/10.1007/BF01459082)), two products of a
/// matrix and a vector each, until fractions solve the system; of at most as many digits as Cramer's rule and Hadamard's bound ask for.
/// The other equations are then tried with integers. A row whose equation does not hold proves that there is no solution if it is a
/// combination of the others.
///
/// ```
/// use manycore_device::Device;
/// use manycore_linalg::exact::{RationalSolution, solve};
/// let device = Device::from_env()?;
/// let RationalSolution::Unique(x) = solve(&device, (2, 2), &[2i64, 1, 1, 3], &[1, 1])? else { return Err("one".into()) };
/// assert_eq!((x[0].to_string(), x[1].to_string()), ("2/5".to_owned(), "1/5".to_owned()));
/// assert_eq!(solve(&device, (2, 1), &[1i64, 2], &[1, 1])?, RationalSolution::None);
/// let family = solve(&device, (1, 2), &[2i64, 3], &[1])?;
/// assert!(matches!(family, RationalSolution::Affine { dimension: 1, .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`LinalgError::Entries`] for other numbers of entries; [`LinalgError::TooLarge`]; [`LinalgError::Unproved`] and
/// [`LinalgError::Device`] when the device fails.
#[inline(never)]
pub fn solve<T: IntegerEntry>(
    device: &Device,
    shape: Shape,
    a: &[T],
    b: &[T],
) -> Result<RationalSolution, LinalgError> {
    solve_columns(device, shape, a, 1, b)
}

/// [`solve`] for a right side of some columns, row after row, each a system of its own: the solutions as columns, row after row,
/// from one inverse.
///
/// ```
/// use manycore_device::Device;
/// use manycore_linalg::exact::{RationalSolution, solve_columns};
/// let solution = solve_columns(&Device::host(), (1, 1), &[2i64], 2, &[1, 4])?;
/// let RationalSolution::Unique(x) = solution else { return Err("one".into()) };
/// assert_eq!((x[0].to_string(), x[1].to_string()), ("1/2".to_owned(), "2".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`solve`].
#[inline(never)]
pub fn solve_columns<T: IntegerEntry>(
    device: &Device,
    (rows, columns): Shape,
    a: &[T],
    right_columns: usize,
    b: &[T],
) -> Result<RationalSolution, LinalgError> {
    complete((rows, columns), a.len())?;
    complete((rows, right_columns), b.len())?;
    // The memory of a second copy of the matrix, and of the solutions, before that of their digits.
    let unknowns = entries(columns, right_columns)?;
    host_room(copied_bytes(a, a.len()).saturating_add(integers_bytes(unknowns, 0).saturating_mul(2)))?;
    let right = |column: usize| -> Vec<BigInt> {
        b.iter().skip(column).step_by(right_columns.max(1)).map(T::to_integer).collect()
    };
    let mut point = vec![BigRational::default(); unknowns];
    let mut kept = None;
    // All but those that divide a minor of the rank's order that is not 0.
    for field in Primes::new(Certainty::Proved).take(1 + dividing_primes(&minors_bound(columns, a))) {
        // What a prime before left.
        point.fill(BigRational::default());
        let mut place = |column: usize, chosen: &mut dyn Iterator<Item = usize>, x: Vec<BigRational>| {
            chosen.zip(x).for_each(|(row, x)| point[row * right_columns + column] = x);
        };
        // A matrix that is regular modulo the prime has as many pivots as rows.
        if rows == columns
            && let Some(lifting) = Lifting::new(device, field, rows, a.to_vec())?
        {
            for column in 0..right_columns {
                place(column, &mut (0..rows), lifting.solve(&right(column)).in_lowest_terms());
            }
            return Ok(RationalSolution::Unique(point));
        }
        let matrix = IntegerMatrix::kept(&mut kept, device, field, (rows, columns), a)?;
        let pivots = Pivots::new(device, field, (rows, columns), a, matrix)?;
        // Primes that divide minors are rare: rather, a transfer failed.
        kept = None;
        let Some(pivots) = pivots else { continue };
        match family(&pivots, columns, right_columns, right, &mut place) {
            Family::Some if pivots.rank() == columns => return Ok(RationalSolution::Unique(point)),
            Family::Some => return Ok(RationalSolution::Affine { point, dimension: columns - pivots.rank() }),
            Family::None => return Ok(RationalSolution::None),
            Family::Other => {}
        }
    }
    Err(LinalgError::Unproved { device: device.info().label() })
}

/// The solutions of all equations by those of a regular part.
enum Family {
    Some,
    None,
    /// The rank is larger than modulo the prime, or other columns are the first.
    Other,
}

/// Solves the equations of the chosen rows for each column of the right side, and tries the others.
fn family<T: IntegerEntry>(
    pivots: &Pivots<'_, T>,
    columns: usize,
    right_columns: usize,
    right: impl Fn(usize) -> Vec<BigInt>,
    place: &mut impl FnMut(usize, &mut dyn Iterator<Item = usize>, Vec<BigRational>),
) -> Family {
    for column in 0..right_columns {
        let right = right(column);
        let x = pivots.solve(&right);
        if let Some(row) = pivots.unsolved(&x, &right) {
            return if pivots.is_dependent(row) { Family::None } else { Family::Other };
        }
        place(column, &mut pivots.chosen_columns.iter().copied(), x.in_lowest_terms());
    }
    // As many pivots as columns leave no other solution.
    let is_proved = pivots.rank() == columns || (pivots.are_columns_proved() && pivots.is_proved());
    if is_proved { Family::Some } else { Family::Other }
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
#[inline(never)]
pub fn is_solution<T: IntegerEntry>(a: &[T], x: &[BigRational], b: &[T]) -> bool {
    if a.len() != x.len().saturating_mul(b.len()) {
        return false;
    }
    // All with one denominator.
    let denominator = x.iter().fold(BigInt::one(), |common, x| common.lcm(x.denom()));
    let numerators: Vec<BigInt> = x.iter().map(|x| x.numer() * (&denominator / x.denom())).collect();
    let row = |index: usize| a[index * x.len()..][..x.len()].iter().zip(&numerators);
    b.iter().enumerate().all(|(index, b)| sum(row(index)) == b.times(&denominator))
}
