//! `manycore spectrum polarities`.

use std::ops::Range;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use manycore::spectral::polarity;
use manycore::verify::SplitMix;
use manycore::{Device, SpectralError, verify};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::job::{Job, Times};
use crate::arguments::Global;
use crate::commands::label;
use crate::error::Error;
use crate::input::{self, InputError};
use crate::output::{self, JsonInteger, Report};
use crate::progress;
use crate::shard::{self, Shards, Split};
use crate::vector::{NumberType, Vector};
use crate::verification::{Verification, verified};

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

impl Function {
    fn read(arguments: &Arguments) -> Result<Self, Error> {
        if !arguments.arithmetic {
            return Ok(Self::Boolean(input::bits(&arguments.file)?));
        }
        let file = input::name(&arguments.file);
        match input::vector(&arguments.file, Some(NumberType::I64))? {
            Vector::I64(values) => Ok(Self::Integer(values)),
            other => Err(Error::Usage(format!("{file}: {} values are no integers", other.number_type()))),
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Boolean(bits) => bits.len(),
            Self::Integer(values) => values.len(),
        }
    }

    /// The terms of every polarity.
    fn terms(&self) -> Result<Vec<u32>, SpectralError> {
        match self {
            Self::Boolean(bits) => terms_of_bits(bits),
            Self::Integer(values) => terms_of_integers(values),
        }
    }

    /// The terms of a range of polarities.
    fn terms_within(&self, range: &Range<usize>) -> Result<Vec<u32>, SpectralError> {
        match self {
            Self::Boolean(bits) => within(bits, range, |a, b| a ^ b, terms_of_bits),
            // Sums of values of any signs are within 64 bits, which was looked at before.
            Self::Integer(values) => within(values, range, i64::wrapping_sub, terms_of_integers),
        }
    }

    fn check(&self, terms: &[u32]) -> Result<Verification, Error> {
        progress::step("verifying");
        let outcome = match self {
            Self::Boolean(bits) => verify::polarity::reed_muller(bits, terms),
            Self::Integer(values) => verify::polarity::arithmetic(values, terms),
        };
        verified(outcome, &Device::host())
    }
}

fn terms_of_bits(bits: &[u8]) -> Result<Vec<u32>, SpectralError> {
    Ok(polarity::reed_muller(&packed(bits), bits.len().ilog2())?.terms().to_vec())
}

fn terms_of_integers(values: &[i64]) -> Result<Vec<u32>, SpectralError> {
    Ok(polarity::arithmetic(values)?.terms().to_vec())
}

/// The terms of the polarities of a range: of blocks of `2^k` neighbours, the largest that fit, in each of which the variables above `k`
/// have one polarity.
fn within<T: Copy>(
    x: &[T],
    range: &Range<usize>,
    difference: impl Fn(T, T) -> T,
    terms: impl Fn(&[T]) -> Result<Vec<u32>, SpectralError>,
) -> Result<Vec<u32>, SpectralError> {
    let (mut first, mut all) = (range.start, Vec::with_capacity(range.len()));
    while first < range.end {
        let fits = (range.end - first).ilog2();
        let aligned = if first == 0 { usize::BITS - 1 } else { first.trailing_zeros() };
        let block = 1 << fits.min(aligned).min(x.len().ilog2());
        // Coefficients without a variable are those of the half of its polarity, those with it those of the difference.
        let (mut parts, mut len) = (x.to_vec(), x.len());
        while len > block {
            let half = len / 2;
            for part in parts.chunks_exact_mut(len) {
                for at in 0..half {
                    let (plain, complemented) = (part[at], part[half + at]);
                    part[at] = if first & half == 0 { plain } else { complemented };
                    part[half + at] = difference(complemented, plain);
                }
            }
            len = half;
        }
        let mut sums = vec![0; block];
        for part in parts.chunks_exact(block) {
            sums.iter_mut().zip(terms(part)?).for_each(|(sum, more)| *sum += more);
        }
        all.extend(sums);
        first += block;
    }
    Ok(all)
}

/// The terms of some polarities, as shards have them.
#[derive(Debug, Serialize, Deserialize)]
struct Terms {
    terms: Vec<u32>,
}

/// Shards have runs of so many blocks of polarities, or of single ones where there are fewer: the smaller a block, the more of the work is
/// done in several shards.
const BLOCKS: usize = 256;

/// The command, as reports name it.
const COMMAND: &str = "spectrum polarities";

/// Reads the function, counts the terms, checks them where asked to, and writes them.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    let mut job = Job::new(global, &arguments.file, false)?;
    let function = Function::read(arguments)?;
    let len = function.len();
    job.cut(None, len)?;
    if let Function::Integer(values) = &function {
        // Every coefficient of every polarity is a sum of some of them with signs.
        let bound = values.iter().map(|&value| i128::from(value.unsigned_abs())).sum::<i128>();
        if bound > i64::MAX.into() {
            return Err(InputError::Sums { file: job.file, bound }.into());
        }
    }
    let blocks = len.min(BLOCKS);
    let Some(range) = shard::range(global, blocks) else { return job.write_none() };
    let range = range.start * (len / blocks)..range.end * (len / blocks);
    progress::compute(format!("counting the terms of {} polarities", range.len()));
    let started = Instant::now();
    let terms = if shard::is_on(global) { function.terms_within(&range)? } else { function.terms()? };
    let seconds = started.elapsed().as_secs_f64();
    let check = job.random().filter(|_| !shard::is_on(global));
    let verification = check.map(|_| function.check(&terms)).transpose()?;
    let times = Times { seconds, transfer_seconds: None, predicted_seconds: None };
    let parameters = json!({ "polynomial": if arguments.arithmetic { "arithmetic" } else { "reed-muller" } });
    let report = job.report(COMMAND, None, len, &parameters, (terms, times, verification));
    let device = Some(label(&Device::host()));
    let report = Report { device, ..report };
    if shard::is_on(global) {
        let part = Terms { terms: report.result.clone() };
        return shard::write(global, &report, &part);
    }
    write(arguments, report, global)
}

/// Writes the terms of all polarities, or the best one.
fn write(arguments: &Arguments, report: Report<Vec<u32>>, global: &Global) -> Result<(), Error> {
    let by_terms = report.result.iter().zip(0u64..).map(|(&terms, polarity)| (terms, polarity));
    let (terms, polarity) = by_terms.min().unwrap_or((0, 0));
    if global.json {
        return output::write_report(global, &report.map(|all| Found { polarity, terms, all }));
    }
    output::write(global, |out| {
        if arguments.all {
            let all = report.result.iter().enumerate();
            all.into_iter().try_for_each(|(polarity, terms)| writeln!(out, "{polarity} {terms}"))
        } else {
            writeln!(out, "{polarity} {terms}")
        }
    })
}

impl Split for Arguments {
    fn not_checked(&self) -> Option<&'static str> {
        Some("the terms of polarities are checked together, by `manycore merge --verify`")
    }

    fn merge(&self, shards: &Shards, global: &Global) -> Result<(), Error> {
        let merged = shards.decode::<Terms>()?;
        let terms: Vec<u32> = merged.parts.iter().flat_map(|part| part.terms.iter().copied()).collect();
        let mut parameters = merged.run.parameters.clone();
        if !terms.len().is_power_of_two() || terms.len().min(BLOCKS) as u64 != shards.items() {
            return Err(shards.damaged("the parts have not as many polarities as they tell".to_owned()).into());
        }
        let seed = global.seed.unwrap_or_else(SplitMix::fresh_seed);
        parameters["seed"] = json!(global.verify.then_some(JsonInteger(seed.into())));
        let mut report = merged.report(Report::new(COMMAND, parameters, terms), false)?;
        if global.verify {
            shards.check_inputs()?;
            progress::step(format!("reading {}", input::name(&self.file)));
            report.verification = Some(Function::read(self)?.check(&report.result)?);
            report.verified = Some(true);
        }
        write(self, report, global)
    }
}

/// Bits 64 a word.
fn packed(bits: &[u8]) -> Vec<u64> {
    let word = |bits: &[u8]| bits.iter().rev().fold(0, |word, &bit| word << 1 | u64::from(bit));
    bits.chunks(64).map(word).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn terms_of_ranges_are_those_of_all(n in 0u32..8, from in 0usize..200, to in 0usize..200, seed: u64) {
            let mut random = SplitMix::new(seed);
            let len = 1usize << n;
            let range = from.min(len)..to.min(len).max(from.min(len));
            let bits = Function::Boolean((0..len).map(|_| (random.next_word() >> 63) as u8).collect());
            prop_assert_eq!(&bits.terms_within(&range).unwrap()[..], &bits.terms().unwrap()[range.clone()]);
            let values = Function::Integer((0..len).map(|_| random.next_word() as i64 >> 62).collect());
            prop_assert_eq!(&values.terms_within(&range).unwrap()[..], &values.terms().unwrap()[range]);
        }
    }

    #[test]
    fn bits_are_packed_lowest_first() {
        assert_eq!(packed(&[1, 0, 0, 1, 1, 1, 0, 1]), [0xB9]);
        let mut bits = [0; 128];
        (bits[63], bits[64]) = (1, 1);
        assert_eq!(packed(&bits), [1 << 63, 1]);
    }
}
