//! Lanes of the devices of a set: how many there is room for, each with what it keeps from part to part of the shared work.

use std::error::Error;
use std::ops::Range;

use super::DeviceSet;
use crate::device::Device;
use crate::error::DeviceError;

/// Lanes of a device at most: one copies to it, one from it, and one computes.
pub const LANES: usize = 3;

/// The lanes for which devices have room ([`DeviceSet::room`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Room {
    /// Lanes of each OpenCL device, as [`DeviceSet::lanes`] counts them; the host is one.
    pub lanes: usize,
    /// Lanes of all devices.
    pub all_lanes: usize,
    /// Bytes that a lane may take: the least of those lanes that have room for the smallest part.
    pub lane_bytes: u64,
}

impl Room {
    /// Parts of the work, so that the last ones of all lanes end together: `each` for a lane, and one where there is one lane.
    pub fn parts(&self, each: usize) -> usize {
        if self.all_lanes > 1 { each * self.all_lanes } else { 1 }
    }
}

/// The most of `least..=most` items that `fits` says fit, where fewer do whenever more do; `least` where none fit.
///
/// ```
/// assert_eq!(manycore_device::most_fitting(1, 1000, |items| items * items <= 1 << 10), 32);
/// ```
pub fn most_fitting(mut least: usize, mut most: usize, fits: impl Fn(usize) -> bool) -> usize {
    while least < most {
        let middle = most - (most - least) / 2;
        if fits(middle) {
            least = middle;
        } else {
            most = middle - 1;
        }
    }
    least
}

/// Why there is no [`Room`].
#[derive(Debug)]
pub enum NoRoom {
    /// No lane has room for the smallest part; the most that one has, in bytes.
    Bytes(u64),
    /// The device gives no lanes.
    Device(DeviceError),
}

impl NoRoom {
    /// The error of the device, or the one that `of_bytes` makes of the most bytes of a lane.
    pub fn or<E: From<DeviceError>>(self, of_bytes: impl FnOnce(u64) -> E) -> E {
        match self {
            Self::Bytes(limit) => of_bytes(limit),
            Self::Device(error) => error.into(),
        }
    }
}

impl DeviceSet {
    /// The lanes for parts of at least `least_bytes`, where a device takes at most `limit_bytes`: [`LANES`] of each device, or as many
    /// as one of the devices has room for. Devices without room fail at their parts, and others do them.
    ///
    /// ```
    /// use manycore_device::{Device, DeviceSet};
    /// let set: DeviceSet = Device::host().into();
    /// assert!(set.room(1 << 10, Some(1 << 20)).is_ok_and(|room| (room.all_lanes, room.lane_bytes) == (1, 1 << 20)));
    /// assert!(set.room(1 << 10, Some(1 << 9)).is_err()); // with the limit
    /// ```
    ///
    /// # Errors
    /// [`NoRoom`].
    pub fn room(&self, least_bytes: u64, limit_bytes: Option<u64>) -> Result<Room, NoRoom> {
        let mut most = 0;
        for lanes in (0..=LANES).rev() {
            let lent = self.lanes(lanes).map_err(NoRoom::Device)?;
            let rooms = lent.rooms(limit_bytes);
            most = most.max(rooms.iter().copied().max().unwrap_or(0));
            if let Some(lane_bytes) = rooms.into_iter().filter(|&bytes| bytes >= least_bytes).min() {
                return Ok(Room { lanes, all_lanes: lent.devices().len(), lane_bytes });
            }
        }
        Err(NoRoom::Bytes(most))
    }

    /// The bytes that each device may take, in their order, at most `limit_bytes`: lanes of one device have equal parts of what that one
    /// has ([`Device::usable_bytes`]).
    pub fn rooms(&self, limit_bytes: Option<u64>) -> Vec<u64> {
        let limit = limit_bytes.unwrap_or(u64::MAX);
        let lanes = |device: &Device| self.devices.iter().filter(|other| other.info().id == device.info().id).count();
        let room = |device| Device::usable_bytes(device).min(limit) / lanes(device).max(1) as u64;
        self.devices.iter().map(room).collect()
    }
}

/// The lanes of a set that share work in parts, each with a context: kernels, tables, and what it had last.
///
/// ```
/// use manycore_device::{Device, DeviceError, DeviceSet, Lanes};
/// let set = DeviceSet::equal(vec![Device::host_with(1)?, Device::host_with(1)?])?;
/// let lanes = Lanes::new(&set, 3, |device| Ok::<_, DeviceError>(device.clone()))?;
/// let mut squares = [0; 10];
/// let parts = squares.chunks_mut(3).collect();
/// lanes.each(parts, |_, at, part| {
///     part.iter_mut().zip(3 * at..).for_each(|(square, i)| *square = i * i);
///     Ok::<(), DeviceError>(())
/// })?;
/// assert_eq!(squares[9], 81);
/// # Ok::<(), DeviceError>(())
/// ```
#[derive(Debug)]
pub struct Lanes<C> {
    set: DeviceSet,
    contexts: Vec<C>,
}

impl<C: Sync> Lanes<C> {
    /// So many lanes of each device of a set, with the contexts that `make` gives.
    ///
    /// # Errors
    /// As [`DeviceSet::lanes`], and those of `make`.
    pub fn new<E: From<DeviceError>>(
        set: &DeviceSet,
        count: usize,
        make: impl FnMut(&Device) -> Result<C, E>,
    ) -> Result<Self, E> {
        let set = set.lanes(count)?;
        let contexts = set.devices().iter().map(make).collect::<Result<_, E>>()?;
        Ok(Self { set, contexts })
    }

    /// The lanes, as devices.
    pub fn set(&self) -> &DeviceSet {
        &self.set
    }

    /// The contexts, in the order of the lanes.
    pub fn contexts(&self) -> &[C] {
        &self.contexts
    }

    /// The context of a lane.
    pub fn of(&self, lane: &Device) -> &C {
        let at = self.set.devices().iter().position(|device| device == lane).unwrap_or(0);
        &self.contexts[at]
    }

    /// [`DeviceSet::share`] with the contexts of lanes.
    ///
    /// # Errors
    /// As there.
    pub fn share<R: Send, E: Error + Send + From<DeviceError>>(
        &self,
        len: usize,
        granularity: usize,
        work: impl Fn(&C, Range<usize>) -> Result<R, E> + Sync,
    ) -> Result<Vec<(Range<usize>, R)>, E> {
        self.set.share(len, granularity, |lane, range| work(self.of(lane), range))
    }

    /// [`DeviceSet::share_into`] with the contexts of lanes.
    ///
    /// # Errors
    /// As there.
    pub fn share_into<T: Send, E: Error + Send + From<DeviceError>>(
        &self,
        out: &mut [T],
        each: usize,
        granularity: usize,
        work: impl Fn(&C, Range<usize>, &mut [T]) -> Result<(), E> + Sync,
    ) -> Result<(), E> {
        self.set.share_into(out, each, granularity, |lane, range, part| work(self.of(lane), range, part))
    }

    /// Does `work` for each of some parts, with its number, on whichever lane is free. A part whose lane fails is done again by another
    /// one, so that `work` leaves a part that it can begin anew.
    ///
    /// # Errors
    /// As [`DeviceSet::share`].
    pub fn each<P: Send, E: Error + Send + From<DeviceError>>(
        &self,
        parts: Vec<P>,
        work: impl Fn(&C, usize, &mut P) -> Result<(), E> + Sync,
    ) -> Result<(), E> {
        self.each_in_place(parts, |context, at, part, _| work(context, at, part))
    }

    /// [`DeviceSet::each_in_place`] with the contexts of lanes.
    ///
    /// # Errors
    /// As there.
    pub fn each_in_place<P: Send, E: Error + Send + From<DeviceError>>(
        &self,
        parts: Vec<P>,
        work: impl Fn(&C, usize, &mut P, &mut bool) -> Result<(), E> + Sync,
    ) -> Result<(), E> {
        self.set.each_in_place(parts, |lane, at, part, is_amid| work(self.of(lane), at, part, is_amid))
    }
}
