//! Sums modulo 2 of lines of bits with AVX-512F: a line is a vector.

use std::arch::x86_64::{__m512i, _mm512_loadu_si512, _mm512_setzero_si512, _mm512_storeu_si512, _mm512_xor_si512};

/// The sum of the lines that the parts of `BITS` bits of a factor choose, a line of each table.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn sum<const BITS: usize, const LINES: usize>(tables: &[[[u64; 8]; LINES]], factor: u64) -> [u64; 8] {
    // Two chains of sums.
    let mut sums = [_mm512_setzero_si512(); 2];
    for (t, table) in tables.iter().enumerate() {
        sums[t % 2] = _mm512_xor_si512(sums[t % 2], load(&table[(factor >> (BITS * t)) as usize % LINES]));
    }
    let mut line = [0; 8];
    // SAFETY: the array has the 64 bytes.
    unsafe { _mm512_storeu_si512(line.as_mut_ptr().cast(), _mm512_xor_si512(sums[0], sums[1])) };
    line
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load(from: &[u64; 8]) -> __m512i {
    // SAFETY: the array has the 64 bytes.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}
