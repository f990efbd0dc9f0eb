//! Checks of the cases' results by the library's verification. The values are small integers or bits: every check is exact.

use anyhow::Result;
use manycore_spectral::{BitOrder, Direction, HaarOrder, Normalization};
use manycore_verify::{BitShape, arithmetic as arithmetic_of, haar as haar_of, reed_muller as reed_muller_of};

use super::Case;
use crate::data::{self, Number};
use crate::verify::{Told, choices, of_integers, told};

/// The shape of Reed-Muller and arithmetic transforms.
fn shape(case: Case) -> BitShape {
    let order = if case.is_in_place() { BitOrder::Natural } else { BitOrder::Reversed };
    BitShape { variables: case.log_len, order, polarity: 0 }
}

/// The direction of a case.
fn direction(case: Case) -> Direction {
    if case.inverse { Direction::Inverse } else { Direction::Forward }
}

/// Checks the Reed-Muller coefficients of [`data::bit`].
pub(super) fn reed_muller<T: Copy + PartialEq + Sync + From<u8>>(case: Case, y: &[T]) -> Result<Told> {
    let x: Vec<u8> = (0..1_u64 << case.log_len).map(|index| u8::from(data::bit(index))).collect();
    // What is neither 0 nor 1 becomes 2, which is no bit.
    let bit = |&value: &T| (0..2).find(|&bit| value == T::from(bit)).unwrap_or(2);
    let y: Vec<u8> = y.iter().map(bit).collect();
    told(reed_muller_of::bits(&x, &y, direction(case), shape(case), &mut choices()))
}

/// Checks the packed Reed-Muller coefficients of [`data::bit`].
pub(super) fn packed(case: Case, y: &[u64]) -> Result<Told> {
    let shape = BitShape { order: BitOrder::Natural, ..shape(case) };
    told(reed_muller_of::words(&data::words(y.len()), y, direction(case), shape, &mut choices()))
}

/// Checks the arithmetic coefficients of [`data::values`], or the values that have those as coefficients.
pub(super) fn arithmetic<T: Number>(case: Case, y: &[T]) -> Result<Told> {
    let x: Vec<i64> = data::values(y.len());
    of_integers(y, |y| arithmetic_of::exact(&x, y, direction(case), shape(case), &mut choices()))
}

/// Checks the Haar coefficients of [`data::values`].
pub(super) fn haar<T: Number>(case: Case, y: &[T]) -> Result<Told> {
    let order = if case.is_in_place() { HaarOrder::InPlace } else { HaarOrder::Standard };
    let shape = haar_of::Shape { log_len: case.log_len, order, normalization: Normalization::None };
    let x: Vec<i64> = data::values(y.len());
    of_integers(y, |y| haar_of::wrapping(&x, y, Direction::Forward, shape))
}
