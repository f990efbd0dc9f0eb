//! Steps on the host beside the passes over words: runs within a word, and the reversal of index bits.

use manycore_device::{HostPool, InPlace};

use super::bits::Bits;
use super::how::Runs;
use crate::context::Spectral;
use crate::error::SpectralError;
use crate::packed::word::reed_muller_word;
use crate::walsh::host::reorder;
use crate::walsh::{Order, Walsh};

/// The bytes of a part that one thread takes, so that its start costs little beside it.
const PART_BYTES: usize = 1 << 18;

/// Transforms runs of at most 64 bits.
pub(super) fn within_words<T: Bits>(pool: &HostPool, values: &mut [T], runs: Runs) {
    let bytes = 2 * size_of_val(values) as u64;
    let (unit, end) = (runs.log_unit_bits, runs.log_bits());
    let part = |bytes: &mut [u8]| {
        let (words, rest) = bytes.as_chunks_mut::<8>();
        for word in words {
            *word = reed_muller_word(u64::from_le_bytes(*word), unit, end).to_le_bytes();
        }
        if !rest.is_empty() {
            // Whole runs, shorter than a word: zeros after them change nothing.
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            let word = reed_muller_word(u64::from_le_bytes(word), unit, end).to_le_bytes();
            rest.copy_from_slice(&word[..rest.len()]);
        }
    };
    pool.step("reed_muller_words", bytes, 0, || {
        pool.team().each(bytemuck::cast_slice_mut(values).chunks_mut(PART_BYTES), part);
    });
}

/// Transforms runs of words of 64 bits, in place; values that do not begin at such a word's address go through a copy that does.
pub(super) fn over_words<T: Bits>(spectral: &Spectral, x: &mut [T], how: &Walsh) -> Result<(), SpectralError> {
    if let Ok(words) = bytemuck::try_cast_slice_mut::<T, i64>(x) {
        return spectral.transform(InPlace::Slice(words), how);
    }
    let mut copy = spectral.device().scratch::<T>(x.len())?;
    copy.host_mut()?.copy_from_slice(x);
    copy.seen_as::<i64, _>(|words| spectral.transform(words.into(), how))??;
    x.copy_from_slice(copy.host()?);
    Ok(())
}

/// Moves every value of each run of `2^log_len` to the place whose bits are those of its index reversed.
pub(super) fn reverse_bits<T: Bits>(
    spectral: &Spectral,
    pool: &HostPool,
    x: &mut [T],
    log_len: u32,
) -> Result<(), SpectralError> {
    let mut scratch = spectral.device().scratch::<T>(x.len())?;
    let bytes = 4 * size_of_val(x) as u64;
    let scratch = scratch.host_mut()?;
    let (team, order) = (pool.team(), Order::Dyadic);
    pool.step("reed_muller_order", bytes, 0, || match T::LOG_BITS {
        5 => reorder::<i32>(bytemuck::cast_slice_mut(x), bytemuck::cast_slice_mut(scratch), log_len, order, team),
        6 => reorder::<i64>(bytemuck::cast_slice_mut(x), bytemuck::cast_slice_mut(scratch), log_len, order, team),
        _ => {
            let len = 1_usize << log_len;
            let some = len * (PART_BYTES / size_of::<T>()).div_ceil(len);
            team.each(x.chunks_mut(some).zip(scratch.chunks_mut(some)), |(x, scratch)| {
                let runs = x.chunks_exact(len).zip(scratch.chunks_exact_mut(len));
                runs.for_each(|(from, to)| reversed_by_squares(from, to, log_len));
                x.copy_from_slice(scratch);
            });
        }
    });
    Ok(())
}

/// The base-2 logarithm of a square's side: rows of a cache line of bytes.
const LOG_SIDE: u32 = 6;

/// The reversal from one array to another, in squares whose rows are read and written whole.
fn reversed_by_squares<T: Bits>(from: &[T], to: &mut [T], log_len: u32) {
    let reversed = |index: usize, bits: u32| Order::Dyadic.natural_index(index, bits);
    if log_len < 2 * LOG_SIDE {
        for (row, to) in to.iter_mut().enumerate() {
            *to = from[reversed(row, log_len)];
        }
        return;
    }
    let (middle_bits, high) = (log_len - 2 * LOG_SIDE, log_len - LOG_SIDE);
    let side = 1_usize << LOG_SIDE;
    let places: Vec<usize> = (0..side).map(|i| reversed(i, LOG_SIDE)).collect();
    for middle in 0..1 << middle_bits {
        let source = middle << LOG_SIDE;
        let target = reversed(middle, middle_bits) << LOG_SIDE;
        for row in 0..side {
            let to = &mut to[(row << high) + target..][..side];
            for (column, to) in to.iter_mut().enumerate() {
                *to = from[(places[column] << high) + source + places[row]];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_reverse_as_the_definition_does() {
        for log_len in [0, 1, 2, 5, 11, 12, 13, 14] {
            let from: Vec<u32> = (0..1 << log_len).collect();
            let mut to = vec![0; from.len()];
            reversed_by_squares(&from, &mut to, log_len);
            let expected: Vec<u32> =
                (0..from.len()).map(|row| Order::Dyadic.natural_index(row, log_len) as u32).collect();
            assert_eq!(to, expected, "{log_len}");
        }
    }
}
