//! Figures of S-boxes.

use manycore::{Boolean, SBox};

use crate::arrays;
use crate::device::{ManycoreDevice, device as opened};
use crate::status::{Failure, ManycoreStatus, guarded};

unsafe fn sbox(outputs: *const u16, inputs: usize, output_bits: u32) -> Result<SBox, Failure> {
    // SAFETY: the caller answers for the array.
    Ok(SBox::new(output_bits, unsafe { arrays::read("outputs", outputs, inputs)? }.to_vec())?)
}

/// The nonlinearity of an S-box of `inputs` outputs, a power of two up to 2^16, of 1 to 16 bits each: the least distance of a component
/// function to the affine ones.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_sbox_nonlinearity(
    device: *const ManycoreDevice,
    outputs: *const u16,
    inputs: usize,
    output_bits: u32,
    result: *mut u64,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        let (device, sbox, result) =
            unsafe { (opened(device)?, sbox(outputs, inputs, output_bits)?, arrays::out("result", result)?) };
        *result = Boolean::new(device).linear_summary(&sbox)?.nonlinearity();
        Ok(())
    })
}

/// The differential uniformity of an S-box: the most solutions `x` of `S(x) + S(x + a) = b` for `a` other than 0.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_sbox_uniformity(
    device: *const ManycoreDevice,
    outputs: *const u16,
    inputs: usize,
    output_bits: u32,
    result: *mut u64,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        let (device, sbox, result) =
            unsafe { (opened(device)?, sbox(outputs, inputs, output_bits)?, arrays::out("result", result)?) };
        *result = Boolean::new(device).difference_summary(&sbox)?.uniformity;
        Ok(())
    })
}
