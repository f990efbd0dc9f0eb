//! Vectors of 32 bytes: AVX2 with fused multiply-add.

#![allow(clippy::cast_ptr_alignment)] // the loads and stores take any alignment

use std::arch::x86_64::{
    __m128i, __m256, __m256d, __m256i, _mm_cvtsi32_si128, _mm_cvtsi64_si128, _mm256_add_epi32, _mm256_add_epi64,
    _mm256_add_pd, _mm256_add_ps, _mm256_and_si256, _mm256_blend_epi32, _mm256_blend_ps, _mm256_castpd_ps,
    _mm256_castpd_si256, _mm256_castps_pd, _mm256_castps_si256, _mm256_castsi256_pd, _mm256_castsi256_ps,
    _mm256_fmadd_pd, _mm256_fmadd_ps, _mm256_loadu_pd, _mm256_loadu_ps, _mm256_loadu_si256, _mm256_movehdup_ps,
    _mm256_moveldup_ps, _mm256_mul_pd, _mm256_mul_ps, _mm256_permute_pd, _mm256_permute_ps, _mm256_permute2f128_ps,
    _mm256_set1_epi64x, _mm256_set1_pd, _mm256_set1_ps, _mm256_setr_epi32, _mm256_setr_pd, _mm256_setr_ps,
    _mm256_sign_epi32, _mm256_sll_epi64, _mm256_sra_epi32, _mm256_srl_epi64, _mm256_storeu_pd, _mm256_storeu_ps,
    _mm256_storeu_si256, _mm256_sub_epi32, _mm256_sub_epi64, _mm256_sub_pd, _mm256_sub_ps, _mm256_unpackhi_pd,
    _mm256_unpacklo_pd, _mm256_xor_si256,
};

use super::vector::{Vector, Words};
use crate::number::Number;

/// Eight `f32`.
#[derive(Clone, Copy)]
pub struct F32x8(__m256);
/// Eight `i32`.
#[derive(Clone, Copy)]
pub struct I32x8(__m256i);
/// Four `f64`.
#[derive(Clone, Copy)]
pub struct F64x4(__m256d);
/// Four `i64`.
#[derive(Clone, Copy)]
pub struct I64x4(__m256i);

/// The value with lanes of 4 bytes that are `2^LOG_STRIDE` apart swapped.
#[inline(always)]
fn swap_4<const LOG_STRIDE: u32>(x: __m256) -> __m256 {
    // SAFETY: the argument exists, so AVX2 does.
    unsafe {
        match LOG_STRIDE {
            0 => _mm256_permute_ps::<0b10_11_00_01>(x),
            1 => _mm256_permute_ps::<0b01_00_11_10>(x),
            _ => _mm256_permute2f128_ps::<0x01>(x, x),
        }
    }
}

/// The value with lanes of 8 bytes that are `2^LOG_STRIDE` apart swapped.
#[inline(always)]
fn swap_8<const LOG_STRIDE: u32>(x: __m256d) -> __m256d {
    // SAFETY: the argument exists, so AVX2 does.
    unsafe {
        match LOG_STRIDE {
            0 => _mm256_permute_pd::<0b0101>(x),
            _ => _mm256_castps_pd(swap_4::<2>(_mm256_castpd_ps(x))),
        }
    }
}

/// [`Vector::exchange`] for lanes of 4 bytes.
#[inline(always)]
fn exchange_4<const LOG_STRIDE: u32>(a: __m256, b: __m256) -> (__m256, __m256) {
    // SAFETY: the arguments exist, so AVX2 does.
    unsafe {
        match LOG_STRIDE {
            0 => (
                _mm256_blend_ps::<0b1010_1010>(a, _mm256_moveldup_ps(b)),
                _mm256_blend_ps::<0b1010_1010>(_mm256_movehdup_ps(a), b),
            ),
            1 => {
                let (a, b) = (_mm256_castps_pd(a), _mm256_castps_pd(b));
                (_mm256_castpd_ps(_mm256_unpacklo_pd(a, b)), _mm256_castpd_ps(_mm256_unpackhi_pd(a, b)))
            }
            _ => (_mm256_permute2f128_ps::<0x20>(a, b), _mm256_permute2f128_ps::<0x31>(a, b)),
        }
    }
}

/// [`Vector::exchange`] for lanes of 8 bytes.
#[inline(always)]
fn exchange_8<const LOG_STRIDE: u32>(a: __m256d, b: __m256d) -> (__m256d, __m256d) {
    // SAFETY: the arguments exist, so AVX2 does.
    unsafe {
        let (a, b) = (_mm256_castpd_ps(a), _mm256_castpd_ps(b));
        let (a, b) = if LOG_STRIDE == 0 { exchange_4::<1>(a, b) } else { exchange_4::<2>(a, b) };
        (_mm256_castps_pd(a), _mm256_castps_pd(b))
    }
}

/// The operations that differ in the names of the intrinsics only.
macro_rules! common {
    ($scalar:ty, $log_lanes:literal, $load:ident, $store:ident, $cast:ty, $plus:ident, $minus:ident) => {
        type Scalar = $scalar;
        const LOG_LANES: u32 = $log_lanes;
        const LOG_RADIX: u32 = 3;
        const AVX2: bool = true;

        #[inline(always)]
        unsafe fn load(from: *const $scalar) -> Self {
            // SAFETY: the caller vouches for the instruction set and the memory.
            Self(unsafe { $load(from.cast::<$cast>()) })
        }

        #[inline(always)]
        unsafe fn store(self, to: *mut $scalar) {
            // SAFETY: the caller vouches for the memory.
            unsafe { $store(to.cast::<$cast>(), self.0) }
        }

        #[inline(always)]
        fn plus(self, other: Self) -> Self {
            // SAFETY: the operands exist, so AVX2 does.
            Self(unsafe { $plus(self.0, other.0) })
        }

        #[inline(always)]
        fn minus(self, other: Self) -> Self {
            // SAFETY: the operands exist, so AVX2 does.
            Self(unsafe { $minus(self.0, other.0) })
        }
    };
}

impl Vector for F32x8 {
    type Factor = __m256;
    common!(f32, 3, _mm256_loadu_ps, _mm256_storeu_ps, f32, _mm256_add_ps, _mm256_sub_ps);

    #[inline(always)]
    fn lane_butterfly<const LOG_STRIDE: u32>(self) -> Self {
        // SAFETY: the operand exists, so AVX2 does. The product with a sign is exact, so that the fused
        // operation rounds as the sum or difference does.
        unsafe {
            let signs = match LOG_STRIDE {
                0 => _mm256_setr_ps(1., -1., 1., -1., 1., -1., 1., -1.),
                1 => _mm256_setr_ps(1., 1., -1., -1., 1., 1., -1., -1.),
                _ => _mm256_setr_ps(1., 1., 1., 1., -1., -1., -1., -1.),
            };
            Self(_mm256_fmadd_ps(self.0, signs, swap_4::<LOG_STRIDE>(self.0)))
        }
    }

    #[inline(always)]
    fn exchange<const LOG_STRIDE: u32>(self, other: Self) -> (Self, Self) {
        let (a, b) = exchange_4::<LOG_STRIDE>(self.0, other.0);
        (Self(a), Self(b))
    }

    #[inline(always)]
    fn reversed(self) -> Self {
        Self(swap_4::<2>(swap_4::<1>(swap_4::<0>(self.0))))
    }

    #[inline(always)]
    unsafe fn factor(log: u32) -> __m256 {
        // SAFETY: the caller vouches for the instruction set.
        unsafe { _mm256_set1_ps(1.0_f32.divide_by_power(log)) }
    }

    #[inline(always)]
    fn scaled(self, factor: __m256) -> Self {
        // SAFETY: the operand exists, so AVX2 does.
        Self(unsafe { _mm256_mul_ps(self.0, factor) })
    }
}

impl Vector for I32x8 {
    type Factor = __m128i;
    common!(i32, 3, _mm256_loadu_si256, _mm256_storeu_si256, __m256i, _mm256_add_epi32, _mm256_sub_epi32);

    #[inline(always)]
    fn lane_butterfly<const LOG_STRIDE: u32>(self) -> Self {
        // SAFETY: the operand exists, so AVX2 does.
        unsafe {
            let signs = match LOG_STRIDE {
                0 => _mm256_setr_epi32(1, -1, 1, -1, 1, -1, 1, -1),
                1 => _mm256_setr_epi32(1, 1, -1, -1, 1, 1, -1, -1),
                _ => _mm256_setr_epi32(1, 1, 1, 1, -1, -1, -1, -1),
            };
            let partner = _mm256_castps_si256(swap_4::<LOG_STRIDE>(_mm256_castsi256_ps(self.0)));
            Self(_mm256_add_epi32(partner, _mm256_sign_epi32(self.0, signs)))
        }
    }

    #[inline(always)]
    fn exchange<const LOG_STRIDE: u32>(self, other: Self) -> (Self, Self) {
        // SAFETY: the operands exist, so AVX2 does.
        unsafe {
            let (a, b) = exchange_4::<LOG_STRIDE>(_mm256_castsi256_ps(self.0), _mm256_castsi256_ps(other.0));
            (Self(_mm256_castps_si256(a)), Self(_mm256_castps_si256(b)))
        }
    }

    #[inline(always)]
    fn reversed(self) -> Self {
        // SAFETY: the operand exists, so AVX2 does; so for the cast back.
        unsafe { Self(_mm256_castps_si256(swap_4::<2>(swap_4::<1>(swap_4::<0>(_mm256_castsi256_ps(self.0)))))) }
    }

    #[inline(always)]
    unsafe fn factor(log: u32) -> __m128i {
        // SAFETY: the caller vouches for the instruction set. Counts past the width fill with the sign.
        unsafe { _mm_cvtsi32_si128(log as i32) }
    }

    #[inline(always)]
    fn scaled(self, factor: __m128i) -> Self {
        // SAFETY: the operand exists, so AVX2 does.
        Self(unsafe { _mm256_sra_epi32(self.0, factor) })
    }
}

impl Vector for F64x4 {
    type Factor = __m256d;
    common!(f64, 2, _mm256_loadu_pd, _mm256_storeu_pd, f64, _mm256_add_pd, _mm256_sub_pd);

    #[inline(always)]
    fn lane_butterfly<const LOG_STRIDE: u32>(self) -> Self {
        // SAFETY: the operand exists, so AVX2 does; exact products as for `f32`.
        unsafe {
            let signs = match LOG_STRIDE {
                0 => _mm256_setr_pd(1., -1., 1., -1.),
                _ => _mm256_setr_pd(1., 1., -1., -1.),
            };
            Self(_mm256_fmadd_pd(self.0, signs, swap_8::<LOG_STRIDE>(self.0)))
        }
    }

    #[inline(always)]
    fn exchange<const LOG_STRIDE: u32>(self, other: Self) -> (Self, Self) {
        let (a, b) = exchange_8::<LOG_STRIDE>(self.0, other.0);
        (Self(a), Self(b))
    }

    #[inline(always)]
    fn reversed(self) -> Self {
        Self(swap_8::<1>(swap_8::<0>(self.0)))
    }

    #[inline(always)]
    unsafe fn factor(log: u32) -> __m256d {
        // SAFETY: the caller vouches for the instruction set.
        unsafe { _mm256_set1_pd(1.0_f64.divide_by_power(log)) }
    }

    #[inline(always)]
    fn scaled(self, factor: __m256d) -> Self {
        // SAFETY: the operand exists, so AVX2 does.
        Self(unsafe { _mm256_mul_pd(self.0, factor) })
    }
}

impl Vector for I64x4 {
    /// The count of a logical shift, and where that leaves the sign: AVX2 has no arithmetic shift of 64 bits.
    type Factor = (__m128i, __m256i);
    common!(i64, 2, _mm256_loadu_si256, _mm256_storeu_si256, __m256i, _mm256_add_epi64, _mm256_sub_epi64);

    #[inline(always)]
    fn lane_butterfly<const LOG_STRIDE: u32>(self) -> Self {
        // SAFETY: the operand exists, so AVX2 does.
        unsafe {
            let partner = _mm256_castpd_si256(swap_8::<LOG_STRIDE>(_mm256_castsi256_pd(self.0)));
            let (sum, difference) = (_mm256_add_epi64(self.0, partner), _mm256_sub_epi64(partner, self.0));
            Self(match LOG_STRIDE {
                0 => _mm256_blend_epi32::<0b1100_1100>(sum, difference),
                _ => _mm256_blend_epi32::<0b1111_0000>(sum, difference),
            })
        }
    }

    #[inline(always)]
    fn exchange<const LOG_STRIDE: u32>(self, other: Self) -> (Self, Self) {
        // SAFETY: the operands exist, so AVX2 does.
        unsafe {
            let (a, b) = exchange_8::<LOG_STRIDE>(_mm256_castsi256_pd(self.0), _mm256_castsi256_pd(other.0));
            (Self(_mm256_castpd_si256(a)), Self(_mm256_castpd_si256(b)))
        }
    }

    #[inline(always)]
    fn reversed(self) -> Self {
        // SAFETY: the operand exists, so AVX2 does; so for the cast back.
        unsafe { Self(_mm256_castpd_si256(swap_8::<1>(swap_8::<0>(_mm256_castsi256_pd(self.0))))) }
    }

    #[inline(always)]
    unsafe fn factor(log: u32) -> Self::Factor {
        let log = log.min(63);
        // SAFETY: the caller vouches for the instruction set.
        unsafe {
            (
                _mm_cvtsi32_si128(log as i32),
                _mm256_set1_epi64x(i64::MIN.cast_unsigned().wrapping_shr(log).cast_signed()),
            )
        }
    }

    #[inline(always)]
    fn scaled(self, (count, sign): Self::Factor) -> Self {
        // SAFETY: the operand exists, so AVX2 does.
        Self(unsafe { _mm256_sub_epi64(_mm256_xor_si256(_mm256_srl_epi64(self.0, count), sign), sign) })
    }
}

impl Words for I64x4 {
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: the operands exist, so AVX2 does.
        Self(unsafe { _mm256_xor_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn xor_shifted<const SHIFT: u32>(self, mask: i64) -> Self {
        // SAFETY: the operand exists, so AVX2 does.
        unsafe {
            let part = _mm256_and_si256(self.0, _mm256_set1_epi64x(mask));
            Self(_mm256_xor_si256(self.0, _mm256_sll_epi64(part, _mm_cvtsi64_si128(i64::from(SHIFT)))))
        }
    }
}
