//! Quotients with remainders, and inverses modulo a polynomial.

use manycore_operation::{Arguments, Declaration, DeclaredOption, Input, Task};
use manycore_verify::product::bezout::{self, Bezout};
use manycore_verify::product::division;
use manycore_verify::{Passed, SplitMix};

use super::job::{Done, Found, Given, Made, Work, only, pair, polynomial};
use crate::error::PolyError;
use crate::poly::PolyField;

const DIV: Declaration = Declaration {
    name: "poly div",
    title: "Quotient and remainder",
    about: "\
Quotient and remainder of two polynomials over a prime field

A = B Q + R with R of lower degree than B. The quotient stands after the line `# quotient`, the \
remainder after the line `# remainder`, as terms or with --format coefficients as coefficients, the constant term first, one a line; with \
--only, one of them alone. With --json, the coefficients of both in one object. Division by zero is refused.",
    help: "\
--verify compares the values of A and B Q + R at a random point of an extension of the field, on the host, large enough that a \
wrong result passes with a chance below 2^-64.

Examples:
  echo 1 2 3 4 5 6 7 8 | manycore poly div - b.txt --modulus 9001
  manycore poly div a.npy b.npy --modulus 469762049 --only remainder --verify -o r.npy",
    step: "dividing",
    inputs: &[Input::integers("a", "A", "The coefficients of the dividend, the constant term first: text (numbers separated by white space or commas, or a sum of terms such as x^2 - 1; # begins a comment) or .npy; - is standard input"),
        Input::integers("b", "B", "The coefficients of the divisor")],
    options: &[DeclaredOption::MODULUS,
        only("Write one of both, which can then be a .npy file", &[("quotient", "The quotient"), ("remainder", "The remainder")]),
    ],
    no_array: Some("a quotient with its remainder (see --only)"),
    array_with: Some("only"),
    ..Declaration::BASE
};

const INVERSE: Declaration = Declaration {
    name: "poly inverse",
    title: "The inverse modulo another polynomial",
    about: "\
The inverse of a polynomial modulo another over a prime field

The polynomial I with A I = 1 modulo M and a degree below that of M, as terms such as x^2 + 3*x, or with --format coefficients as its \
coefficients, the constant term first, one a line; a .npy file with -o NAME.npy; a list in the JSON object of --json. Where A and M have a common factor there is none: the error names their \
greatest common divisor, and the exit status is 2. Modulo a constant everything is zero, the inverse too.",
    help: "\
--verify computes the quotient of 1 - A I by M and compares A I + M T with 1 at a random point of an extension of the field, on \
the host: a wrong inverse passes with a chance below 2^-62. That there is none is checked as the greatest common divisor of \
`poly gcd`.

Examples:
  echo 3 1 | manycore poly inverse - m.txt --modulus 7
  manycore poly inverse a.npy m.npy --modulus 469762049 --verify -o inverse.npy",
    step: "inverting",
    inputs: &[Input::integers("a", "A", "The coefficients of the polynomial, the constant term first: text (numbers separated by white space or commas, or a sum of terms such as x^2 - 1; # begins a comment) or .npy; - is standard input"),
        Input::integers("m", "M", "The coefficients of the polynomial modulo which it is inverted")],
    options: &[
        DeclaredOption {
            help: "The modulus of the coefficients: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1",
            ..DeclaredOption::MODULUS
        },
    ],
    ..Declaration::BASE
};

pub(super) struct Division {
    only: Option<&'static str>,
}

impl Work for Division {
    const DECLARATION: &'static Declaration = &DIV;

    fn of(arguments: &Arguments) -> Self {
        Self { only: arguments.word("only") }
    }

    fn only(&self) -> Option<&'static str> {
        self.only
    }

    fn task(&self, lengths: &[usize], modulus: u64) -> Option<Task> {
        pair("poly-div", lengths, ["n", "m"], modulus)
    }

    fn compute<F: PolyField>(&self, given: &Given<'_, F>) -> Result<Made<F::Element>, PolyError> {
        let ring = given.ring;
        let (quotient, remainder) = ring.div_rem(&given.polys[0], &given.polys[1])?;
        let parts = vec![("quotient", ring.coefficients(&quotient)?), ("remainder", ring.coefficients(&remainder)?)];
        Ok(Found::Polynomials(parts).into())
    }

    fn check<F: PolyField>(&self, done: &Done<'_, F>) -> Result<Passed, PolyError> {
        let (quotient, remainder) = (done.part("quotient"), done.part("remainder"));
        let [a, b] = [&done.words[0], &done.words[1]];
        let random = &mut SplitMix::new(done.seed);
        Ok(division::check(done.ring.field().order(), a, b, &quotient, &remainder, random)?)
    }
}

pub(super) struct Inverse;

impl Work for Inverse {
    const DECLARATION: &'static Declaration = &INVERSE;

    fn of(_: &Arguments) -> Self {
        Self
    }

    fn compute<F: PolyField>(&self, given: &Given<'_, F>) -> Result<Made<F::Element>, PolyError> {
        polynomial(given.ring, &given.ring.inverse_mod(&given.polys[0], &given.polys[1])?)
    }

    fn check<F: PolyField>(&self, done: &Done<'_, F>) -> Result<Passed, PolyError> {
        let ring = done.ring;
        let (one, s) = ([ring.field().one()], done.part("inverse"));
        let rest = ring.sub(&ring.one()?, &ring.mul(&done.polys[0], &ring.poly(&s)?)?)?;
        let t = ring.coefficients(&ring.div(&rest, &done.polys[1])?)?;
        let words = [&done.words[0][..], &done.words[1][..]];
        let quotients = [ring.coefficients(&done.polys[0])?, ring.coefficients(&done.polys[1])?];
        let bezout = Bezout { gcd: &one, s: &s, t: &t, quotients: [&quotients[0], &quotients[1]] };
        let random = &mut SplitMix::new(done.seed);
        bezout::check(ring.field().order(), words, &bezout, random).map_err(PolyError::Check)
    }
}
