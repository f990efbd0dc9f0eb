//! Prices corrected by standard passes.
//!
//! Prices are counted in multiply-adds of the calibrated rates. What a CPU's OpenCL compiler makes of a kernel's operations, by
//! vectors or one by one, is mostly the same for all shapes of the kernel, so that one pass of a standard shape tells how many
//! times as long they take. Its seconds are kept in the folder of calibrations, as refined choices are; they hold whatever the
//! machine is calibrated to later, and a context fits its machine's price to them.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use manycore_model::{Kernel, Machine, Program, fit};

use super::refine::{MEASURING, fingerprint};
use super::{Context, timing};
use crate::device::Device;
use crate::error::DeviceError;
use crate::opencl::kernel::KernelSpec;

/// Seconds of standard passes that this process knows, by device and pass; `None` where the measurement failed.
static STANDARDS: Mutex<BTreeMap<String, Option<f64>>> = Mutex::new(BTreeMap::new());

/// Seconds of runs, about a millisecond each, of which the least counts: what disturbs one adds to it.
const SECONDS: f64 = 0.25;

impl Context {
    /// How many times as long the operations of a kernel take as the machine's rate says: what makes its prediction for the
    /// standard pass `pass` the least seconds of several runs of it, `measure`d by [`least_seconds`] at the first use and kept
    /// by `key` for later processes. 1 where the context does not correct prices ([`Context::corrects`]), or where the
    /// measurement fails or is explained by no such factor.
    pub fn slowdown(
        &self,
        key: &str,
        kernels: &[&'static KernelSpec],
        pass: &Kernel,
        measure: impl FnOnce() -> Option<f64>,
    ) -> f64 {
        if !self.corrects() {
            return 1.0;
        }
        let seconds = standard_seconds(&self.device, key, kernels, measure);
        seconds.and_then(|seconds| fitted_slowdown(&self.machine, pass, seconds)).unwrap_or(1.0)
    }
}

/// The slowdown at which `machine` predicts these seconds for one launch of a kernel; `None` where none explains them.
pub fn fitted_slowdown(machine: &Machine, pass: &Kernel, seconds: f64) -> Option<f64> {
    let predict = |slowdown: f64| {
        let mut program = Program::new();
        let queued = program.queue(pass.clone().slowdown(slowdown));
        queued.ok().and_then(|_| machine.predict(&program).ok()).map_or(f64::NAN, |found| found.seconds)
    };
    fit::slowdown(seconds, predict)
}

/// The least seconds of one `work` on a device, of as many runs as take a quarter of a second.
///
/// # Errors
/// As `work`, or of the device's clock.
pub fn least_seconds<E: From<DeviceError>>(device: &Device, mut work: impl FnMut() -> Result<(), E>) -> Result<f64, E> {
    let (mut least, mut spent) = (f64::INFINITY, 0.0);
    while spent < SECONDS {
        let sample = timing::sample(device, spent == 0.0, &mut work)?;
        least = least.min(sample.seconds);
        spent += sample.spent_seconds;
    }
    Ok(least)
}

/// The seconds of a standard pass that `key` names and `kernels` do: those known or kept by an earlier process, else those
/// that `measure` gives, which then are. `None` where it gives none, as long as the process lives.
fn standard_seconds(
    device: &Device,
    key: &str,
    kernels: &[&'static KernelSpec],
    measure: impl FnOnce() -> Option<f64>,
) -> Option<f64> {
    let info = device.info();
    let key = format!("{key}, {:016x}", fingerprint(kernels));
    let place = format!("{} {} {}, {key}", info.id, info.name, info.driver);
    let standards = || STANDARDS.lock().unwrap_or_else(PoisonError::into_inner);
    let known = || standards().get(&place).copied();
    if let Some(seconds) = known() {
        return seconds;
    }
    // Who asks at the same time waits: what is chosen by a price shall not depend on who was first.
    let _alone = MEASURING.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(seconds) = known() {
        return seconds;
    }
    let kept = || device.kept_choice(&key)?.first().map(|(_, seconds)| *seconds);
    let seconds = kept().or_else(|| {
        let seconds = measure()?;
        // Where it cannot be kept, the next process measures again.
        let _ = device.keep_choice(&key, &[("standard".to_owned(), seconds)]);
        Some(seconds)
    });
    standards().insert(place, seconds);
    seconds
}
