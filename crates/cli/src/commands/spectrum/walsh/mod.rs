//! `manycore spectrum walsh`.

mod integers;
mod reals;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use manycore::spectral::walsh::walsh_over;
use manycore::{Direction, Order, Scalar, Spectral, Walsh};
use serde_json::json;

use super::job::{AlgorithmName, Computed, Input, Job};
use crate::arguments::Global;
use crate::commands::choice::Operation;
use crate::commands::choice::spectral::WalshArguments;
use crate::error::Error;
use crate::input::{self, mapped};
use crate::output;
use crate::vector::{NumberType, Vector, number_types};
use manycore::verify::walsh::Shape;

/// The arguments of `spectrum walsh`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Where the values are.
    #[command(flatten)]
    pub input: Input,

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
    #[arg(long = "type", value_name = "TYPE", value_parser = number_types())]
    pub number_type: Option<NumberType>,

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

Integers are computed exactly: values that have a coefficient past the type are refused, unless --wrap is given. An inverse \
divides its coefficients by 2^n at the end: those times 2^n must fit the type.

A .npy array larger than memory, or --memory, is left in its file where the result goes to one, beside which the disk must have room \
for it once more.";

/// What `--help` says last.
pub(super) const AFTER_HELP: &str = "\
What --verify checks, on the host, of the values that are written:
  integers   Both sides of y = W x at a random point modulo primes near 2^61, in time proportional to the length. A wrong \
result passes with a chance below (n + number of transforms) / 2^60.
  --wrap     Every value, by the plain loop; no wrong value passes.
  f32, f64   Every value, by the plain loop in double precision, within n + 2 roundoffs of the sum of the absolute values of \
its terms.

Examples:
  echo 1 0 1 0 | manycore spectrum walsh -
  manycore spectrum walsh x.npy --order sequency --verify -o spectrum.npy
  manycore spectrum walsh table.txt --batch 256 --json";

pub(crate) fn orders() -> impl TypedValueParser<Value = Order> {
    PossibleValuesParser::new(Order::ALL.map(Order::name)).try_map(|name| name.parse::<Order>())
}

/// One run of the command.
struct Work<'a> {
    job: Job<'a>,
    shape: Shape,
    algorithm: AlgorithmName,
    wrap: bool,
}

impl<'a> Work<'a> {
    /// The work on so many values.
    fn new(mut job: Job<'a>, arguments: &Arguments, len: usize, number_type: NumberType) -> Self {
        let &Arguments { order, algorithm, wrap, .. } = arguments;
        job.choose_device(len, |sizes| Operation::Walsh(WalshArguments { sizes, number_type, order, algorithm }));
        let suited = AlgorithmName::of(Walsh::new().order(order).algorithm_for_order());
        Self { shape: Shape { len: job.len, order }, algorithm: job.algorithm(algorithm, suited), job, wrap }
    }

    /// Transforms `x` on the job's device, in this direction.
    fn compute<T: Scalar>(&self, x: &[T], direction: Direction) -> Result<Computed<T>, Error> {
        // Integers that may not wrap have been looked at, with their file.
        let how = Walsh::new().wrapping().order(self.shape.order).algorithm(self.algorithm.algorithm());
        let how = how.direction(direction).batch(self.shape.len);
        let spectral = Spectral::new(&self.job.device);
        self.job.compute_over(
            x,
            || Ok(spectral.explain_walsh::<T>(x.len(), &how)?.best().estimate.seconds),
            |buffer| spectral.walsh(buffer, &how),
            |set, values| {
                let blocks = self.job.by_blocks(set, self.shape.order != Order::Hadamard)?;
                walsh_over(blocks.as_ref().unwrap_or(set), values, &how)
            },
        )
    }
}

/// Reads the values, transforms them, checks the result where asked to, and writes it.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    let mut job = Job::shared(global, &arguments.input.file, arguments.inverse)?;
    let path = &arguments.input.file;
    if let Some(left) = job.leave(path, arguments.number_type)? {
        job.cut(arguments.input.batch, left.len())?;
        let work = Work::new(job, arguments, left.len(), left.number_type());
        return match left.number_type() {
            NumberType::I32 => mapped::write(global, &integers::transform(&left.map::<i32>()?, &work)?.values),
            NumberType::I64 => mapped::write(global, &integers::transform(&left.map::<i64>()?, &work)?.values),
            NumberType::F32 => mapped::write(global, &reals::transform(&left.map::<f32>()?, &work)?.values),
            NumberType::F64 => mapped::write(global, &reals::transform(&left.map::<f64>()?, &work)?.values),
        };
    }
    let vector = input::vector(path, arguments.number_type)?;
    let (total, number_type) = (vector.len(), vector.number_type());
    job.cut(arguments.input.batch, total)?;
    let Some(vector) = job.part_of_vector(vector) else { return job.write_none() };
    let work = Work::new(job, arguments, vector.len(), number_type);
    let result = match vector {
        Vector::I32(x) => integers::transform(&x, &work)?.split(Vector::I32),
        Vector::I64(x) => integers::transform(&x, &work)?.split(Vector::I64),
        Vector::F32(x) => reals::transform(&x, &work)?.split(Vector::F32),
        Vector::F64(x) => reals::transform(&x, &work)?.split(Vector::F64),
    };
    let parameters =
        json!({ "type": number_type.to_string(), "order": work.shape.order.name(), "wrap": arguments.wrap });
    let report = work.job.report("spectrum walsh", Some(work.algorithm.name()), total, &parameters, result);
    output::write_vector(global, &report)
}
