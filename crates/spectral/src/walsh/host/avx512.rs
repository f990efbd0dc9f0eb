//! Vectors of 64 bytes, a whole cache line: AVX-512F.

#![allow(clippy::cast_ptr_alignment)] // the loads and stores take any alignment

use std::arch::x86_64::{
    __m128i, __m512, __m512d, __m512i, _mm_cvtsi32_si128, _mm_cvtsi64_si128, _mm512_add_epi32, _mm512_add_epi64,
    _mm512_add_pd, _mm512_add_ps, _mm512_and_si512, _mm512_castpd_ps, _mm512_castps_pd, _mm512_castps_si512,
    _mm512_castsi512_ps, _mm512_fmadd_pd, _mm512_fmadd_ps, _mm512_loadu_pd, _mm512_loadu_ps, _mm512_loadu_si512,
    _mm512_mask_permute_ps, _mm512_mask_shuffle_f32x4, _mm512_mask_sub_epi32, _mm512_mask_sub_epi64, _mm512_mul_pd,
    _mm512_mul_ps, _mm512_permute_ps, _mm512_set1_epi64, _mm512_set1_pd, _mm512_set1_ps, _mm512_setr_pd,
    _mm512_setr_ps, _mm512_shuffle_f32x4, _mm512_sll_epi64, _mm512_sra_epi32, _mm512_sra_epi64, _mm512_storeu_pd,
    _mm512_storeu_ps, _mm512_storeu_si512, _mm512_sub_epi32, _mm512_sub_epi64, _mm512_sub_pd, _mm512_sub_ps,
    _mm512_unpackhi_pd, _mm512_unpacklo_pd, _mm512_xor_si512,
};

use super::vector::{Vector, Words};
use crate::number::Number;

/// Sixteen `f32`.
#[derive(Clone, Copy)]
pub struct F32x16(__m512);
/// Sixteen `i32`.
#[derive(Clone, Copy)]
pub struct I32x16(__m512i);
/// Eight `f64`.
#[derive(Clone, Copy)]
pub struct F64x8(__m512d);
/// Eight `i64`.
#[derive(Clone, Copy)]
pub struct I64x8(__m512i);

/// The value with lanes of 4 bytes that are `2^log_stride` apart swapped.
#[inline(always)]
fn swap_4(x: __m512, log_stride: u32) -> __m512 {
    // SAFETY: the argument exists, so AVX-512F does.
    unsafe {
        match log_stride {
            0 => _mm512_permute_ps::<0b10_11_00_01>(x),
            1 => _mm512_permute_ps::<0b01_00_11_10>(x),
            2 => _mm512_shuffle_f32x4::<0b10_11_00_01>(x, x),
            _ => _mm512_shuffle_f32x4::<0b01_00_11_10>(x, x),
        }
    }
}

/// [`Vector::exchange`] for lanes of 4 bytes.
#[inline(always)]
fn exchange_4(a: __m512, b: __m512, log_stride: u32) -> (__m512, __m512) {
    // SAFETY: the arguments exist, so AVX-512F does.
    unsafe {
        match log_stride {
            0 => (
                _mm512_mask_permute_ps::<0b10_10_00_00>(a, 0xAAAA, b),
                _mm512_mask_permute_ps::<0b11_11_01_01>(b, 0x5555, a),
            ),
            1 => {
                let (a, b) = (_mm512_castps_pd(a), _mm512_castps_pd(b));
                (_mm512_castpd_ps(_mm512_unpacklo_pd(a, b)), _mm512_castpd_ps(_mm512_unpackhi_pd(a, b)))
            }
            2 => (
                _mm512_mask_shuffle_f32x4::<0b10_10_00_00>(a, 0xF0F0, b, b),
                _mm512_mask_shuffle_f32x4::<0b11_11_01_01>(b, 0x0F0F, a, a),
            ),
            _ => (_mm512_shuffle_f32x4::<0b01_00_01_00>(a, b), _mm512_shuffle_f32x4::<0b11_10_11_10>(a, b)),
        }
    }
}

/// The operations that differ in the names of the intrinsics only; lanes of 8 bytes are pairs of lanes of 4, so that their
/// strides count one more.
macro_rules! common {
    ($scalar:ty, $log_lanes:literal, $load:ident, $store:ident, $cast:ty, $plus:ident, $minus:ident, $to:expr, $from:expr) => {
        type Scalar = $scalar;
        const LOG_LANES: u32 = $log_lanes;
        const LOG_RADIX: u32 = 4;
        const AVX512: bool = true;

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
            // SAFETY: the operands exist, so AVX-512F does.
            Self(unsafe { $plus(self.0, other.0) })
        }

        #[inline(always)]
        fn minus(self, other: Self) -> Self {
            // SAFETY: the operands exist, so AVX-512F does.
            Self(unsafe { $minus(self.0, other.0) })
        }

        #[inline(always)]
        fn reversed(self) -> Self {
            // SAFETY: the operand exists, so AVX-512F does.
            unsafe {
                let mut x = $to(self.0);
                if $log_lanes == 4 {
                    x = swap_4(x, 0);
                }
                Self($from(swap_4(swap_4(swap_4(x, 1), 2), 3)))
            }
        }

        #[inline(always)]
        fn exchange<const LOG_STRIDE: u32>(self, other: Self) -> (Self, Self) {
            // SAFETY: the operands exist, so AVX-512F does.
            unsafe {
                let (a, b) = exchange_4($to(self.0), $to(other.0), LOG_STRIDE + (4 - $log_lanes));
                (Self($from(a)), Self($from(b)))
            }
        }
    };
}

/// No cast, where the others need one.
///
/// # Safety
/// Always safe; marked as the intrinsics that it stands for.
#[inline(always)]
unsafe fn same(x: __m512) -> __m512 {
    x
}

impl Vector for F32x16 {
    type Factor = __m512;
    common!(f32, 4, _mm512_loadu_ps, _mm512_storeu_ps, f32, _mm512_add_ps, _mm512_sub_ps, same, same);

    #[inline(always)]
    fn lane_butterfly<const LOG_STRIDE: u32>(self) -> Self {
        // SAFETY: the operand exists, so AVX-512F does. The product with a sign is exact, so that the fused
        // operation rounds as the sum or difference does.
        unsafe {
            let signs = match LOG_STRIDE {
                0 => _mm512_setr_ps(1., -1., 1., -1., 1., -1., 1., -1., 1., -1., 1., -1., 1., -1., 1., -1.),
                1 => _mm512_setr_ps(1., 1., -1., -1., 1., 1., -1., -1., 1., 1., -1., -1., 1., 1., -1., -1.),
                2 => _mm512_setr_ps(1., 1., 1., 1., -1., -1., -1., -1., 1., 1., 1., 1., -1., -1., -1., -1.),
                _ => _mm512_setr_ps(1., 1., 1., 1., 1., 1., 1., 1., -1., -1., -1., -1., -1., -1., -1., -1.),
            };
            let partner = same(swap_4(same(self.0), LOG_STRIDE));
            Self(_mm512_fmadd_ps(self.0, signs, partner))
        }
    }

    #[inline(always)]
    unsafe fn factor(log: u32) -> __m512 {
        // SAFETY: the caller vouches for the instruction set.
        unsafe { _mm512_set1_ps(1.0_f32.divide_by_power(log)) }
    }

    #[inline(always)]
    fn scaled(self, factor: __m512) -> Self {
        // SAFETY: the operand exists, so AVX-512F does.
        Self(unsafe { _mm512_mul_ps(self.0, factor) })
    }
}

impl Vector for F64x8 {
    type Factor = __m512d;
    common!(
        f64,
        3,
        _mm512_loadu_pd,
        _mm512_storeu_pd,
        f64,
        _mm512_add_pd,
        _mm512_sub_pd,
        _mm512_castpd_ps,
        _mm512_castps_pd
    );

    #[inline(always)]
    fn lane_butterfly<const LOG_STRIDE: u32>(self) -> Self {
        // SAFETY: the operand exists, so AVX-512F does. The product with a sign is exact, so that the fused
        // operation rounds as the sum or difference does.
        unsafe {
            let signs = match LOG_STRIDE {
                0 => _mm512_setr_pd(1., -1., 1., -1., 1., -1., 1., -1.),
                1 => _mm512_setr_pd(1., 1., -1., -1., 1., 1., -1., -1.),
                _ => _mm512_setr_pd(1., 1., 1., 1., -1., -1., -1., -1.),
            };
            let partner = _mm512_castps_pd(swap_4(_mm512_castpd_ps(self.0), LOG_STRIDE + 1));
            Self(_mm512_fmadd_pd(self.0, signs, partner))
        }
    }

    #[inline(always)]
    unsafe fn factor(log: u32) -> __m512d {
        // SAFETY: the caller vouches for the instruction set.
        unsafe { _mm512_set1_pd(1.0_f64.divide_by_power(log)) }
    }

    #[inline(always)]
    fn scaled(self, factor: __m512d) -> Self {
        // SAFETY: the operand exists, so AVX-512F does.
        Self(unsafe { _mm512_mul_pd(self.0, factor) })
    }
}

impl Vector for I32x16 {
    type Factor = __m128i;
    common!(
        i32,
        4,
        _mm512_loadu_si512,
        _mm512_storeu_si512,
        __m512i,
        _mm512_add_epi32,
        _mm512_sub_epi32,
        _mm512_castsi512_ps,
        _mm512_castps_si512
    );

    #[inline(always)]
    fn lane_butterfly<const LOG_STRIDE: u32>(self) -> Self {
        // SAFETY: the operand exists, so AVX-512F does.
        unsafe {
            let upper = match LOG_STRIDE {
                0 => 0b1010_1010_1010_1010,
                1 => 0b1100_1100_1100_1100,
                2 => 0b1111_0000_1111_0000,
                _ => 0b1111_1111_0000_0000,
            };
            let partner = _mm512_castps_si512(swap_4(_mm512_castsi512_ps(self.0), LOG_STRIDE));
            let sum = _mm512_add_epi32(self.0, partner);
            Self(_mm512_mask_sub_epi32(sum, upper, partner, self.0))
        }
    }

    #[inline(always)]
    unsafe fn factor(log: u32) -> __m128i {
        // SAFETY: the caller vouches for the instruction set. Counts past the width fill with the sign.
        unsafe { _mm_cvtsi32_si128(log as i32) }
    }

    #[inline(always)]
    fn scaled(self, factor: __m128i) -> Self {
        // SAFETY: the operand exists, so AVX-512F does.
        Self(unsafe { _mm512_sra_epi32(self.0, factor) })
    }
}

impl Vector for I64x8 {
    type Factor = __m128i;
    common!(
        i64,
        3,
        _mm512_loadu_si512,
        _mm512_storeu_si512,
        __m512i,
        _mm512_add_epi64,
        _mm512_sub_epi64,
        _mm512_castsi512_ps,
        _mm512_castps_si512
    );

    #[inline(always)]
    fn lane_butterfly<const LOG_STRIDE: u32>(self) -> Self {
        // SAFETY: the operand exists, so AVX-512F does.
        unsafe {
            let upper = match LOG_STRIDE {
                0 => 0b1010_1010,
                1 => 0b1100_1100,
                _ => 0b1111_0000,
            };
            let partner = _mm512_castps_si512(swap_4(_mm512_castsi512_ps(self.0), LOG_STRIDE + 1));
            let sum = _mm512_add_epi64(self.0, partner);
            Self(_mm512_mask_sub_epi64(sum, upper, partner, self.0))
        }
    }

    #[inline(always)]
    unsafe fn factor(log: u32) -> __m128i {
        // SAFETY: the caller vouches for the instruction set. Counts past the width fill with the sign.
        unsafe { _mm_cvtsi32_si128(log as i32) }
    }

    #[inline(always)]
    fn scaled(self, factor: __m128i) -> Self {
        // SAFETY: the operand exists, so AVX-512F does.
        Self(unsafe { _mm512_sra_epi64(self.0, factor) })
    }
}

impl Words for I64x8 {
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: the operands exist, so AVX-512F does.
        Self(unsafe { _mm512_xor_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn xor_shifted<const SHIFT: u32>(self, mask: i64) -> Self {
        // SAFETY: the operand exists, so AVX-512F does.
        unsafe {
            let part = _mm512_and_si512(self.0, _mm512_set1_epi64(mask));
            Self(_mm512_xor_si512(self.0, _mm512_sll_epi64(part, _mm_cvtsi64_si128(i64::from(SHIFT)))))
        }
    }
}
