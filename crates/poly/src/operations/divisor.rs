//! Greatest common divisors with cofactors, resultants and discriminants.

use manycore_field::ResidueWord as _;
use manycore_operation::{Arguments, Declaration, DeclaredOption, Input, Task};
use manycore_verify::product::bezout::{self, Bezout};
use manycore_verify::product::resultant;
use manycore_verify::{CheckError, Passed, SplitMix};

use super::job::{Done, Found, Given, Made, Work, only, pair, polynomial};
use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

const GCD: Declaration = Declaration {
    name: "poly gcd",
    title: "The greatest common divisor",
    about: "\
The greatest common divisor of two polynomials over a prime field

The monic greatest common divisor, written as terms such as x^2 + 3*x, or with --format coefficients as its coefficients, the constant \
term first, one a line; a .npy file with -o NAME.npy; a list in the JSON object of --json. It is 0 where both polynomials are zero.",
    help: "\
--verify computes cofactors S and T and the quotients of A and B by the divisor, and checks on the host, at random points of an \
extension of the field, that S A + T B is the divisor and that it divides both: a wrong divisor passes with a chance below \
2^-62.

Examples:
  echo 5 11 3 17 3 3 | manycore poly gcd - b.txt --modulus 9001
  manycore poly gcd a.npy b.npy --modulus 469762049 --verify -o gcd.npy",
    step: "computing the greatest common divisor",
    inputs: &[Input::integers("a", "A", "The coefficients of one polynomial, the constant term first: text (numbers separated by white space or commas, or a sum of terms such as x^2 - 1; # begins a comment) or .npy; - is standard input"),
        Input::integers("b", "B", "The coefficients of the other polynomial")],
    options: &[DeclaredOption::MODULUS],
    ..Declaration::BASE
};

const XGCD: Declaration = Declaration {
    name: "poly xgcd",
    title: "The greatest common divisor with cofactors",
    about: "\
The greatest common divisor of two polynomials over a prime field, with cofactors

The monic greatest common divisor, and S and T with S A + T B equal to it. They stand after the lines `# gcd`, `# s` and `# t`, as terms \
or with --format coefficients as coefficients, the constant term first, one a line; with --only, one polynomial alone. With --json, the \
coefficients of all three in one object.",
    help: "\
--verify checks on the host, at random points of an extension of the field, that S A + T B is the divisor and that it divides A \
and B, with quotients that the device computes: a wrong result passes with a chance below 2^-62.

Examples:
  echo 1 0 1 | manycore poly xgcd - b.txt --modulus 7 --json
  manycore poly xgcd a.npy b.npy --modulus 469762049 --only s --verify -o s.npy",
    step: "computing the greatest common divisor",
    inputs: &[Input::integers("a", "A", "The coefficients of one polynomial, the constant term first: text (numbers separated by white space or commas, or a sum of terms such as x^2 - 1; # begins a comment) or .npy; - is standard input"),
        Input::integers("b", "B", "The coefficients of the other polynomial")],
    options: &[DeclaredOption::MODULUS,
        only("Write one of the three, which can then be a .npy file", &[("gcd", "The greatest common divisor"), ("s", "The factor of A"), ("t", "The factor of B")]),
    ],
    no_array: Some("a divisor with its cofactors (see --only)"),
    array_with: Some("only"),
    ..Declaration::BASE
};

const RESULTANT: Declaration = Declaration {
    name: "poly resultant",
    title: "The resultant of two polynomials",
    about: "\
The resultant of two polynomials over a prime field

The determinant of Sylvester's matrix, one integer: zero where A and B have a common factor or one is zero.",
    help: "\
--verify proves the quotients of Euclid's algorithm at a random point of an extension of the field, and the resultant by their leading \
coefficients: a wrong one passes with a chance below 2^-64. Polynomials of more than 8192 coefficients are taken by a second computation on \
the host, from other polynomials, with a random multiple of the shorter one added and the coefficients reversed.

Examples:
  echo 1 2 3 | manycore poly resultant - b.txt --modulus 9001
  manycore poly resultant a.npy b.npy --modulus 469762049 --verify --json",
    step: "computing the resultant",
    inputs: &[Input::integers("a", "A", "The coefficients of one polynomial, the constant term first: text (numbers separated by white space or commas, or a sum of terms such as x^2 - 1; # begins a comment) or .npy; - is standard input"),
        Input::integers("b", "B", "The coefficients of the other polynomial")],
    options: &[DeclaredOption::MODULUS],
    no_array: Some("a resultant"),
    ..Declaration::BASE
};

const DISCRIMINANT: Declaration = Declaration {
    name: "poly discriminant",
    title: "The discriminant",
    about: "\
The discriminant of a polynomial over a prime field

(-1)^(n (n - 1) / 2) times the resultant of F and its derivative, as one of degree n - 1, over the leading coefficient, for the \
degree n; one integer. Zero for a polynomial with a multiple root in an extension of the field, and for constants.",
    help: "\
--verify checks the resultant as that of `poly resultant` does.

Examples:
  echo 3 5 2 | manycore poly discriminant - --modulus 9001
  manycore poly discriminant f.npy --modulus 469762049 --verify --json",
    step: "computing the discriminant",
    inputs: &[Input::integers("f", "F", "The coefficients, the constant term first: text (numbers separated by white space or commas, or a sum of terms such as x^2 - 1; # begins a comment) or .npy; - is standard input")],
    options: &[DeclaredOption::MODULUS],
    no_array: Some("a discriminant"),
    ..Declaration::BASE
};

/// Coefficients up to which Euclid's quotients, one after the other, take less time than the program's start.
const MOST_COEFFICIENTS: usize = 1 << 13;

/// The method of the check of longer ones, in reports.
const METHOD: &str = "second computation by the remainders of other polynomials";

pub(super) struct Gcd;

impl Work for Gcd {
    const DECLARATION: &'static Declaration = &GCD;

    fn of(_: &Arguments) -> Self {
        Self
    }

    fn task(&self, lengths: &[usize], modulus: u64) -> Option<Task> {
        pair("poly-gcd", lengths, ["n", "m"], modulus)
    }

    fn compute<F: PolyField>(&self, given: &Given<'_, F>) -> Result<Made<F::Element>, PolyError> {
        polynomial(given.ring, &given.ring.gcd(&given.polys[0], &given.polys[1])?)
    }

    fn check<F: PolyField>(&self, done: &Done<'_, F>) -> Result<Passed, PolyError> {
        let witness = done.ring.xgcd(&done.polys[0], &done.polys[1])?;
        let (s, t) = (done.ring.coefficients(&witness.s)?, done.ring.coefficients(&witness.t)?);
        check_divisor(done, "gcd", &s, &t)
    }
}

/// Checks that a part of the result is the monic greatest common divisor, with these cofactors.
pub(super) fn check_divisor<F: PolyField>(
    done: &Done<'_, F>,
    part: &str,
    s: &[F::Element],
    t: &[F::Element],
) -> Result<Passed, PolyError> {
    let ring = done.ring;
    let gcd = done.part(part);
    let divisor = ring.poly(&gcd)?;
    let quotient = |f: &Poly<F>| -> Result<Vec<F::Element>, PolyError> {
        if divisor.is_zero() { Ok(Vec::new()) } else { ring.coefficients(&ring.div(f, &divisor)?) }
    };
    let quotients = [quotient(&done.polys[0])?, quotient(&done.polys[1])?];
    let bezout = Bezout { gcd: &gcd, s, t, quotients: [&quotients[0], &quotients[1]] };
    let random = &mut SplitMix::new(done.seed);
    bezout::check(ring.field().order(), [&done.words[0], &done.words[1]], &bezout, random).map_err(PolyError::Check)
}

pub(super) struct Xgcd {
    only: Option<&'static str>,
}

impl Work for Xgcd {
    const DECLARATION: &'static Declaration = &XGCD;

    fn of(arguments: &Arguments) -> Self {
        Self { only: arguments.word("only") }
    }

    fn only(&self) -> Option<&'static str> {
        self.only
    }

    fn task(&self, lengths: &[usize], modulus: u64) -> Option<Task> {
        pair("poly-gcd", lengths, ["n", "m"], modulus)
    }

    fn compute<F: PolyField>(&self, given: &Given<'_, F>) -> Result<Made<F::Element>, PolyError> {
        let x = given.ring.xgcd(&given.polys[0], &given.polys[1])?;
        let parts = [("gcd", &x.gcd), ("s", &x.s), ("t", &x.t)];
        let parts = parts.into_iter().map(|(name, f)| Ok((name, given.ring.coefficients(f)?)));
        Ok(Found::Polynomials(parts.collect::<Result<_, PolyError>>()?).into())
    }

    fn check<F: PolyField>(&self, done: &Done<'_, F>) -> Result<Passed, PolyError> {
        check_divisor(done, "gcd", &done.part("s"), &done.part("t"))
    }
}

pub(super) struct Resultant;

impl Work for Resultant {
    const DECLARATION: &'static Declaration = &RESULTANT;

    fn of(_: &Arguments) -> Self {
        Self
    }

    fn task(&self, lengths: &[usize], modulus: u64) -> Option<Task> {
        pair("poly-gcd", lengths, ["n", "m"], modulus)
    }

    fn compute<F: PolyField>(&self, given: &Given<'_, F>) -> Result<Made<F::Element>, PolyError> {
        Ok(Found::Element(given.ring.resultant(&given.polys[0], &given.polys[1])?).into())
    }

    fn check<F: PolyField>(&self, done: &Done<'_, F>) -> Result<Passed, PolyError> {
        check(&done.on_host()?, &done.words[0], &done.words[1], done.integer(), done.seed)
    }
}

pub(super) struct Discriminant;

impl Work for Discriminant {
    const DECLARATION: &'static Declaration = &DISCRIMINANT;

    fn of(_: &Arguments) -> Self {
        Self
    }

    fn compute<F: PolyField>(&self, given: &Given<'_, F>) -> Result<Made<F::Element>, PolyError> {
        Ok(Found::Element(given.ring.discriminant(&given.polys[0])?).into())
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
