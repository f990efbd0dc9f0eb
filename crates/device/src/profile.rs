//! Profiles: the work that ran, its times, bytes and operations.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::ThreadId;
use std::time::Instant;

use crate::error::DeviceError;
use crate::launched;
use crate::opencl::objects::Event;

/// The kind of an entry of a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Kind {
    /// A kernel's launch, or a step of the host's executor.
    Kernel,
    /// Host to device.
    Upload,
    /// Device to host.
    Download,
    /// Within the device.
    Copy,
    /// One pattern over a range.
    Fill,
}

impl Kind {
    /// The kind's name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kernel => "kernel",
            Self::Upload => "upload",
            Self::Download => "download",
            Self::Copy => "copy",
            Self::Fill => "fill",
        }
    }
}

/// One launch or transfer.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Entry {
    /// What it did.
    pub kind: Kind,
    /// The kernel's or step's name.
    pub name: &'static str,
    /// When it began, in seconds from the profile's first entry.
    pub start_seconds: f64,
    /// Its time by the device's own clock (for steps of the host: by the process's), in seconds.
    pub seconds: f64,
    /// Bytes read and written, as declared.
    pub bytes: u64,
    /// Operations, as declared.
    pub operations: u64,
}

/// The work during [`Device::profile`](crate::Device::profile), in the order in which it began.
///
/// Its `Display` is a table: one line a name, with the number of runs, the time, and bytes and operations per second.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Profile {
    /// Every launch and transfer.
    pub entries: Vec<Entry>,
}

impl Profile {
    /// The sum of the times of all entries of one kind, in seconds.
    pub fn seconds(&self, kind: Kind) -> f64 {
        // The sum of no numbers would be -0.
        self.entries.iter().filter(|entry| entry.kind == kind).fold(0.0, |sum, entry| sum + entry.seconds)
    }

    /// From the beginning of the first kernel to the end of the last one, gaps included, in seconds.
    pub fn span_seconds(&self) -> f64 {
        let kernels = || self.entries.iter().filter(|entry| entry.kind == Kind::Kernel);
        let start = kernels().map(|entry| entry.start_seconds).fold(f64::INFINITY, f64::min);
        let end = kernels().map(|entry| entry.start_seconds + entry.seconds).fold(f64::NEG_INFINITY, f64::max);
        (end - start).max(0.0)
    }

    /// The number of kernel launches.
    pub fn launches(&self) -> usize {
        self.entries.iter().filter(|entry| entry.kind == Kind::Kernel).count()
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rows: BTreeMap<(Kind, &str), (usize, f64, u64, u64)> = BTreeMap::new();
        for entry in &self.entries {
            let row = rows.entry((entry.kind, entry.name)).or_default();
            let (bytes, operations) = (row.2.saturating_add(entry.bytes), row.3.saturating_add(entry.operations));
            *row = (row.0 + 1, row.1 + entry.seconds, bytes, operations);
        }
        let rate = |amount: u64, seconds: f64| match amount {
            0 => "-".to_owned(),
            amount => format!("{:.1}", amount as f64 / seconds.max(1e-12) / 1e9),
        };
        writeln!(f, "{:<10}{:<28}{:>8}{:>14}{:>10}{:>10}", "kind", "name", "runs", "time (us)", "GB/s", "Gop/s")?;
        for ((kind, name), (runs, seconds, bytes, operations)) in rows {
            let (b, o) = (rate(bytes, seconds), rate(operations, seconds));
            writeln!(f, "{:<10}{name:<28}{runs:>8}{:>14.1}{b:>10}{o:>10}", kind.name(), seconds * 1e6)?;
        }
        Ok(())
    }
}

#[derive(Debug)]
enum Time {
    Event(Arc<Event>),
    Host(Instant, Instant),
}

#[derive(Debug)]
struct Record {
    kind: Kind,
    name: &'static str,
    time: Time,
    bytes: u64,
    operations: u64,
}

/// A device's running profile. Only one is collected at a time: a second thread that asks waits for the first.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    on: AtomicUsize,
    turn: Mutex<()>,
    owner: Mutex<Option<ThreadId>>,
    records: Mutex<Vec<Record>>,
}

impl Recorder {
    pub(crate) fn is_on(&self) -> bool {
        self.on.load(Ordering::Relaxed) > 0 && !launched::is_aside()
    }

    fn push(&self, record: Record) {
        self.records.lock().unwrap_or_else(PoisonError::into_inner).push(record);
    }

    pub(crate) fn event(
        &self,
        kind: Kind,
        name: &'static str,
        event: impl Into<Arc<Event>>,
        bytes: u64,
        operations: u64,
    ) {
        self.push(Record { kind, name, time: Time::Event(event.into()), bytes, operations });
    }

    /// Runs a step of the host's executor and notes its time.
    pub(crate) fn step<R>(
        &self,
        kind: Kind,
        name: &'static str,
        bytes: u64,
        operations: u64,
        work: impl FnOnce() -> R,
    ) -> R {
        if !self.is_on() {
            return work();
        }
        let start = Instant::now();
        let result = work();
        self.push(Record { kind, name, time: Time::Host(start, Instant::now()), bytes, operations });
        result
    }

    /// Collects what `work` runs; `finish` waits for the device.
    pub(crate) fn collect(
        &self,
        device: &str,
        work: &mut dyn FnMut(),
        finish: &mut dyn FnMut() -> Result<(), DeviceError>,
    ) -> Result<Profile, DeviceError> {
        let this = std::thread::current().id();
        if *self.owner.lock().unwrap_or_else(PoisonError::into_inner) == Some(this) {
            return Err(DeviceError::Unsupported {
                device: device.to_owned(),
                feature: "profiles within profiles".into(),
            });
        }
        let turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        *self.owner.lock().unwrap_or_else(PoisonError::into_inner) = Some(this);
        // Left over from a profile whose work panicked, or from a thread that was late for an earlier one.
        self.records.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.on.fetch_add(1, Ordering::Relaxed);
        let on = Switch(self);
        work();
        let finished = finish();
        drop(on);
        let records = std::mem::take(&mut *self.records.lock().unwrap_or_else(PoisonError::into_inner));
        drop(turn);
        finished?;
        Ok(Profile { entries: entries(records, device)? })
    }
}

/// The recorded entries, in the order in which they began.
fn entries(records: Vec<Record>, device: &str) -> Result<Vec<Entry>, DeviceError> {
    let origin = records.iter().filter_map(|record| match record.time {
        Time::Host(start, _) => Some(start),
        Time::Event(_) => None,
    });
    let origin = origin.min();
    let mut entries = Vec::with_capacity(records.len());
    for record in records {
        let (start, seconds) = match record.time {
            Time::Event(event) => {
                // Other threads' launches, and transfers of an overlap around the profile, may still run.
                event.wait(device)?;
                let (start, end) = event.span(device)?;
                (start, end.saturating_sub(start) as f64 * 1e-9)
            }
            Time::Host(start, end) => {
                let since = start.saturating_duration_since(origin.unwrap_or(start));
                (since.as_nanos() as u64, (end - start).as_secs_f64())
            }
        };
        let Record { kind, name, bytes, operations, .. } = record;
        entries.push((start, Entry { kind, name, start_seconds: 0.0, seconds, bytes, operations }));
    }
    // Nanoseconds since the device's epoch do not fit a double; differences do.
    let first = entries.iter().map(|(start, _)| *start).min().unwrap_or(0);
    let mut entries: Vec<Entry> = entries
        .into_iter()
        .map(|(start, entry)| Entry { start_seconds: (start - first) as f64 * 1e-9, ..entry })
        .collect();
    entries.sort_by(|a, b| a.start_seconds.total_cmp(&b.start_seconds));
    Ok(entries)
}

/// Turns recording off again, also when the work panics.
struct Switch<'a>(&'a Recorder);

impl Drop for Switch<'_> {
    fn drop(&mut self) {
        self.0.on.fetch_sub(1, Ordering::Relaxed);
        *self.0.owner.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
