//! `manycore poly resultant` and `manycore poly discriminant`.

use clap::Args;
use manycore::field::ResidueWord as _;
use manycore::verify::product::resultant;
use manycore::verify::{CheckError, Passed, SplitMix};
use manycore::{Poly, PolyError, PolyField, PolyRing};

use super::job::{self, Computed, Done, Work};
use super::value::Value;
use super::{Pair, Single};
use crate::arguments::Global;
use crate::commands::choice::Operation;
use crate::commands::choice::quotients::PolyGcdArguments;
use crate::error::Error;

/// The arguments of `poly resultant`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The polynomials.
    #[command(flatten)]
    pub pair: Pair,
}

/// What `--help` says first.
pub(super) const LONG_ABOUT: &str = "\
The resultant of two polynomials over a prime field

The determinant of Sylvester's matrix, one integer: zero where A and B have a common factor or one is zero.";

/// What `--help` says last.
pub(super) const AFTER_HELP: &str = "\
--verify proves the quotients of Euclid's algorithm at a random point of an extension of the field, and the resultant by their leading \
coefficients: a wrong one passes with a chance below 2^-64. Polynomials of more than 8192 coefficients are taken by a second computation on \
the host, from other polynomials, with a random multiple of the shorter one added and the coefficients reversed.

Examples:
  echo 1 2 3 | manycore poly resultant - b.txt --modulus 9001
  manycore poly resultant a.npy b.npy --modulus 469762049 --verify --json";

/// What `--help` of `poly discriminant` says first.
pub(super) const DISCRIMINANT_LONG_ABOUT: &str = "\
The discriminant of a polynomial over a prime field

(-1)^(n (n - 1) / 2) times the resultant of F and its derivative, as one of degree n - 1, over the leading coefficient, for the \
degree n; one integer. Zero for a polynomial with a multiple root in an extension of the field, and for constants.";

/// What `--help` of `poly discriminant` says last.
pub(super) const DISCRIMINANT_AFTER_HELP: &str = "\
--verify checks the resultant as that of `poly resultant` does.

Examples:
  echo 3 5 2 | manycore poly discriminant - --modulus 9001
  manycore poly discriminant f.npy --modulus 469762049 --verify --json";

/// Coefficients up to which Euclid's quotients, one after the other, take less time than the program's start.
const MOST_COEFFICIENTS: usize = 1 << 13;

/// How longer ones are checked, as reports name it.
const METHOD: &str = "second computation by the remainders of other polynomials";

/// Computes a resultant.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    job::run(&Resultant, &arguments.pair.files(), arguments.pair.modulus, global)
}

/// Computes a discriminant.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn discriminant(arguments: &Single, global: &Global) -> Result<(), Error> {
    job::run(&Discriminant, &[&arguments.f], arguments.modulus, global)
}

struct Resultant;

impl Work for Resultant {
    const COMMAND: &'static str = "poly resultant";
    const STEP: &'static str = "computing the resultant";

    fn operation(&self, lengths: &[usize], modulus: u64) -> Option<Operation> {
        job::pair(lengths, |n, m| Operation::PolyGcd(PolyGcdArguments { n, m: Some(m), batch: 1, modulus }))
    }

    fn compute<F: PolyField>(&self, ring: &PolyRing<F>, polys: &[Poly<F>]) -> Result<Computed, PolyError> {
        Ok(Value::Integer(ring.resultant(&polys[0], &polys[1])?.as_u64()).into())
    }

    fn check<F: PolyField>(&self, done: &Done<'_, F>) -> Result<Passed, PolyError> {
        check(&done.on_host()?, &done.words[0], &done.words[1], done.integer(), done.seed)
    }
}

struct Discriminant;

impl Work for Discriminant {
    const COMMAND: &'static str = "poly discriminant";
    const STEP: &'static str = "computing the discriminant";

    fn compute<F: PolyField>(&self, ring: &PolyRing<F>, polys: &[Poly<F>]) -> Result<Computed, PolyError> {
        Ok(Value::Integer(ring.discriminant(&polys[0])?.as_u64()).into())
    }

    fn check<F: PolyField>(&self, done: &Done<'_, F>) -> Result<Passed, PolyError> {
        let (ring, value) = (done.on_host()?, done.integer());
        let (field, f) = (ring.field(), &ring.poly(&done.words[0])?);
        let (Some(degree), Some(leading)) = (f.degree().filter(|&degree| degree > 0), ring.leading(f)?) else {
            return outcome(value == field.zero());
        };
        let derivative = ring.derivative(f)?;
        let Some(missing) = derivative.degree().map(|own| degree - 1 - own) else {
            return outcome(value == field.zero());
        };
        // Res_(n, n - 1) = lc^missing Res(f, f') of the derivative's own degree.
        let inverse = field.inverse(leading).unwrap_or(field.zero());
        let resultant = field.mul(field.mul(value, leading), field.power(inverse, missing as u64));
        let resultant = if degree % 4 >= 2 { field.neg(resultant) } else { resultant };
        check(&ring, &done.words[0], &ring.coefficients(&derivative)?, resultant, done.seed)
    }
}

/// Checks a resultant: by Euclid's quotients, which divisions on the host give and need not be right.
fn check<F: PolyField>(
    ring: &PolyRing<F>,
    f: &[F::Element],
    g: &[F::Element],
    value: F::Element,
    seed: u64,
) -> Result<Passed, PolyError> {
    let (mut a, mut b) = (ring.poly(f)?, ring.poly(g)?);
    if a.degree().is_none() || b.degree().is_none() {
        return outcome(value == ring.field().zero());
    }
    if f.len().max(g.len()) > MOST_COEFFICIENTS {
        return outcome(ring.verify_resultant(&a, &b, value, seed)?);
    }
    let mut quotients = Vec::new();
    while b.degree().is_some() {
        let (quotient, remainder) = ring.div_rem(&a, &b)?;
        quotients.push(ring.coefficients(&quotient)?);
        (a, b) = (b, remainder);
    }
    let (last, random) = (ring.coefficients(&a)?, &mut SplitMix::new(seed));
    resultant::check(ring.field().order(), f, g, value.as_u64(), &quotients, &last, random).map_err(PolyError::Check)
}

/// What the second computation answers.
fn outcome(is_equal: bool) -> Result<Passed, PolyError> {
    if is_equal {
        return Ok(Passed::by_second_computation(METHOD));
    }
    let relation = "that a second computation gives the value".to_owned();
    Err(PolyError::Check(CheckError::Relation { relation }))
}
