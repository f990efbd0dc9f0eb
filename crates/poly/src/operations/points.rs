//! Values at many points, and polynomials through points.

use manycore_operation::{Arguments, Declaration, DeclaredOption, Input, Splits, Task};
use manycore_verify::{CheckError, Passed};

use super::job::{Done, Found, Given, Made, Work, pair, polynomial};
use crate::error::PolyError;
use crate::poly::PolyField;

const EVAL: Declaration = Declaration {
    name: "poly eval",
    title: "The values at many points",
    about: "\
The values of a polynomial at many points of a prime field

The values in the order of the points, one a line; a .npy file with -o NAME.npy; a list in the JSON object of --json. Points may \
be repeated. Many points go through a subproduct tree, in time nearly linear in their number.",
    help: "\
--verify compares the polynomial through the values, times the derivative of the product of x - u over the points, with F at a \
random point of an extension of the field, on the host, in a fraction of the time of an evaluation there: a wrong value passes \
with a chance below 2^-64. A few values are computed once more by Horner's rule.

Examples:
  echo 1 2 3 | manycore poly eval - points.txt --modulus 9001
  manycore poly eval f.npy points.npy --modulus 469762049 -o values.npy",
    step: "evaluating",
    inputs: &[Input::integers("f", "F", "The coefficients, the constant term first: text (numbers separated by white space or commas, or a sum of terms such as x^2 - 1; # begins a comment) or .npy; - is standard input"),
        Input::integers("points", "POINTS", "The points: text (numbers separated by white space or commas) or .npy")],
    options: &[DeclaredOption::MODULUS],
    splits: Some(Splits::Values),
    ..Declaration::BASE
};

const INTERPOLATE: Declaration = Declaration {
    name: "poly interpolate",
    title: "The polynomial through points",
    about: "\
The polynomial through points over a prime field

The polynomial of degree below the number of points that has the values at the points, as terms such as x^2 + 3*x, or with --format \
coefficients as its coefficients, the constant term first, one a line up to the leading one; a .npy file with -o NAME.npy; a list in the JSON object of --json. Two equal points are \
refused with their indices.",
    help: "\
--verify compares the degree with the number of points, and the values with those of the result as `poly eval` does, on the host: a \
wrong result passes with a chance below 2^-64. That points are equal is looked up in the file.

Examples:
  manycore poly interpolate points.txt values.txt --modulus 9001
  manycore poly interpolate points.npy values.npy --modulus 469762049 -o f.npy --verify",
    step: "interpolating",
    inputs: &[Input::integers("points", "POINTS", "The points: text (numbers separated by white space or commas, # begins a comment) or .npy; - is standard input"),
        Input::integers("values", "VALUES", "The values at the points, in their order")],
    options: &[DeclaredOption::MODULUS],
    ..Declaration::BASE
};

pub(super) struct Eval;

impl Work for Eval {
    const DECLARATION: &'static Declaration = &EVAL;
    const SPLITS: Option<usize> = Some(1);

    fn of(_: &Arguments) -> Self {
        Self
    }

    fn task(&self, lengths: &[usize], modulus: u64) -> Option<Task> {
        pair("poly-eval", lengths, ["n", "points"], modulus)
    }

    fn compute<F: PolyField>(&self, given: &Given<'_, F>) -> Result<Made<F::Element>, PolyError> {
        let (ring, f, all) = (given.ring, &given.polys[0], given.words[1].len());
        let points = &given.words[1][given.part.clone()];
        let (way, seconds) = ring.explain_evaluate_many(f.len(), all)?[0];
        let made = Made::from(Found::Elements(ring.evaluate_many_by(f, points, way)?));
        let predicted_seconds = Some(seconds * points.len() as f64 / all.max(1) as f64);
        Ok(Made { algorithm: Some(way.name()), predicted_seconds, ..made.with("lengths", vec![f.len(), all]) })
    }

    fn check<F: PolyField>(&self, done: &Done<'_, F>) -> Result<Passed, PolyError> {
        let points = &done.words[1][done.part.clone()];
        done.ring.check_values(&done.words[0], points, &done.part("values"), done.seed)
    }
}

pub(super) struct Interpolate;

impl Work for Interpolate {
    const DECLARATION: &'static Declaration = &INTERPOLATE;

    fn of(_: &Arguments) -> Self {
        Self
    }

    fn compute<F: PolyField>(&self, given: &Given<'_, F>) -> Result<Made<F::Element>, PolyError> {
        let (ring, points, values) = (given.ring, &given.words[0], &given.words[1]);
        let f = ring.interpolate(&ring.tree(points)?, &ring.device().upload(values)?)?;
        Ok(polynomial(ring, &f)?.with("lengths", vec![points.len(), values.len()]))
    }

    fn check<F: PolyField>(&self, done: &Done<'_, F>) -> Result<Passed, PolyError> {
        let (points, f) = (&done.words[0], done.part("coefficients"));
        if f.len() > points.len() {
            return Err(CheckError::Length { found: f.len(), expected: points.len() }.into());
        }
        done.ring.check_values(&f, points, &done.words[1], done.seed)
    }
}
