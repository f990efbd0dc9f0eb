//! Launching a kernel: arguments checked one by one, sizes against limits, time taken if a profile is on. [`arguments`](super::arguments)
//! has those that are buffers.

use std::marker::PhantomData;
use std::sync::Arc;

use super::calls::failure;
use super::executor::OpenCl;
use super::kernel::Kernel;
use super::object::Object;
use super::objects::Memory;
use super::spec::{Pass, Shape};
use crate::control;
use crate::error::DeviceError;
use crate::launched;
use crate::profile::Kind;
use crate::word::{Word, WordType};

/// A few numbers that a kernel takes by value, as a struct; some devices allow at most 1024 bytes of arguments in all.
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

/// What is done once a launch is enqueued.
pub(super) type After<'a> = Box<dyn FnOnce() -> Result<(), DeviceError> + 'a>;

/// A launch under construction; nothing happens before [`Launch::run`].
#[must_use = "a launch does nothing until `run`"]
pub struct Launch<'a> {
    pub(super) device: &'a OpenCl,
    kernel: &'a Kernel,
    /// The kernel object whose arguments are set as they are given, and given back when the launch ends; `None` after
    /// an error.
    pub(super) object: Option<Object>,
    /// Arguments given so far.
    pub(super) given: usize,
    /// Whether one of them is a part of a block.
    pub(super) has_parts: bool,
    /// Copies of parts that the device cannot pass, with what becomes of them.
    pub(super) copies: Vec<After<'a>>,
    groups: usize,
    group: usize,
    bytes: u64,
    operations: u64,
    kind: Kind,
    /// The first error.
    pub(super) error: Option<Box<DeviceError>>,
}

impl Drop for Launch<'_> {
    fn drop(&mut self) {
        self.give_back();
    }
}

impl OpenCl {
    /// Begins a launch of `kernel`; arguments follow in the order of its signature.
    pub fn launch<'a>(&'a self, kernel: &'a Kernel) -> Launch<'a> {
        // A runtime may be given no object of another one: its calls would read it as its own. Handles of one device
        // may have contexts of their own.
        let is_own =
            || Ok(kernel.device == self.raw_id() && kernel.generation.same_as(self.opened()?.pool.generation()));
        let mixed = || DeviceError::MixedDevices { expected: self.info().label(), given: kernel.label.clone() };
        let object = is_own().and_then(|is_own| if is_own { kernel.take() } else { Err(mixed()) });
        let (object, error) = match object {
            Ok(object) => (Some(object), None),
            Err(error) => (None, Some(Box::new(error))),
        };
        Launch {
            device: self,
            kernel,
            object,
            given: 0,
            has_parts: false,
            copies: Vec::new(),
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
    pub(super) fn give_back(&mut self) {
        if let Some(object) = self.object.take() {
            self.kernel.give_back(object, self.has_parts);
        }
    }

    /// Sets the next argument, which is of shape `given`, by `set`, which gets its index; the first error is kept for
    /// [`Launch::run`].
    pub(super) fn argument(
        mut self,
        given: Shape,
        set: impl FnOnce(&mut Self, &mut Object, usize) -> Result<Result<(), i32>, DeviceError>,
    ) -> Self {
        let index = self.given;
        self.given += 1;
        let Some(mut object) = self.object.take() else { return self };
        let fits = self.kernel.shapes.get(index).is_some_and(|expected| {
            (expected.words, expected.count) == (given.words, given.count)
                // A buffer that may be written may also be read.
                && (expected.passing == given.passing
                    || (expected.passing, given.passing) == (Pass::Input, Pass::Buffer))
        });
        let outcome = if fits {
            let refused = |code| failure(code, "clSetKernelArg", self.device.name());
            set(&mut self, &mut object, index).and_then(|outcome| outcome.map_err(refused))
        } else {
            Err(self.kernel.wrong_argument(index, given.to_string()))
        };
        self.object = Some(object);
        if let Err(error) = outcome {
            self.give_back();
            self.error = Some(Box::new(error));
        }
        self
    }

    /// Device memory that is in no [`Buffer`](crate::Buffer) yet.
    pub(crate) fn memory(self, memory: &'a Memory, words: WordType) -> Self {
        let shape = Shape { passing: Pass::Buffer, words, count: 0 };
        self.argument(shape, |_, object, index| Ok(object.set_memory(index, memory)))
    }

    /// A number.
    #[inline(never)]
    pub fn value<T: Word>(self, value: T) -> Self {
        let mut bytes = [0u8; 8];
        bytes[..size_of::<T>()].copy_from_slice(bytemuck::bytes_of(&value));
        let shape = Shape { passing: Pass::Value, words: T::TYPE, count: 0 };
        self.argument(shape, |_, object, index| Ok(object.set_value(index, bytes, size_of::<T>())))
    }

    /// A struct of numbers.
    #[inline(never)]
    pub fn words<T: Word>(self, words: &Words<T>) -> Self {
        let shape = Shape { passing: Pass::Words, words: T::TYPE, count: words.bytes.len() / size_of::<T>() };
        self.argument(shape, |_, object, index| Ok(object.set_words(index, &words.bytes)))
    }

    /// Local memory of `words` words.
    pub(crate) fn local<T: Word>(self, words: usize) -> Self {
        let shape = Shape { passing: Pass::Local, words: T::TYPE, count: 0 };
        self.argument(shape, |launch, object, index| match words.checked_mul(size_of::<T>()) {
            Some(bytes) if bytes > 0 => Ok(object.set_local(index, bytes)),
            _ => Err(launch.kernel.wrong_argument(index, format!("{words} words of it"))),
        })
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
    /// [`DeviceError::MixedDevices`] for a kernel or memory of another device; [`DeviceError::OutOfMemory`] for the copy of a part;
    /// [`DeviceError::TooLarge`] for a group past the kernel's limit; [`DeviceError::Length`] for a group of no items,
    /// or of another size than the kernel's source requires; [`DeviceError::Api`] when the runtime refuses.
    pub fn run(mut self) -> Result<(), DeviceError> {
        self.complete()?;
        let items = self.kernel.items(self.groups, self.group).inspect_err(|_| launched::refuse());
        let Some(global) = items? else { return Ok(()) };
        self.enqueue((1, [global, 1, 1]), Some([self.group, 1, 1]))?;
        launched::note(|| self.kernel.launched(self.groups, self.group));
        self.finish()
    }

    /// Enqueues what follows the launch.
    pub(crate) fn finish(&mut self) -> Result<(), DeviceError> {
        std::mem::take(&mut self.copies).into_iter().try_for_each(|after| after())
    }

    /// Whether every argument was given as the kernel takes it, and the work may go on.
    pub(crate) fn complete(&mut self) -> Result<(), DeviceError> {
        if let Some(error) = self.error.take() {
            return Err(*error);
        }
        control::checkpoint()?;
        if self.given < self.kernel.shapes.len() {
            return Err(self.kernel.wrong_argument(self.given, "nothing".into()));
        }
        Ok(())
    }

    /// Enqueues the launch, which is [`complete`](Self::complete), with a grid that the kernel takes.
    pub(crate) fn enqueue(&self, grid: (u32, [usize; 3]), group: Option<[usize; 3]>) -> Result<(), DeviceError> {
        let (device, entry) = (self.device, self.kernel.entry);
        // Only an error, returned above, leaves a launch without one.
        let Some(object) = &self.object else { return Ok(()) };
        let opened = device.opened()?;
        let mut event = device.recorder.is_on().then(|| opened.queue.event());
        // SAFETY: every argument is set, to memory of this context or to a number of the right size; this launch has
        // the object for itself; memory given back to the pool is only used again by later commands of this queue.
        let outcome = unsafe { opened.queue.enqueue(&object.kernel, grid, group, event.as_mut()) };
        let refused = |code| failure(code, "clEnqueueNDRangeKernel", device.name());
        outcome.map_err(refused).inspect_err(|_| launched::refuse())?;
        control::note(entry, self.bytes, self.operations);
        if let Some(event) = event {
            device.recorder.event(self.kind, entry, event, self.bytes, self.operations);
        }
        opened.ahead.enqueued(&opened.queue, self.bytes, self.operations, device.name())
    }
}
