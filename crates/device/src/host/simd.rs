//! Multiversioning: loops compiled for the widest instruction set that the processor has.

/// Work whose loops become vectors of the instruction set that [`run`] compiles it for: all of it is inlined.
pub trait Job {
    /// What it gives.
    type Output;

    /// Does it; `#[inline(always)]`, as all that it calls.
    fn run(self) -> Self::Output;
}

/// Does the work by the widest vectors: AVX-512 (F, BW, DQ and VL), else AVX2, else those that the program is compiled for. The
/// choice takes some loads, so that a job is microseconds of work.
///
/// ```
/// use manycore_device::simd::{Job, run};
/// struct Sum<'a>(&'a [u32]);
/// impl Job for Sum<'_> {
///     type Output = u32;
///     #[inline(always)]
///     fn run(self) -> u32 {
///         self.0.iter().fold(0, |sum, &x| sum.wrapping_add(x))
///     }
/// }
/// assert_eq!(run(Sum(&[1, 2, 3])), 6);
/// ```
#[inline]
pub fn run<J: Job>(job: J) -> J::Output {
    #[cfg(target_arch = "x86_64")]
    {
        if has_wide_vectors() {
            // SAFETY: the processor has these instructions.
            return unsafe { avx512(job) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: as above.
            return unsafe { avx2(job) };
        }
    }
    job.run()
}

/// Whether vectors of 512 bits are there.
#[cfg(target_arch = "x86_64")]
fn has_wide_vectors() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
}

/// # Safety
/// The processor has AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn avx2<J: Job>(job: J) -> J::Output {
    job.run()
}

/// # Safety
/// The processor has AVX-512 F, BW, DQ and VL.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
unsafe fn avx512<J: Job>(job: J) -> J::Output {
    job.run()
}
