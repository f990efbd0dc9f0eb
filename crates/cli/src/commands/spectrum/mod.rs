//! `manycore spectrum`: the spectra of a vector, one file a transform.

pub mod arithmetic;
pub mod fourier;
pub mod haar;
pub mod job;
pub mod kronecker;
pub mod ntt;
pub mod polarities;
pub mod reed_muller;
pub mod walsh;

use clap::Subcommand;

use crate::arguments::Global;
use crate::error::Error;
use crate::shard::{Shards, Split, array};

/// The transforms.
#[derive(Debug, Subcommand)]
pub enum Transform {
    /// The Walsh-Hadamard transform of 2^n values
    #[command(long_about = walsh::LONG_ABOUT, after_long_help = walsh::AFTER_HELP)]
    Walsh(walsh::Arguments),
    /// The Reed-Muller transform of 2^n values 0 and 1: the algebraic normal form
    #[command(long_about = reed_muller::LONG_ABOUT, after_long_help = reed_muller::AFTER_HELP)]
    ReedMuller(reed_muller::Arguments),
    /// The arithmetic transform of 2^n values: the integer polynomial
    #[command(long_about = arithmetic::LONG_ABOUT, after_long_help = arithmetic::AFTER_HELP)]
    Arithmetic(arithmetic::Arguments),
    /// The Haar transform of 2^n values
    #[command(long_about = haar::LONG_ABOUT, after_long_help = haar::AFTER_HELP)]
    Haar(haar::Arguments),
    /// The fixed polarity in which a function's polynomial has the fewest terms
    #[command(long_about = polarities::LONG_ABOUT, after_long_help = polarities::AFTER_HELP)]
    Polarities(polarities::Arguments),
    /// The number-theoretic transform of 2^n residues modulo a prime
    #[command(long_about = ntt::LONG_ABOUT, after_long_help = ntt::AFTER_HELP)]
    Ntt(ntt::Arguments),
    /// The Fourier transform of functions on a finite Abelian group
    #[command(long_about = fourier::LONG_ABOUT, after_long_help = fourier::AFTER_HELP)]
    Fourier(fourier::Arguments),
    /// The Kronecker product of small matrices, times vectors
    #[command(long_about = kronecker::LONG_ABOUT, after_long_help = kronecker::AFTER_HELP)]
    Kronecker(kronecker::Arguments),
}

/// How the work of a transform splits into shards: by vectors, and that of polarities by runs of them.
pub(crate) fn split(transform: &Transform) -> &dyn Split {
    match transform {
        Transform::Polarities(arguments) => arguments,
        Transform::Walsh(_)
        | Transform::ReedMuller(_)
        | Transform::Arithmetic(_)
        | Transform::Haar(_)
        | Transform::Ntt(_)
        | Transform::Fourier(_)
        | Transform::Kronecker(_) => transform,
    }
}

impl Split for Transform {
    fn merge(&self, shards: &Shards, global: &Global) -> Result<(), Error> {
        let command = match self {
            Self::Walsh(_) => "spectrum walsh",
            Self::ReedMuller(_) => "spectrum reed-muller",
            Self::Arithmetic(_) => "spectrum arithmetic",
            Self::Haar(_) => "spectrum haar",
            Self::Polarities(arguments) => return arguments.merge(shards, global),
            Self::Ntt(_) => "spectrum ntt",
            Self::Fourier(_) => "spectrum fourier",
            Self::Kronecker(_) => "spectrum kronecker",
        };
        array::merge(command, shards, global)
    }
}

/// Computes the spectrum that was asked for.
///
/// # Errors
/// Whatever the transform fails with.
pub fn run(transform: &Transform, global: &Global) -> Result<(), Error> {
    match transform {
        Transform::Walsh(arguments) => walsh::run(arguments, global),
        Transform::ReedMuller(arguments) => reed_muller::run(arguments, global),
        Transform::Arithmetic(arguments) => arithmetic::run(arguments, global),
        Transform::Haar(arguments) => haar::run(arguments, global),
        Transform::Polarities(arguments) => polarities::run(arguments, global),
        Transform::Ntt(arguments) => ntt::run(arguments, global),
        Transform::Fourier(arguments) => fourier::run(arguments, global),
        Transform::Kronecker(arguments) => kronecker::run(arguments, global),
    }
}
