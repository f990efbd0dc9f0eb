//! `manycore poly`: polynomials over a prime field, one file an operation.
//!
//! | file | what |
//! |---|---|
//! | `mul`, `div`, `gcd`, `xgcd`, `resultant`, `inverse`, `roots`, `factor` | the operations |
//! | `pow`, `compose`, `series` | powers, compositions and shifts, power series |
//! | `eval`, `interpolate` | values at points, and polynomials through them |
//! | `job` | what they have in common |
//! | `refusal` | the check of answers such as that there is no inverse |
//! | `value` | results as text, JSON or `.npy` |
//! | `field` | the field that a modulus names |

pub mod compose;
pub mod div;
pub mod eval;
pub mod factor;
mod field;
pub mod gcd;
pub mod interpolate;
pub mod inverse;
mod job;
pub mod mul;
pub mod pow;
mod refusal;
pub mod resultant;
pub mod roots;
pub mod series;
mod value;
pub mod xgcd;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

pub(crate) use field::{Modulus, WithField};

use crate::arguments::{Global, modulus};
use crate::error::Error;
use crate::shard::Split;

/// The operations.
#[derive(Debug, Subcommand)]
pub enum Operation {
    /// The product of two polynomials
    #[command(long_about = mul::LONG_ABOUT, after_long_help = mul::AFTER_HELP)]
    Mul(mul::Arguments),
    /// Quotient and remainder
    #[command(long_about = div::LONG_ABOUT, after_long_help = div::AFTER_HELP)]
    Div(div::Arguments),
    /// The greatest common divisor
    #[command(long_about = gcd::LONG_ABOUT, after_long_help = gcd::AFTER_HELP)]
    Gcd(gcd::Arguments),
    /// The greatest common divisor with cofactors
    #[command(long_about = xgcd::LONG_ABOUT, after_long_help = xgcd::AFTER_HELP)]
    Xgcd(xgcd::Arguments),
    /// The resultant of two polynomials
    #[command(long_about = resultant::LONG_ABOUT, after_long_help = resultant::AFTER_HELP)]
    Resultant(resultant::Arguments),
    /// The discriminant
    #[command(
        long_about = resultant::DISCRIMINANT_LONG_ABOUT,
        after_long_help = resultant::DISCRIMINANT_AFTER_HELP
    )]
    Discriminant(Single),
    /// The inverse modulo another polynomial
    #[command(long_about = inverse::LONG_ABOUT, after_long_help = inverse::AFTER_HELP)]
    Inverse(inverse::Arguments),
    /// A power
    #[command(long_about = pow::LONG_ABOUT, after_long_help = pow::AFTER_HELP)]
    Pow(pow::Arguments),
    /// The composition of two polynomials
    #[command(long_about = compose::LONG_ABOUT, after_long_help = compose::AFTER_HELP)]
    Compose(compose::Arguments),
    /// The Taylor shift: the polynomial at x + C
    #[command(long_about = compose::SHIFT_LONG_ABOUT, after_long_help = compose::SHIFT_AFTER_HELP)]
    Shift(compose::ShiftArguments),
    /// Inverses, quotients, logarithms, exponentials and roots of power series
    #[command(long_about = series::LONG_ABOUT, after_long_help = series::AFTER_HELP)]
    Series(series::Arguments),
    /// The values at many points
    #[command(long_about = eval::LONG_ABOUT, after_long_help = eval::AFTER_HELP)]
    Eval(eval::Arguments),
    /// The polynomial through points
    #[command(long_about = interpolate::LONG_ABOUT, after_long_help = interpolate::AFTER_HELP)]
    Interpolate(interpolate::Arguments),
    /// The roots in the field
    #[command(long_about = roots::LONG_ABOUT, after_long_help = roots::AFTER_HELP)]
    Roots(Single),
    /// The irreducible factors
    #[command(long_about = factor::LONG_ABOUT, after_long_help = factor::AFTER_HELP)]
    Factor(Single),
}

/// One polynomial and its modulus.
#[derive(Debug, Args)]
pub struct Single {
    /// The coefficients, the constant term first: text (numbers separated by white space or commas, or a sum of terms such as
    /// x^2 - 1; # begins a comment) or .npy; - is standard input
    pub f: PathBuf,

    /// The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1
    #[arg(long, value_name = "P", value_parser = modulus)]
    pub modulus: u64,
}

/// Two polynomials and their modulus.
#[derive(Debug, Args)]
pub struct Pair {
    /// The coefficients of one polynomial, the constant term first: text (numbers separated by white space or commas, or a sum
    /// of terms such as x^2 - 1; # begins a comment) or .npy; - is standard input
    pub a: PathBuf,

    /// The coefficients of the other polynomial
    pub b: PathBuf,

    /// The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1
    #[arg(long, value_name = "P", value_parser = modulus)]
    pub modulus: u64,
}

impl Pair {
    fn files(&self) -> [&Path; 2] {
        [&self.a, &self.b]
    }
}

/// Does what was asked for.
///
/// # Errors
/// Whatever the operation fails with.
pub fn run(operation: &Operation, global: &Global) -> Result<(), Error> {
    match operation {
        Operation::Mul(arguments) => mul::run(arguments, global),
        Operation::Div(arguments) => div::run(arguments, global),
        Operation::Gcd(arguments) => gcd::run(arguments, global),
        Operation::Xgcd(arguments) => xgcd::run(arguments, global),
        Operation::Resultant(arguments) => resultant::run(arguments, global),
        Operation::Discriminant(arguments) => resultant::discriminant(arguments, global),
        Operation::Inverse(arguments) => inverse::run(arguments, global),
        Operation::Pow(arguments) => pow::run(arguments, global),
        Operation::Compose(arguments) => compose::run(arguments, global),
        Operation::Shift(arguments) => compose::shift(arguments, global),
        Operation::Series(arguments) => series::run(arguments, global),
        Operation::Eval(arguments) => eval::run(arguments, global),
        Operation::Interpolate(arguments) => interpolate::run(arguments, global),
        Operation::Roots(arguments) => roots::run(arguments, global),
        Operation::Factor(arguments) => factor::run(arguments, global),
    }
}

/// How the work of an operation splits into shards.
pub(crate) fn split(operation: &Operation) -> Option<&dyn Split> {
    match operation {
        Operation::Eval(arguments) => Some(arguments),
        Operation::Mul(_)
        | Operation::Div(_)
        | Operation::Gcd(_)
        | Operation::Xgcd(_)
        | Operation::Resultant(_)
        | Operation::Discriminant(_)
        | Operation::Inverse(_)
        | Operation::Pow(_)
        | Operation::Compose(_)
        | Operation::Shift(_)
        | Operation::Series(_)
        | Operation::Interpolate(_)
        | Operation::Roots(_)
        | Operation::Factor(_) => None,
    }
}

/// What an operation writes if no array holds it.
pub(crate) fn text_alone(operation: &Operation) -> Option<&'static str> {
    match operation {
        Operation::Div(arguments) if arguments.only.is_none() => Some("a quotient with its remainder (see --only)"),
        Operation::Xgcd(arguments) if arguments.only.is_none() => Some("a divisor with its cofactors (see --only)"),
        Operation::Resultant(_) => Some("a resultant"),
        Operation::Discriminant(_) => Some("a discriminant"),
        Operation::Factor(_) => Some("a factorization"),
        Operation::Mul(_)
        | Operation::Div(_)
        | Operation::Gcd(_)
        | Operation::Xgcd(_)
        | Operation::Inverse(_)
        | Operation::Pow(_)
        | Operation::Compose(_)
        | Operation::Shift(_)
        | Operation::Series(_)
        | Operation::Eval(_)
        | Operation::Interpolate(_)
        | Operation::Roots(_) => None,
    }
}
