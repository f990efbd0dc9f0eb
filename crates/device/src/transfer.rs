//! Transfers that run beside kernels, and pinned host memory for them.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::buffer::view::{Place, View};
use crate::buffer::view_mut::ViewMut;
use crate::device::{Device, Executor};
use crate::error::DeviceError;
use crate::host::memory::HostMemory;
use crate::opencl::calls::failure;
use crate::opencl::executor::OpenCl;
use crate::opencl::objects::{Event, Queue};
use crate::opencl::pinned::PinnedBlock;
use crate::profile::Kind;
use crate::word::Word;

/// Host memory that a device reads and writes at the full speed of its bus; plain memory where the device is the host.
#[derive(Debug)]
pub struct Pinned<T: Word> {
    device: Device,
    len: usize,
    memory: PinnedMemory<T>,
}

#[derive(Debug)]
enum PinnedMemory<T: Word> {
    Host(HostMemory<T>),
    Device(PinnedBlock),
}

impl<T: Word> Pinned<T> {
    fn new(device: &Device, len: usize) -> Result<Self, DeviceError> {
        let memory = match device.executor() {
            Executor::Host(_) => PinnedMemory::Host(HostMemory::new(len)?),
            Executor::OpenCl(cl) => {
                let bytes = len.checked_mul(size_of::<T>()).ok_or_else(|| DeviceError::OutOfMemory {
                    device: cl.info().name.clone(),
                    wanted_bytes: u64::MAX,
                    free_or_limit_bytes: cl.info().largest_allocation_bytes,
                    reason: "pinned host memory",
                })?;
                PinnedMemory::Device(cl.pinned(bytes)?)
            }
        };
        Ok(Self { device: device.clone(), len, memory })
    }
}

impl<T: Word> Deref for Pinned<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &self.memory {
            PinnedMemory::Host(memory) => memory,
            PinnedMemory::Device(block) => bytemuck::cast_slice(&block.bytes()[..self.len * size_of::<T>()]),
        }
    }
}

impl<T: Word> DerefMut for Pinned<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.memory {
            PinnedMemory::Host(memory) => memory,
            PinnedMemory::Device(block) => {
                bytemuck::cast_slice_mut(&mut block.bytes_mut()[..self.len * size_of::<T>()])
            }
        }
    }
}

impl<T: Word> Drop for Pinned<T> {
    fn drop(&mut self) {
        if let (PinnedMemory::Device(block), Executor::OpenCl(cl)) = (&mut self.memory, self.device.executor())
            && let Ok(opened) = cl.opened()
        {
            block.unmap(&opened.queue, cl.name());
        }
    }
}

/// Transfers on a device's second queue, for the time of one [`Device::overlap`].
///
/// A transfer starts when the kernels launched before it have ended and runs beside those launched after it. The memory
/// at both its ends is lent to it, and comes back through its ticket.
///
/// Memory that ends within the scope cannot be lent:
///
/// ```compile_fail,E0597
/// # use manycore_device::Device;
/// # let (device, mut x) = (Device::host(), Device::host().zeros::<u32>(4).unwrap());
/// device.overlap(|transfers| {
///     let data = vec![1u32; 4];
///     drop(transfers.upload(&data, x.view_mut(..).unwrap()));
/// });
/// ```
///
/// Nor can what is lent be used beside its ticket:
///
/// ```compile_fail,E0502
/// # use manycore_device::Device;
/// # let (device, x) = (Device::host(), Device::host().zeros::<u32>(4).unwrap());
/// let mut out = [0u32; 4];
/// device.overlap(|transfers| {
///     let ticket = transfers.download(x.view(..).unwrap(), &mut out);
///     println!("{out:?}");
///     drop(ticket);
/// });
/// ```
#[derive(Debug)]
pub struct Transfers<'scope> {
    device: &'scope Device,
    /// What was started, so that the scope's end can wait for it.
    started: Mutex<Vec<Arc<Event>>>,
    scope: PhantomData<&'scope mut &'scope ()>,
}

/// A transfer to the device under way.
#[must_use = "the destination comes back through the ticket"]
#[derive(Debug)]
pub struct Upload<'scope, T: Word> {
    to: ViewMut<'scope, T>,
    done: Option<Arc<Event>>,
}

/// A transfer from the device under way.
#[must_use = "the result comes back through the ticket"]
#[derive(Debug)]
pub struct Download<'scope, T: Word> {
    device: &'scope Device,
    to: &'scope mut [T],
    done: Option<Arc<Event>>,
}

impl Device {
    /// `len` zeros in pinned host memory, for fast transfers.
    ///
    /// # Errors
    /// [`DeviceError::OutOfMemory`] with the sizes; [`DeviceError::Api`] when the device failed.
    pub fn pinned<T: Word>(&self, len: usize) -> Result<Pinned<T>, DeviceError> {
        Pinned::new(self, len)
    }

    /// Runs `work`, which may start transfers that run beside kernels; all have ended when this returns.
    ///
    /// ```
    /// use manycore_device::Device;
    /// let device = Device::from_env()?;
    /// let (next, mut x, y) = (vec![3u32; 100], device.zeros::<u32>(100)?, device.upload(&[5u32; 10])?);
    /// let mut out = [0; 10];
    /// device.overlap(|transfers| {
    ///     let upload = transfers.upload(&next, x.view_mut(..)?)?;
    ///     let download = transfers.download(y.view(..)?, &mut out)?;
    ///     // ... kernels on other buffers ...
    ///     let mut x = upload.wait()?; // kernels from here on see the new content
    ///     x.fill(4)?;
    ///     assert_eq!(download.wait()?[0], 5);
    ///     Ok::<(), manycore_device::DeviceError>(())
    /// })??;
    /// # Ok::<(), manycore_device::DeviceError>(())
    /// ```
    ///
    /// # Errors
    /// [`DeviceError::Api`] when waiting for the transfers failed.
    pub fn overlap<'env, R>(
        &'env self,
        work: impl for<'scope> FnOnce(&'scope Transfers<'env>) -> R,
    ) -> Result<R, DeviceError> {
        let transfers = Transfers { device: self, started: Mutex::new(Vec::new()), scope: PhantomData };
        let result = work(&transfers);
        transfers.finish()?;
        Ok(result)
    }
}

impl<'scope> Transfers<'scope> {
    /// Starts copying `data` to the device.
    ///
    /// # Errors
    /// [`DeviceError::Length`], [`DeviceError::MixedDevices`] or [`DeviceError::Api`].
    pub fn upload<T: Word>(
        &self,
        data: &'scope [T],
        mut to: ViewMut<'scope, T>,
    ) -> Result<Upload<'scope, T>, DeviceError> {
        self.device.same_as(to.device())?;
        if data.len() != to.len() {
            return Err(DeviceError::Length { what: "words to upload", expected: to.len(), given: data.len() });
        }
        let done = match (self.device.executor(), to.place()) {
            (Executor::OpenCl(cl), Ok(place)) if place.bytes > 0 => {
                Some(self.start(cl, &place, Kind::Upload, |queue, earlier, event| {
                    let (data, offset) = (bytemuck::cast_slice(data), place.offset_bytes);
                    // SAFETY: the range lies in the block. `data` and `to` are lent for the scope, which waits for the
                    // event before it ends; the ticket waits before it hands `to` back.
                    unsafe { queue.write(place.memory, offset, data, false, Some(earlier), Some(event)) }
                })?)
            }
            _ => {
                to.write(data)?;
                None
            }
        };
        Ok(Upload { to, done })
    }

    /// Starts copying from the device to `out`.
    ///
    /// # Errors
    /// [`DeviceError::Length`], [`DeviceError::MixedDevices`] or [`DeviceError::Api`].
    pub fn download<T: Word>(
        &self,
        from: View<'scope, T>,
        out: &'scope mut [T],
    ) -> Result<Download<'scope, T>, DeviceError> {
        self.device.same_as(from.buffer().device())?;
        if out.len() != from.len() {
            return Err(DeviceError::Length { what: "words to download", expected: from.len(), given: out.len() });
        }
        let done = match (self.device.executor(), from.place()) {
            (Executor::OpenCl(cl), Ok(place)) if place.bytes > 0 => {
                Some(self.start(cl, &place, Kind::Download, |queue, earlier, event| {
                    let (out, offset) = (bytemuck::cast_slice_mut(out), place.offset_bytes);
                    // SAFETY: as for uploads; `out` is lent for the scope and comes back after the event.
                    unsafe { queue.read(place.memory, offset, out, false, Some(earlier), Some(event)) }
                })?)
            }
            _ => {
                from.read_into(out)?;
                None
            }
        };
        Ok(Download { device: self.device, to: out, done })
    }

    /// Enqueues a transfer behind everything on the kernels' queue; returns its event.
    fn start(
        &self,
        cl: &OpenCl,
        place: &Place<'_>,
        kind: Kind,
        enqueue: impl FnOnce(&Queue, &Event, &mut Event) -> Result<(), i32>,
    ) -> Result<Arc<Event>, DeviceError> {
        let name = &cl.info().name;
        let opened = cl.opened()?;
        let earlier = opened.queue.marker(name)?;
        opened.queue.flush(name)?;
        let mut event = opened.transfers.event();
        let refused = |code| failure(code, "clEnqueueReadBuffer or clEnqueueWriteBuffer", name);
        enqueue(&opened.transfers, &earlier, &mut event).map_err(refused)?;
        let event = Arc::new(event);
        if cl.recorder.is_on() {
            cl.recorder.event(kind, kind.name(), Arc::clone(&event), place.bytes as u64, 0);
        }
        // From here on the scope's end waits for it, whatever fails below.
        self.started.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&event));
        opened.transfers.flush(name)?;
        Ok(event)
    }

    /// Waits for all that was started; the first error, after all have ended.
    fn finish(&self) -> Result<(), DeviceError> {
        let started = std::mem::take(&mut *self.started.lock().unwrap_or_else(PoisonError::into_inner));
        let Executor::OpenCl(cl) = self.device.executor() else { return Ok(()) };
        let wait = |event: &Arc<Event>| {
            let finish = || cl.opened().is_ok_and(|opened| opened.transfers.finish(&cl.info().name).is_ok());
            ended(|| event.wait(&cl.info().name), || event.status(), finish).unwrap_or_else(|| {
                // The memory is the caller's, and would be its again when this returns.
                eprintln!("manycore: {} neither ends a transfer nor tells of it", cl.info().label());
                std::process::abort()
            })
        };
        started.iter().map(wait).fold(Ok(()), Result::and)
    }
}

/// Waits until a transfer has ended by all means there are: by waiting for it, by waiting for its queue, by looking at its status.
/// After a wait that fails, writes may still go on. Returns the outcome; `None` where the transfer may still be in progress, and its end
/// cannot be known.
fn ended(
    wait: impl FnOnce() -> Result<(), DeviceError>,
    status: impl Fn() -> Option<i32>,
    finish: impl FnOnce() -> bool,
) -> Option<Result<(), DeviceError>> {
    /// The time for which a transfer that cannot be waited for is polled: 64 GiB at 1 GB/s.
    const PATIENCE: Duration = Duration::from_secs(64);
    let outcome = wait();
    // Codes below 0 are of commands that ended by an error.
    let over = || status().is_some_and(|status| status <= 0);
    if outcome.is_ok() || over() || finish() {
        return Some(outcome);
    }
    let start = Instant::now();
    while status().is_some() && start.elapsed() < PATIENCE {
        if over() {
            return Some(outcome);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    None
}

impl Drop for Transfers<'_> {
    /// Waits also when the work panicked: the memory is lent no longer than the scope.
    fn drop(&mut self) {
        let _ = self.finish();
    }
}

impl<'scope, T: Word> Upload<'scope, T> {
    /// Lets kernels launched from now on wait for the transfer, without blocking the host, and gives its destination
    /// back.
    ///
    /// # Errors
    /// [`DeviceError::Api`] when the device failed.
    pub fn wait(self) -> Result<ViewMut<'scope, T>, DeviceError> {
        if let (Some(event), Executor::OpenCl(cl)) = (&self.done, self.to.device().executor()) {
            cl.opened()?.queue.wait_for(event, &cl.info().name)?;
        }
        Ok(self.to)
    }
}

impl<'scope, T: Word> Download<'scope, T> {
    /// Waits for the transfer and gives its destination back.
    ///
    /// # Errors
    /// [`DeviceError::Api`] when the device failed.
    pub fn wait(self) -> Result<&'scope mut [T], DeviceError> {
        if let Some(event) = &self.done {
            event.wait(&self.device.info().name)?;
        }
        Ok(self.to)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    fn failed() -> Result<(), DeviceError> {
        Err(failure(-5, "clWaitForEvents", "a device"))
    }

    #[test]
    fn memory_comes_back_after_the_transfer_alone() {
        let never = || panic!("asked without need");
        assert_eq!(ended(|| Ok(()), || panic!("asked without need"), never), Some(Ok(())));
        // The transfer itself ended by an error, or has ended.
        for status in [-14, 0] {
            assert_eq!(ended(failed, || Some(status), never), Some(failed()));
        }
        // The queue can be waited for.
        assert_eq!(ended(failed, || Some(1), || true), Some(failed()));
        assert_eq!(ended(failed, || None, || true), Some(failed()));
        // Nothing but looking helps: submitted, running, and over at the fifth look.
        let looks = Cell::new(0);
        let status = || {
            looks.set(looks.get() + 1);
            Some(i32::from(looks.get() < 5))
        };
        assert_eq!(ended(failed, status, || false), Some(failed()));
        assert!(looks.get() >= 5);
        assert_eq!(ended(failed, || None, || false), None, "nobody tells");
    }
}
