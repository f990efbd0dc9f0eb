//! The choice of the instruction set at run time.

use std::sync::OnceLock;

/// An instruction set that this processor has, so a value can only be made after detection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Level(Set);

/// An instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Set {
    /// What every processor has: loops that the compiler makes vectors of where it can, as for NEON.
    Portable,
    /// With fused multiply-adds, which came at the same time.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// F, DQ, VL and BW.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Set {
    /// The sets, the narrowest first.
    pub const ALL: &[Self] = &[
        Self::Portable,
        #[cfg(target_arch = "x86_64")]
        Self::Avx2,
        #[cfg(target_arch = "x86_64")]
        Self::Avx512,
    ];
}

impl Level {
    /// What every processor has.
    pub const PORTABLE: Self = Self(Set::Portable);

    /// The level of an instruction set; `None` where the processor lacks it.
    pub fn of(set: Set) -> Option<Self> {
        let is_there = match set {
            Set::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"),
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => {
                Self::of(Set::Avx2).is_some()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512bw")
            }
        };
        is_there.then_some(Self(set))
    }

    /// The widest level of this processor.
    pub fn widest() -> Self {
        // Short slices ask for it every time.
        static WIDEST: OnceLock<Level> = OnceLock::new();
        *WIDEST.get_or_init(|| Set::ALL.iter().rev().find_map(|&set| Self::of(set)).unwrap_or(Self::PORTABLE))
    }

    /// Every level of this processor, the portable one first.
    #[cfg(test)]
    pub(crate) fn all() -> Vec<Self> {
        Set::ALL.iter().filter_map(|&set| Self::of(set)).collect()
    }

    /// The instruction set.
    pub fn set(self) -> Set {
        self.0
    }

    /// Whether this level has AVX-512F.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn has_avx512(self) -> bool {
        self.0 == Set::Avx512
    }

    /// Whether the processor has the products of 52 bits of AVX-512 IFMA beside AVX-512F, and this level its vectors.
    pub(super) fn has_ifma(self) -> bool {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => is_x86_feature_detected!("avx512ifma"),
            _ => false,
        }
    }

    /// Whether the processor has the sums of products of bytes of AVX-512 VNNI and this level its vectors.
    pub(super) fn has_vnni(self) -> bool {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => is_x86_feature_detected!("avx512vnni"),
            _ => false,
        }
    }

    /// Whether the processor has products with matrices of bits, GFNI, and this level its vectors.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn has_gfni(self) -> bool {
        self.has_avx512() && is_x86_feature_detected!("gfni")
    }

    /// Runs a task with the vectors of this level.
    #[inline]
    pub(super) fn run<T: Task>(self, task: T) -> T::Output {
        match self.0 {
            Set::Portable => task.portable(),
            // SAFETY: a level exists only if the processor has its instruction set.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { with_avx2(task) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => unsafe { with_avx512(task) },
        }
    }
}

/// Work that is written once and compiled for each level. The methods are `#[inline(always)]`, so that the code is compiled
/// for the instruction set of the caller.
pub(super) trait Task {
    type Output;

    /// Without vectors of its own; [`vector`](Self::vector) may do the same to let the compiler use the instruction set.
    fn portable(self) -> Self::Output;

    /// With vectors of type `V`.
    ///
    /// # Safety
    /// The instruction set of `V` is available.
    #[cfg(target_arch = "x86_64")]
    unsafe fn vector<V: super::vectors::Pairs>(self) -> Self::Output;
}

/// # Safety
/// The processor has AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn with_avx2<T: Task>(task: T) -> T::Output {
    // SAFETY: the caller has the instruction set.
    unsafe { task.vector::<super::vectors::U32x8>() }
}

/// # Safety
/// The processor has AVX-512F, and so AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2")]
unsafe fn with_avx512<T: Task>(task: T) -> T::Output {
    // SAFETY: the caller has the instruction set.
    unsafe { task.vector::<super::vectors::U32x16>() }
}
