//! `manycore matrix` in shards: of `det --exact` residues modulo every n-th prime of the sequence that proves a determinant, of `mul` rows.

use manycore::LinalgError;
use manycore::linalg::exact::{self, DeterminantResidues};
use manycore::linalg::file::Dense;
use manycore::verify::SplitMix;
use num_bigint::{BigInt, BigUint};
use serde::{Deserialize, Serialize};

use super::Pair;
use super::det::{ALGORITHM, Arguments, parameters, square};
use super::exact::checked;
use super::value::{self, Value};
use crate::arguments::Global;
use crate::commands::label;
use crate::commands::several::Devices;
use crate::error::Error;
use crate::input;
use crate::output::Report;
use crate::progress;
use crate::shard::{self, Deal, Shards, Split};
use crate::verification::{Verification, announce};

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
    /// The same as the library has it.
    fn residues(&self) -> Option<DeterminantResidues> {
        let bound: BigUint = self.bound.parse().ok()?;
        let entry: Option<BigInt> = self.entry.as_ref().map(|entry| entry.parse()).transpose().ok()?;
        Some(DeterminantResidues { bound, entry, residues: self.residues.clone() })
    }
}

/// Computes the residues of a turn, and writes them.
///
/// # Errors
/// [`Error::Linalg`] where they cannot be computed; [`Error::Output`].
pub(super) fn write(
    global: &Global,
    devices: &Devices,
    read: &Dense<BigInt>,
    (part, parts): (usize, usize),
) -> Result<(), Error> {
    let compute = || exact::determinant_residues_on(devices.set(), read.rows, &read.entries, part, parts);
    let (outcome, spent) = devices.measured(compute)?;
    let DeterminantResidues { bound, entry, residues } = outcome?;
    let items = if entry.is_some() { 0 } else { exact::proving_primes(&bound) };
    shard::note(global, items);
    let part =
        Part { order: read.rows, bound: bound.to_string(), entry: entry.map(|entry| entry.to_string()), residues };
    let report = Report {
        device: Some(label(devices)),
        algorithm: Some(ALGORITHM),
        seconds: Some(spent.seconds),
        transfer_seconds: spent.transfer_seconds,
        ..Report::new("matrix det", serde_json::Value::Null, ())
    };
    shard::write(global, &report, &part)
}

/// Rows of a product, as shards have them.
#[derive(Debug, Serialize, Deserialize)]
struct Rows {
    columns: usize,
    words: Vec<u64>,
}

/// Writes rows of a product as a shard.
///
/// # Errors
/// [`Error::Output`].
pub(super) fn write_rows(global: &Global, report: &Report<Value>, columns: usize, words: &[u64]) -> Result<(), Error> {
    shard::write(global, report, &Rows { columns, words: words.to_vec() })
}

impl Split for Pair {
    fn merge(&self, shards: &Shards, global: &Global) -> Result<(), Error> {
        let merged = shards.decode::<Rows>()?;
        let words: Vec<u64> = merged.parts.iter().flat_map(|part| part.words.iter().copied()).collect();
        let columns = merged.parts.first().map_or(0, |part| part.columns);
        let rows = usize::try_from(shards.items()).unwrap_or(usize::MAX);
        if words.len() != rows.saturating_mul(columns) {
            return Err(shards.damaged("the parts have not as many rows as they tell".to_owned()).into());
        }
        let value = Value::Rows { rows, columns, words };
        let report = merged.report(Report::new("matrix mul", merged.run.parameters.clone(), value), global.verify)?;
        value::write(global, report, Some(self.modulus))
    }
}

impl Split for Arguments {
    fn deal(&self) -> Deal {
        Deal::Turns
    }

    fn refusal(&self) -> Option<&'static str> {
        if !self.exact {
            return Some("--exact splits, by primes");
        }
        self.probable.map(|_| "--probable stops when the result stays the same, which no shard can tell")
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
            error => Error::from(error),
        })?;
        let seed = global.seed.unwrap_or_else(SplitMix::fresh_seed);
        let mut report = merged.report(Report::new("matrix det", serde_json::Value::Null, ()), false)?;
        if global.verify {
            report.verified = Some(true);
            report.verification = Some(self.check(shards, &found.value, seed, global, report.device.as_deref())?);
        }
        let parameters = parameters(order, &found, global.verify.then_some(seed));
        let report = Report { parameters, ..report }.with(Value::Decimal(found.value.to_string()));
        value::write(global, report, None)
    }
}

impl Arguments {
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
        progress::step(format!("reading {}", input::name(&self.m)));
        let read: Dense<BigInt> = input::matrix(&self.m)?;
        square(&read)?;
        progress::step("verifying");
        announce(exact::check_seconds(read.rows, &read.entries), global.quiet);
        // Other primes than those that the determinant was computed with.
        checked(exact::check(read.rows, &read.entries, found, !seed))?.map(Verification::from).map_err(|error| {
            if error.is_wrong() {
                Error::Wrong { device: device.unwrap_or("the shards").to_owned(), reason: error.to_string() }
            } else {
                Error::Check(error)
            }
        })
    }
}
