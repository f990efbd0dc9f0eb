//! Boolean functions packed 64 values a word, on the host and without a device: bit `i` of word `w` is value `64 w + i`.

pub(crate) mod word;

pub use word::{LOW_HALVES, reed_muller_word, shifted_word};

use crate::error::SpectralError;
use crate::walsh::butterfly::Butterfly;
use crate::walsh::host::{SERIAL_BYTES, cooley_tukey};
use crate::{lengths, threads};

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
    lengths::whole_words(words.len(), variables)?;
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
