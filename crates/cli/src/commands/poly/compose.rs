//! `manycore poly compose` and `manycore poly shift`.

use std::path::PathBuf;

use clap::Args;
use manycore::field::ResidueWord as _;
use manycore::verify::product::composition;
use manycore::verify::{Passed, SplitMix};
use manycore::{Poly, PolyError, PolyField, PolyRing};

use super::job::{self, Computed, Done, Work, residues};
use super::{Single, value::Value};
use crate::arguments::{Global, modulus};
use crate::error::Error;

/// The arguments of `poly compose`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The coefficients of the outer polynomial F, the constant term first: text (numbers separated by white space or commas,
    /// or a sum of terms such as x^2 - 1; # begins a comment) or .npy; - is standard input
    pub f: PathBuf,

    /// The coefficients of the inner polynomial G
    pub g: PathBuf,

    /// The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1
    #[arg(long, value_name = "P", value_parser = modulus)]
    pub modulus: u64,
}

/// The arguments of `poly shift`.
#[derive(Debug, Args)]
pub struct ShiftArguments {
    /// The polynomial and the modulus.
    #[command(flatten)]
    pub of: Single,

    /// The constant C, taken modulo the prime
    #[arg(long, value_name = "C")]
    pub by: u64,
}

/// What `--help` of `poly compose` says first.
pub(super) const LONG_ABOUT: &str = "\
The composition of two polynomials over a prime field

The coefficients of F(G(x)), the constant term first, one a line up to the leading one; a .npy file with -o NAME.npy; a list in \
the JSON object of --json. By divide and conquer.";

/// What `--help` of `poly compose` says last.
pub(super) const AFTER_HELP: &str = "\
--verify compares the value H(Z) of the coefficients that are written with F(G(Z)) of those that were read, on the host, at a \
random point Z of an extension of the field: a wrong composition passes with a chance below 2^-64.

Examples:
  echo 5 0 1 | manycore poly compose - g.txt --modulus 9001
  manycore poly compose f.npy g.npy --modulus 469762049 --verify -o composed.npy";

/// What `--help` of `poly shift` says first.
pub(super) const SHIFT_LONG_ABOUT: &str = "\
The Taylor shift of a polynomial over a prime field

The coefficients of F(x + C), the constant term first, one a line up to the leading one; a .npy file with -o NAME.npy; a list in \
the JSON object of --json. By one product where the prime is above the degree.";

/// What `--help` of `poly shift` says last.
pub(super) const SHIFT_AFTER_HELP: &str = "\
--verify compares the value H(Z) of the coefficients that are written with F(Z + C) of those that were read, on the host, at a \
random point Z of an extension of the field: a wrong shift passes with a chance below 2^-64.

Examples:
  echo 0 0 0 1 | manycore poly shift - --by 2 --modulus 9001
  manycore poly shift f.npy --by 1 --modulus 469762049 --verify -o shifted.npy";

/// Composes two polynomials.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    job::run(&Composition, &[&arguments.f, &arguments.g], arguments.modulus, global)
}

/// Shifts a polynomial.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn shift(arguments: &ShiftArguments, global: &Global) -> Result<(), Error> {
    job::run(&Shift { by: arguments.by }, &[&arguments.of.f], arguments.of.modulus, global)
}

struct Composition;

impl Work for Composition {
    const COMMAND: &'static str = "poly compose";
    const STEP: &'static str = "composing";

    fn compute<F: PolyField>(&self, ring: &PolyRing<F>, polys: &[Poly<F>]) -> Result<Computed, PolyError> {
        Ok(Value::List(residues(ring, &ring.compose(&polys[0], &polys[polys.len() - 1])?)?).into())
    }

    fn check<F: PolyField>(&self, done: &Done<'_, F>) -> Result<Passed, PolyError> {
        let (p, [f, g]) = (done.ring.field().order(), [&done.words[0], &done.words[done.words.len() - 1]]);
        let random = &mut SplitMix::new(done.seed);
        composition::check(p, f, g, &done.part("composition"), random).map_err(PolyError::Check)
    }
}

struct Shift {
    by: u64,
}

impl Shift {
    /// The constant as a residue.
    fn residue<F: PolyField>(&self, field: &F) -> F::Element {
        F::Element::from_u64(self.by % field.order())
    }
}

impl Work for Shift {
    const COMMAND: &'static str = "poly shift";
    const STEP: &'static str = "shifting";

    fn compute<F: PolyField>(&self, ring: &PolyRing<F>, polys: &[Poly<F>]) -> Result<Computed, PolyError> {
        Ok(Value::List(residues(ring, &ring.taylor_shift(&polys[0], self.residue(ring.field()))?)?).into())
    }

    fn check<F: PolyField>(&self, done: &Done<'_, F>) -> Result<Passed, PolyError> {
        let field = done.ring.field();
        let (inner, random) = ([self.residue(field), field.one()], &mut SplitMix::new(done.seed));
        composition::check(field.order(), &done.words[0], &inner, &done.part("shifted"), random)
            .map_err(PolyError::Check)
    }
}
