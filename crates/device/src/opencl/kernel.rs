//! Built kernels, checked at every launch against their signature.

use std::sync::{Arc, Mutex, PoisonError};

use manycore_model::BuiltKernel;

use super::calls::failure;
use super::object::Object;
use super::objects::{self, DeviceId, Program, Queue};
use super::pool::Generation;
use super::spec::Shape;
use crate::error::DeviceError;

/// What the compiler needs of the device's memory for a kernel, and of its registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KernelMemory {
    /// Bytes of a work-item beside its registers.
    pub(crate) private_bytes: u64,
    /// Bytes of local memory of a group.
    pub(crate) local_bytes: u64,
    /// Items of the largest group by the driver, which registers may lower below the device's limit; 0 where the driver reports fewer than
    /// the source requires, or nothing.
    pub(crate) group_limit: usize,
}

/// A built kernel, ready to launch from any thread.
#[derive(Debug)]
pub struct Kernel {
    /// Its name in its program.
    pub(crate) entry: &'static str,
    pub(crate) shapes: Vec<Shape>,
    pub(crate) group_limit: usize,
    pub(crate) required_group: Option<usize>,
    pub(crate) memory: KernelMemory,
    /// The device that it is built for.
    pub(crate) device: DeviceId,
    /// The device's name and label in messages.
    pub(super) name: String,
    pub(crate) label: String,
    pub(super) program: Arc<Program>,
    /// Idle kernel objects, the most recently used one last: setting arguments is not thread-safe, so each launch takes
    /// an object of its own.
    pub(super) idle: Mutex<Vec<Object>>,
    /// The device's queue of kernels, and the count of frees of its memory blocks.
    pub(super) queue: Arc<Queue>,
    pub(crate) generation: Generation,
}

impl Kernel {
    /// The largest group that the device can launch it with.
    pub fn group_limit(&self) -> usize {
        self.group_limit
    }

    /// Enqueues the kernel again, with the arguments of its last launch, and does nothing else: the bare call of the
    /// runtime, which benchmarks compare a [`Launch`](crate::Launch) with. Profiles do not see it; of launches on
    /// several threads at once, any may be the last one.
    ///
    /// # Safety
    /// The memory of the last launch is borrowed no more: nothing else may read or write it until the kernel has ended,
    /// and it must be there still where the caller gave it ([`Device::in_place`](crate::Device::in_place)). With the
    /// arguments of that launch and this grid the kernel must keep to the contract of [`KernelSpec::new`](crate::KernelSpec::new).
    ///
    /// # Errors
    /// [`DeviceError::Length`] and [`DeviceError::TooLarge`] for the sizes, as [`Launch::run`](crate::Launch::run);
    /// [`DeviceError::Argument`] where there was no launch, where one of its arguments was a part of a buffer, or where
    /// memory of the device was freed since; [`DeviceError::Api`] when the runtime refuses.
    pub unsafe fn enqueue_alone(&self, groups: usize, group: usize) -> Result<(), DeviceError> {
        let Some(global) = self.items(groups, group)? else { return Ok(()) };
        let object = self.take()?;
        let unset = object.first_unset(self.generation.now());
        let outcome = match unset {
            Some(_) => Ok(()),
            // SAFETY: no memory was freed since every argument was set, at this kernel's last launch; the caller vouches
            // for the grid, and for whoever holds that memory now.
            None => unsafe { self.queue.enqueue(&object.kernel, (1, [global, 1, 1]), Some([group, 1, 1]), None) },
        };
        self.give_back(object, false);
        if let Some(index) = unset {
            return Err(self.wrong_argument(index, "nothing".into()));
        }
        outcome.map_err(|code| failure(code, "clEnqueueNDRangeKernel", &self.name))
    }

    /// The number of items of a grid of `groups` groups; `None` for no groups.
    ///
    /// # Errors
    /// [`DeviceError::Length`] for a group of no items, or of another size than the kernel's source requires;
    /// [`DeviceError::TooLarge`] for a group past the kernel's limit, and a grid that no word counts.
    pub(crate) fn items(&self, groups: usize, group: usize) -> Result<Option<usize>, DeviceError> {
        if let Some(expected) = self.required_group.or((group == 0).then_some(1))
            && expected != group
        {
            return Err(DeviceError::Length { what: "items of a group", expected, given: group });
        }
        let too_large = |what: &str, size: usize, limit: usize| DeviceError::TooLarge {
            what: format!("items of {what} of kernel {}", self.entry),
            size: size as u64,
            limit: limit as u64,
            device: self.name.clone(),
        };
        if group > self.group_limit {
            return Err(too_large("a group", group, self.group_limit));
        }
        let items = groups.checked_mul(group).ok_or_else(|| too_large("the grid", groups, usize::MAX / group))?;
        Ok((items > 0).then_some(items))
    }

    /// The facts of a launch of this kernel with `groups` groups.
    pub(crate) fn launched(&self, groups: usize, group: usize) -> BuiltKernel {
        let KernelMemory { private_bytes, local_bytes, group_limit } = self.memory;
        let (name, group_limit) = (self.entry, group_limit as u64);
        BuiltKernel { name, groups: groups as u64, group: group as u64, private_bytes, local_bytes, group_limit }
    }

    /// The error that argument `index` was given as something else.
    pub(crate) fn wrong_argument(&self, index: usize, given: String) -> DeviceError {
        let expected = self.shapes.get(index).map_or_else(|| "no more arguments".into(), Shape::to_string);
        DeviceError::Argument { kernel: self.entry.to_owned(), index, expected, given }
    }

    /// A kernel object that no other launch has: an idle one, else a new one.
    pub(crate) fn take(&self) -> Result<Object, DeviceError> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let make = || {
            let kernel = objects::Kernel::of(&self.program, self.entry, &self.name)?;
            Ok(Object::new(kernel, self.shapes.len()))
        };
        idle.map_or_else(make, Ok)
    }

    /// Makes an object idle; `has_parts` where some of its arguments may be parts of blocks.
    pub(crate) fn give_back(&self, mut object: Object, has_parts: bool) {
        if has_parts {
            object.drop_parts();
        }
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(object);
    }
}
