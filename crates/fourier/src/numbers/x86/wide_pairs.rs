//! Pairs between memory and vectors of 64 bytes. All functions need AVX-512, and memory as their names say.

use std::arch::x86_64::{__m512d, _mm512_shuffle_f64x2};

/// The transpose of four vectors of four parts of 16 bytes.
///
/// # Safety
/// AVX-512 is there.
#[inline(always)]
unsafe fn turned([a, b, c, d]: [__m512d; 4]) -> [__m512d; 4] {
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

/// Of single precision, sixteen at once.
pub(super) mod single {
    use std::arch::x86_64::{
        __m512, __m512d, _mm512_castpd_ps, _mm512_castps_pd, _mm512_loadu_ps, _mm512_permutex2var_ps,
        _mm512_permutexvar_ps, _mm512_setr_epi32, _mm512_shuffle_ps, _mm512_storeu_ps, _mm512_unpackhi_pd,
        _mm512_unpackhi_ps, _mm512_unpacklo_pd, _mm512_unpacklo_ps,
    };

    use super::super::MOST_BLOCK;
    use super::turned;

    /// # Safety
    /// AVX-512 is there, and 32 numbers are readable.
    #[inline(always)]
    pub(in super::super) unsafe fn read(from: *const f32) -> (__m512, __m512) {
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
    pub(in super::super) unsafe fn reversed(x: __m512) -> __m512 {
        // SAFETY: as the caller says.
        unsafe { _mm512_permutexvar_ps(_mm512_setr_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0), x) }
    }

    /// # Safety
    /// AVX-512 is there, and 32 numbers are writable.
    #[inline(always)]
    pub(in super::super) unsafe fn write(to: *mut f32, re: __m512, im: __m512) {
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
    pub(in super::super) unsafe fn read_columns(from: *const f32, apart: usize) -> [(__m512, __m512); MOST_BLOCK] {
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
                rows[r] =
                    (_mm512_shuffle_ps::<0b10_00_10_00>(low, high), _mm512_shuffle_ps::<0b11_01_11_01>(low, high));
            }
            rows
        }
    }

    /// Eight pairs to each of sixteen places.
    ///
    /// # Safety
    /// AVX-512 is there, and 16 numbers at each place are writable.
    #[inline(always)]
    pub(in super::super) unsafe fn write_columns(to: *mut f32, apart: usize, rows: [(__m512, __m512); MOST_BLOCK]) {
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
}

/// Of double precision, eight at once.
pub(super) mod double {
    use std::arch::x86_64::{
        __m512d, _mm512_loadu_pd, _mm512_permutex2var_pd, _mm512_permutexvar_pd, _mm512_setr_epi64, _mm512_storeu_pd,
        _mm512_unpackhi_pd, _mm512_unpacklo_pd,
    };

    use super::super::MOST_BLOCK;
    use super::turned;

    /// # Safety
    /// AVX-512 is there, and 16 numbers are readable.
    #[inline(always)]
    pub(in super::super) unsafe fn read(from: *const f64) -> (__m512d, __m512d) {
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
    pub(in super::super) unsafe fn reversed(x: __m512d) -> __m512d {
        // SAFETY: as the caller says.
        unsafe { _mm512_permutexvar_pd(_mm512_setr_epi64(7, 6, 5, 4, 3, 2, 1, 0), x) }
    }

    /// # Safety
    /// AVX-512 is there, and 16 numbers are writable.
    #[inline(always)]
    pub(in super::super) unsafe fn write(to: *mut f64, re: __m512d, im: __m512d) {
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
    pub(in super::super) unsafe fn read_columns(from: *const f64, apart: usize) -> [(__m512d, __m512d); MOST_BLOCK] {
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
    pub(in super::super) unsafe fn write_columns(to: *mut f64, apart: usize, rows: [(__m512d, __m512d); MOST_BLOCK]) {
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
}
