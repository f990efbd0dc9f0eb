//! `manycore code split`.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use manycore::device::Kind;
use manycore::files::create;
use manycore::verify::SplitMix;
use manycore::{Device, codes};
use serde_json::json;

use super::{bytes_per_second, read};
use crate::arguments::Global;
use crate::commands::label;
use crate::destination::output_error;
use crate::error::Error;
use crate::input;
use crate::output::{self, Report};
use crate::progress::Progress;
use crate::verification::Verification;

/// The arguments of `code split`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The file; - is standard input
    pub file: PathBuf,

    /// Data parts: so many parts, whichever, give the file back
    #[arg(long, value_name = "K")]
    pub data: usize,

    /// Parity parts: so many parts may be lost
    #[arg(long, value_name = "M")]
    pub parity: usize,

    /// The folder of the parts; without it, that of the file
    #[arg(long, value_name = "DIR")]
    pub folder: Option<PathBuf>,
}

/// What `--help` says first.
pub(super) const LONG_ABOUT: &str = "\
Split a file into parts, any so many of which give it back

The parts are files NAME.part0, NAME.part1, ... of which the first K hold the bytes of the file in order, and M more hold \
values of polynomials modulo 65537 through them: any K of the K + M parts give the file back (`manycore code join`). Each part \
names its place and its file, and has a checksum. The names are printed, one a line.";

/// What `--help` says last.
pub(super) const AFTER_HELP: &str = "\
--verify compares every byte of the data parts with the file on the host, and checks by random sums of their words that all parts are \
values of polynomials: wrong parts pass with a chance below 2^-79.

Examples:
  manycore code split photos.tar --data 10 --parity 4
  manycore code split photos.tar --data 10 --parity 4 --folder /mnt/backup --verify --json";

/// Splits the file and writes the parts.
///
/// # Errors
/// Everything that [`Error`] lists.
pub(super) fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    output::check_text(global, "a list of files")?;
    let device = Device::select(&global.device)?;
    let progress = Progress::new(global.quiet);
    progress.step(format!("reading {}", input::name(&arguments.file)));
    let file = read(&arguments.file)?;
    progress.step(format!("splitting on {}", label(&device)));
    let (data, parity) = (arguments.data, arguments.parity);
    let begin = Instant::now();
    let (parts, profile) = device.profile(|| codes::split(&device, &file, data, parity))?;
    let (parts, seconds) = (parts?, begin.elapsed().as_secs_f64());
    let seed = global.seed.unwrap_or_else(SplitMix::fresh_seed);
    let verification = if global.verify {
        progress.step("verifying");
        Some(verify(&device, &file, &parts, data, seed)?)
    } else {
        None
    };
    progress.step("writing");
    let names: Vec<PathBuf> = (0..parts.len()).map(|index| part_name(arguments, index)).collect();
    for (name, part) in names.iter().zip(&parts) {
        create(name, |out| out.write_all(part)).map_err(output_error)?;
    }
    let names: Vec<String> = names.iter().map(|name| name.display().to_string()).collect();
    let parameters = json!({
        "data": data,
        "parity": parity,
        "bytes": file.len(),
        "bytes_per_second": bytes_per_second(file.len(), seconds),
    });
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
    output::write(global, |out| report.result.iter().try_for_each(|name| writeln!(out, "{name}")))
}

/// The name of a part.
fn part_name(arguments: &Arguments, index: usize) -> PathBuf {
    let stem = if arguments.file == Path::new("-") { Path::new("stdin") } else { &arguments.file };
    let mut name = stem.file_name().unwrap_or_default().to_owned();
    name.push(format!(".part{index}"));
    match &arguments.folder {
        Some(folder) => folder.join(name),
        None => stem.with_file_name(name),
    }
}

/// Checks on the host that the data parts hold the file, and that all parts are values of polynomials.
fn verify(device: &Device, file: &[u8], parts: &[Vec<u8>], data: usize, seed: u64) -> Result<Verification, Error> {
    /// Random sums of the words of parts: each passes wrong parts with a chance of 1 / 65537.
    const SUMS: usize = 5;
    let wrong = |reason: String| Error::Wrong { device: label(device), reason };
    let mut rows = Vec::with_capacity(parts.len());
    for (index, part) in parts.iter().enumerate() {
        rows.push(codes::Part::of_bytes(part).map_err(|reason| wrong(format!("part {index}: {reason}")))?.words);
    }
    let bytes = rows.iter().take(data).flatten().flat_map(|&word| (word as u16).to_le_bytes());
    if !bytes.take(file.len()).eq(file.iter().copied()) {
        return Err(wrong("the data parts do not hold the file".to_owned()));
    }
    let code = codes::ErasureCode::new(&Device::host(), data, parts.len() - data)?;
    let rows: Vec<&[u32]> = rows.iter().map(Vec::as_slice).collect();
    let mut random = SplitMix::new(seed);
    if !code.is_codeword(&rows, SUMS, || random.next_word() as u32)? {
        return Err(wrong("the parts are no values of polynomials".to_owned()));
    }
    let method = "the bytes of the data parts, and random sums of the words of all parts";
    Ok(Verification { method, chance_log2: Some(1.0 - 16.0 * SUMS as f64) })
}
