//! Vectors of sixteen 32-bit words with AVX-512F.

use std::arch::x86_64::{
    __m512i, _mm512_add_epi32, _mm512_add_epi64, _mm512_loadu_si512, _mm512_mask_blend_epi32, _mm512_mask_storeu_epi32,
    _mm512_maskz_loadu_epi32, _mm512_maskz_mov_epi32, _mm512_min_epu32, _mm512_mul_epu32, _mm512_mullo_epi32,
    _mm512_permutex2var_epi32, _mm512_set_epi32, _mm512_set1_epi32, _mm512_srli_epi64, _mm512_storeu_si512,
    _mm512_sub_epi32, _mm512_sub_epi64,
};

use super::vector::Words;

/// The even words.
const EVEN: u16 = 0b0101_0101_0101_0101;

/// The first `count` words, at most 16.
#[inline(always)]
const fn first(count: usize) -> u16 {
    ((1u32 << count) - 1) as u16
}

/// Sixteen words.
#[derive(Clone, Copy)]
pub(crate) struct U32x16(__m512i);

impl Words for U32x16 {
    const LANES: usize = 16;

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
    unsafe fn splat(word: u32) -> Self {
        // SAFETY: the caller vouches for the instruction set.
        Self(unsafe { _mm512_set1_epi32(word as i32) })
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
    fn even_product(self, other: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm512_mul_epu32(self.0, other.0) })
    }

    #[inline(always)]
    fn odd(self) -> Self {
        self.high_half()
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
    fn pair_plus(self, other: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm512_add_epi64(self.0, other.0) })
    }

    #[inline(always)]
    fn pair_minus(self, other: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm512_sub_epi64(self.0, other.0) })
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

    #[inline(always)]
    fn sum_of_pairs(self) -> u128 {
        let mut pairs = [0u64; 8];
        // SAFETY: the value exists, and the array has its 64 bytes.
        unsafe { _mm512_storeu_si512(pairs.as_mut_ptr().cast(), self.0) };
        pairs.iter().map(|&pair| u128::from(pair)).sum()
    }
}
