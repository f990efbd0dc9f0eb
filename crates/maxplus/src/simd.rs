//! Loops compiled for the widest instruction set that the processor has, and all threads of the host.

use manycore_device::{Device, Executor, Team};

/// Does work of the host that has no device of its own with all of its threads.
pub(crate) fn on_host<R>(work: impl FnOnce(Team<'_>) -> R) -> R {
    match Device::host().executor() {
        Executor::Host(pool) => work(pool.team()),
        Executor::OpenCl(_) => work(Team::ALONE),
    }
}

/// Work whose loops become vectors of the instruction set that [`run`] compiles it for: all of it is inlined.
pub(crate) trait Job {
    /// What it gives.
    type Output;

    /// Does it; `#[inline(always)]`, as all that it calls.
    fn run(self) -> Self::Output;
}

/// Whether vectors of 512 bits are there.
#[cfg(target_arch = "x86_64")]
fn has_wide_vectors() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
}

/// Does the work by the widest vectors.
pub(crate) fn run<J: Job>(job: J) -> J::Output {
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
