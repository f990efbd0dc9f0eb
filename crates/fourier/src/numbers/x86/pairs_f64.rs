//! Pairs of double precision, four at once. All functions need AVX2, and memory as their names say.

use std::arch::x86_64::{
    __m256d, _mm256_loadu_pd, _mm256_permute2f128_pd, _mm256_permute4x64_pd, _mm256_storeu_pd, _mm256_unpackhi_pd,
    _mm256_unpacklo_pd,
};

use crate::numbers::engine::MOST_BLOCK;

/// # Safety
/// AVX2 is there, and 8 numbers are readable.
#[inline(always)]
pub(super) unsafe fn read(from: *const f64) -> (__m256d, __m256d) {
    // SAFETY: as the caller says. Pairs 0, 2, 1, 3 first.
    unsafe {
        let (a, b) = (_mm256_loadu_pd(from), _mm256_loadu_pd(from.add(4)));
        let order = |x: __m256d| _mm256_permute4x64_pd::<0b11_01_10_00>(x);
        (order(_mm256_unpacklo_pd(a, b)), order(_mm256_unpackhi_pd(a, b)))
    }
}

/// # Safety
/// AVX2 is there.
#[inline(always)]
pub(super) unsafe fn reversed(x: __m256d) -> __m256d {
    // SAFETY: as the caller says.
    unsafe { _mm256_permute4x64_pd::<0b00_01_10_11>(x) }
}

/// # Safety
/// AVX2 is there, and 8 numbers are writable.
#[inline(always)]
pub(super) unsafe fn write(to: *mut f64, re: __m256d, im: __m256d) {
    // SAFETY: as the caller says. Pairs 0, 2 and 1, 3 first.
    unsafe {
        let (even, odd) = (_mm256_unpacklo_pd(re, im), _mm256_unpackhi_pd(re, im));
        _mm256_storeu_pd(to, _mm256_permute2f128_pd::<0x20>(even, odd));
        _mm256_storeu_pd(to.add(4), _mm256_permute2f128_pd::<0x31>(even, odd));
    }
}

/// Two pairs from each of four places; the other rows are the first again.
///
/// # Safety
/// AVX2 is there, and 4 numbers at each place are readable.
#[inline(always)]
pub(super) unsafe fn read_columns(from: *const f64, apart: usize) -> [(__m256d, __m256d); MOST_BLOCK] {
    // SAFETY: as the caller says.
    unsafe {
        let at = |column: usize| _mm256_loadu_pd(from.add(column * apart));
        let (c0, c1, c2, c3) = (at(0), at(1), at(2), at(3));
        // Columns 0, 2 and 1, 3 of one row.
        let row = |even: __m256d, odd: __m256d| (_mm256_unpacklo_pd(even, odd), _mm256_unpackhi_pd(even, odd));
        let first = row(_mm256_permute2f128_pd::<0x20>(c0, c2), _mm256_permute2f128_pd::<0x20>(c1, c3));
        let second = row(_mm256_permute2f128_pd::<0x31>(c0, c2), _mm256_permute2f128_pd::<0x31>(c1, c3));
        [first, second, first, second, first, second, first, second]
    }
}

/// Two pairs to each of four places.
///
/// # Safety
/// AVX2 is there, and 4 numbers at each place are writable.
#[inline(always)]
pub(super) unsafe fn write_columns(to: *mut f64, apart: usize, rows: [(__m256d, __m256d); MOST_BLOCK]) {
    // SAFETY: as the caller says.
    unsafe {
        // Columns 0, 2 of each row, and columns 1, 3.
        let even = rows.map(|(re, im)| _mm256_unpacklo_pd(re, im));
        let odd = rows.map(|(re, im)| _mm256_unpackhi_pd(re, im));
        for (half, first) in [(even, 0), (odd, 1)] {
            _mm256_storeu_pd(to.add(first * apart), _mm256_permute2f128_pd::<0x20>(half[0], half[1]));
            _mm256_storeu_pd(to.add((first + 2) * apart), _mm256_permute2f128_pd::<0x31>(half[0], half[1]));
        }
    }
}
