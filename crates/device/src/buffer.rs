//! Typed memory of a device.

use std::fmt;
use std::ops::{Bound, RangeBounds};

use crate::control::{self, Held};
use crate::device::{Device, Executor};
use crate::error::DeviceError;
use crate::host::{HostMemory, zeroed_words};
use crate::opencl::OpenCl;
use crate::opencl::objects::Memory;
use crate::view::{View, ViewMut};
use crate::word::Word;

/// `len` words in the memory of one device.
///
/// Dropping it gives the memory back to the device's pool.
pub struct Buffer<T: Word> {
    pub(crate) device: Device,
    pub(crate) len: usize,
    pub(crate) storage: Storage<T>,
    /// What it takes of its control's limit.
    pub(crate) held: Option<Held>,
}

pub(crate) enum Storage<T: Word> {
    Host(HostMemory<T>),
    /// A block of the pool and its size; `None` only where the memory was taken out.
    OpenCl(Option<(Memory, usize)>),
}

/// The size of the block of a pool that serves `bytes`: at most an eighth larger, so that few sizes recur.
pub(crate) fn block_size(bytes: usize) -> usize {
    const SMALLEST: usize = 256;
    let bytes = bytes.max(SMALLEST);
    let step = (bytes.next_power_of_two() / 16).max(SMALLEST);
    bytes.next_multiple_of(step)
}

impl<T: Word> fmt::Debug for Buffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer<{}> of {} on {}", T::TYPE.name(), self.len, self.device.info().id)
    }
}

impl<T: Word> Drop for Buffer<T> {
    fn drop(&mut self) {
        self.give_back();
    }
}

impl<T: Word> Buffer<T> {
    /// Gives its memory back to the device's pool.
    #[inline(never)]
    pub(crate) fn give_back(&mut self) {
        match (self.take_storage(), self.device.executor()) {
            (Storage::Host(memory), Executor::Host(host)) => host.memory.give(memory),
            (Storage::OpenCl(Some((memory, size))), Executor::OpenCl(cl)) => cl.release(memory, size),
            _ => {}
        }
    }

    /// A buffer of unspecified content, and whether that is zeros.
    pub(crate) fn unspecified(device: &Device, len: usize) -> Result<(Self, bool), DeviceError> {
        let held = control::hold(&device.info().id, (len as u64).saturating_mul(size_of::<T>() as u64))?;
        let mut zeros = false;
        let storage = match device.executor() {
            Executor::Host(host) => {
                let (memory, fresh) = host.memory.take(len)?;
                zeros = fresh;
                Storage::Host(memory)
            }
            Executor::OpenCl(cl) => {
                let bytes = len.checked_mul(size_of::<T>()).ok_or_else(|| DeviceError::OutOfMemory {
                    device: cl.name().to_owned(),
                    wanted_bytes: u64::MAX,
                    free_or_limit_bytes: cl.info().largest_allocation_bytes,
                    reason: "its largest allocation",
                })?;
                Storage::OpenCl(Some(cl.allocate(bytes)?))
            }
        };
        Ok((Self { device: device.clone(), len, storage, held }, zeros))
    }

    /// The number of words.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has no words.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The device whose memory this is.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// A part of it to read.
    ///
    /// # Errors
    /// [`DeviceError::Range`] when the range does not lie within the buffer.
    pub fn view(&self, range: impl RangeBounds<usize>) -> Result<View<'_, T>, DeviceError> {
        let (start, end) = self.bounds(&range)?;
        Ok(View::new(self, start, end))
    }

    /// A part of it to write. Two mutable views of one buffer do not compile; see [`ViewMut::split_at`].
    ///
    /// ```compile_fail,E0499
    /// # use manycore_device::Device;
    /// let mut x = Device::host().zeros::<u32>(8).unwrap();
    /// let a = x.view_mut(0..4).unwrap();
    /// let b = x.view_mut(4..8).unwrap();
    /// drop((a, b));
    /// ```
    ///
    /// # Errors
    /// [`DeviceError::Range`] when the range does not lie within the buffer.
    pub fn view_mut(&mut self, range: impl RangeBounds<usize>) -> Result<ViewMut<'_, T>, DeviceError> {
        let (start, end) = self.bounds(&range)?;
        Ok(ViewMut::new(self, start, end))
    }

    fn bounds(&self, range: &impl RangeBounds<usize>) -> Result<(usize, usize), DeviceError> {
        let start = match range.start_bound() {
            Bound::Included(&s) => s,
            Bound::Excluded(&s) => s.saturating_add(1),
            Bound::Unbounded => 0,
        };
        let end = match range.end_bound() {
            Bound::Included(&e) => e.saturating_add(1),
            Bound::Excluded(&e) => e,
            Bound::Unbounded => self.len,
        };
        if start <= end && end <= self.len {
            Ok((start, end))
        } else {
            Err(DeviceError::Range { start, end, len: self.len })
        }
    }

    /// A copy of its words on the host.
    ///
    /// # Errors
    /// [`DeviceError::OutOfMemory`] where the host has no memory for it; [`DeviceError::Api`] when the device failed.
    pub fn download(&self) -> Result<Vec<T>, DeviceError> {
        let mut out = zeroed_words(self.len)?;
        self.read_into(&mut out)?;
        Ok(out)
    }

    /// Copies its words to `out`.
    ///
    /// # Errors
    /// [`DeviceError::Length`] when `out` has another length; [`DeviceError::Api`] when the device failed.
    pub fn read_into(&self, out: &mut [T]) -> Result<(), DeviceError> {
        View::from(self).read_into(out)
    }

    /// Copies `data` to it.
    ///
    /// # Errors
    /// [`DeviceError::Length`] when `data` has another length; [`DeviceError::Api`] when the device failed.
    pub fn write(&mut self, data: &[T]) -> Result<(), DeviceError> {
        ViewMut::from(self).write(data)
    }

    /// Copies another buffer of the same device to it.
    ///
    /// # Errors
    /// As [`ViewMut::copy_from`].
    pub fn copy_from(&mut self, from: &Self) -> Result<(), DeviceError> {
        ViewMut::from(self).copy_from(from)
    }

    /// Sets every word to `value`.
    ///
    /// # Errors
    /// [`DeviceError::Api`] when the device failed.
    pub fn fill(&mut self, value: T) -> Result<(), DeviceError> {
        ViewMut::from(self).fill(value)
    }

    /// Its words, where its device is the host.
    pub fn as_host(&self) -> Option<&[T]> {
        match &self.storage {
            Storage::Host(memory) => Some(memory),
            Storage::OpenCl(_) => None,
        }
    }

    /// Its words to change, where its device is the host.
    pub fn as_host_mut(&mut self) -> Option<&mut [T]> {
        match &mut self.storage {
            Storage::Host(memory) => Some(memory),
            Storage::OpenCl(_) => None,
        }
    }

    pub(crate) fn opencl(&self) -> Option<(&OpenCl, &Memory)> {
        match (&self.storage, self.device.executor()) {
            (Storage::OpenCl(Some((memory, _))), Executor::OpenCl(cl)) => Some((cl, memory)),
            _ => None,
        }
    }

    /// Its memory on an OpenCL device.
    #[track_caller]
    pub(crate) fn opencl_memory(&self) -> Result<(&OpenCl, &Memory), DeviceError> {
        match self.opencl() {
            Some(of) => Ok(of),
            None => Err(DeviceError::elsewhere()),
        }
    }
}
