//! `manycore spectrum`: the spectra of a vector, one file a transform.

pub mod ntt;
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
    /// The number-theoretic transform of 2^n residues modulo a prime
    #[command(long_about = ntt::LONG_ABOUT, after_long_help = ntt::AFTER_HELP)]
    Ntt(ntt::Arguments),
}

/// Computes the spectrum that was asked for.
///
/// # Errors
/// Whatever the transform fails with.
pub fn run(transform: &Transform, global: &Global) -> Result<(), Error> {
    match transform {
        Transform::Walsh(arguments) => walsh::run(arguments, global),
        Transform::Ntt(arguments) => ntt::run(arguments, global),
    }
}
