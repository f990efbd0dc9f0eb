//! Whether the threads stay where they are while a machine is measured.

use std::cell::Cell;
use std::hint::black_box;
use std::time::{Duration, Instant};

use super::host::{LANES, LAUNCH_TURNS};
use super::loops::turns;
use super::{CalibrateError, Pace};
use crate::device::{Device, Executor};
use crate::host::HostPool;
use crate::info::DeviceKind;

/// How long the threads work before their pace counts: clocks rise, and wide vectors are switched on.
const WARM_UP: Duration = Duration::from_millis(30);

/// The pace at a calibration's begin, with which its later ones have to agree: what it measures is of one machine then. A
/// calibration whose threads moved learns so between its parts, not only at its end.
///
/// The cores of a CPU through OpenCL are those of the host's threads, whose pace tells where they are. Of other devices
/// nothing is watched.
pub(super) struct Watch {
    label: String,
    host: Option<Device>,
    before: Option<Pace>,
    /// The least seconds of a word between threads, of all looks.
    handover_seconds: Cell<Option<f64>>,
}

impl Watch {
    /// Begins to watch the threads that a calibration of `device` is of.
    pub(super) fn of(device: &Device) -> Self {
        let host = match device.info().kind {
            DeviceKind::Host => Some(device.clone()),
            DeviceKind::Cpu => Some(Device::host()),
            DeviceKind::Gpu | DeviceKind::Accelerator => None,
        };
        let before = host.as_ref().and_then(pace);
        let handover_seconds = Cell::new(before.and_then(|before| before.handover_seconds));
        Self { label: device.info().label(), host, before, handover_seconds }
    }

    /// Watches nothing.
    #[cfg(test)]
    pub(super) fn none(device: &Device) -> Self {
        Self { label: device.info().label(), host: None, before: None, handover_seconds: Cell::new(None) }
    }

    /// Looks once more.
    ///
    /// # Errors
    /// [`CalibrateError::Moved`] where the threads are not where they were, or not as fast.
    pub(super) fn check(&self) -> Result<(), CalibrateError> {
        let Some((before, now)) = self.before.zip(self.host.as_ref().and_then(pace)) else { return Ok(()) };
        if !before.agrees(&now) {
            return Err(CalibrateError::Moved { device: self.label.clone() });
        }
        let least = self.handover_seconds.get().zip(now.handover_seconds).map(|(least, now)| least.min(now));
        self.handover_seconds.set(least);
        Ok(())
    }

    /// What a word takes from thread to thread, see [`Pace::handover_seconds`].
    pub(super) fn handover_seconds(&self) -> Option<f64> {
        self.handover_seconds.get()
    }
}

/// The pace of a host's threads that have worked for a while.
fn pace(host: &Device) -> Option<Pace> {
    match host.executor() {
        Executor::Host(pool) => Some(steady_pace(pool)),
        Executor::OpenCl(_) => None,
    }
}

/// The pace of threads that have worked for a while; where they do not run at the same time, the last of some looks.
fn steady_pace(pool: &HostPool) -> Pace {
    const LOOKS: usize = 3;
    let start = Instant::now();
    while start.elapsed() < WARM_UP {
        pool.team().each(0..pool.threads(), |_| {
            black_box(turns(black_box([3f32; LANES]), LAUNCH_TURNS));
        });
    }
    let mut pace = Pace::of(pool);
    for _ in 1..LOOKS {
        if pool.threads() == 1 || pace.handover_seconds.is_some() {
            break;
        }
        pace = Pace::of(pool);
    }
    pace
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A watch that began at `before`.
    fn watch(before: Option<Pace>) -> Watch {
        let handover_seconds = Cell::new(before.and_then(|before| before.handover_seconds));
        Watch { label: "a host".into(), host: Some(Device::host_with(1).unwrap()), before, handover_seconds }
    }

    #[test]
    fn what_moved_is_told() {
        let impossible = Pace { multiply_adds: 1.0, handover_seconds: None };
        assert_eq!(watch(Some(impossible)).check(), Err(CalibrateError::Moved { device: "a host".into() }));
        let far = Pace { handover_seconds: Some(1.0), ..impossible };
        assert!(watch(Some(far)).check().is_err(), "one thread hands nothing over");
    }

    #[test]
    fn nothing_is_watched_without_threads() {
        let watch = Watch { host: None, ..watch(None) };
        assert_eq!((watch.check(), watch.handover_seconds()), (Ok(()), None));
    }
}
