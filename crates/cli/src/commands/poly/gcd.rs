//! `manycore poly gcd`.

use clap::Args;
use manycore::verify::product::bezout::{self, Bezout};
use manycore::verify::{Passed, SplitMix};
use manycore::{Poly, PolyError, PolyField, PolyRing};

use super::Pair;
use super::job::{self, Computed, Done, Work, residues};
use super::value::Value;
use crate::arguments::Global;
use crate::commands::choice::Operation;
use crate::commands::choice::quotients::PolyGcdArguments;
use crate::error::Error;

/// The arguments of `poly gcd`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The polynomials.
    #[command(flatten)]
    pub pair: Pair,
}

/// What `--help` says first.
pub(super) const LONG_ABOUT: &str = "\
The greatest common divisor of two polynomials over a prime field

The coefficients of the monic greatest common divisor, the constant term first, one a line; a .npy file with -o NAME.npy; a \
list in the JSON object of --json. No coefficients where both polynomials are zero.";

/// What `--help` says last.
pub(super) const AFTER_HELP: &str = "\
--verify computes cofactors S and T and the quotients of A and B by the divisor, and checks on the host, at random points of an \
extension of the field, that S A + T B is the divisor and that it divides both: a wrong divisor passes with a chance below \
2^-62.

Examples:
  echo 5 11 3 17 3 3 | manycore poly gcd - b.txt --modulus 9001
  manycore poly gcd a.npy b.npy --modulus 469762049 --verify -o gcd.npy";

/// Computes a greatest common divisor.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    job::run(&Gcd, &arguments.pair.files(), arguments.pair.modulus, global)
}

struct Gcd;

impl Work for Gcd {
    const COMMAND: &'static str = "poly gcd";
    const STEP: &'static str = "computing the greatest common divisor";

    fn operation(&self, lengths: &[usize], modulus: u64) -> Option<Operation> {
        job::pair(lengths, |n, m| Operation::PolyGcd(PolyGcdArguments { n, m: Some(m), batch: 1, modulus }))
    }

    fn compute<F: PolyField>(&self, ring: &PolyRing<F>, polys: &[Poly<F>]) -> Result<Computed, PolyError> {
        Ok(Value::List(residues(ring, &ring.gcd(&polys[0], &polys[1])?)?).into())
    }

    fn check<F: PolyField>(&self, done: &Done<'_, F>) -> Result<Passed, PolyError> {
        let witness = done.ring.xgcd(&done.polys[0], &done.polys[1])?;
        let (s, t) = (done.ring.coefficients(&witness.s)?, done.ring.coefficients(&witness.t)?);
        check_divisor(done, "gcd", &s, &t)
    }
}

/// Checks that a part of the result is the monic greatest common divisor, with these cofactors.
pub(super) fn check_divisor<F: PolyField>(
    done: &Done<'_, F>,
    part: &str,
    s: &[F::Element],
    t: &[F::Element],
) -> Result<Passed, PolyError> {
    let ring = done.ring;
    let gcd = done.part(part);
    let divisor = ring.poly(&gcd)?;
    let quotient = |f: &Poly<F>| -> Result<Vec<F::Element>, PolyError> {
        if divisor.is_zero() { Ok(Vec::new()) } else { ring.coefficients(&ring.div(f, &divisor)?) }
    };
    let quotients = [quotient(&done.polys[0])?, quotient(&done.polys[1])?];
    let bezout = Bezout { gcd: &gcd, s, t, quotients: [&quotients[0], &quotients[1]] };
    let random = &mut SplitMix::new(done.seed);
    bezout::check(ring.field().order(), [&done.words[0], &done.words[1]], &bezout, random).map_err(PolyError::Check)
}
