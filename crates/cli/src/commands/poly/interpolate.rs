//! `manycore poly interpolate`.

use std::path::PathBuf;

use clap::Args;
use manycore::verify::{CheckError, Passed};
use manycore::{Poly, PolyError, PolyField, PolyRing};
use serde_json::json;

use super::job::{self, Computed, Done, Work};
use super::value::Value;
use crate::arguments::{Global, modulus};
use crate::error::Error;

/// The arguments of `poly interpolate`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The points: text (numbers separated by white space or commas, # begins a comment) or .npy; - is standard input
    pub points: PathBuf,

    /// The values at the points, in their order
    pub values: PathBuf,

    /// The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1
    #[arg(long, value_name = "P", value_parser = modulus)]
    pub modulus: u64,
}

/// What `--help` says first.
pub(super) const LONG_ABOUT: &str = "\
The polynomial through points over a prime field

The coefficients of the polynomial of degree below the number of points that has the values at the points, the constant term \
first, one a line up to the leading one; a .npy file with -o NAME.npy; a list in the JSON object of --json. Two equal points are \
refused with their indices.";

/// What `--help` says last.
pub(super) const AFTER_HELP: &str = "\
--verify compares the degree with the number of points, and the values with those of the result as `poly eval` does, on the host: a \
wrong result passes with a chance below 2^-64. That points are equal is looked up in the file.

Examples:
  manycore poly interpolate points.txt values.txt --modulus 9001
  manycore poly interpolate points.npy values.npy --modulus 469762049 -o f.npy --verify";

/// Interpolates.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    job::run(&Interpolate, &[&arguments.points, &arguments.values], arguments.modulus, global)
}

struct Interpolate;

impl Work for Interpolate {
    const COMMAND: &'static str = "poly interpolate";
    const STEP: &'static str = "interpolating";

    fn compute<F: PolyField>(&self, ring: &PolyRing<F>, polys: &[Poly<F>]) -> Result<Computed, PolyError> {
        let words = polys.iter().map(|list| ring.coefficients(list)).collect::<Result<Vec<_>, _>>()?;
        self.compute_of(ring, polys, &words)
    }

    fn compute_of<F: PolyField>(
        &self,
        ring: &PolyRing<F>,
        _polys: &[Poly<F>],
        words: &[Vec<F::Element>],
    ) -> Result<Computed, PolyError> {
        let (points, values) = (&words[0], &words[1]);
        let f = ring.interpolate(&ring.tree(points)?, &ring.device().upload(values)?)?;
        let mut computed = Computed::from(Value::List(job::residues(ring, &f)?));
        computed.parameters.insert("lengths".to_owned(), json!([points.len(), values.len()]));
        Ok(computed)
    }

    fn check<F: PolyField>(&self, done: &Done<'_, F>) -> Result<Passed, PolyError> {
        let (points, f) = (&done.words[0], done.part("coefficients"));
        if f.len() > points.len() {
            return Err(CheckError::Length { found: f.len(), expected: points.len() }.into());
        }
        done.ring.check_values(&f, points, &done.words[1], done.seed)
    }
}
