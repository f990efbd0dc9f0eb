//! `manycore spectrum`: the spectra of a vector, one file a transform.

pub mod walsh;

use clap::Subcommand;

use crate::arguments::Global;
use crate::error::Error;

/// The transforms.
#[derive(Debug, Subcommand)]
pub enum Transform {
    /// The Walsh-Hadamard transform of 2^n values
    #[command(long_about = walsh::LONG_ABOUT, after_long_help = walsh::AFTER_HELP)]
    Walsh(walsh::Arguments),
}

/// Computes the spectrum that was asked for.
///
/// # Errors
/// Whatever the transform fails with.
pub fn run(transform: &Transform, global: &Global) -> Result<(), Error> {
    match transform {
        Transform::Walsh(arguments) => walsh::run(arguments, global),
    }
}
