//! Measures a device's [`Machine`], and keeps it as a cache file.
//!
//! A calibration takes about two seconds and happens only when asked for ([`Device::calibrate`]); its file is named
//! after device and driver, so that a new driver is measured anew. Without one, [`Device::machine`] gives numbers
//! typical of the kind of device.
//!
//! | file | what |
//! |---|---|
//! | `opencl` | microkernels: launches, arithmetic, copies, local memory |
//! | `host` | the same of this process's threads |
//! | `loops` | the host's loops of known cost |
//! | `samples` | repeated measurements and their spread |
//! | `store` | the file |
//! | `error` | why there is none |

pub(crate) mod error;
mod host;
mod loops;
mod opencl;
mod samples;
mod store;

use std::path::PathBuf;

use manycore_model::machine::Class;
use manycore_model::{Machine, Source};

use self::error::CalibrateError;
use self::samples::Samples;
use super::cache_files;
use crate::device::{Device, Executor};
use crate::info::{DeviceInfo, DeviceKind};
use crate::waits::{self, Waiting};

/// The outcome of [`Device::calibrate`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Calibration {
    /// The device's machine from now on; [`Machine::source`] holds the spread of its measurements.
    pub machine: Machine,
    /// The file that keeps it.
    pub path: PathBuf,
    /// Whether this is an earlier calibration, whose measurements spread less than the new ones did.
    pub kept_old: bool,
}

impl Device {
    /// The device's machine: the calibrated one if this device with this driver was ever calibrated on this system,
    /// else one typical of its kind. Never measures and never fails; reads a small file once.
    pub fn machine(&self) -> Machine {
        self.kept_machine().get_or_init(|| store::load(self.info()).unwrap_or_else(|| self.typical_machine()))
    }

    /// The machine that is typical of this kind of device, from its facts alone.
    pub fn typical_machine(&self) -> Machine {
        let info = self.info();
        let class = class(self);
        match info.kind {
            DeviceKind::Host => class.host(),
            DeviceKind::Cpu => class.opencl_cpu(),
            DeviceKind::Gpu | DeviceKind::Accelerator => class.gpu(),
        }
    }

    /// Measures the device's machine, in about two seconds, without keeping it. On a busy device the numbers are worse,
    /// and the spread in [`Source::Measured`] larger.
    ///
    /// # Errors
    /// [`CalibrateError::Machine`] where the numbers make no machine; [`CalibrateError::Device`] when the device fails.
    pub fn measure_machine(&self) -> Result<Machine, CalibrateError> {
        let mut machine = self.typical_machine();
        let mut samples = Samples::new();
        match self.executor() {
            Executor::Host(pool) => host::measure(pool, &mut machine, &mut samples)?,
            Executor::OpenCl(cl) => opencl::measure(self, cl, &mut machine, &mut samples)?,
        }
        machine.source = Source::Measured { spread: samples.spread(), seconds: samples.elapsed().as_secs_f64() };
        machine.checked().map_err(|reason| CalibrateError::Machine { device: self.info().label(), reason })
    }

    /// Measures the device's machine and keeps it, for this process and for later ones. An earlier calibration of this
    /// device with this driver stays where its measurements spread less; to begin anew, remove its file.
    ///
    /// # Errors
    /// As [`Device::measure_machine`]; [`CalibrateError::Write`] when the file cannot be written. What was kept before
    /// then stays.
    pub fn calibrate(&self) -> Result<Calibration, CalibrateError> {
        // A folder that cannot be had is known before anything is measured.
        let folder = cache_files::made_folder()?;
        let new = waits::note(Waiting::Calibration, || self.info().id.clone(), || self.measure_machine())?;
        let old = store::load_from(&folder, self.info()).filter(|old| spread(old) < spread(&new));
        let kept_old = old.is_some();
        let (machine, path) = match old {
            Some(old) => (old, store::path(&folder, self.info())),
            None => store::save(&folder, self.info(), new)?,
        };
        self.kept_machine().set(machine.clone());
        Ok(Calibration { machine, path, kept_old })
    }
}

/// The spread of a machine's measurements; that of no measurement is infinite.
fn spread(machine: &Machine) -> f64 {
    match machine.source {
        Source::Measured { spread, .. } => spread,
        _ => f64::INFINITY,
    }
}

/// The facts that the device reports.
fn class(device: &Device) -> Class {
    let info: &DeviceInfo = device.info();
    let local_bytes = match device.executor() {
        Executor::Host(_) => host::core_cache_bytes(),
        // Probing for more would build kernels; a calibration does.
        Executor::OpenCl(_) => info.local_memory_bytes,
    };
    Class {
        name: info.name.clone(),
        vendor: info.vendor.clone(),
        processors: info.compute_units.max(1),
        clock_hz: info.clock_hz,
        local_bytes,
        block_threads: u32::try_from(info.group_limit).unwrap_or(u32::MAX).clamp(1, 1024),
        fp64: info.fp64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_device_is_measured() {
        let simulated = |device: &Device| device.info().name.to_lowercase().contains("oclgrind");
        for device in Device::all().into_iter().filter(|device| !simulated(device)) {
            let machine = device.measure_machine().unwrap_or_else(|error| panic!("{device:?}: {error}"));
            let Source::Measured { spread, seconds } = machine.source else { panic!("{machine:?}") };
            assert!(spread >= 0.0 && seconds > 0.0, "{machine:?}");
            let typical = device.typical_machine();
            assert!(machine.bandwidth.to_bits() != typical.bandwidth.to_bits(), "{machine:?}");
            assert!(machine.rates.int32.to_bits() != typical.rates.int32.to_bits(), "{machine:?}");
            assert!(machine.launch_seconds.to_bits() != typical.launch_seconds.to_bits(), "{machine:?}");
            assert_eq!((&machine.name, machine.rates.f64 > 0.0), (&device.info().name, device.info().fp64));
            assert_eq!(machine.execution_model, typical.execution_model);
        }
    }
}
