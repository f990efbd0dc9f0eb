//! Vectors of 64 bytes, a whole cache line: AVX-512F and AVX-512DQ.

use std::arch::x86_64::{
    __m512d, __m512i, _CMP_LT_OQ, _mm512_add_epi32, _mm512_add_epi64, _mm512_add_pd, _mm512_castpd_si512,
    _mm512_castsi512_pd, _mm512_cmp_pd_mask, _mm512_cmpgt_epu64_mask, _mm512_fmadd_pd, _mm512_fmsub_pd,
    _mm512_fnmadd_pd, _mm512_loadu_pd, _mm512_loadu_si512, _mm512_mask_add_epi64, _mm512_mask_add_pd,
    _mm512_mask_blend_epi32, _mm512_mask_shuffle_epi32, _mm512_mask_storeu_epi32, _mm512_mask_sub_epi64,
    _mm512_maskz_loadu_epi32, _mm512_maskz_mov_epi32, _mm512_min_epu32, _mm512_min_epu64, _mm512_mul_epi32,
    _mm512_mul_epu32, _mm512_mul_pd, _mm512_mullo_epi32, _mm512_mullo_epi64, _mm512_or_pd, _mm512_permutex2var_epi32,
    _mm512_set_epi32, _mm512_set1_epi32, _mm512_set1_epi64, _mm512_set1_pd, _mm512_setzero_pd, _mm512_shuffle_epi32,
    _mm512_shuffle_i32x4, _mm512_srli_epi64, _mm512_storeu_pd, _mm512_storeu_si512, _mm512_sub_epi32, _mm512_sub_epi64,
    _mm512_sub_pd, _mm512_unpackhi_epi32, _mm512_unpackhi_epi64, _mm512_unpacklo_epi32, _mm512_unpacklo_epi64,
    _mm512_xor_pd,
};

use super::instructions::{instructions, memory, multipliers};
use super::{Doubles, Pairs, WideWords, Words};

/// The words at even places.
const EVEN: u16 = 0b0101_0101_0101_0101;
/// The order of words that brings the odd ones to the even places.
const ODD_TO_EVEN: i32 = 0b11_11_01_01;
/// The order of words that brings the even ones to the odd places.
const EVEN_TO_ODD: i32 = 0b10_10_00_00;

/// Sixteen words.
#[derive(Debug, Clone, Copy)]
pub struct U32x16(__m512i);

/// The high words of the pairs of `even`, and of those of `odd` in the odd places.
///
/// # Safety
/// The processor has AVX-512F.
#[inline(always)]
unsafe fn high_words(even: __m512i, odd: __m512i) -> __m512i {
    // SAFETY: the caller has the instruction set.
    unsafe { _mm512_mask_shuffle_epi32::<ODD_TO_EVEN>(odd, EVEN, even) }
}

/// The pairs without their high words.
///
/// # Safety
/// The processor has AVX-512F.
#[inline(always)]
unsafe fn low_half(x: __m512i) -> __m512i {
    // SAFETY: the caller has the instruction set.
    unsafe { _mm512_maskz_mov_epi32(EVEN, x) }
}

/// The first `count` words, at most 16.
#[inline(always)]
const fn first(count: usize) -> u16 {
    ((1u32 << count) - 1) as u16
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

impl Words for U32x16 {
    const LOG_LANES: u32 = 4;

    memory! { u32: _mm512_loadu_si512, _mm512_storeu_si512; splat(u32 as i32) = _mm512_set1_epi32; }

    multipliers! { _mm512_shuffle_epi32::<ODD_TO_EVEN>, _mm512_mul_epu32, high_words }

    instructions! {
        plus(other) = _mm512_add_epi32;
        minus(other) = _mm512_sub_epi32;
        least(other) = _mm512_min_epu32;
        low_product(other) = _mm512_mullo_epi32;
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

impl Pairs for U32x16 {
    instructions! {
        even_product(other) = _mm512_mul_epu32;
        even_signed_product(other) = _mm512_mul_epi32;
        high_half() = _mm512_srli_epi64::<32>;
        low_half() = low_half;
        pair_plus(other) = _mm512_add_epi64;
        pair_minus(other) = _mm512_sub_epi64;
    }

    #[inline(always)]
    unsafe fn load_part(from: *const u32, count: usize) -> Self {
        // SAFETY: the caller vouches for the instruction set and the words.
        Self(unsafe { _mm512_maskz_loadu_epi32(first(count), from.cast()) })
    }

    #[inline(always)]
    unsafe fn store_part(self, to: *mut u32, count: usize) {
        // SAFETY: the caller vouches for the words.
        unsafe { _mm512_mask_storeu_epi32(to.cast(), first(count), self.0) }
    }

    #[inline(always)]
    fn high_words(even: Self, odd: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm512_mask_blend_epi32(EVEN, odd.0, even.high_half().0) })
    }

    #[inline(always)]
    fn all_high_words(first: Self, second: Self) -> Self {
        // SAFETY: the values exist.
        unsafe {
            let odd = _mm512_set_epi32(31, 29, 27, 25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1);
            Self(_mm512_permutex2var_epi32(first.0, odd, second.0))
        }
    }
}

/// Eight words of 64 bits.
#[derive(Debug, Clone, Copy)]
pub struct U64x8(__m512i);

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

impl WideWords for U64x8 {
    const LOG_LANES: u32 = 3;

    memory! {
        u64: _mm512_loadu_si512, _mm512_storeu_si512;
        splat(u64 as i64) = _mm512_set1_epi64;
        splat_half(u32 as i32) = _mm512_set1_epi32;
    }

    instructions! {
        plus(other) = _mm512_add_epi64;
        minus(other) = _mm512_sub_epi64;
        half_product(other) = _mm512_mul_epu32;
        high_in_low() = _mm512_shuffle_epi32::<ODD_TO_EVEN>;
        high_half() = _mm512_srli_epi64::<32>;
        low_half() = low_half;
        low_product(other) = _mm512_mullo_epi64;
    }

    #[inline(always)]
    fn remainder(self, w: Self, q: Self, p: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm512_sub_epi64(_mm512_mullo_epi64(self.0, w.0), _mm512_mullo_epi64(q.0, p.0)) })
    }

    #[inline(always)]
    fn below(self, high: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm512_mask_shuffle_epi32::<EVEN_TO_ODD>(self.0, !EVEN, high.0) })
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
#[derive(Debug, Clone, Copy)]
pub struct F64x8(__m512d);

impl Doubles for F64x8 {
    const LOG_LANES: u32 = 3;

    memory! { u64: _mm512_loadu_pd, _mm512_storeu_pd; splat(f64) = _mm512_set1_pd; }

    instructions! {
        plus(other) = _mm512_add_pd;
        minus(other) = _mm512_sub_pd;
        times(other) = _mm512_mul_pd;
        times_plus(other, plus) = _mm512_fmadd_pd;
        times_minus(other, minus) = _mm512_fmsub_pd;
        bits_or(other) = _mm512_or_pd;
        bits_xor(other) = _mm512_xor_pd;
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
    fn transpose(rows: &mut [Self]) {
        let Ok(rows) = <&mut [Self; 8]>::try_from(rows) else { return };
        // SAFETY: the values exist.
        unsafe {
            let square = rows.map(|row| _mm512_castpd_si512(row.0));
            *rows = transposed(square).map(|row| Self(_mm512_castsi512_pd(row)));
        }
    }
}
