//! Vectors of 64 bytes, a whole cache line: AVX-512F.

use std::arch::x86_64::{
    __m512d, __m512i, _CMP_LT_OQ, _mm512_add_epi32, _mm512_add_epi64, _mm512_add_pd, _mm512_castpd_si512,
    _mm512_castsi512_pd, _mm512_cmp_pd_mask, _mm512_cmpgt_epu64_mask, _mm512_fmadd_pd, _mm512_fmsub_pd,
    _mm512_fnmadd_pd, _mm512_loadu_pd, _mm512_loadu_si512, _mm512_mask_add_epi64, _mm512_mask_add_pd,
    _mm512_mask_shuffle_epi32, _mm512_mask_sub_epi64, _mm512_maskz_mov_epi32, _mm512_min_epu32, _mm512_min_epu64,
    _mm512_mul_epu32, _mm512_mul_pd, _mm512_mullo_epi32, _mm512_mullo_epi64, _mm512_or_si512, _mm512_set1_epi32,
    _mm512_set1_epi64, _mm512_set1_pd, _mm512_setzero_pd, _mm512_shuffle_epi32, _mm512_shuffle_i32x4,
    _mm512_srli_epi64, _mm512_storeu_pd, _mm512_storeu_si512, _mm512_sub_epi32, _mm512_sub_epi64, _mm512_sub_pd,
    _mm512_unpackhi_epi32, _mm512_unpackhi_epi64, _mm512_unpacklo_epi32, _mm512_unpacklo_epi64, _mm512_xor_si512,
};

use super::floating::Doubles;
use super::word32::Words;
use super::word64::WideWords;

/// The words at even places.
const EVEN: u16 = 0b0101_0101_0101_0101;
/// The order of words that brings the odd ones to the even places.
const ODD: i32 = 0b11_11_01_01;

/// Sixteen words.
#[derive(Clone, Copy)]
pub(super) struct U32x16(__m512i);

impl Words for U32x16 {
    /// The even multipliers and, in their places, the odd ones.
    type Multiplier = (__m512i, __m512i);
    const LOG_LANES: u32 = 4;
    const LOG_ROWS: u32 = 4;

    #[inline(always)]
    unsafe fn load(from: *const u32) -> Self {
        // SAFETY: the caller vouches for the instruction set and the words.
        Self(unsafe { _mm512_loadu_si512(from.cast()) })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u32) {
        // SAFETY: the caller vouches for the words.
        unsafe { _mm512_storeu_si512(to.cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn splat(word: u32) -> Self {
        // SAFETY: the caller vouches for the instruction set.
        Self(unsafe { _mm512_set1_epi32(word as i32) })
    }

    #[inline(always)]
    unsafe fn splat_multiplier(word: u32) -> Self::Multiplier {
        // SAFETY: the caller vouches for the instruction set.
        let all = unsafe { Self::splat(word) }.0;
        (all, all)
    }

    #[inline(always)]
    fn multiplier(self) -> Self::Multiplier {
        // SAFETY: the value exists.
        (self.0, unsafe { _mm512_shuffle_epi32::<ODD>(self.0) })
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm512_add_epi32(self.0, other.0) })
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm512_sub_epi32(self.0, other.0) })
    }

    #[inline(always)]
    fn least(self, other: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm512_min_epu32(self.0, other.0) })
    }

    #[inline(always)]
    fn low_product(self, other: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm512_mullo_epi32(self.0, other.0) })
    }

    #[inline(always)]
    fn high_product(self, by: Self::Multiplier) -> Self {
        // SAFETY: the values exist.
        unsafe {
            let even = _mm512_mul_epu32(self.0, by.0);
            let odd = _mm512_mul_epu32(_mm512_shuffle_epi32::<ODD>(self.0), by.1);
            Self(_mm512_mask_shuffle_epi32::<ODD>(odd, EVEN, even))
        }
    }

    #[inline(always)]
    fn transpose(rows: &mut [Self]) {
        let Ok(rows) = <&mut [Self; 16]>::try_from(rows) else { return };
        // SAFETY: the values exist.
        unsafe {
            // Squares of 4 x 4 words within every quarter, of rows 4 i to 4 i + 3.
            let mut square = [rows[0].0; 16];
            for (to, rows) in square.chunks_exact_mut(4).zip(rows.chunks_exact(4)) {
                let (low_0, high_0) =
                    (_mm512_unpacklo_epi32(rows[0].0, rows[1].0), _mm512_unpackhi_epi32(rows[0].0, rows[1].0));
                let (low_1, high_1) =
                    (_mm512_unpacklo_epi32(rows[2].0, rows[3].0), _mm512_unpackhi_epi32(rows[2].0, rows[3].0));
                to[0] = _mm512_unpacklo_epi64(low_0, low_1);
                to[1] = _mm512_unpackhi_epi64(low_0, low_1);
                to[2] = _mm512_unpacklo_epi64(high_0, high_1);
                to[3] = _mm512_unpackhi_epi64(high_0, high_1);
            }
            // Then the square of 4 x 4 quarters, for each row of the squares.
            for i in 0..4 {
                let column = quarters([square[i], square[4 + i], square[8 + i], square[12 + i]]);
                for (j, quarter) in column.into_iter().enumerate() {
                    rows[4 * j + i] = Self(quarter);
                }
            }
        }
    }
}

/// Eight words of 64 bits.
#[derive(Clone, Copy)]
pub(super) struct U64x8(__m512i);

/// A square of 8 x 8 words of 64 bits, transposed.
#[inline(always)]
fn transposed(rows: [__m512i; 8]) -> [__m512i; 8] {
    let mut result = rows;
    // SAFETY: the values exist, so AVX-512F does.
    unsafe {
        // The even and the odd words of rows 2 i and 2 i + 1, within quarters.
        let mut pairs = rows;
        for i in 0..4 {
            pairs[2 * i] = _mm512_unpacklo_epi64(rows[2 * i], rows[2 * i + 1]);
            pairs[2 * i + 1] = _mm512_unpackhi_epi64(rows[2 * i], rows[2 * i + 1]);
        }
        // Then the square of 4 x 4 quarters, for even and for odd words.
        for i in 0..2 {
            let [a, b, c, d] = [pairs[i], pairs[2 + i], pairs[4 + i], pairs[6 + i]];
            [result[i], result[2 + i], result[4 + i], result[6 + i]] = quarters([a, b, c, d]);
        }
    }
    result
}

/// A square of 4 x 4 quarters, transposed.
#[inline(always)]
fn quarters([a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
    // SAFETY: the values exist, so AVX-512F does.
    unsafe {
        let (ab_even, ab_odd) =
            (_mm512_shuffle_i32x4::<0b10_00_10_00>(a, b), _mm512_shuffle_i32x4::<0b11_01_11_01>(a, b));
        let (cd_even, cd_odd) =
            (_mm512_shuffle_i32x4::<0b10_00_10_00>(c, d), _mm512_shuffle_i32x4::<0b11_01_11_01>(c, d));
        [
            _mm512_shuffle_i32x4::<0b10_00_10_00>(ab_even, cd_even),
            _mm512_shuffle_i32x4::<0b10_00_10_00>(ab_odd, cd_odd),
            _mm512_shuffle_i32x4::<0b11_01_11_01>(ab_even, cd_even),
            _mm512_shuffle_i32x4::<0b11_01_11_01>(ab_odd, cd_odd),
        ]
    }
}

impl WideWords for U64x8 {
    const LOG_LANES: u32 = 3;
    const LOG_ROWS: u32 = 3;

    #[inline(always)]
    unsafe fn load(from: *const u64) -> Self {
        // SAFETY: the caller vouches for the instruction set and the words.
        Self(unsafe { _mm512_loadu_si512(from.cast()) })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u64) {
        // SAFETY: the caller vouches for the words.
        unsafe { _mm512_storeu_si512(to.cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn splat(word: u64) -> Self {
        // SAFETY: the caller vouches for the instruction set.
        Self(unsafe { _mm512_set1_epi64(word as i64) })
    }

    #[inline(always)]
    unsafe fn splat_half(half: u32) -> Self {
        // SAFETY: the caller vouches for the instruction set.
        Self(unsafe { _mm512_set1_epi32(half as i32) })
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm512_add_epi64(self.0, other.0) })
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm512_sub_epi64(self.0, other.0) })
    }

    #[inline(always)]
    fn half_product(self, other: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm512_mul_epu32(self.0, other.0) })
    }

    #[inline(always)]
    fn low_product(self, other: Self) -> Self {
        // SAFETY: the values exist, and with AVX-512F this crate detects AVX-512DQ.
        Self(unsafe { _mm512_mullo_epi64(self.0, other.0) })
    }

    #[inline(always)]
    fn remainder(self, w: Self, q: Self, p: Self) -> Self {
        // SAFETY: the values exist, and with AVX-512F this crate detects AVX-512DQ.
        Self(unsafe { _mm512_sub_epi64(_mm512_mullo_epi64(self.0, w.0), _mm512_mullo_epi64(q.0, p.0)) })
    }

    #[inline(always)]
    fn high_in_low(self) -> Self {
        // SAFETY: the value exists.
        Self(unsafe { _mm512_shuffle_epi32::<ODD>(self.0) })
    }

    #[inline(always)]
    fn high_half(self) -> Self {
        // SAFETY: the value exists.
        Self(unsafe { _mm512_srli_epi64::<32>(self.0) })
    }

    #[inline(always)]
    fn low_half(self) -> Self {
        // SAFETY: the value exists.
        Self(unsafe { _mm512_maskz_mov_epi32(EVEN, self.0) })
    }

    #[inline(always)]
    fn below(self, high: Self) -> Self {
        // SAFETY: the values exist. The even words to the odd places.
        Self(unsafe { _mm512_mask_shuffle_epi32::<0b10_10_00_00>(self.0, !EVEN, high.0) })
    }

    #[inline(always)]
    fn less(self, m: Self) -> Self {
        // SAFETY: the values exist. A negative difference wraps to a larger word.
        Self(unsafe { _mm512_min_epu64(self.0, _mm512_sub_epi64(self.0, m.0)) })
    }

    #[inline(always)]
    fn compared(self) -> Self {
        self
    }

    #[inline(always)]
    fn plus_where_above(self, x: Self, y: Self, more: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm512_mask_add_epi64(self.0, _mm512_cmpgt_epu64_mask(x.0, y.0), self.0, more.0) })
    }

    #[inline(always)]
    fn minus_where_above(self, x: Self, y: Self, less: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm512_mask_sub_epi64(self.0, _mm512_cmpgt_epu64_mask(x.0, y.0), self.0, less.0) })
    }

    #[inline(always)]
    fn transpose(rows: &mut [Self]) {
        let Ok(rows) = <&mut [Self; 8]>::try_from(rows) else { return };
        *rows = transposed(rows.map(|row| row.0)).map(Self);
    }
}

/// Eight numbers of double precision.
#[derive(Clone, Copy)]
pub(super) struct F64x8(__m512d);

impl Doubles for F64x8 {
    const LOG_LANES: u32 = 3;
    const LOG_ROWS: u32 = 3;

    #[inline(always)]
    unsafe fn load(from: *const u64) -> Self {
        // SAFETY: the caller vouches for the instruction set and the words.
        Self(unsafe { _mm512_loadu_pd(from.cast()) })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u64) {
        // SAFETY: the caller vouches for the words.
        unsafe { _mm512_storeu_pd(to.cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn splat(x: f64) -> Self {
        // SAFETY: the caller vouches for the instruction set.
        Self(unsafe { _mm512_set1_pd(x) })
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm512_add_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm512_sub_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm512_mul_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn times_plus(self, other: Self, plus: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm512_fmadd_pd(self.0, other.0, plus.0) })
    }

    #[inline(always)]
    fn times_minus(self, other: Self, minus: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm512_fmsub_pd(self.0, other.0, minus.0) })
    }

    #[inline(always)]
    fn minus_times(self, x: Self, y: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm512_fnmadd_pd(x.0, y.0, self.0) })
    }

    #[inline(always)]
    fn not_negative(self, p: Self) -> Self {
        // SAFETY: the values exist.
        unsafe {
            let negative = _mm512_cmp_pd_mask::<_CMP_LT_OQ>(self.0, _mm512_setzero_pd());
            Self(_mm512_mask_add_pd(self.0, negative, self.0, p.0))
        }
    }

    #[inline(always)]
    fn bits_or(self, other: Self) -> Self {
        // SAFETY: the values exist.
        unsafe {
            let bits = _mm512_or_si512(_mm512_castpd_si512(self.0), _mm512_castpd_si512(other.0));
            Self(_mm512_castsi512_pd(bits))
        }
    }

    #[inline(always)]
    fn bits_xor(self, other: Self) -> Self {
        // SAFETY: the values exist.
        unsafe {
            let bits = _mm512_xor_si512(_mm512_castpd_si512(self.0), _mm512_castpd_si512(other.0));
            Self(_mm512_castsi512_pd(bits))
        }
    }

    #[inline(always)]
    fn transpose(rows: &mut [Self]) {
        let Ok(rows) = <&mut [Self; 8]>::try_from(rows) else { return };
        // SAFETY: the values exist.
        unsafe {
            let square = rows.map(|row| _mm512_castpd_si512(row.0));
            *rows = transposed(square).map(|row| Self(_mm512_castsi512_pd(row)));
        }
    }
}
