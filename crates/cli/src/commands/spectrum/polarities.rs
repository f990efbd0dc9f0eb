//! `manycore spectrum polarities`.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use manycore::spectral::polarity;
use manycore::{Device, verify};
use serde::Serialize;
use serde_json::json;

use super::job::{Job, Times};
use crate::arguments::Global;
use crate::commands::label;
use crate::error::Error;
use crate::input::{self, InputError};
use crate::output::{self, Report};
use crate::progress;
use crate::vector::{NumberType, Vector};
use crate::verification::verified;

/// The arguments of `spectrum polarities`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The values of one function, 2^n of them: text (numbers separated by white space or commas, # begins a comment) or .npy;
    /// - is standard input
    pub file: PathBuf,

    /// Arithmetic polynomials of integer values, instead of Reed-Muller polynomials of the values 0 and 1
    #[arg(long)]
    pub arithmetic: bool,

    /// Every polarity and its terms, a line each, instead of the best one alone
    #[arg(long)]
    pub all: bool,
}

/// What `--help` says first.
pub(super) const LONG_ABOUT: &str = "\
The fixed polarity in which a function's polynomial has the fewest terms

In a polynomial of fixed polarity each of the n variables stands either plain or complemented throughout, complemented at the \
set bits of the polarity. The terms of all 2^n polarities are counted in 3^n operations on the host's threads. The result is \
the best polarity, the least of several, and the number of its terms; with --all every polarity and its terms, one a line; \
with --json one object with all of it.";

/// What `--help` says last.
pub(super) const AFTER_HELP: &str = "\
--verify counts the terms of every polarity again, by the halves of the function, which takes longer than the first count; no \
wrong count passes.

Examples:
  echo 1 0 0 0 | manycore spectrum polarities -
  manycore spectrum polarities x.txt --arithmetic --all";

/// The JSON form of the result.
#[derive(Debug, Serialize)]
struct Found {
    polarity: u64,
    terms: u32,
    all: Vec<u32>,
}

/// A function, in the form that its transform takes.
enum Function {
    Boolean(Vec<u8>),
    Integer(Vec<i64>),
}

/// Reads the function, counts the terms, checks some of them where asked to, and writes them.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    let mut job = Job::new(global, &arguments.file, false)?;
    let function = if arguments.arithmetic {
        match input::vector(&arguments.file, Some(NumberType::I64))? {
            Vector::I64(values) => Function::Integer(values),
            other => return Err(Error::Usage(format!("{}: {} values are no integers", job.file, other.number_type()))),
        }
    } else {
        Function::Boolean(input::bits(&arguments.file)?)
    };
    let len = match &function {
        Function::Boolean(bits) => bits.len(),
        Function::Integer(values) => values.len(),
    };
    job.cut(None, len)?;
    if let Function::Integer(values) = &function {
        // Every coefficient of every polarity is a sum of some of them with signs.
        let bound = values.iter().map(|&value| i128::from(value.unsigned_abs())).sum::<i128>();
        if bound > i64::MAX.into() {
            return Err(InputError::Sums { file: job.file, bound }.into());
        }
    }
    progress::compute(format!("counting the terms of {len} polarities"));
    let started = Instant::now();
    let all = match &function {
        Function::Boolean(bits) => polarity::reed_muller(&packed(bits), job.log_len())?,
        Function::Integer(values) => polarity::arithmetic(values)?,
    };
    let seconds = started.elapsed().as_secs_f64();
    let verification = job
        .random()
        .map(|_| {
            progress::step("verifying");
            let outcome = match &function {
                Function::Boolean(bits) => verify::polarity::reed_muller(bits, all.terms()),
                Function::Integer(values) => verify::polarity::arithmetic(values, all.terms()),
            };
            verified(outcome, &Device::host())
        })
        .transpose()?;
    let (best, terms) = all.best();
    let found = Found { polarity: best, terms, all: all.terms().to_vec() };
    let times = Times { seconds, transfer_seconds: 0.0, predicted_seconds: 0.0 };
    let parameters = json!({ "polynomial": if arguments.arithmetic { "arithmetic" } else { "reed-muller" } });
    let report = job.report("spectrum polarities", None, len, &parameters, (found, times, verification));
    let device = Some(label(&Device::host()));
    let report = Report { device, transfer_seconds: None, predicted_seconds: None, ..report };
    if global.json {
        return output::write_report(global, &report);
    }
    output::write(global, |out| {
        if arguments.all {
            all.terms().iter().enumerate().try_for_each(|(polarity, terms)| writeln!(out, "{polarity} {terms}"))
        } else {
            writeln!(out, "{best} {terms}")
        }
    })
}

/// Bits 64 a word.
fn packed(bits: &[u8]) -> Vec<u64> {
    let word = |bits: &[u8]| bits.iter().rev().fold(0, |word, &bit| word << 1 | u64::from(bit));
    bits.chunks(64).map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::packed;

    #[test]
    fn bits_are_packed_lowest_first() {
        assert_eq!(packed(&[1, 0, 0, 1, 1, 1, 0, 1]), [0xB9]);
        let mut bits = [0; 128];
        (bits[63], bits[64]) = (1, 1);
        assert_eq!(packed(&bits), [1 << 63, 1]);
    }
}
