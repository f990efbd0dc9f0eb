//! How long something takes on a device, for choices that are refined by measurements.

use manycore_device::{Device, DeviceError};
use manycore_model::Sample;

/// As many runs in a row are timed as make a time that the clock can tell.
const LEAST_SECONDS: f64 = 2e-4;

/// How many runs that is, where one takes `once` seconds.
fn turns(once: f64) -> u32 {
    (LEAST_SECONDS / once.max(1e-9)).ceil().clamp(1.0, 1000.0) as u32
}

/// One quick measurement of `work`, by the device's clock; the `first` comes after a run that builds kernels and does not
/// count, but for the time of an ordinary run.
pub(crate) fn sample<E: From<DeviceError>>(
    device: &Device,
    first: bool,
    mut work: impl FnMut() -> Result<(), E>,
) -> Result<Sample, E> {
    let mut run = |turns: u32| -> Result<f64, E> {
        let (done, seconds) = device.elapsed(|| (0..turns).try_for_each(|_| work()))?;
        done.map(|()| seconds)
    };
    if first {
        run(1)?;
    }
    let once = run(1)?;
    let warm_up = if first { once } else { 0.0 };
    let turns = turns(once);
    if turns == 1 {
        return Ok(Sample { seconds: once, spent_seconds: warm_up + once });
    }
    let all = run(turns)?;
    Ok(Sample { seconds: all / f64::from(turns), spent_seconds: warm_up + once + all })
}

/// The seconds of one `work` by the device's clock: the median of several runs, after one that builds kernels and tables
/// and wakes threads.
pub(crate) fn seconds<E: From<DeviceError>>(
    device: &Device,
    mut work: impl FnMut() -> Result<(), E>,
) -> Result<f64, E> {
    const RUNS: usize = 7;
    let mut run = |turns: u32| {
        let (done, seconds) = device.elapsed(|| (0..turns).try_for_each(|_| work()))?;
        done.map(|()| seconds / f64::from(turns))
    };
    run(1)?;
    let once = run(2)?;
    let turns = turns(once);
    let seconds = (0..RUNS).map(|_| run(turns)).collect::<Result<Vec<f64>, E>>()?;
    Ok(manycore_model::fit::median(seconds).unwrap_or(f64::INFINITY))
}
