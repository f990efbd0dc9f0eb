//! `manycore spectrum polarities`.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use manycore::spectral::polarity;
use manycore::{Arithmetic, Device, Polarities, ReedMuller, Spectral};
use serde::Serialize;
use serde_json::json;

use super::job::{Job, Times};
use crate::arguments::Global;
use crate::commands::label;
use crate::error::Error;
use crate::input;
use crate::output::{self, Report};
use crate::vector::{NumberType, Vector};

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
--verify transforms the function on the device with the best polarity and with four more, at random, and counts the terms.

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
        job.refuse_overflow(values)?;
    }
    job.step(format!("counting the terms of {len} polarities"));
    let started = Instant::now();
    let all = match &function {
        Function::Boolean(bits) => polarity::reed_muller(&packed(bits), job.log_len())?,
        Function::Integer(values) => polarity::arithmetic(values)?,
    };
    let seconds = started.elapsed().as_secs_f64();
    verify(&job, &function, &all)?;
    let (best, terms) = all.best();
    let found = Found { polarity: best, terms, all: all.terms().to_vec() };
    let times = Times { seconds, transfer_seconds: 0.0, predicted_seconds: 0.0 };
    let parameters = json!({ "polynomial": if arguments.arithmetic { "arithmetic" } else { "reed-muller" } });
    let report = job.report("spectrum polarities", None, len, &parameters, (found, times));
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

/// Polarities beside the best one whose terms `--verify` counts.
const SAMPLES: usize = 4;

/// Counts the terms of some polarities by their spectra where `--verify` asks for it.
fn verify(job: &Job<'_>, function: &Function, all: &Polarities) -> Result<(), Error> {
    let Some(mut random) = job.random() else { return Ok(()) };
    job.step("verifying");
    let spectral = Spectral::new(&job.device);
    let samples = (0..SAMPLES).map(|_| random.index(job.len) as u64);
    for polarity in std::iter::once(all.best().0).chain(samples) {
        let terms = match function {
            Function::Boolean(bits) => {
                let spectrum = spectral.reed_muller_of(bits, &ReedMuller::new().polarity(polarity))?;
                spectrum.iter().filter(|&&coefficient| coefficient != 0).count()
            }
            Function::Integer(values) => {
                let spectrum = spectral.arithmetic_of(values, &Arithmetic::new().polarity(polarity))?;
                spectrum.iter().filter(|&&coefficient| coefficient != 0).count()
            }
        };
        if all.terms()[polarity as usize] as usize != terms {
            return Err(job.wrong(&format!("polarity {polarity} has {terms} terms")));
        }
    }
    Ok(())
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
