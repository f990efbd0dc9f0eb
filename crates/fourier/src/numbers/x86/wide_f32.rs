//! Pairs of single precision, sixteen at once. All functions need AVX-512, and memory as their names say.

use std::arch::x86_64::{
    __m512, __m512d, _mm512_castpd_ps, _mm512_castps_pd, _mm512_loadu_ps, _mm512_permutex2var_ps,
    _mm512_permutexvar_ps, _mm512_setr_epi32, _mm512_shuffle_ps, _mm512_storeu_ps, _mm512_unpackhi_pd,
    _mm512_unpackhi_ps, _mm512_unpacklo_pd, _mm512_unpacklo_ps,
};

use super::wide_f64::turned;
use crate::numbers::engine::MOST_BLOCK;

/// # Safety
/// AVX-512 is there, and 32 numbers are readable.
#[inline(always)]
pub(super) unsafe fn read(from: *const f32) -> (__m512, __m512) {
    // SAFETY: as the caller says.
    unsafe {
        let (a, b) = (_mm512_loadu_ps(from), _mm512_loadu_ps(from.add(16)));
        let even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
        let odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
        (_mm512_permutex2var_ps(a, even, b), _mm512_permutex2var_ps(a, odd, b))
    }
}

/// # Safety
/// AVX-512 is there.
#[inline(always)]
pub(super) unsafe fn reversed(x: __m512) -> __m512 {
    // SAFETY: as the caller says.
    unsafe { _mm512_permutexvar_ps(_mm512_setr_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0), x) }
}

/// # Safety
/// AVX-512 is there, and 32 numbers are writable.
#[inline(always)]
pub(super) unsafe fn write(to: *mut f32, re: __m512, im: __m512) {
    // SAFETY: as the caller says.
    unsafe {
        let low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        let high = _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        _mm512_storeu_ps(to, _mm512_permutex2var_ps(re, low, im));
        _mm512_storeu_ps(to.add(16), _mm512_permutex2var_ps(re, high, im));
    }
}

/// The transpose of eight vectors of eight pairs.
///
/// # Safety
/// AVX-512 is there.
#[inline(always)]
unsafe fn transposed(v: [__m512d; 8]) -> [__m512d; 8] {
    // SAFETY: as the caller says. Even entries of two vectors next to each other, then odd ones.
    unsafe {
        let even = turned([
            _mm512_unpacklo_pd(v[0], v[1]),
            _mm512_unpacklo_pd(v[2], v[3]),
            _mm512_unpacklo_pd(v[4], v[5]),
            _mm512_unpacklo_pd(v[6], v[7]),
        ]);
        let odd = turned([
            _mm512_unpackhi_pd(v[0], v[1]),
            _mm512_unpackhi_pd(v[2], v[3]),
            _mm512_unpackhi_pd(v[4], v[5]),
            _mm512_unpackhi_pd(v[6], v[7]),
        ]);
        [even[0], odd[0], even[1], odd[1], even[2], odd[2], even[3], odd[3]]
    }
}

/// The columns of the halves of vectors: `4 (c / 2) + c % 2`, and two more.
const FIRST: [usize; 8] = [0, 1, 4, 5, 8, 9, 12, 13];

/// Eight pairs from each of sixteen places.
///
/// # Safety
/// AVX-512 is there, and 16 numbers at each place are readable.
#[inline(always)]
pub(super) unsafe fn read_columns(from: *const f32, apart: usize) -> [(__m512, __m512); MOST_BLOCK] {
    // SAFETY: as the caller says.
    unsafe {
        let mut low = [_mm512_castps_pd(_mm512_loadu_ps(from)); 8];
        let mut high = low;
        for i in 0..8 {
            low[i] = _mm512_castps_pd(_mm512_loadu_ps(from.add(FIRST[i] * apart)));
            high[i] = _mm512_castps_pd(_mm512_loadu_ps(from.add((FIRST[i] + 2) * apart)));
        }
        let (low, high) = (transposed(low), transposed(high));
        let mut rows = [(_mm512_castpd_ps(low[0]), _mm512_castpd_ps(low[0])); MOST_BLOCK];
        for r in 0..8 {
            let (low, high) = (_mm512_castpd_ps(low[r]), _mm512_castpd_ps(high[r]));
            rows[r] = (_mm512_shuffle_ps::<0b10_00_10_00>(low, high), _mm512_shuffle_ps::<0b11_01_11_01>(low, high));
        }
        rows
    }
}

/// Eight pairs to each of sixteen places.
///
/// # Safety
/// AVX-512 is there, and 16 numbers at each place are writable.
#[inline(always)]
pub(super) unsafe fn write_columns(to: *mut f32, apart: usize, rows: [(__m512, __m512); MOST_BLOCK]) {
    // SAFETY: as the caller says.
    unsafe {
        let mut low = [_mm512_castps_pd(rows[0].0); 8];
        let mut high = low;
        for (i, &(re, im)) in rows.iter().enumerate() {
            low[i] = _mm512_castps_pd(_mm512_unpacklo_ps(re, im));
            high[i] = _mm512_castps_pd(_mm512_unpackhi_ps(re, im));
        }
        let (low, high) = (transposed(low), transposed(high));
        for i in 0..8 {
            _mm512_storeu_ps(to.add(FIRST[i] * apart), _mm512_castpd_ps(low[i]));
            _mm512_storeu_ps(to.add((FIRST[i] + 2) * apart), _mm512_castpd_ps(high[i]));
        }
    }
}
