//! Typed dispatch of operations that change their data in place: slices of the host, buffers and parts of buffers.

use num_complex::Complex;

use crate::buffer::storage::Buffer;
use crate::buffer::view_mut::ViewMut;
use crate::control;
use crate::device::{Device, Executor};
use crate::error::DeviceError;
use crate::faults;
use crate::host::HostPool;
use crate::opencl::executor::OpenCl;
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
}

/// Words and, where they lie elsewhere, the buffer that an operation changes in their place.
struct Held<'a, T: Word> {
    data: InPlace<'a, T>,
    buffer: Option<Buffer<T>>,
}

impl<T: Word> Held<'_, T> {
    fn in_place(&mut self) -> InPlace<'_, T> {
        match &mut self.buffer {
            Some(buffer) => InPlace::Buffer(buffer),
            None => self.data.reborrow(),
        }
    }

    /// Copies what the operation left to where the words came from.
    fn give_back(self) -> Result<(), DeviceError> {
        match (self.data, self.buffer) {
            (InPlace::Slice(words), Some(buffer)) => buffer.read_into(words),
            (InPlace::View(mut view), Some(buffer)) => view.copy_from(&buffer),
            _ => Ok(()),
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
        control::checkpoint()?;
        match self.executor() {
            Executor::Host(pool) => {
                let data = data.into();
                self.accepts(&data)?;
                let words = data.into_host()?;
                let result = host(pool, &mut *words)?;
                faults::met(words);
                Ok(result)
            }
            Executor::OpenCl(cl) => self.in_steps(data, |data| match data {
                InPlace::Buffer(buffer) => opencl(cl, buffer),
                InPlace::Slice(_) | InPlace::View(_) => Err(DeviceError::elsewhere().into()),
            }),
        }
    }

    /// Runs an operation of several steps on `data`, each of which calls [`Device::in_place`]: for all of them together a slice
    /// or a part of a buffer goes to an OpenCL device and back once. On the host `run` gets `data` as it is.
    ///
    /// # Errors
    /// As [`Device::in_place`].
    pub fn in_steps<'a, T: Word, R, E: From<DeviceError>>(
        &self,
        data: impl Into<InPlace<'a, T>>,
        run: impl FnOnce(InPlace<'_, T>) -> Result<R, E>,
    ) -> Result<R, E> {
        let mut held = self.hold(data.into())?;
        let result = run(held.in_place())?;
        held.give_back()?;
        Ok(result)
    }

    /// The words where an operation of this device finds them.
    fn hold<'a, T: Word>(&self, mut data: InPlace<'a, T>) -> Result<Held<'a, T>, DeviceError> {
        self.accepts(&data)?;
        let buffer = match (self.executor(), &mut data) {
            (Executor::Host(_), _) | (Executor::OpenCl(_), InPlace::Buffer(_)) => None,
            (Executor::OpenCl(_), InPlace::Slice(words)) => Some(self.upload(words)?),
            (Executor::OpenCl(_), InPlace::View(view)) => {
                let mut buffer = self.scratch(view.len())?;
                view.copy_to(&mut buffer)?;
                Some(buffer)
            }
        };
        Ok(Held { data, buffer })
    }

    /// Whether an operation of this device takes `data`: memory of the host, or of this device.
    ///
    /// # Errors
    /// [`DeviceError::MixedDevices`] for memory of another device.
    pub fn accepts<T: Word>(&self, data: &InPlace<'_, T>) -> Result<(), DeviceError> {
        data.device().map_or(Ok(()), |device| self.same_as(device))
    }
}
