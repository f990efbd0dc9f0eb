//! Typed dispatch of operations that change their data in place: slices of the host, buffers and parts of buffers.

use std::panic::Location;

use crate::buffer::Buffer;
use crate::device::{Device, Executor};
use crate::error::DeviceError;
use crate::host::HostPool;
use crate::opencl::OpenCl;
use crate::view::ViewMut;
use crate::word::Word;

/// Words that an operation changes in place. Operations take `impl Into<InPlace<'_, T>>`: a slice or a vector of the host, a
/// [`Buffer`], or a part of a buffer.
///
/// A slice is changed where it lies by the host, and goes to an OpenCL device and back. A buffer or a part of one has to be on
/// the operation's device; a part of a buffer of an OpenCL device is copied within the device, there and back.
#[derive(Debug)]
#[non_exhaustive]
pub enum InPlace<'a, T: Word> {
    /// Memory of the host.
    Slice(&'a mut [T]),
    /// Memory of a device.
    Buffer(&'a mut Buffer<T>),
    /// A part of a device's memory.
    View(ViewMut<'a, T>),
}

impl<'a, T: Word> From<&'a mut [T]> for InPlace<'a, T> {
    fn from(words: &'a mut [T]) -> Self {
        Self::Slice(words)
    }
}

impl<'a, T: Word> From<&'a mut Vec<T>> for InPlace<'a, T> {
    fn from(words: &'a mut Vec<T>) -> Self {
        Self::Slice(words)
    }
}

impl<'a, T: Word, const N: usize> From<&'a mut [T; N]> for InPlace<'a, T> {
    fn from(words: &'a mut [T; N]) -> Self {
        Self::Slice(words)
    }
}

impl<'a, T: Word> From<&'a mut Buffer<T>> for InPlace<'a, T> {
    fn from(buffer: &'a mut Buffer<T>) -> Self {
        Self::Buffer(buffer)
    }
}

impl<'a, T: Word> From<ViewMut<'a, T>> for InPlace<'a, T> {
    fn from(view: ViewMut<'a, T>) -> Self {
        Self::View(view)
    }
}

impl<T: Word> InPlace<'_, T> {
    /// The number of words.
    pub fn len(&self) -> usize {
        match self {
            Self::Slice(words) => words.len(),
            Self::Buffer(buffer) => buffer.len(),
            Self::View(view) => view.len(),
        }
    }

    /// Whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The device whose memory it is; `None` for a slice, which every device takes.
    pub fn device(&self) -> Option<&Device> {
        match self {
            Self::Slice(_) => None,
            Self::Buffer(buffer) => Some(buffer.device()),
            Self::View(view) => Some(view.device()),
        }
    }
}

impl Device {
    /// Runs an operation on `data` by the form that this device has: `host` with the host's threads and the words, or `opencl`
    /// with the device and a buffer of the words. Of both forms one runs, once.
    ///
    /// ```
    /// use manycore_device::{Buffer, Device, DeviceError, InPlace};
    ///
    /// fn negate<'a>(device: &Device, data: impl Into<InPlace<'a, i32>>) -> Result<(), DeviceError> {
    ///     device.in_place(
    ///         data,
    ///         |_, words| Ok(words.iter_mut().for_each(|word| *word = -*word)),
    ///         |_, buffer| {
    ///             let negated: Vec<i32> = buffer.download()?.iter().map(|word| -word).collect(); // a kernel, elsewhere
    ///             buffer.write(&negated)
    ///         },
    ///     )
    /// }
    /// for device in Device::all() {
    ///     let mut slice = vec![1, 2, 3];
    ///     negate(&device, &mut slice)?;
    ///     let mut buffer = device.upload(&slice)?;
    ///     negate(&device, buffer.view_mut(..2)?)?;
    ///     assert_eq!((slice, buffer.download()?), (vec![-1, -2, -3], vec![1, 2, -3]));
    /// }
    /// # Ok::<(), DeviceError>(())
    /// ```
    ///
    /// # Errors
    /// [`DeviceError::MixedDevices`] for data of another device; [`DeviceError::OutOfMemory`] where a slice or a part of a
    /// buffer finds no memory on the device; those of the form that runs. What the data holds after an error is unspecified.
    #[track_caller]
    pub fn in_place<'a, T: Word, R, E: From<DeviceError>>(
        &self,
        data: impl Into<InPlace<'a, T>>,
        host: impl FnOnce(&HostPool, &mut [T]) -> Result<R, E>,
        opencl: impl FnOnce(&OpenCl, &mut Buffer<T>) -> Result<R, E>,
    ) -> Result<R, E> {
        let (data, place) = (data.into(), Location::caller());
        if let Some(device) = data.device() {
            self.same_as(device)?;
        }
        match (self.executor(), data) {
            (Executor::Host(pool), InPlace::Slice(words)) => host(pool, words),
            (Executor::Host(pool), InPlace::Buffer(buffer)) => host(pool, buffer.host_mut()?),
            (Executor::Host(pool), InPlace::View(view)) => {
                host(pool, view.into_host().ok_or_else(|| elsewhere(place))?)
            }
            (Executor::OpenCl(cl), InPlace::Buffer(buffer)) => opencl(cl, buffer),
            (Executor::OpenCl(cl), InPlace::Slice(words)) => {
                let mut buffer = self.upload(words)?;
                let result = opencl(cl, &mut buffer)?;
                buffer.read_into(words)?;
                Ok(result)
            }
            (Executor::OpenCl(cl), InPlace::View(mut view)) => {
                let mut buffer = self.scratch(view.len())?;
                view.copy_to(&mut buffer)?;
                let result = opencl(cl, &mut buffer)?;
                view.copy_from(&buffer)?;
                Ok(result)
            }
        }
    }
}

impl<T: Word> Buffer<T> {
    /// The words of a buffer of the host, where an operation runs on the host.
    ///
    /// # Errors
    /// [`DeviceError::Elsewhere`], with the place of the call, for a buffer of an OpenCL device.
    #[track_caller]
    pub fn host(&self) -> Result<&[T], DeviceError> {
        let place = Location::caller();
        self.as_host().ok_or_else(|| elsewhere(place))
    }

    /// The words of a buffer of the host to change, where an operation runs on the host.
    ///
    /// # Errors
    /// As [`Buffer::host`].
    #[track_caller]
    pub fn host_mut(&mut self) -> Result<&mut [T], DeviceError> {
        let place = Location::caller();
        self.as_host_mut().ok_or_else(|| elsewhere(place))
    }
}

fn elsewhere(place: &Location<'_>) -> DeviceError {
    DeviceError::Elsewhere { place: format!("{}:{}", place.file(), place.line()) }
}
