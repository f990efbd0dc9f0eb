//! Typed memory of a device.

use std::fmt;
use std::ops::{Bound, RangeBounds};

use crate::control::{self, Held};
use crate::device::{Device, Executor};
use crate::error::DeviceError;
use crate::host::memory::HostMemory;
use crate::opencl::executor::OpenCl;
use crate::opencl::objects::Memory;
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

    /// The memory itself; the buffer has none until it is put back.
    pub(crate) fn take_storage(&mut self) -> Storage<T> {
        std::mem::replace(&mut self.storage, Storage::OpenCl(None))
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

    pub(super) fn bounds(&self, range: &impl RangeBounds<usize>) -> Result<(usize, usize), DeviceError> {
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

    /// The words of a buffer of the host, where an operation runs on the host.
    ///
    /// # Errors
    /// [`DeviceError::Elsewhere`], with the place of the call, for a buffer of an OpenCL device.
    #[track_caller]
    pub fn host(&self) -> Result<&[T], DeviceError> {
        match self.as_host() {
            Some(words) => Ok(words),
            None => Err(DeviceError::elsewhere()),
        }
    }

    /// The words of a buffer of the host to change, where an operation runs on the host.
    ///
    /// # Errors
    /// As [`Buffer::host`].
    #[track_caller]
    pub fn host_mut(&mut self) -> Result<&mut [T], DeviceError> {
        match self.as_host_mut() {
            Some(words) => Ok(words),
            None => Err(DeviceError::elsewhere()),
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
