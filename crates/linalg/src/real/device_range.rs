//! The test whether all entries of a matrix on an OpenCL device are of ordinary size, so that it needs no scaling.

use manycore_device::{Buffer, Defines, Device, OpenCl, WordType};

use super::equilibrate::ORDINARY;
use crate::block::GROUP;
use crate::error::LinalgError;

// SAFETY: `is_outside` alone launches it, with the number of entries that there are and one number for the answer.
manycore_device::kernel! {
    /// Finds entries of other sizes.
    unsafe REAL_RANGE in manycore_kernels::linalg::REAL: real_range
}

/// A number on the device that becomes 0 if all entries are 0 or of ordinary size, another one else: it is not waited for.
pub(super) fn is_outside(device: &Device, cl: &OpenCl, a: &Buffer<f64>) -> Result<Buffer<u32>, LinalgError> {
    let group = 1 << GROUP.min(cl.info().group_limit).max(1).ilog2();
    let kernel = cl.kernel(&REAL_RANGE, &Defines::new().element(WordType::F64).set("GROUP", format!("{group}u")))?;
    let mut found = device.zeros::<u32>(1)?;
    cl.launch(&kernel)
        .input(a)
        .value(a.len() as u64)
        .value(*ORDINARY.start())
        .value(*ORDINARY.end())
        .buffer(&mut found)
        .items(a.len(), group)
        .bytes((a.len() * size_of::<f64>()) as u64)
        .run()?;
    Ok(found)
}
