//! Roots in the field, and irreducible factors.

use manycore_operation::{Arguments, Declaration, DeclaredOption, Input};
use manycore_verify::Passed;

use super::job::{Done, Found, Given, Made, Work};
use crate::error::PolyError;
use crate::factor::Factorization;
use crate::poly::PolyField;

const ROOTS: Declaration = Declaration {
    name: "poly roots",
    title: "The roots in the field",
    about: "\
The roots of a polynomial in a prime field

The distinct roots in the field, ascending, one a line; a .npy file with -o NAME.npy; a list in the JSON object of --json. \
Constants have none; of the zero polynomial every element is a root, which is refused.",
    help: "\
--verify shows that each root is one and that none is missing, by a certificate: the polynomial over the product of x - r, \
the squares on the way to x^P modulo it, and an extended greatest common divisor with x^P - x. Each of its identities is \
computed and checked on the host at a random point of an extension of the field; wrong roots pass with a chance below 2^-64.

Examples:
  echo 0 3 469762045 1 | manycore poly roots - --modulus 469762049
  manycore poly roots f.npy --modulus 18446744069414584321 --verify --json",
    step: "finding roots",
    inputs: &[Input::integers("f", "F", "The coefficients, the constant term first: text (numbers separated by white space or commas, or a sum of terms such as x^2 - 1; # begins a comment) or .npy; - is standard input")],
    options: &[DeclaredOption::MODULUS],
    none: Some("no roots"),
    ..Declaration::BASE
};

const FACTOR: Declaration = Declaration {
    name: "poly factor",
    title: "The irreducible factors",
    about: "\
The factorization of a polynomial over a prime field

A product such as 3 * x * (x + 1)^2: the leading coefficient where it is not 1, and powers of irreducible monic polynomials by degree, \
then in the order of the coefficients. With --format coefficients the first line is the leading coefficient; each other line is the \
multiplicity of a polynomial, a colon and its coefficients, the constant term first. With --json, leading and factors, a list of objects \
with factor and multiplicity. The zero polynomial is refused.",
    help: "\
--verify compares the product of the powers of the factors with the polynomial at a random point of an extension of the field, \
and tests the factors by Rabin's irreducibility test, each product of which is compared at such a point too, both on the host: a \
wrong factorization passes with a chance below 2^-64. The test takes a fraction of the time of the factorization on the host.

Examples:
  echo 0 0 3 0 3 | manycore poly factor - --modulus 7
  manycore poly factor f.npy --modulus 469762049 --verify --json",
    step: "factoring",
    inputs: &[Input::integers("f", "F", "The coefficients, the constant term first: text (numbers separated by white space or commas, or a sum of terms such as x^2 - 1; # begins a comment) or .npy; - is standard input")],
    options: &[DeclaredOption::MODULUS],
    no_array: Some("a factorization"),
    ..Declaration::BASE
};

pub(super) struct Roots;

impl Work for Roots {
    const DECLARATION: &'static Declaration = &ROOTS;

    fn of(_: &Arguments) -> Self {
        Self
    }

    fn compute<F: PolyField>(&self, given: &Given<'_, F>) -> Result<Made<F::Element>, PolyError> {
        Ok(Found::Elements(given.ring.roots(&given.polys[0])?).into())
    }

    fn check<F: PolyField>(&self, done: &Done<'_, F>) -> Result<Passed, PolyError> {
        let ring = done.on_host()?;
        ring.check_roots(&ring.poly(&done.words[0])?, &done.part("roots"), done.seed)
    }
}

pub(super) struct Factors;

impl Work for Factors {
    const DECLARATION: &'static Declaration = &FACTOR;

    fn of(_: &Arguments) -> Self {
        Self
    }

    fn compute<F: PolyField>(&self, given: &Given<'_, F>) -> Result<Made<F::Element>, PolyError> {
        let Factorization { leading, factors } = given.ring.factor(&given.polys[0])?;
        let words = |(factor, multiplicity)| Ok((given.ring.coefficients(&factor)?, multiplicity));
        let factors = factors.into_iter().map(words).collect::<Result<_, PolyError>>()?;
        Ok(Found::Factors(leading, factors).into())
    }

    fn check<F: PolyField>(&self, done: &Done<'_, F>) -> Result<Passed, PolyError> {
        let ring = done.on_host()?;
        let mut factorization = Factorization { leading: ring.field().zero(), factors: Vec::new() };
        if let Found::Factors(leading, factors) = done.found {
            factorization.leading = *leading;
            for (words, multiplicity) in factors {
                factorization.factors.push((ring.poly(words)?, *multiplicity));
            }
        }
        ring.check_factors(&ring.poly(&done.words[0])?, &factorization, done.seed)
    }
}
