//! Measures a device's [`Machine`], and keeps it.
//!
//! A calibration takes a few seconds and happens only when asked for ([`Device::calibrate`]); its result is kept in a file
//! of the user's cache folder, named after device and driver, so that a new driver is measured anew. Until then
//! [`Device::machine`] gives numbers typical of the kind of device.
//!
//! | file | what |
//! |---|---|
//! | `opencl` | microkernels: arithmetic, copies, local memory, launches |
//! | `host` | the same of this process's threads |
//! | `handover` | how long a word takes from thread to thread |
//! | `loops` | the loops that it times |
//! | `pace` | whether the machine is still the same |
//! | `watch` | whether it stays so while it is measured |
//! | `store` | the file |
//! | `choices` | what operations measured of their candidates, in a file beside it |

mod choices;
mod handover;
pub(crate) mod host;
mod loops;
pub(crate) mod opencl;
mod pace;
mod store;
mod watch;

pub use pace::Pace;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use manycore_model::fit::{self, Summary};
use manycore_model::machine::Class;
use manycore_model::{Machine, MachineError, Source};

use self::watch::Watch;
use crate::device::{Device, Executor};
use crate::error::DeviceError;
use crate::info::{DeviceInfo, DeviceKind};

/// The spread above which a calibration is refused.
const MOST_SPREAD: f64 = 0.2;

/// How long after its start a calibration begins anew where threads moved: what it takes once more ends within 5 seconds.
const LAST_BEGINNING: Duration = Duration::from_millis(2500);

/// Why a device was not calibrated.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CalibrateError {
    /// Repeated measurements of one parameter differ too much: the clock changes, or others use the device.
    #[error(
        "{device} is too busy or its clock too unsteady: measurements of {parameter} differ by {:.0} %, at most {:.0} % are taken",
        100.0 * spread,
        100.0 * limit
    )]
    Noisy {
        /// The device.
        device: String,
        /// What was measured.
        parameter: &'static str,
        /// The median distance from the median, as a part of it.
        spread: f64,
        /// The most that is taken.
        limit: f64,
    },
    /// The processor's threads are not where they were when the calibration began, or not as fast: a virtual machine whose
    /// processors move, or a clock that falls. What was measured is of no one machine; another calibration may go well.
    #[error("the threads of {device} moved or changed their speed during the calibration; try again")]
    Moved {
        /// The device.
        device: String,
    },
    /// The numbers make no machine.
    #[error("the calibration of {device} failed: {reason}")]
    Machine {
        /// The device.
        device: String,
        /// Which number.
        reason: MachineError,
    },
    /// The calibration cannot be kept.
    #[error("cannot write {}: {reason}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// The device failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

impl Device {
    /// The device's machine: the calibrated one if this device with this driver was ever calibrated on this system, else
    /// one typical of its kind. Never measures and never fails; reads a small file once.
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

    /// Measures the device's machine, in at most about 5 seconds, without keeping it. Where the processor's threads move
    /// meanwhile, it begins anew, for as long as these seconds allow.
    ///
    /// # Errors
    /// [`CalibrateError::Noisy`] where repeated measurements differ by more than 20 %; [`CalibrateError::Moved`] where the
    /// processor's threads never stayed where they were ([`Device::pace`]); [`CalibrateError::Device`] when the device fails.
    pub fn measure_machine(&self) -> Result<Machine, CalibrateError> {
        let start = Instant::now();
        loop {
            match self.measure_once(start, &Watch::of(self), MOST_SPREAD) {
                Err(CalibrateError::Moved { .. }) if start.elapsed() < LAST_BEGINNING => {}
                outcome => return outcome,
            }
        }
    }

    /// One calibration of those that began at `start`, while the threads stay where `watch` saw them, with so much spread at most.
    fn measure_once(&self, start: Instant, watch: &Watch, most_spread: f64) -> Result<Machine, CalibrateError> {
        let mut machine = self.typical_machine();
        let mut noise = Noise::default();
        match self.executor() {
            Executor::Host(pool) => host::measure(pool, watch, &mut machine, &mut noise)?,
            Executor::OpenCl(cl) => opencl::measure(self, cl, watch, &mut machine, &mut noise)?,
        }
        let device = || self.info().label();
        if noise.spread > most_spread {
            let (parameter, spread) = (noise.parameter, noise.spread);
            return Err(CalibrateError::Noisy { device: device(), parameter, spread, limit: most_spread });
        }
        machine.source = Source::Measured { spread: noise.spread, seconds: start.elapsed().as_secs_f64() };
        machine.checked().map_err(|reason| CalibrateError::Machine { device: device(), reason })
    }

    /// Measures the device's machine and keeps it, for this process and for later ones; tells the file.
    ///
    /// # Errors
    /// As [`Device::measure_machine`]; [`CalibrateError::Write`] when the file cannot be written. What was kept before then
    /// stays.
    pub fn calibrate(&self) -> Result<(Machine, PathBuf), CalibrateError> {
        // A folder that cannot be had is known before anything is measured.
        let folder = store::make_folder()?;
        let (machine, path) = store::save(&folder, self.info(), self.measure_machine()?)?;
        self.kept_machine().set(machine.clone());
        Ok((machine, path))
    }
}

/// What the device tells of itself.
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

/// The most unsteady parameter so far.
#[derive(Debug, Default)]
struct Noise {
    parameter: &'static str,
    spread: f64,
}

impl Noise {
    /// The median of several measurements of `parameter`; its spread is noted.
    fn median(&mut self, parameter: &'static str, values: &[f64]) -> f64 {
        self.summary(parameter, values).map_or(f64::NAN, |found| found.median)
    }

    /// The least of several measurements of `parameter`, where what disturbs them only adds; their spread is noted.
    fn least(&mut self, parameter: &'static str, values: &[f64]) -> f64 {
        self.summary(parameter, values).map_or(f64::NAN, |found| found.least)
    }

    fn summary(&mut self, parameter: &'static str, values: &[f64]) -> Option<Summary> {
        let found = fit::summary(values)?;
        if found.spread > self.spread {
            (self.parameter, self.spread) = (parameter, found.spread);
        }
        Some(found)
    }
}

/// The machine that a device's handles share: set once from the file, again by each calibration.
#[derive(Debug, Default)]
pub(crate) struct KeptMachine(std::sync::Mutex<Option<Machine>>);

impl KeptMachine {
    fn get_or_init(&self, init: impl FnOnce() -> Machine) -> Machine {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get_or_insert_with(init).clone()
    }

    fn set(&self, machine: Machine) {
        *self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(machine);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On a machine that is busy or moves, calibrations are refused for that, and the tests of what is kept see none. Here
    /// neither counts: whatever the clock says, each device's numbers make a machine.
    #[test]
    fn every_device_is_measured_where_noise_is_taken() {
        let simulated = |device: &Device| device.info().name.to_lowercase().contains("oclgrind");
        for device in Device::all().into_iter().filter(|device| !simulated(device)) {
            let watch = Watch::none(&device);
            let measure = || device.measure_once(Instant::now(), &watch, f64::INFINITY);
            let outcome = measure().or_else(|_| measure()).or_else(|_| measure());
            let machine = outcome.unwrap_or_else(|error| panic!("{device:?}: {error}"));
            let Source::Measured { spread, seconds } = machine.source else { panic!("{machine:?}") };
            assert!(spread >= 0.0 && seconds > 0.0, "{machine:?}");
            let typical = device.typical_machine();
            assert!(
                machine.bandwidth > 0.0 && machine.bandwidth.to_bits() != typical.bandwidth.to_bits(),
                "{machine:?}"
            );
            assert!(machine.rates.int32 > 0.0 && machine.rates.int32.to_bits() != typical.rates.int32.to_bits());
            assert_eq!((&machine.name, machine.rates.f64 > 0.0), (&device.info().name, device.info().fp64));
        }
    }
}
