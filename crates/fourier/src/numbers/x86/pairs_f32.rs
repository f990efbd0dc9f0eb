//! Pairs of single precision, eight at once. All functions need AVX2, and memory as their names say.

use std::arch::x86_64::{
    __m256, __m256d, _mm256_castpd_ps, _mm256_castps_pd, _mm256_loadu_ps, _mm256_permute2f128_pd,
    _mm256_permute2f128_ps, _mm256_permute4x64_pd, _mm256_permutevar8x32_ps, _mm256_setr_epi32, _mm256_shuffle_ps,
    _mm256_storeu_ps, _mm256_unpackhi_pd, _mm256_unpackhi_ps, _mm256_unpacklo_pd, _mm256_unpacklo_ps,
};

use crate::numbers::engine::MOST_BLOCK;

/// The first and the second halves of pairs 0 to 3 and 4 to 7.
///
/// # Safety
/// AVX2 is there, and 16 numbers are readable.
#[inline(always)]
pub(super) unsafe fn read(from: *const f32) -> (__m256, __m256) {
    // SAFETY: as the caller says. Halves of the vectors first, then in order.
    unsafe {
        let (a, b) = (_mm256_loadu_ps(from), _mm256_loadu_ps(from.add(8)));
        let order = |x: __m256| _mm256_castpd_ps(_mm256_permute4x64_pd::<0b11_01_10_00>(_mm256_castps_pd(x)));
        (order(_mm256_shuffle_ps::<0b10_00_10_00>(a, b)), order(_mm256_shuffle_ps::<0b11_01_11_01>(a, b)))
    }
}

/// # Safety
/// AVX2 is there.
#[inline(always)]
pub(super) unsafe fn reversed(x: __m256) -> __m256 {
    // SAFETY: as the caller says.
    unsafe { _mm256_permutevar8x32_ps(x, _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0)) }
}

/// # Safety
/// AVX2 is there, and 16 numbers are writable.
#[inline(always)]
pub(super) unsafe fn write(to: *mut f32, re: __m256, im: __m256) {
    // SAFETY: as the caller says. Pairs 0, 1, 4, 5 and 2, 3, 6, 7 first.
    unsafe {
        let (low, high) = (_mm256_unpacklo_ps(re, im), _mm256_unpackhi_ps(re, im));
        _mm256_storeu_ps(to, _mm256_permute2f128_ps::<0x20>(low, high));
        _mm256_storeu_ps(to.add(8), _mm256_permute2f128_ps::<0x31>(low, high));
    }
}

/// Four pairs from each of eight places; the other rows are the first again.
///
/// # Safety
/// AVX2 is there, and 8 numbers at each place are readable.
#[inline(always)]
pub(super) unsafe fn read_columns(from: *const f32, apart: usize) -> [(__m256, __m256); MOST_BLOCK] {
    // SAFETY: as the caller says.
    unsafe {
        let at = |column: usize| _mm256_castps_pd(_mm256_loadu_ps(from.add(column * apart)));
        // Rows 0 and 1 of columns c and c + 4, then rows 2 and 3.
        let two = |c: usize| {
            let (a, b) = (at(c), at(c + 4));
            (_mm256_permute2f128_pd::<0x20>(a, b), _mm256_permute2f128_pd::<0x31>(a, b))
        };
        let (c0, c1, c2, c3) = (two(0), two(1), two(2), two(3));
        // Columns 0, 1, 4, 5 and 2, 3, 6, 7 of one row.
        let row = |low: __m256d, high: __m256d| {
            let (low, high) = (_mm256_castpd_ps(low), _mm256_castpd_ps(high));
            (_mm256_shuffle_ps::<0b10_00_10_00>(low, high), _mm256_shuffle_ps::<0b11_01_11_01>(low, high))
        };
        let rows = [
            row(_mm256_unpacklo_pd(c0.0, c1.0), _mm256_unpacklo_pd(c2.0, c3.0)),
            row(_mm256_unpackhi_pd(c0.0, c1.0), _mm256_unpackhi_pd(c2.0, c3.0)),
            row(_mm256_unpacklo_pd(c0.1, c1.1), _mm256_unpacklo_pd(c2.1, c3.1)),
            row(_mm256_unpackhi_pd(c0.1, c1.1), _mm256_unpackhi_pd(c2.1, c3.1)),
        ];
        [rows[0], rows[1], rows[2], rows[3], rows[0], rows[1], rows[2], rows[3]]
    }
}

/// Four pairs to each of eight places.
///
/// # Safety
/// AVX2 is there, and 8 numbers at each place are writable.
#[inline(always)]
pub(super) unsafe fn write_columns(to: *mut f32, apart: usize, rows: [(__m256, __m256); MOST_BLOCK]) {
    // SAFETY: as the caller says.
    unsafe {
        // Columns 0, 1, 4, 5 of each row, and columns 2, 3, 6, 7.
        let rows = [rows[0], rows[1], rows[2], rows[3]];
        let low = rows.map(|(re, im)| _mm256_castps_pd(_mm256_unpacklo_ps(re, im)));
        let high = rows.map(|(re, im)| _mm256_castps_pd(_mm256_unpackhi_ps(re, im)));
        for (half, first) in [(low, 0), (high, 2)] {
            let even = (_mm256_unpacklo_pd(half[0], half[1]), _mm256_unpacklo_pd(half[2], half[3]));
            let odd = (_mm256_unpackhi_pd(half[0], half[1]), _mm256_unpackhi_pd(half[2], half[3]));
            for (pair, column) in [(even, first), (odd, first + 1)] {
                let at = |column: usize| to.add(column * apart);
                _mm256_storeu_ps(at(column), _mm256_castpd_ps(_mm256_permute2f128_pd::<0x20>(pair.0, pair.1)));
                _mm256_storeu_ps(at(column + 4), _mm256_castpd_ps(_mm256_permute2f128_pd::<0x31>(pair.0, pair.1)));
            }
        }
    }
}
