//! `manycore code split`.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use manycore::device::Kind;
use manycore::files::{escaped, is_same_file, shown_path};
use manycore::verify::SplitMix;
use manycore::{CodeError, Device, FileError, codes};
use serde_json::json;

use super::parts;
use crate::commands::several::one;
use crate::destination::{self, output_error};
use crate::error::Error;
use crate::global::Global;
use crate::input;
use crate::label::label;
use crate::output::{self, Report};
use crate::progress;
use crate::verification::Verification;

/// The arguments of `code split`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The file; - is standard input
    pub file: PathBuf,

    /// Data parts: any K parts restore the file
    #[arg(long, value_name = "K")]
    pub data: usize,

    /// Parity parts: any M parts may be lost
    #[arg(long, value_name = "M")]
    pub parity: usize,

    /// The folder of the parts; without it, that of the file
    #[arg(long, value_name = "DIR")]
    pub folder: Option<PathBuf>,
}

/// What `--help` says first.
pub(super) const LONG_ABOUT: &str = "\
Split a file into K + M parts, any K of which restore it

The parts are files NAME.part0, NAME.part1, ... The first K hold the bytes of the file in blocks, and M more hold values of the \
polynomials over the field of 2^16 elements through them (a Reed-Solomon code): any K of the K + M parts restore the file \
(`manycore code join`), and so do any K whole blocks of each stripe. Each part names its place and its file, and each block has a \
checksum. The names are printed, one a line.

The file is read once, in blocks, and takes some 30 MB of memory however long it is. Parts of an older split stay whole until \
all new ones are on the disk, and are replaced then: a failure leaves either the old parts or the new ones, never a mixture that \
restores nothing. If the program is killed while it gives the new parts their names, the rest of them are left in hidden files, \
.manycore-*.tmp, beside the others, which `code join` finds and the next `code split` replaces.";

/// What `--help` says last.
pub(super) const AFTER_HELP: &str = "\
--verify reads the parts again before they take their places: it compares the checksum of the data parts with that of the file \
(BLAKE3), and checks by random sums of their words that all parts are a word of the code: wrong parity passes with a chance below \
2^-79.

Examples:
  manycore code split photos.tar --data 10 --parity 4
  manycore code split photos.tar --data 10 --parity 4 --folder /mnt/backup --verify --json
  tar c photos | manycore code split - --data 4 --parity 2 --folder /mnt/backup";

/// Splits the file and writes the parts.
///
/// # Errors
/// Everything that [`Error`] lists.
pub(super) fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    output::check_text(global, "a list of files")?;
    let (data, parity) = (arguments.data, arguments.parity);
    let count = codes::Layout::new(data, parity)?.parts();
    let names = parts::names(&arguments.file, arguments.folder.as_deref(), count);
    refuse_the_same(arguments, global, &names)?;
    if let Some(folder) = arguments.folder.as_deref().filter(|folder| !folder.is_dir()) {
        return Err(Error::Usage(format!("--folder {}: no such folder: make it first", shown_path(folder))));
    }
    let device = one(global)?;
    let mut file = open(&arguments.file)?;
    let written = parts::Written::new(&names, &parts::stem(&arguments.file)).map_err(output_error)?;
    progress::step(format!("splitting {} on {}", input::name(&arguments.file), label(&device)));
    let begin = Instant::now();
    let (header, profile) = device.profile(|| codes::split_to(&device, &mut *file, data, parity, &written))?;
    let header = header.map_err(|error| failure(arguments, &written, error))?;
    let seconds = begin.elapsed().as_secs_f64();
    let verification = if global.verify {
        progress::step("verifying");
        Some(verify(&device, &written, &header, global.seed.unwrap_or_else(SplitMix::fresh_seed))?)
    } else {
        None
    };
    written.commit().map_err(output_error)?;
    let parameters = json!({
        "data": data,
        "parity": parity,
        "bytes": header.bytes,
        "checksum": header.checksum(),
        "bytes_per_second": parts::bytes_per_second(header.bytes, seconds),
    });
    let names: Vec<String> = names.iter().map(|name| name.display().to_string()).collect();
    let report = Report {
        device: Some(label(&device)),
        seconds: Some(profile.span_seconds()),
        transfer_seconds: Some(profile.seconds(Kind::Upload) + profile.seconds(Kind::Download)),
        verified: global.verify.then_some(true),
        verification,
        ..Report::new("code split", parameters, names)
    };
    if global.json {
        return output::write_report(global, &report);
    }
    output::write(global, |out| report.result.iter().try_for_each(|name| writeln!(out, "{}", escaped(name))))
}

/// Refuses files that would be written over each other.
fn refuse_the_same(arguments: &Arguments, global: &Global, names: &[PathBuf]) -> Result<(), Error> {
    let file = Some(arguments.file.as_path()).filter(|file| *file != Path::new("-"));
    let output = destination::file(global);
    if let (Some(file), Some(output)) = (file, output)
        && is_same_file(file, output)
    {
        return Err(Error::Overwritten { file: input::name(output), what: "the list of parts would replace the file" });
    }
    for name in names {
        let is = |other: Option<&Path>| other.is_some_and(|other| is_same_file(name, other));
        if is(output) {
            return Err(Error::Overwritten { file: input::name(name), what: "the list of parts would replace a part" });
        }
        if is(file) {
            return Err(Error::Overwritten { file: input::name(name), what: "a part would replace the file" });
        }
    }
    Ok(())
}

/// Opens the file, or standard input.
fn open(path: &Path) -> Result<Box<dyn Read + Send>, Error> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin()));
    }
    let opened = File::open(path).and_then(|file| {
        let is_folder = file.metadata()?.is_dir();
        if is_folder { Err(io::ErrorKind::IsADirectory.into()) } else { Ok(file) }
    });
    match opened {
        Ok(file) => Ok(Box::new(file)),
        Err(error) => Err(Error::Input(FileError::Read { file: input::name(path), error }.into())),
    }
}

/// An error of splitting, with the name of the file that could not be read or written.
fn failure(arguments: &Arguments, written: &parts::Written, error: CodeError) -> Error {
    match error {
        CodeError::Input(error) => {
            Error::Input(FileError::Read { file: input::name(&arguments.file), error: error.into() }.into())
        }
        CodeError::Output(error) => match written.error() {
            Some(error) => output_error(error),
            None => Error::Code(CodeError::Output(error)),
        },
        other => Error::Code(other),
    }
}

/// Reads the written parts again, and checks them on the host.
fn verify(device: &Device, written: &parts::Written, header: &codes::Header, seed: u64) -> Result<Verification, Error> {
    let mut random = SplitMix::new(seed);
    let parts = written.parts(header.layout.parts());
    codes::check_parts(&parts, header, || random.next_word())?
        .map_err(|reason| Error::Wrong { device: label(device), reason })?;
    let method = "the checksum of the data parts (BLAKE3), and syndromes of random sums of the words of all parts";
    Ok(Verification::passed(method, Some(codes::CHANCE_LOG2)))
}
