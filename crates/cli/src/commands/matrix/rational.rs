//! `manycore matrix solve` over the rationals.

use std::path::Path;

use manycore::linalg::exact::{self, RationalSolution};
use manycore::linalg::file::Dense;
use manycore::verify::{CheckError, Outcome, Passed, SplitMix};
use manycore::{Device, LinalgError};
use num_bigint::BigInt;
use serde_json::json;

use super::job::{self, Made};
use super::value::Value;
use crate::arguments::Global;
use crate::commands::label;
use crate::error::Error;
use crate::input;
use crate::output::{self, JsonInteger};
use crate::progress::Progress;
use crate::verification::verified;

/// How solutions are checked, as reports name it.
const EXACT: &str = "both sides over the rationals";

/// Solves the square system of two files of integers.
///
/// # Errors
/// Everything that [`Error`] lists.
pub(super) fn solve(m: &Path, b: &Path, global: &Global) -> Result<(), Error> {
    output::check_form(global)?;
    let device = Device::select(&global.device)?;
    let progress = Progress::new(global.quiet);
    let files = [m, b];
    progress.step(format!("reading {}", input::name(m)));
    let matrix: Dense<BigInt> = input::matrix(m)?;
    // The same file twice is read once: standard input has no second time.
    let right: Dense<BigInt> = if m == b { matrix.clone() } else { input::matrix(b)? };
    fits(&matrix, &right).map_err(|error| job::of_files(error, &files))?;
    progress.step(format!("solving on {}", label(&device)));
    let (order, columns) = (matrix.rows, right.columns);
    let solved = || exact::solve_columns(&device, order, &matrix.entries, columns, &right.entries);
    let (outcome, profile) = device.profile(solved)?;
    let found = outcome.map_err(|error| job::of_files(error, &files))?;
    let seed = global.seed.unwrap_or_else(SplitMix::fresh_seed);
    let verification = if global.verify {
        progress.step("verifying");
        Some(verified(check(&matrix, &right, &found, seed)?, &device)?)
    } else {
        None
    };
    progress.step("writing");
    let parameters = json!({
        "shapes": [[matrix.rows, matrix.columns], [right.rows, right.columns]],
        "singular": found == RationalSolution::Singular,
        "seed": global.verify.then_some(JsonInteger(seed.into())),
    });
    let value = match found {
        RationalSolution::Unique(x) => Value::Fractions { columns, words: x.iter().map(ToString::to_string).collect() },
        RationalSolution::Singular => Value::Singular,
    };
    let made = Made {
        command: "matrix solve",
        device: &device,
        algorithm: Some("dixon-lifting"),
        profile: &profile,
        verification,
    };
    job::write(global, made, parameters, value)
}

/// Refuses a matrix that is not square, and a right side with another number of rows.
fn fits(matrix: &Dense<BigInt>, right: &Dense<BigInt>) -> Result<(), LinalgError> {
    let &Dense { rows, columns, .. } = matrix;
    if rows != columns {
        return Err(LinalgError::NotSquare { operation: "rational solution", rows, columns });
    }
    if right.rows != rows {
        let (left, right) = ((rows, columns), (right.rows, right.columns));
        return Err(LinalgError::Shapes { operation: "solution", left, right });
    }
    Ok(())
}

/// Whether the equations hold, column by column; of a singular matrix, whether the determinant is 0.
fn check(
    matrix: &Dense<BigInt>,
    right: &Dense<BigInt>,
    found: &RationalSolution,
    seed: u64,
) -> Result<Outcome, LinalgError> {
    let RationalSolution::Unique(x) = found else {
        return match exact::check(matrix.rows, &matrix.entries, &BigInt::ZERO, seed) {
            Ok(passed) => Ok(Ok(passed)),
            Err(LinalgError::Check(error)) => Ok(Err(error)),
            Err(error) => Err(error),
        };
    };
    for column in 0..right.columns {
        let of = |words: &[BigInt]| words.iter().skip(column).step_by(right.columns).cloned().collect::<Vec<_>>();
        let point: Vec<_> = x.iter().skip(column).step_by(right.columns).cloned().collect();
        if !exact::is_solution(&matrix.entries, &point, &of(&right.entries)) {
            let found = point.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
            let expected = "a solution".to_owned();
            return Ok(Err(CheckError::Value { run: 0, index: column, found, expected }));
        }
    }
    Ok(Ok(Passed::by_second_computation(EXACT)))
}
