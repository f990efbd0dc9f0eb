//! What the operations on polynomials have in common: files are read, the device computes, the result is checked and written.

use std::path::Path;

use manycore::device::{Kind, Profile};
use manycore::field::ResidueWord as _;
use manycore::verify::{CheckError, Passed, SplitMix};
use manycore::{Device, Poly, PolyError, PolyField, PolyRing};
use serde_json::{Map, json};

use super::value::{self, Value};
use super::{Modulus, WithField, refusal};
use crate::arguments::Global;
use crate::commands::auto::Wanted;
use crate::commands::choice::Operation;
use crate::commands::label;
use crate::error::{Error, is_refusal};
use crate::input;
use crate::message;
use crate::output::{self, JsonInteger, Report, Residues};
use crate::progress;
use crate::verification::{Verification, failed};

/// An operation on polynomials over a field of any type.
pub(super) trait Work {
    /// The command, as reports name it.
    const COMMAND: &'static str;

    /// What progress calls it.
    const STEP: &'static str;

    /// Whether a result that is a list has the coefficients of a polynomial, and not elements of the field.
    const IS_POLYNOMIAL: bool = true;
    /// What is said of an empty list, where that is an answer.
    const NONE: Option<&'static str> = None;

    /// How many coefficients of each file are read, at most: behind them nothing changes the result.
    fn terms(&self) -> usize {
        usize::MAX
    }

    /// Computes the result on the ring's device.
    fn compute<F: PolyField>(&self, ring: &PolyRing<F>, polys: &[Poly<F>]) -> Result<Computed, PolyError>;

    /// The same with the words as they were read, for lists of elements: in these the last may be zero.
    fn compute_of<F: PolyField>(
        &self,
        ring: &PolyRing<F>,
        polys: &[Poly<F>],
        _words: &[Vec<F::Element>],
    ) -> Result<Computed, PolyError> {
        self.compute(ring, polys)
    }

    /// The work on polynomials of these lengths as an operation whose time is estimated, where it is one.
    fn operation(&self, _lengths: &[usize], _modulus: u64) -> Option<Operation> {
        None
    }

    /// Checks a result: a wrong one is a [`PolyError::Check`].
    fn check<F: PolyField>(&self, done: &Done<'_, F>) -> Result<Passed, PolyError>;

    /// The part of the result that is written; without one, all of it.
    fn only(&self) -> Option<&'static str> {
        None
    }
}

/// A result, and how it was made.
pub(super) struct Computed {
    pub(super) value: Value,
    /// The algorithm's name, where there is a choice.
    pub(super) algorithm: Option<&'static str>,
    pub(super) predicted_seconds: Option<f64>,
    /// What the report's parameters have beside the modulus, the lengths and the seed, or in the place of them.
    pub(super) parameters: Map<String, serde_json::Value>,
}

impl From<Value> for Computed {
    fn from(value: Value) -> Self {
        Self { value, algorithm: None, predicted_seconds: None, parameters: Map::new() }
    }
}

/// What a check gets to see.
pub(super) struct Done<'a, F: PolyField> {
    pub(super) ring: &'a PolyRing<F>,
    /// The polynomials.
    pub(super) polys: &'a [Poly<F>],
    /// Their coefficients, as they were read.
    pub(super) words: &'a [Vec<F::Element>],
    /// The result.
    pub(super) value: &'a Value,
    /// The seed of the check.
    pub(super) seed: u64,
}

impl<F: PolyField> Done<'_, F> {
    /// The result as an element of the field; zero for polynomials.
    pub(super) fn integer(&self) -> F::Element {
        if let Value::Integer(value) = self.value { F::Element::from_u64(*value) } else { self.ring.field().zero() }
    }

    /// The ring on the host, which checks what was read and not what the device holds.
    pub(super) fn on_host(&self) -> Result<PolyRing<F>, PolyError> {
        PolyRing::new(&Device::host(), self.ring.field().clone())
    }

    /// A part of the result as words of the field; all of one that has no parts.
    pub(super) fn part(&self, name: &str) -> Vec<F::Element> {
        self.value.part(name).iter().map(|&c| F::Element::from_u64(c)).collect()
    }
}

/// Coefficients as the program writes them.
pub(super) fn residues<F: PolyField>(ring: &PolyRing<F>, f: &Poly<F>) -> Result<Residues, PolyError> {
    Ok(Residues(ring.coefficients(f)?.into_iter().map(F::Element::as_u64).collect()))
}

/// The operation on a pair of polynomials, neither of them empty.
pub(super) fn pair(lengths: &[usize], operation: impl FnOnce(usize, usize) -> Operation) -> Option<Operation> {
    match *lengths {
        [n, m] if n > 0 && m > 0 => Some(operation(n, m)),
        _ => None,
    }
}

/// Reads the polynomials of these files, does the work on the device of `global`, checks and writes the result.
///
/// # Errors
/// Everything that [`Error`] lists.
pub(super) fn run(work: &impl Work, files: &[&Path], modulus: u64, global: &Global) -> Result<(), Error> {
    output::check_form(global)?;
    let wanted = Wanted::new(global)?;
    Modulus(modulus).with(Job { work, files, global, wanted })
}

/// What a check answers, with the error of a wrong result.
fn checked<T>(outcome: Result<T, PolyError>, device: &Device) -> Result<T, Error> {
    outcome.map_err(|error| match error {
        PolyError::Check(error) => failed(error, device),
        // The input was taken: what a check refuses is not its fault.
        error if is_refusal(&error) => failed(
            CheckError::Relation { relation: format!("a relation of the check, which says \"{error}\",") },
            device,
        ),
        error => error.into(),
    })
}

struct Job<'a, W> {
    work: &'a W,
    files: &'a [&'a Path],
    global: &'a Global,
    wanted: Wanted<'a>,
}

impl<W: Work> WithField for Job<'_, W> {
    type Output = ();

    fn run<F: PolyField>(self, field: F) -> Result<(), Error> {
        let Self { work, files, global, wanted } = self;
        let words = input::each_once(files, |path| {
            progress::step(format!("reading {}", input::name(path)));
            Ok(input::coefficients_below(path, &field, work.terms())?)
        })?;
        let lengths: Vec<usize> = words.iter().map(Vec::len).collect();
        let device = wanted.device(work.operation(&lengths, field.order()).as_ref());
        progress::compute(format!("{} on {}", W::STEP, label(&device)));
        let ring = PolyRing::new(&device, field)?;
        let (outcome, profile) = device.profile(|| -> Result<_, PolyError> {
            let polys = words.iter().map(|words| ring.poly(words)).collect::<Result<Vec<_>, _>>()?;
            let computed = work.compute_of(&ring, &polys, &words)?;
            Ok((polys, computed))
        })?;
        let seed = global.seed.unwrap_or_else(SplitMix::fresh_seed);
        let (polys, Computed { value, algorithm, predicted_seconds, parameters: own }) = match outcome {
            Ok(done) => done,
            Err(error) if global.verify => {
                progress::step("verifying");
                checked(refusal::check(ring.field(), &words, &error, seed), &device)?;
                return Err(Error::from(error).of_files(files));
            }
            Err(error) => return Err(Error::from(error).of_files(files)),
        };
        let verification = if global.verify {
            progress::step("verifying");
            let done = Done { ring: &ring, polys: &polys, words: &words, value: &value, seed };
            Some(Verification::from(checked(work.check(&done), &device)?))
        } else {
            None
        };
        let lengths = polys.iter().map(Poly::len).collect();
        let made = Made { device, profile, lengths, seed, verification, modulus: ring.field().order() };
        let computed = Computed { value, algorithm, predicted_seconds, parameters: own };
        if let (Some(none), Value::List(list), false) = (W::NONE, &computed.value, global.json)
            && list.0.is_empty()
        {
            message::tell(none);
        }
        write(global, made, computed, (W::COMMAND, work.only(), W::IS_POLYNOMIAL))
    }
}

/// How a result was made.
struct Made {
    device: Device,
    profile: Profile,
    lengths: Vec<usize>,
    seed: u64,
    verification: Option<Verification>,
    modulus: u64,
}

/// Writes a result of a command with its report, or a part of it: compiled once for all operations and fields.
fn write(
    global: &Global,
    made: Made,
    computed: Computed,
    (command, only, is_polynomial): (&'static str, Option<&'static str>, bool),
) -> Result<(), Error> {
    let Made { device, profile, lengths, seed, verification, modulus } = made;
    let mut parameters = json!({
        "modulus": JsonInteger(modulus.into()),
        "lengths": lengths,
        "seed": global.verify.then_some(JsonInteger(seed.into())),
    });
    if let Some(parameters) = parameters.as_object_mut() {
        parameters.extend(computed.parameters);
    }
    let report = Report {
        device: Some(label(&device)),
        algorithm: computed.algorithm,
        seconds: Some(profile.span_seconds()),
        transfer_seconds: Some(profile.seconds(Kind::Upload) + profile.seconds(Kind::Download)),
        predicted_seconds: computed.predicted_seconds,
        verified: global.verify.then_some(true),
        verification,
        ..Report::new(command, parameters, computed.value.only(only))
    };
    value::write(global, report, (modulus, is_polynomial))
}
