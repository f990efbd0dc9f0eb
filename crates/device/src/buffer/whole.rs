//! Whole buffers: made, viewed, copied and filled.

use std::ops::RangeBounds;

use super::storage::Buffer;
use super::view::View;
use super::view_mut::ViewMut;
use crate::device::Device;
use crate::error::DeviceError;
use crate::host::memory::zeroed_words;
use crate::word::Word;

impl Device {
    /// A buffer of `len` zeros.
    ///
    /// # Errors
    /// [`DeviceError::OutOfMemory`] with the sizes; [`DeviceError::Api`] when the device failed.
    #[inline(never)]
    pub fn zeros<T: Word>(&self, len: usize) -> Result<Buffer<T>, DeviceError> {
        let (mut buffer, zeros) = Buffer::unspecified(self, len)?;
        if !zeros {
            buffer.fill(T::zeroed())?;
        }
        Ok(buffer)
    }

    /// A buffer of `len` words whose content is left over from earlier use: for results that are written whole.
    ///
    /// # Errors
    /// [`DeviceError::OutOfMemory`] with the sizes; [`DeviceError::Api`] when the device failed.
    #[inline(never)]
    pub fn scratch<T: Word>(&self, len: usize) -> Result<Buffer<T>, DeviceError> {
        let mut buffer = Buffer::unspecified(self, len)?.0;
        if cfg!(debug_assertions)
            && let Some(words) = buffer.as_host_mut()
        {
            // What is read before it is written should not happen to be right.
            bytemuck::cast_slice_mut(words).fill(0xA5_u8);
        }
        Ok(buffer)
    }

    /// A buffer that holds a copy of `data`.
    ///
    /// # Errors
    /// As [`Device::zeros`].
    #[inline(never)]
    pub fn upload<T: Word>(&self, data: &[T]) -> Result<Buffer<T>, DeviceError> {
        let mut buffer = self.scratch(data.len())?;
        buffer.write(data)?;
        Ok(buffer)
    }
}

impl<T: Word> Buffer<T> {
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
}
