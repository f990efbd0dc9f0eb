//! Contexts, memory and events: objects of `ocl` with what this crate asks of them.
//!
//! A call of `ocl` is used wherever there is one that serves; the others go by `ocl::ffi`, each with its reason. The C
//! interface is thread-safe but for `clSetKernelArg`, so that arguments of a kernel object are set through `&mut`.

mod kernel;
mod program;
mod queue;

use std::ffi::c_void;
use std::ptr::null_mut;
use std::time::{Duration, Instant};

use ocl::core::{self, BufferRegion, ContextProperties, DeviceInfo, DeviceInfoResult, MemFlags, ProfilingInfo};
use ocl::ffi;

use super::calls::{Owned, call, code};
use crate::error::DeviceError;
use crate::host::pages::Pages;

/// A context: of one device, or the one of a queue that was given.
pub(crate) type Context = Owned<ocl::Context>;
/// An in-order command queue with profiling.
pub(crate) type Queue = Owned<ocl::Queue>;
/// A block of device memory, or a part of one.
pub(crate) type Memory = Owned<core::Mem>;
/// The address at which the host has a block.
pub(crate) type Mapping = core::MemMap<u8>;
/// A built program.
pub(crate) type Program = Owned<core::Program>;
/// A kernel object: an entry of a program with its own arguments.
pub(crate) type Kernel = Owned<core::Kernel>;
/// A point in a queue.
pub(crate) type Event = Owned<core::Event>;
/// OpenCL's `CL_PROFILING_INFO_NOT_AVAILABLE`.
const NO_TIMES: i32 = -7;
/// The time for which the times of an ended event are polled.
const PATIENCE: Duration = Duration::from_millis(200);

/// A device's identifier; devices of a platform are never released.
pub(crate) type DeviceId = core::DeviceId;

impl Context {
    pub(crate) fn of(id: DeviceId, device: &str) -> Result<Self, DeviceError> {
        // Programs of `ocl` that are given the context ask it for its platform, and panic where it was made without.
        let platform = match code(|| core::get_device_info(id, DeviceInfo::Platform)) {
            Ok(DeviceInfoResult::Platform(platform)) => Some(ContextProperties::new().platform(platform)),
            _ => None,
        };
        let make = || core::create_context(platform.as_ref(), &[id], None, None);
        Ok(Self::new(call("clCreateContext", device, make)?.into()))
    }
}

impl Memory {
    /// Allocates `bytes` of device memory; `pinned` asks for memory that the host can map and the device read fast.
    pub(crate) fn allocate(context: &Context, bytes: usize, pinned: bool) -> Result<Self, i32> {
        let pinned = if pinned { MemFlags::ALLOC_HOST_PTR } else { MemFlags::empty() };
        // SAFETY: no flag asks for memory of the host, and none is given.
        let make =
            || unsafe { core::create_buffer::<_, u8>(context.as_core(), MemFlags::READ_WRITE | pinned, bytes, None) };
        code(make).map(Self::new)
    }

    /// A block that is `pages` of the host, which it keeps: for devices that compute on the host's memory.
    ///
    /// # Errors
    /// The code of the call that failed: runtimes before OpenCL 1.1 cannot report when they are done with the pages.
    pub(crate) fn in_pages(context: &Context, pages: Pages) -> Result<Self, i32> {
        /// Runs when the runtime has no more use for the pages, which may be after the object was given back.
        extern "C" fn free(_: ffi::cl_mem, pages: *mut c_void) {
            // SAFETY: made by `Box::into_raw` below; the runtime calls once.
            drop(unsafe { Box::from_raw(pages.cast::<Pages>()) });
        }
        let pages = Box::new(pages);
        let flags = MemFlags::READ_WRITE | MemFlags::USE_HOST_PTR;
        // SAFETY: the pages are the runtime's until it calls `free`, or below until it let go of them.
        let make = || unsafe { core::create_buffer(context.as_core(), flags, pages.len(), Some(&pages[..])) };
        let memory = Self::new(code(make)?);
        let kept = Box::into_raw(pages);
        // `ocl` has no such call.
        // SAFETY: a valid object; `free` takes what it is handed.
        let code = unsafe { ffi::clSetMemObjectDestructorCallback(memory.as_ptr(), Some(free), kept.cast()) };
        if code != 0 {
            // No command has used the block yet: it ends here and now.
            drop(memory);
            // SAFETY: nobody else has the pages.
            drop(unsafe { Box::from_raw(kept) });
            return Err(code);
        }
        Ok(memory)
    }

    /// The part from byte `offset`, `bytes` long.
    pub(crate) fn part(&self, offset: usize, bytes: usize, device: &str) -> Result<Self, DeviceError> {
        let region = BufferRegion::<u8>::new(offset, bytes);
        call("clCreateSubBuffer", device, || core::create_sub_buffer(self, MemFlags::empty(), &region)).map(Self::new)
    }

    /// The handle's number, which another block may have after this one was freed.
    pub(crate) fn address(&self) -> usize {
        self.as_ptr().addr()
    }
}

impl Event {
    /// Waits until it has ended.
    pub(crate) fn wait(&self, device: &str) -> Result<(), DeviceError> {
        call("clWaitForEvents", device, || core::wait_for_event::<core::Event>(self))
    }

    /// Its execution status: 0 where it has ended, less where it ended by an error, more before; `None` where the
    /// runtime does not report it.
    pub(crate) fn status(&self) -> Option<i32> {
        let mut status = 0i32;
        let which = ffi::CL_EVENT_COMMAND_EXECUTION_STATUS;
        // `ocl` does not return the status of a command that ended by an error.
        // SAFETY: the property is one `cl_int`.
        let code = unsafe { ffi::clGetEventInfo(*self.as_ptr_ref(), which, 4, (&raw mut status).cast(), null_mut()) };
        (code == 0).then_some(status)
    }

    /// When it began and ended on the device's clock, in nanoseconds, once it has.
    pub(crate) fn span(&self, device: &str) -> Result<(u64, u64), DeviceError> {
        let read = |which| {
            let time = || core::get_event_profiling_info::<core::Event>(self, which)?.time();
            call("clGetEventProfilingInfo", device, time)
        };
        self.wait(device)?;
        let begun = Instant::now();
        loop {
            match (read(ProfilingInfo::Start), read(ProfilingInfo::End)) {
                (Ok(start), Ok(end)) => return Ok((start, end)),
                // NVIDIA's driver has the times a moment after the end, where several queues are at work.
                (Err(DeviceError::Api { code: NO_TIMES, .. }), _)
                | (_, Err(DeviceError::Api { code: NO_TIMES, .. }))
                    if begun.elapsed() < PATIENCE =>
                {
                    std::thread::sleep(Duration::from_micros(20));
                }
                (Err(error), _) | (_, Err(error)) => return Err(error),
            }
        }
    }
}
