//! Transforms and shifts of the 64 values within one word.

/// The positions of a word whose index bit `k` is 0, for `k = 0..6`.
pub const LOW_HALVES: [u64; 6] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0F0F_0F0F_0F0F_0F0F,
    0x00FF_00FF_00FF_00FF,
    0x0000_FFFF_0000_FFFF,
    0x0000_0000_FFFF_FFFF,
];

/// The Reed-Muller transform within a word: the butterflies of index bits `from..to`, at most 6.
///
/// ```
/// use manycore_spectral::packed::reed_muller_word;
/// // The majority of three variables is x1 x2 + x1 x3 + x2 x3, whose terms stand at 011, 101 and 110.
/// assert_eq!(reed_muller_word(0b1110_1000, 0, 3), 0b0110_1000);
/// ```
#[must_use]
#[inline]
pub const fn reed_muller_word(mut word: u64, from: u32, to: u32) -> u64 {
    let mut k = from;
    while k < to && k < 6 {
        word ^= (word & LOW_HALVES[k as usize]) << (1 << k);
        k += 1;
    }
    word
}

/// The word whose bit `i` is bit `i ^ by` of `word`; `by < 64`.
#[must_use]
#[inline]
pub const fn shifted_word(mut word: u64, by: u32) -> u64 {
    let mut k = 0;
    while k < 6 {
        if by >> k & 1 == 1 {
            let low = LOW_HALVES[k as usize];
            word = ((word & low) << (1 << k)) | ((word >> (1 << k)) & low);
        }
        k += 1;
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_change_places() {
        let word = 0x0123_4567_89AB_CDEF_u64;
        for by in 0..64 {
            let shifted = shifted_word(word, by);
            for i in 0..64 {
                assert_eq!(shifted >> i & 1, word >> (i ^ by) & 1, "{by} {i}");
            }
        }
    }
}
