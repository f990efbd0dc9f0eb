//! Reflected Gray codes of any width and base: ranks and words. Paper 002, section 6.1, and Knuth, The Art of Computer Programming,
//! volume 4A, section 7.2.1.1 (reflected codes of mixed radix).

use crate::error::GrayError;

/// The rank, from 0, of a word in the reflected Gray code of base `base`, as digits of that base; the first digit is the most
/// significant one. Successive words differ by 1 in one digit.
///
/// A digit of the word is that of the rank where the rank's digits before it make an even number, else its complement.
///
/// ```
/// use manycore_sort::reflected;
/// // 00, 01, 02, 12, 11, 10, 20, 21, 22
/// assert_eq!(reflected::rank(&[1, 2], 3)?, [1, 0]);
/// assert_eq!(reflected::word(&[1, 0], 3)?, [1, 2]);
/// # Ok::<(), manycore_sort::GrayError>(())
/// ```
///
/// # Errors
/// [`GrayError::Base`] for a base below 2; [`GrayError::Digit`] for a digit that is not below the base, with its place.
pub fn rank(word: &[u32], base: u32) -> Result<Vec<u32>, GrayError> {
    reflect(word, base, |_, digit| digit)
}

/// The word of a rank: the inverse of [`rank`].
///
/// # Errors
/// As [`rank`].
pub fn word(rank: &[u32], base: u32) -> Result<Vec<u32>, GrayError> {
    reflect(rank, base, |digit, _| digit)
}

/// Digits of which those behind an odd number are complemented; `of_rank` takes the rank's digit from the given and the made one.
fn reflect(digits: &[u32], base: u32, of_rank: impl Fn(u32, u32) -> u32) -> Result<Vec<u32>, GrayError> {
    if base < 2 {
        return Err(GrayError::Base { base });
    }
    let mut is_odd = false;
    let reflected = digits.iter().enumerate().map(|(place, &digit)| {
        if digit >= base {
            return Err(GrayError::Digit { place, digit, base });
        }
        let made = if is_odd { base - 1 - digit } else { digit };
        // The number of the digits so far: base * number + digit.
        is_odd = (is_odd && base % 2 == 1) != (of_rank(digit, made) % 2 == 1);
        Ok(made)
    });
    reflected.collect()
}

/// The rank of a word of the binary reflected Gray code of any width, in words of 64 bits, the lowest first.
///
/// ```
/// assert_eq!(manycore_sort::reflected::binary_rank(&[0b11, 1]), [!2, 1]);
/// ```
pub fn binary_rank(word: &[u64]) -> Vec<u64> {
    let mut rank = vec![0; word.len()];
    let mut is_odd = false;
    for (rank, &word) in rank.iter_mut().zip(word).rev() {
        let own = crate::gray_rank(word);
        *rank = if is_odd { !own } else { own };
        is_odd = *rank & 1 == 1;
    }
    rank
}

/// The word of the binary reflected Gray code with a rank of any width, in words of 64 bits, the lowest first: the inverse of
/// [`binary_rank`].
pub fn binary_word(rank: &[u64]) -> Vec<u64> {
    let above = rank.iter().skip(1).copied().chain([0]);
    rank.iter().zip(above).map(|(&rank, above)| rank ^ (rank >> 1 | above << 63)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All words of a base by reflection: the list of the digits behind, forwards and backwards in turn.
    fn words(width: usize, base: u32) -> Vec<Vec<u32>> {
        let Some(width) = width.checked_sub(1) else { return vec![Vec::new()] };
        let behind = words(width, base);
        let of_digit = |digit: u32| {
            let mut behind = behind.clone();
            if digit % 2 == 1 {
                behind.reverse();
            }
            behind.into_iter().map(move |rest| [vec![digit], rest].concat())
        };
        (0..base).flat_map(of_digit).collect()
    }

    #[test]
    fn ranks_are_places_in_the_reflected_list() {
        for base in 2..=5u32 {
            for width in 0..=4usize {
                for (place, digits) in words(width, base).into_iter().enumerate() {
                    let ranked = rank(&digits, base).unwrap();
                    let number = ranked.iter().fold(0, |number, &digit| number * base as usize + digit as usize);
                    assert_eq!(number, place, "{digits:?} of base {base}");
                    assert_eq!(word(&ranked, base).unwrap(), digits);
                }
            }
        }
    }

    #[test]
    fn wide_binary_words_agree_with_short_ones_and_with_base_2() {
        for seed in 0..200u64 {
            let low = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(seed as u32);
            let high = low.rotate_right(17) >> (seed % 64);
            assert_eq!(binary_rank(&[low]), [crate::gray_rank(low)]);
            assert_eq!(binary_word(&[low]), [crate::gray_word(low)]);
            let ranked = binary_rank(&[low, high]);
            assert_eq!(binary_word(&ranked), [low, high]);
            let digits = |words: &[u64]| -> Vec<u32> {
                words.iter().rev().flat_map(|word| (0..64).rev().map(move |bit| (word >> bit & 1) as u32)).collect()
            };
            assert_eq!(rank(&digits(&[low, high]), 2).unwrap(), digits(&ranked));
        }
        assert!(binary_rank(&[]).is_empty() && binary_word(&[]).is_empty());
    }

    #[test]
    fn wrong_digits_are_named() {
        assert_eq!(rank(&[0, 3, 1], 3), Err(GrayError::Digit { place: 1, digit: 3, base: 3 }));
        assert_eq!(word(&[], 1), Err(GrayError::Base { base: 1 }));
    }
}
