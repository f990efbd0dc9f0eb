//! The loops of known cost that measure the host.

use std::hint::black_box;

/// A number that a rate's loop multiplies and adds.
pub(super) trait Lane: Copy + Send + Sync {
    /// With the processor's fused instruction, where it has one.
    fn fused(self) -> Self;
    /// Without.
    fn plain(self) -> Self;
}

impl Lane for u32 {
    #[inline(always)]
    fn fused(self) -> Self {
        self.plain()
    }

    #[inline(always)]
    fn plain(self) -> Self {
        self.wrapping_mul(5).wrapping_add(3)
    }
}

impl Lane for u64 {
    #[inline(always)]
    fn fused(self) -> Self {
        self.plain()
    }

    #[inline(always)]
    fn plain(self) -> Self {
        self.wrapping_mul(5).wrapping_add(3)
    }
}

impl Lane for f32 {
    #[inline(always)]
    fn fused(self) -> Self {
        self.mul_add(0.5, 1.0)
    }

    #[inline(always)]
    fn plain(self) -> Self {
        self * 0.5 + 1.0
    }
}

impl Lane for f64 {
    #[inline(always)]
    fn fused(self) -> Self {
        self.mul_add(0.5, 1.0)
    }

    #[inline(always)]
    fn plain(self) -> Self {
        self * 0.5 + 1.0
    }
}

/// `rounds` multiply-adds on every lane, with the widest vectors that the processor has.
pub(super) fn turns<T: Lane, const N: usize>(lanes: [T; N], rounds: usize) -> [T; N] {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx512f,avx512dq,fma")]
        fn widest<T: Lane, const N: usize>(lanes: [T; N], rounds: usize) -> [T; N] {
            turns_of(lanes, rounds, T::fused)
        }
        #[target_feature(enable = "avx2,fma")]
        fn wide<T: Lane, const N: usize>(lanes: [T; N], rounds: usize) -> [T; N] {
            turns_of(lanes, rounds, T::fused)
        }
        let fused = std::is_x86_feature_detected!("fma");
        if fused && std::is_x86_feature_detected!("avx512f") && std::is_x86_feature_detected!("avx512dq") {
            // SAFETY: the processor has the instructions.
            return unsafe { widest(lanes, rounds) };
        }
        if fused && std::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has the instructions.
            return unsafe { wide(lanes, rounds) };
        }
    }
    // Every processor of 64-bit ARM has the instruction.
    if cfg!(target_arch = "aarch64") { turns_of(lanes, rounds, T::fused) } else { turns_of(lanes, rounds, T::plain) }
}

#[inline(always)]
fn turns_of<T: Lane, const N: usize>(mut lanes: [T; N], rounds: usize, step: impl Fn(T) -> T) -> [T; N] {
    for _ in 0..rounds {
        for lane in &mut lanes {
            *lane = step(*lane);
        }
    }
    lanes
}

/// Chains of look-ups side by side: enough that their number, not their latency, is what counts.
pub(super) const CHASES: usize = 12;

/// `rounds` look-ups in each of [`CHASES`] chains, each at the place that the one before it read.
pub(super) fn chases(start: u32, rounds: usize) -> [u32; CHASES] {
    const LEN: usize = 1 << 10;
    // An odd multiple runs through all places.
    let table: [u32; LEN] = std::array::from_fn(|i| (i as u32).wrapping_mul(0x9e37_79b1).wrapping_add(start));
    let mut places: [u32; CHASES] = std::array::from_fn(|i| i as u32);
    let table = black_box(&table);
    for _ in 0..rounds {
        for place in &mut places {
            *place = table[*place as usize % LEN];
        }
    }
    places
}

/// One pass over an array.
pub(super) fn add_one(array: &mut [u32]) {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn wide(array: &mut [u32]) {
            add_one_inline(array);
        }
        if std::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has the instructions.
            unsafe { wide(array) };
            return;
        }
    }
    add_one_inline(array);
}

#[inline(always)]
fn add_one_inline(array: &mut [u32]) {
    for word in array {
        *word = word.wrapping_add(1);
    }
}
