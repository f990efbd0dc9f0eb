//! `manycore matrix det`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use manycore::device::DeviceSet;
use manycore::field::ResidueWord as _;
use manycore::linalg::exact::{self, Certainty, ExactDeterminant};
use manycore::linalg::file::Dense;
use manycore::linalg::real::{self, Pivoting, RealDeterminant, RealOptions, Scaled};
use manycore::verify::{CheckError, Outcome, Passed, SplitMix, matrix};
use manycore::{Device, LinalgError, LinearAlgebra, Matrix, MatrixField};
use serde_json::json;

use super::exact::checked;
use super::job::{self, Computed, Done, Made, OfBits, Work};
use super::shards;
use super::value::Value;
use crate::arguments::{Global, modulus};
use crate::commands::choice::Operation;
use crate::commands::choice::matrices::MatrixOrderArguments;
use crate::commands::label;
use crate::commands::several::{Devices, one};
use crate::error::Error;
use crate::input;
use crate::output::{self, JsonInteger};
use crate::progress;
use crate::shard;
use crate::verification::{announce, verified};

/// The arguments of `matrix det`.
#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("kind").required(true).args(["modulus", "exact", "real"])))]
pub struct Arguments {
    /// The matrix: text (a row a line, # begins a comment), Matrix Market, SMS, Harwell-Boeing or .npy; - is standard input
    pub m: PathBuf,

    /// Modulo a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1
    #[arg(long, value_name = "P", value_parser = modulus)]
    pub modulus: Option<u64>,

    /// Over the integers
    #[arg(long)]
    pub exact: bool,

    /// In double precision
    #[arg(long)]
    pub real: bool,

    /// With --exact: stop early, once the chance of a wrong result is below 2^-BITS; without it the result is proved
    #[arg(long, value_name = "BITS", requires = "exact")]
    pub probable: Option<u32>,

    /// With --real: the pivot rule
    #[arg(long, value_name = "RULE", requires = "real", default_value = "partial")]
    pub pivoting: Rule,
}

/// Which entry is a pivot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Rule {
    /// The first of its row that is not 0
    First,
    /// The nearest to 1.0 of its row, as in the thesis
    ClosestToOne,
    /// The largest of its row
    Partial,
    /// The largest of the matrix
    Complete,
}

impl Rule {
    fn pivoting(self) -> (Pivoting, &'static str) {
        match self {
            Self::First => (Pivoting::First, "first"),
            Self::ClosestToOne => (Pivoting::ClosestToOne, "closest-to-one"),
            Self::Partial => (Pivoting::Partial, "partial"),
            Self::Complete => (Pivoting::Complete, "complete"),
        }
    }
}

/// What `--help` says first.
pub(super) const LONG_ABOUT: &str = "\
The determinant of a square matrix

Modulo a prime, one residue; with --exact over the integers, by Chinese remainders, a decimal number; with --real in double \
precision, a number with an exponent of any size and a proved bound of its error: the digits that are known, +/-, and the bound, \
which counts the digits left out; all digits of both in the JSON object of --json.";

/// What `--help` says last.
pub(super) const AFTER_HELP: &str = "\
--verify computes a determinant modulo a prime a second time, on the host, of the transposed matrix in a random order of rows and \
columns; one over the integers so modulo random primes of 61 bits, with a chance of a wrong one below 2^-64. One in double \
precision is computed again on the host, to the last bit, and has to be within its bound of the exact determinant, by Chinese \
remainders, or where that takes long (past order 300 or so) of one of the transposed matrix in a random order.

--shard splits the primes that prove a determinant with --exact.

Examples:
  printf '1 2\\n3 4\\n' | manycore matrix det - --modulus 101
  manycore matrix det m.mtx --exact --verify
  manycore matrix det hilbert.txt --real --pivoting complete --json";

/// How refusals of real matrices are checked, as reports name it.
const REFUSED: &str = "second computation on the host";

/// Computes a determinant.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    match arguments.modulus {
        Some(modulus) => job::run(&Determinant, &[&arguments.m], modulus, global),
        None if arguments.exact => over_integers(arguments, global),
        None => in_double_precision(arguments, global),
    }
}

struct Determinant;

impl Work for Determinant {
    const COMMAND: &'static str = "matrix det";
    const STEP: &'static str = "computing the determinant";

    fn operation(&self, shapes: &[[usize; 2]], modulus: u64) -> Option<Operation> {
        job::order(shapes).map(|n| Operation::MatrixDet(MatrixOrderArguments { n, modulus }))
    }

    fn compute<F: MatrixField>(
        &self,
        space: &LinearAlgebra<F>,
        matrices: &[Matrix<F>],
    ) -> Result<Computed, LinalgError> {
        Ok(Value::Integer(space.determinant(&matrices[0])?.as_u64()).into())
    }

    const IS_SHARED: bool = true;

    fn share<F: MatrixField>(
        &self,
        devices: &DeviceSet,
        field: &F,
        matrices: &[Dense<F::Element>],
    ) -> Result<Computed, LinalgError> {
        let a = &matrices[0];
        square(a)?;
        Ok(Value::Integer(LinearAlgebra::determinant_on(devices, field, a.rows, &a.entries)?.as_u64()).into())
    }

    const OF_BITS: Option<OfBits<Self>> =
        Some(|_, space, matrices| Ok(Value::Integer(space.determinant(&matrices[0])?.into()).into()));

    fn check_seconds<F: MatrixField>(&self, done: &Done<'_, F>) -> f64 {
        let a = &done.matrices[0];
        matrix::elimination_seconds(done.p, (a.rows, a.columns))
    }

    fn check<F: MatrixField>(&self, done: &Done<'_, F>) -> Outcome {
        let a = &done.matrices[0];
        let found = done.words().first().copied().unwrap_or(F::Element::from_u64(0));
        matrix::determinant(done.p, a.rows, &a.entries, found, &mut SplitMix::new(done.seed))
    }
}

/// Refuses a matrix that is not square.
pub(super) fn square<T>(matrix: &Dense<T>) -> Result<(), LinalgError> {
    let &Dense { rows, columns, .. } = matrix;
    if rows == columns { Ok(()) } else { Err(LinalgError::NotSquare { operation: "determinant", rows, columns }) }
}

fn over_integers(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    output::check_form(global)?;
    let devices = Devices::new(global)?;
    let files = [arguments.m.as_path()];
    progress::step(format!("reading {}", input::name(&arguments.m)));
    let read: Dense<num_bigint::BigInt> = input::matrix(&arguments.m)?;
    square(&read).map_err(|error| job::of_files(error, &files))?;
    progress::compute(format!("computing the determinant on {}", label(&devices)));
    if let Some(turn) = shard::turn(global) {
        return shards::write(global, &devices, &read, turn).map_err(|error| match error {
            Error::Linalg(error) => job::of_files(error, &files),
            error => error,
        });
    }
    let seed = global.seed.unwrap_or_else(SplitMix::fresh_seed);
    let certainty = arguments.probable.map_or(Certainty::Proved, |bits| Certainty::Probable { bits, seed });
    let determinant = || exact::determinant_on(devices.set(), read.rows, &read.entries, certainty);
    let (outcome, spent) = devices.measured(determinant)?;
    let found = outcome.map_err(|error| job::of_files(error, &files))?;
    let verification = if global.verify {
        progress::step("verifying");
        announce(exact::check_seconds(read.rows, &read.entries), global.quiet);
        // Other primes than those that the determinant was computed with.
        let outcome = checked(exact::check(read.rows, &read.entries, &found.value, !seed))?;
        Some(verified(outcome, &devices)?)
    } else {
        None
    };
    let is_random = global.verify || arguments.probable.is_some();
    let parameters = parameters(read.rows, &found, is_random.then_some(seed));
    let made = Made {
        command: "matrix det",
        device: label(&devices),
        algorithm: Some(ALGORITHM),
        spent,
        verification,
        modulus: None,
    };
    job::write(global, made, parameters, Value::Decimal(found.value.to_string()))
}

/// How determinants over the integers are computed.
pub(super) const ALGORITHM: &str = "chinese-remainders";

/// What a report says of a determinant over the integers.
pub(super) fn parameters(order: usize, found: &ExactDeterminant, seed: Option<u64>) -> serde_json::Value {
    json!({
        "shapes": [[order, order]],
        "primes": found.primes,
        "proved": found.is_proved,
        "seed": seed.map(|seed| JsonInteger(seed.into())),
    })
}

fn in_double_precision(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    output::check_form(global)?;
    let device = one(global)?;
    let files = [arguments.m.as_path()];
    progress::step(format!("reading {}", input::name(&arguments.m)));
    let read: Dense<f64> = input::matrix(&arguments.m)?;
    square(&read).map_err(|error| job::of_files(error, &files))?;
    progress::compute(format!("computing the determinant on {}", label(&device)));
    let seed = global.seed.unwrap_or_else(SplitMix::fresh_seed);
    let (pivoting, name) = arguments.pivoting.pivoting();
    let options = RealOptions { pivoting, bound: true };
    let (outcome, profile) = device.profile(|| real::determinant(&device, read.rows, &read.entries, options))?;
    let found = match outcome {
        Err(error @ (LinalgError::NotFinite { .. } | LinalgError::Overflow { .. })) if global.verify => {
            progress::step("verifying");
            let second = real::determinant(&Device::host(), read.rows, &read.entries, options);
            verified(same_refusal(&error, second.as_ref()), &device)?;
            return Err(job::of_files(error, &files));
        }
        outcome => outcome.map_err(|error| job::of_files(error, &files))?,
    };
    let verification = if global.verify {
        progress::step("verifying");
        Some(verified(check(&read, &found, options, seed)?, &device)?)
    } else {
        None
    };
    let parameters = json!({
        "shapes": [[read.rows, read.columns]],
        "pivoting": name,
        "seed": global.verify.then_some(JsonInteger(seed.into())),
    });
    let made = Made {
        command: "matrix det",
        device: label(&device),
        algorithm: Some("condensation"),
        spent: (&profile).into(),
        verification,
        modulus: None,
    };
    job::write(global, made, parameters, Value::Real(found))
}

/// Whether a second computation refuses the matrix too, for the same reason.
fn same_refusal(error: &LinalgError, second: Result<&RealDeterminant, &LinalgError>) -> Outcome {
    // An entry that is no number does not equal itself.
    if second.is_err_and(|second| second.to_string() == error.to_string()) {
        return Ok(Passed::by_second_computation(REFUSED));
    }
    Err(CheckError::Relation { relation: format!("the answer \"{error}\"") })
}

/// Whether a determinant and its bound are those of a second computation on the host, to the last bit, and the determinant of the
/// matrix as it was read is within the bound.
fn check(read: &Dense<f64>, found: &RealDeterminant, options: RealOptions, seed: u64) -> Result<Outcome, Error> {
    let second = match real::determinant(&Device::host(), read.rows, &read.entries, options) {
        Err(error @ (LinalgError::NotFinite { .. } | LinalgError::Overflow { .. })) => {
            let relation = format!("that the determinant can be computed, where on the host {error}");
            return Ok(Err(CheckError::Relation { relation }));
        }
        second => second?,
    };
    if *found != second {
        // With all digits: the last bits may be the only ones that differ.
        let number = |x: Scaled| format!("{} 2^{}", x.mantissa, x.exponent);
        let text = |determinant: &RealDeterminant| match determinant.error_bound {
            Some(bound) if found.value == second.value => {
                format!("{} within {}", number(determinant.value), number(bound))
            }
            _ => number(determinant.value),
        };
        return Ok(Err(CheckError::Value { run: 0, index: 0, found: text(found), expected: text(&second) }));
    }
    Ok(checked(real::check(read.rows, &read.entries, found, seed))?)
}
