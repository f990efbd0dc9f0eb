//! `manycore spectrum arithmetic`.

use clap::Args;
use manycore::spectral::arithmetic::arithmetic_over;
use manycore::{Arithmetic, BitOrder, Scalar, Spectral};
use serde_json::json;

use super::job::{AlgorithmName, Computed, Input, Job, bit_orders, check_polarity, polarity};
use crate::arguments::Global;
use crate::commands::choice::Operation;
use crate::commands::choice::spectral::ArithmeticArguments;
use crate::error::Error;
use crate::input::{self, mapped};
use crate::output::{self, JsonInteger};
use crate::vector::{Integer, NumberType, Real, Vector, number_types};
use manycore::verify::{BitShape, arithmetic};

/// The arguments of `spectrum arithmetic`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Where the values are.
    #[command(flatten)]
    pub input: Input,

    /// The inverse: from coefficients to values
    #[arg(long)]
    pub inverse: bool,

    /// The order of the coefficients
    #[arg(long, default_value = "natural", value_parser = bit_orders())]
    pub order: BitOrder,

    /// The variables that stand complemented in the polynomial, by the set bits; decimal, or hexadecimal after 0x
    #[arg(long, default_value = "0", value_parser = polarity)]
    pub polarity: u64,

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
The arithmetic transform of 2^n values

The coefficients of the polynomial in n variables, each of degree 1 at most, that has the values x(i) where the variables are \
the bits of i: coefficient w, of the product of the variables whose bits are set in w, is the sum of the x(v) for the subsets \
v of w, negated where w has an odd number of ones more. With --polarity the variables at its set bits stand complemented, as 1 \
less the variable. The order is that of w: natural, or reversed (its bits). The result is one number a line; a .npy file with \
-o NAME.npy; one JSON object with --json.

Integers are computed exactly: values that have a coefficient past the type are refused, unless --wrap is given.

A .npy array larger than memory, or --memory, is left in its file where the result goes to one, beside which the disk must have room \
for it once more.";

/// What `--help` says last.
pub(super) const AFTER_HELP: &str = "\
What --verify checks, on the host, of the values that are written:
  integers   Both sides, the sum of the coefficients and that of the values times their weights, at a random point of the \
function's multilinear extension modulo primes near 2^61. A wrong result passes with a chance below \
(n + number of transforms) / 2^60.
  --wrap     Every value, by the plain loop; no wrong value passes.
  f32, f64   Every value, by the plain loop in double precision, within n + 2 roundoffs of the sum of the absolute values of \
its terms.

Examples:
  echo 0 1 1 0 | manycore spectrum arithmetic -
  manycore spectrum arithmetic x.npy --polarity 0x5 --verify -o spectrum.npy
  manycore spectrum arithmetic spectrum.npy --polarity 0x5 --inverse";

/// One run of the command.
struct Work<'a> {
    job: Job<'a>,
    shape: BitShape,
    how: Arithmetic,
    algorithm: AlgorithmName,
    wrap: bool,
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
        let work = Work::new(job, arguments, left.len(), left.number_type())?;
        return match left.number_type() {
            NumberType::I32 => mapped::write(global, &work.integers(&left.map::<i32>()?)?.values),
            NumberType::I64 => mapped::write(global, &work.integers(&left.map::<i64>()?)?.values),
            NumberType::F32 => mapped::write(global, &work.reals(&left.map::<f32>()?)?.values),
            NumberType::F64 => mapped::write(global, &work.reals(&left.map::<f64>()?)?.values),
        };
    }
    let vector = input::vector(path, arguments.number_type)?;
    let (total, number_type) = (vector.len(), vector.number_type());
    job.cut(arguments.input.batch, total)?;
    let Some(vector) = job.part_of_vector(vector) else { return job.write_none() };
    let work = Work::new(job, arguments, vector.len(), number_type)?;
    let result = match vector {
        Vector::I32(x) => work.integers(&x)?.split(Vector::I32),
        Vector::I64(x) => work.integers(&x)?.split(Vector::I64),
        Vector::F32(x) => work.reals(&x)?.split(Vector::F32),
        Vector::F64(x) => work.reals(&x)?.split(Vector::F64),
    };
    let &Arguments { order, polarity, wrap, .. } = arguments;
    let algorithm = work.algorithm;
    let parameters = json!({
        "type": number_type.to_string(),
        "order": order.name(),
        "polarity": JsonInteger(polarity.into()),
        "wrap": wrap,
    });
    let report = work.job.report("spectrum arithmetic", Some(algorithm.name()), total, &parameters, result);
    output::write_vector(global, &report)
}

impl<'a> Work<'a> {
    /// The work on so many values.
    fn new(mut job: Job<'a>, arguments: &Arguments, len: usize, number_type: NumberType) -> Result<Self, Error> {
        let &Arguments { order, polarity, wrap, algorithm: asked, .. } = arguments;
        check_polarity(polarity, job.log_len())?;
        job.choose_device(len, |sizes| {
            Operation::Arithmetic(ArithmeticArguments { sizes, number_type, order, algorithm: asked })
        });
        let algorithm = job.algorithm(asked, AlgorithmName::suited(order));
        // Integers that may not wrap are looked at before, with their file.
        let how = Arithmetic::new().wrapping().order(order).polarity(polarity).algorithm(algorithm.algorithm());
        let how = how.direction(job.direction).batch(job.len);
        let shape = BitShape { variables: job.log_len(), order, polarity };
        Ok(Self { job, shape, how, algorithm, wrap })
    }

    fn compute<T: Scalar>(&self, x: &[T]) -> Result<Computed<T>, Error> {
        let spectral = Spectral::new(&self.job.device);
        self.job.compute_over(
            x,
            || Ok(spectral.explain_arithmetic::<T>(x.len(), &self.how)?.best().estimate.seconds),
            |buffer| spectral.arithmetic(buffer, &self.how),
            |set, values| {
                let blocks = self.job.by_blocks(set, self.shape.order != BitOrder::Natural)?;
                arithmetic_over(blocks.as_ref().unwrap_or(set), values, &self.how)
            },
        )
    }

    /// The transforms of integers: exact, or refused, or wrapped.
    fn integers<T: Integer>(&self, x: &[T]) -> Result<Computed<T>, Error> {
        let (direction, shape) = (self.job.direction, self.shape);
        if !self.wrap {
            self.job.refuse_overflow::<T>(|limit| arithmetic::largest(x, direction, shape, limit))?;
        }
        let mut computed = self.compute(x)?;
        self.job.verify(&mut computed, |y, random| {
            if self.wrap {
                arithmetic::wrapping(x, y, direction, shape)
            } else {
                arithmetic::exact(x, y, direction, shape, random)
            }
        })?;
        Ok(computed)
    }

    /// The transforms of floating-point numbers.
    fn reals<T: Real>(&self, x: &[T]) -> Result<Computed<T>, Error> {
        let mut computed = self.compute(x)?;
        self.job.verify(&mut computed, |y, _| arithmetic::reals(x, y, self.job.direction, self.shape))?;
        Ok(computed)
    }
}
