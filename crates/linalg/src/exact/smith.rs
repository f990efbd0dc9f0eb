//! Smith forms of matrices of integers: invariant factors from the determinant, solutions and the primes that they leave open (after
//! Eberly, Giesbrecht and Villard, "On computing the determinant and Smith form of an integer matrix", FOCS 2000), and Hermite forms by
//! rows and by columns in turn (Kannan and Bachem, SIAM Journal on Computing 8, 1979) modulo the part of the determinant of these primes.

use manycore_device::Device;
use manycore_verify::SplitMix;
use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{One as _, Signed as _, Zero as _};

use super::determinant::Certainty;
use super::hermite::{hermite_form, hermite_form_with_transform};
use super::modulo::hermite_modulo;
use super::solve::{RationalSolution, solve_columns};
use super::{IntegerEntry, determinant};
use crate::error::{LinalgError, Shape};
use crate::shape::complete;

/// The number of right sides whose solutions give divisors of the largest invariant factor.
const SIDES: usize = 2;

/// The Smith form `S = U A V` of a matrix of integers of `m` by `n`: `S` is 0 but for the invariant factors on its diagonal, and `U` and
/// `V` are of integers with determinant 1 or -1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SmithForm {
    /// The invariant factors, above 0, as many as the rank; each divides the next.
    pub factors: Vec<BigInt>,
    /// `U`, `m^2` entries, row after row.
    pub left: Vec<BigInt>,
    /// `V`, `n^2` entries, row after row.
    pub right: Vec<BigInt>,
}

/// The invariant factors of a matrix of `rows` by `columns` integers, row after row, of any shape and rank: the entries of the Smith form's
/// diagonal that are not 0, above 0, as many as the rank, each a divisor of the next. The product of the first `k` is the greatest common
/// divisor of all minors of order `k`. Proved.
///
/// Of a regular square matrix the determinant, by Chinese remainders, is their product. The denominators of two solutions divide the last;
/// the quotient leaves few primes open in most matrices, and modulo their part of the determinant the forms are small. Other
/// matrices have Hermite forms by rows, and by columns, first.
///
/// ```
/// use manycore_device::Device;
/// use manycore_linalg::exact::invariant_factors;
/// let found = invariant_factors(&Device::from_env()?, (2, 3), &[2i64, 4, 4, -6, 6, 12])?;
/// assert_eq!(found, [2, 6].map(Into::into));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`hermite_form`].
#[inline(never)]
pub fn invariant_factors<T: IntegerEntry>(
    device: &Device,
    (rows, columns): Shape,
    a: &[T],
) -> Result<Vec<BigInt>, LinalgError> {
    complete((rows, columns), a.len())?;
    let integers: Vec<BigInt> = a.iter().map(T::to_integer).collect();
    if rows == columns {
        let size = determinant(device, rows, &integers, Certainty::Proved)?.value.abs();
        if !size.is_zero() {
            return of_regular(device, rows, &integers, size);
        }
    }
    let form = hermite_form(device, (rows, columns), &integers)?;
    let rank = form.rank();
    let turned = transposed(rank, columns, &form.entries[..rank * columns]);
    let core = if rank == columns { turned } else { hermite_form(device, (columns, rank), &turned)?.entries };
    let core = &core[..rank * rank];
    // Triangular.
    let size = core.iter().step_by(rank + 1).product::<BigInt>().abs();
    of_regular(device, rank, core, size)
}

/// The Smith form with both transforms, of any shape and rank: Hermite forms by rows and by columns in turn, each modulo its determinant,
/// until the matrix is diagonal, and divisors of pairs of its entries then.
///
/// ```
/// use manycore_device::Device;
/// use manycore_linalg::exact::smith_form;
/// let found = smith_form(&Device::from_env()?, (1, 2), &[4i64, 6])?;
/// assert_eq!(found.factors, [2.into()]);
/// let [v, w] = [&found.right[0], &found.right[2]];
/// assert_eq!(&found.left[0] * (4 * v + 6 * w), 2.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`hermite_form`].
#[inline(never)]
pub fn smith_form<T: IntegerEntry>(device: &Device, (rows, columns): Shape, a: &[T]) -> Result<SmithForm, LinalgError> {
    let (form, mut left) = hermite_form_with_transform(device, (rows, columns), a)?;
    let rank = form.rank();
    let turned = transposed(rank, columns, &form.entries[..rank * columns]);
    // Of the right transform the transpose.
    let (form, mut right) = hermite_form_with_transform(device, (columns, rank), &turned)?;
    let mut core = transposed(rank, rank, &form.entries[..rank * rank]);
    // The turn of rows, then that of columns.
    let mut is_rows = true;
    while !is_diagonal(rank, &core) {
        let turned = if is_rows { core } else { transposed(rank, rank, &core) };
        let (form, transform) = hermite_form_with_transform(device, (rank, rank), &turned)?;
        let (side, order) = if is_rows { (&mut left, rows) } else { (&mut right, columns) };
        let changed = product((rank, rank, order), &transform, &side[..rank * order]);
        side[..rank * order].clone_from_slice(&changed);
        core = if is_rows { form.entries } else { transposed(rank, rank, &form.entries) };
        is_rows = !is_rows;
    }
    let mut factors: Vec<BigInt> = core.into_iter().step_by(rank + 1).collect();
    for i in 0..rank {
        for j in i + 1..rank {
            divide(&mut factors, (i, j), (&mut left, rows), (&mut right, columns));
        }
    }
    let right = transposed(columns, columns, &right);
    Ok(SmithForm { factors, left, right })
}

/// Makes entry `i` of a diagonal the greatest common divisor of both and entry `j` their least common multiple: with `g = u a + v b`
///
/// ```text
/// [ 1        1         ] [ a   ] [ u  -b / g ]   [ g          ]
/// [ -v b/g   1 - v b/g ] [   b ] [ v   a / g ] = [    a b / g ]
/// ```
///
/// where rows of `left` and of the transpose of `right` change.
fn divide(
    factors: &mut [BigInt],
    (i, j): (usize, usize),
    (left, rows): (&mut [BigInt], usize),
    (right, columns): (&mut [BigInt], usize),
) {
    let (a, b) = (factors[i].clone(), factors[j].clone());
    if (&b % &a).is_zero() {
        return;
    }
    let common = a.extended_gcd(&b);
    let (first, second) = (&a / &common.gcd, &b / &common.gcd);
    let below = &common.y * &second;
    combine((left, rows), (i, j), [&BigInt::one(), &BigInt::one()], [&-&below, &(1 - &below)]);
    combine((right, columns), (i, j), [&common.x, &common.y], [&-&second, &first]);
    factors[j] = &first * &b;
    factors[i] = common.gcd;
}

/// Rows `i < j` become these combinations of both.
fn combine((words, width): (&mut [BigInt], usize), (i, j): (usize, usize), upper: [&BigInt; 2], lower: [&BigInt; 2]) {
    let (above, below) = words.split_at_mut(j * width);
    for (x, y) in above[i * width..][..width].iter_mut().zip(&mut below[..width]) {
        let sums = [upper, lower].map(|[u, v]| u * &*x + v * &*y);
        [*x, *y] = sums;
    }
}

/// The invariant factors of a regular matrix, of whose determinant the size is given.
fn of_regular(device: &Device, order: usize, a: &[BigInt], size: BigInt) -> Result<Vec<BigInt>, LinalgError> {
    let mut factors = vec![BigInt::one(); order];
    if size.is_one() {
        return Ok(factors);
    }
    let mut random = SplitMix::new(1);
    let sides: Vec<BigInt> = (0..order * SIDES).map(|_| BigInt::from(random.next_word() >> 32)).collect();
    let RationalSolution::Unique(x) = solve_columns(device, (order, order), a, SIDES, &sides)? else {
        return Err(LinalgError::Unproved { device: device.info().label() });
    };
    let mut known = x.iter().fold(BigInt::one(), |common, x| common.lcm(x.denom()));
    if !(&size % &known).is_zero() {
        return Err(LinalgError::Unproved { device: device.info().label() });
    }
    // Primes outside of the quotient are those of the last factor alone.
    known = without(&size, &(&size / &known));
    let open = size / &known;
    if !open.is_one() {
        let found = diagonal(order, a.to_vec(), &open)?;
        factors[order - found.len()..].clone_from_slice(&found);
    }
    if let Some(last) = factors.last_mut() {
        *last *= known;
    }
    Ok(factors)
}

/// The invariant factors other than 1 of the lattice of the rows of a square matrix and `modulus` times the unit vectors, whose determinant
/// is the modulus: Hermite forms by rows and by columns in turn, without the rows and columns of pivots 1, until one is diagonal.
fn diagonal(mut order: usize, mut words: Vec<BigInt>, modulus: &BigInt) -> Result<Vec<BigInt>, LinalgError> {
    loop {
        let form = hermite_modulo(order, words, modulus)?;
        let kept: Vec<usize> = (0..order).filter(|&k| !form[k * order + k].is_one()).collect();
        let entry = |&row: &usize| kept.iter().map(move |&column| (row, column));
        // Turned: entries in the columns of pivots 1 are 0 above them.
        words = kept.iter().flat_map(entry).map(|(row, column)| form[column * order + row].clone()).collect();
        order = kept.len();
        if is_diagonal(order, &words) {
            break;
        }
    }
    let mut factors: Vec<BigInt> = words.into_iter().step_by(order + 1).collect();
    for i in 0..order {
        for j in i + 1..order {
            let common = factors[i].gcd(&factors[j]);
            factors[j] = &factors[i] / &common * &factors[j];
            factors[i] = common;
        }
    }
    Ok(factors)
}

/// The largest divisor of an integer above 0 that has no prime with another in common.
pub(super) fn without(integer: &BigInt, other: &BigInt) -> BigInt {
    let mut rest = integer.clone();
    loop {
        let common = rest.gcd(other);
        if common.is_one() {
            return rest;
        }
        rest /= common;
    }
}

fn is_diagonal(order: usize, words: &[BigInt]) -> bool {
    words.iter().enumerate().all(|(e, word)| e % (order + 1) == 0 || word.is_zero())
}

pub(super) fn transposed(rows: usize, columns: usize, words: &[BigInt]) -> Vec<BigInt> {
    (0..columns).flat_map(|j| (0..rows).map(move |i| words[i * columns + j].clone())).collect()
}

/// The product of matrices of `rows` by `inner` and `inner` by `columns` integers.
fn product((rows, inner, columns): (usize, usize, usize), x: &[BigInt], y: &[BigInt]) -> Vec<BigInt> {
    let mut out = vec![BigInt::ZERO; rows * columns];
    for i in 0..rows {
        for k in (0..inner).filter(|&k| !x[i * inner + k].is_zero()) {
            let factor = &x[i * inner + k];
            let line = out[i * columns..][..columns].iter_mut().zip(&y[k * columns..]);
            line.for_each(|(sum, word)| *sum += factor * word);
        }
    }
    out
}
