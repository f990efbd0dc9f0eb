//! Data that operations change in place: slices of the host, buffers and parts of buffers.

use std::marker::PhantomData;

use num_complex::Complex;

use crate::buffer::storage::Buffer;
use crate::buffer::view_mut::ViewMut;
use crate::device::{Device, Executor};
use crate::error::DeviceError;
use crate::host::memory::zeroed_words;
use crate::word::Word;

/// Words that an operation changes in place. Operations take `impl Into<InPlace<'_, T>>`: a slice, a vector or an array of the
/// host, a [`Buffer`], or a part of a buffer.
///
/// Memory of the host holds words, arrays of words, or [`num_complex::Complex`] numbers, which are two words each.
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

/// Slices, vectors and arrays of a type, whose words are those of a slice.
macro_rules! from_memory_of_the_host {
    ([$($parameter:tt)*] $type:ty, $words:expr) => {
        impl<'a, T: Word $($parameter)*> From<&'a mut [$type]> for InPlace<'a, T> {
            fn from(words: &'a mut [$type]) -> Self {
                Self::Slice($words(words))
            }
        }

        impl<'a, T: Word $($parameter)*> From<&'a mut Vec<$type>> for InPlace<'a, T> {
            fn from(words: &'a mut Vec<$type>) -> Self {
                Self::Slice($words(words))
            }
        }

        impl<'a, T: Word $($parameter)*, const N: usize> From<&'a mut [$type; N]> for InPlace<'a, T> {
            fn from(words: &'a mut [$type; N]) -> Self {
                Self::Slice($words(words))
            }
        }
    };
}

from_memory_of_the_host!([] T, std::convert::identity);
from_memory_of_the_host!([, const M: usize] [T; M], <[[T; M]]>::as_flattened_mut);
from_memory_of_the_host!([] Complex<T>, bytemuck::cast_slice_mut);

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

    /// The same words, borrowed for a shorter time.
    pub fn reborrow(&mut self) -> InPlace<'_, T> {
        match self {
            Self::Slice(words) => InPlace::Slice(words),
            Self::Buffer(buffer) => InPlace::Buffer(buffer),
            Self::View(view) => InPlace::View(view.reborrow()),
        }
    }
}

impl<'a, T: Word> InPlace<'a, T> {
    /// The words, where an operation runs on the host.
    ///
    /// # Errors
    /// [`DeviceError::Elsewhere`], with the place of the call, for memory of an OpenCL device.
    #[track_caller]
    pub fn into_host(self) -> Result<&'a mut [T], DeviceError> {
        match self {
            Self::Slice(words) => Ok(words),
            Self::Buffer(buffer) => buffer.host_mut(),
            Self::View(view) => view.into_host(),
        }
    }
    /// The same words seen as those of another type, for an operation ([`Places`](crate::Places)).
    ///
    /// ```
    /// use manycore_device::{Device, DeviceError, InPlace};
    /// let mut bytes = [1u8, 2, 3, 4];
    /// Device::from_env()?.in_place(
    ///     InPlace::from(&mut bytes).seen_as::<i8>(),
    ///     |_, words| Ok::<_, DeviceError>(words.fill(-1)),
    ///     |_, buffer| buffer.fill(-1),
    /// )?;
    /// assert_eq!(bytes, [255; 4]);
    /// # Ok::<(), DeviceError>(())
    /// ```
    pub fn seen_as<U: Word>(self) -> SeenAs<'a, T, U> {
        SeenAs { data: self, seen: PhantomData }
    }

    /// Whether the host has the words where they lie.
    pub(crate) fn is_on_host(&self) -> bool {
        self.device().is_none_or(|device| matches!(device.executor(), Executor::Host(_)))
    }

    /// Words of an OpenCL device, on the host.
    pub(crate) fn downloaded(&self) -> Result<Vec<T>, DeviceError> {
        let mut words = zeroed_words(self.len())?;
        match self {
            Self::Slice(own) => words.copy_from_slice(own),
            Self::Buffer(buffer) => buffer.read_into(&mut words)?,
            Self::View(view) => view.read_into(&mut words)?,
        }
        Ok(words)
    }

    /// Words of the host in place of these.
    pub(crate) fn write(self, words: &[T]) -> Result<(), DeviceError> {
        match self {
            Self::Slice(own) => own.copy_from_slice(words),
            Self::Buffer(buffer) => buffer.write(words)?,
            Self::View(mut view) => view.write(words)?,
        }
        Ok(())
    }
}

/// Words `T` of an operation that changes words `U` in place ([`InPlace::seen_as`]).
#[derive(Debug)]
pub struct SeenAs<'a, T: Word, U> {
    pub(crate) data: InPlace<'a, T>,
    seen: PhantomData<U>,
}
