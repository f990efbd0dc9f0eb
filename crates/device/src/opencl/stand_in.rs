//! The C interface of OpenCL as far as this crate names it, for programs without the feature `opencl`.
//!
//! The identifier of a device has no value, so neither has [`OpenCl`](super::OpenCl): none of these functions is ever called.
//! They are here so that what is built on them, up to the operations of the other crates, is the same with the feature and
//! without.

#![allow(non_camel_case_types, non_snake_case)] // OpenCL's own names.
#![allow(clippy::too_many_arguments)] // and signatures

use std::ffi::{c_char, c_void};
use std::ptr::null_mut;

/// No device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum cl_device_id {}

type Handle = *mut c_void;
pub(crate) type cl_command_queue = Handle;
pub(crate) type cl_context = Handle;
pub(crate) type cl_event = Handle;
pub(crate) type cl_kernel = Handle;
pub(crate) type cl_mem = Handle;
pub(crate) type cl_program = Handle;

type Code = i32;
type Callback = Option<extern "C" fn()>;
type Destructor = Option<extern "C" fn(cl_mem, *mut c_void)>;

/// What a call would give: the code of a library without platforms, or no handle.
trait Nothing {
    const NOTHING: Self;
}

impl Nothing for Code {
    const NOTHING: Self = -1001;
}

impl Nothing for Handle {
    const NOTHING: Self = null_mut();
}

macro_rules! functions {
    ($($name:ident($($argument:ty),*) -> $result:ty;)*) => {$(
        pub(crate) unsafe fn $name($(_: $argument),*) -> $result {
            Nothing::NOTHING
        }
    )*};
}

functions! {
    clBuildProgram(cl_program, u32, *const cl_device_id, *const c_char, Callback, *mut c_void) -> Code;
    clCreateBuffer(cl_context, u64, usize, *mut c_void, *mut Code) -> cl_mem;
    clCreateCommandQueue(cl_context, cl_device_id, u64, *mut Code) -> cl_command_queue;
    clCreateContext(*const isize, u32, *const cl_device_id, Callback, *mut c_void, *mut Code) -> cl_context;
    clCreateKernel(cl_program, *const c_char, *mut Code) -> cl_kernel;
    clCreateProgramWithBinary(
        cl_context, u32, *const cl_device_id, *const usize, *const *const u8, *mut i32, *mut Code
    ) -> cl_program;
    clCreateProgramWithSource(cl_context, u32, *const *const c_char, *const usize, *mut Code) -> cl_program;
    clCreateSubBuffer(cl_mem, u64, u32, *const c_void, *mut Code) -> cl_mem;
    clEnqueueBarrierWithWaitList(cl_command_queue, u32, *const cl_event, *mut cl_event) -> Code;
    clEnqueueCopyBuffer(
        cl_command_queue, cl_mem, cl_mem, usize, usize, usize, u32, *const cl_event, *mut cl_event
    ) -> Code;
    clEnqueueFillBuffer(
        cl_command_queue, cl_mem, *const c_void, usize, usize, usize, u32, *const cl_event, *mut cl_event
    ) -> Code;
    clEnqueueMapBuffer(
        cl_command_queue, cl_mem, u32, u64, usize, usize, u32, *const cl_event, *mut cl_event, *mut Code
    ) -> *mut c_void;
    clEnqueueMarkerWithWaitList(cl_command_queue, u32, *const cl_event, *mut cl_event) -> Code;
    clEnqueueNDRangeKernel(
        cl_command_queue, cl_kernel, u32, *const usize, *const usize, *const usize, u32, *const cl_event, *mut cl_event
    ) -> Code;
    clEnqueueReadBuffer(
        cl_command_queue, cl_mem, u32, usize, usize, *mut c_void, u32, *const cl_event, *mut cl_event
    ) -> Code;
    clEnqueueUnmapMemObject(cl_command_queue, cl_mem, *mut c_void, u32, *const cl_event, *mut cl_event) -> Code;
    clEnqueueWriteBuffer(
        cl_command_queue, cl_mem, u32, usize, usize, *const c_void, u32, *const cl_event, *mut cl_event
    ) -> Code;
    clFinish(cl_command_queue) -> Code;
    clFlush(cl_command_queue) -> Code;
    clGetDeviceInfo(cl_device_id, u32, usize, *mut c_void, *mut usize) -> Code;
    clGetEventInfo(cl_event, u32, usize, *mut c_void, *mut usize) -> Code;
    clGetEventProfilingInfo(cl_event, u32, usize, *mut c_void, *mut usize) -> Code;
    clGetKernelArgInfo(cl_kernel, u32, u32, usize, *mut c_void, *mut usize) -> Code;
    clGetKernelInfo(cl_kernel, u32, usize, *mut c_void, *mut usize) -> Code;
    clGetKernelWorkGroupInfo(cl_kernel, cl_device_id, u32, usize, *mut c_void, *mut usize) -> Code;
    clGetProgramBuildInfo(cl_program, cl_device_id, u32, usize, *mut c_void, *mut usize) -> Code;
    clGetProgramInfo(cl_program, u32, usize, *mut c_void, *mut usize) -> Code;
    clReleaseCommandQueue(cl_command_queue) -> Code;
    clReleaseContext(cl_context) -> Code;
    clReleaseEvent(cl_event) -> Code;
    clReleaseKernel(cl_kernel) -> Code;
    clReleaseMemObject(cl_mem) -> Code;
    clReleaseProgram(cl_program) -> Code;
    clRetainCommandQueue(cl_command_queue) -> Code;
    clRetainEvent(cl_event) -> Code;
    clSetKernelArg(cl_kernel, u32, usize, *const c_void) -> Code;
    clSetMemObjectDestructorCallback(cl_mem, Destructor, *mut c_void) -> Code;
    clWaitForEvents(u32, *const cl_event) -> Code;
}

// Any number: no call is made that would read it.
macro_rules! constants {
    ($($name:ident: $kind:ty),*) => {$(pub(crate) const $name: $kind = 0;)*};
}

constants! {
    CL_EVENT_COMMAND_EXECUTION_STATUS: u32, CL_KERNEL_ARG_TYPE_NAME: u32, CL_KERNEL_COMPILE_WORK_GROUP_SIZE: u32,
    CL_KERNEL_LOCAL_MEM_SIZE: u32, CL_KERNEL_NUM_ARGS: u32, CL_KERNEL_PRIVATE_MEM_SIZE: u32,
    CL_KERNEL_WORK_GROUP_SIZE: u32, CL_MAP_READ: u64, CL_MAP_WRITE: u64,
    CL_MEM_ALLOC_HOST_PTR: u64, CL_MEM_READ_WRITE: u64, CL_MEM_USE_HOST_PTR: u64, CL_PROFILING_COMMAND_END: u32,
    CL_PROFILING_COMMAND_START: u32, CL_PROGRAM_BINARIES: u32, CL_PROGRAM_BINARY_SIZES: u32, CL_PROGRAM_BUILD_LOG: u32,
    CL_QUEUE_PROFILING_ENABLE: u64
}
