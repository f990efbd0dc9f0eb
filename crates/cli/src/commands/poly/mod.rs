//! `manycore poly`: polynomials over a prime field, one file an operation.

mod field;
pub mod mul;

use clap::Subcommand;

pub(crate) use field::{Modulus, WithField};

use crate::arguments::Global;
use crate::error::Error;

/// The operations.
#[derive(Debug, Subcommand)]
pub enum Operation {
    /// The product of two polynomials
    #[command(long_about = mul::LONG_ABOUT, after_long_help = mul::AFTER_HELP)]
    Mul(mul::Arguments),
}

/// Does what was asked for.
///
/// # Errors
/// Whatever the operation fails with.
pub fn run(operation: &Operation, global: &Global) -> Result<(), Error> {
    match operation {
        Operation::Mul(arguments) => mul::run(arguments, global),
    }
}
