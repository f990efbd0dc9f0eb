//! The multipliers of an elimination of bits: the lower factor, made of the sums of pivots' rows that a panel's rows got.
//!
//! With `H` the words of a panel's pivots in the pivots' columns, and `H = L1 U1` without exchanges, the pivots' rows `A1` become
//! `L1^-1 A1`, and a row that got the sum `f A1` of them has the multipliers `f L1`.

use manycore_device::zeroed_words;

use super::matrix::{BITS, word_count, words_per_row};
use super::panel::Pivots;
use crate::error::LinalgError;

/// The lower factor on the way, on the host.
pub(super) struct Multipliers {
    words: Vec<u64>,
    stride: usize,
    swaps: Vec<u32>,
}

impl Multipliers {
    /// Multipliers for `rows` rows and at most `limit` pivots.
    pub(super) fn new(rows: usize, limit: usize) -> Result<Self, LinalgError> {
        Ok(Self { words: zeroed_words(word_count(rows, limit)?)?, stride: words_per_row(limit), swaps: Vec::new() })
    }

    /// Takes the multipliers of a panel, whose pivots' rows are those from `row` on: `words` are the panel's words of the rows from `row`
    /// on as they were. The factors of the pivots' rows become those of the rows of the upper factor.
    pub(super) fn take(&mut self, row: usize, mut words: Vec<u64>, found: &mut Pivots) {
        let count = found.columns.len();
        for (k, swap) in found.swaps.iter().map(|&swap| swap as usize).enumerate() {
            words.swap(k, swap);
            if k != swap {
                let (upper, lower) = self.words.split_at_mut((row + swap) * self.stride);
                upper[(row + k) * self.stride..][..self.stride].swap_with_slice(&mut lower[..self.stride]);
            }
        }
        self.swaps.extend(found.swaps.iter().map(|swap| row as u32 + swap));
        let head: Vec<u64> = words[..count].iter().map(|&word| picked(word, &found.columns)).collect();
        let (lower, inverse) = factor(head);
        let (word, shift) = (row / BITS, row % BITS);
        for (i, factors) in found.factors.iter_mut().enumerate() {
            let multipliers = match lower.get(i) {
                Some(&own) => {
                    *factors = inverse[i] ^ 1 << i;
                    own
                }
                None => combined(*factors, &lower),
            };
            let line = &mut self.words[(row + i) * self.stride..][..self.stride];
            line[word] |= multipliers << shift;
            if shift > 0 && word + 1 < line.len() {
                line[word + 1] |= multipliers >> (BITS - shift);
            }
        }
    }

    /// The exchanges of rows, and the words of the lower factor of this rank.
    pub(super) fn into_parts(self, rank: usize) -> Result<(Vec<u32>, Vec<u64>), LinalgError> {
        let own = words_per_row(rank);
        if own == self.stride {
            return Ok((self.swaps, self.words));
        }
        let mut words = zeroed_words(self.words.len() / self.stride.max(1) * own)?;
        let lines = self.words.chunks(self.stride.max(1)).zip(words.chunks_mut(own.max(1)));
        lines.for_each(|(from, to): (&[u64], &mut [u64])| to.copy_from_slice(&from[..to.len()]));
        Ok((self.swaps, words))
    }
}

/// Some bits of a word, ascending.
fn picked(word: u64, columns: &[u32]) -> u64 {
    columns.iter().enumerate().fold(0, |bits, (k, column)| bits | (word >> column & 1) << k)
}

/// The sum of the rows whose bits are set.
pub(super) fn combined(bits: u64, rows: &[u64]) -> u64 {
    rows.iter().enumerate().fold(0, |sum, (k, row)| sum ^ row & 0u64.wrapping_sub(bits >> k & 1))
}

/// The unit lower triangular factor of a head, all of whose leading minors are 1, and its inverse.
fn factor(mut head: Vec<u64>) -> (Vec<u64>, Vec<u64>) {
    let mut lower: Vec<u64> = (0..head.len()).map(|i| 1 << i).collect();
    for k in 0..head.len() {
        let pivot = head[k];
        for i in k + 1..head.len() {
            if head[i] >> k & 1 == 1 {
                head[i] ^= pivot;
                lower[i] |= 1 << k;
            }
        }
    }
    let inverse = lower_inverse(&lower);
    (lower, inverse)
}

/// The inverse of a unit lower triangular matrix of at most 64 rows.
pub(super) fn lower_inverse(lower: &[u64]) -> Vec<u64> {
    let mut inverse: Vec<u64> = Vec::with_capacity(lower.len());
    for (i, &row) in lower.iter().enumerate() {
        // Bits below the diagonal name rows that are there.
        inverse.push(combined(row & !(u64::MAX << i), &inverse) ^ 1 << i);
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverses_of_triangles_are_inverses() {
        for count in [0usize, 1, 2, 17, 64] {
            let lower: Vec<u64> = (0..count as u64)
                .map(|i| (i + 3).wrapping_mul(0x9e37_79b9_7f4a_7c15) & !(u64::MAX << i) | 1 << i)
                .collect();
            let inverse = lower_inverse(&lower);
            for (i, &row) in inverse.iter().enumerate() {
                assert_eq!(combined(row, &lower), 1 << i, "{count} {i}");
                assert_eq!(combined(lower[i], &inverse), 1 << i, "{count} {i}");
            }
        }
    }
}
