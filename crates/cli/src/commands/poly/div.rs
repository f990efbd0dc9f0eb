//! `manycore poly div`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use manycore::verify::product::division;
use manycore::verify::{Passed, SplitMix};
use manycore::{Poly, PolyError, PolyField, PolyRing};

use super::job::{self, Computed, Done, Work, residues};
use super::value::Value;
use crate::arguments::{Global, modulus};
use crate::commands::choice::Operation;
use crate::commands::choice::quotients::PolyDivArguments;
use crate::error::Error;

/// The arguments of `poly div`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The coefficients of the dividend, the constant term first: text (numbers separated by white space or commas, or a sum of
    /// terms such as x^2 - 1; # begins a comment) or .npy; - is standard input
    pub a: PathBuf,

    /// The coefficients of the divisor
    pub b: PathBuf,

    /// The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1
    #[arg(long, value_name = "P", value_parser = modulus)]
    pub modulus: u64,

    /// Write one of both, which can then be a .npy file
    #[arg(long, value_enum, value_name = "PART")]
    pub only: Option<Part>,
}

/// A part of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// The quotient
    Quotient,
    /// The remainder
    Remainder,
}

impl Part {
    fn name(self) -> &'static str {
        match self {
            Self::Quotient => "quotient",
            Self::Remainder => "remainder",
        }
    }
}

/// What `--help` says first.
pub(super) const LONG_ABOUT: &str = "\
Quotient and remainder of two polynomials over a prime field

A = B Q + R with R of lower degree than B. The coefficients of the quotient stand after the line `# quotient`, those of the \
remainder after the line `# remainder`, the constant term first, one a line; with --only, those of one alone. With --json, \
both in one object. Division by zero is refused.";

/// What `--help` says last.
pub(super) const AFTER_HELP: &str = "\
--verify compares the values of A and B Q + R at a random point of an extension of the field, on the host, large enough that a \
wrong result passes with a chance below 2^-64.

Examples:
  echo 1 2 3 4 5 6 7 8 | manycore poly div - b.txt --modulus 9001
  manycore poly div a.npy b.npy --modulus 469762049 --only remainder --verify -o r.npy";

/// Divides two polynomials.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    let work = Division { only: arguments.only.map(Part::name) };
    job::run(&work, &[&arguments.a, &arguments.b], arguments.modulus, global)
}

struct Division {
    only: Option<&'static str>,
}

impl Work for Division {
    const COMMAND: &'static str = "poly div";
    const STEP: &'static str = "dividing";

    fn operation(&self, lengths: &[usize], modulus: u64) -> Option<Operation> {
        job::pair(lengths, |n, m| Operation::PolyDiv(PolyDivArguments { n, m: Some(m), modulus }))
    }

    fn compute<F: PolyField>(&self, ring: &PolyRing<F>, polys: &[Poly<F>]) -> Result<Computed, PolyError> {
        let (quotient, remainder) = ring.div_rem(&polys[0], &polys[1])?;
        Ok(Value::Parts(vec![("quotient", residues(ring, &quotient)?), ("remainder", residues(ring, &remainder)?)])
            .into())
    }

    fn check<F: PolyField>(&self, done: &Done<'_, F>) -> Result<Passed, PolyError> {
        let (quotient, remainder) = (done.part("quotient"), done.part("remainder"));
        let [a, b] = [&done.words[0], &done.words[1]];
        let random = &mut SplitMix::new(done.seed);
        Ok(division::check(done.ring.field().order(), a, b, &quotient, &remainder, random)?)
    }

    fn only(&self) -> Option<&'static str> {
        self.only
    }
}
