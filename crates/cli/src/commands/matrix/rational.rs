//! `manycore matrix solve` over the rationals.

use std::path::Path;

use manycore::LinalgError;
use manycore::linalg::exact::{self, RationalSolution};
use manycore::linalg::file::Dense;
use manycore::verify::{CheckError, Outcome, Passed, SplitMix};
use num_bigint::BigInt;
use num_rational::BigRational;
use serde_json::json;

use super::exact::{checked, equations};
use super::job::{self, Made};
use super::value::Value;
use crate::arguments::Global;
use crate::commands::label;
use crate::commands::several::one;
use crate::error::Error;
use crate::input;
use crate::output::{self, JsonInteger};
use crate::progress;
use crate::verification::verified;

/// How solutions are checked, as reports name it.
const EXACT: &str = "both sides over the rationals";

/// The system of a matrix and a right side, in integers.
struct System {
    shape: (usize, usize),
    a: Vec<BigInt>,
    right_columns: usize,
    b: Vec<BigInt>,
}

/// Solves the system of two files of integers or fractions.
///
/// # Errors
/// Everything that [`Error`] lists.
pub(super) fn solve(m: &Path, b: &Path, global: &Global) -> Result<(), Error> {
    output::check_form(global)?;
    let device = one(global)?;
    let files = [m, b];
    progress::step(format!("reading {}", input::name(m)));
    let matrix: Dense<BigRational> = input::matrix(m)?;
    // The same file twice is read once: standard input has no second time.
    let right: Dense<BigRational> = if m == b { matrix.clone() } else { input::matrix(b)? };
    if right.rows != matrix.rows {
        let (left, right) = ((matrix.rows, matrix.columns), (right.rows, right.columns));
        return Err(job::of_files(LinalgError::Shapes { operation: "solution", left, right }, &files));
    }
    let (integers, integers_right) = equations(&matrix, &right);
    let shape = (matrix.rows, matrix.columns);
    let system = System { shape, a: integers, right_columns: right.columns, b: integers_right };
    progress::compute(format!("solving on {}", label(&device)));
    let solved = || exact::solve_columns(&device, shape, &system.a, system.right_columns, &system.b);
    let (outcome, profile) = device.profile(solved)?;
    let found = outcome.map_err(|error| job::of_files(error, &files))?;
    let seed = global.seed.unwrap_or_else(SplitMix::fresh_seed);
    let verification = if global.verify {
        progress::step("verifying");
        Some(verified(check(&system, &found, seed)?, &device)?)
    } else {
        None
    };
    let dimension = match found {
        RationalSolution::Unique(_) => Some(0),
        RationalSolution::Affine { dimension, .. } => Some(dimension),
        RationalSolution::None => None,
    };
    let parameters = json!({
        "shapes": [[matrix.rows, matrix.columns], [right.rows, right.columns]],
        "dimension": dimension,
        "seed": global.verify.then_some(JsonInteger(seed.into())),
    });
    let value = match found {
        RationalSolution::Unique(x) | RationalSolution::Affine { point: x, .. } => {
            Value::Fractions { columns: right.columns, words: x.iter().map(ToString::to_string).collect() }
        }
        RationalSolution::None => Value::None,
    };
    let made = Made {
        command: "matrix solve",
        device: label(&device),
        algorithm: Some("dixon-lifting"),
        spent: (&profile).into(),
        verification,
        modulus: None,
    };
    job::write(global, made, parameters, value)
}

/// Whether the equations hold, column by column, and the number of dimensions is that of a second elimination modulo random primes; or
/// whether there is no solution there.
fn check(system: &System, found: &RationalSolution, seed: u64) -> Result<Outcome, LinalgError> {
    let System { shape, a, right_columns, b } = system;
    let (x, dimension) = match found {
        RationalSolution::Unique(x) => (x, 0),
        RationalSolution::Affine { point, dimension } => (point, *dimension),
        RationalSolution::None => return checked(exact::check_no_solution(*shape, a, *right_columns, b, seed)),
    };
    for column in 0..*right_columns {
        let right: Vec<BigInt> = b.iter().skip(column).step_by(*right_columns).cloned().collect();
        let point: Vec<BigRational> = x.iter().skip(column).step_by(*right_columns).cloned().collect();
        if !exact::is_solution(a, &point, &right) {
            let found = point.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
            let expected = "a solution".to_owned();
            return Ok(Err(CheckError::Value { run: 0, index: column, found, expected }));
        }
    }
    let Some(rank) = shape.1.checked_sub(dimension) else {
        let relation = "that the solutions have no more dimensions than unknowns".to_owned();
        return Ok(Err(CheckError::Relation { relation }));
    };
    match exact::check_rank(*shape, a, rank, seed) {
        // Both sides are compared exactly.
        Ok(passed) => Ok(Ok(Passed { method: EXACT, ..passed })),
        other => checked(other),
    }
}
