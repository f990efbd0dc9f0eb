//! Rows and columns of a matrix of integers that make a regular part of its rank, found modulo a prime and proved over the integers.
//!
//! The rank modulo a prime is at most that over the integers, for a minor that is not 0 there is not 0 here. It is the rank where every
//! other column is a combination of the chosen ones, or every other row one of the chosen rows: a vector for each, found by lifting,
//! is multiplied by the whole matrix.

use manycore_device::{Device, host_room};
use manycore_field::{PrimeField, Semiring as _};
use manycore_verify::SplitMix;
use num_bigint::BigInt;
use num_traits::{One as _, Zero as _};

use super::IntegerEntry;
use super::bound::copied_bytes;
use super::fractions::{Fractions, sum};
use super::integers::IntegerMatrix;
use super::lift::Lifting;
use crate::error::{LinalgError, Shape};
use crate::field::dot;
use crate::modular::algebra::residue;
use crate::shape::entries;

/// A regular part of a matrix, as large as its rank modulo a prime.
pub(super) struct Pivots<'a, T> {
    a: &'a [T],
    rows: usize,
    columns: usize,
    /// The rows of the part, ascending: none is a combination of those above it.
    pub(super) chosen_rows: Vec<usize>,
    /// The columns of the part, ascending: none is a combination of those before it.
    pub(super) chosen_columns: Vec<usize>,
    part: Lifting<T>,
}

impl<'a, T: IntegerEntry> Pivots<'a, T> {
    /// The part modulo a prime; two eliminations and an inverse on the device. `None` where these do not fit together.
    ///
    /// # Errors
    /// As [`super::rank`].
    pub(super) fn new(
        device: &Device,
        field: PrimeField<u32>,
        (rows, columns): Shape,
        a: &'a [T],
        matrix: &IntegerMatrix,
    ) -> Result<Option<Self>, LinalgError> {
        let (space, residues) = matrix.modulo(field)?;
        let chosen_columns = space.echelon(&residues)?.pivots().to_vec();
        let rank = chosen_columns.len();
        let chosen_rows = if rank == rows {
            (0..rows).collect()
        } else {
            space.echelon(&space.transpose(&residues)?)?.pivots().to_vec()
        };
        if chosen_rows.len() != rank {
            return Ok(None);
        }
        host_room(copied_bytes(a, entries(rank, rank)?))?;
        let entry = |&row: &usize| chosen_columns.iter().map(move |&column| a[row * columns + column].clone());
        let part: Vec<T> = chosen_rows.iter().flat_map(entry).collect();
        let part = Lifting::new(device, field, rank, part)?;
        let pivots = part.map(|part| Self { a, rows, columns, chosen_rows, chosen_columns, part });
        Ok(pivots.filter(Self::are_columns_first))
    }

    /// Whether every other column is a combination of chosen ones before it, modulo the prime: else a device failed, and a basis of other
    /// columns would be as right, but not the same. Random sums of its factors for those after it are 0, else with a chance of `1 / p`.
    fn are_columns_first(&self) -> bool {
        let (field, rank) = (self.part.field(), self.rank());
        let mut random = SplitMix::new(1);
        let mut sums = vec![0; rank];
        let mut from = rank;
        for column in (0..self.columns).rev() {
            if from > 0 && self.chosen_columns[from - 1] == column {
                from -= 1;
                let factor = residue(field, &mut random);
                for (sum, &entry) in sums.iter_mut().zip(&self.part.inverse()[from * rank..][..rank]) {
                    *sum = field.add(*sum, field.mul(factor, entry));
                }
            } else if from < rank {
                let entry = |&row: &usize| self.row(row)[column].residue(field);
                let entries: Vec<u32> = self.chosen_rows.iter().map(entry).collect();
                if dot(field, &sums, &entries) != 0 {
                    return false;
                }
            }
        }
        true
    }

    /// The rank modulo the prime.
    #[inline(never)]
    pub(super) fn rank(&self) -> usize {
        self.chosen_columns.len()
    }

    /// Bits of the largest size that the determinant of the part can have.
    pub(super) fn determinant_bits(&self) -> u64 {
        self.part.determinant_bits()
    }

    fn row(&self, row: usize) -> &'a [T] {
        &self.a[row * self.columns..][..self.columns]
    }

    /// The rows that are not chosen.
    pub(super) fn other_rows(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.rows).filter(|row| self.chosen_rows.binary_search(row).is_err())
    }

    /// The columns that are not chosen.
    pub(super) fn other_columns(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.columns).filter(|column| self.chosen_columns.binary_search(column).is_err())
    }

    /// The values of the unknowns of the chosen columns that solve the equations of the chosen rows, where the other unknowns are 0.
    #[inline(never)]
    pub(super) fn solve(&self, right: &[BigInt]) -> Fractions {
        let right: Vec<BigInt> = self.chosen_rows.iter().map(|&row| right[row].clone()).collect();
        self.part.solve(&right)
    }

    /// The first other row whose equation such values do not solve.
    pub(super) fn unsolved(&self, x: &Fractions, right: &[BigInt]) -> Option<usize> {
        self.other_rows().find(|&row| {
            let entries = self.chosen_columns.iter().map(|&column| &self.row(row)[column]);
            sum(entries.zip(&x.numerators)) != &right[row] * BigInt::from(x.denominator.clone())
        })
    }

    /// The vector of integers without a common divisor that is above 0 in another column, 0 in those beside it, and gives 0 with every
    /// row; `None` where the chosen columns give no such vector that is 0 in those behind it: the rank is larger than modulo the prime, or
    /// they are not the first over the rationals.
    pub(super) fn null_vector(&self, other: usize) -> Option<Vec<BigInt>> {
        let right: Vec<BigInt> = (0..self.rows).map(|row| self.row(row)[other].to_integer()).collect();
        let x = self.solve(&right);
        // A chosen column behind this one would be a combination of columns before it.
        let is_behind = |(&chosen, numerator): (&usize, &BigInt)| chosen > other && !numerator.is_zero();
        if self.chosen_columns.iter().zip(&x.numerators).any(is_behind) || self.unsolved(&x, &right).is_some() {
            return None;
        }
        let mut vector = vec![BigInt::ZERO; self.columns];
        for (&column, numerator) in self.chosen_columns.iter().zip(&x.numerators) {
            vector[column] = -numerator;
        }
        vector[other] = x.denominator.into();
        primitive(&mut vector);
        Some(vector)
    }

    /// Whether another row is the combination of the chosen rows that it is in the chosen columns, by the transposed part.
    fn is_combination(&self, transposed: &Lifting<T>, other: usize) -> bool {
        let right: Vec<BigInt> =
            self.chosen_columns.iter().map(|&column| self.row(other)[column].to_integer()).collect();
        let x = transposed.solve(&right);
        let denominator = BigInt::from(x.denominator.clone());
        self.other_columns().all(|column| {
            let entries = self.chosen_rows.iter().map(|&row| &self.row(row)[column]);
            sum(entries.zip(&x.numerators)) == self.row(other)[column].times(&denominator)
        })
    }

    /// Whether another row is a combination of the chosen ones: where it is, and an equation of it is not solved with theirs, none solves
    /// all.
    pub(super) fn is_dependent(&self, other: usize) -> bool {
        self.is_combination(&self.part.transposed(), other)
    }

    /// Whether the chosen columns are the first over the rationals too: vectors for the others before the last one show it.
    pub(super) fn are_columns_proved(&self) -> bool {
        let last = self.chosen_columns.last().copied().unwrap_or(0);
        self.other_columns().take_while(|&column| column < last).all(|column| self.null_vector(column).is_some())
    }

    /// Whether the rank is that modulo the prime, by vectors for all other columns or all other rows, whichever are fewer.
    pub(super) fn is_proved(&self) -> bool {
        let (rows, columns) = (self.rows - self.rank(), self.columns - self.rank());
        if rows == 0 || columns == 0 {
            return true;
        }
        if columns <= rows {
            return self.other_columns().all(|column| self.null_vector(column).is_some());
        }
        let transposed = self.part.transposed();
        self.other_rows().all(|row| self.is_combination(&transposed, row))
    }
}

/// Divides integers by their greatest common divisor.
fn primitive(vector: &mut [BigInt]) {
    let mut common = BigInt::ZERO;
    // The small ones end the search soon.
    let mut order: Vec<&BigInt> = vector.iter().filter(|entry| !entry.is_zero()).collect();
    order.sort_by_key(|entry| entry.bits());
    for entry in order {
        common = num_integer::gcd(common, entry.clone());
        if common.is_one() {
            return;
        }
    }
    if !common.is_zero() {
        for entry in vector {
            *entry /= &common;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_the_first_that_are_independent() {
        let (device, field) = (Device::host(), PrimeField::<u32>::new(2_147_483_647).unwrap());
        // Column 1 is twice column 0, column 3 the sum of columns 0 and 2.
        let a = [1i64, 2, 0, 1, 3, 6, 5, 8];
        let chosen = |columns: &[usize]| {
            let part = [0, 1].into_iter().flat_map(|row| columns.iter().map(move |&column| a[row * 4 + column]));
            let part = Lifting::new(&device, field, 2, part.collect()).unwrap().unwrap();
            let (chosen_rows, chosen_columns) = (vec![0, 1], columns.to_vec());
            Pivots { a: &a, rows: 2, columns: 4, chosen_rows, chosen_columns, part }.are_columns_first()
        };
        assert!(chosen(&[0, 2]));
        assert!([[1, 2], [0, 3], [1, 3], [2, 3]].iter().all(|columns| !chosen(columns)));
    }
}
