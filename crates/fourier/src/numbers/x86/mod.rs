//! Vectors of real numbers with AVX-512 or AVX2 and fused multiply-adds, and of residues of 32 bits with AVX2.
//!
//! | file | what |
//! |---|---|
//! | `mod` | real numbers |
//! | `pairs_f32`, `pairs_f64` | complex numbers between memory and vectors with AVX2 |
//! | `wide_f32`, `wide_f64` | the same with AVX-512 |
//! | `words` | residues |

use std::arch::x86_64::{
    __m256, __m256d, __m512, __m512d, _mm256_add_pd, _mm256_add_ps, _mm256_fmadd_pd, _mm256_fmadd_ps, _mm256_fnmadd_pd,
    _mm256_fnmadd_ps, _mm256_loadu_pd, _mm256_loadu_ps, _mm256_mul_pd, _mm256_mul_ps, _mm256_set1_pd, _mm256_set1_ps,
    _mm256_storeu_pd, _mm256_storeu_ps, _mm256_sub_pd, _mm256_sub_ps, _mm256_xor_pd, _mm256_xor_ps, _mm512_add_pd,
    _mm512_add_ps, _mm512_fmadd_pd, _mm512_fmadd_ps, _mm512_fnmadd_pd, _mm512_fnmadd_ps, _mm512_loadu_pd,
    _mm512_loadu_ps, _mm512_mul_pd, _mm512_mul_ps, _mm512_set1_pd, _mm512_set1_ps, _mm512_storeu_pd, _mm512_storeu_ps,
    _mm512_sub_pd, _mm512_sub_ps, _mm512_xor_pd, _mm512_xor_ps,
};

use manycore_characters::Complexes;

use super::engine::{MOST_BLOCK, Task};
use super::planes::{Planes, Real};

mod pairs_f32;
mod pairs_f64;
mod wide_f32;
mod wide_f64;
pub(super) mod words;

/// Whether the processor has both instruction sets.
pub(super) fn fused() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
}

/// Whether the processor has AVX-512 too.
pub(super) fn wide() -> bool {
    fused()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512bw")
}

/// # Safety
/// The processor has all of [`wide`].
#[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma")]
pub(super) unsafe fn with_wide_f32<T: Task<Complexes<f32>>>(task: T) {
    // SAFETY: the caller has the instruction sets.
    unsafe { task.run(Planes::<F32x16>::new()) }
}

/// # Safety
/// The processor has all of [`wide`].
#[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma")]
pub(super) unsafe fn with_wide_f64<T: Task<Complexes<f64>>>(task: T) {
    // SAFETY: the caller has the instruction sets.
    unsafe { task.run(Planes::<F64x8>::new()) }
}

/// # Safety
/// The processor has AVX2 and FMA.
#[target_feature(enable = "avx2,fma")]
pub(super) unsafe fn with_f32<T: Task<Complexes<f32>>>(task: T) {
    // SAFETY: the caller has the instruction sets.
    unsafe { task.run(Planes::<F32x8>::new()) }
}

/// # Safety
/// The processor has AVX2 and FMA.
#[target_feature(enable = "avx2,fma")]
pub(super) unsafe fn with_f64<T: Task<Complexes<f64>>>(task: T) {
    // SAFETY: the caller has the instruction sets.
    unsafe { task.run(Planes::<F64x4>::new()) }
}

macro_rules! vector {
    ($(#[$doc:meta])* $name:ident, $part:ty, $lanes:literal, $vector:ty, $load:ident, $store:ident, $all:ident, $add:ident,
     $sub:ident, $mul:ident, $fma:ident, $fnma:ident, $xor:ident, $pairs:ident, $block:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(super) struct $name($vector);

        impl Real for $name {
            type Part = $part;
            const LANES: usize = $lanes;

            #[inline(always)]
            unsafe fn load(at: *const $part) -> Self {
                // SAFETY: the caller vouches for the instruction set and the numbers.
                Self(unsafe { $load(at) })
            }
            #[inline(always)]
            unsafe fn store(self, at: *mut $part) {
                // SAFETY: the caller vouches for the numbers.
                unsafe { $store(at, self.0) }
            }
            #[inline(always)]
            unsafe fn all(x: $part) -> Self {
                // SAFETY: the caller vouches for the instruction set.
                Self(unsafe { $all(x) })
            }
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                // SAFETY: the values exist.
                Self(unsafe { $add(self.0, other.0) })
            }
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                // SAFETY: the values exist.
                Self(unsafe { $sub(self.0, other.0) })
            }
            #[inline(always)]
            fn times(self, other: Self) -> Self {
                // SAFETY: the values exist.
                Self(unsafe { $mul(self.0, other.0) })
            }
            #[inline(always)]
            fn times_plus(self, b: Self, c: Self) -> Self {
                // SAFETY: the values exist.
                Self(unsafe { $fma(self.0, b.0, c.0) })
            }
            #[inline(always)]
            fn times_from(self, b: Self, c: Self) -> Self {
                // SAFETY: the values exist.
                Self(unsafe { $fnma(self.0, b.0, c.0) })
            }
            #[inline(always)]
            fn negative(self) -> Self {
                // SAFETY: the value exists.
                Self(unsafe { $xor(self.0, $all(-0.0)) })
            }

            #[inline(always)]
            fn reversed(self) -> Self {
                // SAFETY: the value exists.
                Self(unsafe { $pairs::reversed(self.0) })
            }

            const BLOCK: usize = $block;

            #[inline(always)]
            unsafe fn read(from: *const [$part; 2]) -> (Self, Self) {
                // SAFETY: the caller vouches for the instruction set and the pairs.
                let (re, im) = unsafe { $pairs::read(from.cast()) };
                (Self(re), Self(im))
            }
            #[inline(always)]
            unsafe fn write(to: *mut [$part; 2], (re, im): (Self, Self)) {
                // SAFETY: the caller vouches for the pairs.
                unsafe { $pairs::write(to.cast(), re.0, im.0) }
            }
            #[inline(always)]
            unsafe fn read_columns(from: *const [$part; 2], apart: usize) -> [(Self, Self); MOST_BLOCK] {
                // SAFETY: the caller vouches for the instruction set and the pairs.
                unsafe {
                    let pairs = $pairs::read_columns(from.cast(), 2 * apart);
                    // A loop: closures on arrays are not always compiled for the instruction set.
                    let mut rows = [(Self(pairs[0].0), Self(pairs[0].1)); MOST_BLOCK];
                    for (row, (re, im)) in rows.iter_mut().zip(pairs) {
                        *row = (Self(re), Self(im));
                    }
                    rows
                }
            }
            #[inline(always)]
            unsafe fn write_columns(to: *mut [$part; 2], apart: usize, rows: [(Self, Self); MOST_BLOCK]) {
                // SAFETY: the caller vouches for the pairs.
                unsafe {
                    let mut pairs = [(rows[0].0.0, rows[0].1.0); MOST_BLOCK];
                    for (pair, (re, im)) in pairs.iter_mut().zip(rows) {
                        *pair = (re.0, im.0);
                    }
                    $pairs::write_columns(to.cast(), 2 * apart, pairs);
                }
            }
        }
    };
}

vector!(
    /// Eight numbers.
    F32x8, f32, 8, __m256, _mm256_loadu_ps, _mm256_storeu_ps, _mm256_set1_ps, _mm256_add_ps, _mm256_sub_ps,
    _mm256_mul_ps, _mm256_fmadd_ps, _mm256_fnmadd_ps, _mm256_xor_ps, pairs_f32, 4
);
vector!(
    /// Four numbers.
    F64x4, f64, 4, __m256d, _mm256_loadu_pd, _mm256_storeu_pd, _mm256_set1_pd, _mm256_add_pd, _mm256_sub_pd,
    _mm256_mul_pd, _mm256_fmadd_pd, _mm256_fnmadd_pd, _mm256_xor_pd, pairs_f64, 2
);
vector!(
    /// Sixteen numbers.
    F32x16, f32, 16, __m512, _mm512_loadu_ps, _mm512_storeu_ps, _mm512_set1_ps, _mm512_add_ps, _mm512_sub_ps,
    _mm512_mul_ps, _mm512_fmadd_ps, _mm512_fnmadd_ps, _mm512_xor_ps, wide_f32, 8
);
vector!(
    /// Eight numbers.
    F64x8, f64, 8, __m512d, _mm512_loadu_pd, _mm512_storeu_pd, _mm512_set1_pd, _mm512_add_pd, _mm512_sub_pd,
    _mm512_mul_pd, _mm512_fmadd_pd, _mm512_fnmadd_pd, _mm512_xor_pd, wide_f64, 4
);
