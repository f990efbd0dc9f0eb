//! Tiles of differences of doubles and products with AVX-512F: sixteen vectors of sums stay in registers.

use std::arch::x86_64::{__m512d, _mm512_loadu_pd, _mm512_mul_pd, _mm512_set1_pd, _mm512_storeu_pd, _mm512_sub_pd};

use super::tile::{COLUMNS, ROWS};

/// Doubles of a vector.
const LANES: usize = 8;
/// Vectors of a row.
const VECTORS: usize = COLUMNS / LANES;

/// `words[r][c] -= rows[r][k] panel[k][c]` for `k` ascending; the rows are as long as the panel.
#[target_feature(enable = "avx512f")]
pub(super) fn sub_tile(words: &mut [[f64; COLUMNS]; ROWS], rows: [&[f64]; ROWS], panel: &[[f64; COLUMNS]]) {
    let mut sums = [[_mm512_set1_pd(0.0); VECTORS]; ROWS];
    for (sums, words) in sums.iter_mut().zip(&*words) {
        for (sum, words) in sums.iter_mut().zip(words.as_chunks::<LANES>().0) {
            *sum = load(words);
        }
    }
    for (k, line) in panel.iter().enumerate() {
        let mut others = [_mm512_set1_pd(0.0); VECTORS];
        for (other, words) in others.iter_mut().zip(line.as_chunks::<LANES>().0) {
            *other = load(words);
        }
        for (sums, row) in sums.iter_mut().zip(rows) {
            let factor = _mm512_set1_pd(row[k]);
            for (sum, other) in sums.iter_mut().zip(others) {
                *sum = _mm512_sub_pd(*sum, _mm512_mul_pd(other, factor));
            }
        }
    }
    for (sums, words) in sums.iter().zip(words) {
        for (sum, words) in sums.iter().zip(words.as_chunks_mut::<LANES>().0) {
            // SAFETY: the array has the 64 bytes.
            unsafe { _mm512_storeu_pd(words.as_mut_ptr(), *sum) };
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load(from: &[f64; LANES]) -> __m512d {
    // SAFETY: the array has the 64 bytes.
    unsafe { _mm512_loadu_pd(from.as_ptr()) }
}
