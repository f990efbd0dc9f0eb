//! Arguments of a launch that are buffers, or parts of them.

use super::launch::Launch;
use super::spec::{Pass, Shape};
use crate::buffer::storage::Buffer;
use crate::buffer::view::{Place, View};
use crate::buffer::view_mut::ViewMut;
use crate::device::Device;
use crate::error::DeviceError;
use crate::word::Word;

impl<'a> Launch<'a> {
    /// Sets memory as the next argument.
    fn place(self, given: Shape, place: Result<Place<'_>, &Device>) -> Self {
        self.argument(given, |launch, object, index| {
            let device = launch.device;
            let mixed = |given| DeviceError::MixedDevices { expected: device.info().label(), given };
            let place = place.map_err(|device| mixed(device.info().label()))?;
            if !std::ptr::eq(place.device, device) {
                return Err(mixed(place.device.info().label()));
            }
            if place.whole {
                // Asked now that the block is there: it cannot be one that gets a freed one's handle later.
                let generation = device.opened()?.pool.generation().now();
                return Ok(object.set_block(index, place.memory, generation));
            }
            let part = place.memory.part(place.offset_bytes, place.bytes, device.name())?;
            launch.has_parts = true;
            Ok(object.set_part(index, part))
        })
    }

    /// Whether this is a part of a buffer of the device that begins between the addresses that it can pass.
    fn is_misaligned(&self, place: &Result<Place<'_>, &Device>) -> bool {
        let alignment = self.device.info().view_alignment_bytes;
        self.object.is_some()
            && place.as_ref().is_ok_and(|place| {
                std::ptr::eq(place.device, self.device) && !place.whole && !place.offset_bytes.is_multiple_of(alignment)
            })
    }

    /// Sets a copy as the next argument, and keeps it until the launch is enqueued: memory that is given back sooner could become
    /// another argument's.
    fn copied<T: Word>(
        mut self,
        given: Shape,
        copy: Result<Buffer<T>, DeviceError>,
        after: impl FnOnce(Buffer<T>) -> Result<(), DeviceError> + 'a,
    ) -> Self {
        match copy {
            Ok(copy) => {
                // Nobody may launch the kernel object with it again, so that it does not note the block.
                let mut launch = self.argument(given, |_, object, index| {
                    let place = View::from(&copy).place().map_err(|_| DeviceError::elsewhere())?;
                    Ok(object.set_memory(index, place.memory))
                });
                launch.copies.push(Box::new(move || after(copy)));
                launch
            }
            Err(error) => {
                self.given += 1;
                self.give_back();
                self.error = Some(Box::new(error));
                self
            }
        }
    }

    /// A buffer, or a part of one, that the kernel reads.
    ///
    /// A part that begins at no multiple of [`DeviceInfo::view_alignment_bytes`](crate::DeviceInfo::view_alignment_bytes) is copied.
    pub fn input<T: Word>(self, view: impl Into<View<'a, T>>) -> Self {
        self.input_view(view.into())
    }

    #[inline(never)]
    pub(crate) fn input_view<T: Word>(self, view: View<'a, T>) -> Self {
        let shape = Shape { passing: Pass::Input, words: T::TYPE, count: 0 };
        let place = view.place();
        if !self.is_misaligned(&place) {
            return self.place(shape, place);
        }
        let copy = view.buffer().device().scratch(view.len());
        let copy = copy.and_then(|mut copy| copy.view_mut(..)?.copy_from(view).map(|()| copy));
        self.copied(shape, copy, |_| Ok(()))
    }

    /// A buffer, or a part of one, that the kernel writes.
    ///
    /// A part that begins at no multiple of [`DeviceInfo::view_alignment_bytes`](crate::DeviceInfo::view_alignment_bytes) is copied, and
    /// copied back behind the kernel.
    pub fn buffer<T: Word>(self, view: impl Into<ViewMut<'a, T>>) -> Self {
        self.buffer_view(view.into())
    }

    #[inline(never)]
    pub(crate) fn buffer_view<T: Word>(self, mut view: ViewMut<'a, T>) -> Self {
        let shape = Shape { passing: Pass::Buffer, words: T::TYPE, count: 0 };
        let place = view.place();
        if !self.is_misaligned(&place) {
            return self.place(shape, place);
        }
        let copy = view.device().scratch(view.len()).and_then(|mut copy| view.copy_to(&mut copy).map(|()| copy));
        self.copied(shape, copy, move |copy| view.copy_from(&copy))
    }
}
