//! Queues, memory and events shared with programs that use the crate `ocl`, without a copy.

use std::ptr::null_mut;

use ocl::core::{self, ClWaitListPtr, MemFlags, MemInfo, MemInfoResult};
use ocl::{OclPrm, ffi};

use super::calls::{Owned, call, failure};
use super::executor::OpenCl;
use super::memory::GIVEN;
use super::objects::Memory;
use crate::buffer::storage::{Buffer, Storage};
use crate::device::{Device, Executor};
use crate::error::DeviceError;
use crate::word::Word;

impl Device {
    /// The queue that the device runs kernels and copies on, in order; its `context()` is that of the device's memory.
    ///
    /// # Errors
    /// [`DeviceError::Unsupported`] for the host; those of the first use of a device.
    pub fn ocl_queue(&self) -> Result<&ocl::Queue, DeviceError> {
        Ok(&self.shared("queue of OpenCL")?.opened()?.queue)
    }

    /// The context in which the device's memory lies.
    ///
    /// # Errors
    /// As [`Device::ocl_queue`].
    pub fn ocl_context(&self) -> Result<&ocl::Context, DeviceError> {
        Ok(&self.shared("context of OpenCL")?.opened()?.context)
    }

    /// An event that ends when everything enqueued on the device so far has ended: for other queues of its context to wait
    /// for. What is enqueued is on its way.
    ///
    /// # Errors
    /// As [`Device::ocl_queue`]; [`DeviceError::Api`] when the runtime refuses.
    pub fn ocl_event(&self) -> Result<ocl::Event, DeviceError> {
        let cl = self.shared("event of OpenCL")?;
        let queue = &cl.opened()?.queue;
        let event = queue.marker(cl.name())?;
        queue.flush(cl.name())?;
        Ok(event.into_inner().into())
    }

    /// Makes everything enqueued on the device from now on wait for events of its context: an `&ocl::Event`, an `&ocl::EventList`
    /// or a slice of `ocl::core::Event`. The host does not wait. The events may be of queues that run commands in any order, and
    /// of users; queues whose commands have not gone to the device yet are flushed. No event, or an empty one, is nothing to wait
    /// for.
    ///
    /// ```
    /// use manycore_device::{Device, ocl};
    ///
    /// for device in Device::opencl().unwrap_or_default() {
    ///     let any_order = Some(ocl::CommandQueueProperties::OUT_OF_ORDER_EXEC_MODE_ENABLE);
    ///     let context = device.ocl_context()?;
    ///     let Ok(theirs) = ocl::Queue::new(context, device.ocl_queue()?.device(), any_order) else { continue };
    ///     let x = device.upload(&[1u32; 8])?.into_ocl()?;
    ///     let (ours, mut done) = (device.ocl_event()?, ocl::EventList::new());
    ///     for quarter in 0..4 {
    ///         let part = x.cmd().fill(quarter, Some(2)).offset(2 * quarter as usize);
    ///         part.queue(&theirs).ewait(&ours).enew(&mut done).enq()?; // in any order, after the upload
    ///     }
    ///     device.wait_for_ocl(&done)?;
    ///     let x = manycore_device::Buffer::from_ocl(&device, x)?;
    ///     assert_eq!(x.download()?, [0, 0, 1, 1, 2, 2, 3, 3]);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Device::ocl_queue`]; [`DeviceError::Api`] for an event of another context.
    pub fn wait_for_ocl(&self, events: impl ClWaitListPtr) -> Result<(), DeviceError> {
        let cl = self.shared("event of OpenCL")?;
        if events.count() == 0 {
            return Ok(());
        }
        flush_queues_of(&events, cl.name())?;
        cl.opened()?.queue.wait_for_all(events, cl.name())
    }

    /// Its OpenCL device.
    pub(super) fn shared(&self, what: &str) -> Result<&OpenCl, DeviceError> {
        match self.executor() {
            Executor::OpenCl(cl) => Ok(cl),
            Executor::Host(_) => {
                Err(DeviceError::Unsupported { device: self.info().label(), feature: what.to_owned() })
            }
        }
    }
}

/// Sends the commands of events to their devices: other queues may only wait for what is on its way.
fn flush_queues_of(events: &impl ClWaitListPtr, device: &str) -> Result<(), DeviceError> {
    // SAFETY: the trait promises `count` events at the pointer.
    let events = unsafe { std::slice::from_raw_parts(events.as_ptr_ptr(), events.count() as usize) };
    for &event in events {
        let (mut status, mut queue): (i32, ffi::cl_command_queue) = (0, null_mut());
        let read = |which, bytes, to| {
            // SAFETY: `to` points to `bytes` writable bytes, the size of the property.
            match unsafe { ffi::clGetEventInfo(event, which, bytes, to, null_mut()) } {
                0 => Ok(()),
                code => Err(failure(code, "clGetEventInfo", device)),
            }
        };
        read(ffi::CL_EVENT_COMMAND_EXECUTION_STATUS, size_of::<i32>(), (&raw mut status).cast())?;
        // A queue may be gone once its commands have ended; an event of a user has none, and is submitted.
        if status != ffi::CL_QUEUED {
            continue;
        }
        read(ffi::CL_EVENT_COMMAND_QUEUE, size_of::<ffi::cl_command_queue>(), (&raw mut queue).cast())?;
        // SAFETY: the queue of a command that has not begun.
        let code = if queue.is_null() { 0 } else { unsafe { ffi::clFlush(queue) } };
        if code != 0 {
            return Err(failure(code, "clFlush", device));
        }
    }
    Ok(())
}

impl<T: Word + OclPrm> Buffer<T> {
    /// The memory of a buffer of `ocl` as a buffer of `device`, without a copy. Clones that the program keeps of it stay
    /// valid and see what operations write; what the program does with them on other queues is not ordered with them.
    ///
    /// # Errors
    /// [`DeviceError::MixedDevices`] for memory of another context than the device's; [`DeviceError::Unsupported`] for
    /// memory that kernels may not read and write, and for the host; [`DeviceError::Length`] where the memory is smaller
    /// than the buffer says; [`DeviceError::Api`] when the runtime refuses. A part of such a buffer can be given to no kernel
    /// where the buffer is itself a part of another one of `ocl`.
    pub fn from_ocl(device: &Device, buffer: ocl::Buffer<T>) -> Result<Self, DeviceError> {
        let cl = device.shared("memory of OpenCL")?;
        let opened = cl.opened()?;
        let (len, name) = (buffer.len(), cl.name());
        let memory = call("clRetainMemObject", name, || Ok::<_, ocl::Error>(buffer.as_core().clone()))?;
        let memory = Memory::new(memory);
        call("clReleaseMemObject", name, || {
            drop(buffer);
            Ok::<_, ocl::Error>(())
        })?;
        let read = |which| call("clGetMemObjectInfo", name, || core::get_mem_object_info(&memory, which));
        if let MemInfoResult::Context(context) = read(MemInfo::Context)?
            && Owned::new(ocl::Context::from(context)).as_core() != opened.context.as_core()
        {
            let (expected, given) = (cl.info().label(), "another context of OpenCL".to_owned());
            return Err(DeviceError::MixedDevices { expected, given });
        }
        if let MemInfoResult::Flags(flags) = read(MemInfo::Flags)?
            && flags.intersects(MemFlags::READ_ONLY | MemFlags::WRITE_ONLY)
        {
            let feature = "use of memory that kernels may not both read and write".to_owned();
            return Err(DeviceError::Unsupported { device: name.to_owned(), feature });
        }
        if let MemInfoResult::Size(bytes) = read(MemInfo::Size)?
            && bytes / size_of::<T>() < len
        {
            let given = bytes / size_of::<T>();
            return Err(DeviceError::Length { what: "words in the memory of a buffer", expected: len, given });
        }
        Ok(Self { device: device.clone(), len, storage: Storage::OpenCl(Some((memory, GIVEN))), held: None })
    }

    /// Its memory as a buffer of `ocl` with the device's queue, without a copy: what was enqueued on the device before is
    /// seen by what the program enqueues on that queue. The device counts the memory no more.
    ///
    /// `ocl` makes buffers only by allocating. So a second one of this size exists meanwhile, which no command uses.
    ///
    /// # Errors
    /// [`DeviceError::Unsupported`] for a buffer of the host; [`DeviceError::Api`] for one without words, which OpenCL does
    /// not have, and when the runtime refuses.
    pub fn into_ocl(mut self) -> Result<ocl::Buffer<T>, DeviceError> {
        let device = self.device.clone();
        let cl = device.shared("memory of OpenCL")?;
        let (queue, name) = (&cl.opened()?.queue, cl.name());
        // SAFETY: no flag asks for memory of the host, and none is given.
        let make = || unsafe { ocl::Buffer::<T>::new::<_, usize>(&***queue, MemFlags::READ_WRITE, self.len, None) };
        let mut buffer = call("clCreateBuffer", name, make)?;
        let Storage::OpenCl(Some((memory, size))) = self.take_storage() else { return Err(DeviceError::elsewhere()) };
        cl.give_away(size)?;
        let allocated = std::mem::replace(buffer.as_mut(), memory.into_inner());
        drop(Owned::new(allocated));
        Ok(buffer)
    }
}
