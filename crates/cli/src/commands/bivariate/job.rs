//! What all operations on systems do: read, compute, check, write.

use manycore::bivariate::{RationalBivariate, RationalRing};
use manycore::verify::{Chance, CheckError, Outcome, Passed, SplitMix};
use manycore::{Bivariate, BivariateError, BivariateField, BivariateRing, Device, MatrixField};
use serde_json::{Map, json};

use super::system::System;
use super::value::{self, Value};
use crate::arguments::Global;
use crate::commands::label;
use crate::commands::poly::{Modulus, WithField};
use crate::commands::several::one;
use crate::error::Error;
use crate::input;
use crate::output::{self, JsonInteger, Report};
use crate::progress;
use crate::verification::verified;

/// An operation on systems of two polynomials.
pub(super) trait Work: Sync {
    /// The command.
    const COMMAND: &'static str;
    /// What a reader is told that it does.
    const STEP: &'static str;
    /// What it gives over a prime field.
    type Modular<F: BivariateField>: Send;
    /// What it gives over the rationals.
    type Rational: Send;

    /// Parameters beside those of the system.
    fn parameters(&self) -> Map<String, serde_json::Value> {
        Map::new()
    }

    fn modular<F: BivariateField>(
        &self,
        ring: &BivariateRing<F>,
        system: &[Bivariate<F>; 2],
    ) -> Result<Self::Modular<F>, BivariateError>;

    /// Checks a result on the host's ring.
    fn check_modular<F: BivariateField>(
        &self,
        host: &BivariateRing<F>,
        system: &[Bivariate<F>; 2],
        found: &Self::Modular<F>,
        seed: u64,
    ) -> Result<Outcome, Error>;

    fn value_of_modular<F: BivariateField>(
        &self,
        field: &F,
        found: Self::Modular<F>,
        names: [&str; 2],
    ) -> Result<Value, Error>;

    fn rational(&self, ring: &RationalRing, system: &[RationalBivariate; 2]) -> Result<Self::Rational, BivariateError>;

    /// Whether a result holds modulo random primes.
    fn holds(
        &self,
        host: &RationalRing,
        system: &[RationalBivariate; 2],
        found: &Self::Rational,
        seed: u64,
    ) -> Result<bool, BivariateError>;

    fn value_of_rational(&self, found: Self::Rational, names: [&str; 2]) -> Value;
}

/// Does the work on the system of a file.
///
/// # Errors
/// Everything that [`Error`] lists.
pub(super) fn run<W: Work>(work: &W, system: &System, global: &Global) -> Result<(), Error> {
    output::check_form(global)?;
    let names = system.names()?;
    let job = Job { work, system, names, global };
    match system.modulus {
        Some(modulus) => Modulus(modulus).with(job),
        None => job.over_rationals(),
    }
}

struct Job<'a, W> {
    work: &'a W,
    system: &'a System,
    names: [&'a str; 2],
    global: &'a Global,
}

/// The chance that a wrong result over the rationals passes, as a base-2 logarithm: a prime that is drawn by a random number of 61 bits
/// comes with a chance of at most 2^-50, two do, and of the primes that hide an error of less than 2^24 bits there are fewer than 2^19.
const CHANCE_LOG2: f64 = -62.0;

impl<W: Work> Job<'_, W> {
    fn over_rationals(self) -> Result<(), Error> {
        let Self { work, system, names, global } = self;
        let device = one(global)?;
        progress::step(format!("reading {}", input::name(&system.file)));
        let polynomials = system.read(|line| RationalBivariate::parse_in(line, names))?;
        progress::compute(format!("{} on {}", W::STEP, label(&device)));
        let (made, profile) = device.profile(|| work.rational(&RationalRing::new(&device), &polynomials))?;
        let found = made?;
        let seed = global.seed.unwrap_or_else(SplitMix::fresh_seed);
        let verification = if global.verify {
            progress::step("verifying");
            let host = RationalRing::new(&Device::host());
            Some(verified(held(work.holds(&host, &polynomials, &found, seed)?), &device)?)
        } else {
            None
        };
        let value = work.value_of_rational(found, names);
        let report = Report::new(W::COMMAND, parameters(work, system, names, global, seed), value);
        value::write(global, report.of_run(&device, (&profile).into(), verification))
    }
}

impl<W: Work> WithField for Job<'_, W> {
    type Output = ();

    fn run<F: BivariateField + MatrixField>(self, field: F) -> Result<(), Error> {
        let Self { work, system, names, global } = self;
        let device = one(global)?;
        progress::step(format!("reading {}", input::name(&system.file)));
        let polynomials = system.read(|line| Bivariate::parse_in(&field, line, names))?;
        progress::compute(format!("{} on {}", W::STEP, label(&device)));
        let ring = BivariateRing::new(&device, field.clone())?;
        let (made, profile) = device.profile(|| work.modular(&ring, &polynomials))?;
        let found = made?;
        let seed = global.seed.unwrap_or_else(SplitMix::fresh_seed);
        let verification = if global.verify {
            progress::step("verifying");
            let host = BivariateRing::new(&Device::host(), field.clone())?;
            Some(verified(work.check_modular(&host, &polynomials, &found, seed)?, &device)?)
        } else {
            None
        };
        let value = work.value_of_modular(&field, found, names)?;
        let report = Report::new(W::COMMAND, parameters(work, system, names, global, seed), value);
        value::write(global, report.of_run(&device, (&profile).into(), verification))
    }
}

/// The check of a result that holds modulo random primes, or does not.
pub(super) fn held(holds: bool) -> Outcome {
    if holds {
        Ok(Passed { method: "results modulo random primes", chance: Chance::Below { log2: CHANCE_LOG2 } })
    } else {
        Err(wrong("that it holds modulo random primes"))
    }
}

/// What a report tells beside the result.
pub(super) fn parameters<W: Work>(
    work: &W,
    system: &System,
    names: [&str; 2],
    global: &Global,
    seed: u64,
) -> serde_json::Value {
    let mut parameters = work.parameters();
    parameters.insert("modulus".to_owned(), json!(system.modulus.map(|p| JsonInteger(p.into()))));
    parameters.insert("variables".to_owned(), json!(names));
    parameters.insert("seed".to_owned(), json!(global.verify.then_some(JsonInteger(seed.into()))));
    parameters.into()
}

/// What a wrong result does not fulfil.
pub(super) fn wrong(relation: &str) -> CheckError {
    CheckError::Relation { relation: relation.to_owned() }
}
