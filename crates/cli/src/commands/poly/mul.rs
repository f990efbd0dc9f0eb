//! `manycore poly mul`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use manycore::poly::{Algorithm, Operation};
use manycore::verify::{Passed, SplitMix, product};
use manycore::{Poly, PolyError, PolyField, PolyRing};
use serde_json::{Map, json};

use super::job::{self, Computed, Done, Work, residues};
use super::value::Value;
use crate::arguments::{Global, modulus, positive};
use crate::commands::choice;
use crate::commands::choice::modular::PolyMulArguments;
use crate::error::Error;
use crate::output::Residues;

/// The arguments of `poly mul`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The coefficients of one factor, the constant term first: text (numbers separated by white space or commas, or a sum of
    /// terms such as x^2 - 1; # begins a comment) or .npy; - is standard input
    pub a: PathBuf,

    /// Coefficients of the other factor; with one file for both factors the product is a square
    pub b: PathBuf,

    /// The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1
    #[arg(long, value_name = "P", value_parser = modulus)]
    pub modulus: u64,

    /// Algorithm. Default: the planner's choice (`manycore explain poly-mul`)
    #[arg(long, value_enum)]
    pub algorithm: Option<AlgorithmName>,

    /// Coefficients of the shorter factor for each row, with --algorithm two-phase; 16 without it
    #[arg(long, value_name = "X", value_parser = positive::<usize>)]
    pub x: Option<usize>,
}

/// What `--help` says first.
pub(super) const LONG_ABOUT: &str = "\
The product of two polynomials over a prime field

A polynomial is the list of its coefficients, the constant term first, integers that are taken modulo the prime; no \
coefficients are the zero polynomial. The result is one coefficient a line up to the leading one; a .npy file with \
-o NAME.npy; one JSON object with --json. Any prime will do, also one without roots of unity such as 2, 7 or 9001.";

/// What `--help` says last.
pub(super) const AFTER_HELP: &str = "\
--verify compares the value of the coefficients that are written with the product of the values of those that were read, on \
the host, at a random point of an extension of the field, large enough that a wrong product passes with a chance below \
2^-64; and their number with that of the product. It takes two or three products for each coefficient for large primes, 85 \
modulo 2.

--algorithm karatsuba needs 32 coefficients or more of each factor: shorter products are those of the definition.

Examples:
  echo 2 6 | manycore poly mul - f.txt --modulus 7
  manycore poly mul f.npy g.npy --modulus 469762049 --verify -o product.npy
  manycore poly mul f.txt f.txt --modulus 9001 --algorithm karatsuba --device host --json";

/// The names of the algorithms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AlgorithmName {
    /// By the definition
    Plain,
    /// By the definition in two phases with the parameter --x; on OpenCL devices
    TwoPhase,
    /// Three products of half the length instead of four; on the host
    Karatsuba,
    /// By number-theoretic transforms
    Transform,
}

impl AlgorithmName {
    fn algorithm(self, x: usize) -> Algorithm {
        match self {
            Self::Plain => Algorithm::Plain,
            Self::TwoPhase => Algorithm::TwoPhase { x },
            Self::Karatsuba => Algorithm::Karatsuba,
            Self::Transform => Algorithm::Transform,
        }
    }
}

/// Coefficients of the shorter factor for each row, where none are asked for.
const ROW: usize = 16;

/// Multiplies two polynomials.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    let files: [&Path; 2] = [&arguments.a, &arguments.b];
    let square = arguments.a == arguments.b;
    if arguments.x.is_some() && arguments.algorithm != Some(AlgorithmName::TwoPhase) {
        return Err(Error::Usage("--x goes with --algorithm two-phase: no other algorithm has rows".to_owned()));
    }
    let x = arguments.x.unwrap_or(ROW);
    let work = Product { algorithm: arguments.algorithm.map(|name| name.algorithm(x)), square };
    job::run(&work, if square { &files[..1] } else { &files }, arguments.modulus, global)
}

struct Product {
    /// `None` for the planner's choice.
    algorithm: Option<Algorithm>,
    /// Whether there is one file, and its square wanted.
    square: bool,
}

impl Work for Product {
    const COMMAND: &'static str = "poly mul";
    const STEP: &'static str = "multiplying";

    fn operation(&self, lengths: &[usize], modulus: u64) -> Option<choice::Operation> {
        job::pair(lengths, |n, m| choice::Operation::PolyMul(PolyMulArguments { n, m: Some(m), batch: 1, modulus }))
    }

    fn compute<F: PolyField>(&self, ring: &PolyRing<F>, polys: &[Poly<F>]) -> Result<Computed, PolyError> {
        let [f, g] = [&polys[0], &polys[polys.len() - 1]];
        let (n, m) = (f.len(), g.len());
        let mut parameters = Map::new();
        parameters.insert("lengths".to_owned(), json!([n, m]));
        parameters.insert("square".to_owned(), self.square.into());
        parameters.insert("way".to_owned(), json!(null));
        if n == 0 || m == 0 {
            return Ok(Computed { parameters, ..Value::List(Residues(Vec::new())).into() });
        }
        let operation = if self.square { Operation::Square { n } } else { Operation::Multiply { n, m } };
        let (plan, predicted_seconds) = match self.algorithm {
            None => ring.mul_plan(operation).map(|(plan, seconds)| (plan, Some(seconds)))?,
            Some(algorithm) => ring.plan(operation, algorithm)?,
        };
        parameters.insert("way".to_owned(), plan.to_string().into());
        let value = Value::List(residues(ring, &ring.mul_by(f, g, &plan)?)?);
        Ok(Computed { value, algorithm: Some(plan.algorithm().name()), predicted_seconds, parameters })
    }

    fn check<F: PolyField>(&self, done: &Done<'_, F>) -> Result<Passed, PolyError> {
        let [a, b] = [&done.words[0], &done.words[done.words.len() - 1]];
        let random = &mut SplitMix::new(done.seed);
        product::check(done.ring.field().order(), a, b, done.value.part("product"), random).map_err(PolyError::Check)
    }
}
