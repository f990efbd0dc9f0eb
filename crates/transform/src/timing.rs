//! How long something takes on a device, for choices that are refined by measurements.

use manycore_device::{Device, DeviceError};

/// The seconds of one `work` by the device's clock: the median of several runs, after one that builds kernels and tables
/// and wakes threads.
pub(crate) fn seconds<E: From<DeviceError>>(
    device: &Device,
    mut work: impl FnMut() -> Result<(), E>,
) -> Result<f64, E> {
    const RUNS: usize = 7;
    // As many runs in a row as make a time that the clock can tell.
    const LEAST_SECONDS: f64 = 2e-4;
    let mut run = |turns: u32| {
        let (done, seconds) = device.elapsed(|| (0..turns).try_for_each(|_| work()))?;
        done.map(|()| seconds / f64::from(turns))
    };
    run(1)?;
    let once = run(2)?;
    let turns = (LEAST_SECONDS / once.max(1e-9)).ceil().clamp(1.0, 1000.0) as u32;
    let seconds = (0..RUNS).map(|_| run(turns)).collect::<Result<Vec<f64>, E>>()?;
    Ok(manycore_model::fit::median(seconds).unwrap_or(f64::INFINITY))
}
