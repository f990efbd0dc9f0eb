//! Software prefetch: a cache line is requested some steps before it is read, which hides the latency of memory where places
//! come in no order.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};

/// Prefetches the line of `values[at]`, which need not exist, on targets that have an instruction for that.
#[inline(always)]
pub(crate) fn prefetch<T>(values: &[T], at: usize) {
    let line = values.as_ptr().wrapping_add(at);
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every processor of the target has the instruction, and it faults at no address.
    unsafe {
        _mm_prefetch::<_MM_HINT_T0>(line.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = line;
}
