//! `manycore tune`: measures the candidates of operations on a device, and keeps the choices.
//!
//! | file | what |
//! |---|---|
//! | `all` | many shapes, and what their defaults take beside the best |
//! | `builders` | processes that build kernels side by side before measurements |
//! | `listed` | the standard shapes, whose choices ship |
//! | `standard` | common shapes of every size |

mod all;
mod builders;
mod listed;
mod standard;

use clap::Subcommand;
use manycore::{Device, DeviceKind, tuning};

use super::choice::Chosen;
use super::{explained, several};
use crate::error::Error;
use crate::global::Global;
use crate::label::label;
use crate::output;
use crate::progress;

/// What to tune.
#[derive(Debug, Subcommand)]
pub enum Tune {
    /// Tune common shapes of every operation
    All(all::All),
    /// Print the cached choices of the device, in the format of the files that ship with the library
    Export,
    /// One operation
    #[command(flatten)]
    One(Chosen),
}

/// What `--help` says first.
pub(crate) const LONG_ABOUT: &str = "\
Measure the algorithms of operations on a device, and store the fastest as cached choices

The algorithms and parameters that an operation has for a shape are timed as a user would wait for them, those that the model's \
estimate leaves in the running; the fastest is kept in the user's cache folder (or the folder that MANYCORE_CACHE names) for this \
device with this driver and this version of the code. Later runs take it. What was kept before is not measured again. On a GPU \
each candidate's kernels are built first, which takes most of the time.

Processors through OpenCL are not tuned: there the estimate decides.";

/// What `--help` says last.
pub(crate) const AFTER_HELP: &str = "\
The variable MANYCORE_TUNING says how every command chooses: estimate (by the model alone), kept (what was kept or ships with the \
library, else the estimate; the default) or measure (as kept, and what is not known is measured and kept).

Examples:
  manycore tune walsh --n 2^20 --type f64
  manycore tune all --only ntt,poly-mul --from 12 --to 20
  manycore tune all --standard --minutes 20 --jobs 8
  manycore tune export -o this-device.json";

/// Measures what was asked for, or prints what is kept.
///
/// # Errors
/// [`Error::Usage`] for a device that is not tuned, a size that an operation does not have, and where nothing is kept;
/// [`Error::Device`], [`Error::Output`], and errors of the operation.
pub fn run(tune: &Tune, global: &Global) -> Result<(), Error> {
    let device = several::best_one(global)?.tuned();
    let info = device.info();
    if info.kind == DeviceKind::Cpu {
        let device = label(&device);
        return Err(Error::Usage(format!(
            "{device}: a processor through OpenCL is not tuned, the model's estimate decides there; \
             --device host tunes the library's own code for the processor"
        )));
    }
    match tune {
        Tune::One(operation) => one(operation, &device, global),
        Tune::All(arguments) => all::run(arguments, &device, global),
        Tune::Export => export(&device, global),
    }
}

/// Tunes one shape of an operation, and prints its candidates.
fn one(operation: &Chosen, device: &Device, global: &Global) -> Result<(), Error> {
    progress::step(format!("measuring {} on {}", operation.name(), label(device)));
    let explained = operation.measured(device)?;
    explained::write(explained, "tune", device, global)
}

/// Prints what is kept for the device.
fn export(device: &Device, global: &Global) -> Result<(), Error> {
    output::refuse_json(global, "tune export")?;
    let nothing = || Error::Usage(format!("nothing is kept for {}: `manycore tune all` measures", label(device)));
    let text = tuning::export(device).ok_or_else(nothing)?;
    output::write(global, |out| out.write_all(text.as_bytes()))
}
