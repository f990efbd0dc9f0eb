//! Devices of queues that a program gives.

use std::sync::Arc;

use ocl::core::{self, CommandQueueInfo, CommandQueueInfoResult, CommandQueueProperties};

use super::list;
use crate::device::Device;
use crate::error::DeviceError;
use crate::opencl::calls::call;
use crate::opencl::executor::OpenCl;
use crate::opencl::objects::{Context, Queue};

impl Device {
    /// The device of a queue of `ocl`, which runs its kernels on this queue: what the program enqueues there, and what
    /// operations of the device do, follow each other in the order of the calls. Memory lies in the queue's context, so
    /// that buffers of both sides are used by the other ([`Buffer::from_ocl`](crate::Buffer::from_ocl),
    /// [`Buffer::into_ocl`](crate::Buffer::into_ocl)).
    ///
    /// The handle is a device of its own, as one of [`Device::limited`]: make it once and clone it. Profiles, timings and
    /// calibrations need a queue with `CommandQueueProperties::PROFILING_ENABLE`; overlapped transfers have a queue of
    /// their own in the context.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_device::ocl;
    ///
    /// for listed in Device::opencl().unwrap_or_default() {
    ///     let theirs = listed.ocl_queue()?.device();
    ///     let context = ocl::Context::builder().devices(theirs).build()?;
    ///     let queue = ocl::Queue::new(&context, theirs, None)?; // a program's own
    ///     let device = Device::from_ocl(&queue)?;
    ///     assert_eq!(device.upload(&[1u32, 2, 3])?.download()?, [1, 2, 3]);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`DeviceError::NoDevice`] for a queue of a part of a device; [`DeviceError::Unsupported`] for one that runs commands
    /// out of order; [`DeviceError::Api`] when the runtime refuses.
    pub fn from_ocl(queue: &ocl::Queue) -> Result<Self, DeviceError> {
        Ok(Self::of_opencl(Arc::new(on(queue)?)))
    }
}

/// A handle of the device of `queue`, which runs on it.
fn on(queue: &ocl::Queue) -> Result<OpenCl, DeviceError> {
    let id = call("clGetCommandQueueInfo", "the device of a queue", || queue.as_core().device())?;
    let listed = list::all()?;
    let Some(listed) = listed.iter().find(|cl| cl.raw_id() == id) else {
        let seen = listed.iter().map(|cl| cl.info().label()).collect();
        return Err(DeviceError::NoDevice { wanted: "the device of a queue".to_owned(), seen });
    };
    let name = listed.name();
    let properties = || core::get_command_queue_info(queue, CommandQueueInfo::Properties);
    let CommandQueueInfoResult::Properties(properties) = call("clGetCommandQueueInfo", name, properties)? else {
        return Err(DeviceError::elsewhere());
    };
    if properties.contains(CommandQueueProperties::OUT_OF_ORDER_EXEC_MODE_ENABLE) {
        let feature = "use of queues that run commands out of order".to_owned();
        return Err(DeviceError::Unsupported { device: name.to_owned(), feature });
    }
    let context = call("clRetainContext", name, || queue.as_core().context())?;
    let queue = call("clRetainCommandQueue", name, || Ok::<_, ocl::Error>(queue.clone()))?;
    Ok(listed.on(Context::new(context.into()), Queue::new(queue)))
}
