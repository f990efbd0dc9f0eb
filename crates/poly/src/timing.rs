//! Seconds that something takes on a device, for choices that are refined by measurements.

use manycore_device::{Device, DeviceError};
use manycore_model::fit::median;

/// Measurements whose median is taken.
const MEASUREMENTS: usize = 7;
/// A measurement is of as many runs as take this long, so that the clock can tell them from nothing.
const LEAST_SECONDS: f64 = 2e-4;
/// The most runs of a measurement.
const MOST_RUNS: f64 = 1000.0;

/// The median seconds of `work` by the device's clock, after two runs that build kernels and tables and wake threads.
pub(crate) fn seconds<E: From<DeviceError>>(
    device: &Device,
    mut work: impl FnMut() -> Result<(), E>,
) -> Result<f64, E> {
    let mut measure = |runs: u32| -> Result<f64, E> {
        let (outcome, seconds) = device.elapsed(|| (0..runs).try_for_each(|_| work()))?;
        outcome?;
        Ok(seconds / f64::from(runs))
    };
    measure(1)?;
    let runs = (LEAST_SECONDS / measure(1)?.max(f64::MIN_POSITIVE)).ceil().clamp(1.0, MOST_RUNS) as u32;
    let mut found = Vec::with_capacity(MEASUREMENTS);
    for _ in 0..MEASUREMENTS {
        found.push(measure(runs)?);
    }
    Ok(median(found).unwrap_or(f64::INFINITY))
}
