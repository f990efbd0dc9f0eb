//! The devices of `--device`: one, or several for commands whose work is shared.

use std::time::Instant;

use manycore::Device;
use manycore::device::DeviceSet;

use super::auto::{Job, decided, is_auto};
use crate::error::Error;
use crate::global::Global;
use crate::label::{Labelled, label};
use crate::output::Spent;
use crate::{jobs, message, opening};

/// Whether `--device` names more than one.
pub(crate) fn is_several(device: &str) -> bool {
    device.contains(',') || device.trim().eq_ignore_ascii_case("gpus")
}

/// The device of `--device`, for a command that computes on one: for `auto` the one that has done the same job sooner.
///
/// # Errors
/// [`Error::Device`] where there is no such device; [`Error::Usage`] where several are named.
pub(crate) fn one(global: &Global) -> Result<Device, Error> {
    if is_auto(&global.device) {
        return Ok(decided(global, None));
    }
    let device = best_one(global)?;
    opening::begin(&device);
    Ok(device)
}

/// The device of `--device`, for a command that is about devices: for `auto` the best one.
///
/// # Errors
/// As [`one`].
pub(crate) fn best_one(global: &Global) -> Result<Device, Error> {
    if is_several(&global.device) {
        let reason = "this command computes on one device, and --device names several";
        return Err(Error::Usage(format!("{reason}: {}", global.device)));
    }
    let device = Device::select(&global.device)?;
    jobs::computes_on(Some(&device));
    Ok(device)
}

/// The device that a command asks for.
#[derive(Debug)]
pub(crate) enum Wanted<'a> {
    /// One that was named.
    Named(Device),
    /// The one that is done first.
    Auto(&'a Global),
}

impl<'a> Wanted<'a> {
    /// The device of `--device`, where it is named.
    ///
    /// # Errors
    /// [`Error::Device`] where there is no such device.
    pub(crate) fn new(global: &'a Global) -> Result<Self, Error> {
        if is_auto(&global.device) {
            return Ok(Self::Auto(global));
        }
        Ok(Self::Named(one(global)?))
    }

    /// The device for a job. With `--verbose`, a line on standard error names the device and the reason.
    pub(crate) fn device<J: Job>(&self, job: Option<&J>) -> Device {
        match self {
            Self::Named(device) => device.clone(),
            Self::Auto(global) => decided(global, job.map(|job| job as &dyn Job)),
        }
    }
}

/// The devices of `--device`.
#[derive(Debug, Clone)]
pub(crate) struct Devices(DeviceSet);

/// The devices that a command asks for whose work is shared.
#[derive(Debug)]
pub(crate) enum Asked<'a> {
    /// More than one, which are named.
    Several(Devices),
    /// One.
    One(Wanted<'a>),
}

impl<'a> Asked<'a> {
    /// The devices of `--device`, where they are named.
    ///
    /// # Errors
    /// [`Error::Device`] where there is no such device.
    pub(crate) fn new(global: &'a Global) -> Result<Self, Error> {
        if is_several(&global.device) {
            return Ok(Self::Several(Devices::new(global)?));
        }
        Ok(Self::One(Wanted::new(global)?))
    }

    /// The devices for a job; for `auto` the one that does it first ([`Wanted::device`]).
    pub(crate) fn devices<J: Job>(self, job: Option<&J>) -> Devices {
        match self {
            Self::Several(devices) => devices,
            Self::One(wanted) => wanted.device(job).into(),
        }
    }
}

impl From<Device> for Devices {
    fn from(device: Device) -> Self {
        Self(device.into())
    }
}

impl Devices {
    /// The devices of `--device`: for `auto` the one that has done the same job sooner.
    ///
    /// # Errors
    /// [`Error::Device`] where there is no such device.
    pub(crate) fn new(global: &Global) -> Result<Self, Error> {
        if is_auto(&global.device) {
            return Ok(Self(decided(global, None).into()));
        }
        let devices = Self::best(global)?;
        devices.set().devices().iter().for_each(opening::begin);
        Ok(devices)
    }

    /// The devices of `--device`, for a command that is about devices: the best one for `auto`.
    ///
    /// # Errors
    /// As [`Devices::new`].
    pub(crate) fn best(global: &Global) -> Result<Self, Error> {
        if is_auto(&global.device) {
            return Ok(Self(Device::best().into()));
        }
        let devices = Self(DeviceSet::select(&global.device)?);
        jobs::computes_on(devices.single());
        Ok(devices)
    }

    /// Them as a set.
    pub(crate) fn set(&self) -> &DeviceSet {
        &self.0
    }

    /// The device, where there is one only.
    pub(crate) fn single(&self) -> Option<&Device> {
        match self.0.devices() {
            [device] => Some(device),
            _ => None,
        }
    }

    /// Runs work on them, and returns its wall-clock time.
    pub(crate) fn waited_for<R>(&self, work: impl FnOnce(&DeviceSet) -> R) -> (R, Spent) {
        let begun = Instant::now();
        let result = work(&self.0);
        (result, Spent { seconds: begun.elapsed().as_secs_f64(), transfer_seconds: None })
    }

    /// Does the work and returns its cost. Devices that failed, whose work others did, are named on standard error.
    ///
    /// # Errors
    /// [`Error::Device`] where a device fails that is alone.
    pub(crate) fn measured<R>(&self, work: impl FnOnce() -> R) -> Result<(R, Spent), Error> {
        let measured = if let Some(device) = self.single() {
            let (result, profile) = device.profile(work)?;
            (result, Spent::from(&profile))
        } else {
            self.waited_for(|_| work())
        };
        self.tell_failures();
        Ok(measured)
    }

    /// Tells of devices that failed, whose work others did.
    pub(crate) fn tell_failures(&self) {
        for failure in self.0.failures() {
            message::tell(&failure.to_string());
        }
    }
}

impl Labelled for Devices {
    fn label(&self) -> String {
        self.0.devices().iter().map(label).collect::<Vec<_>>().join(", ")
    }
}
