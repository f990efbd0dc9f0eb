//! The choice of the instruction set at run time.

/// An instruction set that this processor has, so a value can only be made after detection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Level(pub(super) Set);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Set {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Level {
    /// What every processor has: loops that the compiler makes vectors of where it can, as for NEON.
    pub(crate) const PORTABLE: Self = Self(Set::Portable);

    /// The widest level of this processor.
    pub(crate) fn widest() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx2") {
                return Self(Set::Avx512);
            }
            if is_x86_feature_detected!("avx2") {
                return Self(Set::Avx2);
            }
        }
        Self::PORTABLE
    }

    /// Every level of this processor, the portable one first.
    #[cfg(test)]
    pub(crate) fn all() -> Vec<Self> {
        let mut all = vec![Self::PORTABLE];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                all.push(Self(Set::Avx2));
            }
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx2") {
                all.push(Self(Set::Avx512));
            }
        }
        all
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

    /// Whether the processor has the sums of products of bytes of AVX-512 VNNI beside AVX-512BW, and this level its vectors.
    pub(super) fn has_vnni(self) -> bool {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => is_x86_feature_detected!("avx512vnni") && is_x86_feature_detected!("avx512bw"),
            _ => false,
        }
    }

    /// Whether the processor has products with matrices of bits, GFNI, beside AVX-512BW, and this level its vectors.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn has_gfni(self) -> bool {
        self.has_avx512() && is_x86_feature_detected!("gfni") && is_x86_feature_detected!("avx512bw")
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
    unsafe fn vector<V: super::vector::Words>(self) -> Self::Output;
}

/// # Safety
/// The processor has AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn with_avx2<T: Task>(task: T) -> T::Output {
    // SAFETY: the caller has the instruction set.
    unsafe { task.vector::<super::avx2::U32x8>() }
}

/// # Safety
/// The processor has AVX-512F, and so AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2")]
unsafe fn with_avx512<T: Task>(task: T) -> T::Output {
    // SAFETY: the caller has the instruction set.
    unsafe { task.vector::<super::avx512::U32x16>() }
}
