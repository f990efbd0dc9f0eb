//! Boolean functions packed 64 values a word, on the host and without a device: bit `i` of word `w` is value `64 w + i`.

use crate::walsh::host::cooley_tukey;
use crate::walsh::{Butterfly, SERIAL_BYTES, SpectralError};
use crate::{shift, threads};

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

/// The Reed-Muller transform of functions of `variables` variables, each run of `2^variables` bits by itself, in place and in
/// natural order; its own inverse. A word holds several functions below six variables.
///
/// Takes `variables / 128` exclusive ors of words a value with the vectors of the processor and the threads of
/// [`Device::host`](manycore_device::Device::host); one pass over memory for a run of up to 16 MiB, one more for each further
/// factor of 256.
///
/// # Errors
/// [`SpectralError::Packed`] where the words are no whole runs.
pub fn reed_muller(words: &mut [u64], variables: u32) -> Result<(), SpectralError> {
    shift::whole_words(words.len(), variables)?;
    if variables <= 6 {
        for word in words {
            *word = reed_muller_word(*word, 0, variables);
        }
    } else {
        let words: &mut [i64] = bytemuck::cast_slice_mut(words);
        threads::of_default_host(size_of_val(words) > SERIAL_BYTES, |team| {
            cooley_tukey(Butterfly::ReedMuller { log_unit_bits: 0 }, words, variables - 6, None, None, team);
        });
    }
    Ok(())
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

    /// Long and short runs against one step after the other, by the definition's index bits.
    #[test]
    fn transforms_are_those_of_single_steps() {
        for (variables, words) in
            [(0, 3), (1, 2), (5, 2), (6, 3), (7, 2), (7, 6), (12, 128), (17, 1 << 11), (20, 1 << 15)]
        {
            let some: Vec<u64> = (1..=words as u64).map(|w| w.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
            let mut expected = some.clone();
            for k in 0..variables {
                for i in (0..64 * words).filter(|i| i >> k & 1 == 1) {
                    let from = i ^ 1 << k;
                    expected[i / 64] ^= (expected[from / 64] >> (from % 64) & 1) << (i % 64);
                }
            }
            let mut found = some;
            reed_muller(&mut found, variables).unwrap();
            assert!(found == expected, "{variables} {words}");
        }
        assert!(matches!(reed_muller(&mut [0; 3], 7), Err(SpectralError::Packed { words: 3, variables: 7 })));
    }
}
