//! Owned OpenCL objects over the C calls; every call's error code becomes a [`DeviceError`].
//!
//! The C interface is thread-safe but for `clSetKernelArg`, so every handle here is `Send` and `Sync`, and the arguments of
//! a kernel object are set through `&mut`.

mod paged;
mod program;

use std::ffi::{CStr, CString, c_void};
use std::ptr::{null, null_mut};

use super::ffi;
use crate::error::{DeviceError, code_name};

/// Fails when `code` is an error.
pub(crate) fn check(code: i32, call: &'static str, device: &str) -> Result<(), DeviceError> {
    if code == 0 { Ok(()) } else { Err(failure(code, call, device)) }
}

pub(crate) fn failure(code: i32, call: &'static str, device: &str) -> DeviceError {
    DeviceError::Api { call, code, name: code_name(code), device: device.to_owned() }
}

macro_rules! handle {
    ($(#[$doc:meta])* $name:ident, $raw:ty, $release:ident) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub(crate) struct $name($raw);

        // SAFETY: the OpenCL specification makes calls on these objects thread-safe, but for that which sets arguments of kernels and takes `&mut`.
        unsafe impl Send for $name {}
        // SAFETY: as above.
        unsafe impl Sync for $name {}

        impl $name {
            pub(crate) fn raw(&self) -> $raw {
                self.0
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: the handle owns one reference, given back once.
                unsafe { ffi::$release(self.0) };
            }
        }
    };
}

handle!(
    /// A context of one device.
    Context, ffi::cl_context, clReleaseContext
);
handle!(
    /// An in-order command queue with profiling.
    Queue, ffi::cl_command_queue, clReleaseCommandQueue
);
handle!(
    /// A block of device memory, or a part of one.
    Memory, ffi::cl_mem, clReleaseMemObject
);
handle!(
    /// A built program.
    Program, ffi::cl_program, clReleaseProgram
);
handle!(
    /// A kernel object: an entry of a program with its own arguments.
    Kernel, ffi::cl_kernel, clReleaseKernel
);
handle!(
    /// A point in a queue.
    Event, ffi::cl_event, clReleaseEvent
);

/// A device's identifier; devices of a platform are never released.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DeviceId(pub(crate) ffi::cl_device_id);

// SAFETY: an identifier, valid as long as the process.
unsafe impl Send for DeviceId {}
// SAFETY: as above.
unsafe impl Sync for DeviceId {}

/// Reads a variable-length property through a C call of the usual two-step form.
pub(crate) fn property(mut read: impl FnMut(usize, *mut c_void, *mut usize) -> i32) -> Result<Vec<u8>, i32> {
    let mut size = 0;
    let code = read(0, null_mut(), &raw mut size);
    if code != 0 {
        return Err(code);
    }
    let mut bytes = vec![0u8; size];
    let code = read(size, bytes.as_mut_ptr().cast(), null_mut());
    if code == 0 { Ok(bytes) } else { Err(code) }
}

/// A C string's text from the bytes of a property.
pub(crate) fn text(bytes: &[u8]) -> String {
    CStr::from_bytes_until_nul(bytes)
        .map_or_else(|_| String::from_utf8_lossy(bytes).into_owned(), |c| c.to_string_lossy().into_owned())
        .trim()
        .to_owned()
}

/// The platforms' identifiers; the error code where there is none.
#[cfg(feature = "opencl")]
pub(crate) fn platforms() -> Result<Vec<ffi::cl_platform_id>, i32> {
    let mut count = 0;
    // SAFETY: asks for the number only.
    let code = unsafe { ffi::clGetPlatformIDs(0, null_mut(), &raw mut count) };
    if code != 0 {
        return Err(code);
    }
    let mut ids = vec![null_mut(); count as usize];
    // SAFETY: `ids` holds `count` places.
    let code = unsafe { ffi::clGetPlatformIDs(count, ids.as_mut_ptr(), null_mut()) };
    if code == 0 { Ok(ids) } else { Err(code) }
}

/// A platform's devices of all types; empty where it has none.
#[cfg(feature = "opencl")]
pub(crate) fn devices(platform: ffi::cl_platform_id) -> Result<Vec<DeviceId>, i32> {
    const ALL: u64 = 0xFFFF_FFFF;
    const DEVICE_NOT_FOUND: i32 = -1;
    let mut count = 0;
    // SAFETY: asks for the number only.
    let code = unsafe { ffi::clGetDeviceIDs(platform, ALL, 0, null_mut(), &raw mut count) };
    if code == DEVICE_NOT_FOUND {
        return Ok(Vec::new());
    }
    if code != 0 {
        return Err(code);
    }
    let mut ids = vec![null_mut(); count as usize];
    // SAFETY: `ids` holds `count` places.
    let code = unsafe { ffi::clGetDeviceIDs(platform, ALL, count, ids.as_mut_ptr(), null_mut()) };
    if code == 0 { Ok(ids.into_iter().map(DeviceId).collect()) } else { Err(code) }
}

/// One property of a device.
pub(crate) fn device_property(id: DeviceId, which: u32) -> Result<Vec<u8>, i32> {
    // SAFETY: `property` passes a buffer of the size that it states.
    property(|size, to, needed| unsafe { ffi::clGetDeviceInfo(id.0, which, size, to, needed) })
}

/// The compute capability of one of NVIDIA's GPUs, major and minor number; `None` where the device's extensions do not
/// offer it.
pub(crate) fn compute_capability(id: DeviceId, extensions: &[String]) -> Option<(u32, u32)> {
    const COMPUTE_CAPABILITY_MAJOR_NV: u32 = 0x4000;
    const COMPUTE_CAPABILITY_MINOR_NV: u32 = 0x4001;
    if !extensions.iter().any(|extension| extension == "cl_nv_device_attribute_query") {
        return None;
    }
    let number = |which| device_property(id, which).ok()?.first_chunk().map(|&bytes| u32::from_ne_bytes(bytes));
    Some((number(COMPUTE_CAPABILITY_MAJOR_NV)?, number(COMPUTE_CAPABILITY_MINOR_NV)?))
}

impl Context {
    pub(crate) fn new(id: DeviceId, device: &str) -> Result<Self, DeviceError> {
        let mut code = 0;
        // SAFETY: one device, no properties, no callback.
        let raw = unsafe { ffi::clCreateContext(null(), 1, &raw const id.0, None, null_mut(), &raw mut code) };
        check(code, "clCreateContext", device)?;
        Ok(Self(raw))
    }
}

impl Queue {
    pub(crate) fn new(context: &Context, id: DeviceId, device: &str) -> Result<Self, DeviceError> {
        let mut code = 0;
        // SAFETY: context and device belong together.
        let raw =
            unsafe { ffi::clCreateCommandQueue(context.raw(), id.0, ffi::CL_QUEUE_PROFILING_ENABLE, &raw mut code) };
        check(code, "clCreateCommandQueue", device)?;
        Ok(Self(raw))
    }

    /// A second reference to it.
    pub(crate) fn share(&self, device: &str) -> Result<Self, DeviceError> {
        // SAFETY: a valid queue; the reference gained is owned by the new handle.
        check(unsafe { ffi::clRetainCommandQueue(self.0) }, "clRetainCommandQueue", device)?;
        Ok(Self(self.0))
    }

    /// Enqueues a kernel of `global` items in groups of `group`; a code as the runtime's. `event` is null for none.
    ///
    /// # Safety
    /// Every argument of the kernel is set, to memory of the queue's context that exists or to a number of the right
    /// size; no other thread has the kernel object; `global` is a multiple of `group`.
    pub(crate) unsafe fn enqueue(
        &self,
        kernel: &Kernel,
        global: usize,
        group: usize,
        event: *mut ffi::cl_event,
    ) -> i32 {
        // SAFETY: by the caller's promise.
        unsafe {
            ffi::clEnqueueNDRangeKernel(
                self.raw(),
                kernel.raw(),
                1,
                null(),
                &raw const global,
                &raw const group,
                0,
                null(),
                event,
            )
        }
    }

    /// Waits until everything enqueued has ended.
    pub(crate) fn finish(&self, device: &str) -> Result<(), DeviceError> {
        // SAFETY: a valid queue.
        check(unsafe { ffi::clFinish(self.raw()) }, "clFinish", device)
    }

    /// Sends what is enqueued to the device, without waiting.
    pub(crate) fn flush(&self, device: &str) -> Result<(), DeviceError> {
        // SAFETY: a valid queue.
        check(unsafe { ffi::clFlush(self.raw()) }, "clFlush", device)
    }

    /// An event that ends when everything enqueued so far has ended.
    pub(crate) fn marker(&self, device: &str) -> Result<Event, DeviceError> {
        let mut event = null_mut();
        // SAFETY: no wait list: waits for all earlier commands.
        let code = unsafe { ffi::clEnqueueMarkerWithWaitList(self.raw(), 0, null(), &raw mut event) };
        check(code, "clEnqueueMarkerWithWaitList", device)?;
        Ok(Event(event))
    }

    /// Makes everything enqueued later wait for `event`, which may be of another queue of the device.
    pub(crate) fn wait_for(&self, event: &Event, device: &str) -> Result<(), DeviceError> {
        // SAFETY: one valid event.
        let code = unsafe { ffi::clEnqueueBarrierWithWaitList(self.raw(), 1, &raw const event.0, null_mut()) };
        check(code, "clEnqueueBarrierWithWaitList", device)
    }
}

impl Event {
    /// Takes over an event that an enqueue call returned.
    pub(crate) fn from_raw(raw: ffi::cl_event) -> Self {
        Self(raw)
    }

    /// A second reference to it.
    pub(crate) fn share(&self, device: &str) -> Result<Self, DeviceError> {
        // SAFETY: a valid event; the reference gained is owned by the new handle.
        check(unsafe { ffi::clRetainEvent(self.0) }, "clRetainEvent", device)?;
        Ok(Self(self.0))
    }

    /// Waits until it has ended.
    pub(crate) fn wait(&self, device: &str) -> Result<(), DeviceError> {
        // SAFETY: one valid event.
        check(unsafe { ffi::clWaitForEvents(1, &raw const self.0) }, "clWaitForEvents", device)
    }

    /// Its execution status: 0 where it has ended, less where it ended by an error, more before; `None` where the
    /// runtime does not tell.
    pub(crate) fn status(&self) -> Option<i32> {
        let mut status = 0i32;
        let which = ffi::CL_EVENT_COMMAND_EXECUTION_STATUS;
        // SAFETY: the property is one `cl_int`.
        let code = unsafe { ffi::clGetEventInfo(self.raw(), which, 4, (&raw mut status).cast(), null_mut()) };
        (code == 0).then_some(status)
    }

    /// When it began and ended on the device's clock, in nanoseconds; it must have ended.
    pub(crate) fn span(&self, device: &str) -> Result<(u64, u64), DeviceError> {
        let read = |which| {
            let mut value = 0u64;
            // SAFETY: the property is one `cl_ulong`.
            let code =
                unsafe { ffi::clGetEventProfilingInfo(self.raw(), which, 8, (&raw mut value).cast(), null_mut()) };
            check(code, "clGetEventProfilingInfo", device).map(|()| value)
        };
        Ok((read(ffi::CL_PROFILING_COMMAND_START)?, read(ffi::CL_PROFILING_COMMAND_END)?))
    }
}

impl Memory {
    /// Allocates `bytes` of device memory; `pinned` asks for memory that the host can map and the device read fast.
    pub(crate) fn new(context: &Context, bytes: usize, pinned: bool) -> Result<Self, i32> {
        let flags = ffi::CL_MEM_READ_WRITE | if pinned { ffi::CL_MEM_ALLOC_HOST_PTR } else { 0 };
        let mut code = 0;
        // SAFETY: no host pointer.
        let raw = unsafe { ffi::clCreateBuffer(context.raw(), flags, bytes, null_mut(), &raw mut code) };
        if code == 0 { Ok(Self(raw)) } else { Err(code) }
    }

    /// The part from byte `offset`, `bytes` long.
    pub(crate) fn part(&self, offset: usize, bytes: usize, device: &str) -> Result<Self, DeviceError> {
        const CREATE_TYPE_REGION: u32 = 0x1220;
        let region = [offset, bytes];
        let mut code = 0;
        // SAFETY: `region` has the layout of `cl_buffer_region`, two sizes.
        let raw =
            unsafe { ffi::clCreateSubBuffer(self.raw(), 0, CREATE_TYPE_REGION, region.as_ptr().cast(), &raw mut code) };
        check(code, "clCreateSubBuffer", device)?;
        Ok(Self(raw))
    }
}

impl Kernel {
    pub(crate) fn new(program: &Program, entry: &str, device: &str) -> Result<Self, DeviceError> {
        let name = CString::new(entry).unwrap_or_default();
        let mut code = 0;
        // SAFETY: a built program and a C string.
        let raw = unsafe { ffi::clCreateKernel(program.raw(), name.as_ptr(), &raw mut code) };
        check(code, "clCreateKernel", device)?;
        Ok(Self(raw))
    }

    /// The number of its arguments.
    pub(crate) fn arguments(&self, device: &str) -> Result<usize, DeviceError> {
        let mut count = 0u32;
        // SAFETY: the property is one `cl_uint`.
        let code = unsafe {
            ffi::clGetKernelInfo(self.raw(), ffi::CL_KERNEL_NUM_ARGS, 4, (&raw mut count).cast(), null_mut())
        };
        check(code, "clGetKernelInfo", device)?;
        Ok(count as usize)
    }

    /// The type of argument `index` as the source says it; `None` where the runtime keeps no such record.
    pub(crate) fn argument_type(&self, index: usize) -> Option<String> {
        // SAFETY: `property` passes a buffer of the size that it states.
        property(|size, to, needed| unsafe {
            ffi::clGetKernelArgInfo(self.raw(), index as u32, ffi::CL_KERNEL_ARG_TYPE_NAME, size, to, needed)
        })
        .ok()
        .map(|bytes| text(&bytes))
    }

    /// The largest group that it can be launched with.
    pub(crate) fn group_limit(&self, id: DeviceId, device: &str) -> Result<usize, DeviceError> {
        let mut limit = 0usize;
        let to = (&raw mut limit).cast();
        // SAFETY: the property is one `size_t`.
        let code = unsafe {
            let which = ffi::CL_KERNEL_WORK_GROUP_SIZE;
            ffi::clGetKernelWorkGroupInfo(self.raw(), id.0, which, size_of::<usize>(), to, null_mut())
        };
        check(code, "clGetKernelWorkGroupInfo", device)?;
        Ok(limit)
    }

    /// Bytes of memory of a work-item (`CL_KERNEL_PRIVATE_MEM_SIZE`) or of a group (`CL_KERNEL_LOCAL_MEM_SIZE`); 0 where the driver
    /// does not tell.
    fn memory_bytes(&self, id: DeviceId, which: u32) -> u64 {
        let mut bytes = 0u64;
        let to = (&raw mut bytes).cast();
        // SAFETY: both properties are one `cl_ulong`.
        let code = unsafe { ffi::clGetKernelWorkGroupInfo(self.raw(), id.0, which, size_of::<u64>(), to, null_mut()) };
        if code == 0 { bytes } else { 0 }
    }

    /// Bytes of memory that a work-item has for what does not fit its registers; 0 where the driver does not tell.
    pub(crate) fn private_bytes(&self, id: DeviceId) -> u64 {
        self.memory_bytes(id, ffi::CL_KERNEL_PRIVATE_MEM_SIZE)
    }

    /// Bytes of local memory of a group; 0 where the driver does not tell.
    pub(crate) fn local_bytes(&self, id: DeviceId) -> u64 {
        self.memory_bytes(id, ffi::CL_KERNEL_LOCAL_MEM_SIZE)
    }

    /// The only group that it can be launched with, where its source says so.
    pub(crate) fn required_group(&self, id: DeviceId, device: &str) -> Result<Option<usize>, DeviceError> {
        let mut group = [0usize; 3];
        let to = group.as_mut_ptr().cast();
        // SAFETY: the property is three `size_t`.
        let code = unsafe {
            let which = ffi::CL_KERNEL_COMPILE_WORK_GROUP_SIZE;
            ffi::clGetKernelWorkGroupInfo(self.raw(), id.0, which, size_of_val(&group), to, null_mut())
        };
        check(code, "clGetKernelWorkGroupInfo", device)?;
        Ok(Some(group[0]).filter(|&size| size > 0))
    }

    /// Sets an argument's bytes: with exclusive access, because this call alone is not thread-safe.
    pub(crate) fn set(&mut self, index: usize, bytes: &[u8]) -> i32 {
        // SAFETY: the call copies `bytes.len()` bytes; nobody else has the kernel object.
        unsafe { ffi::clSetKernelArg(self.raw(), index as u32, bytes.len(), bytes.as_ptr().cast()) }
    }

    /// Sets a buffer argument. Whoever enqueues the kernel sees to it that the memory exists until then.
    pub(crate) fn set_memory(&mut self, index: usize, memory: &Memory) -> i32 {
        let memory = memory.raw();
        // SAFETY: a valid handle, which the call copies; nobody else has the kernel object.
        unsafe { ffi::clSetKernelArg(self.raw(), index as u32, size_of::<ffi::cl_mem>(), (&raw const memory).cast()) }
    }
}
