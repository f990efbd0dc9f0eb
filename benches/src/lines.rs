//! The output of a run: one JSON object a line. `cargo xtask bench` reads them; absent numbers are `null`.

use std::fmt::Display;

use manycore_tuning::Candidate;
use serde::Serialize;

/// A line.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Line {
    /// The machine and a device; before the first measurement on it.
    Environment(Environment),
    /// A timed case.
    Measurement(Box<Measurement>),
    /// A case that was not run.
    Skipped(Skipped),
    /// Another code's figure.
    Peer(Peer),
    /// A paper's figure or statement.
    Paper(Paper),
    /// The candidates of a choice, measured.
    Sweep(Sweep),
    /// The cost of launches.
    Launches(Launches),
    /// The wait for a command.
    Wait(Wait),
}

/// One candidate of a sweep. Times are in seconds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Point {
    /// The algorithm and its parameters.
    pub parameters: String,
    /// What the model estimates.
    pub estimate_seconds: f64,
    /// What the model says cannot be undercut.
    pub floor_seconds: f64,
    /// Theorem 1 of the many-core model.
    pub theorem_seconds: f64,
    /// What the clock says of calls in a row.
    pub measured_seconds: f64,
}

impl Point {
    /// What the model says of a candidate, before it is measured.
    pub fn of<P: Display>(candidate: &Candidate<P>) -> Self {
        Self {
            parameters: candidate.parameters.to_string(),
            estimate_seconds: candidate.estimate.seconds,
            floor_seconds: candidate.estimate.floor_seconds,
            theorem_seconds: candidate.estimate.theorem_seconds,
            measured_seconds: f64::INFINITY,
        }
    }
}

/// The candidates of a choice, measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sweep {
    /// The operation's name.
    pub operation: &'static str,
    /// The sweep's name, which filters match.
    pub case: String,
    /// The device's handle.
    pub device: String,
    /// Host threads; `None` on OpenCL devices.
    pub threads: Option<u64>,
    /// The candidates that fit; of many, points are those estimated best and an even choice of the others.
    pub considered: usize,
    /// The index of the point that the library takes.
    pub chosen: usize,
    /// Where that choice comes from: the estimate, a kept or a shipped choice.
    pub chosen_by: String,
    /// The index of the point with the least measured time.
    pub best: usize,
    /// Measured time of the chosen point over that of the best, at least 1. Where others took less, of measurements of these
    /// and the chosen one side by side, after all others.
    pub chosen_over_best: f64,
    /// The candidates.
    pub points: Vec<Point>,
}

/// What a launch of a small kernel costs the host, of launches in a row. Times are in seconds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Launches {
    /// The case's name, which filters match.
    pub case: String,
    /// The device's handle.
    pub device: String,
    /// Arguments of the kernel.
    pub arguments: usize,
    /// The bare call of OpenCL, the arguments set before: the median of the groups.
    pub bare_seconds: f64,
    /// The bare calls of OpenCL that set every argument and enqueue: the median of the groups.
    pub set_seconds: f64,
    /// The library's launch, arguments set and checked: the median of the groups.
    pub library_seconds: f64,
    /// What the library adds: the median of the groups' differences.
    pub added_seconds: f64,
}

/// The machine and device that measurements were made on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Environment {
    /// The device's handle: `host`, `opencl:0`.
    pub device: String,
    /// `host`, `cpu` (through OpenCL) or `gpu`: which peers it stands beside.
    pub class: &'static str,
    /// The device's name.
    pub name: String,
    /// Its driver and version.
    pub driver: String,
    /// Compute units, or threads of the host.
    pub processors: u64,
    /// Bytes of its memory.
    pub memory_bytes: u64,
    /// Host threads; on an OpenCL device the number that enqueues, 1.
    pub threads: u64,
    /// The commit that the program was built from.
    pub commit: String,
    /// The day of the run.
    pub date: String,
    /// Bytes read and written a second by a copy in its memory, past every cache.
    pub copy_bytes_per_second: f64,
    /// Instruction sets used on the host; empty elsewhere.
    pub features: Vec<String>,
}

/// One timed case. Times are in seconds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Measurement {
    /// The operation's name.
    pub operation: &'static str,
    /// The case's name, which filters match.
    pub case: String,
    /// The device's handle.
    pub device: String,
    /// The element type.
    pub element: &'static str,
    /// The size in words, where it is no power of two alone.
    pub size: Option<String>,
    /// The order of the spectrum.
    pub order: &'static str,
    /// The algorithm.
    pub algorithm: String,
    /// Values of one transform, as a power of two.
    pub log_len: u32,
    /// Transforms done at once.
    pub batch: u64,
    /// Host threads; `None` on OpenCL devices.
    pub threads: Option<u64>,
    /// Median of the groups, for one run.
    pub seconds: f64,
    /// The shortest group, for one run.
    pub minimum: f64,
    /// The longest group, for one run.
    pub maximum: f64,
    /// Runs measured.
    pub repeats: u64,
    /// Wall time to bring the values to the device; `None` on the host, where they are already.
    pub upload_seconds: Option<f64>,
    /// Wall time to bring them back.
    pub download_seconds: Option<f64>,
    /// Bytes of one read and one write of all values over the device's rate for that number of bytes. Not a number, so `null`, for
    /// operations that are not bound by bytes.
    pub floor_seconds: f64,
    /// Passes over all values in the device's memory, each a read and a write; `None` on the host, whose caches take part.
    pub passes: Option<f64>,
    /// The floor of one pass times the number of passes, in seconds.
    pub pass_floor_seconds: Option<f64>,
    /// Bytes that the passes read and write; on the host those of one pass.
    pub bytes: f64,
    /// Additions and subtractions.
    pub operations: f64,
    /// Kernel launches; `None` on the host.
    pub launches: Option<u64>,
    /// Whether the result was right.
    pub verified: bool,
    /// Whether it is a plain form to compare with, and not the library.
    pub baseline: bool,
    /// How the result was checked, and anything else worth saying.
    pub note: String,
}

/// A case that was not run, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// The operation's name.
    pub operation: &'static str,
    /// The case's name.
    pub case: String,
    /// The device's handle.
    pub device: String,
    /// Why.
    pub reason: String,
}

/// Another code's figure for the same work.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Peer {
    /// The operation's name.
    pub operation: &'static str,
    /// The code, its version and how it was built.
    pub code: String,
    /// The machine it ran on.
    pub machine: String,
    /// Which of our devices it stands beside: `host` or `gpu`, as [`Environment::class`].
    pub class: &'static str,
    /// The element type.
    pub element: &'static str,
    /// The size in words, where it is no power of two alone.
    pub size: Option<String>,
    /// Values of one transform, as a power of two.
    pub log_len: u32,
    /// Transforms done at once.
    pub batch: u64,
    /// Host threads that it was given, and with how many our times stand beside it; where it took fewer, the code says so.
    /// `None` on a GPU.
    pub threads: Option<u64>,
    /// Its time.
    pub seconds: f64,
    /// Who measured it, how and when.
    pub source: &'static str,
}

/// A place of a paper.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Paper {
    /// The operation's name; empty where no case times it.
    pub operation: &'static str,
    /// The paper by its number, and the place in it.
    pub paper: &'static str,
    /// What it says.
    pub statement: &'static str,
    /// The command that computes it here.
    pub command: &'static str,
    /// Values of one transform, as a power of two, where it says so.
    pub log_len: Option<u32>,
    /// The figure; `None` where the text states none.
    pub value: Option<f64>,
    /// The figure's unit.
    pub unit: &'static str,
}

/// The wait for one command in one size. Seconds of whole processes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Wait {
    /// The command.
    pub case: &'static str,
    /// Its size.
    pub size: usize,
    /// The device's name.
    pub device: String,
    /// By the host.
    pub host: f64,
    /// By the device, with nothing kept by the library or the driver.
    pub first: f64,
    /// By the device, in later processes: the median.
    pub later: f64,
    /// By what is taken where nothing is kept.
    pub auto_first: f64,
    /// By what is taken where everything is kept: the median.
    pub auto_later: f64,
    /// A process that opens the device and runs a kernel that the driver has kept.
    pub floor: f64,
}

#[cfg(test)]
mod tests {
    use super::{Line, Skipped};

    #[test]
    fn a_line_names_its_kind() {
        let skipped = Skipped { operation: "walsh", case: "c".into(), device: "host".into(), reason: "r".into() };
        let text = serde_json::to_string(&Line::Skipped(skipped)).unwrap();
        assert_eq!(text, r#"{"kind":"skipped","operation":"walsh","case":"c","device":"host","reason":"r"}"#);
    }
}
