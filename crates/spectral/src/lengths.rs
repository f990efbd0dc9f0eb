//! Checks of lengths, packed words and shifts.

use crate::error::SpectralError;

/// The base-2 logarithm of the length of one transform in a buffer of `buffer_len` values: the whole of it, or runs of a given
/// length.
pub(crate) fn log_len(buffer_len: usize, run_len: Option<usize>) -> Result<u32, SpectralError> {
    let len = run_len.unwrap_or(buffer_len);
    if !len.is_power_of_two() {
        return Err(SpectralError::NotPowerOfTwo { len });
    }
    if !buffer_len.is_multiple_of(len) {
        return Err(SpectralError::Batch { buffer_len, len });
    }
    Ok(len.ilog2())
}

/// Whether words hold whole runs of `2^variables` bits.
pub(crate) fn whole_words(words: usize, variables: u32) -> Result<(), SpectralError> {
    let run = 1usize.checked_shl(variables.saturating_sub(6)).filter(|_| variables < 64 + 6);
    match run {
        Some(len) if words.is_multiple_of(len) => Ok(()),
        _ => Err(SpectralError::Packed { words, variables }),
    }
}

/// Whether a shift lies within runs of `2^log_len` values.
pub(crate) const fn in_range(by: u64, log_len: u32) -> Result<(), SpectralError> {
    if log_len < 64 && by >> log_len != 0 { Err(SpectralError::Shift { by, log_len }) } else { Ok(()) }
}
