//! Threads that are where they were when the machine was calibrated.
//!
//! The processors of a virtual machine may move, and it is another machine then ([`Pace`]). A prediction is of one of them, and is
//! compared with what is measured on that one.

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::Result;
use manycore_device::{Device, DeviceKind, Executor, Pace};

/// How long between two looks, and for how long in all, before threads count as moved.
const LOOK: Duration = Duration::from_millis(20);
const PATIENCE: Duration = Duration::from_millis(500);
/// Measurements in a row after which the pace was another, at most: the work itself may change it.
const DISCARDED: usize = 5;
/// How long threads work before a second look: clocks may have fallen while they slept.
const WORK: Duration = Duration::from_millis(5);

/// The threads are no more where they were when the machine was calibrated.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("the threads of the processor have moved")]
pub(super) struct Moved;

/// The pace that a processor had when its machine was calibrated.
#[derive(Debug, Clone)]
pub(super) struct Settled {
    /// The host's threads, which those of OpenCL share the cores with; `None` where there are none to look at.
    host: Option<Device>,
    pace: Option<Pace>,
}

impl Settled {
    /// The pace now.
    pub(super) fn now(device: &Device) -> Self {
        let host = match (device.executor(), device.info().kind) {
            (Executor::Host(_), _) => Some(device.clone()),
            (_, DeviceKind::Cpu) => Some(Device::host()),
            _ => None,
        };
        let pace = host.as_ref().and_then(|host| {
            work(host);
            host.pace()
        });
        Self { host, pace }
    }

    /// Seconds of a word from thread to thread.
    pub(super) fn handover_seconds(&self) -> Option<f64> {
        self.pace?.handover_seconds
    }

    /// Whether both are the same machine.
    pub(super) fn agrees(&self, other: &Self) -> bool {
        self.pace.zip(other.pace).is_none_or(|(pace, other)| pace.agrees(&other))
    }

    /// Looks no more: every measurement counts from now on, of whichever machine.
    pub(super) const fn anywhere() -> Self {
        Self { host: None, pace: None }
    }

    /// What `work` measures where the pace is this one before and after it.
    ///
    /// # Errors
    /// Those of `work`, and [`Moved`] where the pace is another for a while, or after each of several measurements.
    pub(super) fn measure(&self, work: impl FnMut() -> Result<f64>) -> Result<f64> {
        measure(|| self.holds(), work)
    }

    /// What `work` gives, which is not to be repeated, where the pace is this one before and after it.
    ///
    /// # Errors
    /// As [`Settled::measure`].
    pub(super) fn once<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        wait(|| self.holds())?;
        let done = work()?;
        if self.holds() { Ok(done) } else { Err(Moved.into()) }
    }

    /// Whether the pace is this one now.
    fn holds(&self) -> bool {
        let Some(host) = &self.host else { return true };
        // What disturbs it passes.
        (0..3).any(|look| {
            if look > 0 {
                work(host);
            }
            self.agrees(&Self { host: None, pace: host.pace() })
        })
    }
}

/// Sets the threads to work for a while.
fn work(host: &Device) {
    let start = Instant::now();
    while start.elapsed() < WORK {
        black_box(host.pace());
    }
}

/// What `work` measures where it `holds`, before and after it, that the machine is the one that was calibrated.
fn measure(mut holds: impl FnMut() -> bool, mut work: impl FnMut() -> Result<f64>) -> Result<f64> {
    for _ in 0..DISCARDED {
        wait(&mut holds)?;
        let found = work()?;
        if holds() {
            return Ok(found);
        }
    }
    Err(Moved.into())
}

/// Waits for a while until it `holds` that the machine is the one that was calibrated.
fn wait(mut holds: impl FnMut() -> bool) -> Result<(), Moved> {
    let start = Instant::now();
    while !holds() {
        if start.elapsed() > PATIENCE {
            return Err(Moved);
        }
        std::thread::sleep(LOOK);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measurements_count_where_the_pace_is_the_same() {
        // Whatever the pace, it is that of no machine.
        let host = Device::host_with(1).unwrap();
        let never = Pace { multiply_adds: 1.0, handover_seconds: None };
        let elsewhere = Settled { host: Some(host.clone()), pace: Some(never) };
        let mut runs = 0;
        let mut work = || {
            runs += 1;
            Ok(2.0)
        };
        assert!(elsewhere.measure(&mut work).unwrap_err().is::<Moved>());
        assert!(!Settled::now(&host).agrees(&elsewhere));
        assert!(Settled::anywhere().measure(&mut work).unwrap() > 1.0);
        assert_eq!(runs, 1);
    }

    #[test]
    fn work_that_changes_the_pace_is_given_up() {
        // What was found after a move does not count, and there is an end to it.
        let looks = |answers: &'static [bool]| {
            let (mut look, mut runs) = (0, 0.0);
            let found = measure(
                || {
                    look += 1;
                    answers[(look - 1) % answers.len()]
                },
                || {
                    runs += 1.0;
                    Ok(runs)
                },
            );
            (found.ok(), runs)
        };
        assert_eq!(looks(&[true]), (Some(1.0), 1.0));
        assert_eq!(looks(&[false, true, false, true, true]), (Some(2.0), 2.0));
        assert_eq!(looks(&[true, false]), (None, DISCARDED as f64));
        let failed = measure(|| true, || anyhow::bail!("broken"));
        assert_eq!(failed.unwrap_err().to_string(), "broken");
    }
}
