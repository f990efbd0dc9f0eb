//! `manycore spectrum haar`.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use manycore::{Direction, Haar, HaarOrder, Normalization, Scalar, Spectral};
use serde_json::json;

use super::job::{Computed, Input, Job};
use crate::arguments::Global;
use crate::commands::choice::Operation;
use crate::commands::choice::spectral::HaarArguments;
use crate::error::Error;
use crate::input::{self, InputError};
use crate::output;
use crate::vector::{Integer, NumberType, Real, Vector, number_types};
use manycore::verify::CheckError;
use manycore::verify::haar::{self as check, NoInverse, Shape};

/// The arguments of `spectrum haar`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Where the values are.
    #[command(flatten)]
    pub input: Input,

    /// The inverse: from coefficients to values
    ///
    /// Integers must be a spectrum of integers, so that every sum and difference can be halved; with --wrap halves are
    /// rounded down.
    #[arg(long)]
    pub inverse: bool,

    /// The order of the coefficients, which decides how to compute: standard between two buffers, in-place within one
    #[arg(long, default_value = "standard", value_parser = orders())]
    pub order: HaarOrder,

    /// What coefficient 2^j + q is multiplied by: none by 1, orthonormal by 2^((j-n)/2), equal-energy by 2^(j/2)
    #[arg(long, default_value = "none", value_parser = normalizations())]
    pub normalization: Normalization,

    /// Compute in this type; without it, i64 for integers, f64 for text with fractions and where normalised, an array's own
    /// floating-point type
    #[arg(long = "type", value_name = "TYPE", value_parser = number_types())]
    pub number_type: Option<NumberType>,

    /// Let integers wrap modulo 2^32 or 2^64, where otherwise a spectrum that might not fit its type is refused
    #[arg(long)]
    pub wrap: bool,
}

/// What `--help` says first.
pub(super) const LONG_ABOUT: &str = "\
The Haar transform of 2^n values

Coefficient 0 is the sum of all values; coefficient 2^j + q is the sum of the first half of block q of 2^(n-j) values less that \
of the second half. In standard order coefficient 2^j + q stands at that place, in-place amid the values that it tells of, at \
(2q + 1) 2^(n-1-j). Normalised coefficients are floating-point numbers. The result is one number a line; a .npy file with -o \
NAME.npy; one JSON object with --json.

Integers are computed exactly: values that have a coefficient past the type are refused, unless --wrap is given.";

/// What `--help` says last.
pub(super) const AFTER_HELP: &str = "\
--verify computes the transform again on the host, level after level, and compares every value that is written: integers \
exactly, floating-point numbers in double precision within n + 4 roundoffs of the sum of the absolute values of its terms. No \
wrong value passes.

Examples:
  echo 3 1 4 1 5 9 2 6 | manycore spectrum haar -
  manycore spectrum haar x.npy --normalization orthonormal --verify -o spectrum.npy
  manycore spectrum haar spectrum.npy --normalization orthonormal --inverse";

pub(crate) fn orders() -> impl TypedValueParser<Value = HaarOrder> {
    PossibleValuesParser::new(HaarOrder::ALL.map(HaarOrder::name)).try_map(|name| name.parse::<HaarOrder>())
}

fn normalizations() -> impl TypedValueParser<Value = Normalization> {
    let names = PossibleValuesParser::new(Normalization::ALL.map(Normalization::name));
    names.try_map(|name| name.parse::<Normalization>())
}

/// One run of the command.
struct Work<'a> {
    job: Job<'a>,
    shape: Shape,
    how: Haar,
    wrap: bool,
}

/// Reads the values, transforms them, checks the result where asked to, and writes it.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    let &Arguments { order, normalization, wrap, number_type, .. } = arguments;
    let normalised = normalization != Normalization::None;
    if let (true, Some(integer @ (NumberType::I32 | NumberType::I64))) = (normalised, number_type) {
        return Err(Error::Usage(format!(
            "--normalization {normalization}: the coefficients are no integers; use --type f32 or f64 instead of {integer}"
        )));
    }
    let mut job = Job::new(global, &arguments.input.file, arguments.inverse)?;
    let vector = match input::vector(&arguments.input.file, number_type)? {
        Vector::I32(x) if normalised => Vector::F64(x.into_iter().map(f64::from).collect()),
        Vector::I64(x) if normalised => Vector::F64(x.into_iter().map(|value| value as f64).collect()),
        vector => vector,
    };
    let (total, number_type) = (vector.len(), vector.number_type());
    job.cut(arguments.input.batch, total)?;
    let Some(vector) = job.part_of_vector(vector) else { return job.write_none() };
    job.choose_device(vector.len(), |sizes| Operation::Haar(HaarArguments { sizes, number_type, order }));
    // Integers that may not wrap are looked at before, with their file.
    let how = Haar::new().wrapping().order(order).normalization(normalization).direction(job.direction).batch(job.len);
    let shape = Shape { log_len: job.log_len(), order, normalization };
    let work = Work { job, shape, how, wrap };
    let result = match vector {
        Vector::I32(x) => work.integers(&x)?.split(Vector::I32),
        Vector::I64(x) => work.integers(&x)?.split(Vector::I64),
        Vector::F32(x) => work.reals(&x)?.split(Vector::F32),
        Vector::F64(x) => work.reals(&x)?.split(Vector::F64),
    };
    let parameters = json!({
        "type": number_type.to_string(),
        "order": order.name(),
        "normalization": normalization.name(),
        "wrap": wrap,
    });
    let algorithm = match order {
        HaarOrder::Standard => "constant-geometry",
        HaarOrder::InPlace => "cooley-tukey",
    };
    let report = work.job.report("spectrum haar", Some(algorithm), total, &parameters, result);
    output::write_vector(global, &report)
}

impl Work<'_> {
    fn compute<T: Scalar>(&self, x: &[T]) -> Result<Computed<T>, Error> {
        let spectral = Spectral::new(&self.job.device);
        let predicted = spectral.explain_haar::<T>(x.len(), &self.how)?.best().estimate.seconds;
        self.job.compute(x, predicted, |buffer| spectral.haar(buffer, &self.how))
    }

    /// The transforms of integers: exact, or refused, or wrapped.
    fn integers<T: Integer>(&self, x: &[T]) -> Result<Computed<T>, Error> {
        match (self.wrap, self.job.direction) {
            (true, _) => {}
            (false, Direction::Forward) => {
                self.job.refuse_overflow::<T>(|limit| check::largest(x, self.shape, limit))?;
            }
            (false, Direction::Inverse) => self.refuse_no_spectrum(x)?,
        }
        let mut computed = self.compute(x)?;
        let by = if self.wrap { check::wrapping::<T> } else { check::exact::<T> };
        self.job.verify(&mut computed, |y, _| by(x, y, self.job.direction, self.shape))?;
        Ok(computed)
    }

    /// Refuses coefficients that are not those of integers, or whose sums on the way back leave the type.
    fn refuse_no_spectrum<T: Integer>(&self, y: &[T]) -> Result<(), Error> {
        let len = self.job.len;
        for (transform, run) in y.chunks(len).enumerate() {
            match check::comes_back(run, self.shape) {
                Ok(()) => {}
                Err(NoInverse::Sum(bound)) => return Err(self.job.overflow::<T>(transform, bound).into()),
                Err(NoInverse::TooLarge { bytes }) => return Err(Error::Check(CheckError::TooLarge { bytes })),
                Err(NoInverse::Fraction { index, numerator }) => {
                    let (file, index) = (self.job.file.clone(), self.job.first_value() + transform * len + index);
                    return Err(InputError::NotSpectrum { file, index, numerator, len }.into());
                }
            }
        }
        Ok(())
    }

    /// The transforms of floating-point numbers.
    fn reals<T: Real>(&self, x: &[T]) -> Result<Computed<T>, Error> {
        let mut computed = self.compute(x)?;
        self.job.verify(&mut computed, |y, _| check::reals(x, y, self.job.direction, self.shape))?;
        Ok(computed)
    }
}
