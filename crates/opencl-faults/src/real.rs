//! The real functions behind the hooks.

use libloading::Library;

use crate::types::{
    c_void, cl_bool, cl_command_queue, cl_device_id, cl_event, cl_int, cl_kernel, cl_mem, cl_uint, size_t,
};

pub(crate) type ReadBuffer = unsafe extern "system" fn(
    cl_command_queue,
    cl_mem,
    cl_bool,
    size_t,
    size_t,
    *mut c_void,
    cl_uint,
    *const cl_event,
    *mut cl_event,
) -> cl_int;
pub(crate) type WriteBuffer = unsafe extern "system" fn(
    cl_command_queue,
    cl_mem,
    cl_bool,
    size_t,
    size_t,
    *const c_void,
    cl_uint,
    *const cl_event,
    *mut cl_event,
) -> cl_int;
pub(crate) type FillBuffer = unsafe extern "system" fn(
    cl_command_queue,
    cl_mem,
    *const c_void,
    size_t,
    size_t,
    size_t,
    cl_uint,
    *const cl_event,
    *mut cl_event,
) -> cl_int;
pub(crate) type CopyBuffer = unsafe extern "system" fn(
    cl_command_queue,
    cl_mem,
    cl_mem,
    size_t,
    size_t,
    size_t,
    cl_uint,
    *const cl_event,
    *mut cl_event,
) -> cl_int;
pub(crate) type LaunchKernel = unsafe extern "system" fn(
    cl_command_queue,
    cl_kernel,
    cl_uint,
    *const size_t,
    *const size_t,
    *const size_t,
    cl_uint,
    *const cl_event,
    *mut cl_event,
) -> cl_int;
pub(crate) type Marker = unsafe extern "system" fn(cl_command_queue, cl_uint, *const cl_event, *mut cl_event) -> cl_int;

pub(crate) type DeviceFact =
    unsafe extern "system" fn(cl_device_id, cl_uint, size_t, *mut c_void, *mut size_t) -> cl_int;
pub(crate) type KernelFact =
    unsafe extern "system" fn(cl_kernel, cl_device_id, cl_uint, size_t, *mut c_void, *mut size_t) -> cl_int;
pub(crate) type EventTime = unsafe extern "system" fn(cl_event, cl_uint, size_t, *mut c_void, *mut size_t) -> cl_int;

/// Transfers, fills, copies and launches.
pub(crate) struct Real {
    pub(crate) read: ReadBuffer,
    pub(crate) write: WriteBuffer,
    pub(crate) fill: FillBuffer,
    pub(crate) copy: CopyBuffer,
    pub(crate) launch: LaunchKernel,
    pub(crate) marker: Marker,
}

impl Real {
    /// The functions of a library.
    ///
    /// # Errors
    /// The library lacks one: it is older than OpenCL 1.2.
    pub(crate) fn of(library: &Library) -> Result<Self, libloading::Error> {
        // SAFETY: OpenCL's standard fixes the signature of each name, and the types repeat it.
        unsafe {
            Ok(Self {
                read: *library.get::<ReadBuffer>("clEnqueueReadBuffer")?,
                write: *library.get::<WriteBuffer>("clEnqueueWriteBuffer")?,
                fill: *library.get::<FillBuffer>("clEnqueueFillBuffer")?,
                copy: *library.get::<CopyBuffer>("clEnqueueCopyBuffer")?,
                launch: *library.get::<LaunchKernel>("clEnqueueNDRangeKernel")?,
                marker: *library.get::<Marker>("clEnqueueMarkerWithWaitList")?,
            })
        }
    }
}

/// Facts of devices, kernels and events.
pub(crate) struct Facts {
    pub(crate) device: DeviceFact,
    pub(crate) kernel: KernelFact,
    pub(crate) event: EventTime,
}

impl Facts {
    /// The functions of a library.
    ///
    /// # Errors
    /// The library lacks one.
    pub(crate) fn of(library: &Library) -> Result<Self, libloading::Error> {
        // SAFETY: OpenCL's standard fixes the signature of each name, and the types repeat it.
        unsafe {
            Ok(Self {
                device: *library.get::<DeviceFact>("clGetDeviceInfo")?,
                kernel: *library.get::<KernelFact>("clGetKernelWorkGroupInfo")?,
                event: *library.get::<EventTime>("clGetEventProfilingInfo")?,
            })
        }
    }
}
