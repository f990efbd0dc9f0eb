//! Seconds in which a device is opened, programs are built, and programs are loaded that were built before, as they took in this process
//! and in earlier ones. Drivers keep what they built; that a program was built by an earlier process is known by its hash.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use manycore_model::machine::{Startup, StartupSource};
use serde::{Deserialize, Serialize};

use super::cache_files;
use crate::device::{Device, Executor};
use crate::info::{DeviceInfo, DeviceKind};

/// The kind of file in the cache folder; the number changes with the form of its content.
const KIND: &str = "startup-2";
/// The kind of file of the programs that were built: a hash a line.
const PROGRAMS: &str = "programs-1";
/// A file of more programs is begun anew.
const MOST_PROGRAMS: usize = 1 << 14;
/// Builds of which the seconds are kept; before one too many is added, those kept count half, so that newer ones count more.
const MOST_BUILDS: u64 = 1 << 10;

/// What earlier processes found.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
struct Kept {
    /// Seconds in which the device was opened last.
    opening_seconds: Option<f64>,
    /// Programs that were built for the first time.
    built: Together,
    /// Programs that an earlier process had built.
    loaded: Together,
}

/// Programs, and the seconds of all of them together.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
struct Together {
    programs: u64,
    seconds: f64,
}

impl Together {
    fn mean(self) -> Option<f64> {
        (self.programs > 0).then(|| self.seconds / self.programs as f64)
    }

    fn add(&mut self, seconds: f64) {
        self.programs += 1;
        self.seconds += seconds;
    }

    /// With those of this process; where they are many, those kept count half, so that newer ones count more.
    fn with(self, own: Self) -> Self {
        let half = if self.programs + own.programs > MOST_BUILDS { 2 } else { 1 };
        let (programs, seconds) = (self.programs / half, self.seconds / half as f64);
        Self { programs: programs + own.programs, seconds: seconds + own.seconds }
    }
}

impl Kept {
    fn is_sound(&self) -> bool {
        // A device that takes longer than a day is no help.
        let is_time = |seconds: f64| (0.0..86_400.0).contains(&seconds);
        [self.opening_seconds, self.built.mean(), self.loaded.mean()].into_iter().flatten().all(is_time)
    }

    fn parse(text: &str) -> Option<Self> {
        serde_json::from_str::<Self>(text).ok().filter(Self::is_sound)
    }

    /// With what this process found.
    fn with(self, own: &Own) -> Self {
        Self {
            opening_seconds: own.opening_seconds.or(self.opening_seconds),
            built: self.built.with(own.built),
            loaded: self.loaded.with(own.loaded),
        }
    }
}

/// What this process found.
#[derive(Debug, Default)]
struct Own {
    /// What earlier processes found, once it is read.
    earlier: Option<Kept>,
    opening_seconds: Option<f64>,
    built: Together,
    loaded: Together,
    /// Hashes of the programs that were ever built, once they are read.
    programs: Option<HashSet<u64>>,
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

    /// Whether the driver of a GPU has built a program of this hash before, in this process or an earlier one.
    pub(crate) fn was_built(&self, program: u64, info: &DeviceInfo) -> bool {
        let mut own = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        info.kind == DeviceKind::Gpu && own.programs.get_or_insert_with(|| read_programs(info)).contains(&program)
    }

    /// Notes the seconds in which a program of this hash was built, or loaded where it was built before; none where another process built it
    /// meanwhile. They are kept where it is new, and
    /// whenever the number of loaded ones has doubled; of GPUs, since no other device is compared by them.
    pub(crate) fn built(&self, took: Option<Duration>, program: u64, info: &DeviceInfo) {
        if info.kind != DeviceKind::Gpu {
            return;
        }
        let mut own = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let read = || read_programs(info);
        let is_new = own.programs.get_or_insert_with(read).insert(program);
        let together = if is_new { &mut own.built } else { &mut own.loaded };
        if let Some(took) = took {
            together.add(took.as_secs_f64());
        }
        // Where it cannot be kept, the next process takes what is typical.
        if is_new {
            // What other processes built meanwhile stays.
            let mut programs = read_programs(info);
            if programs.len() >= MOST_PROGRAMS {
                programs.clear();
            }
            programs.insert(program);
            let lines: Vec<String> = programs.iter().map(|program| format!("{program:016x}")).collect();
            let _ = cache_files::write(PROGRAMS, info, &(lines.join("\n") + "\n"));
        }
        if (is_new || own.loaded.programs.is_power_of_two())
            && let Ok(text) = serde_json::to_string(&own.all(info))
        {
            let _ = cache_files::write(KIND, info, &format!("{text}\n"));
        }
    }

    /// The device's start: as it was measured, where it was, else as it is typical.
    pub(crate) fn startup(&self, typical: Startup, info: &DeviceInfo) -> Startup {
        found(self.0.lock().unwrap_or_else(PoisonError::into_inner).all(info), typical)
    }
}

impl Device {
    /// What a process spends on the device before and beside its work: nothing on the host. Seconds of opening a device and of
    /// building kernels are those that were measured as it was used, by this process or, on GPUs, an earlier one with this driver;
    /// where there are none, and for transfers, those of [`Machine::startup`](manycore_model::Machine::startup). Programs that the
    /// driver has in a cache of its own count as others do. Nothing is opened, built or measured for it.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_model::machine::StartupSource;
    /// for device in Device::opencl().unwrap_or_default() {
    ///     device.upload(&[1u32])?; // opens the device
    ///     assert_eq!(device.startup().opening_source, StartupSource::Measured);
    /// }
    /// assert_eq!(Device::host().startup().opening_seconds, 0.0);
    /// # Ok::<(), manycore_device::DeviceError>(())
    /// ```
    pub fn startup(&self) -> Startup {
        let typical = self.machine().startup();
        match self.executor() {
            Executor::Host(_) => typical,
            Executor::OpenCl(cl) => cl.start.startup(typical, cl.info()),
        }
    }
}

fn found(kept: Kept, typical: Startup) -> Startup {
    let mut startup = typical;
    if let Some(seconds) = kept.opening_seconds {
        (startup.opening_seconds, startup.opening_source) = (seconds, StartupSource::Measured);
    }
    if let Some(seconds) = kept.built.mean() {
        (startup.kernel_seconds, startup.kernel_source) = (seconds, StartupSource::Measured);
    }
    if let Some(seconds) = kept.loaded.mean() {
        startup.loading_seconds = seconds;
    }
    startup
}

fn read_programs(info: &DeviceInfo) -> HashSet<u64> {
    let text = cache_files::read(PROGRAMS, info).unwrap_or_default();
    text.lines().filter_map(|line| u64::from_str_radix(line, 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TYPICAL: Startup = Startup {
        opening_seconds: 0.25,
        opening_source: StartupSource::Typical,
        kernel_seconds: 0.5,
        kernel_source: StartupSource::Typical,
        loading_seconds: 0.01,
        seconds_a_byte: 1e-10,
    };

    #[test]
    fn what_was_not_measured_is_typical() {
        assert_eq!(found(Kept::default(), TYPICAL), TYPICAL);
        let opened = found(Kept { opening_seconds: Some(0.125), ..Kept::default() }, TYPICAL);
        let expected = Startup { opening_seconds: 0.125, opening_source: StartupSource::Measured, ..TYPICAL };
        assert_eq!(opened, expected);
        let built = found(Kept { built: Together { programs: 4, seconds: 1.0 }, ..Kept::default() }, TYPICAL);
        let expected = Startup { kernel_seconds: 0.25, kernel_source: StartupSource::Measured, ..TYPICAL };
        assert_eq!(built, expected);
        let loaded = found(Kept { loaded: Together { programs: 2, seconds: 1.0 }, ..Kept::default() }, TYPICAL);
        assert_eq!(loaded, Startup { loading_seconds: 0.5, ..TYPICAL });
    }

    #[test]
    fn newer_builds_count_more() {
        let earlier = Together { programs: 1000, seconds: 500.0 };
        let own = |programs| Together { programs, seconds: 0.0 };
        assert_eq!(earlier.with(own(24)), Together { programs: 1024, ..earlier });
        assert_eq!(earlier.with(own(25)), Together { programs: 525, seconds: 250.0 });
    }

    #[test]
    fn damaged_files_tell_nothing() {
        let (built, loaded) = (Together { programs: 2, seconds: 0.25 }, Together::default());
        let kept = Kept { opening_seconds: Some(0.5), built, loaded };
        let text = serde_json::to_string(&kept).unwrap();
        assert_eq!(Kept::parse(&text), Some(kept));
        for (a, b) in [("0.5", "-0.5"), ("0.25", "1e300"), ("0.25", "-1"), ("0.5", "\"x\""), ("2,", "-2,")] {
            assert_eq!(Kept::parse(&text.replace(a, b)), None, "{a} to {b}");
        }
        assert_eq!(Kept::parse(""), None);
    }
}
