//! `manycore bivariate resultant --exact` in shards: the resultant modulo every n-th prime of the sequence that proves it.

use manycore::Device;
use manycore::bivariate::operations::{held, resultant_answer, system_of_resultant};
use manycore::bivariate::{BivariateError, RationalRing, ResultantResidues};
use manycore::operation::OperationError;
use manycore::verify::SplitMix;
use num_rational::BigRational;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};

use super::called::Called;
use super::files::Opened;
use super::own::Own;
use super::write::write;
use crate::commands::several::one;
use crate::error::Error;
use crate::global::Global;
use crate::label::label;
use crate::output::{JsonInteger, Report};
use crate::progress;
use crate::shard::{self, Deal, Shards, Split};
use crate::verification::Verification;

/// The call of a resultant over the rationals.
pub(super) struct Resultant<'a>(pub(super) &'a Called);

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
    /// The residues in the library's form.
    fn residues(self) -> Option<ResultantResidues> {
        let Self { primes, bits, factor, residues } = self;
        let factor: BigRational = factor.parse().ok()?;
        Some(ResultantResidues { primes, bits, factor, residues })
    }
}

impl Own for Resultant<'_> {
    fn write_part(&self, global: &Global, turn: (usize, usize)) -> Option<Result<(), Error>> {
        Some(write_part(self.0, global, turn))
    }
}

/// Computes the residues of a turn, and writes them.
///
/// # Errors
/// Everything that [`Error`] lists.
fn write_part(called: &Called, global: &Global, (part, parts): (usize, usize)) -> Result<(), Error> {
    let (paths, declaration) = (called.paths(), called.declaration());
    let told = |error: OperationError| Error::of_operation(error, &paths);
    let device = one(global)?;
    let system = system_of_resultant(&called.arguments, &mut Opened::new(called, global));
    let ([f, g], eliminated) = system.map_err(told)?;
    progress::compute(format!("{} on {}", declaration.step, label(&device)));
    let ring = RationalRing::new(&device);
    let (made, profile) = device.profile(|| ring.resultant_residues(&f, &g, eliminated, part, parts))?;
    let ResultantResidues { primes, bits, factor, residues } = made.map_err(|error| told(error.into()))?;
    shard::note(global, primes);
    let report = Report::new(declaration.name, Json::Null, ());
    let part = Part { primes, bits, factor: factor.to_string(), residues };
    shard::write(global, &report.of_run(&device, (&profile).into(), None), &part)
}

impl Split for Resultant<'_> {
    fn deal(&self) -> Deal {
        Deal::Turns
    }

    fn refusal(&self) -> Option<&'static str> {
        (!self.0.arguments.is_given("exact")).then_some("--exact splits, by primes")
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
            error => self.told(error),
        })?;
        let name = self.0.declaration().name;
        let seed = global.seed.unwrap_or_else(SplitMix::fresh_seed);
        let mut report = merged.report(Report::new(name, Json::Null, ()), false)?;
        if global.verify {
            report.verified = Some(true);
            report.verification = Some(self.check(shards, &found, seed, global, report.device.as_deref())?);
        }
        let answer = resultant_answer(found, &self.0.arguments).map_err(|error| self.told(error))?;
        let mut told: Map<String, Json> =
            answer.parameters.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        told.insert("seed".to_owned(), json!(global.verify.then_some(JsonInteger(seed.into()))));
        write(global, Report { parameters: told.into(), ..report }.with(answer.value), None)
    }
}

impl Resultant<'_> {
    fn told(&self, error: impl Into<OperationError>) -> Error {
        Error::of_operation(error.into(), &self.0.paths())
    }

    /// Checks a resultant against the system that the shards are of.
    fn check(
        &self,
        shards: &Shards,
        found: &[BigRational],
        seed: u64,
        global: &Global,
        device: Option<&str>,
    ) -> Result<Verification, Error> {
        shards.check_inputs()?;
        let system = system_of_resultant(&self.0.arguments, &mut Opened::new(self.0, global));
        let ([f, g], eliminated) = system.map_err(|error| self.told(error))?;
        progress::step("verifying");
        let host = RationalRing::new(&Device::host());
        let holds = host.verify_resultant(&f, &g, eliminated, found, seed).map_err(|error| self.told(error))?;
        held(holds).map(Verification::from).map_err(|error| Error::Wrong {
            device: device.unwrap_or("the shards").to_owned(),
            reason: error.to_string(),
        })
    }
}
