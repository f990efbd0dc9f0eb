//! The dyadic shift on an OpenCL device: one launch.

use manycore_device::{Buffer, Defines, OpenCl, Word};

use crate::context::Spectral;
use crate::error::SpectralError;

// SAFETY: `shift` alone launches it: on whole runs of a power of two of values, and the shift is below a run's length.
manycore_device::kernel! {
    /// Pairs of words that change places, and bits within them.
    unsafe DYADIC_SHIFT in manycore_kernels::spectral::DYADIC_SHIFT:
        dyadic_shift
}

/// Items of a group.
const GROUP: usize = 256;

/// Exchanges `x[i]` and `x[i ^ by]`; `bits_by` is the shift within packed words.
pub(super) fn shift<T: Word>(
    spectral: &Spectral,
    cl: &OpenCl,
    x: &mut Buffer<T>,
    by: u64,
    bits_by: Option<u32>,
) -> Result<(), SpectralError> {
    let within = u8::from(bits_by.is_some_and(|by| by > 0));
    let defines = Defines::new().element(T::TYPE).set("WITHIN_WORDS", within);
    let kernel = spectral.planner().kernel(cl, &DYADIC_SHIFT, defines)?;
    let len = x.len();
    let items = if by == 0 { len } else { len / 2 };
    cl.launch(&kernel)
        .buffer(x)
        .value(items as u64)
        .value(by)
        .value(by.checked_ilog2().unwrap_or(0))
        .value(bits_by.unwrap_or(0))
        .items(items, GROUP)
        .bytes(2 * (len * size_of::<T>()) as u64)
        .run()?;
    Ok(())
}
