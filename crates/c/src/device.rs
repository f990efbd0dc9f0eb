//! Devices: the host, and OpenCL devices found when the program runs.

use std::ffi::{CStr, CString, c_char};
use std::ptr::null;

use manycore::Device;

use crate::arrays;
use crate::status::{Failure, ManycoreStatus, guarded};

/// A device. Several threads may use it at once.
#[derive(Debug)]
pub struct ManycoreDevice {
    device: Device,
    name: CString,
}

/// The device of a handle.
///
/// # Safety
/// A handle that is not null is of [`manycore_device_open`] and not freed.
pub(crate) unsafe fn device<'a>(handle: *const ManycoreDevice) -> Result<&'a Device, Failure> {
    // SAFETY: the caller's handle is of a box that exists.
    let handle = unsafe { handle.as_ref() }.ok_or_else(|| Failure::invalid("the device is null".to_owned()))?;
    Ok(&handle.device)
}

/// Opens the device that a text names: `host`, `host:N` for N threads, `opencl:0`, or a part of a device's name. Null or an empty text for
/// the device that `MANYCORE_DEVICE` names, else an OpenCL GPU, else the host. Freed by `manycore_device_free`.
///
/// # Safety
/// `spec` is null or a text that ends with a zero; `out` is as the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_device_open(spec: *const c_char, out: *mut *mut ManycoreDevice) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        let out = unsafe { arrays::out("out", out) }?;
        // SAFETY: by this function's contract, a text that is not null ends with a zero.
        let spec = if spec.is_null() { c"" } else { unsafe { CStr::from_ptr(spec) } };
        let spec = spec.to_str().map_err(|_| Failure::invalid("the device's name is not UTF-8".to_owned()))?;
        let device = if spec.trim().is_empty() { Device::from_env()? } else { Device::select(spec)? };
        let name = CString::new(device.info().name.replace('\0', " ")).unwrap_or_default();
        *out = Box::into_raw(Box::new(ManycoreDevice { device, name }));
        Ok(())
    })
}

/// The device's own name, which lives as long as the device; null for null.
///
/// # Safety
/// `device` is null or of `manycore_device_open` and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_device_name(device: *const ManycoreDevice) -> *const c_char {
    // SAFETY: by this function's contract.
    unsafe { device.as_ref() }.map_or(null(), |device| device.name.as_ptr())
}

/// Frees a device; nothing for null.
///
/// # Safety
/// `device` is null or of `manycore_device_open`, not freed before, and not used meanwhile or later.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_device_free(device: *mut ManycoreDevice) {
    if !device.is_null() {
        // SAFETY: by this function's contract the box exists and is this function's alone.
        drop(unsafe { Box::from_raw(device) });
    }
}
