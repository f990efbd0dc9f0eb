//! Waits of a process beside its work: devices that are listed, opened and tested, programs that are built, plans that are chosen, proved
//! and measured.

use std::cell::Cell;
use std::fmt;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Instant;

/// The most waits that are recorded; later ones of a long process are not.
const MOST: usize = 1 << 12;

/// What is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Waiting {
    /// The driver loads, and lists its devices.
    Listing,
    /// A device's context and queues are made.
    Opening,
    /// A device computes known answers at its first use with a driver.
    SelfTest,
    /// The rates of a device are measured.
    Calibration,
    /// A program is built by the driver's compiler.
    Building,
    /// A program is loaded that an earlier process had built, from what the driver has kept.
    Loading,
    /// A plan is chosen.
    Choosing,
    /// A plan is compared with the host before it is first taken.
    Proof,
    /// Candidates are measured.
    Measurement,
}

impl Waiting {
    /// The name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Listing => "listing",
            Self::Opening => "opening",
            Self::SelfTest => "self-test",
            Self::Calibration => "calibration",
            Self::Building => "building",
            Self::Loading => "loading",
            Self::Choosing => "choosing",
            Self::Proof => "proof",
            Self::Measurement => "measurement",
        }
    }
}

/// One wait.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Wait {
    /// What is waited for.
    pub what: Waiting,
    /// Of what: a device, a unit of kernels with its constants, a plan.
    pub of: String,
    /// When it began, in seconds from the first wait of the process.
    pub start_seconds: f64,
    /// Its time in seconds, nested waits included.
    pub seconds: f64,
    /// The waits of its thread that it is within.
    pub depth: usize,
}

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let indent = 2 * self.depth;
        let (start, took) = (self.start_seconds * 1e3, self.seconds * 1e3);
        write!(f, "{start:>9.1}{took:>9.1}  {:indent$}{} {}", "", self.what.name(), self.of)
    }
}

static WAITS: Mutex<Vec<Wait>> = Mutex::new(Vec::new());
static BEGUN: OnceLock<Instant> = OnceLock::new();

thread_local! {
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// A wait in progress, recorded at its end, also where that is a panic.
struct Ongoing {
    what: Waiting,
    of: String,
    begun: Instant,
    depth: usize,
}

impl Drop for Ongoing {
    fn drop(&mut self) {
        DEPTH.set(self.depth);
        let seconds = self.begun.elapsed().as_secs_f64();
        let start_seconds = BEGUN.get().map_or(0.0, |first| self.begun.duration_since(*first).as_secs_f64());
        let mut waits = WAITS.lock().unwrap_or_else(PoisonError::into_inner);
        if waits.len() < MOST {
            let of = std::mem::take(&mut self.of);
            waits.push(Wait { what: self.what, of, start_seconds, seconds, depth: self.depth });
        }
    }
}

/// Does what is waited for, and notes how long it took: for what takes a microsecond or more.
///
/// ```
/// use manycore_device::waits::{self, Waiting};
/// let sum = waits::note(Waiting::Proof, || "sums".into(), || 1 + 1);
/// assert_eq!(sum, 2);
/// assert!(waits::all().iter().any(|wait| wait.what == Waiting::Proof && wait.of == "sums"));
/// ```
pub fn note<R>(what: Waiting, of: impl FnOnce() -> String, work: impl FnOnce() -> R) -> R {
    note_named(what, of(), |_| work())
}

/// [`note`] of work that needs the name.
pub(crate) fn note_named<R>(what: Waiting, of: String, work: impl FnOnce(&str) -> R) -> R {
    BEGUN.get_or_init(Instant::now);
    let depth = DEPTH.get();
    let ongoing = Ongoing { what, of, begun: Instant::now(), depth };
    DEPTH.set(depth + 1);
    work(&ongoing.of)
}

/// The waits of this process so far, by their beginnings: at most 4096.
pub fn all() -> Vec<Wait> {
    let mut waits = WAITS.lock().unwrap_or_else(PoisonError::into_inner).clone();
    // An outer one ends after those within it.
    waits.sort_by(|a, b| a.start_seconds.total_cmp(&b.start_seconds).then(a.depth.cmp(&b.depth)));
    waits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_within_waits_follow_them() {
        let within = || note(Waiting::Building, || "waits: inner".into(), || ());
        note(Waiting::Proof, || "waits: outer".into(), within);
        let own: Vec<Wait> = all().into_iter().filter(|wait| wait.of.starts_with("waits: ")).collect();
        let [outer, inner] = own.as_slice() else { panic!("{own:?}") };
        assert_eq!((outer.depth, inner.depth), (0, 1));
        assert!(outer.start_seconds <= inner.start_seconds && outer.seconds >= inner.seconds);
        assert!(inner.to_string().ends_with("  building waits: inner"), "{inner}");
    }

    #[test]
    fn a_panic_ends_its_wait() {
        let outcome = std::panic::catch_unwind(|| note(Waiting::Proof, || "waits panic".into(), || panic!("as asked")));
        assert!(outcome.is_err() && DEPTH.get() == 0);
        assert_eq!(all().iter().filter(|wait| wait.of == "waits panic").count(), 1);
    }
}
