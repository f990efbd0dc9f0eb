//! The choice of the instruction set at run time.

/// An instruction set that this processor has, so a value can only be made after detection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level(Set);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Set {
    /// What every processor has: loops that the compiler makes vectors of where it can, as for NEON.
    Portable,
    /// The same with arrays as wide as the widest vectors.
    #[cfg(test)]
    Imitated,
    /// With fused multiply-adds, which came at the same time.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// F, DQ, VL and BW.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Level {
    /// The widest level of this processor.
    pub(crate) fn widest() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if has_avx512() {
                return Self(Set::Avx512);
            }
            if has_avx2() {
                return Self(Set::Avx2);
            }
        }
        Self(Set::Portable)
    }

    /// Every level of this processor; the names of those that it lacks go to standard error.
    #[cfg(test)]
    pub(crate) fn all() -> Vec<Self> {
        let mut all = vec![Self(Set::Portable), Self(Set::Imitated)];
        #[cfg(target_arch = "x86_64")]
        for (level, present) in [(Set::Avx2, has_avx2()), (Set::Avx512, has_avx512())] {
            if present {
                all.push(Self(level));
            } else {
                eprintln!("{level:?} is not tested: this processor lacks it");
            }
        }
        all
    }

    pub(super) fn set(self) -> Set {
        self.0
    }

    /// Whether fused multiply-adds are instructions, or tested as if they were.
    pub(super) fn fuses(self) -> bool {
        self.0 != Set::Portable
    }
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
}

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    has_avx2()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512bw")
}
