//! SIMD vectors with the operations of the transform, and tasks for vectors of any kind.

use crate::number::Number;

/// A SIMD vector of the scalars `Self::Scalar`.
///
/// Values come from [`load`](Self::load) alone, which is unsafe where the instruction set is missing; the other
/// operations are safe because a value exists.
pub trait Vector: Copy {
    /// The element type.
    type Scalar: Number;
    /// What [`scaled`](Self::scaled) multiplies or shifts by.
    type Factor: Copy;
    /// The binary logarithm of the number of lanes.
    const LOG_LANES: u32;
    /// The number of lanes.
    const LANES: usize = 1 << Self::LOG_LANES;
    /// The binary logarithm of the largest radix whose butterfly fits the registers.
    const LOG_RADIX: u32;
    /// Whether inverse transforms divide.
    const SCALES: bool = true;
    /// Whether tasks that only move values are done with these vectors; [`WalshKind`](super::kind::WalshKind)'s are.
    const MOVES: bool = true;
    /// Whether the vectors need AVX2, with fused multiply-adds.
    const AVX2: bool = false;
    /// Whether the vectors need AVX-512F.
    const AVX512: bool = false;

    /// Reads `LANES` scalars, at any alignment.
    ///
    /// # Safety
    /// The instruction set is available and `LANES` scalars from `from` on are readable.
    unsafe fn load(from: *const Self::Scalar) -> Self;

    /// Writes the lanes, at any alignment.
    ///
    /// # Safety
    /// `LANES` scalars from `to` on are writable.
    unsafe fn store(self, to: *mut Self::Scalar);

    /// The lanewise sum, wrapping for integers.
    fn plus(self, other: Self) -> Self;

    /// The lanewise difference, wrapping for integers.
    fn minus(self, other: Self) -> Self;

    /// The two results of a butterfly: the sum and the difference but for the vectors of another transform.
    #[inline(always)]
    fn butterfly(self, other: Self) -> (Self, Self) {
        (self.plus(other), self.minus(other))
    }

    /// The butterfly of scalars.
    #[inline(always)]
    fn scalar_butterfly(u: Self::Scalar, v: Self::Scalar) -> (Self::Scalar, Self::Scalar) {
        (u.plus(v), u.minus(v))
    }

    /// What a transform does to each vector within its scalars, before any butterfly.
    #[must_use]
    #[inline(always)]
    fn entering(self) -> Self {
        self
    }

    /// The entering step of scalars.
    #[inline(always)]
    fn scalar_entering(value: Self::Scalar) -> Self::Scalar {
        value
    }

    /// The butterfly of lanes `2^LOG_STRIDE` apart: lane `i` and its partner hold its results.
    fn lane_butterfly<const LOG_STRIDE: u32>(self) -> Self;

    /// Exchanges the lanes of `self` whose bit `LOG_STRIDE` is set with the lanes of `other` where it is not: one
    /// step of a transposition.
    fn exchange<const LOG_STRIDE: u32>(self, other: Self) -> (Self, Self);

    /// The lanes in reverse order.
    fn reversed(self) -> Self;

    /// The factor `2^-log`.
    ///
    /// # Safety
    /// The instruction set is available.
    unsafe fn factor(log: u32) -> Self::Factor;

    /// Every lane divided by `2^log`, as [`Number::divide_by_power`].
    fn scaled(self, factor: Self::Factor) -> Self;
}

/// Vectors of words of 64 bits.
pub(crate) trait Words: Vector<Scalar = i64> {
    /// The exclusive or of the bits.
    fn xor(self, other: Self) -> Self;

    /// Every lane with the bits of `mask` in it shifted left and exclusively ored onto it: `x ^ ((x & mask) << SHIFT)`.
    fn xor_shifted<const SHIFT: u32>(self, mask: i64) -> Self;
}

/// Work that is written once and compiled for the vectors of each level.
pub(crate) trait Task {
    /// The element type.
    type Scalar: Number;

    /// Does the work with vectors of type `V`. Implementations are `#[inline(always)]`, so that the code is compiled
    /// for the instruction set of the caller.
    ///
    /// # Safety
    /// The instruction set of `V` is available, and what the fields of the task say of its memory is true.
    unsafe fn run<V: Vector<Scalar = Self::Scalar>>(self);
}

/// Does a task with vectors of type `V` in a function of its own, which is compiled once for all tasks that it is a part of.
///
/// # Safety
/// As for [`Task::run`].
#[inline(always)]
pub(super) unsafe fn apart<V: Vector, K: Task<Scalar = V::Scalar>>(task: K) {
    // SAFETY: the caller has the instruction set.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        if V::AVX512 {
            return apart_avx512::<V, K>(task);
        } else if V::AVX2 {
            return apart_avx2::<V, K>(task);
        }
        apart_portable::<V, K>(task);
    }
}

/// # Safety
/// The processor has AVX-512F, and so AVX2 and FMA.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2,fma")]
#[inline(never)]
unsafe fn apart_avx512<V: Vector, K: Task<Scalar = V::Scalar>>(task: K) {
    // SAFETY: the caller has the instruction set.
    unsafe { task.run::<V>() }
}

/// # Safety
/// The processor has AVX2 and FMA.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
#[inline(never)]
unsafe fn apart_avx2<V: Vector, K: Task<Scalar = V::Scalar>>(task: K) {
    // SAFETY: the caller has the instruction set.
    unsafe { task.run::<V>() }
}

/// # Safety
/// The vectors need no instruction set.
#[inline(never)]
unsafe fn apart_portable<V: Vector, K: Task<Scalar = V::Scalar>>(task: K) {
    // SAFETY: the caller's.
    unsafe { task.run::<V>() }
}

/// A task for vectors of words.
pub(crate) trait WordTask {
    /// Does the work with vectors of type `V`.
    ///
    /// # Safety
    /// The instruction set of `V` is available.
    unsafe fn run<V: Words>(self);
}
