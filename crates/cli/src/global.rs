//! The options of every command, and what is known of them before the work begins.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use manycore::device::MOST_THREADS;
use manycore::files::{AlgebraText, Target};

use crate::shard::head::Sharding;
use crate::shard::number::Shard;

/// The options of every command.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Global options")]
#[allow(clippy::struct_excessive_bools)] // options without a value
pub struct Global {
    /// Where to compute: `auto` (the host or an OpenCL GPU, whichever is estimated to finish first), `host`, `host:THREADS`, `opencl:NUMBER`, or
    /// a part of a device's name; for commands that share their work, several with commas between them, or `gpus`
    #[arg(long, global = true, value_name = "DEVICE", default_value = "auto", env = "MANYCORE_DEVICE")]
    #[arg(hide_env_values = true, value_parser = device)]
    pub device: String,

    /// Write one JSON object: command, device, algorithm, parameters, times and result
    ///
    /// Integers past 2^53 are strings, and so are NaN, Infinity and -Infinity.
    #[arg(long, global = true)]
    pub json: bool,

    /// Check the result independently; one that fails is not written, and the exit status is 1
    ///
    /// Each command's help tells how it checks and what chance a wrong result has of passing. Of a command without a check the
    /// program says `not checked` and why, and JSON has it in place of `true`. A check that passed is told in a last line on standard
    /// error, unless --quiet; JSON has it as `verification`.
    #[arg(long, global = true)]
    pub verify: bool,

    /// The seed of every random choice, such as those of --verify; without it, a fresh one
    #[arg(long, global = true, value_name = "N")]
    pub seed: Option<u64>,

    /// Write the result here instead of standard output; a vector as an array where the name ends in .npy
    ///
    /// - is standard output. A file is replaced when the new one is whole: a failure leaves the old one as it was.
    #[arg(short, long, global = true, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Why nothing is checked although `verify` asks for it, where a command has no check.
    #[arg(skip)]
    pub not_checked: Option<&'static str>,

    /// The language that `poly` and `matrix` write their results in, where one was asked for.
    #[arg(skip)]
    pub language: Option<Language>,

    /// The file of `output`, looked at before the work begins.
    #[arg(skip)]
    pub target: Option<Target>,

    /// The file of a page beside the result, looked at before the work begins.
    #[arg(skip)]
    pub page: Option<Target>,

    /// Limit of the memory on each device, and of the host's memory for the computation: bytes, or 500MB, 8GiB
    ///
    /// Work that can go by blocks takes smaller ones; other work that needs more is refused.
    #[arg(long, global = true, value_name = "SIZE", value_parser = bytes)]
    pub memory: Option<u64>,

    /// Compute part I of N alone, as a line of JSON for `manycore merge`
    #[arg(long, global = true, value_name = "I/N")]
    pub shard: Option<Shard>,

    /// The work of `shard`.
    #[arg(skip)]
    pub sharding: Option<Sharding>,

    /// Show no progress
    #[arg(short, long, global = true)]
    pub quiet: bool,

    /// Tell on standard error which device `--device auto` takes and why, and what was waited for beside the work
    #[arg(short, long, global = true)]
    pub verbose: bool,
}

/// The forms of results with `--format`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Language {
    /// Polynomials as their coefficients, the constant term first, one a line
    Coefficients,
    /// Sage: x^2 + 3, matrix(GF(7), 1, 2, [1, 2])
    Sage,
    /// PARI/GP: Mod(1, 7)*x^2 + Mod(3, 7), [1, 2; 3, 4]
    Pari,
}

impl Language {
    /// What writes in it, where it is that of a computer algebra system.
    pub(crate) fn text(self) -> Option<AlgebraText> {
        match self {
            Self::Coefficients => None,
            Self::Sage => Some(AlgebraText::Sage),
            Self::Pari => Some(AlgebraText::Pari),
        }
    }
}

/// Reads the names of devices: threads of the host are as many as it can have.
fn device(text: &str) -> Result<String, String> {
    for threads in text.split(',').filter_map(|name| name.trim().strip_prefix("host:")) {
        let is_number = !threads.is_empty() && threads.bytes().all(|byte| byte.is_ascii_digit());
        if is_number && !threads.parse().is_ok_and(|threads: usize| threads <= MOST_THREADS) {
            return Err(format!("the host has up to {MOST_THREADS} threads"));
        }
    }
    Ok(text.to_owned())
}

/// Reads a number of bytes of at least one, with a unit or without.
fn bytes(text: &str) -> Result<u64, String> {
    let size = text
        .parse::<bytesize::ByteSize>()
        .map_err(|_| "bytes are a number, or one with a unit such as 500MB or 8GiB")?;
    if size.as_u64() == 0 { Err("no work fits into 0 bytes".to_owned()) } else { Ok(size.as_u64()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_work_fits_into_no_bytes() {
        assert_eq!((bytes("0"), bytes("2kB")), (Err("no work fits into 0 bytes".to_owned()), Ok(2000)));
    }
}
