//! Hermite forms of matrices of integers of any shape and rank: of the columns of the pivots modulo determinants (`triangle`), and the other
//! columns by solutions over the rationals (Cohen, A Course in Computational Algebraic Number Theory, section 2.4.2).
//!
//! With `B` the columns of the pivots, the nonzero rows of the form are `H = T X`, where `T` is the form of `B`, of as many rows and columns
//! as the rank, and `X` the rational matrix with `B X = A`. That `X` exists for all rows proves the rank, and its zeros to the left of
//! the pivots prove their columns.

use manycore_device::{Device, host_room};
use manycore_field::PrimeField;
use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::Zero as _;

use super::IntegerEntry;
use super::bound::{dividing_primes, integers_bytes, minors_bound};
use super::determinant::{Certainty, Primes};
use super::fractions::Fractions;
use super::integers::IntegerMatrix;
use super::lift::Lifting;
use super::triangle::triangle;
use crate::error::{LinalgError, Shape};
use crate::shape::{complete, entries};

/// The Hermite form of a matrix of integers `A`: the one matrix `H = U A` with `U` of integers and determinant 1 or -1 whose nonzero rows
/// come first, each with a pivot, its first entry other than 0, above 0 and to the right of those of the rows above, and entries above
/// pivots from 0 to below them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HermiteForm {
    /// The rows of the form, as many as the matrix has.
    pub rows: usize,
    /// Its columns, as many as the matrix has.
    pub columns: usize,
    /// Its entries, row after row.
    pub entries: Vec<BigInt>,
    /// The column of the pivot of each row that is not 0, ascending: as many as the rank.
    pub pivots: Vec<usize>,
}

impl HermiteForm {
    /// The rank.
    #[inline(never)]
    pub fn rank(&self) -> usize {
        self.pivots.len()
    }
}

/// The Hermite form by rows of a matrix of `rows` by `columns` integers, row after row, of any shape and rank: proved.
///
/// A regular part as large as the rank is found modulo a prime on the device; solutions over the rationals of some random right sides give
/// a multiple of the determinant of all but the last column, which is small for most matrices: modulo it the form takes about `m r^2`
/// products for rank `r` on the host, of words or of integers of its size. Each column without pivot takes one more solution.
///
/// ```
/// use manycore_device::Device;
/// use manycore_linalg::exact::hermite_form;
/// let found = hermite_form(&Device::from_env()?, (2, 3), &[2i64, 4, 1, 3, 5, 0])?;
/// assert_eq!(found.entries, [1, 1, -1, 0, 2, 3].map(Into::into));
/// assert_eq!(found.pivots, [0, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`LinalgError::Entries`] for another number of entries; [`LinalgError::TooLarge`]; [`LinalgError::Unproved`] and
/// [`LinalgError::Device`] when the device fails, or memory is too small.
#[inline(never)]
pub fn hermite_form<T: IntegerEntry>(device: &Device, shape: Shape, a: &[T]) -> Result<HermiteForm, LinalgError> {
    complete(shape, a.len())?;
    room(a.len(), a)?;
    for part in regular_parts(device, shape, a) {
        if let Some(form) = of_part(device, shape, a, &part?)? {
            return Ok(form);
        }
    }
    Err(LinalgError::Unproved { device: device.info().label() })
}

/// [`hermite_form`], and the matrix `U` of `rows^2` integers, row after row, with `U A = H`: of the form `[H U]` of the matrix beside the
/// identity, so that there is one such matrix; the last rows are a basis of the integers `x` with `x A = 0`.
///
/// ```
/// use manycore_device::Device;
/// use manycore_linalg::exact::hermite_form_with_transform;
/// let (form, u) = hermite_form_with_transform(&Device::from_env()?, (2, 1), &[4i64, 6])?;
/// assert_eq!((form.entries, u), ([2, 0].map(Into::into).to_vec(), [2, -1, 3, -2].map(Into::into).to_vec()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`hermite_form`].
#[inline(never)]
pub fn hermite_form_with_transform<T: IntegerEntry>(
    device: &Device,
    (rows, columns): Shape,
    a: &[T],
) -> Result<(HermiteForm, Vec<BigInt>), LinalgError> {
    complete((rows, columns), a.len())?;
    let width = columns.checked_add(rows).ok_or(LinalgError::TooLarge { rows, columns })?;
    room(entries(rows, width)?, a)?;
    let unit = |i: usize| (0..rows).map(move |j| BigInt::from(u8::from(i == j)));
    let row = |i: usize| a[i * columns..][..columns].iter().map(IntegerEntry::to_integer).chain(unit(i));
    let beside: Vec<BigInt> = (0..rows).flat_map(row).collect();
    let both = hermite_form(device, (rows, width), &beside)?;
    let part = |from: usize, to: usize| -> Vec<BigInt> {
        (0..rows).flat_map(|i| both.entries[i * width + from..i * width + to].iter().cloned()).collect()
    };
    let pivots = both.pivots.iter().copied().filter(|&pivot| pivot < columns).collect();
    Ok((HermiteForm { rows, columns, entries: part(0, columns), pivots }, part(columns, width)))
}

/// Checks that there is memory for two copies of `count` entries and for the form, which is at least as large as one.
fn room<T: IntegerEntry>(count: usize, a: &[T]) -> Result<(), LinalgError> {
    let bits = a.iter().map(|entry| 64 * entry.words() as u64).max().unwrap_or(0);
    Ok(host_room(integers_bytes(count, bits).saturating_mul(3))?)
}

/// Rows and columns of a part that is regular modulo a prime, as large as the rank there.
struct Part {
    field: PrimeField<u32>,
    rows: Vec<usize>,
    columns: Vec<usize>,
}

/// The parts modulo one prime after the other, all but those that divide a minor of the rank's order that is not 0.
fn regular_parts<T: IntegerEntry>(
    device: &Device,
    (rows, columns): Shape,
    a: &[T],
) -> impl Iterator<Item = Result<Part, LinalgError>> {
    let fields = Primes::new(Certainty::Proved).take(1 + dividing_primes(&minors_bound(columns, a)));
    let mut kept = None;
    fields.map(move |field| {
        let matrix = IntegerMatrix::kept(&mut kept, device, field, (rows, columns), a)?;
        let (space, residues) = matrix.modulo(field)?;
        let chosen = space.column_rank_profile(&residues)?;
        let rows = if chosen.len() == rows { (0..rows).collect() } else { space.row_rank_profile(&residues)? };
        // Where it did not serve, a transfer failed rather.
        kept = None;
        Ok(Part { field, rows, columns: chosen })
    })
}

/// The form from a regular part; `None` where its columns are not those of the pivots.
fn of_part<T: IntegerEntry>(
    device: &Device,
    (rows, columns): Shape,
    a: &[T],
    part: &Part,
) -> Result<Option<HermiteForm>, LinalgError> {
    let rank = part.columns.len();
    if part.rows.len() != rank {
        return Ok(None);
    }
    let others: Vec<usize> = (0..columns).filter(|column| part.columns.binary_search(column).is_err()).collect();
    let pick = |rows: &mut dyn Iterator<Item = usize>, of: &[usize]| -> Vec<BigInt> {
        rows.flat_map(|row| of.iter().map(move |&column| a[row * columns + column].to_integer())).collect()
    };
    let square = pick(&mut part.rows.iter().copied(), &part.columns);
    let Some(square) = Lifting::new(device, part.field, rank, square)? else { return Ok(None) };
    host_room(integers_bytes(entries(rank, others.len())?, square.determinant_bits()))?;
    let right = |&column: &usize| pick(&mut part.rows.iter().copied(), &[column]);
    let multiples = Multiples(others.iter().map(|column| square.solve(&right(column))).collect());
    let is_left = |(k, &column): (usize, &usize)| {
        part.columns.iter().enumerate().all(|(t, &pivot)| pivot < column || multiples.0[k].numerators[t].is_zero())
    };
    let all = pick(&mut (0..rows), &part.columns);
    let row = |i: usize| &all[i * rank..][..rank];
    let is_combination = |i: usize| {
        let entry = |(k, &column): (usize, &usize)| {
            multiples.sum(row(i), k) == a[i * columns + column].times(&multiples.denominator(k))
        };
        others.iter().enumerate().all(entry)
    };
    if !others.iter().enumerate().all(is_left) || !(0..rows).all(is_combination) {
        return Ok(None);
    }
    let Some(triangle) = triangle(device, rank, &all, &part.rows, &square)? else { return Ok(None) };
    let mut form = vec![BigInt::ZERO; entries(rows, columns)?];
    for (i, line) in triangle.chunks(rank.max(1)).enumerate() {
        let target = &mut form[i * columns..][..columns];
        part.columns.iter().zip(line).for_each(|(&column, word)| target[column].clone_from(word));
        for (k, &column) in others.iter().enumerate() {
            let (quotient, rest) = multiples.sum(line, k).div_rem(&multiples.denominator(k));
            if !rest.is_zero() {
                return Ok(None);
            }
            target[column] = quotient;
        }
    }
    Ok(Some(HermiteForm { rows, columns, entries: form, pivots: part.columns.clone() }))
}

/// A matrix of fractions, column after column.
struct Multiples(Vec<Fractions>);

impl Multiples {
    fn denominator(&self, column: usize) -> BigInt {
        self.0[column].denominator.clone().into()
    }

    /// The sum of the products of a row of integers and the numerators of a column.
    fn sum(&self, row: &[BigInt], column: usize) -> BigInt {
        let terms = row.iter().zip(&self.0[column].numerators).filter(|(word, _)| !word.is_zero());
        terms.map(|(word, numerator)| word * numerator).sum()
    }
}
