//! The pivots of 64 columns of bits, a word of each row, and the sums of pivots' rows that eliminate them.

use super::matrix::BITS;

/// Pivots among some columns.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Pivots {
    /// The column of each, ascending.
    pub(super) columns: Vec<u32>,
    /// For each the row that it was exchanged with, counted from the first row without pivot.
    pub(super) swaps: Vec<u32>,
    /// For each row, after the exchanges, the pivots whose rows as they were are added to it, pivot `t` as bit `t`.
    pub(super) factors: Vec<u64>,
}

/// Gauss-Jordan elimination of the words of a column of words: pivots in rows from `first` on and in the lowest `limit` bits. In place
/// of whole rows, for every row its word and the set of pivots' rows that it has got are changed.
pub(super) fn eliminate(words: &mut [u64], first: usize, limit: usize) -> Pivots {
    let mut found = Pivots { factors: vec![0; words.len()], ..Pivots::default() };
    for column in 0..limit.min(BITS) {
        let count = found.columns.len();
        let target = first + count;
        let Some(away) = words.get(target..).and_then(|rest| rest.iter().position(|word| word >> column & 1 == 1))
        else {
            continue;
        };
        words.swap(target, target + away);
        found.factors.swap(target, target + away);
        found.columns.push(column as u32);
        found.swaps.push((count + away) as u32);
        let pivot = (words[target], found.factors[target]);
        let added = (pivot.0, pivot.1 ^ 1 << count);
        for (word, factors) in words.iter_mut().zip(&mut found.factors) {
            // All ones where the row has the column's bit.
            let mask = 0u64.wrapping_sub(*word >> column & 1);
            *word ^= added.0 & mask;
            *factors ^= added.1 & mask;
        }
        (words[target], found.factors[target]) = pivot;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_make_the_eliminated_rows_of_those_before() {
        let before: Vec<u64> = (0..100u64)
            .map(|i| if i % 7 == 3 { 0 } else { (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (i % 50) })
            .collect();
        for (rows, first, limit) in
            [(0, 0, 64), (1, 0, 64), (100, 0, 64), (100, 30, 64), (40, 35, 64), (100, 0, 5), (3, 3, 9)]
        {
            let mut words = before[..rows].to_vec();
            let found = eliminate(&mut words, first, limit);
            let mut swapped = before[..rows].to_vec();
            for (k, &swap) in found.swaps.iter().enumerate() {
                swapped.swap(first + k, first + swap as usize);
            }
            for (i, &word) in words.iter().enumerate() {
                let chosen = (0..found.columns.len()).filter(|t| found.factors[i] >> t & 1 == 1);
                assert_eq!(
                    chosen.fold(swapped[i], |sum, t| sum ^ swapped[first + t]),
                    word,
                    "{rows} {first} {limit} {i}"
                );
                for (t, column) in found.columns.iter().enumerate() {
                    assert_eq!(word >> column & 1 == 1, i == first + t, "{rows} {first} {limit} {i}");
                }
            }
            let rest = words.iter().skip(first + found.columns.len());
            assert!(found.columns.len() == rows - first || rest.fold(0, |all, word| all | word) << (64 - limit) == 0);
        }
    }
}
