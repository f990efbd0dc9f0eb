//! The kinds of lines.

use serde::Deserialize;

/// The machine and device that measurements were made on.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Environment {
    /// The device's handle there: `host`, `opencl:0`.
    pub(crate) device: String,
    /// `host`, `cpu` (through OpenCL) or `gpu`: which other codes it stands beside.
    #[serde(default)]
    pub(crate) class: String,
    /// The device's own name.
    pub(crate) name: String,
    /// Its driver and version; empty for the host.
    #[serde(default)]
    pub(crate) driver: String,
    /// Compute units, or cores.
    pub(crate) processors: Option<u64>,
    /// Its memory.
    pub(crate) memory_bytes: Option<u64>,
    /// Host threads used.
    pub(crate) threads: Option<u64>,
    /// The commit of the code.
    #[serde(default)]
    pub(crate) commit: String,
    /// The day of the run.
    #[serde(default)]
    pub(crate) date: String,
    /// Bytes that a copy in its memory reads and writes a second.
    pub(crate) copy_bytes_per_second: Option<f64>,
}

/// One timed case.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Measurement {
    /// The operation's name.
    pub(crate) operation: String,
    /// The device's handle, of an environment that came before.
    pub(crate) device: String,
    /// Which environment of the report that is.
    #[serde(skip)]
    pub(crate) environment: usize,
    /// The element type.
    pub(crate) element: String,
    /// The size in words, where it is no power of two alone.
    #[serde(default)]
    pub(crate) size: Option<String>,
    /// The order of the spectrum, where there are several.
    #[serde(default)]
    pub(crate) order: String,
    /// The algorithm, where there are several.
    #[serde(default)]
    pub(crate) algorithm: String,
    /// Values of one transform, as a power of two.
    pub(crate) log_len: u32,
    /// Transforms done at once.
    #[serde(default = "one")]
    pub(crate) batch: u64,
    /// Host threads.
    pub(crate) threads: Option<u64>,
    /// The median time.
    pub(crate) seconds: f64,
    /// The shortest time.
    pub(crate) minimum: Option<f64>,
    /// The longest time.
    pub(crate) maximum: Option<f64>,
    /// Times measured.
    pub(crate) repeats: Option<u64>,
    /// Time to bring the values to the device, not part of `seconds`.
    pub(crate) upload_seconds: Option<f64>,
    /// Time to bring them back.
    pub(crate) download_seconds: Option<f64>,
    /// The time that the device's memory and arithmetic make necessary.
    pub(crate) floor_seconds: Option<f64>,
    /// Passes over all values.
    pub(crate) passes: Option<f64>,
    /// The floor of the time of these passes, in seconds.
    pub(crate) pass_floor_seconds: Option<f64>,
    /// Bytes that memory must move.
    pub(crate) bytes: Option<f64>,
    /// Arithmetic operations.
    pub(crate) operations: Option<f64>,
    /// Kernel launches.
    pub(crate) launches: Option<u64>,
    /// Whether the result was compared with another way to compute it.
    pub(crate) verified: Option<bool>,
    /// Whether it is a plain form to compare with, and not the library.
    #[serde(default)]
    pub(crate) baseline: bool,
    /// Anything else worth saying.
    #[serde(default)]
    pub(crate) note: String,
}

/// A case that was not run.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Skipped {
    /// The operation's name.
    pub(crate) operation: String,
    /// The case's name.
    pub(crate) case: String,
    /// The device's handle.
    pub(crate) device: String,
    /// Why.
    pub(crate) reason: String,
}

impl Measurement {
    /// Values transformed.
    pub(crate) fn values(&self) -> f64 {
        self.batch as f64 * f64::from(self.log_len).exp2()
    }

    /// The size of one and how many there are, in words.
    pub(crate) fn size(&self) -> String {
        let one = self.size.clone().unwrap_or_else(|| super::super::table::power_of_two(self.log_len));
        if self.batch == 1 { one } else { format!("{} of {one}", self.batch) }
    }
}

/// Another code's figure for the same work.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Peer {
    /// The operation's name.
    pub(crate) operation: String,
    /// The code.
    pub(crate) code: String,
    /// The machine it ran on.
    pub(crate) machine: String,
    /// Which class of devices it stands beside, `host` or `gpu`; empty: only the machine it ran on.
    #[serde(default)]
    pub(crate) class: String,
    /// The element type.
    pub(crate) element: String,
    /// The size in words, where it is no power of two alone.
    #[serde(default)]
    pub(crate) size: Option<String>,
    /// Values of one transform, as a power of two.
    pub(crate) log_len: u32,
    /// Transforms done at once.
    #[serde(default = "one")]
    pub(crate) batch: u64,
    /// Host threads it used, where that matters: it is then set beside our times with as many.
    pub(crate) threads: Option<u64>,
    /// Its time.
    pub(crate) seconds: f64,
    /// Who measured it, or where it is published.
    #[serde(default)]
    pub(crate) source: String,
}

/// A figure that a paper states.
#[allow(clippy::struct_field_names)] // the fields are those of the lines
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Paper {
    /// The operation's name.
    pub(crate) operation: String,
    /// The paper by its number, and the place in it.
    pub(crate) paper: String,
    /// What it says.
    #[serde(default)]
    pub(crate) statement: String,
    /// The command that computes it here; absent in older lines.
    #[serde(default)]
    pub(crate) command: String,
    /// Values of one transform, as a power of two, where it says so.
    pub(crate) log_len: Option<u32>,
    /// The figure; `None` where the text states none.
    pub(crate) value: Option<f64>,
    /// Its unit, such as `speedup`.
    pub(crate) unit: String,
}

/// The candidates of a choice, measured.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Sweep {
    /// The sweep's name.
    pub(crate) case: String,
    /// The device's handle.
    pub(super) device: String,
    /// The index of its environment, found while reading.
    #[serde(skip)]
    pub(crate) environment: usize,
    /// Host threads; absent on OpenCL devices.
    pub(crate) threads: Option<u64>,
    /// The candidates that fit, of which the points are some; absent in older lines.
    #[serde(default)]
    pub(crate) considered: Option<usize>,
    /// The point that the library takes.
    pub(crate) chosen: usize,
    /// Where that choice comes from; absent in older lines.
    #[serde(default)]
    pub(crate) chosen_by: String,
    /// The point measured to be the fastest.
    pub(crate) best: usize,
    /// Measured time of the chosen point over that of the best.
    pub(crate) chosen_over_best: f64,
    /// The candidates.
    pub(crate) points: Vec<SweepPoint>,
}

/// One candidate of a sweep.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct SweepPoint {
    /// The algorithm and its parameters.
    pub(crate) parameters: String,
    /// What the model estimates; older lines call it a prediction.
    #[serde(alias = "predicted_seconds")]
    pub(crate) estimate_seconds: f64,
    /// What it says cannot be undercut.
    pub(crate) floor_seconds: f64,
    /// What the clock says.
    pub(crate) measured_seconds: f64,
}

/// What a launch of a small kernel costs the host.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Launches {
    /// The case's name.
    pub(crate) case: String,
    /// The device's handle.
    pub(super) device: String,
    /// The index of its environment, found while reading.
    #[serde(skip)]
    pub(crate) environment: usize,
    /// Arguments of the kernel.
    pub(crate) arguments: usize,
    /// The bare call of OpenCL.
    pub(crate) bare_seconds: f64,
    /// The bare calls that set every argument first.
    pub(crate) set_seconds: Option<f64>,
    /// The library's launch.
    pub(crate) library_seconds: f64,
    /// What the library adds: the median of differences.
    pub(crate) added_seconds: f64,
}

fn one() -> u64 {
    1
}

/// Whole processes of a command of a size. Times are in seconds.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Wait {
    /// The command.
    pub(crate) case: String,
    /// Its size.
    pub(crate) size: u64,
    /// The device's name.
    pub(crate) device: String,
    /// By the host.
    pub(crate) host: f64,
    /// By the device, with nothing kept.
    pub(crate) first: f64,
    /// By the device, with everything kept.
    pub(crate) later: f64,
    /// By what is taken where nothing is kept.
    pub(crate) auto_first: f64,
    /// By what is taken where everything is kept.
    pub(crate) auto_later: f64,
    /// A process that only opens the device and runs a kernel.
    pub(crate) floor: f64,
}
