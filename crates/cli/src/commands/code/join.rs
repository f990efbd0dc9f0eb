//! `manycore code join`.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use manycore::device::{Executor, Kind};
use manycore::{CodeError, Device, codes};
use serde::Serialize;
use serde_json::json;

use super::{bytes_per_second, read};
use crate::arguments::Global;
use crate::commands::label;
use crate::destination;
use crate::error::Error;
use crate::input;
use crate::message;
use crate::output::{self, Report};
use crate::progress::Progress;
use crate::verification::Verification;

/// The arguments of `code join`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Parts of one file, in any order; some may be missing or damaged
    #[arg(required = true)]
    pub parts: Vec<PathBuf>,
}

/// What `--help` says first.
pub(super) const LONG_ABOUT: &str = "\
Put a file together from parts

Any so many parts as there are data parts give the file that `manycore code split` split, byte by byte. A part that is \
damaged is named on standard error and left out. The file is written to standard output, or to that of -o; with --json what \
was done is printed as one object, and -o is needed.";

/// What `--help` says last.
pub(super) const AFTER_HELP: &str = "\
The file is always compared with its checksum (SHA-256), and not written where it differs; --verify has nothing to add.

Examples:
  manycore code join photos.tar.part* -o photos.tar
  manycore code join photos.tar.part[3-9] photos.tar.part1[0-3] -o photos.tar --json";

/// What was done, as JSON has it.
#[derive(Debug, Serialize)]
struct Done {
    file: String,
    bytes: usize,
    recovered: Vec<usize>,
    damaged: Vec<String>,
}

/// Who is to blame for a file that its checksum refuses: the parts, or the device, where the host makes the file of them.
fn blamed(error: CodeError, device: &Device, parts: &[(String, Vec<u8>)]) -> Error {
    let on_host = matches!(device.executor(), Executor::Host(_));
    if on_host || !matches!(error, CodeError::Wrong { .. }) || codes::join(&Device::host(), parts).is_err() {
        return error.into();
    }
    Error::Wrong { device: label(device), reason: error.to_string() }
}

/// Puts the file together and writes it.
///
/// # Errors
/// Everything that [`Error`] lists.
pub(super) fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    let file = destination::file(global);
    if global.json && file.is_none() {
        return Err(Error::Usage("code join --json prints what was done: give the file's name with -o".to_owned()));
    }
    let device = Device::select(&global.device)?;
    let progress = Progress::new(global.quiet);
    let mut parts = Vec::with_capacity(arguments.parts.len());
    for path in &arguments.parts {
        progress.step(format!("reading {}", input::name(path)));
        parts.push((input::name(path), read(path)?));
    }
    progress.step(format!("joining on {}", label(&device)));
    let begin = Instant::now();
    let (joined, profile) = device.profile(|| codes::join(&device, &parts))?;
    let seconds = begin.elapsed().as_secs_f64();
    let joined = joined.map_err(|error| blamed(error, &device, &parts))?;
    for damage in &joined.damaged {
        message::tell(&format!("left out: {damage}"));
    }
    progress.step("writing");
    output::write(global, |out| out.write_all(&joined.file))?;
    let (true, Some(file)) = (global.json, file) else { return Ok(()) };
    let parameters = json!({
        "data": joined.header.data,
        "parity": joined.header.parity,
        "bytes_per_second": bytes_per_second(joined.file.len(), seconds),
    });
    let report = Report {
        device: Some(label(&device)),
        seconds: Some(profile.span_seconds()),
        transfer_seconds: Some(profile.seconds(Kind::Upload) + profile.seconds(Kind::Download)),
        verified: Some(true),
        verification: Some(Verification { method: "the file's checksum (SHA-256)", chance_log2: Some(-256.0) }),
        ..Report::new(
            "code join",
            parameters,
            Done {
                file: input::name(file),
                bytes: joined.file.len(),
                recovered: joined.recovered,
                damaged: joined.damaged.iter().map(ToString::to_string).collect(),
            },
        )
    };
    let printed = Global { output: None, target: None, ..global.clone() };
    output::write_report(&printed, &report)
}
