//! How long something takes on a device, for choices that are refined by measurements.

use std::time::Instant;

use manycore_model::Sample;

use crate::device::{Device, Executor};
use crate::error::DeviceError;

/// As many runs in a row are timed as make a time that the clock can tell, and that one late thread does not decide.
const LEAST_SECONDS: f64 = 1e-3;

/// How many runs that is, where one takes `once` seconds.
fn turns(once: f64) -> u32 {
    (LEAST_SECONDS / once.max(1e-9)).ceil().clamp(1.0, 1000.0) as u32
}

/// One quick measurement of `work`, by the device's clock; the `first` comes after a run that builds kernels and does not
/// count, but for the time of an ordinary run.
///
/// # Errors
/// As `work`, or of the device's clock.
pub fn sample<E: From<DeviceError>>(
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
///
/// # Errors
/// As `work`, or of the device's clock.
pub fn seconds<E: From<DeviceError>>(device: &Device, mut work: impl FnMut() -> Result<(), E>) -> Result<f64, E> {
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

/// The seconds of one `work` on a device whose launches are already queued: the median of several runs behind long fills, so
/// that the host has enqueued them all before the first begins. Where launches are short this is less than [`seconds`], which
/// a host that enqueues one after the other gets. On the host, the same as [`seconds`].
///
/// # Errors
/// As `work`, or of the device's clock or memory.
pub fn queued_seconds<E: From<DeviceError>>(
    device: &Device,
    mut work: impl FnMut() -> Result<(), E>,
) -> Result<f64, E> {
    const RUNS: usize = 7;
    const TURNS: u32 = 16;
    const MOST_FILLS: u32 = 1 << 10;
    if matches!(device.executor(), Executor::Host(_)) {
        return seconds(device, work);
    }
    work()?;
    let mut filled = device.zeros::<u64>(1 << 24)?;
    let ((), fill_seconds) = device.elapsed(|| filled.fill(1)).and_then(|(done, seconds)| Ok((done?, seconds)))?;
    let mut fills = 4;
    let mut found = Vec::new();
    while found.len() < RUNS {
        let (before, (done, enqueued), seconds) = device.elapsed_behind(
            || (0..fills).try_for_each(|i| filled.fill(u64::from(i))),
            || {
                let start = Instant::now();
                ((0..TURNS).try_for_each(|_| work()), start.elapsed().as_secs_f64())
            },
        )?;
        before?;
        done?;
        // Half as long again, for what the fills' own launches take before the first begins.
        if enqueued * 1.5 > f64::from(fills) * fill_seconds && fills < MOST_FILLS {
            fills *= 2;
            found.clear();
        } else {
            found.push(seconds / f64::from(TURNS));
        }
    }
    Ok(manycore_model::fit::median(found).unwrap_or(f64::INFINITY))
}
