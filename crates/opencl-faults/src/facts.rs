//! Falsified facts of devices, kernels and events: a processor that says that it is a GPU, that its kernels spill, and that all its work
//! takes a thousand times as long.

use std::env;
use std::mem::transmute;
use std::sync::OnceLock;

use crate::opened::opened;
use crate::real::{DeviceFact, EventTime, KernelFact};
use crate::types::{
    CL_PLATFORM_NOT_FOUND_KHR, Function, c_void, cl_device_id, cl_event, cl_int, cl_kernel, cl_uint, size_t,
};

/// The variable with the bytes that each work-item spills.
const SPILLS_VARIABLE: &str = "MANYCORE_FAULT_GPU_SPILLS";

/// `CL_DEVICE_TYPE`, and the type of GPUs.
const DEVICE_TYPE: cl_uint = 0x1000;
const GPU: u64 = 1 << 2;
/// `CL_KERNEL_PRIVATE_MEM_SIZE`.
const PRIVATE_MEMORY: cl_uint = 0x11B4;

/// The factor by which the device's clock runs faster: on any machine its work then exceeds the estimate for a GPU.
const CLOCK: u64 = 1000;

/// Bytes that each work-item spills; `None` where facts are not falsified.
fn spilled_bytes() -> Option<u64> {
    static BYTES: OnceLock<Option<u64>> = OnceLock::new();
    *BYTES.get_or_init(|| env::var(SPILLS_VARIABLE).ok()?.parse().ok())
}

/// The hook of a function, `None` where the function is passed on.
pub(crate) fn find(name: &str) -> Option<Function> {
    spilled_bytes()?;
    // SAFETY: the forwarder of the name gives the pointer back its signature before it calls.
    let function = unsafe {
        match name {
            "clGetDeviceInfo" => transmute::<DeviceFact, Function>(device_fact),
            "clGetKernelWorkGroupInfo" => transmute::<KernelFact, Function>(kernel_fact),
            "clGetEventProfilingInfo" => transmute::<EventTime, Function>(event_time),
            _ => return None,
        }
    };
    Some(function)
}

/// Writes `fact` to a caller's place after the real function has succeeded.
///
/// # Safety
/// A `value` that is not null has `size` bytes.
unsafe fn tell(status: cl_int, fact: u64, size: size_t, value: *mut c_void) -> cl_int {
    if status == 0 && !value.is_null() && size >= size_of::<u64>() {
        // SAFETY: what the caller vouches for; the place need not be aligned.
        unsafe { value.cast::<u64>().write_unaligned(fact) };
    }
    status
}

unsafe extern "system" fn device_fact(
    device: cl_device_id,
    which: cl_uint,
    size: size_t,
    value: *mut c_void,
    needed: *mut size_t,
) -> cl_int {
    let Some(opened) = opened() else { return CL_PLATFORM_NOT_FOUND_KHR };
    // SAFETY: the caller keeps the contract of the function.
    unsafe {
        let status = (opened.facts.device)(device, which, size, value, needed);
        if which == DEVICE_TYPE { tell(status, GPU, size, value) } else { status }
    }
}

unsafe extern "system" fn kernel_fact(
    kernel: cl_kernel,
    device: cl_device_id,
    which: cl_uint,
    size: size_t,
    value: *mut c_void,
    needed: *mut size_t,
) -> cl_int {
    let Some(opened) = opened() else { return CL_PLATFORM_NOT_FOUND_KHR };
    // SAFETY: the caller keeps the contract of the function.
    unsafe {
        let status = (opened.facts.kernel)(kernel, device, which, size, value, needed);
        match spilled_bytes() {
            Some(bytes) if which == PRIVATE_MEMORY => tell(status, bytes, size, value),
            _ => status,
        }
    }
}

unsafe extern "system" fn event_time(
    event: cl_event,
    which: cl_uint,
    size: size_t,
    value: *mut c_void,
    needed: *mut size_t,
) -> cl_int {
    let Some(opened) = opened() else { return CL_PLATFORM_NOT_FOUND_KHR };
    // SAFETY: the caller keeps the contract of the function; after success a `value` that is not null has `size` bytes.
    unsafe {
        let status = (opened.facts.event)(event, which, size, value, needed);
        if status != 0 || value.is_null() || size < size_of::<u64>() {
            return status;
        }
        // All times are of one clock, so differences scale with the times.
        let time = value.cast::<u64>().read_unaligned();
        tell(status, time.wrapping_mul(CLOCK), size, value)
    }
}
