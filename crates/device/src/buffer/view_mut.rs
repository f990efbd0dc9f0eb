//! Parts of buffers to write.

use super::storage::{Buffer, Storage};
use super::view::{Place, View, part_words, same_length};
use crate::device::{Device, Executor};
use crate::error::DeviceError;
use crate::faults;
use crate::host::memory::zeroed_words;
use crate::opencl::executor::OpenCl;
use crate::opencl::objects::Memory;
use crate::profile::Kind;
use crate::word::Word;

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
    OpenCl(&'a OpenCl, &'a Memory),
    /// A buffer that is being dropped: never seen from outside.
    Nothing,
}

impl<'a, T: Word> From<&'a mut Buffer<T>> for ViewMut<'a, T> {
    fn from(buffer: &'a mut Buffer<T>) -> Self {
        let len = buffer.len();
        Self::new(buffer, 0, len)
    }
}

impl<'a, T: Word> ViewMut<'a, T> {
    /// The words from `start` to before `end`, which lie in the buffer.
    pub(crate) fn new(buffer: &'a mut Buffer<T>, start: usize, end: usize) -> Self {
        let Buffer { device, len, storage, .. } = buffer;
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

    /// The view, borrowed for a shorter time.
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

    /// Its words to change, where an operation runs on the host.
    ///
    /// # Errors
    /// [`DeviceError::Elsewhere`], with the place of the call, for a part of a buffer of an OpenCL device.
    #[track_caller]
    pub fn into_host(self) -> Result<&'a mut [T], DeviceError> {
        match self.target {
            Target::Host(words) => Ok(words),
            Target::OpenCl(..) | Target::Nothing => Err(DeviceError::elsewhere()),
        }
    }

    /// Copies `data` to it.
    ///
    /// # Errors
    /// [`DeviceError::Length`] when `data` has another length; [`DeviceError::Api`] when the device failed.
    #[inline(never)]
    pub fn write(&mut self, data: &[T]) -> Result<(), DeviceError> {
        same_length("words to write", self.len, data.len())?;
        match (&mut self.target, self.device.executor()) {
            (Target::Host(words), Executor::Host(host)) => {
                host.recorder.step(Kind::Upload, "upload", size_of_val(data) as u64, 0, || words.copy_from_slice(data));
                faults::met(words);
                Ok(())
            }
            (Target::OpenCl(cl, memory), _) => {
                cl.write(memory, self.start * size_of::<T>(), bytemuck::cast_slice(data))
            }
            _ => Err(DeviceError::elsewhere()),
        }
    }

    /// Takes its words from the host, part after part: threads call `fill` with the index of a part's first word and the part, in
    /// no order, which has unspecified words before.
    ///
    /// ```
    /// use manycore_device::Device;
    /// let mut x = Device::from_env()?.zeros::<u32>(4)?;
    /// x.view_mut(1..)?.write_with(|start, part| {
    ///     for (i, word) in part.iter_mut().enumerate() {
    ///         *word = 10 * (start + i) as u32;
    ///     }
    /// })?;
    /// assert_eq!(x.download()?, [0, 0, 10, 20]);
    /// # Ok::<(), manycore_device::DeviceError>(())
    /// ```
    ///
    /// # Errors
    /// [`DeviceError::OutOfMemory`] where the host has no memory for a part; [`DeviceError::Api`] when the device failed.
    pub fn write_with(&mut self, fill: impl Fn(usize, &mut [T]) + Sync) -> Result<(), DeviceError> {
        let (len, bytes) = (self.len, self.len * size_of::<T>());
        match (&mut self.target, self.device.executor()) {
            (Target::Host(words), Executor::Host(host)) => {
                let parts = words.chunks_mut(part_words::<T>()).enumerate();
                host.recorder.step(Kind::Upload, "upload", bytes as u64, 0, || {
                    host.team().each(parts, |(i, part)| fill(i * part_words::<T>(), part));
                });
                Ok(())
            }
            (Target::OpenCl(cl, memory), _) => {
                let offset = self.start * size_of::<T>();
                let seen = |start: usize, part: &mut [u8]| fill(start / size_of::<T>(), bytemuck::cast_slice_mut(part));
                if cl.stages(bytes) && cl.write_staged(memory, offset, bytes, seen)? {
                    return Ok(());
                }
                let mut words = zeroed_words::<T>(len.min(part_words::<T>()))?;
                for start in (0..len).step_by(part_words::<T>()) {
                    let part = &mut words[..part_words::<T>().min(len - start)];
                    fill(start, part);
                    cl.write(memory, offset + start * size_of::<T>(), bytemuck::cast_slice(part))?;
                }
                Ok(())
            }
            _ => Err(DeviceError::elsewhere()),
        }
    }

    /// Sets every word to `value`.
    ///
    /// # Errors
    /// [`DeviceError::Api`] when the device failed.
    #[inline(never)]
    pub fn fill(&mut self, value: T) -> Result<(), DeviceError> {
        let bytes = self.len * size_of::<T>();
        match (&mut self.target, self.device.executor()) {
            (Target::Host(words), Executor::Host(host)) => {
                host.recorder.step(Kind::Fill, "fill", bytes as u64, 0, || words.fill(value));
                faults::met(words);
                Ok(())
            }
            (Target::OpenCl(cl, memory), _) => {
                cl.fill(memory, self.start * size_of::<T>(), bytes, bytemuck::bytes_of(&value))
            }
            _ => Err(DeviceError::elsewhere()),
        }
    }

    /// Copies its words to `out`.
    ///
    /// # Errors
    /// As [`ViewMut::write`].
    #[inline(never)]
    pub fn read_into(&self, out: &mut [T]) -> Result<(), DeviceError> {
        same_length("words to read", self.len, out.len())?;
        match (&self.target, self.device.executor()) {
            (Target::Host(words), Executor::Host(host)) => {
                let bytes = size_of_val(out) as u64;
                host.recorder.step(Kind::Download, "download", bytes, 0, || out.copy_from_slice(words));
                faults::met(out);
                Ok(())
            }
            (Target::OpenCl(cl, memory), _) => {
                cl.read(memory, self.start * size_of::<T>(), bytemuck::cast_slice_mut(out))
            }
            _ => Err(DeviceError::elsewhere()),
        }
    }

    /// Copies its words to a buffer of the same device.
    ///
    /// # Errors
    /// As [`ViewMut::copy_from`].
    #[inline(never)]
    pub fn copy_to(&self, to: &mut Buffer<T>) -> Result<(), DeviceError> {
        same_length("words to copy", to.len(), self.len)?;
        self.device.same_as(to.device())?;
        let bytes = self.len * size_of::<T>();
        match (&self.target, self.device.executor()) {
            (Target::Host(words), Executor::Host(host)) => {
                let to = to.host_mut()?;
                host.recorder.step(Kind::Copy, "copy", 2 * bytes as u64, 0, || to.copy_from_slice(words));
                faults::met(to);
                Ok(())
            }
            (Target::OpenCl(cl, memory), _) => {
                let (_, target) = to.opencl_memory()?;
                cl.copy(memory, self.start * size_of::<T>(), target, 0, bytes)
            }
            _ => Err(DeviceError::elsewhere()),
        }
    }

    /// Copies words of the same device to it.
    ///
    /// # Errors
    /// [`DeviceError::Length`] when the lengths differ; [`DeviceError::MixedDevices`] when the devices do;
    /// [`DeviceError::Api`] when the device failed.
    pub fn copy_from<'b>(&mut self, from: impl Into<View<'b, T>>) -> Result<(), DeviceError> {
        self.copy_from_view(from.into())
    }

    #[inline(never)]
    pub(crate) fn copy_from_view(&mut self, from: View<'_, T>) -> Result<(), DeviceError> {
        same_length("words to copy", self.len, from.len())?;
        self.device.same_as(from.buffer().device())?;
        let bytes = self.len * size_of::<T>();
        match (&mut self.target, self.device.executor()) {
            (Target::Host(words), Executor::Host(host)) => {
                let source = from.host()?;
                host.recorder.step(Kind::Copy, "copy", 2 * bytes as u64, 0, || words.copy_from_slice(source));
                faults::met(words);
                Ok(())
            }
            (Target::OpenCl(cl, memory), _) => {
                let (_, source) = from.buffer().opencl_memory()?;
                cl.copy(source, from.start() * size_of::<T>(), memory, self.start * size_of::<T>(), bytes)
            }
            _ => Err(DeviceError::elsewhere()),
        }
    }
}

impl<'a, T: Word> ViewMut<'a, T> {
    /// Where it lies, or the device that is no OpenCL device.
    pub(crate) fn place(&self) -> Result<Place<'a>, &'a Device> {
        let Target::OpenCl(device, memory) = self.target else {
            return Err(self.device);
        };
        let (offset_bytes, bytes) = (self.start * size_of::<T>(), self.len * size_of::<T>());
        Ok(Place { device, memory, offset_bytes, bytes, whole: self.is_empty() || self.len == self.buffer_len })
    }
}
