//! `manycore code join`.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use manycore::codes::{Join, LeftOut, Restored};
use manycore::device::Kind;
use manycore::files::is_same_file;
use manycore::{CodeError, Device};
use serde::Serialize;
use serde_json::json;

use super::parts;
use crate::commands::several::one;
use crate::destination;
use crate::error::Error;
use crate::global::Global;
use crate::input;
use crate::label::label;
use crate::message;
use crate::output::{self, Report};
use crate::progress;
use crate::verification::Verification;

/// The arguments of `code join`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Parts of a file, in any order; some may be missing, damaged, or of other files
    #[arg(required = true)]
    pub parts: Vec<PathBuf>,
}

/// What `--help` says first.
pub(super) const LONG_ABOUT: &str = "\
Restore a file from any K of its parts

Any K whole parts of a file that `manycore code split` split into K + M restore it, byte by byte; of damaged parts, the blocks are \
taken whose checksums hold. Parts that are damaged, unreadable, missing, given twice or of other files are named on standard \
error and left out; parts of two files of which both have enough are refused. Parts that earlier releases wrote are read, too.

The file is written to standard output, or to that of -o; with --json what was done is printed as one object, and -o is \
needed. Parts are read in blocks, and take some 50 MB of memory however long the file is.";

/// What `--help` says last.
pub(super) const AFTER_HELP: &str = "\
The file is always compared with its checksum (BLAKE3), and not written where it differs; --verify has nothing to add. Where it \
differs although the checksums of all parts hold, some part lies: parts are left out, one or two at a time, until the file's \
checksum holds.

Examples:
  manycore code join photos.tar.part* -o photos.tar
  manycore code join photos.tar.part[3-9] photos.tar.part1[0-3] -o photos.tar --json
  manycore code join /mnt/backup/stdin.part* | tar x";

/// The JSON form of the report.
#[derive(Debug, Serialize)]
struct Done {
    restored: String,
    bytes: u64,
    recovered: Vec<usize>,
    left_out: Vec<LeftOut>,
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
    if let Some(file) = file
        && arguments.parts.iter().any(|part| part != Path::new("-") && is_same_file(part, file))
    {
        return Err(Error::Overwritten { file: input::name(file), what: "the file would replace a part" });
    }
    let device = one(global)?;
    progress::step("looking at the parts");
    let mut join = open(&device, &arguments.parts)?;
    progress::compute(format!("joining on {}", label(&device)));
    let begin = Instant::now();
    let (restored, profile) = device.profile(|| restore(&mut join, global))?;
    let seconds = begin.elapsed().as_secs_f64();
    let restored = restored.map_err(|error| match error {
        Error::Code(CodeError::WrongOnDevice { reason, .. }) => Error::Wrong { device: label(&device), reason },
        other => other,
    })?;
    for part in &restored.left_out {
        message::tell(&format!("left out: {part}"));
    }
    let (hash, checksum) = join.checksum();
    let method = if hash == "BLAKE3" { "the file's checksum (BLAKE3)" } else { "the file's checksum (SHA-256)" };
    let verification = Verification::passed(method, Some(-256.0));
    let (true, Some(file)) = (global.json, file) else { return Ok(()) };
    let parameters = json!({
        "data": restored.data,
        "parity": restored.parity,
        "checksum": checksum,
        "bytes_per_second": parts::bytes_per_second(restored.bytes, seconds),
    });
    let done = Done {
        restored: input::name(file),
        bytes: restored.bytes,
        recovered: restored.recovered,
        left_out: restored.left_out,
    };
    let report = Report {
        device: Some(label(&device)),
        seconds: Some(profile.span_seconds()),
        transfer_seconds: Some(profile.seconds(Kind::Upload) + profile.seconds(Kind::Download)),
        verified: Some(true),
        verification: Some(verification),
        ..Report::new("code join", parameters, done)
    };
    let printed = Global { output: None, target: None, ..global.clone() };
    output::write_report(&printed, &report)
}

/// The parts of one file; with hidden files of a split that did not end where they are too few without.
fn open(device: &Device, paths: &[PathBuf]) -> Result<Join<parts::GivenPart>, Error> {
    match Join::open(device, parts::open(paths)) {
        Err(few @ (CodeError::TooFew { .. } | CodeError::NoPart { .. })) => {
            let hidden = parts::left_beside(paths);
            // Standard input is read only once.
            if hidden.is_empty() || paths.iter().any(|path| path == Path::new("-")) {
                return Err(few.into());
            }
            let all: Vec<PathBuf> = paths.iter().chain(&hidden).cloned().collect();
            let join = Join::open(device, parts::open(&all))?;
            message::tell(&format!(
                "taken, too: hidden files of a split that did not end, such as {}",
                input::name(&hidden[0])
            ));
            Ok(join)
        }
        other => Ok(other?),
    }
}

/// Writes the file. To a file, which takes its place only where it is right, at once; to standard output when its checksum has
/// been found right.
fn restore(join: &mut Join<parts::GivenPart>, global: &Global) -> Result<Restored, Error> {
    if destination::file(global).is_some() {
        match write(join, global) {
            Err(Error::Code(CodeError::Wrong { .. })) => {}
            other => return other,
        }
    }
    join.check()?;
    write(join, global)
}

fn write(join: &mut Join<parts::GivenPart>, global: &Global) -> Result<Restored, Error> {
    let mut outcome = None;
    let written = output::write(global, |out| match join.write(out) {
        Ok(restored) => {
            outcome = Some(Ok(restored));
            Ok(())
        }
        Err(CodeError::Output(error)) => Err(error.into()),
        Err(error) => {
            let told = io::Error::other(error.to_string());
            outcome = Some(Err(error));
            Err(told)
        }
    });
    match (outcome, written) {
        (Some(Err(error)), _) => Err(error.into()),
        (_, Err(error)) => Err(error),
        (Some(Ok(restored)), Ok(())) => Ok(restored),
        // The reader of standard output went away.
        (None, Ok(())) => Ok(Restored::default()),
    }
}
