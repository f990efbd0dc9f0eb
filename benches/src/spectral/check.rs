//! What the results must be: exact for every element type, because the values are small integers or bits.
//!
//! Up to 2^24 values: every value against the plain loops of [`crate::baseline`], which share no code with what is timed. Beyond:
//! some coefficients by the definition, and every value of a round trip.

use manycore_spectral::{BitOrder, HaarOrder};
use rayon::prelude::*;

use super::Case;
use crate::baseline;
use crate::data;
use crate::verify::DIRECT;

/// What was compared of a result.
pub(super) const ALL: &str = "every value compared with the plain loop and by a round trip";
/// The same where there are too many.
pub(super) const SOME: &str = "three coefficients by the definition, all values by a round trip";

/// Coefficients that are sums of few values, or of all: their natural indices.
fn few(case: Case) -> [u64; 3] {
    let log_len = case.log_len;
    [1 << (log_len - 1), (1 << (log_len - 1)) | 1 << (log_len / 2) | 1, (1 << log_len) - 1]
}

/// The subsets of `mask`.
fn subsets(mask: u64) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(mask), move |&subset| subset.checked_sub(1).map(|less| less & mask))
}

/// The place in its order of a coefficient of natural index.
fn place(case: Case, natural: u64) -> usize {
    // Reversing bits is its own inverse.
    let order = if case.is_in_place() { BitOrder::Natural } else { BitOrder::Reversed };
    order.natural_index(natural as usize, case.log_len)
}

/// Whether `y` are the Reed-Muller coefficients of [`data::bit`].
pub(super) fn reed_muller<T: Copy + PartialEq + Sync + From<u8>>(case: Case, y: &[T]) -> bool {
    if y.len() <= DIRECT {
        let mut bits: Vec<u8> = (0..y.len() as u64).map(|index| u8::from(data::bit(index))).collect();
        baseline::in_place(&mut bits, case.log_len, |u, v| (u, u ^ v));
        return (0..bits.len()).all(|natural| y[place(case, natural as u64)] == T::from(bits[natural]));
    }
    few(case).into_iter().all(|natural| y[place(case, natural)] == T::from(u8::from(parity(case, natural))))
}

/// Whether `words` are the packed Reed-Muller coefficients of [`data::bit`].
pub(super) fn packed(case: Case, words: &[u64]) -> bool {
    let bit = |index: u64| words[index as usize / 64] >> (index % 64) & 1 == 1;
    if 64 * words.len() <= DIRECT {
        let mut bits: Vec<bool> = (0..64 * words.len() as u64).map(data::bit).collect();
        baseline::in_place(&mut bits, case.log_len, |u, v| (u, u ^ v));
        return bits.iter().zip(0..).all(|(&right, index)| bit(index) == right);
    }
    few(case).into_iter().all(|natural| bit(natural) == parity(case, natural))
}

/// A Reed-Muller coefficient by the definition.
fn parity(case: Case, natural: u64) -> bool {
    if natural == (1 << case.log_len) - 1 {
        let words = (0..1_u64 << (case.log_len - 6)).into_par_iter();
        return words.map(|word| data::word(word).count_ones() & 1).reduce(|| 0, |a, b| a ^ b) == 1;
    }
    subsets(natural).filter(|&index| data::bit(index)).count() % 2 == 1
}

/// Whether `y` are the arithmetic coefficients of [`data::values`], or the values that have those as coefficients.
pub(super) fn arithmetic<T: data::Number>(case: Case, y: &[T]) -> bool {
    let butterfly = |u: T, v: T| (u, if case.inverse { v.plus(u) } else { v.minus(u) });
    if y.len() <= DIRECT {
        let mut right: Vec<T> = data::values(y.len());
        baseline::in_place(&mut right, case.log_len, butterfly);
        return (0..right.len()).all(|natural| y[place(case, natural as u64)] == right[natural]);
    }
    let signed = |natural: u64, index: u64| {
        let value = T::from(data::value(index));
        let odd = !case.inverse && (natural ^ index).count_ones() % 2 == 1;
        if odd { T::default().minus(value) } else { value }
    };
    few(case).into_iter().all(|natural| {
        let right = if natural == (1 << case.log_len) - 1 {
            let all = (0..1_u64 << case.log_len).into_par_iter();
            all.fold(T::default, |sum, index| sum.plus(signed(natural, index))).reduce(T::default, T::plus)
        } else {
            subsets(natural).fold(T::default(), |sum, index| sum.plus(signed(natural, index)))
        };
        y[place(case, natural)] == right
    })
}

/// Whether `y` are the Haar coefficients of [`data::values`].
pub(super) fn haar<T: data::Number>(case: Case, y: &[T]) -> bool {
    let order = if case.is_in_place() { HaarOrder::InPlace } else { HaarOrder::Standard };
    if y.len() <= DIRECT {
        let mut right: Vec<T> = data::values(y.len());
        baseline::haar_in_place(&mut right, case.log_len);
        let at = |order: HaarOrder, index| order.place(index, case.log_len);
        return (0..right.len()).all(|index| y[at(order, index)] == right[at(HaarOrder::InPlace, index)]);
    }
    // The whole sum, the coarsest difference, and the finest.
    let len = y.len() as u64;
    let sum = |range: std::ops::Range<u64>| {
        let values = range.into_par_iter().map(|index| T::from(data::value(index)));
        values.reduce(T::default, T::plus)
    };
    let (first, second) = (sum(0..len / 2), sum(len / 2..len));
    let finest = T::from(data::value(len - 2)).minus(T::from(data::value(len - 1)));
    let right = [(0, first.plus(second)), (1, first.minus(second)), (y.len() - 1, finest)];
    right.into_iter().all(|(index, right)| y[order.place(index, case.log_len)] == right)
}
