//! `manycore poly xgcd`.

use clap::{Args, ValueEnum};
use manycore::verify::Passed;
use manycore::{Poly, PolyError, PolyField, PolyRing};

use super::Pair;
use super::gcd::check_divisor;
use super::job::{self, Computed, Done, Work, residues};
use super::value::Value;
use crate::arguments::Global;
use crate::commands::choice::Operation;
use crate::commands::choice::quotients::PolyGcdArguments;
use crate::error::Error;

/// The arguments of `poly xgcd`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The polynomials.
    #[command(flatten)]
    pub pair: Pair,

    /// Write one of the three, which can then be a .npy file
    #[arg(long, value_enum, value_name = "PART")]
    pub only: Option<Part>,
}

/// A part of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// The greatest common divisor
    Gcd,
    /// The factor of A
    S,
    /// The factor of B
    T,
}

impl Part {
    fn name(self) -> &'static str {
        match self {
            Self::Gcd => "gcd",
            Self::S => "s",
            Self::T => "t",
        }
    }
}

/// What `--help` says first.
pub(super) const LONG_ABOUT: &str = "\
The greatest common divisor of two polynomials over a prime field, with cofactors

The monic greatest common divisor, and S and T with S A + T B equal to it. The coefficients stand after the lines `# gcd`, `# s` \
and `# t`, the constant term first, one a line; with --only, those of one polynomial alone. With --json, all three in one object.";

/// What `--help` says last.
pub(super) const AFTER_HELP: &str = "\
--verify checks on the host, at random points of an extension of the field, that S A + T B is the divisor and that it divides A \
and B, with quotients that the device computes: a wrong result passes with a chance below 2^-62.

Examples:
  echo 1 0 1 | manycore poly xgcd - b.txt --modulus 7 --json
  manycore poly xgcd a.npy b.npy --modulus 469762049 --only s --verify -o s.npy";

/// Computes a greatest common divisor with cofactors.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    let work = Xgcd { only: arguments.only.map(Part::name) };
    job::run(&work, &arguments.pair.files(), arguments.pair.modulus, global)
}

struct Xgcd {
    only: Option<&'static str>,
}

impl Work for Xgcd {
    const COMMAND: &'static str = "poly xgcd";
    const STEP: &'static str = "computing the greatest common divisor";

    fn operation(&self, lengths: &[usize], modulus: u64) -> Option<Operation> {
        job::pair(lengths, |n, m| Operation::PolyGcd(PolyGcdArguments { n, m: Some(m), batch: 1, modulus }))
    }

    fn compute<F: PolyField>(&self, ring: &PolyRing<F>, polys: &[Poly<F>]) -> Result<Computed, PolyError> {
        let x = ring.xgcd(&polys[0], &polys[1])?;
        let parts = [("gcd", &x.gcd), ("s", &x.s), ("t", &x.t)];
        let parts = parts.into_iter().map(|(name, f)| Ok((name, residues(ring, f)?)));
        Ok(Value::Parts(parts.collect::<Result<_, PolyError>>()?).into())
    }

    fn check<F: PolyField>(&self, done: &Done<'_, F>) -> Result<Passed, PolyError> {
        check_divisor(done, "gcd", &done.part("s"), &done.part("t"))
    }

    fn only(&self) -> Option<&'static str> {
        self.only
    }
}
