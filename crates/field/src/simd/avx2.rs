//! Vectors of eight 32-bit words with AVX2.

use std::arch::x86_64::{
    __m256i, _mm256_add_epi32, _mm256_add_epi64, _mm256_blend_epi32, _mm256_castps_si256, _mm256_castsi256_ps,
    _mm256_loadu_si256, _mm256_maskload_epi32, _mm256_maskstore_epi32, _mm256_min_epu32, _mm256_mul_epu32,
    _mm256_mullo_epi32, _mm256_permute4x64_epi64, _mm256_set1_epi32, _mm256_setzero_si256, _mm256_shuffle_ps,
    _mm256_srli_epi64, _mm256_storeu_si256, _mm256_sub_epi32, _mm256_sub_epi64,
};

use super::vector::Words;

/// The first `count` words, at most 8.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
unsafe fn first(count: usize) -> __m256i {
    const ENDS: [i32; 16] = [-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0];
    let words = &ENDS[8 - count.min(8)..];
    // SAFETY: the caller has the instruction set; eight words at least are left.
    unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
}

/// Eight words.
#[derive(Clone, Copy)]
pub(crate) struct U32x8(__m256i);

impl Words for U32x8 {
    const LANES: usize = 8;

    #[inline(always)]
    unsafe fn load(from: *const u32) -> Self {
        // SAFETY: the caller vouches for the instruction set and the words.
        Self(unsafe { _mm256_loadu_si256(from.cast()) })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u32) {
        // SAFETY: the caller vouches for the words.
        unsafe { _mm256_storeu_si256(to.cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn load_part(from: *const u32, count: usize) -> Self {
        // SAFETY: the caller vouches for the instruction set and the words.
        Self(unsafe { _mm256_maskload_epi32(from.cast(), first(count)) })
    }

    #[inline(always)]
    unsafe fn store_part(self, to: *mut u32, count: usize) {
        // SAFETY: the caller vouches for the words.
        unsafe { _mm256_maskstore_epi32(to.cast(), first(count), self.0) }
    }

    #[inline(always)]
    unsafe fn splat(word: u32) -> Self {
        // SAFETY: the caller vouches for the instruction set.
        Self(unsafe { _mm256_set1_epi32(word as i32) })
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm256_add_epi32(self.0, other.0) })
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm256_sub_epi32(self.0, other.0) })
    }

    #[inline(always)]
    fn least(self, other: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm256_min_epu32(self.0, other.0) })
    }

    #[inline(always)]
    fn low_product(self, other: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm256_mullo_epi32(self.0, other.0) })
    }

    #[inline(always)]
    fn even_product(self, other: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm256_mul_epu32(self.0, other.0) })
    }

    #[inline(always)]
    fn odd(self) -> Self {
        self.high_half()
    }

    #[inline(always)]
    fn high_half(self) -> Self {
        // SAFETY: the value exists.
        Self(unsafe { _mm256_srli_epi64::<32>(self.0) })
    }

    #[inline(always)]
    fn low_half(self) -> Self {
        // SAFETY: the value exists.
        Self(unsafe { _mm256_blend_epi32::<0b1010_1010>(self.0, _mm256_setzero_si256()) })
    }

    #[inline(always)]
    fn pair_plus(self, other: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm256_add_epi64(self.0, other.0) })
    }

    #[inline(always)]
    fn pair_minus(self, other: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm256_sub_epi64(self.0, other.0) })
    }

    #[inline(always)]
    fn high_words(even: Self, odd: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm256_blend_epi32::<0b1010_1010>(even.high_half().0, odd.0) })
    }

    #[inline(always)]
    fn all_high_words(first: Self, second: Self) -> Self {
        // SAFETY: the values exist. Within halves of the vectors first, then in order.
        unsafe {
            let (first, second) = (_mm256_castsi256_ps(first.0), _mm256_castsi256_ps(second.0));
            let halves = _mm256_castps_si256(_mm256_shuffle_ps::<0b11_01_11_01>(first, second));
            Self(_mm256_permute4x64_epi64::<0b11_01_10_00>(halves))
        }
    }

    #[inline(always)]
    fn sum_of_pairs(self) -> u128 {
        let mut pairs = [0u64; 4];
        // SAFETY: the value exists, and the array has its 32 bytes.
        unsafe { _mm256_storeu_si256(pairs.as_mut_ptr().cast(), self.0) };
        pairs.iter().map(|&pair| u128::from(pair)).sum()
    }
}
