//! Loops compiled for the widest instruction set that the processor has.

/// Work whose loops become vectors of the instruction set that [`run`] compiles it for: all of it is inlined.
pub(crate) trait Job {
    /// What it gives.
    type Output;

    /// Does it; `#[inline(always)]`, as all that it calls.
    fn run(self) -> Self::Output;
}

/// Does the work by the widest vectors.
pub(crate) fn run<J: Job>(job: J) -> J::Output {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
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

/// # Safety
/// The processor has AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn avx2<J: Job>(job: J) -> J::Output {
    job.run()
}

/// # Safety
/// The processor has AVX-512 F and BW.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw")]
unsafe fn avx512<J: Job>(job: J) -> J::Output {
    job.run()
}
