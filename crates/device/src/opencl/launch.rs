//! Launching a kernel: arguments checked one by one, sizes against limits, time taken if a profile is on.

use std::marker::PhantomData;
use std::ptr::{null, null_mut};
use std::sync::Arc;

use ocl::ffi;

use super::kernel::{Kernel, Passing, Shape};
use super::{OpenCl, raw};
use crate::device::Device;
use crate::error::DeviceError;
use crate::profile::Kind;
use crate::view::{Place, View, ViewMut};
use crate::word::{Word, WordType};

enum Argument {
    /// A block of the pool.
    Block(ffi::cl_mem),
    Memory(ffi::cl_mem),
    Part(raw::Memory),
    Value([u8; 8], usize),
    Words(Arc<[u8]>),
}

/// A few numbers that a kernel takes by value, as a struct of so many: at most 1024 bytes with its other arguments on some
/// devices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words<T> {
    bytes: Arc<[u8]>,
    words: PhantomData<T>,
}

impl<T: Word> Words<T> {
    /// The numbers, copied.
    pub fn new(words: &[T]) -> Self {
        Self { bytes: bytemuck::cast_slice(words).into(), words: PhantomData }
    }
}

/// A launch under construction; nothing happens before [`Launch::run`].
#[must_use = "a launch does nothing until `run`"]
pub struct Launch<'a> {
    device: &'a OpenCl,
    kernel: &'a Kernel,
    arguments: Vec<Argument>,
    groups: usize,
    group: usize,
    bytes: u64,
    operations: u64,
    kind: Kind,
    error: Option<DeviceError>,
}

impl OpenCl {
    /// Begins a launch of `kernel`; arguments follow in the order of its signature.
    pub fn launch<'a>(&'a self, kernel: &'a Kernel) -> Launch<'a> {
        // A runtime may be given no object of another one: its calls would read it as its own.
        let error = (kernel.device.0 != self.raw_id())
            .then(|| DeviceError::MixedDevices { expected: self.info().label(), given: kernel.device.1.clone() });
        Launch {
            device: self,
            kernel,
            arguments: Vec::with_capacity(kernel.shapes.len()),
            groups: 0,
            group: 1,
            bytes: 0,
            operations: 0,
            kind: Kind::Kernel,
            error,
        }
    }
}

impl<'a> Launch<'a> {
    fn push(mut self, given: Shape, argument: Result<Argument, DeviceError>) -> Self {
        let index = self.arguments.len();
        let wrong = |expected: String, given: String| DeviceError::Argument {
            kernel: self.kernel.spec.entry.to_owned(),
            index,
            expected,
            given,
        };
        // A buffer that may be written may also be read.
        let fits = |expected: Passing| {
            expected == given.passing || (expected, given.passing) == (Passing::Input, Passing::Buffer)
        };
        let error = match self.kernel.shapes.get(index) {
            None => Some(wrong("no more arguments".into(), given.to_string())),
            Some(expected)
                if (expected.words, expected.count) == (given.words, given.count) && fits(expected.passing) =>
            {
                None
            }
            Some(expected) => Some(wrong(expected.to_string(), given.to_string())),
        };
        match argument {
            Ok(argument) => self.arguments.push(argument),
            Err(failed) => {
                self.error.get_or_insert(failed);
            }
        }
        if let Some(error) = error {
            self.error.get_or_insert(error);
        }
        self
    }

    fn part(&self, place: Result<Place<'_>, &Device>) -> Result<Argument, DeviceError> {
        let mixed = |given| DeviceError::MixedDevices { expected: self.device.info().label(), given };
        let place = place.map_err(|device| mixed(device.info().label()))?;
        if !std::ptr::eq(place.device, self.device) {
            return Err(mixed(place.device.info().label()));
        }
        if place.whole {
            return Ok(Argument::Block(place.memory.raw()));
        }
        let (offset_bytes, alignment_bytes) = (place.offset_bytes, self.device.info().view_alignment_bytes);
        if !offset_bytes.is_multiple_of(alignment_bytes) {
            let device = self.device.name().to_owned();
            return Err(DeviceError::Misaligned { offset_bytes, alignment_bytes, device });
        }
        place.memory.part(offset_bytes, place.bytes, self.device.name()).map(Argument::Part)
    }

    /// A buffer, or a part of one, that the kernel reads.
    pub fn input<T: Word>(self, view: impl Into<View<'a, T>>) -> Self {
        let argument = self.part(view.into().place());
        self.push(Shape { passing: Passing::Input, words: T::TYPE, count: 0 }, argument)
    }

    /// A buffer, or a part of one, that the kernel writes.
    pub fn buffer<T: Word>(self, view: impl Into<ViewMut<'a, T>>) -> Self {
        let argument = self.part(view.into().place());
        self.push(Shape { passing: Passing::Buffer, words: T::TYPE, count: 0 }, argument)
    }

    /// Device memory that is in no [`Buffer`](crate::Buffer) yet.
    pub(crate) fn memory(self, memory: ffi::cl_mem, words: WordType) -> Self {
        self.push(Shape { passing: Passing::Buffer, words, count: 0 }, Ok(Argument::Memory(memory)))
    }

    /// A number.
    pub fn value<T: Word>(self, value: T) -> Self {
        let mut bytes = [0u8; 8];
        bytes[..size_of::<T>()].copy_from_slice(bytemuck::bytes_of(&value));
        self.push(
            Shape { passing: Passing::Value, words: T::TYPE, count: 0 },
            Ok(Argument::Value(bytes, size_of::<T>())),
        )
    }

    /// A struct of numbers.
    pub fn words<T: Word>(self, words: &Words<T>) -> Self {
        let bytes = Arc::clone(&words.bytes);
        let count = bytes.len() / size_of::<T>();
        self.push(Shape { passing: Passing::Words, words: T::TYPE, count }, Ok(Argument::Words(bytes)))
    }

    /// The grid: `groups` groups of `group` items each.
    pub fn groups(mut self, groups: usize, group: usize) -> Self {
        (self.groups, self.group) = (groups, group);
        self
    }

    /// The grid: at least `items` items in groups of `group`; the kernel guards the surplus.
    pub fn items(self, items: usize, group: usize) -> Self {
        self.groups(items.div_ceil(group.max(1)), group)
    }

    /// Declares how many bytes the kernel reads and writes in the device's memory, for profiles.
    pub fn bytes(mut self, bytes: u64) -> Self {
        self.bytes = bytes;
        self
    }

    /// Declares how many operations the kernel does, for profiles.
    pub fn operations(mut self, operations: u64) -> Self {
        self.operations = operations;
        self
    }

    /// What profiles call it, where it is no kernel to its user.
    pub(crate) fn kind(mut self, kind: Kind) -> Self {
        self.kind = kind;
        self
    }

    /// Enqueues the launch and returns; an empty grid is no launch.
    ///
    /// # Errors
    /// [`DeviceError::Argument`] for an argument that is missing, too many or of another type;
    /// [`DeviceError::MixedDevices`] for a kernel or memory of another device; [`DeviceError::Misaligned`] for a view;
    /// [`DeviceError::TooLarge`] for a group past the kernel's limit; [`DeviceError::Length`] for a group of no items, or
    /// of another size than the kernel's source requires; [`DeviceError::Api`] when the runtime refuses.
    pub fn run(self) -> Result<(), DeviceError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let (device, kernel) = (self.device, self.kernel);
        if let Some(missing) = kernel.shapes.get(self.arguments.len()) {
            return Err(DeviceError::Argument {
                kernel: kernel.spec.entry.to_owned(),
                index: self.arguments.len(),
                expected: missing.to_string(),
                given: "nothing".into(),
            });
        }
        if let Some(expected) = kernel.required_group.or((self.group == 0).then_some(1))
            && expected != self.group
        {
            return Err(DeviceError::Length { what: "items of a group", expected, given: self.group });
        }
        if self.group > kernel.group_limit {
            return Err(DeviceError::TooLarge {
                what: format!("items of a group of kernel {}", kernel.spec.entry),
                size: self.group as u64,
                limit: kernel.group_limit as u64,
                device: device.name().to_owned(),
            });
        }
        if self.groups == 0 {
            return Ok(());
        }
        let Some(global) = self.groups.checked_mul(self.group) else {
            return Err(DeviceError::TooLarge {
                what: format!("items of the grid of kernel {}", kernel.spec.entry),
                size: self.groups as u64,
                limit: (usize::MAX / self.group) as u64,
                device: device.name().to_owned(),
            });
        };
        let opened = device.opened()?;
        let generation = opened.pool.generation();
        let mut object = kernel.take(device.name())?;
        for (index, argument) in self.arguments.iter().enumerate() {
            let code = match argument {
                Argument::Block(memory) => object.set_memory(index, *memory, Some(generation)),
                Argument::Memory(memory) => object.set_memory(index, *memory, None),
                Argument::Part(part) => object.set_memory(index, part.raw(), None),
                Argument::Value(bytes, size) => object.set_value(index, *bytes, *size),
                Argument::Words(bytes) => object.set_words(index, bytes),
            };
            raw::check(code, "clSetKernelArg", device.name())?;
        }
        let profiled = device.recorder.is_on();
        let mut event = null_mut();
        // SAFETY: every argument of the kernel is set to memory of this context or a value of the right size; global is
        // a multiple of the group; memory given back to the pool is only used again by later commands of this queue.
        let code = unsafe {
            ffi::clEnqueueNDRangeKernel(
                opened.queue.raw(),
                object.raw.raw(),
                1,
                null(),
                &raw const global,
                &raw const self.group,
                0,
                null(),
                if profiled { &raw mut event } else { null_mut() },
            )
        };
        kernel.give_back(object);
        raw::check(code, "clEnqueueNDRangeKernel", device.name())?;
        if profiled {
            let event = raw::Event::from_raw(event);
            device.recorder.event(self.kind, kernel.spec.entry, event, self.bytes, self.operations);
        }
        Ok(())
    }
}
