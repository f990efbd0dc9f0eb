//! The spectral transforms that everything here stands on: the only file that names the crate of them.

use manycore_device::{Buffer, Device};
use manycore_spectral::{ReedMuller, Scalar, Spectral, Walsh};
use rayon::prelude::*;

use crate::error::BooleanError;

pub(crate) use manycore_spectral::SpectralError;

/// The positions of a word whose index bit `k` is 0, for `k = 0..6`.
pub(crate) const LOW_HALVES: [u64; 6] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0f0f_0f0f_0f0f_0f0f,
    0x00ff_00ff_00ff_00ff,
    0x0000_ffff_0000_ffff,
    0x0000_0000_ffff_ffff,
];

/// Walsh and Reed-Muller transforms on one device.
#[derive(Debug)]
pub(crate) struct Transforms {
    spectral: Spectral,
}

impl Transforms {
    pub(crate) fn new(device: &Device) -> Self {
        Self { spectral: Spectral::new(device) }
    }

    /// The Walsh-Hadamard transforms in natural order of each run of `len` values.
    pub(crate) fn walsh<T: Scalar>(&self, x: &mut Buffer<T>, len: usize) -> Result<(), BooleanError> {
        Ok(self.spectral.walsh(x, &Walsh::new().batch(len))?)
    }

    /// The Reed-Muller transform of packed values.
    pub(crate) fn reed_muller(&self, words: &mut Buffer<u64>, variables: u32) -> Result<(), BooleanError> {
        Ok(self.spectral.reed_muller_packed(words, variables, &ReedMuller::new())?)
    }
}

/// Words that a thread transforms by themselves, in its cache.
const CHUNK_WORDS: usize = 1 << 12;

/// The Reed-Muller transform of packed values, in place, on all threads of the global pool, for functions that
/// are on no device: natural order in and out, its own inverse.
pub(crate) fn reed_muller_words(words: &mut [u64], variables: u32) {
    words.par_chunks_mut(CHUNK_WORDS).for_each(|words| {
        for word in words.iter_mut() {
            for (k, half) in LOW_HALVES.iter().enumerate().take(variables as usize) {
                *word ^= (*word & half) << (1 << k);
            }
        }
        let mut step = 1;
        while step < words.len() {
            for block in words.chunks_exact_mut(2 * step) {
                let (low, high) = block.split_at_mut(step);
                high.iter_mut().zip(low).for_each(|(v, u)| *v ^= *u);
            }
            step *= 2;
        }
    });
    let mut step = CHUNK_WORDS;
    while step < words.len() {
        for block in words.chunks_exact_mut(2 * step) {
            let (low, high) = block.split_at_mut(step);
            high.par_chunks_mut(CHUNK_WORDS).zip(low.par_chunks(CHUNK_WORDS)).for_each(|(high, low)| {
                high.iter_mut().zip(low).for_each(|(v, u)| *v ^= *u);
            });
        }
        step *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Chunks and the steps across them, against one step after the other.
    #[test]
    fn long_transforms_are_those_of_single_steps() {
        for variables in [17, 18, 20] {
            let mut words: Vec<u64> =
                (0..1u64 << (variables - 6)).map(|w| w.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
            let mut expected = words.clone();
            for word in &mut expected {
                LOW_HALVES.iter().enumerate().for_each(|(k, half)| *word ^= (*word & half) << (1 << k));
            }
            for k in 0..variables - 6 {
                for w in (0..expected.len()).filter(|w| w >> k & 1 == 1) {
                    expected[w] ^= expected[w ^ 1 << k];
                }
            }
            reed_muller_words(&mut words, variables);
            assert!(words == expected, "{variables}");
        }
    }
}
