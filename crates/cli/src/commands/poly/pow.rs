//! `manycore poly pow`.

use clap::Args;
use manycore::verify::product::composition;
use manycore::verify::{Passed, SplitMix};
use manycore::{Poly, PolyError, PolyField, PolyRing};

use super::job::{self, Computed, Done, Work, residues};
use super::{Single, value::Value};
use crate::arguments::Global;
use crate::error::Error;

/// The arguments of `poly pow`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The polynomial and the modulus.
    #[command(flatten)]
    pub of: Single,

    /// The exponent; the power 0 is 1, also of zero
    #[arg(long, value_name = "K")]
    pub exponent: u64,
}

/// What `--help` says first.
pub(super) const LONG_ABOUT: &str = "\
A power of a polynomial over a prime field

The coefficients of F^K, the constant term first, one a line up to the leading one; a .npy file with -o NAME.npy; a list in the \
JSON object of --json. By squares and products.";

/// What `--help` says last.
pub(super) const AFTER_HELP: &str = "\
--verify compares the value of the coefficients that are written with the power of the value of those that were read, on the \
host, at a random point of an extension of the field: a wrong power passes with a chance below 2^-64.

Examples:
  echo 1 1 | manycore poly pow - --exponent 4 --modulus 7
  manycore poly pow f.npy --exponent 100 --modulus 469762049 --verify -o power.npy";

/// Computes a power.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    job::run(&Power { exponent: arguments.exponent }, &[&arguments.of.f], arguments.of.modulus, global)
}

struct Power {
    exponent: u64,
}

impl Work for Power {
    const COMMAND: &'static str = "poly pow";
    const STEP: &'static str = "computing a power";

    fn compute<F: PolyField>(&self, ring: &PolyRing<F>, polys: &[Poly<F>]) -> Result<Computed, PolyError> {
        Ok(Value::List(residues(ring, &ring.pow(&polys[0], self.exponent)?)?).into())
    }

    fn check<F: PolyField>(&self, done: &Done<'_, F>) -> Result<Passed, PolyError> {
        let (p, random) = (done.ring.field().order(), &mut SplitMix::new(done.seed));
        composition::check_power(p, &done.words[0], self.exponent, &done.part("power"), random)
            .map_err(PolyError::Check)
    }
}
