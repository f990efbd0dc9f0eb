//! Threads that are where they were when the machine was calibrated.
//!
//! The processors of a virtual machine may move, and it is another machine then ([`Pace`]). A prediction is of one of them, and is
//! compared with what is measured on that one.

use std::time::{Duration, Instant};

use anyhow::Result;
use manycore_device::{Device, DeviceKind, Executor, Pace};

/// How long between two looks, and for how long in all, before threads count as moved.
const LOOK: Duration = Duration::from_millis(20);
const PATIENCE: Duration = Duration::from_millis(500);

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
        let pace = host.as_ref().and_then(Device::pace);
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

    /// Looks no more: every measurement counts from now on.
    pub(super) fn anywhere(self) -> Self {
        Self { host: None, ..self }
    }

    /// What `work` measures where the pace is this one before and after it.
    ///
    /// # Errors
    /// Those of `work`, and [`Moved`] where the pace is another, for a while.
    pub(super) fn measure(&self, mut work: impl FnMut() -> Result<f64>) -> Result<f64> {
        loop {
            let start = Instant::now();
            while !self.holds() {
                if start.elapsed() > PATIENCE {
                    return Err(Moved.into());
                }
                std::thread::sleep(LOOK);
            }
            let found = work()?;
            if self.holds() {
                return Ok(found);
            }
        }
    }

    /// Whether the pace is this one now.
    fn holds(&self) -> bool {
        let Some(host) = &self.host else { return true };
        // What disturbs it passes.
        (0..3).any(|_| self.agrees(&Self { host: None, pace: host.pace() }))
    }
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
        assert!(elsewhere.anywhere().measure(&mut work).unwrap() > 1.0);
        assert_eq!(runs, 1);
    }
}
