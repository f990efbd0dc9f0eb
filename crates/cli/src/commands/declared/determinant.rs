//! `manycore matrix det --exact` in shards: residues modulo every n-th prime of the sequence that proves a determinant.

use std::path::Path;

use manycore::LinalgError;
use manycore::linalg::exact::{self, DeterminantResidues};
use manycore::linalg::file::Dense;
use manycore::linalg::operations::{ALGORITHM, determinant_parameters, square};
use manycore::operation::{Answer, OperationError, Value};
use manycore::verify::SplitMix;
use num_bigint::{BigInt, BigUint};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};

use super::called::Called;
use super::own::Own;
use super::write::write;
use crate::commands::several::Devices;
use crate::error::Error;
use crate::global::Global;
use crate::input;
use crate::label::label;
use crate::output::{self, JsonInteger, Report};
use crate::progress;
use crate::shard::{self, Deal, Shards, Split};
use crate::verification::{Verification, announce};

const DETERMINANT: &str = "matrix det";

/// The call of an exact determinant.
pub(super) struct Determinant<'a>(pub(super) &'a Called);

/// The matrix.
fn file(called: &Called) -> &Path {
    called.paths().first().copied().unwrap_or(Path::new(""))
}

/// Residues of a determinant, as shards have them.
#[derive(Debug, Serialize, Deserialize)]
struct Part {
    order: usize,
    /// Hadamard's bound.
    bound: String,
    /// The determinant of a matrix of order 1.
    entry: Option<String>,
    /// Primes, each with the determinant modulo it.
    residues: Vec<(u32, u32)>,
}

impl Part {
    /// The residues in the library's form.
    fn residues(&self) -> Option<DeterminantResidues> {
        let bound: BigUint = self.bound.parse().ok()?;
        let entry: Option<BigInt> = self.entry.as_ref().map(|entry| entry.parse()).transpose().ok()?;
        Some(DeterminantResidues { bound, entry, residues: self.residues.clone() })
    }
}

impl Own for Determinant<'_> {
    fn write_part(&self, global: &Global, turn: (usize, usize)) -> Option<Result<(), Error>> {
        Some(write_part(self.0, global, turn))
    }
}

/// Computes the residues of a turn, and writes them.
///
/// # Errors
/// [`Error::Operation`] where they cannot be computed; [`Error::Output`].
fn write_part(called: &Called, global: &Global, (part, parts): (usize, usize)) -> Result<(), Error> {
    output::check_form(global)?;
    let devices = Devices::new(global)?;
    let path = file(called);
    progress::step(format!("reading {}", input::name(path)));
    let read: Dense<BigInt> = input::matrix(path)?;
    let of_file = |error: LinalgError| Error::of_operation(error.into(), &[path]);
    square(&read).map_err(of_file)?;
    progress::compute(format!("computing the determinant on {}", label(&devices)));
    let compute = || exact::determinant_residues_on(devices.set(), read.rows, &read.entries, part, parts);
    let (outcome, spent) = devices.measured(compute)?;
    let DeterminantResidues { bound, entry, residues } = outcome.map_err(of_file)?;
    let items = if entry.is_some() { 0 } else { exact::proving_primes(&bound) };
    shard::note(global, items);
    let part =
        Part { order: read.rows, bound: bound.to_string(), entry: entry.map(|entry| entry.to_string()), residues };
    let report =
        Report { algorithm: Some(ALGORITHM), ..Report::new(DETERMINANT, Json::Null, ()).of_run(&devices, spent, None) };
    shard::write(global, &report, &part)
}

impl Split for Determinant<'_> {
    fn deal(&self) -> Deal {
        Deal::Turns
    }

    fn refusal(&self) -> Option<&'static str> {
        if !self.0.arguments.is_given("exact") {
            return Some("--exact splits, by primes");
        }
        let is_probable = self.0.arguments.is_given("probable");
        is_probable.then_some("--probable stops when the result stays the same, which no shard can tell")
    }

    fn not_checked(&self) -> Option<&'static str> {
        Some("residues of a determinant are checked together, by `manycore merge --verify`")
    }

    fn merge(&self, shards: &Shards, global: &Global) -> Result<(), Error> {
        let merged = shards.decode::<Part>()?;
        let damaged = |reason: String| shards.damaged(reason);
        let order = merged.parts.first().map_or(0, |part| part.order);
        if merged.parts.iter().any(|part| part.order != order) {
            return Err(damaged("the parts are of matrices of different orders".to_owned()).into());
        }
        let residues: Option<Vec<_>> = merged.parts.iter().map(Part::residues).collect();
        let residues = residues.ok_or_else(|| damaged("a bound or an entry is no integer".to_owned()))?;
        let found = exact::determinant_of_parts(&residues).map_err(|error| match error {
            LinalgError::Parts { .. } => damaged(error.to_string()).into(),
            error => refused(error),
        })?;
        let seed = global.seed.unwrap_or_else(SplitMix::fresh_seed);
        let mut report = merged.report(Report::new(DETERMINANT, serde_json::Value::Null, ()), false)?;
        if global.verify {
            report.verified = Some(true);
            report.verification = Some(self.check(shards, &found.value, seed, global, report.device.as_deref())?);
        }
        let answer = determinant_parameters(Answer::of(Value::Integer(found.value.clone())), order, &found);
        let mut told: Map<String, Json> =
            answer.parameters.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        told.insert("seed".to_owned(), json!(global.verify.then_some(JsonInteger(seed.into()))));
        let report = Report { parameters: told.into(), ..report }.with(answer.value);
        write(global, report, None)
    }
}

impl Determinant<'_> {
    /// Checks a determinant against the matrix that the shards are of.
    fn check(
        &self,
        shards: &Shards,
        found: &BigInt,
        seed: u64,
        global: &Global,
        device: Option<&str>,
    ) -> Result<Verification, Error> {
        shards.check_inputs()?;
        let path = file(self.0);
        progress::step(format!("reading {}", input::name(path)));
        let read: Dense<BigInt> = input::matrix(path)?;
        square(&read).map_err(refused)?;
        progress::step("verifying");
        announce(exact::check_seconds(read.rows, &read.entries), global.quiet);
        // Other primes than those that the determinant was computed with.
        match exact::check(read.rows, &read.entries, found, !seed) {
            Ok(passed) => Ok(passed.into()),
            Err(LinalgError::Check(error)) if error.is_wrong() => {
                Err(Error::Wrong { device: device.unwrap_or("the shards").to_owned(), reason: error.to_string() })
            }
            Err(LinalgError::Check(error)) => Err(Error::Check(error)),
            Err(error) => Err(refused(error)),
        }
    }
}

/// An error that is about no file.
fn refused(error: LinalgError) -> Error {
    OperationError::from(error).into()
}
