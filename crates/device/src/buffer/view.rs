//! Parts of buffers to read.

use super::storage::Buffer;
use crate::device::{Device, Executor};
use crate::error::DeviceError;
use crate::faults;
use crate::host::memory::zeroed_words;
use crate::opencl::executor::OpenCl;
use crate::opencl::objects::Memory;
use crate::opencl::staging::TASK;
use crate::profile::Kind;
use crate::word::Word;

/// A part of a [`Buffer`] to read.
#[derive(Debug, Clone, Copy)]
pub struct View<'a, T: Word> {
    buffer: &'a Buffer<T>,
    start: usize,
    end: usize,
}

impl<'a, T: Word> From<&'a Buffer<T>> for View<'a, T> {
    fn from(buffer: &'a Buffer<T>) -> Self {
        View { buffer, start: 0, end: buffer.len() }
    }
}

impl<'a, T: Word> View<'a, T> {
    /// The words from `start` to before `end`, which lie in the buffer.
    pub(crate) fn new(buffer: &'a Buffer<T>, start: usize, end: usize) -> Self {
        Self { buffer, start, end }
    }

    /// The buffer that it is a part of.
    pub fn buffer(&self) -> &'a Buffer<T> {
        self.buffer
    }

    /// Its first word's index in the buffer.
    pub fn start(&self) -> usize {
        self.start
    }

    /// The number of words.
    pub fn len(&self) -> usize {
        self.end - self.start
    }

    /// Whether it has no words.
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// Its words, where an operation runs on the host.
    ///
    /// # Errors
    /// [`DeviceError::Elsewhere`], with the place of the call, for a part of a buffer of an OpenCL device.
    #[track_caller]
    pub fn host(self) -> Result<&'a [T], DeviceError> {
        match self.buffer.as_host() {
            Some(words) => Ok(&words[self.start..self.end]),
            None => Err(DeviceError::elsewhere()),
        }
    }

    /// Copies its words to `out`.
    ///
    /// # Errors
    /// [`DeviceError::Length`] when `out` has another length; [`DeviceError::Api`] when the device failed.
    #[inline(never)]
    pub fn read_into(self, out: &mut [T]) -> Result<(), DeviceError> {
        same_length("words to read", self.len(), out.len())?;
        match self.buffer.device.executor() {
            Executor::Host(host) => {
                let (bytes, words) = (size_of_val(out) as u64, self.host()?);
                host.recorder.step(Kind::Download, "download", bytes, 0, || out.copy_from_slice(words));
                faults::met(out);
                Ok(())
            }
            Executor::OpenCl(_) => {
                let (cl, memory) = self.buffer.opencl_memory()?;
                cl.read(memory, self.start * size_of::<T>(), bytemuck::cast_slice_mut(out))
            }
        }
    }

    /// Gives its words to the host, part after part: threads call `take` with the index of a part's first word and the part, in no
    /// order. A matrix goes so to columns of a larger one without a copy on the way.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU64, Ordering};
    /// use manycore_device::Device;
    /// let x = Device::from_env()?.upload(&[1u32, 2, 3])?;
    /// let sum = AtomicU64::new(0);
    /// x.view(1..)?.read_with(|_, part| {
    ///     sum.fetch_add(part.iter().map(|&word| u64::from(word)).sum(), Ordering::Relaxed);
    /// })?;
    /// assert_eq!(sum.into_inner(), 5);
    /// # Ok::<(), manycore_device::DeviceError>(())
    /// ```
    ///
    /// # Errors
    /// As [`View::download`]; some parts may have been given then.
    pub fn read_with(self, take: impl Fn(usize, &[T]) + Sync) -> Result<(), DeviceError> {
        let bytes = self.len() * size_of::<T>();
        match self.buffer.device.executor() {
            Executor::Host(host) => {
                let words = self.host()?;
                let parts = words.chunks(part_words::<T>()).enumerate();
                host.recorder.step(Kind::Download, "download", bytes as u64, 0, || {
                    host.team().each(parts, |(i, part)| take(i * part_words::<T>(), part));
                });
                Ok(())
            }
            Executor::OpenCl(_) => {
                let (cl, memory) = self.buffer.opencl_memory()?;
                let offset = self.start * size_of::<T>();
                let seen = |start: usize, part: &[u8]| take(start / size_of::<T>(), bytemuck::cast_slice(part));
                if cl.stages(bytes) && cl.read_staged(memory, offset, bytes, seen)? {
                    return Ok(());
                }
                let mut words = zeroed_words::<T>(self.len().min(part_words::<T>()))?;
                for start in (0..self.len()).step_by(part_words::<T>()) {
                    let part = &mut words[..part_words::<T>().min(self.len() - start)];
                    cl.read(memory, offset + start * size_of::<T>(), bytemuck::cast_slice_mut(part))?;
                    take(start, part);
                }
                Ok(())
            }
        }
    }

    /// A copy of its words on the host.
    ///
    /// # Errors
    /// [`DeviceError::OutOfMemory`] where the host has no memory for it; [`DeviceError::Api`] when the device failed.
    #[inline(never)]
    pub fn download(self) -> Result<Vec<T>, DeviceError> {
        let mut out = zeroed_words(self.len())?;
        self.read_into(&mut out)?;
        Ok(out)
    }
}

/// Where a view lies in an OpenCL device's memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) device: &'a OpenCl,
    pub(crate) memory: &'a Memory,
    pub(crate) offset_bytes: usize,
    pub(crate) bytes: usize,
    /// Whether the buffer's memory can stand for it: it is the whole buffer, or nothing of it.
    pub(crate) whole: bool,
}

impl<'a, T: Word> View<'a, T> {
    /// Where it lies, or the device that is no OpenCL device.
    pub(crate) fn place(&self) -> Result<Place<'a>, &'a Device> {
        let (device, memory) = self.buffer.opencl().ok_or(&self.buffer.device)?;
        let (offset_bytes, bytes) = (self.start * size_of::<T>(), self.len() * size_of::<T>());
        Ok(Place { device, memory, offset_bytes, bytes, whole: self.is_empty() || self.len() == self.buffer.len() })
    }
}

/// Words of a part that one thread copies.
pub(super) const fn part_words<T: Word>() -> usize {
    TASK / size_of::<T>()
}

pub(super) fn same_length(what: &'static str, expected: usize, given: usize) -> Result<(), DeviceError> {
    if expected == given { Ok(()) } else { Err(DeviceError::Length { what, expected, given }) }
}
