//! `manycore bivariate resultant --exact` in shards: the resultant modulo every n-th prime of the sequence that proves it.

use manycore::bivariate::{RationalBivariate, RationalRing, ResultantResidues};
use manycore::verify::SplitMix;
use manycore::{BivariateError, Device};
use num_rational::BigRational;
use serde::{Deserialize, Serialize};

use super::job::{Work, held, parameters};
use super::resultant::{Arguments, Eliminated};
use super::value;
use crate::arguments::Global;
use crate::commands::label;
use crate::commands::several::one;
use crate::error::Error;
use crate::input;
use crate::output::Report;
use crate::progress;
use crate::shard::{self, Deal, Shards, Split};
use crate::verification::Verification;

/// Residues of a resultant, as shards have them.
#[derive(Debug, Serialize, Deserialize)]
struct Part {
    primes: usize,
    bits: u64,
    /// The fraction that the integers are multiplied by.
    factor: String,
    /// Primes, each with the coefficients modulo it, the constant term first.
    residues: Vec<(u64, Vec<u64>)>,
}

impl Part {
    /// The same as the library has it.
    fn residues(self) -> Option<ResultantResidues> {
        let Self { primes, bits, factor, residues } = self;
        let factor: BigRational = factor.parse().ok()?;
        Some(ResultantResidues { primes, bits, factor, residues })
    }
}

/// Computes the residues of a turn, and writes them.
///
/// # Errors
/// Everything that [`Error`] lists.
pub(super) fn write(arguments: &Arguments, global: &Global, (part, parts): (usize, usize)) -> Result<(), Error> {
    let names = arguments.system.names()?;
    let device = one(global)?;
    progress::step(format!("reading {}", input::name(&arguments.system.file)));
    let [f, g] = arguments.system.read(|line| RationalBivariate::parse_in(line, names))?;
    progress::compute(format!("{} on {}", Eliminated::STEP, label(&device)));
    let ring = RationalRing::new(&device);
    let eliminated = arguments.eliminated()?.variable();
    let (made, profile) = device.profile(|| ring.resultant_residues(&f, &g, eliminated, part, parts))?;
    let ResultantResidues { primes, bits, factor, residues } = made?;
    shard::note(global, primes);
    let report = Report::new(Eliminated::COMMAND, serde_json::Value::Null, ());
    let part = Part { primes, bits, factor: factor.to_string(), residues };
    shard::write(global, &report.of_run(&device, (&profile).into(), None), &part)
}

impl Split for Arguments {
    fn deal(&self) -> Deal {
        Deal::Turns
    }

    fn refusal(&self) -> Option<&'static str> {
        (!self.system.exact).then_some("--exact splits, by primes")
    }

    fn not_checked(&self) -> Option<&'static str> {
        Some("residues of a resultant are checked together, by `manycore merge --verify`")
    }

    fn merge(&self, shards: &Shards, global: &Global) -> Result<(), Error> {
        let mut merged = shards.decode::<Part>()?;
        let damaged = |reason: String| shards.damaged(reason);
        let parts: Option<Vec<_>> = std::mem::take(&mut merged.parts).into_iter().map(Part::residues).collect();
        let parts = parts.ok_or_else(|| damaged("a factor is no fraction".to_owned()))?;
        let found = RationalRing::resultant_of_parts(&parts).map_err(|error| match error {
            BivariateError::Parts { .. } => damaged(error.to_string()).into(),
            error => Error::from(error),
        })?;
        let seed = global.seed.unwrap_or_else(SplitMix::fresh_seed);
        let mut report = merged.report(Report::new(Eliminated::COMMAND, serde_json::Value::Null, ()), false)?;
        if global.verify {
            report.verified = Some(true);
            report.verification = Some(self.check(shards, &found, seed, report.device.as_deref())?);
        }
        let names = self.system.names()?;
        let eliminated = self.eliminated()?;
        let parameters = parameters(&eliminated, &self.system, names, global, seed);
        let value = eliminated.value_of_rational(found, names);
        value::write(global, Report { parameters, ..report }.with(value))
    }
}

impl Arguments {
    /// Checks a resultant against the system that the shards are of.
    fn check(
        &self,
        shards: &Shards,
        found: &Vec<BigRational>,
        seed: u64,
        device: Option<&str>,
    ) -> Result<Verification, Error> {
        shards.check_inputs()?;
        let names = self.system.names()?;
        progress::step(format!("reading {}", input::name(&self.system.file)));
        let system = self.system.read(|line| RationalBivariate::parse_in(line, names))?;
        progress::step("verifying");
        let host = RationalRing::new(&Device::host());
        held(self.eliminated()?.holds(&host, &system, found, seed)?).map(Verification::from).map_err(|error| {
            Error::Wrong { device: device.unwrap_or("the shards").to_owned(), reason: error.to_string() }
        })
    }
}
