//! Vectors of 32 bytes: AVX2, with fused multiply-adds.

use std::arch::x86_64::{
    __m256d, __m256i, _CMP_LT_OQ, _mm256_add_epi32, _mm256_add_epi64, _mm256_add_pd, _mm256_and_pd, _mm256_and_si256,
    _mm256_blend_epi32, _mm256_blendv_pd, _mm256_castpd_si256, _mm256_castps_si256, _mm256_castsi256_pd,
    _mm256_castsi256_ps, _mm256_cmp_pd, _mm256_cmpgt_epi64, _mm256_fmadd_pd, _mm256_fmsub_pd, _mm256_fnmadd_pd,
    _mm256_loadu_pd, _mm256_loadu_si256, _mm256_maskload_epi32, _mm256_maskstore_epi32, _mm256_min_epu32,
    _mm256_mul_epi32, _mm256_mul_epu32, _mm256_mul_pd, _mm256_mullo_epi32, _mm256_or_pd, _mm256_permute2x128_si256,
    _mm256_permute4x64_epi64, _mm256_set1_epi32, _mm256_set1_epi64x, _mm256_set1_pd, _mm256_setzero_pd,
    _mm256_setzero_si256, _mm256_shuffle_epi32, _mm256_shuffle_ps, _mm256_slli_epi64, _mm256_srli_epi64,
    _mm256_storeu_pd, _mm256_storeu_si256, _mm256_sub_epi32, _mm256_sub_epi64, _mm256_sub_pd, _mm256_unpackhi_epi32,
    _mm256_unpackhi_epi64, _mm256_unpacklo_epi32, _mm256_unpacklo_epi64, _mm256_xor_pd, _mm256_xor_si256,
};

use super::instructions::{instructions, memory, multipliers};
use super::{Doubles, Pairs, WideWords, Words};

/// The words at odd places.
const ODD: i32 = 0b1010_1010;
/// The order of words that brings the odd ones to the even places.
const ODD_TO_EVEN: i32 = 0b11_11_01_01;
/// The order of words that swaps those of a pair.
const SWAPPED: i32 = 0b10_11_00_01;

/// Eight words.
#[derive(Debug, Clone, Copy)]
pub struct U32x8(__m256i);

/// The high words of the pairs of `even`, and of those of `odd` in the odd places.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
unsafe fn high_words(even: __m256i, odd: __m256i) -> __m256i {
    // SAFETY: the caller has the instruction set.
    unsafe { _mm256_blend_epi32::<ODD>(_mm256_shuffle_epi32::<ODD_TO_EVEN>(even), odd) }
}

/// The pairs without their high words.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
unsafe fn low_half(x: __m256i) -> __m256i {
    // SAFETY: the caller has the instruction set.
    unsafe { _mm256_blend_epi32::<ODD>(x, _mm256_setzero_si256()) }
}

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

impl Words for U32x8 {
    const LOG_LANES: u32 = 3;

    memory! { u32: _mm256_loadu_si256, _mm256_storeu_si256; splat(u32 as i32) = _mm256_set1_epi32; }

    multipliers! { _mm256_shuffle_epi32::<ODD_TO_EVEN>, _mm256_mul_epu32, high_words }

    instructions! {
        plus(other) = _mm256_add_epi32;
        minus(other) = _mm256_sub_epi32;
        least(other) = _mm256_min_epu32;
        low_product(other) = _mm256_mullo_epi32;
    }

    #[inline(always)]
    fn transpose(rows: &mut [Self]) {
        let [a, b, c, d, e, f, g, h] = rows else { return };
        // SAFETY: the values exist.
        unsafe {
            let pairs = |a: &Self, b: &Self| (_mm256_unpacklo_epi32(a.0, b.0), _mm256_unpackhi_epi32(a.0, b.0));
            let quads = |a: __m256i, b: __m256i| (_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
            let halves = |a: __m256i, b: __m256i| {
                (Self(_mm256_permute2x128_si256::<0x20>(a, b)), Self(_mm256_permute2x128_si256::<0x31>(a, b)))
            };
            let ((ab0, ab1), (cd0, cd1), (ef0, ef1), (gh0, gh1)) = (pairs(a, b), pairs(c, d), pairs(e, f), pairs(g, h));
            let ((abcd0, abcd1), (abcd2, abcd3)) = (quads(ab0, cd0), quads(ab1, cd1));
            let ((efgh0, efgh1), (efgh2, efgh3)) = (quads(ef0, gh0), quads(ef1, gh1));
            (*a, *e) = halves(abcd0, efgh0);
            (*b, *f) = halves(abcd1, efgh1);
            (*c, *g) = halves(abcd2, efgh2);
            (*d, *h) = halves(abcd3, efgh3);
        }
    }
}

impl Pairs for U32x8 {
    instructions! {
        even_product(other) = _mm256_mul_epu32;
        even_signed_product(other) = _mm256_mul_epi32;
        high_half() = _mm256_srli_epi64::<32>;
        low_half() = low_half;
        pair_plus(other) = _mm256_add_epi64;
        pair_minus(other) = _mm256_sub_epi64;
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
    fn high_words(even: Self, odd: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm256_blend_epi32::<ODD>(even.high_half().0, odd.0) })
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
}

/// Four words of 64 bits.
#[derive(Debug, Clone, Copy)]
pub struct U64x4(__m256i);

/// A square of 4 x 4 words of 64 bits, transposed.
#[inline(always)]
fn transposed([a, b, c, d]: [__m256i; 4]) -> [__m256i; 4] {
    // SAFETY: the values exist, so AVX2 does.
    unsafe {
        let (ab_even, ab_odd) = (_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
        let (cd_even, cd_odd) = (_mm256_unpacklo_epi64(c, d), _mm256_unpackhi_epi64(c, d));
        [
            _mm256_permute2x128_si256::<0x20>(ab_even, cd_even),
            _mm256_permute2x128_si256::<0x20>(ab_odd, cd_odd),
            _mm256_permute2x128_si256::<0x31>(ab_even, cd_even),
            _mm256_permute2x128_si256::<0x31>(ab_odd, cd_odd),
        ]
    }
}

impl WideWords for U64x4 {
    const LOG_LANES: u32 = 2;

    memory! {
        u64: _mm256_loadu_si256, _mm256_storeu_si256;
        splat(u64 as i64) = _mm256_set1_epi64x;
        splat_half(u32 as i32) = _mm256_set1_epi32;
    }

    instructions! {
        plus(other) = _mm256_add_epi64;
        minus(other) = _mm256_sub_epi64;
        half_product(other) = _mm256_mul_epu32;
        high_in_low() = _mm256_shuffle_epi32::<ODD_TO_EVEN>;
        high_half() = _mm256_srli_epi64::<32>;
        low_half() = low_half;
    }

    #[inline(always)]
    fn below(self, high: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm256_blend_epi32::<ODD>(self.0, _mm256_slli_epi64::<32>(high.0)) })
    }

    #[inline(always)]
    fn less(self, m: Self) -> Self {
        // SAFETY: the values exist. The difference is below m, so its highest bit says that it is negative.
        unsafe {
            let difference = _mm256_castsi256_pd(_mm256_sub_epi64(self.0, m.0));
            Self(_mm256_castpd_si256(_mm256_blendv_pd(difference, _mm256_castsi256_pd(self.0), difference)))
        }
    }

    /// Signed comparisons compare words whose highest bit is inverted.
    #[inline(always)]
    fn compared(self) -> Self {
        // SAFETY: the value exists.
        Self(unsafe { _mm256_xor_si256(self.0, _mm256_set1_epi64x(i64::MIN)) })
    }

    #[inline(always)]
    fn plus_where_above(self, x: Self, y: Self, more: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm256_add_epi64(self.0, _mm256_and_si256(_mm256_cmpgt_epi64(x.0, y.0), more.0)) })
    }

    #[inline(always)]
    fn minus_where_above(self, x: Self, y: Self, less: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm256_sub_epi64(self.0, _mm256_and_si256(_mm256_cmpgt_epi64(x.0, y.0), less.0)) })
    }

    /// As [`remainder`](WideWords::remainder).
    #[inline(always)]
    fn low_product(self, other: Self) -> Self {
        // SAFETY: the values exist.
        unsafe {
            let unlike = _mm256_mullo_epi32(self.0, _mm256_shuffle_epi32::<SWAPPED>(other.0));
            let high = _mm256_blend_epi32::<ODD>(_mm256_setzero_si256(), unlike);
            let high = _mm256_add_epi64(_mm256_slli_epi64::<32>(unlike), high);
            Self(_mm256_add_epi64(_mm256_mul_epu32(self.0, other.0), high))
        }
    }

    /// The products of unlike halves are the same ones of 32 bits in both places of a pair, and only their sum's low half
    /// counts.
    #[inline(always)]
    fn remainder(self, w: Self, q: Self, p: Self) -> Self {
        // SAFETY: the values exist.
        unsafe {
            let swapped = |x: Self| _mm256_shuffle_epi32::<SWAPPED>(x.0);
            let low = _mm256_sub_epi64(_mm256_mul_epu32(self.0, w.0), _mm256_mul_epu32(q.0, p.0));
            let unlike = _mm256_sub_epi32(_mm256_mullo_epi32(self.0, swapped(w)), _mm256_mullo_epi32(q.0, swapped(p)));
            // Only the high halves count: the low ones of this sum are the low ones of `low`.
            let other = _mm256_slli_epi64::<32>(unlike);
            let high = _mm256_blend_epi32::<ODD>(_mm256_setzero_si256(), unlike);
            Self(_mm256_add_epi64(_mm256_add_epi64(low, other), high))
        }
    }

    #[inline(always)]
    fn transpose(rows: &mut [Self]) {
        let [a, b, c, d] = rows else { return };
        [a.0, b.0, c.0, d.0] = transposed([a.0, b.0, c.0, d.0]);
    }
}

/// Four numbers of double precision.
#[derive(Debug, Clone, Copy)]
pub struct F64x4(__m256d);

impl Doubles for F64x4 {
    const LOG_LANES: u32 = 2;

    memory! { u64: _mm256_loadu_pd, _mm256_storeu_pd; splat(f64) = _mm256_set1_pd; }

    // With AVX2 a level has fused multiply-adds, too.
    instructions! {
        plus(other) = _mm256_add_pd;
        minus(other) = _mm256_sub_pd;
        times(other) = _mm256_mul_pd;
        times_plus(other, plus) = _mm256_fmadd_pd;
        times_minus(other, minus) = _mm256_fmsub_pd;
        bits_or(other) = _mm256_or_pd;
        bits_xor(other) = _mm256_xor_pd;
    }

    #[inline(always)]
    fn minus_times(self, x: Self, y: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_fnmadd_pd(x.0, y.0, self.0) })
    }

    #[inline(always)]
    fn not_negative(self, p: Self) -> Self {
        // SAFETY: the values exist.
        unsafe {
            let negative = _mm256_cmp_pd::<_CMP_LT_OQ>(self.0, _mm256_setzero_pd());
            Self(_mm256_add_pd(self.0, _mm256_and_pd(negative, p.0)))
        }
    }

    #[inline(always)]
    fn transpose(rows: &mut [Self]) {
        let [a, b, c, d] = rows else { return };
        // SAFETY: the values exist.
        unsafe {
            let square = [a.0, b.0, c.0, d.0].map(|row| _mm256_castpd_si256(row));
            [a.0, b.0, c.0, d.0] = transposed(square).map(|row| _mm256_castsi256_pd(row));
        }
    }
}
