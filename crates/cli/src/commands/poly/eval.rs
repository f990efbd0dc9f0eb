//! `manycore poly eval`.

use std::path::PathBuf;

use clap::Args;
use manycore::field::ResidueWord as _;
use manycore::verify::Passed;
use manycore::{Poly, PolyError, PolyField, PolyRing};
use serde_json::json;

use super::job::{self, Computed, Done, Work};
use super::value::{self, Value};
use crate::arguments::{Global, modulus};
use crate::commands::choice::Operation;
use crate::commands::choice::quotients::PolyEvalArguments;
use crate::error::Error;
use crate::output::Residues;
use crate::shard::{self, Shards, Split, array};

/// The arguments of `poly eval`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The coefficients, the constant term first: text (numbers separated by white space or commas, or a sum of terms such as
    /// x^2 - 1; # begins a comment) or .npy; - is standard input
    pub f: PathBuf,

    /// The points: text (numbers separated by white space or commas) or .npy
    pub points: PathBuf,

    /// The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1
    #[arg(long, value_name = "P", value_parser = modulus)]
    pub modulus: u64,
}

/// What `--help` says first.
pub(super) const LONG_ABOUT: &str = "\
The values of a polynomial at many points of a prime field

The values in the order of the points, one a line; a .npy file with -o NAME.npy; a list in the JSON object of --json. Points may \
be repeated. Many points go through a subproduct tree, in time nearly linear in their number.";

/// What `--help` says last.
pub(super) const AFTER_HELP: &str = "\
--verify compares the polynomial through the values, times the derivative of the product of x - u over the points, with F at a \
random point of an extension of the field, on the host, in a fraction of the time of an evaluation there: a wrong value passes \
with a chance below 2^-64. A few values are computed once more by Horner's rule.

Examples:
  echo 1 2 3 | manycore poly eval - points.txt --modulus 9001
  manycore poly eval f.npy points.npy --modulus 469762049 -o values.npy";

/// Evaluates a polynomial.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    job::run(&Eval { global }, &[&arguments.f, &arguments.points], arguments.modulus, global)
}

struct Eval<'a> {
    global: &'a Global,
}

impl Eval<'_> {
    /// The points that are evaluated at: all, or those of the shard.
    fn part<'p, W>(&self, points: &'p [W]) -> &'p [W] {
        shard::range(self.global, points.len()).map_or(&[], |range| &points[range])
    }
}

impl Split for Arguments {
    fn merge(&self, shards: &Shards, global: &Global) -> Result<(), Error> {
        let report = array::residues(Eval::COMMAND, shards, global)?;
        value::write(global, report.map(Value::List), (self.modulus, Eval::IS_POLYNOMIAL))
    }
}

impl Work for Eval<'_> {
    const COMMAND: &'static str = "poly eval";
    const STEP: &'static str = "evaluating";
    const IS_POLYNOMIAL: bool = false;

    fn operation(&self, lengths: &[usize], modulus: u64) -> Option<Operation> {
        job::pair(lengths, |n, points| Operation::PolyEval(PolyEvalArguments { n, points, modulus }))
    }

    fn compute<F: PolyField>(&self, ring: &PolyRing<F>, polys: &[Poly<F>]) -> Result<Computed, PolyError> {
        let points = ring.coefficients(&polys[1])?;
        self.compute_of(ring, polys, &[Vec::new(), points])
    }

    fn compute_of<F: PolyField>(
        &self,
        ring: &PolyRing<F>,
        polys: &[Poly<F>],
        words: &[Vec<F::Element>],
    ) -> Result<Computed, PolyError> {
        let (f, all) = (&polys[0], words[1].len());
        let points = self.part(&words[1]);
        let (way, seconds) = ring.explain_evaluate_many(f.len(), all)?[0];
        let values = ring.evaluate_many_by(f, points, way)?;
        let mut computed = Computed::from(Value::List(Residues(values.into_iter().map(F::Element::as_u64).collect())));
        computed.algorithm = Some(way.name());
        computed.predicted_seconds = Some(seconds * points.len() as f64 / all.max(1) as f64);
        computed.parameters.insert("lengths".to_owned(), json!([f.len(), all]));
        Ok(computed)
    }

    fn check<F: PolyField>(&self, done: &Done<'_, F>) -> Result<Passed, PolyError> {
        done.ring.check_values(&done.words[0], self.part(&done.words[1]), &done.part("values"), done.seed)
    }
}
