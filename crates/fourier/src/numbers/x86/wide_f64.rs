//! Pairs of double precision, eight at once. All functions need AVX-512, and memory as their names say.

use std::arch::x86_64::{
    __m512d, _mm512_loadu_pd, _mm512_permutex2var_pd, _mm512_permutexvar_pd, _mm512_setr_epi64, _mm512_shuffle_f64x2,
    _mm512_storeu_pd, _mm512_unpackhi_pd, _mm512_unpacklo_pd,
};

use crate::numbers::engine::MOST_BLOCK;

/// The transpose of four vectors of four parts of 16 bytes.
///
/// # Safety
/// AVX-512 is there.
#[inline(always)]
pub(super) unsafe fn turned([a, b, c, d]: [__m512d; 4]) -> [__m512d; 4] {
    // SAFETY: as the caller says. Parts 0 and 2 of two vectors, then parts 1 and 3.
    unsafe {
        let (ab, ab_odd) = (_mm512_shuffle_f64x2::<0b10_00_10_00>(a, b), _mm512_shuffle_f64x2::<0b11_01_11_01>(a, b));
        let (cd, cd_odd) = (_mm512_shuffle_f64x2::<0b10_00_10_00>(c, d), _mm512_shuffle_f64x2::<0b11_01_11_01>(c, d));
        [
            _mm512_shuffle_f64x2::<0b10_00_10_00>(ab, cd),
            _mm512_shuffle_f64x2::<0b10_00_10_00>(ab_odd, cd_odd),
            _mm512_shuffle_f64x2::<0b11_01_11_01>(ab, cd),
            _mm512_shuffle_f64x2::<0b11_01_11_01>(ab_odd, cd_odd),
        ]
    }
}

/// # Safety
/// AVX-512 is there, and 16 numbers are readable.
#[inline(always)]
pub(super) unsafe fn read(from: *const f64) -> (__m512d, __m512d) {
    // SAFETY: as the caller says.
    unsafe {
        let (a, b) = (_mm512_loadu_pd(from), _mm512_loadu_pd(from.add(8)));
        let even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
        let odd = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
        (_mm512_permutex2var_pd(a, even, b), _mm512_permutex2var_pd(a, odd, b))
    }
}

/// # Safety
/// AVX-512 is there.
#[inline(always)]
pub(super) unsafe fn reversed(x: __m512d) -> __m512d {
    // SAFETY: as the caller says.
    unsafe { _mm512_permutexvar_pd(_mm512_setr_epi64(7, 6, 5, 4, 3, 2, 1, 0), x) }
}

/// # Safety
/// AVX-512 is there, and 16 numbers are writable.
#[inline(always)]
pub(super) unsafe fn write(to: *mut f64, re: __m512d, im: __m512d) {
    // SAFETY: as the caller says.
    unsafe {
        let low = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
        let high = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
        _mm512_storeu_pd(to, _mm512_permutex2var_pd(re, low, im));
        _mm512_storeu_pd(to.add(8), _mm512_permutex2var_pd(re, high, im));
    }
}

/// Four pairs from each of eight places; the other rows are the first again.
///
/// # Safety
/// AVX-512 is there, and 8 numbers at each place are readable.
#[inline(always)]
pub(super) unsafe fn read_columns(from: *const f64, apart: usize) -> [(__m512d, __m512d); MOST_BLOCK] {
    // SAFETY: as the caller says. Rows of the even columns, and of the odd ones.
    unsafe {
        let mut even = [_mm512_loadu_pd(from); 4];
        let mut odd = even;
        for i in 0..4 {
            even[i] = _mm512_loadu_pd(from.add(2 * i * apart));
            odd[i] = _mm512_loadu_pd(from.add((2 * i + 1) * apart));
        }
        let (even, odd) = (turned(even), turned(odd));
        let mut rows = [(even[0], even[0]); MOST_BLOCK];
        for r in 0..MOST_BLOCK {
            let (even, odd) = (even[r % 4], odd[r % 4]);
            rows[r] = (_mm512_unpacklo_pd(even, odd), _mm512_unpackhi_pd(even, odd));
        }
        rows
    }
}

/// Four pairs to each of eight places.
///
/// # Safety
/// AVX-512 is there, and 8 numbers at each place are writable.
#[inline(always)]
pub(super) unsafe fn write_columns(to: *mut f64, apart: usize, rows: [(__m512d, __m512d); MOST_BLOCK]) {
    // SAFETY: as the caller says.
    unsafe {
        let mut even = [rows[0].0; 4];
        let mut odd = even;
        for (i, &(re, im)) in rows[..4].iter().enumerate() {
            even[i] = _mm512_unpacklo_pd(re, im);
            odd[i] = _mm512_unpackhi_pd(re, im);
        }
        let (even, odd) = (turned(even), turned(odd));
        for i in 0..4 {
            _mm512_storeu_pd(to.add(2 * i * apart), even[i]);
            _mm512_storeu_pd(to.add((2 * i + 1) * apart), odd[i]);
        }
    }
}
