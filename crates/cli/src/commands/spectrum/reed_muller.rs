//! `manycore spectrum reed-muller`.

use clap::Args;
use manycore::spectral::reed_muller::reed_muller_over;
use manycore::{BitOrder, ReedMuller, Spectral};
use serde_json::{Value, json};

use super::job::{AlgorithmName, Input, Job, bit_orders, check_polarity, polarity};
use crate::arguments::Global;
use crate::commands::choice::Operation;
use crate::commands::choice::spectral::ReedMullerArguments;
use crate::error::Error;
use crate::input::{self, InputError};
use crate::output::{self, Bits, JsonInteger, PackedBits};
use manycore::verify::{BitShape, reed_muller};

/// The arguments of `spectrum reed-muller`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Where the values are.
    #[command(flatten)]
    pub input: Input,

    /// The inverse: from coefficients to values; the transform is its own inverse, except with a polarity
    #[arg(long)]
    pub inverse: bool,

    /// The order of the coefficients
    #[arg(long, default_value = "natural", value_parser = bit_orders())]
    pub order: BitOrder,

    /// The variables that stand complemented in the polynomial, by the set bits; decimal, or hexadecimal after 0x
    #[arg(long, default_value = "0", value_parser = polarity)]
    pub polarity: u64,

    /// How to compute: in place, or between two buffers; without it, the one that suits the order
    #[arg(long, value_enum, conflicts_with = "packed")]
    pub algorithm: Option<AlgorithmName>,

    /// The file holds words of 64 values, hexadecimal after 0x or decimal: bit i of word w is value 64 w + i
    #[arg(long, conflicts_with = "batch")]
    pub packed: bool,

    /// The variables of each packed function, of which a word holds several below 6; without it, one function of all words
    #[arg(long, value_name = "N", requires = "packed")]
    pub variables: Option<u32>,
}

/// What `--help` says first.
pub(super) const LONG_ABOUT: &str = "\
The Reed-Muller transform of 2^n values 0 and 1

The coefficients modulo 2 of the polynomial in n variables (algebraic normal form) that has the values f(i) where the variables \
are the bits of i: coefficient w, of the product of the variables whose bits are set in w, is the exclusive or of the f(v) \
for the subsets v of w. With --polarity the variables at its set bits stand complemented. The order is that of w: natural, or \
reversed (its bits). The result is one number a line, with --packed one word in hexadecimal; a .npy file with -o NAME.npy; one \
JSON object with --json.";

/// What `--help` says last.
pub(super) const AFTER_HELP: &str = "\
--verify compares, on the host and of the values that are written, both sides, the sum of the coefficients and that of the \
values times their weights, at a random point of the field of 2^64 elements, in time proportional to the length. A wrong result \
passes with a chance below \
(n + number of transforms) / 2^64.

Examples:
  echo 1 0 0 1 1 1 0 1 | manycore spectrum reed-muller -
  echo 0xb9 | manycore spectrum reed-muller - --packed --variables 3
  manycore spectrum reed-muller f.npy --polarity 0x5 --verify -o spectrum.npy";

/// Reads the values, transforms them, checks the result where asked to, and writes it.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    let of = if arguments.packed { Job::new } else { Job::shared };
    let job = of(global, &arguments.input.file, arguments.inverse)?;
    if arguments.packed { packed(arguments, global, job) } else { bits(arguments, global, job) }
}

fn parameters(arguments: &Arguments) -> Value {
    json!({
        "order": arguments.order.name(),
        "polarity": JsonInteger(arguments.polarity.into()),
        "packed": arguments.packed,
    })
}

fn bits(arguments: &Arguments, global: &Global, mut job: Job<'_>) -> Result<(), Error> {
    let x = input::bits(&arguments.input.file)?;
    let total = x.len();
    job.cut(arguments.input.batch, total)?;
    let len = job.len;
    let Some(x) = job.part(x, len) else { return job.write_none() };
    let &Arguments { order, polarity, .. } = arguments;
    check_polarity(polarity, job.log_len())?;
    job.choose_device(x.len(), |sizes| Operation::ReedMuller(ReedMullerArguments { sizes, packed: false }));
    let algorithm = arguments.algorithm.unwrap_or_else(|| AlgorithmName::suited(order));
    let how = ReedMuller::new().order(order).polarity(polarity).algorithm(algorithm.algorithm());
    let how = how.direction(job.direction).batch(job.len);
    let spectral = Spectral::new(&job.device);
    let mut computed = job.compute_over(
        &x,
        || Ok(spectral.explain_reed_muller::<u8>(x.len(), &how)?.best().estimate.seconds),
        |buffer| spectral.reed_muller(buffer, &how),
        |set, values| reed_muller_over(set, values, &how),
    )?;
    let shape = shape(&job, arguments);
    job.verify(&mut computed, |y, random| reed_muller::bits(&x, y, job.direction, shape, random))?;
    let report =
        job.report("spectrum reed-muller", Some(algorithm.name()), total, &parameters(arguments), computed.split(Bits));
    output::write_bits(global, &report)
}

fn packed(arguments: &Arguments, global: &Global, mut job: Job<'_>) -> Result<(), Error> {
    let &Arguments { order, polarity, .. } = arguments;
    if order != BitOrder::Natural {
        return Err(Error::Usage(format!("--order {order}: packed spectra are in natural order")));
    }
    let x = input::words(&arguments.input.file)?;
    let (words, file) = (x.len(), job.file.clone());
    let variables = match arguments.variables {
        Some(variables) => variables,
        None if words.is_power_of_two() => 6 + words.ilog2(),
        None => return Err(InputError::NotPowerOfTwo { file, len: 64 * words }.into()),
    };
    if variables >= usize::BITS || !words.is_multiple_of(1 << variables.saturating_sub(6)) {
        return Err(InputError::Words { file, words, variables }.into());
    }
    check_polarity(polarity, variables)?;
    job.len = 1 << variables;
    let Some(x) = job.part(x, 1 << variables.saturating_sub(6)) else { return job.write_none() };
    let values = 64 * x.len();
    job.choose_device(values, |sizes| Operation::ReedMuller(ReedMullerArguments { sizes, packed: true }));
    let how = ReedMuller::new().polarity(polarity).direction(job.direction);
    let spectral = Spectral::new(&job.device);
    let predicted = spectral.explain_reed_muller_packed(x.len(), variables, &how)?.best().estimate.seconds;
    let mut computed = job.compute(&x, predicted, |buffer| spectral.reed_muller_packed(buffer, variables, &how))?;
    let shape = shape(&job, arguments);
    job.verify(&mut computed, |y, random| reed_muller::words(&x, y, job.direction, shape, random))?;
    let report =
        job.report("spectrum reed-muller", None, 64 * words, &parameters(arguments), computed.split(PackedBits));
    output::write_packed(global, &report)
}

/// What checks know of the transforms.
fn shape(job: &Job<'_>, arguments: &Arguments) -> BitShape {
    BitShape { variables: job.log_len(), order: arguments.order, polarity: arguments.polarity }
}
