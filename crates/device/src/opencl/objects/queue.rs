//! Queues: what is enqueued, and waits.
//!
//! Enqueuing calls take the event to wait for and the event to fill, where there are any. They give codes, which mean
//! different things to different callers.

use std::ptr::null_mut;

use ocl::core::{self, ClNullEventPtr, ClWaitListPtr, CommandQueueProperties, MapFlags, OpenclVersion};
use ocl::ffi;

use super::{Context, DeviceId, Event, Kernel, Mapping, Memory, Queue};
use crate::error::DeviceError;
use crate::opencl::calls::{call, code};

/// The version of all devices that are used, which `ocl` would ask for at each call.
pub(super) fn version() -> OpenclVersion {
    OpenclVersion::new(1, 2)
}

/// The wait list of a call, in the form of `ocl`.
fn after(event: Option<&Event>) -> Option<&core::Event> {
    event.map(|event| &**event)
}

/// The event that a call fills, in the form of `ocl`.
fn fills(event: Option<&mut Event>) -> Option<&mut core::Event> {
    event.map(|event| &mut **event)
}

impl Queue {
    pub(crate) fn of(context: &Context, id: DeviceId, device: &str) -> Result<Self, DeviceError> {
        let properties = Some(CommandQueueProperties::PROFILING_ENABLE);
        call("clCreateCommandQueue", device, || ocl::Queue::new(context, id.into(), properties)).map(Self::new)
    }

    /// An event that an enqueuing call of this queue fills.
    #[allow(clippy::unused_self)] // without the queue there is none
    pub(crate) fn event(&self) -> Event {
        Event::new(core::Event::null())
    }

    /// Enqueues a kernel of `global` items, one number for each dimension, in groups of `group`, or of a size that the runtime chooses.
    ///
    /// # Safety
    /// Every argument of the kernel is set, to memory of the queue's context that exists or to a number of the right
    /// size; no other thread has the kernel object; `global` is a multiple of `group`.
    pub(crate) unsafe fn enqueue(
        &self,
        kernel: &Kernel,
        (dimensions, global): (u32, [usize; 3]),
        group: Option<[usize; 3]>,
        event: Option<&mut Event>,
    ) -> Result<(), i32> {
        // SAFETY: by the caller's promise.
        code(|| unsafe {
            core::enqueue_kernel(self.as_core(), kernel, dimensions, None, &global, group, None::<()>, fills(event))
        })
    }

    /// Enqueues a write of `data` to byte `offset` of `memory`, and waits for it where it is `blocking`.
    ///
    /// # Safety
    /// The range lies in the memory. When the write is not blocking, `data` stays as it is until it has ended.
    pub(crate) unsafe fn write(
        &self,
        memory: &Memory,
        offset: usize,
        data: &[u8],
        blocking: bool,
        waits: Option<&Event>,
        event: Option<&mut Event>,
    ) -> Result<(), i32> {
        let (queue, memory) = (self.as_core(), &**memory);
        // SAFETY: by the caller's promise.
        code(|| unsafe {
            core::enqueue_write_buffer(queue, memory, blocking, offset, data, after(waits), fills(event))
        })
    }

    /// Enqueues a read from byte `offset` of `memory` to `out`, and waits for it where it is `blocking`.
    ///
    /// # Safety
    /// The range lies in the memory. When the read is not blocking, nobody looks at `out` until it has ended.
    pub(crate) unsafe fn read(
        &self,
        memory: &Memory,
        offset: usize,
        out: &mut [u8],
        blocking: bool,
        waits: Option<&Event>,
        event: Option<&mut Event>,
    ) -> Result<(), i32> {
        let (queue, memory) = (self.as_core(), &**memory);
        // SAFETY: by the caller's promise.
        code(|| unsafe { core::enqueue_read_buffer(queue, memory, blocking, offset, out, after(waits), fills(event)) })
    }

    /// Enqueues a copy of `bytes` bytes between two blocks, or two ranges of one that do not overlap.
    pub(crate) fn copy(
        &self,
        (from, from_offset): (&Memory, usize),
        (to, to_offset): (&Memory, usize),
        bytes: usize,
        event: Option<&mut Event>,
    ) -> Result<(), i32> {
        let (from, to) = (&**from, &**to);
        code(|| {
            core::enqueue_copy_buffer::<u8, _, _, _>(
                self.as_core(),
                from,
                to,
                from_offset,
                to_offset,
                bytes,
                None::<()>,
                fills(event),
            )
        })
    }

    /// Enqueues repetitions of `pattern` for `bytes` bytes from byte `offset`; the pattern's length is a power of two up
    /// to 128 that divides both numbers.
    pub(crate) fn fill(
        &self,
        memory: &Memory,
        pattern: &[u8],
        offset: usize,
        bytes: usize,
        event: Option<&mut Event>,
    ) -> Result<(), i32> {
        let event = fills(event).map_or(null_mut(), |mut event| event.alloc_new());
        let (queue, memory, from) = (self.as_ptr(), memory.as_ptr(), pattern.as_ptr().cast());
        // A pattern of `ocl` is a value of a type, and has no length.
        // SAFETY: the runtime copies the pattern, and refuses ranges that do not lie in the memory.
        let code = unsafe {
            ffi::clEnqueueFillBuffer(queue, memory, from, pattern.len(), offset, bytes, 0, std::ptr::null(), event)
        };
        if code == 0 { Ok(()) } else { Err(code) }
    }

    /// Waits until the host has an address for the `bytes` bytes of `memory`.
    pub(crate) fn map(&self, memory: &Memory, bytes: usize) -> Result<Mapping, i32> {
        let (queue, memory, flags) = (self.as_core(), &**memory, MapFlags::READ | MapFlags::WRITE);
        // SAFETY: the mapping has ended when a blocking call returns; whoever reads it keeps the memory.
        code(|| unsafe { core::enqueue_map_buffer(queue, memory, true, flags, 0, bytes, None::<()>, None::<()>) })
    }

    /// Enqueues the end of a mapping of `memory`.
    pub(crate) fn unmap(&self, memory: &Memory, mapping: &Mapping) -> Result<(), i32> {
        let memory = &**memory;
        code(|| core::enqueue_unmap_mem_object(self.as_core(), memory, mapping, None::<()>, None::<()>))
    }

    /// Waits until everything enqueued has ended.
    pub(crate) fn finish(&self, device: &str) -> Result<(), DeviceError> {
        call("clFinish", device, || core::finish(self))
    }

    /// Sends what is enqueued to the device, without waiting.
    pub(crate) fn flush(&self, device: &str) -> Result<(), DeviceError> {
        call("clFlush", device, || core::flush(self))
    }

    /// An event that ends when everything enqueued so far has ended.
    pub(crate) fn marker(&self, device: &str) -> Result<Event, DeviceError> {
        let mut event = self.event();
        let mark = || {
            let event = fills(Some(&mut event));
            core::enqueue_marker_with_wait_list(self.as_core(), None::<()>, event, Some(&version()))
        };
        call("clEnqueueMarkerWithWaitList", device, mark)?;
        Ok(event)
    }

    /// Makes everything enqueued later wait for `event`, which may be of another queue of the device.
    pub(crate) fn wait_for(&self, event: &Event, device: &str) -> Result<(), DeviceError> {
        self.wait_for_all(&**event, device)
    }

    /// Makes everything enqueued later wait for `events`, at least one, which may be of other queues of the device.
    pub(crate) fn wait_for_all(&self, events: impl ClWaitListPtr, device: &str) -> Result<(), DeviceError> {
        let wait = || core::enqueue_barrier_with_wait_list(self.as_core(), Some(events), None::<()>, Some(&version()));
        call("clEnqueueBarrierWithWaitList", device, wait)
    }
}
