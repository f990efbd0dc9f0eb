//! `manycore poly inverse`.

use std::path::PathBuf;

use clap::Args;
use manycore::verify::product::bezout::{self, Bezout};
use manycore::verify::{Passed, SplitMix};
use manycore::{Poly, PolyError, PolyField, PolyRing};

use super::job::{self, Computed, Done, Work, residues};
use super::value::Value;
use crate::arguments::{Global, modulus};
use crate::error::Error;

/// The arguments of `poly inverse`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The coefficients of the polynomial, the constant term first: text (numbers separated by white space or commas, or a sum
    /// of terms such as x^2 - 1; # begins a comment) or .npy; - is standard input
    pub a: PathBuf,

    /// The coefficients of the polynomial modulo which it is inverted
    pub m: PathBuf,

    /// The modulus of the coefficients: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1
    #[arg(long, value_name = "P", value_parser = modulus)]
    pub modulus: u64,
}

/// What `--help` says first.
pub(super) const LONG_ABOUT: &str = "\
The inverse of a polynomial modulo another over a prime field

The coefficients of I with A I = 1 modulo M and a degree below that of M, the constant term first, one a line; a .npy file with \
-o NAME.npy; a list in the JSON object of --json. Where A and M have a common factor there is none: the error names their \
greatest common divisor, and the exit status is 2. Modulo a constant everything is zero, the inverse too.";

/// What `--help` says last.
pub(super) const AFTER_HELP: &str = "\
--verify computes the quotient of 1 - A I by M and compares A I + M T with 1 at a random point of an extension of the field, on \
the host: a wrong inverse passes with a chance below 2^-62. That there is none is checked as the greatest common divisor of \
`poly gcd`.

Examples:
  echo 3 1 | manycore poly inverse - m.txt --modulus 7
  manycore poly inverse a.npy m.npy --modulus 469762049 --verify -o inverse.npy";

/// Inverts a polynomial.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    job::run(&Inverse, &[&arguments.a, &arguments.m], arguments.modulus, global)
}

struct Inverse;

impl Work for Inverse {
    const COMMAND: &'static str = "poly inverse";
    const STEP: &'static str = "inverting";

    fn compute<F: PolyField>(&self, ring: &PolyRing<F>, polys: &[Poly<F>]) -> Result<Computed, PolyError> {
        Ok(Value::List(residues(ring, &ring.inverse_mod(&polys[0], &polys[1])?)?).into())
    }

    fn check<F: PolyField>(&self, done: &Done<'_, F>) -> Result<Passed, PolyError> {
        let ring = done.ring;
        let (one, s) = ([ring.field().one()], done.part("inverse"));
        let rest = ring.sub(&ring.one()?, &ring.mul(&done.polys[0], &ring.poly(&s)?)?)?;
        let t = ring.coefficients(&ring.div(&rest, &done.polys[1])?)?;
        let words = [&done.words[0][..], &done.words[1][..]];
        let quotients = [ring.coefficients(&done.polys[0])?, ring.coefficients(&done.polys[1])?];
        let bezout = Bezout { gcd: &one, s: &s, t: &t, quotients: [&quotients[0], &quotients[1]] };
        let random = &mut SplitMix::new(done.seed);
        bezout::check(ring.field().order(), words, &bezout, random).map_err(PolyError::Check)
    }
}
