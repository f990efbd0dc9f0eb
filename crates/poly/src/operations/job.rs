//! Jobs over a prime field: coefficients are read as residues, a device computes.

use std::marker::PhantomData;
use std::ops::Range;

use manycore_device::{Device, DeviceSet, LibraryError};
use manycore_field::{ResidueWord, with_field};
use manycore_files::memory::probe;
use manycore_operation::json::Json;
use manycore_operation::{
    Answer, Arguments, Declaration, DeclaredOption, Files, Job, Operation, OperationError, OptionKind, Polynomial,
    Task, Value, unmade,
};
use manycore_verify::{CheckError, Passed};

use super::refusal;
use crate::error::PolyError;
use crate::file;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

/// An option that picks one of the parts of a result.
pub(super) const fn only(help: &'static str, words: &'static [(&'static str, &'static str)]) -> DeclaredOption {
    DeclaredOption {
        value: OptionKind::Word { value_name: "PART", words, default: None },
        ..DeclaredOption::flag("only", help)
    }
}

/// An operation on polynomials over a field of any type, with its options.
pub(super) trait Work: Sized + 'static {
    /// What it is.
    const DECLARATION: &'static Declaration;

    /// Whether a second file that is the first one stands for no input of its own.
    const TAKES_ONE_FOR_BOTH: bool = false;

    /// The input, a list of points, of which several processes have some each.
    const SPLITS: Option<usize> = None;

    /// The work with these options.
    fn of(arguments: &Arguments) -> Self;

    /// The part of the result that is wanted; without one, all of it.
    fn only(&self) -> Option<&'static str> {
        None
    }

    /// The most coefficients of each file that are read: later ones do not change the result.
    fn terms(&self) -> usize {
        usize::MAX
    }

    /// Computes the result on the ring's device.
    fn compute<F: PolyField>(&self, given: &Given<'_, F>) -> Result<Made<F::Element>, PolyError>;

    /// The work on polynomials of these lengths as one whose time is estimated.
    fn task(&self, _lengths: &[usize], _modulus: u64) -> Option<Task> {
        None
    }

    /// Checks a result: a wrong one is a [`PolyError::Check`].
    fn check<F: PolyField>(&self, done: &Done<'_, F>) -> Result<Passed, PolyError>;
}

/// What is computed with.
pub(super) struct Given<'a, F: PolyField> {
    pub(super) ring: &'a PolyRing<F>,
    /// The polynomials.
    pub(super) polys: &'a [Poly<F>],
    /// Their coefficients, as they were read: of lists of elements the last may be zero.
    pub(super) words: &'a [Vec<F::Element>],
    /// The items of the list that is shared.
    pub(super) part: Range<usize>,
}

/// A result over a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Found<T> {
    /// An element of the field.
    Element(T),
    /// Elements of the field.
    Elements(Vec<T>),
    /// The coefficients of a polynomial, the constant term first.
    Polynomial(Vec<T>),
    /// Several polynomials with their names.
    Polynomials(Vec<(&'static str, Vec<T>)>),
    /// A leading coefficient, and monic polynomials with their multiplicities.
    Factors(T, Vec<(Vec<T>, usize)>),
}

impl<T: ResidueWord> Found<T> {
    fn value(self) -> Value {
        let residues = |words: Vec<T>| -> Vec<u64> { words.into_iter().map(T::as_u64).collect() };
        match self {
            Self::Element(element) => Value::Element(element.as_u64()),
            Self::Elements(words) => Value::Elements(residues(words)),
            Self::Polynomial(words) => Value::Polynomial(Polynomial::in_x(residues(words))),
            Self::Polynomials(parts) => {
                Value::Polynomials(parts.into_iter().map(|(name, words)| (name, residues(words))).collect())
            }
            Self::Factors(leading, factors) => {
                let factors = factors.into_iter().map(|(words, multiplicity)| (residues(words), multiplicity));
                Value::Factors(leading.as_u64(), factors.collect())
            }
        }
    }
}

/// A result, and how it was made.
pub(super) struct Made<T> {
    pub(super) found: Found<T>,
    /// The algorithm's name, where there is a choice.
    pub(super) algorithm: Option<&'static str>,
    pub(super) predicted_seconds: Option<f64>,
    /// Parameters beside the modulus and the lengths, or in place of them.
    pub(super) parameters: Vec<(&'static str, Json)>,
}

impl<T> From<Found<T>> for Made<T> {
    fn from(found: Found<T>) -> Self {
        Self { found, algorithm: None, predicted_seconds: None, parameters: Vec::new() }
    }
}

impl<T> Made<T> {
    pub(super) fn with(mut self, name: &'static str, value: impl Into<Json>) -> Self {
        self.parameters.push((name, value.into()));
        self
    }
}

/// What a check gets to see.
pub(super) struct Done<'a, F: PolyField> {
    pub(super) ring: &'a PolyRing<F>,
    /// The polynomials.
    pub(super) polys: &'a [Poly<F>],
    /// Their coefficients, as they were read.
    pub(super) words: &'a [Vec<F::Element>],
    /// The items of the list that is shared.
    pub(super) part: Range<usize>,
    /// The result.
    pub(super) found: &'a Found<F::Element>,
    /// The seed of the check.
    pub(super) seed: u64,
}

impl<F: PolyField> Done<'_, F> {
    /// The result as an element of the field; zero for polynomials.
    pub(super) fn integer(&self) -> F::Element {
        if let Found::Element(value) = self.found { *value } else { self.ring.field().zero() }
    }

    /// The ring on the host, which checks what was read and not what the device holds.
    pub(super) fn on_host(&self) -> Result<PolyRing<F>, PolyError> {
        PolyRing::new(&Device::host(), self.ring.field().clone())
    }

    /// A part of the result as words of the field; all of one that has no parts.
    pub(super) fn part(&self, wanted: &str) -> Vec<F::Element> {
        match self.found {
            Found::Elements(words) | Found::Polynomial(words) => words.clone(),
            Found::Polynomials(parts) => {
                parts.iter().find(|(name, _)| *name == wanted).map_or_else(Vec::new, |(_, words)| words.clone())
            }
            Found::Element(_) | Found::Factors(..) => Vec::new(),
        }
    }
}

/// A polynomial's coefficients, as a result.
pub(super) fn polynomial<F: PolyField>(ring: &PolyRing<F>, f: &Poly<F>) -> Result<Made<F::Element>, PolyError> {
    Ok(Found::Polynomial(ring.coefficients(f)?).into())
}

/// A choice on two polynomials, neither of them empty.
pub(super) fn pair(choice: &'static str, lengths: &[usize], names: [&'static str; 2], modulus: u64) -> Option<Task> {
    match *lengths {
        [n, m] if n > 0 && m > 0 => {
            Some(Task::of(choice, vec![(names[0], n as u64), (names[1], m as u64), ("modulus", modulus)]))
        }
        _ => None,
    }
}

/// An operation over a prime field.
pub(super) struct Over<W>(PhantomData<fn() -> W>);

impl<W> Over<W> {
    pub(super) const fn new() -> Self {
        Self(PhantomData)
    }
}

type Boxed = Box<dyn Job>;

impl<W: Work> Operation for Over<W> {
    fn declaration(&self) -> &'static Declaration {
        W::DECLARATION
    }

    fn read(&self, arguments: &Arguments, files: &mut dyn Files) -> Result<Boxed, OperationError> {
        let work = W::of(arguments);
        // Zero is no prime, and refused as such.
        let p = arguments.number("modulus").unwrap_or(0);
        with_field!(p, field => read(work, arguments, field, files))?
    }
}

fn read<W: Work, F: PolyField>(
    work: W,
    arguments: &Arguments,
    field: F,
    files: &mut dyn Files,
) -> Result<Boxed, OperationError> {
    let mut words: Vec<Vec<F::Element>> = Vec::new();
    let is_read = |input: &manycore_operation::Input| {
        input.when.is_none_or(|when| arguments.word(when.option) == Some(when.word))
    };
    for input in 0..W::DECLARATION.inputs.iter().filter(|input| is_read(input)).count() {
        if let Some(same) = files.earlier(input).and_then(|earlier| words.get(earlier)) {
            if !W::TAKES_ONE_FOR_BOTH {
                words.push(same.clone());
            }
            continue;
        }
        let source = files.numbers(input)?;
        let name = source.file().to_owned();
        let coefficients = file::coefficients_below(&field, source, work.terms())?;
        probe(2 * size_of_val(&coefficients[..]) as u64, || format!("the results of {name}"))?;
        words.push(coefficients);
    }
    let part = W::SPLITS.and_then(|input| words.get(input)).map_or(0..0, |items| files.part(items.len()));
    Ok(Box::new(Modular { work, field, words, part, done: None }))
}

/// A job over a field.
struct Modular<W, F: PolyField> {
    work: W,
    field: F,
    words: Vec<Vec<F::Element>>,
    part: Range<usize>,
    done: Option<Computed<F>>,
}

/// What a device made.
struct Computed<F: PolyField> {
    ring: PolyRing<F>,
    polys: Vec<Poly<F>>,
    made: Made<F::Element>,
}

impl<W: Work, F: PolyField> Job for Modular<W, F> {
    fn task(&self) -> Option<Task> {
        let lengths: Vec<usize> = self.words.iter().map(Vec::len).collect();
        self.work.task(&lengths, self.field.order())
    }

    fn compute(&mut self, devices: &DeviceSet, _: u64) -> Result<(), OperationError> {
        let ring = PolyRing::new(&devices.devices()[0], self.field.clone())?;
        let polys = self.words.iter().map(|words| ring.poly(words)).collect::<Result<Vec<_>, _>>()?;
        let given = Given { ring: &ring, polys: &polys, words: &self.words, part: self.part.clone() };
        let made = self.work.compute(&given)?;
        self.done = Some(Computed { ring, polys, made });
        Ok(())
    }

    fn check(&self, seed: u64, _: bool) -> Result<Passed, OperationError> {
        let Computed { ring, polys, made } = self.done.as_ref().ok_or_else(unmade)?;
        let done = Done { ring, polys, words: &self.words, part: self.part.clone(), found: &made.found, seed };
        self.work.check(&done).map_err(of_check)
    }

    fn check_refusal(&self, refused: &OperationError, seed: u64) -> Option<Result<Passed, OperationError>> {
        let error = refused.of()?;
        let checked = refusal::check(&self.field, &self.words, error, seed).map_err(of_check);
        Some(checked.map(|()| Passed::by_second_computation(refusal::METHOD)))
    }

    fn answer(self: Box<Self>) -> Answer {
        let Self { work, field, done, .. } = *self;
        let Some(Computed { polys, made, .. }) = done else { return Answer::of(Value::None) };
        let Made { found, algorithm, predicted_seconds, parameters } = made;
        let p = field.order();
        let lengths: Vec<usize> = polys.iter().map(Poly::len).collect();
        let answer = Answer::of(found.value().only(work.only())).modulo(p);
        let answer = answer.with("modulus", manycore_operation::json::integer(p)).with("lengths", lengths);
        let answer = parameters.into_iter().fold(answer, |answer, (name, value)| answer.with(name, value));
        Answer { algorithm, predicted_seconds, ..answer }
    }
}

/// What a check fails with: the input was taken, so that what a check refuses is not its fault.
fn of_check(error: PolyError) -> OperationError {
    match error {
        PolyError::Check(_) | PolyError::Device(_) => error.into(),
        error if error.kind().is_refusal() => {
            CheckError::Relation { relation: format!("a relation of the check, which says \"{error}\",") }.into()
        }
        error => error.into(),
    }
}
