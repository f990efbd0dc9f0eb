//! Typed memory of a device, and parts of it.

use std::fmt;
use std::ops::{Bound, RangeBounds};

use crate::device::{Device, Executor};
use crate::error::DeviceError;
use crate::host::HostMemory;
use crate::opencl::{OpenCl, raw};
use crate::profile::Kind;
use crate::word::Word;

/// `len` words in the memory of one device.
///
/// Dropping it gives the memory back to the device's pool.
pub struct Buffer<T: Word> {
    device: Device,
    len: usize,
    storage: Storage<T>,
}

enum Storage<T: Word> {
    Host(HostMemory<T>),
    /// A block of the pool and its size; `None` only while it is dropped.
    OpenCl(Option<(raw::Memory, usize)>),
}

impl<T: Word> fmt::Debug for Buffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer<{}> of {} on {}", T::TYPE.name(), self.len, self.device.info().id)
    }
}

impl<T: Word> Drop for Buffer<T> {
    fn drop(&mut self) {
        if let (Storage::OpenCl(block), Executor::OpenCl(cl)) = (&mut self.storage, self.device.executor())
            && let Some((memory, size)) = block.take()
        {
            cl.release(memory, size);
        }
    }
}

impl<T: Word> Buffer<T> {
    /// A buffer of unspecified content (zeros on the host).
    pub(crate) fn unspecified(device: &Device, len: usize) -> Result<Self, DeviceError> {
        let storage = match device.executor() {
            Executor::Host(_) => Storage::Host(HostMemory::new(len)?),
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
        Ok(Self { device: device.clone(), len, storage })
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
        Ok(View { buffer: self, start, end })
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
    /// [`DeviceError::Api`] when the device failed.
    pub fn download(&self) -> Result<Vec<T>, DeviceError> {
        let mut out = bytemuck::zeroed_vec(self.len);
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

    pub(crate) fn opencl(&self) -> Option<(&OpenCl, &raw::Memory)> {
        match (&self.storage, self.device.executor()) {
            (Storage::OpenCl(Some((memory, _))), Executor::OpenCl(cl)) => Some((cl, memory)),
            _ => None,
        }
    }
}

/// A part of a [`Buffer`] to read.
#[derive(Debug)]
pub struct View<'a, T: Word> {
    buffer: &'a Buffer<T>,
    start: usize,
    end: usize,
}

impl<T: Word> Clone for View<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Word> Copy for View<'_, T> {}

impl<'a, T: Word> From<&'a Buffer<T>> for View<'a, T> {
    fn from(buffer: &'a Buffer<T>) -> Self {
        View { buffer, start: 0, end: buffer.len }
    }
}

impl<'a, T: Word> View<'a, T> {
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

    /// Copies its words to `out`.
    ///
    /// # Errors
    /// [`DeviceError::Length`] when `out` has another length; [`DeviceError::Api`] when the device failed.
    pub fn read_into(self, out: &mut [T]) -> Result<(), DeviceError> {
        same_length("words to read", self.len(), out.len())?;
        if let Some((cl, memory)) = self.buffer.opencl() {
            return cl.read(memory, self.start * size_of::<T>(), bytemuck::cast_slice_mut(out));
        }
        if let (Some(words), Executor::Host(host)) = (self.buffer.as_host(), self.buffer.device.executor()) {
            let bytes = size_of_val(out) as u64;
            let words = &words[self.start..self.end];
            host.recorder.step(Kind::Download, "download", bytes, 0, || out.copy_from_slice(words));
        }
        Ok(())
    }

    /// A copy of its words on the host.
    ///
    /// # Errors
    /// [`DeviceError::Api`] when the device failed.
    pub fn download(self) -> Result<Vec<T>, DeviceError> {
        let mut out = bytemuck::zeroed_vec(self.len());
        self.read_into(&mut out)?;
        Ok(out)
    }
}

/// A part of a [`Buffer`] to write, exclusively.
#[derive(Debug)]
pub struct ViewMut<'a, T: Word> {
    device: &'a Device,
    start: usize,
    len: usize,
    buffer_len: usize,
    target: Target<'a, T>,
}

#[derive(Debug)]
enum Target<'a, T: Word> {
    Host(&'a mut [T]),
    OpenCl(&'a OpenCl, &'a raw::Memory),
    /// A buffer that is being dropped: never seen from outside.
    Nothing,
}

impl<'a, T: Word> From<&'a mut Buffer<T>> for ViewMut<'a, T> {
    fn from(buffer: &'a mut Buffer<T>) -> Self {
        let len = buffer.len;
        Self::new(buffer, 0, len)
    }
}

impl<'a, T: Word> ViewMut<'a, T> {
    fn new(buffer: &'a mut Buffer<T>, start: usize, end: usize) -> Self {
        let Buffer { device, len, storage } = buffer;
        let target = match (storage, device.executor()) {
            (Storage::Host(memory), _) => Target::Host(&mut memory[start..end]),
            (Storage::OpenCl(Some((memory, _))), Executor::OpenCl(cl)) => Target::OpenCl(cl, memory),
            _ => Target::Nothing,
        };
        Self { device, start, len: end - start, buffer_len: *len, target }
    }

    /// The device whose memory this is.
    pub fn device(&self) -> &'a Device {
        self.device
    }

    /// Its first word's index in the buffer.
    pub fn start(&self) -> usize {
        self.start
    }

    /// The number of words.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has no words.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The same part, borrowed for a shorter time.
    pub fn reborrow(&mut self) -> ViewMut<'_, T> {
        let target = match &mut self.target {
            Target::Host(words) => Target::Host(words),
            Target::OpenCl(cl, memory) => Target::OpenCl(cl, memory),
            Target::Nothing => Target::Nothing,
        };
        ViewMut { device: self.device, start: self.start, len: self.len, buffer_len: self.buffer_len, target }
    }

    /// Two parts, of the first `middle` words and of the rest.
    ///
    /// # Errors
    /// [`DeviceError::Range`] when `middle` is past the end.
    pub fn split_at(self, middle: usize) -> Result<(Self, Self), DeviceError> {
        if middle > self.len {
            return Err(DeviceError::Range { start: 0, end: middle, len: self.len });
        }
        let (left, right) = match self.target {
            Target::Host(words) => {
                let (left, right) = words.split_at_mut(middle);
                (Target::Host(left), Target::Host(right))
            }
            Target::OpenCl(cl, memory) => (Target::OpenCl(cl, memory), Target::OpenCl(cl, memory)),
            Target::Nothing => (Target::Nothing, Target::Nothing),
        };
        let Self { device, start, len, buffer_len, .. } = self;
        Ok((
            Self { device, start, len: middle, buffer_len, target: left },
            Self { device, start: start + middle, len: len - middle, buffer_len, target: right },
        ))
    }

    /// Its words, where its device is the host.
    pub fn into_host(self) -> Option<&'a mut [T]> {
        match self.target {
            Target::Host(words) => Some(words),
            Target::OpenCl(..) | Target::Nothing => None,
        }
    }

    /// Copies `data` to it.
    ///
    /// # Errors
    /// [`DeviceError::Length`] when `data` has another length; [`DeviceError::Api`] when the device failed.
    pub fn write(&mut self, data: &[T]) -> Result<(), DeviceError> {
        same_length("words to write", self.len, data.len())?;
        match (&mut self.target, self.device.executor()) {
            (Target::Host(words), Executor::Host(host)) => {
                host.recorder.step(Kind::Upload, "upload", size_of_val(data) as u64, 0, || words.copy_from_slice(data));
                Ok(())
            }
            (Target::OpenCl(cl, memory), _) => {
                cl.write(memory, self.start * size_of::<T>(), bytemuck::cast_slice(data))
            }
            _ => Ok(()),
        }
    }

    /// Sets every word to `value`.
    ///
    /// # Errors
    /// [`DeviceError::Api`] when the device failed.
    pub fn fill(&mut self, value: T) -> Result<(), DeviceError> {
        let bytes = self.len * size_of::<T>();
        match (&mut self.target, self.device.executor()) {
            (Target::Host(words), Executor::Host(host)) => {
                host.recorder.step(Kind::Fill, "fill", bytes as u64, 0, || words.fill(value));
                Ok(())
            }
            (Target::OpenCl(cl, memory), _) => {
                cl.fill(memory, self.start * size_of::<T>(), bytes, bytemuck::bytes_of(&value))
            }
            _ => Ok(()),
        }
    }

    /// Copies words of the same device to it.
    ///
    /// # Errors
    /// [`DeviceError::Length`] when the lengths differ; [`DeviceError::MixedDevices`] when the devices do;
    /// [`DeviceError::Api`] when the device failed.
    pub fn copy_from<'b>(&mut self, from: impl Into<View<'b, T>>) -> Result<(), DeviceError> {
        let from = from.into();
        same_length("words to copy", self.len, from.len())?;
        self.device.same_as(from.buffer.device())?;
        let bytes = self.len * size_of::<T>();
        match (&mut self.target, self.device.executor()) {
            (Target::Host(words), Executor::Host(host)) => {
                let source = from.buffer.as_host().unwrap_or_default();
                host.recorder.step(Kind::Copy, "copy", 2 * bytes as u64, 0, || {
                    words.copy_from_slice(&source[from.start..from.end]);
                });
                Ok(())
            }
            (Target::OpenCl(cl, memory), _) => match from.buffer.opencl() {
                Some((_, source)) => {
                    cl.copy(source, from.start * size_of::<T>(), memory, self.start * size_of::<T>(), bytes)
                }
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }
}

/// Where a view lies in an OpenCL device's memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) device: &'a OpenCl,
    pub(crate) memory: &'a raw::Memory,
    pub(crate) offset_bytes: usize,
    pub(crate) bytes: usize,
    /// Whether it is the whole buffer.
    pub(crate) whole: bool,
}

impl<'a, T: Word> View<'a, T> {
    /// Where it lies, or the name of the device that is no OpenCL device.
    pub(crate) fn place(&self) -> Result<Place<'a>, &'a str> {
        let (device, memory) = self.buffer.opencl().ok_or(self.buffer.device.info().name.as_str())?;
        let (offset_bytes, bytes) = (self.start * size_of::<T>(), self.len() * size_of::<T>());
        Ok(Place { device, memory, offset_bytes, bytes, whole: self.len() == self.buffer.len })
    }
}

impl<'a, T: Word> ViewMut<'a, T> {
    /// Where it lies, or the name of the device that is no OpenCL device.
    pub(crate) fn place(&self) -> Result<Place<'a>, &'a str> {
        let Target::OpenCl(device, memory) = self.target else {
            return Err(&self.device.info().name);
        };
        let (offset_bytes, bytes) = (self.start * size_of::<T>(), self.len * size_of::<T>());
        Ok(Place { device, memory, offset_bytes, bytes, whole: self.len == self.buffer_len })
    }
}

fn same_length(what: &'static str, expected: usize, given: usize) -> Result<(), DeviceError> {
    if expected == given { Ok(()) } else { Err(DeviceError::Length { what, expected, given }) }
}
