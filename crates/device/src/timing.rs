//! Timing of work on a device, by the device's clock.

use std::cell::RefCell;
use std::time::Instant;

use crate::device::{Device, Executor};
use crate::error::DeviceError;
use crate::info::DeviceKind;

impl Device {
    /// Runs `work` and returns the device's seconds from the end of earlier work to the end of what `work` enqueued, by
    /// the device's clock: the gaps between launches count, and unlike a profile this adds nothing to each launch. On
    /// the host, the wall-clock seconds of `work`.
    ///
    /// # Errors
    /// [`DeviceError::Api`] when something failed on the device.
    pub fn elapsed<R>(&self, work: impl FnOnce() -> R) -> Result<(R, f64), DeviceError> {
        let ((), result, seconds) = self.elapsed_behind(|| (), work)?;
        Ok((result, seconds))
    }

    /// The seconds of `work` behind other work, whose seconds do not count: while the device is busy with that,
    /// launches queue up, so that the time of `work` does not depend on the speed at which the host enqueues.
    ///
    /// # Errors
    /// As [`Device::elapsed`].
    pub fn elapsed_behind<H, R>(
        &self,
        before: impl FnOnce() -> H,
        work: impl FnOnce() -> R,
    ) -> Result<(H, R, f64), DeviceError> {
        let (mut before, mut work) = (Some(before), Some(work));
        let (mut held, mut result) = (None, None);
        let seconds = self.seconds_behind(&mut || held = before.take().map(|before| before()), &mut || {
            result = work.take().map(|work| work());
        })?;
        let of_both = held.zip(result).ok_or_else(DeviceError::elsewhere)?;
        Ok((of_both.0, of_both.1, seconds))
    }

    /// [`Device::elapsed_behind`] without the types of the results: compiled once.
    fn seconds_behind(&self, before: &mut dyn FnMut(), work: &mut dyn FnMut()) -> Result<f64, DeviceError> {
        let Executor::OpenCl(cl) = self.executor() else {
            before();
            let start = Instant::now();
            work();
            return Ok(start.elapsed().as_secs_f64());
        };
        let (opened, name) = (cl.opened()?, cl.name());
        opened.queue.finish(name)?;
        before();
        let start = opened.queue.marker(name)?;
        work();
        let end = opened.queue.marker(name)?;
        opened.queue.finish(name)?;
        let (start, end) = (start.span(name)?.1, end.span(name)?.1);
        Ok(end.saturating_sub(start) as f64 * 1e-9)
    }
}

/// Seconds of a row of runs, at least: long beside the clock's resolution and one thread's wake-up.
const LEAST_SECONDS: f64 = 1e-3;

/// One quick measurement ([`sample`]).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Seconds of one run.
    pub seconds: f64,
    /// Seconds that the measurement took of the device, all its runs together; building kernels does not count.
    pub spent_seconds: f64,
}

/// Runs in a row that take [`LEAST_SECONDS`], where one takes `once` seconds.
fn turns(once: f64) -> u32 {
    (LEAST_SECONDS / once.max(1e-9)).ceil().clamp(1.0, 1000.0) as u32
}

/// One quick measurement of `work`, by the device's clock. The `first` measurement of a piece of work follows a run
/// that builds kernels and runs for as long as a sample, which count in [`Sample::spent_seconds`] as ordinary runs do.
///
/// # Errors
/// As `work`, or of the device's clock.
pub fn sample<E: From<DeviceError>>(
    device: &Device,
    first: bool,
    work: impl FnMut() -> Result<(), E>,
) -> Result<Sample, E> {
    typeless(work, |work| sampled(device, first, work))
}

/// Times work without the type of its error: what does is compiled once.
fn typeless<R, E: From<DeviceError>>(
    mut work: impl FnMut() -> Result<(), E>,
    time: impl FnOnce(&mut dyn FnMut() -> Result<(), DeviceError>) -> Result<R, DeviceError>,
) -> Result<R, E> {
    let mut failed = None;
    // The error of `work` replaces this one.
    let told = time(&mut || {
        work().map_err(|error| {
            failed = Some(error);
            DeviceError::Cancelled
        })
    });
    match (told, failed) {
        (Err(_), Some(error)) => Err(error),
        (told, _) => told.map_err(E::from),
    }
}

fn sampled(
    device: &Device,
    first: bool,
    work: &mut dyn FnMut() -> Result<(), DeviceError>,
) -> Result<Sample, DeviceError> {
    let mut run = |turns: u32| -> Result<f64, DeviceError> {
        let (done, seconds) = device.elapsed(|| (0..turns).try_for_each(|_| work()))?;
        done.map(|()| seconds)
    };
    let mut warm_up = 0.0;
    if first {
        // Builds kernels and tables. A device that idled meanwhile is awake after a sample's time.
        run(1)?;
        let once = run(1)?;
        warm_up = once + if turns(once) > 1 { run(turns(once))? } else { 0.0 };
    }
    let once = run(1)?;
    let turns = turns(once);
    if turns == 1 {
        return Ok(Sample { seconds: once, spent_seconds: warm_up + once });
    }
    let all = run(turns)?;
    Ok(Sample { seconds: all / f64::from(turns), spent_seconds: warm_up + once + all })
}

/// The seconds of one `work` by the device's clock: the median of several runs, after one that builds kernels and
/// tables and wakes threads. On GPUs the launches are queued when the device comes to them, so that this is what the
/// device takes, however fast a host enqueues; where `work` itself waits for the device, that cannot be, and the gaps
/// count.
///
/// # Errors
/// As `work`, or of the device's clock or memory.
pub fn seconds<E: From<DeviceError>>(device: &Device, work: impl FnMut() -> Result<(), E>) -> Result<f64, E> {
    const TURNS: u32 = 16;
    typeless(work, |work| {
        if matches!(device.info().kind, DeviceKind::Host | DeviceKind::Cpu) {
            return in_a_row(device, work);
        }
        match behind_fills(device, TURNS, RUNS, work)? {
            Some(found) => Ok(manycore_model::fit::median(found).unwrap_or(f64::INFINITY) / f64::from(TURNS)),
            None => in_a_row(device, work),
        }
    })
}

/// Runs of a measurement.
const RUNS: usize = 7;

/// The seconds of one `work` as the host enqueues many in a row, the median of several rows, after one run that builds
/// kernels and tables and wakes threads: where launches are short, the gaps between them count.
///
/// # Errors
/// As [`seconds`].
pub fn seconds_as_enqueued<E: From<DeviceError>>(
    device: &Device,
    work: impl FnMut() -> Result<(), E>,
) -> Result<f64, E> {
    typeless(work, |work| in_a_row(device, work))
}

fn in_a_row(device: &Device, work: &mut dyn FnMut() -> Result<(), DeviceError>) -> Result<f64, DeviceError> {
    let mut run = |turns: u32| {
        let (done, seconds) = device.elapsed(|| (0..turns).try_for_each(|_| work()))?;
        done.map(|()| seconds / f64::from(turns))
    };
    run(1)?;
    let once = run(2)?;
    let turns = turns(once);
    let seconds = (0..RUNS).map(|_| run(turns)).collect::<Result<Vec<f64>, DeviceError>>()?;
    Ok(manycore_model::fit::median(seconds).unwrap_or(f64::INFINITY))
}

/// Seconds of `turns` turns of `work`, measured `runs` times, each behind fills that take longer than the host takes to
/// enqueue the turns. `None` where that is not possible, because `work` waits for the device, or not needed, because
/// the device takes far longer than the host.
///
/// # Errors
/// As [`seconds`].
pub(crate) fn behind_fills(
    device: &Device,
    turns: u32,
    runs: usize,
    work: &mut dyn FnMut() -> Result<(), DeviceError>,
) -> Result<Option<Vec<f64>>, DeviceError> {
    const BYTES: u64 = 1 << 27;
    const MOST_FILLS: f64 = 512.0;
    // Fills take twice as long as the turns did, for what their own launches take before the first begins.
    const MARGIN: f64 = 2.0;
    const RETRIES: usize = 4;
    work()?;
    let mut enqueue = |turns: u32| -> Result<f64, DeviceError> {
        let start = Instant::now();
        (0..turns).try_for_each(|_| work())?;
        Ok(start.elapsed().as_secs_f64())
    };
    let (idle, all) = device.elapsed(|| enqueue(turns))?;
    let idle = idle?;
    if all > 2e-3 && idle < all / 4.0 {
        return Ok(None);
    }
    let words = BYTES.min(device.info().memory_bytes / 16) / 8;
    let mut filled = device.zeros::<u64>(words as usize)?;
    let (done, fill_seconds) = device.elapsed(|| (0..4).try_for_each(|i| filled.fill(i)))?;
    done?;
    let fill_seconds = fill_seconds / 4.0;
    let mut fills = (MARGIN * idle / fill_seconds).ceil().max(1.0);
    let (mut found, mut late) = (Vec::with_capacity(runs), 0);
    while found.len() < runs {
        if fills > MOST_FILLS || late > RETRIES {
            return Ok(None);
        }
        let shared = RefCell::new(&mut enqueue);
        let before = || -> Result<f64, DeviceError> {
            (0..fills as u64).try_for_each(|i| filled.fill(i))?;
            // Fills empty the caches.
            shared.borrow_mut()(1)
        };
        let (before, enqueued, seconds) = device.elapsed_behind(before, || shared.borrow_mut()(turns))?;
        let enqueued = before? + enqueued?;
        if enqueued * MARGIN.sqrt() > fills * fill_seconds {
            late += 1;
            fills = (MARGIN * enqueued / fill_seconds).ceil().max(fills);
        } else {
            found.push(seconds);
        }
    }
    Ok(Some(found))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Devices whose clock says something.
    fn clocked() -> Vec<Device> {
        let all = Device::all().into_iter();
        all.filter(|device| !device.info().name.to_lowercase().contains("oclgrind")).collect()
    }

    #[test]
    fn what_is_enqueued_behind_fills_is_timed_without_them() {
        for device in &clocked() {
            let mut x = device.zeros::<u32>(1 << 10).unwrap();
            let mut runs = 0;
            let found = behind_fills(device, 3, 2, &mut || {
                runs += 1;
                x.fill(runs)
            });
            if let Some(seconds) = found.unwrap() {
                assert_eq!(seconds.len(), 2);
                assert!(seconds.iter().all(|&seconds| seconds >= 0.0), "{seconds:?}");
                // The first, the turns on an idle device, and both measurements with one turn before each.
                assert!(runs >= 1 + 3 + 2 * 4, "{runs}");
            }
            assert_eq!(x.download().unwrap(), vec![runs; 1 << 10], "{device:?}");
        }
    }

    #[test]
    fn errors_of_work_are_told() {
        for device in &clocked() {
            for fails_at in [1, 2, 5] {
                let mut runs = 0;
                let mut work = || {
                    runs += 1;
                    if runs == fails_at { Err(DeviceError::Threads { reason: "lost".into() }) } else { Ok(()) }
                };
                let outcome = behind_fills(device, 2, 2, &mut work);
                // Three runs are always done; whether more are needed depends on the clock.
                assert!(outcome.is_err() || (fails_at > 3 && runs < fails_at), "{device:?}: {fails_at}, {runs} runs");
                assert!(outcome.is_ok() || runs >= fails_at, "{device:?}: {fails_at}, {runs} runs");
            }
            assert!(seconds(device, || Ok::<(), DeviceError>(())).is_ok(), "{device:?}");
        }
    }
}
