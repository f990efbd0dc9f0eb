//! The vectors of each number type, and the choice of the widest ones at run time.

use super::portable::Lanes;
use super::vector::{Task, Vector, WordTask};
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512};
use crate::number::Number;

/// The vector types of a scalar; it also seals [`Scalar`](crate::Scalar).
pub trait HostVectors: Number {
    /// Vectors of 16 bytes that any target has or imitates.
    type Portable: Vector<Scalar = Self>;
    /// Vectors of 32 bytes.
    #[cfg(target_arch = "x86_64")]
    type Avx2: Vector<Scalar = Self>;
    /// Vectors of 64 bytes.
    #[cfg(target_arch = "x86_64")]
    type Avx512: Vector<Scalar = Self>;
}

macro_rules! host_vectors {
    ($($scalar:ty, $log_lanes:literal, $avx2:ident, $avx512:ident;)*) => {$(
        impl HostVectors for $scalar {
            type Portable = Lanes<$scalar, { 1 << $log_lanes }>;
            #[cfg(target_arch = "x86_64")]
            type Avx2 = avx2::$avx2;
            #[cfg(target_arch = "x86_64")]
            type Avx512 = avx512::$avx512;
        }
    )*};
}

host_vectors! {
    i32, 2, I32x8, I32x16;
    f32, 2, F32x8, F32x16;
    i64, 1, I64x4, I64x8;
    f64, 1, F64x4, F64x8;
}

/// An instruction set that this processor has, so a value can only be made after detection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Level(Set);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Level {
    /// The widest level of this processor.
    pub(crate) fn widest() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                return Self(if is_x86_feature_detected!("avx512f") { Set::Avx512 } else { Set::Avx2 });
            }
        }
        Self(Set::Portable)
    }

    /// Every level of this processor, the portable one first.
    #[cfg(test)]
    pub(crate) fn all() -> Vec<Self> {
        let mut all = vec![Self(Set::Portable)];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                all.push(Self(Set::Avx2));
                if is_x86_feature_detected!("avx512f") {
                    all.push(Self(Set::Avx512));
                }
            }
        }
        all
    }

    /// The binary logarithm of the lanes of this level's vectors of `T`.
    pub(crate) fn log_lanes<T: HostVectors>(self) -> u32 {
        match self.0 {
            Set::Portable => T::Portable::LOG_LANES,
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => T::Avx2::LOG_LANES,
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => T::Avx512::LOG_LANES,
        }
    }

    /// Runs a task with the vectors of this level.
    ///
    /// # Safety
    /// What the fields of the task say of its memory is true.
    #[inline]
    pub(crate) unsafe fn run<K: Task<Scalar: HostVectors>>(self, task: K) {
        // SAFETY: a level exists only if the processor has its instruction set; the caller vouches for the memory.
        unsafe {
            match self.0 {
                Set::Portable => with_portable(task),
                #[cfg(target_arch = "x86_64")]
                Set::Avx2 => with_avx2(task),
                #[cfg(target_arch = "x86_64")]
                Set::Avx512 => with_avx512(task),
            }
        }
    }

    /// Runs a task with the vectors of words of this level.
    ///
    /// # Safety
    /// As for [`Level::run`].
    #[inline]
    pub(crate) unsafe fn run_words<K: WordTask>(self, task: K) {
        // SAFETY: as above.
        unsafe {
            match self.0 {
                Set::Portable => words_with_portable(task),
                #[cfg(target_arch = "x86_64")]
                Set::Avx2 => words_with_avx2(task),
                #[cfg(target_arch = "x86_64")]
                Set::Avx512 => words_with_avx512(task),
            }
        }
    }
}

/// The portable vectors, in a function of its own like the others: inlined, it would be compiled wherever a level runs a task.
///
/// # Safety
/// Who made the task vouches for its memory.
#[inline(never)]
unsafe fn with_portable<K: Task<Scalar: HostVectors>>(task: K) {
    // SAFETY: the vectors need no instruction set.
    unsafe { task.run::<<K::Scalar as HostVectors>::Portable>() }
}

/// [`with_portable`] for words.
///
/// # Safety
/// As for [`with_portable`].
#[inline(never)]
unsafe fn words_with_portable<K: WordTask>(task: K) {
    // SAFETY: the vectors need no instruction set.
    unsafe { task.run::<Lanes<i64, 2>>() }
}

/// # Safety
/// The processor has AVX2 and FMA.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn words_with_avx2<K: WordTask>(task: K) {
    // SAFETY: the caller has the instruction set.
    unsafe { task.run::<avx2::I64x4>() }
}

/// # Safety
/// The processor has AVX-512F, and so AVX2 and FMA.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2,fma")]
unsafe fn words_with_avx512<K: WordTask>(task: K) {
    // SAFETY: the caller has the instruction set.
    unsafe { task.run::<avx512::I64x8>() }
}

/// # Safety
/// The processor has AVX2 and FMA.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn with_avx2<K: Task<Scalar: HostVectors>>(task: K) {
    // SAFETY: the caller has the instruction set.
    unsafe { task.run::<<K::Scalar as HostVectors>::Avx2>() }
}

/// # Safety
/// The processor has AVX-512F, and so AVX2 and FMA.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2,fma")]
unsafe fn with_avx512<K: Task<Scalar: HostVectors>>(task: K) {
    // SAFETY: the caller has the instruction set.
    unsafe { task.run::<<K::Scalar as HostVectors>::Avx512>() }
}
