//! Binary reflected Gray code (Gray, 1953): ranks, words, and comparison of sparse words. Paper 002, section 6.1.

use std::cmp::Ordering;

/// The rank of a word in the binary reflected Gray code: its place, from 0, in the list in which successive words
/// differ in one bit and the words with a leading 1 follow, in reverse, those without.
///
/// Bit `i` of the rank is the sum modulo 2 of the bits `i` and higher of the word. Six shifts.
///
/// ```
/// // The Gray code of three bits.
/// let code = [0b000, 0b001, 0b011, 0b010, 0b110, 0b111, 0b101, 0b100];
/// assert!(code.iter().enumerate().all(|(rank, &word)| manycore_sort::gray_rank(word) == rank as u64));
/// ```
pub const fn gray_rank(word: u64) -> u64 {
    let mut rank = word;
    let mut shift = 1;
    while shift < u64::BITS {
        rank ^= rank >> shift;
        shift *= 2;
    }
    rank
}

/// The word of a rank in the binary reflected Gray code: the inverse of [`gray_rank`].
///
/// ```
/// assert_eq!(manycore_sort::gray_word(2), 0b011);
/// ```
pub const fn gray_word(rank: u64) -> u64 {
    rank ^ (rank >> 1)
}

/// The first place at which two lists differ, and how they compare there; `None` for equal lists.
fn first_difference(a: &[u32], b: &[u32]) -> Option<(usize, Ordering)> {
    let shared = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    // A list that ends has no one at a position that the other list still has.
    match (a.get(shared), b.get(shared)) {
        (None, None) => None,
        (Some(_), None) => Some((shared, Ordering::Less)),
        (None, Some(_)) => Some((shared, Ordering::Greater)),
        (Some(a), Some(b)) => Some((shared, a.cmp(b))),
    }
}

/// Compares two words by value. Each is the ascending list of the positions of its ones; position 0 is the most
/// significant. At the first difference the word with the smaller position is the larger one.
///
/// `O(length)` of the shorter list.
///
/// ```
/// use std::cmp::Ordering;
/// // 101 and 110.
/// assert_eq!(manycore_sort::compare_by_value(&[0, 2], &[0, 1]), Ordering::Less);
/// ```
pub fn compare_by_value(a: &[u32], b: &[u32]) -> Ordering {
    first_difference(a, b).map_or(Ordering::Equal, |(_, positions)| positions.reverse())
}

/// Compares two words by rank in the binary reflected Gray code. Each is the ascending list of the positions of its
/// ones; position 0 is the most significant.
///
/// Of two words that differ first at a bit, the one that has a one there has the larger rank if and only if an even
/// number of ones stands before that bit (paper 002, Corollary 3). `O(length)` of the shorter list.
///
/// ```
/// use std::cmp::Ordering;
/// // 101 has rank 6, 110 has rank 4.
/// assert_eq!(manycore_sort::compare_by_gray_rank(&[0, 2], &[0, 1]), Ordering::Greater);
/// ```
pub fn compare_by_gray_rank(a: &[u32], b: &[u32]) -> Ordering {
    first_difference(a, b).map_or(Ordering::Equal, |(ones_before, positions)| {
        if ones_before.is_multiple_of(2) { positions.reverse() } else { positions }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn positions(word: u64, bits: u32) -> Vec<u32> {
        (0..bits).filter(|position| word >> (bits - 1 - position) & 1 == 1).collect()
    }

    #[test]
    fn ranks_and_words_are_inverse() {
        let samples = (0..1024).chain([u64::MAX, u64::MAX - 1, 1 << 63, 0x0123_4567_89ab_cdef]);
        for word in samples {
            assert_eq!(gray_word(gray_rank(word)), word);
            assert_eq!(gray_rank(gray_word(word)), word);
        }
    }

    #[test]
    fn the_rank_is_that_of_the_shifting_definition() {
        for word in (0..4096).chain([u64::MAX, 0xdead_beef_0000_0001]) {
            let (mut rank, mut shifted) = (0, word);
            while shifted != 0 {
                rank ^= shifted;
                shifted >>= 1;
            }
            assert_eq!(gray_rank(word), rank);
        }
    }

    #[test]
    fn neighbours_differ_in_one_bit() {
        for rank in 0..4096 {
            assert_eq!((gray_word(rank) ^ gray_word(rank + 1)).count_ones(), 1);
        }
    }

    #[test]
    fn sparse_words_compare_as_their_numbers() {
        for bits in 1..=6 {
            for a in 0..1 << bits {
                for b in 0..1 << bits {
                    let (x, y) = (positions(a, bits), positions(b, bits));
                    assert_eq!(compare_by_value(&x, &y), a.cmp(&b), "{x:?} {y:?}");
                    assert_eq!(compare_by_gray_rank(&x, &y), gray_rank(a).cmp(&gray_rank(b)), "{x:?} {y:?}");
                }
            }
        }
    }
}
