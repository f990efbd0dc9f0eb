//! Seconds in which a device is opened and kernels are built, as they took in this process and in earlier ones.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use manycore_model::machine::{Startup, StartupSource};
use serde::{Deserialize, Serialize};

use crate::cache_files;
use crate::info::{DeviceInfo, DeviceKind};

/// The kind of file in the cache folder; the number changes with the form of its content.
const KIND: &str = "startup-1";
/// Builds of which the seconds are kept; before one too many is added, those kept count half, so that newer ones count more.
const MOST_BUILDS: u64 = 1 << 10;

/// What earlier processes found.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
struct Kept {
    /// Seconds in which the device was opened last.
    opening_seconds: Option<f64>,
    /// Programs that were built, those that the driver had in a cache of its own as well.
    builds: u64,
    /// Seconds of all of them together.
    building_seconds: f64,
}

impl Kept {
    fn is_sound(&self) -> bool {
        // A device that takes longer than a day is no help.
        let is_time = |seconds: f64| (0.0..86_400.0).contains(&seconds);
        self.opening_seconds.is_none_or(is_time) && is_time(self.building_seconds / self.builds.max(1) as f64)
    }

    fn parse(text: &str) -> Option<Self> {
        serde_json::from_str::<Self>(text).ok().filter(Self::is_sound)
    }

    /// With what this process found.
    fn with(self, own: &Own) -> Self {
        let kept = if self.builds + own.builds > MOST_BUILDS {
            Self { builds: self.builds / 2, building_seconds: self.building_seconds / 2.0, ..self }
        } else {
            self
        };
        Self {
            opening_seconds: own.opening_seconds.or(kept.opening_seconds),
            builds: kept.builds + own.builds,
            building_seconds: kept.building_seconds + own.building_seconds,
        }
    }
}

/// What this process found.
#[derive(Debug, Default)]
struct Own {
    /// What earlier processes found, once it is read.
    earlier: Option<Kept>,
    opening_seconds: Option<f64>,
    builds: u64,
    building_seconds: f64,
}

impl Own {
    fn all(&mut self, info: &DeviceInfo) -> Kept {
        let read = || cache_files::read(KIND, info).as_deref().and_then(Kept::parse).unwrap_or_default();
        self.earlier.get_or_insert_with(read).with(self)
    }
}

/// A device's seconds of opening and building.
#[derive(Debug, Default)]
pub(crate) struct StartupRecord(Mutex<Own>);

impl StartupRecord {
    /// Notes the seconds in which the device was opened.
    pub(crate) fn opened(&self, took: Duration) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).opening_seconds = Some(took.as_secs_f64());
    }

    /// Notes the seconds in which a program was built. They are kept at the first build of a process, and whenever their number has
    /// doubled; of GPUs, since no other device is compared by them.
    pub(crate) fn built(&self, took: Duration, info: &DeviceInfo) {
        let mut own = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        own.builds += 1;
        own.building_seconds += took.as_secs_f64();
        if info.kind == DeviceKind::Gpu
            && own.builds.is_power_of_two()
            && let Ok(text) = serde_json::to_string(&own.all(info))
        {
            // Where it cannot be kept, the next process takes what is typical.
            let _ = cache_files::write(KIND, info, &format!("{text}\n"));
        }
    }

    /// The device's start: as it was measured, where it was, else as it is typical.
    pub(crate) fn startup(&self, typical: Startup, info: &DeviceInfo) -> Startup {
        found(self.0.lock().unwrap_or_else(PoisonError::into_inner).all(info), typical)
    }
}

fn found(kept: Kept, typical: Startup) -> Startup {
    let mut startup = typical;
    if let Some(seconds) = kept.opening_seconds {
        (startup.opening_seconds, startup.opening_source) = (seconds, StartupSource::Measured);
    }
    if kept.builds > 0 {
        startup.kernel_seconds = kept.building_seconds / kept.builds as f64;
        startup.kernel_source = StartupSource::Measured;
    }
    startup
}

#[cfg(test)]
mod tests {
    use super::*;

    const TYPICAL: Startup = Startup {
        opening_seconds: 0.25,
        opening_source: StartupSource::Typical,
        kernel_seconds: 0.5,
        kernel_source: StartupSource::Typical,
        seconds_a_byte: 1e-10,
    };

    #[test]
    fn what_was_not_measured_is_typical() {
        assert_eq!(found(Kept::default(), TYPICAL), TYPICAL);
        let opened = found(Kept { opening_seconds: Some(0.125), ..Kept::default() }, TYPICAL);
        let expected = Startup { opening_seconds: 0.125, opening_source: StartupSource::Measured, ..TYPICAL };
        assert_eq!(opened, expected);
        let built = found(Kept { builds: 4, building_seconds: 1.0, ..Kept::default() }, TYPICAL);
        let expected = Startup { kernel_seconds: 0.25, kernel_source: StartupSource::Measured, ..TYPICAL };
        assert_eq!(built, expected);
    }

    #[test]
    fn newer_builds_count_more() {
        let earlier = Kept { opening_seconds: Some(9.0), builds: 1000, building_seconds: 500.0 };
        let own = |builds, opening_seconds| Own { builds, building_seconds: 0.0, opening_seconds, ..Own::default() };
        assert_eq!(earlier.with(&own(24, None)), Kept { builds: 1024, ..earlier });
        let halved = Kept { opening_seconds: Some(1.0), builds: 525, building_seconds: 250.0 };
        assert_eq!(earlier.with(&own(25, Some(1.0))), halved);
    }

    #[test]
    fn damaged_files_tell_nothing() {
        let text = "{\"opening_seconds\":0.5,\"builds\":2,\"building_seconds\":0.25}";
        let kept = Kept { opening_seconds: Some(0.5), builds: 2, building_seconds: 0.25 };
        assert_eq!((Kept::parse(text), serde_json::to_string(&kept).unwrap()), (Some(kept), text.to_owned()));
        for (a, b) in [("0.5", "-0.5"), ("0.25", "1e300"), ("0.25", "-1"), ("0.5", "\"x\""), ("2", "-2")] {
            assert_eq!(Kept::parse(&text.replace(a, b)), None, "{a} to {b}");
        }
        assert_eq!(Kept::parse(""), None);
    }
}
