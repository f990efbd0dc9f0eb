//! Jobs over a prime field and over the rationals: a system is read, a device computes, the host checks.

use std::marker::PhantomData;

use manycore_device::{Device, DeviceSet};
use manycore_field::{Goldilocks, ModularField as _, PrimeField};
use manycore_operation::json::{Json, integer};
use manycore_operation::{Answer, Arguments, Declaration, Files, Job, Operation, OperationError, Value, unmade};
use manycore_verify::{Chance, CheckError, Outcome, Passed};

use super::system;
use crate::error::BivariateError;
use crate::polynomial::Bivariate;
use crate::rational::{RationalBivariate, RationalRing};
use crate::ring::{BivariateField, BivariateRing};

/// An operation on systems of two polynomials.
pub(super) trait Work: Sized + 'static {
    /// What it is.
    const DECLARATION: &'static Declaration;
    /// What it gives over a prime field.
    type Modular<F: BivariateField>;
    /// What it gives over the rationals.
    type Rational: 'static;

    /// The work with these options, in variables of these names.
    fn of(arguments: &Arguments, names: [&str; 2]) -> Result<Self, OperationError>;

    /// Parameters beside those of the system.
    fn parameter(&self) -> Option<(&'static str, &'static str)> {
        None
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
    ) -> Result<Outcome, BivariateError>;

    /// Its value; where that has to be made, it is made as the result is computed.
    fn value_of_modular<F: BivariateField>(
        &self,
        field: &F,
        found: &Self::Modular<F>,
        names: [&str; 2],
    ) -> Result<Value, BivariateError>;

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

/// The chance that a wrong result over the rationals passes, as a base-2 logarithm: a prime that is drawn by a random number of 61 bits
/// comes with a chance of at most 2^-50, two do, and of the primes that hide an error of less than 2^24 bits there are fewer than 2^19.
const CHANCE_LOG2: f64 = -62.0;

/// The check of a result that holds modulo random primes, or does not.
///
/// # Errors
/// That it does not hold.
pub fn held(holds: bool) -> Outcome {
    if holds {
        Ok(Passed { method: "results modulo random primes", chance: Chance::Below { log2: CHANCE_LOG2 } })
    } else {
        Err(CheckError::Relation { relation: "that it holds modulo random primes".to_owned() })
    }
}

/// A check that fails because a relation does not hold.
pub(super) fn wrong(relation: &str) -> Outcome {
    Err(CheckError::Relation { relation: relation.to_owned() })
}

/// An operation over a prime field or the rationals.
pub(super) struct Over<W>(PhantomData<fn() -> W>);

impl<W> Over<W> {
    pub(super) const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<W: Work> Operation for Over<W> {
    fn declaration(&self) -> &'static Declaration {
        W::DECLARATION
    }

    fn read(&self, arguments: &Arguments, files: &mut dyn Files) -> Result<Box<dyn Job>, OperationError> {
        let names = system::names(arguments)?;
        let work = W::of(arguments, names.each_ref().map(String::as_str))?;
        if let Some(modulus) = arguments.number("modulus") {
            return with_field(modulus, Modulo { work, names, files });
        }
        let [x, y] = &names;
        let system = system::read(files, |line| RationalBivariate::parse_in(line, [x, y]))?;
        let system = system.map(|(_, polynomial)| polynomial);
        Ok(Box::new(Rational { work, names, system, found: None }))
    }
}

/// Something to do over a field whose type depends on the modulus.
pub(super) trait WithField {
    fn read<F: BivariateField>(self, field: F) -> Result<Box<dyn Job>, OperationError>;
}

/// Does it over the field with the shortest words that hold the residues.
pub(super) fn with_field(modulus: u64, work: impl WithField) -> Result<Box<dyn Job>, OperationError> {
    if modulus == Goldilocks.order() {
        return work.read(Goldilocks);
    }
    match u32::try_from(modulus) {
        Ok(p) if modulus < PrimeField::<u32>::LIMIT => work.read(PrimeField::<u32>::new(p)?),
        _ => work.read(PrimeField::<u64>::new(modulus)?),
    }
}

/// What is read modulo a prime.
struct Modulo<'a, W> {
    work: W,
    names: [String; 2],
    files: &'a mut dyn Files,
}

impl<W: Work> WithField for Modulo<'_, W> {
    fn read<F: BivariateField>(self, field: F) -> Result<Box<dyn Job>, OperationError> {
        let Self { work, names, files } = self;
        let [x, y] = &names;
        let system = system::read(files, |line| Bivariate::parse_in(&field, line, [x, y]))?;
        let system = system.map(|(_, polynomial)| polynomial);
        Ok(Box::new(Modular { work, names, field, system, found: None }))
    }
}

/// A job modulo a prime.
struct Modular<W: Work, F: BivariateField> {
    work: W,
    names: [String; 2],
    field: F,
    system: [Bivariate<F>; 2],
    found: Option<(W::Modular<F>, Value)>,
}

impl<W: Work, F: BivariateField> Job for Modular<W, F> {
    fn compute(&mut self, devices: &DeviceSet, _: u64) -> Result<(), OperationError> {
        let ring = BivariateRing::new(&devices.devices()[0], self.field.clone())?;
        let found = self.work.modular(&ring, &self.system)?;
        let value = self.work.value_of_modular(&self.field, &found, self.names.each_ref().map(String::as_str))?;
        self.found = Some((found, value));
        Ok(())
    }

    fn check(&self, seed: u64, _: bool) -> Result<Passed, OperationError> {
        let (found, _) = self.found.as_ref().ok_or_else(unmade)?;
        let host = BivariateRing::new(&Device::host(), self.field.clone())?;
        Ok(self.work.check_modular(&host, &self.system, found, seed)??)
    }

    fn answer(self: Box<Self>) -> Answer {
        let Self { work, names, field, found, .. } = *self;
        let p = field.order();
        let answer = Answer::of(found.map_or(Value::None, |(_, value)| value)).modulo(p);
        parameters(answer, work.parameter(), Some(p), &names)
    }
}

/// A job over the rationals.
struct Rational<W: Work> {
    work: W,
    names: [String; 2],
    system: [RationalBivariate; 2],
    found: Option<W::Rational>,
}

impl<W: Work> Job for Rational<W> {
    fn compute(&mut self, devices: &DeviceSet, _: u64) -> Result<(), OperationError> {
        self.found = Some(self.work.rational(&RationalRing::new(&devices.devices()[0]), &self.system)?);
        Ok(())
    }

    fn check(&self, seed: u64, _: bool) -> Result<Passed, OperationError> {
        let found = self.found.as_ref().ok_or_else(unmade)?;
        let host = RationalRing::new(&Device::host());
        Ok(held(self.work.holds(&host, &self.system, found, seed)?)?)
    }

    fn answer(self: Box<Self>) -> Answer {
        let Self { work, names, found, .. } = *self;
        let own = names.each_ref().map(String::as_str);
        let value = found.map_or(Value::None, |found| work.value_of_rational(found, own));
        parameters(Answer::of(value), work.parameter(), None, &names)
    }
}

/// An answer with the report's parameters of the system.
pub(super) fn parameters(
    answer: Answer,
    own: Option<(&'static str, &'static str)>,
    modulus: Option<u64>,
    names: &[String; 2],
) -> Answer {
    let answer = own.into_iter().fold(answer, |answer, (name, value)| answer.with(name, value));
    answer.with("modulus", modulus.map_or(Json::Null, integer)).with("variables", names.to_vec())
}
