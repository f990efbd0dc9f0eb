//! `manycore spectrum walsh`.

mod integers;
mod reals;

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use manycore::device::Kind;
use manycore::{Algorithm, Device, Direction, Order, Scalar, Spectral, Walsh, WalshError};
use serde_json::json;

use crate::arguments::Global;
use crate::commands::label;
use crate::error::Error;
use crate::input::{self, InputError};
use crate::output::{self, JsonInteger, Report};
use crate::progress::Progress;
use crate::vector::{NumberType, Vector};
use crate::verify::{Shape, SplitMix};

/// The arguments of `spectrum walsh`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The values: text (numbers separated by white space or commas, # begins a comment) or .npy; - is standard input
    pub file: PathBuf,

    /// The inverse: from coefficients to values
    ///
    /// Integers must be a spectrum of integers, so that the division by the length is exact; with --wrap the division
    /// rounds down.
    #[arg(long)]
    pub inverse: bool,

    /// The order of the coefficients
    #[arg(long, default_value = "hadamard", value_parser = orders())]
    pub order: Order,

    /// How to compute: in place, or between two buffers; without it, the one that suits the order
    #[arg(long, value_enum)]
    pub algorithm: Option<AlgorithmName>,

    /// Compute in this type; without it, i64 for integers, f64 for text with fractions, an array's own floating-point type
    #[arg(long = "type", value_enum, value_name = "TYPE")]
    pub number_type: Option<NumberType>,

    /// Transform each run of so many values by itself; a power of two
    #[arg(long, value_name = "LEN")]
    pub batch: Option<usize>,

    /// Let integers wrap modulo 2^32 or 2^64, where otherwise a spectrum that might not fit its type is refused
    #[arg(long)]
    pub wrap: bool,
}

/// What `--help` says first.
pub(super) const LONG_ABOUT: &str = "\
The Walsh-Hadamard transform of 2^n values

Coefficient w is the sum of the values x(i), each negated where w and i have an odd number of ones in common. The order \
is that of w: hadamard (natural), dyadic (bit-reversed), or sequency (by the number of sign changes). The result is one \
number a line; a .npy file with -o NAME.npy; one JSON object with --json.

Integers are computed exactly: values whose sizes add up to more than the type holds are refused, unless --wrap is given.";

/// What `--help` says last.
pub(super) const AFTER_HELP: &str = "\
What --verify checks, in time proportional to the length:
  integers   Both sides of y = W x at a random point modulo primes near 2^61. A wrong result passes with a chance below \
(n + number of transforms) / 2^60.
  --wrap     For each transform the sum of the coefficients, the sum of their squares, and one coefficient by the \
definition, modulo 2^32 or 2^64. One wrong coefficient is always found; several pass if their errors cancel in both sums \
and the chosen one is right.
  f32, f64   The same three relations within the rounding of the algorithm, about n + 4 roundoffs of the norm. Smaller \
errors pass, and larger ones as with --wrap.

Examples:
  echo 1 0 1 0 | manycore spectrum walsh -
  manycore spectrum walsh x.npy --order sequency --verify -o spectrum.npy
  manycore spectrum walsh table.txt --batch 256 --json";

pub(crate) fn orders() -> impl TypedValueParser<Value = Order> {
    PossibleValuesParser::new(Order::ALL.map(Order::name)).try_map(|name| name.parse::<Order>())
}

/// The names of the algorithms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AlgorithmName {
    /// In place; orders other than hadamard by a permutation afterwards
    CooleyTukey,
    /// Between two buffers that swap; sequency and dyadic order without a permutation
    ConstantGeometry,
}

impl AlgorithmName {
    /// What the library takes for an order.
    fn suited(order: Order) -> Self {
        match Walsh::new().order(order).algorithm_for_order() {
            Algorithm::CooleyTukey => Self::CooleyTukey,
            Algorithm::ConstantGeometry => Self::ConstantGeometry,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::CooleyTukey => "cooley-tukey",
            Self::ConstantGeometry => "constant-geometry",
        }
    }

    pub(crate) fn algorithm(self) -> Algorithm {
        match self {
            Self::CooleyTukey => Algorithm::CooleyTukey,
            Self::ConstantGeometry => Algorithm::ConstantGeometry,
        }
    }
}

/// One run of the command: what to compute, and how.
struct Job<'a> {
    /// What messages call the input.
    file: String,
    shape: Shape,
    algorithm: AlgorithmName,
    direction: Direction,
    wrap: bool,
    device: Device,
    /// The choices of `--verify`, if it is on.
    random: Option<SplitMix>,
    progress: &'a Progress,
}

/// A transform and its times.
struct Computed<T> {
    values: Vec<T>,
    seconds: f64,
    transfer_seconds: f64,
    predicted_seconds: f64,
}

/// Reads the values, transforms them, checks the result where asked to, and writes it.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    output::check_form(global)?;
    let progress = Progress::new(global.quiet);
    let device = Device::select(&global.device)?;
    let file = input::name(&arguments.file);
    progress.step(format!("reading {file}"));
    let vector = input::vector(&arguments.file, arguments.number_type)?;
    let (total, number_type) = (vector.len(), vector.number_type());
    let shape = Shape { len: transform_len(arguments, &file, total)?, order: arguments.order };
    let seed = global.seed.unwrap_or_else(SplitMix::fresh_seed);
    let algorithm = arguments.algorithm.unwrap_or_else(|| AlgorithmName::suited(arguments.order));
    let mut job = Job {
        file,
        shape,
        algorithm,
        direction: if arguments.inverse { Direction::Inverse } else { Direction::Forward },
        wrap: arguments.wrap,
        device,
        random: global.verify.then(|| SplitMix::new(seed)),
        progress: &progress,
    };
    let (result, times) = match vector {
        Vector::I32(x) => in_vector(Vector::I32, integers::transform(&x, &mut job)?),
        Vector::I64(x) => in_vector(Vector::I64, integers::transform(&x, &mut job)?),
        Vector::F32(x) => in_vector(Vector::F32, reals::transform(&x, &mut job)?),
        Vector::F64(x) => in_vector(Vector::F64, reals::transform(&x, &mut job)?),
    };
    job.progress.step("writing");
    let parameters = json!({
        "type": number_type.to_string(),
        "length": shape.len,
        "transforms": total / shape.len,
        "order": shape.order.name(),
        "direction": if arguments.inverse { "inverse" } else { "forward" },
        "wrap": arguments.wrap,
        "seed": global.verify.then_some(JsonInteger(seed.into())),
    });
    let report = Report {
        device: Some(label(&job.device)),
        algorithm: Some(algorithm.name()),
        seconds: Some(times.seconds),
        transfer_seconds: Some(times.transfer_seconds),
        predicted_seconds: Some(times.predicted_seconds),
        verified: global.verify.then_some(true),
        ..Report::new("spectrum walsh", parameters, result)
    };
    output::write_vector(global, &report)
}

/// The values as a vector of their type, and the times without them.
fn in_vector<T>(vector: impl Fn(Vec<T>) -> Vector, computed: Computed<T>) -> (Vector, Computed<()>) {
    let Computed { values, seconds, transfer_seconds, predicted_seconds } = computed;
    (vector(values), Computed { values: Vec::new(), seconds, transfer_seconds, predicted_seconds })
}

/// The length of one transform of `total` values.
fn transform_len(arguments: &Arguments, file: &str, total: usize) -> Result<usize, Error> {
    let file = file.to_owned();
    match arguments.batch {
        Some(len) if !len.is_power_of_two() => {
            Err(Error::Usage(format!("--batch {len}: the length of a transform must be a power of two")))
        }
        Some(batch) if !total.is_multiple_of(batch) => Err(InputError::Batch { file, len: total, batch }.into()),
        Some(batch) => Ok(batch),
        None if !total.is_power_of_two() => Err(InputError::NotPowerOfTwo { file, len: total }.into()),
        None => Ok(total),
    }
}

/// Transforms `x` on the job's device, in this direction.
fn compute<T: Scalar>(x: &[T], job: &Job<'_>, direction: Direction) -> Result<Computed<T>, Error> {
    job.progress.step(format!("transforming {} values on {}", x.len(), label(&job.device)));
    let how = Walsh::new()
        .order(job.shape.order)
        .algorithm(job.algorithm.algorithm())
        .direction(direction)
        .batch(job.shape.len);
    let spectral = Spectral::new(&job.device);
    let predicted_seconds = spectral.explain_walsh::<T>(x.len(), &how)?.best().prediction.seconds;
    let (values, profile) = job.device.profile(|| {
        let mut buffer = job.device.upload(x)?;
        spectral.walsh(&mut buffer, &how)?;
        Ok::<_, WalshError>(buffer.download()?)
    })?;
    Ok(Computed {
        values: values?,
        seconds: profile.span_seconds(),
        transfer_seconds: profile.seconds(Kind::Upload) + profile.seconds(Kind::Download),
        predicted_seconds,
    })
}

/// The error of a result that `--verify` finds wrong.
fn wrong(job: &Job<'_>, reason: &str) -> Error {
    Error::Wrong { device: label(&job.device), reason: reason.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn algorithms_and_their_names() {
        assert_eq!(AlgorithmName::suited(Order::Hadamard), AlgorithmName::CooleyTukey);
        assert_eq!(AlgorithmName::suited(Order::Sequency), AlgorithmName::ConstantGeometry);
        for name in AlgorithmName::value_variants() {
            assert_eq!(name.to_possible_value().unwrap().get_name(), name.name());
        }
    }
}
