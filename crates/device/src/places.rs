//! Typed dispatch of operations that change their data in place, on the host or on an OpenCL device: one buffer of words, or several.

use crate::buffer::storage::Buffer;
use crate::control;
use crate::device::{Device, Executor};
use crate::error::DeviceError;
use crate::faults;
use crate::host::HostPool;
use crate::in_place::{InPlace, SeenAs};
use crate::opencl::executor::OpenCl;
use crate::word::Word;

/// What an operation changes in place together, of words `W`: one buffer, or several that go to a device and back once each.
///
/// | data | `W` | words of the host | buffers of a device |
/// |---|---|---|---|
/// | `impl Into<InPlace<'_, T>>` | `T` | `&mut [T]` | `&mut Buffer<T>` |
/// | [`SeenAs`]`<'_, T, U>` | `U` | `&mut [U]` | `&mut Buffer<U>` |
/// | a pair of data | a pair | a pair | a pair |
/// | an `Option` of data | an `Option` | an `Option` | an `Option` |
///
/// ```
/// use manycore_device::{Device, DeviceError};
/// for device in Device::all() {
///     let (mut keys, mut values) = ([1u32, 2], device.upload(&[0.5f64, 0.25])?);
///     device.in_place(
///         (&mut keys, &mut values),
///         |_, (keys, values)| Ok::<_, DeviceError>((keys.fill(7), values.fill(1.0))),
///         |_, (keys, values)| Ok((keys.fill(7)?, values.fill(1.0)?)),
///     )?;
///     assert_eq!((keys, values.download()?), ([7, 7], vec![1.0, 1.0]));
/// }
/// # Ok::<(), DeviceError>(())
/// ```
pub trait Places<W>: Sized {
    /// The words, where the host has them.
    type Words<'w>;

    /// Buffers of a device that have the words.
    type Buffers<'w>;

    /// Does `work` on the words as memory of the host: where they lie, or on a copy of an OpenCL device's, which goes back then.
    ///
    /// # Errors
    /// As [`Device::on_host`].
    fn with_words<R, E: From<DeviceError>>(
        self,
        device: &Device,
        work: impl FnOnce(Self::Words<'_>) -> Result<R, E>,
    ) -> Result<R, E>;

    /// Does `work` on buffers of a device, or on a copy there, which goes back then.
    ///
    /// # Errors
    /// As [`Device::in_steps`].
    fn with_buffers<R, E: From<DeviceError>>(
        self,
        device: &Device,
        work: impl FnOnce(Self::Buffers<'_>) -> Result<R, E>,
    ) -> Result<R, E>;

    /// The words, lent for a shorter time: for as long as others beside them.
    fn shorter_words<'s, 'l: 's>(words: Self::Words<'l>) -> Self::Words<'s>;

    /// The buffers, lent for a shorter time.
    fn shorter_buffers<'s, 'l: 's>(buffers: Self::Buffers<'l>) -> Self::Buffers<'s>;
}

impl<'a, T: Word, D: Into<InPlace<'a, T>>> Places<T> for D {
    type Words<'w> = &'w mut [T];
    type Buffers<'w> = &'w mut Buffer<T>;

    fn with_words<R, E: From<DeviceError>>(
        self,
        device: &Device,
        work: impl FnOnce(&mut [T]) -> Result<R, E>,
    ) -> Result<R, E> {
        let data = self.into();
        device.accepts(&data)?;
        if data.is_on_host() {
            let words = data.into_host()?;
            let result = work(words)?;
            faults::met(words);
            return Ok(result);
        }
        let mut words = data.downloaded()?;
        let result = work(&mut words)?;
        data.write(&words)?;
        Ok(result)
    }

    fn with_buffers<R, E: From<DeviceError>>(
        self,
        device: &Device,
        work: impl FnOnce(&mut Buffer<T>) -> Result<R, E>,
    ) -> Result<R, E> {
        device.in_steps(self, |data| match data {
            InPlace::Buffer(buffer) => work(buffer),
            InPlace::Slice(_) | InPlace::View(_) => Err(DeviceError::elsewhere().into()),
        })
    }

    fn shorter_words<'s, 'l: 's>(words: &'l mut [T]) -> &'s mut [T] {
        words
    }

    fn shorter_buffers<'s, 'l: 's>(buffer: &'l mut Buffer<T>) -> &'s mut Buffer<T> {
        buffer
    }
}

impl<T: Word, U: Word> Places<U> for SeenAs<'_, T, U> {
    type Words<'w> = &'w mut [U];
    type Buffers<'w> = &'w mut Buffer<U>;

    fn with_words<R, E: From<DeviceError>>(
        self,
        device: &Device,
        work: impl FnOnce(&mut [U]) -> Result<R, E>,
    ) -> Result<R, E> {
        self.data.with_words(device, |words| {
            let given = size_of_val(words);
            let expected = given.next_multiple_of(size_of::<U>());
            let what = "bytes of words seen as others";
            work(bytemuck::try_cast_slice_mut(words).map_err(|_| DeviceError::Length { what, expected, given })?)
        })
    }

    fn with_buffers<R, E: From<DeviceError>>(
        self,
        device: &Device,
        work: impl FnOnce(&mut Buffer<U>) -> Result<R, E>,
    ) -> Result<R, E> {
        self.data.with_buffers(device, |buffer| buffer.seen_as(work)?)
    }

    fn shorter_words<'s, 'l: 's>(words: &'l mut [U]) -> &'s mut [U] {
        words
    }

    fn shorter_buffers<'s, 'l: 's>(buffer: &'l mut Buffer<U>) -> &'s mut Buffer<U> {
        buffer
    }
}

impl<V, W, A: Places<V>, B: Places<W>> Places<(V, W)> for (A, B) {
    type Words<'w> = (A::Words<'w>, B::Words<'w>);
    type Buffers<'w> = (A::Buffers<'w>, B::Buffers<'w>);

    fn with_words<R, E: From<DeviceError>>(
        self,
        device: &Device,
        work: impl FnOnce(Self::Words<'_>) -> Result<R, E>,
    ) -> Result<R, E> {
        let (first, second) = self;
        first.with_words(device, |first| {
            second.with_words(device, |second| work((A::shorter_words(first), B::shorter_words(second))))
        })
    }

    fn with_buffers<R, E: From<DeviceError>>(
        self,
        device: &Device,
        work: impl FnOnce(Self::Buffers<'_>) -> Result<R, E>,
    ) -> Result<R, E> {
        let (first, second) = self;
        first.with_buffers(device, |first| {
            second.with_buffers(device, |second| work((A::shorter_buffers(first), B::shorter_buffers(second))))
        })
    }

    fn shorter_words<'s, 'l: 's>((first, second): Self::Words<'l>) -> Self::Words<'s> {
        (A::shorter_words(first), B::shorter_words(second))
    }

    fn shorter_buffers<'s, 'l: 's>((first, second): Self::Buffers<'l>) -> Self::Buffers<'s> {
        (A::shorter_buffers(first), B::shorter_buffers(second))
    }
}

impl<W, A: Places<W>> Places<Option<W>> for Option<A> {
    type Words<'w> = Option<A::Words<'w>>;
    type Buffers<'w> = Option<A::Buffers<'w>>;

    fn with_words<R, E: From<DeviceError>>(
        self,
        device: &Device,
        work: impl FnOnce(Self::Words<'_>) -> Result<R, E>,
    ) -> Result<R, E> {
        match self {
            Some(data) => data.with_words(device, |words| work(Some(words))),
            None => work(None),
        }
    }

    fn with_buffers<R, E: From<DeviceError>>(
        self,
        device: &Device,
        work: impl FnOnce(Self::Buffers<'_>) -> Result<R, E>,
    ) -> Result<R, E> {
        match self {
            Some(data) => data.with_buffers(device, |buffers| work(Some(buffers))),
            None => work(None),
        }
    }

    fn shorter_words<'s, 'l: 's>(words: Self::Words<'l>) -> Self::Words<'s> {
        words.map(A::shorter_words)
    }

    fn shorter_buffers<'s, 'l: 's>(buffers: Self::Buffers<'l>) -> Self::Buffers<'s> {
        buffers.map(A::shorter_buffers)
    }
}

impl Device {
    /// Runs an operation on `data`, of one buffer or of several ([`Places`]), by the form that this device has: `host` with the
    /// host's threads and the words, or `opencl` with the device and a buffer of the words. Of both forms one runs, once.
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
    pub fn in_place<W, D: Places<W>, R, E: From<DeviceError>>(
        &self,
        data: D,
        host: impl FnOnce(&HostPool, D::Words<'_>) -> Result<R, E>,
        opencl: impl FnOnce(&OpenCl, D::Buffers<'_>) -> Result<R, E>,
    ) -> Result<R, E> {
        control::checkpoint()?;
        match self.executor() {
            Executor::Host(pool) => data.with_words(self, |words| host(pool, words)),
            Executor::OpenCl(cl) => data.with_buffers(self, |buffers| opencl(cl, buffers)),
        }
    }

    /// Does `work` on `data` as memory of the host, whatever this device is: a slice where it lies; words of an OpenCL device come
    /// from there before, and go back then.
    ///
    /// # Errors
    /// [`DeviceError::MixedDevices`] for data of another device; [`DeviceError::OutOfMemory`] where the host has no memory for a
    /// device's words; those of `work`.
    pub fn on_host<W, D: Places<W>, R, E: From<DeviceError>>(
        &self,
        data: D,
        work: impl FnOnce(D::Words<'_>) -> Result<R, E>,
    ) -> Result<R, E> {
        data.with_words(self, work)
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
        let mut data = data.into();
        let Some(mut copy) = self.copy_of(&mut data)? else { return run(data) };
        let result = run(InPlace::Buffer(&mut copy))?;
        match data {
            InPlace::Slice(words) => copy.read_into(words)?,
            InPlace::View(mut view) => view.copy_from(&copy)?,
            InPlace::Buffer(_) => {}
        }
        Ok(result)
    }

    /// The words where an operation of this device finds them, if that is elsewhere.
    fn copy_of<T: Word>(&self, data: &mut InPlace<'_, T>) -> Result<Option<Buffer<T>>, DeviceError> {
        self.accepts(data)?;
        Ok(match (self.executor(), data) {
            (Executor::Host(_), _) | (Executor::OpenCl(_), InPlace::Buffer(_)) => None,
            (Executor::OpenCl(_), InPlace::Slice(words)) => Some(self.upload(words)?),
            (Executor::OpenCl(_), InPlace::View(view)) => {
                let mut buffer = self.scratch(view.len())?;
                view.copy_to(&mut buffer)?;
                Some(buffer)
            }
        })
    }

    /// Whether an operation of this device takes `data`: memory of the host, or of this device.
    ///
    /// # Errors
    /// [`DeviceError::MixedDevices`] for memory of another device.
    pub fn accepts<T: Word>(&self, data: &InPlace<'_, T>) -> Result<(), DeviceError> {
        data.device().map_or(Ok(()), |device| self.same_as(device))
    }
}
