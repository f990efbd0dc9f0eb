//! Vectors of 32 bytes: AVX2.

use std::arch::x86_64::{
    __m256d, __m256i, _CMP_LT_OQ, _mm256_add_epi32, _mm256_add_epi64, _mm256_add_pd, _mm256_and_pd, _mm256_and_si256,
    _mm256_blend_epi32, _mm256_blendv_pd, _mm256_castpd_si256, _mm256_castsi256_pd, _mm256_cmp_pd, _mm256_cmpgt_epi64,
    _mm256_fmadd_pd, _mm256_fmsub_pd, _mm256_fnmadd_pd, _mm256_loadu_pd, _mm256_loadu_si256, _mm256_min_epu32,
    _mm256_mul_epu32, _mm256_mul_pd, _mm256_mullo_epi32, _mm256_or_si256, _mm256_permute2x128_si256, _mm256_set1_epi32,
    _mm256_set1_epi64x, _mm256_set1_pd, _mm256_setzero_pd, _mm256_setzero_si256, _mm256_shuffle_epi32,
    _mm256_slli_epi64, _mm256_srli_epi64, _mm256_storeu_pd, _mm256_storeu_si256, _mm256_sub_epi32, _mm256_sub_epi64,
    _mm256_sub_pd, _mm256_unpackhi_epi32, _mm256_unpackhi_epi64, _mm256_unpacklo_epi32, _mm256_unpacklo_epi64,
    _mm256_xor_si256,
};

use super::floating::Doubles;
use super::word32::Words;
use super::word64::WideWords;

/// Eight words.
#[derive(Clone, Copy)]
pub(super) struct U32x8(__m256i);

/// The odd words in the places of the even ones.
#[inline(always)]
fn odd(x: __m256i) -> __m256i {
    // SAFETY: the argument exists, so AVX2 does.
    unsafe { _mm256_shuffle_epi32::<0b11_11_01_01>(x) }
}

impl Words for U32x8 {
    /// The even multipliers and, in their places, the odd ones.
    type Multiplier = (__m256i, __m256i);
    const LOG_LANES: u32 = 3;
    const LOG_ROWS: u32 = 3;

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
    unsafe fn splat(word: u32) -> Self {
        // SAFETY: the caller vouches for the instruction set.
        Self(unsafe { _mm256_set1_epi32(word as i32) })
    }

    #[inline(always)]
    unsafe fn splat_multiplier(word: u32) -> Self::Multiplier {
        // SAFETY: the caller vouches for the instruction set.
        let all = unsafe { Self::splat(word) }.0;
        (all, all)
    }

    #[inline(always)]
    fn multiplier(self) -> Self::Multiplier {
        (self.0, odd(self.0))
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
    fn high_product(self, by: Self::Multiplier) -> Self {
        // SAFETY: the values exist.
        unsafe {
            let (even, odd_ones) = (_mm256_mul_epu32(self.0, by.0), _mm256_mul_epu32(odd(self.0), by.1));
            Self(_mm256_blend_epi32::<0b1010_1010>(odd(even), odd_ones))
        }
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

/// Four words of 64 bits.
#[derive(Clone, Copy)]
pub(super) struct U64x4(__m256i);

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
    const LOG_ROWS: u32 = 3;

    #[inline(always)]
    unsafe fn load(from: *const u64) -> Self {
        // SAFETY: the caller vouches for the instruction set and the words.
        Self(unsafe { _mm256_loadu_si256(from.cast()) })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u64) {
        // SAFETY: the caller vouches for the words.
        unsafe { _mm256_storeu_si256(to.cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn splat(word: u64) -> Self {
        // SAFETY: the caller vouches for the instruction set.
        Self(unsafe { _mm256_set1_epi64x(word as i64) })
    }

    #[inline(always)]
    unsafe fn splat_half(half: u32) -> Self {
        // SAFETY: the caller vouches for the instruction set.
        Self(unsafe { _mm256_set1_epi32(half as i32) })
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm256_add_epi64(self.0, other.0) })
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm256_sub_epi64(self.0, other.0) })
    }

    #[inline(always)]
    fn half_product(self, other: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm256_mul_epu32(self.0, other.0) })
    }

    #[inline(always)]
    fn high_in_low(self) -> Self {
        Self(odd(self.0))
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
    fn below(self, high: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm256_blend_epi32::<0b1010_1010>(self.0, _mm256_slli_epi64::<32>(high.0)) })
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
            let unlike = _mm256_mullo_epi32(self.0, _mm256_shuffle_epi32::<0b10_11_00_01>(other.0));
            let high = _mm256_blend_epi32::<0b1010_1010>(_mm256_setzero_si256(), unlike);
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
            let swapped = |x: Self| _mm256_shuffle_epi32::<0b10_11_00_01>(x.0);
            let low = _mm256_sub_epi64(_mm256_mul_epu32(self.0, w.0), _mm256_mul_epu32(q.0, p.0));
            let unlike = _mm256_sub_epi32(_mm256_mullo_epi32(self.0, swapped(w)), _mm256_mullo_epi32(q.0, swapped(p)));
            // Only the high halves count: the low ones of this sum are the low ones of `low`.
            let other = _mm256_slli_epi64::<32>(unlike);
            let high = _mm256_blend_epi32::<0b1010_1010>(_mm256_setzero_si256(), unlike);
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
#[derive(Clone, Copy)]
pub(super) struct F64x4(__m256d);

impl Doubles for F64x4 {
    const LOG_LANES: u32 = 2;
    const LOG_ROWS: u32 = 3;

    #[inline(always)]
    unsafe fn load(from: *const u64) -> Self {
        // SAFETY: the caller vouches for the instruction set and the words.
        Self(unsafe { _mm256_loadu_pd(from.cast()) })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u64) {
        // SAFETY: the caller vouches for the words.
        unsafe { _mm256_storeu_pd(to.cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn splat(x: f64) -> Self {
        // SAFETY: the caller vouches for the instruction set.
        Self(unsafe { _mm256_set1_pd(x) })
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm256_add_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm256_sub_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        // SAFETY: the values exist.
        Self(unsafe { _mm256_mul_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn times_plus(self, other: Self, plus: Self) -> Self {
        // SAFETY: the values exist, and with AVX2 this crate detects FMA.
        Self(unsafe { _mm256_fmadd_pd(self.0, other.0, plus.0) })
    }

    #[inline(always)]
    fn times_minus(self, other: Self, minus: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_fmsub_pd(self.0, other.0, minus.0) })
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
    fn bits_or(self, other: Self) -> Self {
        // SAFETY: the values exist.
        unsafe {
            let bits = _mm256_or_si256(_mm256_castpd_si256(self.0), _mm256_castpd_si256(other.0));
            Self(_mm256_castsi256_pd(bits))
        }
    }

    #[inline(always)]
    fn bits_xor(self, other: Self) -> Self {
        // SAFETY: the values exist.
        unsafe {
            let bits = _mm256_xor_si256(_mm256_castpd_si256(self.0), _mm256_castpd_si256(other.0));
            Self(_mm256_castsi256_pd(bits))
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
