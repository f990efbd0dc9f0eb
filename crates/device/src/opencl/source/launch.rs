//! Launches of users' kernels: arguments checked one by one, grids of one to three dimensions.

use std::fmt;

use super::SourceKernel;
use crate::buffer::view::View;
use crate::buffer::view_mut::ViewMut;
use crate::error::DeviceError;
use crate::opencl::launch::{Launch, Words};
use crate::word::Word;

/// Numbers of items in one to three dimensions: made from a number or an array of them.
///
/// ```
/// use manycore_device::Extent;
/// assert_eq!(Extent::from([640, 480]).to_string(), "640 x 480");
/// assert_eq!(Extent::from(1000), Extent::from([1000]));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    items: [usize; 3],
    dimensions: usize,
}

impl From<usize> for Extent {
    fn from(items: usize) -> Self {
        [items].into()
    }
}

macro_rules! extents {
    ($($dimensions:literal)*) => {$(
        impl From<[usize; $dimensions]> for Extent {
            fn from(given: [usize; $dimensions]) -> Self {
                let mut items = [1; 3];
                items[..$dimensions].copy_from_slice(&given);
                Self { items, dimensions: $dimensions }
            }
        }
    )*};
}

extents! { 1 2 3 }

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let items: Vec<String> = self.items[..self.dimensions].iter().map(ToString::to_string).collect();
        f.write_str(&items.join(" x "))
    }
}

/// A launch of a user's kernel under construction; nothing happens before [`SourceLaunch::run`].
#[must_use = "a launch does nothing until `run`"]
pub struct SourceLaunch<'a> {
    kernel: &'a SourceKernel,
    /// An error where the device cannot be used.
    launch: Result<Launch<'a>, DeviceError>,
    group: Option<Extent>,
}

impl<'a> SourceLaunch<'a> {
    fn with(mut self, change: impl FnOnce(Launch<'a>) -> Launch<'a>) -> Self {
        self.launch = self.launch.map(change);
        self
    }

    /// A buffer, or a part of one, that the kernel reads.
    pub fn input<T: Word>(self, view: impl Into<View<'a, T>>) -> Self {
        self.with(|launch| launch.input(view))
    }

    /// A buffer, or a part of one, that the kernel writes.
    pub fn buffer<T: Word>(self, view: impl Into<ViewMut<'a, T>>) -> Self {
        self.with(|launch| launch.buffer(view))
    }

    /// A number.
    pub fn value<T: Word>(self, value: T) -> Self {
        self.with(|launch| launch.value(value))
    }

    /// A vector or a struct of numbers.
    pub fn words<T: Word>(self, words: &Words<T>) -> Self {
        self.with(|launch| launch.words(words))
    }

    /// Local memory of `words` words for each group, at least one word.
    pub fn local<T: Word>(self, words: usize) -> Self {
        self.with(|launch| launch.local::<T>(words))
    }

    /// The items of a group; without it the runtime chooses, or the source says.
    pub fn group(mut self, items: impl Into<Extent>) -> Self {
        self.group = Some(items.into());
        self
    }

    /// Declares how many bytes the kernel reads and writes in the device's memory, and its operations: for profiles and
    /// progress.
    pub fn costs(self, bytes: u64, operations: u64) -> Self {
        self.with(|launch| launch.bytes(bytes).operations(operations))
    }

    /// Enqueues the launch over the given numbers of items, and returns; a grid without items is no launch. The launch runs after earlier
    /// work on the device, and before later launches and downloads.
    ///
    /// # Safety
    /// Nobody knows what a kernel of one's own does with its arguments. With these arguments and this grid its items must end,
    /// stay within the buffers and the parts of buffers given, and within their local memory, write to none that is given as
    /// [`input`](Self::input), and write nothing that another item reads or writes unordered. A kernel that writes past a
    /// buffer may write to any memory of the process where the device computes on the host's memory.
    ///
    /// # Errors
    /// [`DeviceError::Argument`] for an argument that is missing, too many or of another type; [`DeviceError::MixedDevices`] for
    /// memory of another device; [`DeviceError::OutOfMemory`] for the copy of a part; [`DeviceError::Grid`] for groups that the
    /// kernel or the grid does not take; [`DeviceError::Cancelled`]; [`DeviceError::Api`] when the runtime refuses.
    pub unsafe fn run(self, items: impl Into<Extent>) -> Result<(), DeviceError> {
        let (kernel, grid, group) = (self.kernel, items.into(), self.group);
        let mut launch = self.launch?;
        launch.complete()?;
        let group = kernel.group_of(grid, group)?;
        if grid.items.contains(&0) {
            return Ok(());
        }
        launch.enqueue((grid.dimensions as u32, grid.items), group)?;
        launch.finish()
    }
}

impl SourceKernel {
    /// Begins a launch; arguments follow in the order of the signature.
    pub fn launch(&self) -> SourceLaunch<'_> {
        let launch = self.device.shared("kernel of OpenCL").map(|cl| cl.launch(&self.kernel));
        SourceLaunch { kernel: self, launch, group: None }
    }

    /// The group that a grid is launched with.
    fn group_of(&self, grid: Extent, group: Option<Extent>) -> Result<Option<[usize; 3]>, DeviceError> {
        let wrong = |reason: String| DeviceError::Grid {
            kernel: self.name().to_owned(),
            global: grid.to_string(),
            local: group.as_ref().map(ToString::to_string),
            reason,
        };
        let given = match (group, self.required_group) {
            (None, None) => return Ok(None),
            (None, Some(required)) => Extent { items: required, dimensions: grid.dimensions },
            (Some(group), None) => group,
            (Some(group), Some(required)) if group.items == required => group,
            (Some(_), Some([x, y, z])) => {
                return Err(wrong(format!("the source requires groups of {x} x {y} x {z}")));
            }
        };
        let items = given.items;
        if items.contains(&0) {
            return Err(wrong("a group has no items".to_owned()));
        }
        if items[grid.dimensions..].iter().any(|&size| size > 1) {
            return Err(wrong("groups have more dimensions than the grid".to_owned()));
        }
        let size = items.iter().try_fold(1usize, |product, &size| product.checked_mul(size));
        let limit = self.group_limit();
        if size.is_none_or(|size| size > limit) {
            return Err(wrong(format!("a group of this kernel has {limit} items at most")));
        }
        if items.iter().zip(grid.items).any(|(&size, items)| items % size > 0) {
            return Err(wrong(format!("groups of {given} do not divide it")));
        }
        Ok(Some(items))
    }
}
