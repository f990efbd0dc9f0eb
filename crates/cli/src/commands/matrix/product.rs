//! `manycore matrix mul` and `manycore matrix solve`.

use std::path::PathBuf;

use clap::Args;
use manycore::device::DeviceSet;
use manycore::field::ResidueWord as _;
use manycore::linalg::Solution;
use manycore::linalg::bits::BitSolution;
use manycore::linalg::file::Dense;
use manycore::verify::{Outcome, SplitMix, matrix};
use manycore::{LinalgError, LinearAlgebra, Matrix, MatrixField};
use serde_json::{Map, json};

use super::job::{self, Computed, Done, OfBits, Work};
use super::value::Value;
use super::{Pair, rational};
use crate::arguments::{Global, modulus};
use crate::commands::choice::Operation;
use crate::commands::choice::matrices::MatrixMulArguments;
use crate::error::Error;

/// The arguments of `matrix solve`.
#[derive(Debug, Args)]
pub struct SolveArguments {
    /// The matrix: text (a row a line, # begins a comment), Matrix Market, SMS, Harwell-Boeing or .npy; - is standard input
    pub m: PathBuf,

    /// The right side, a matrix with as many rows; each column is a system of its own
    pub b: PathBuf,

    /// The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1; without it, over the rationals
    #[arg(long, value_name = "P", value_parser = modulus, conflicts_with = "rational")]
    pub modulus: Option<u64>,

    /// Over the rationals: the entries are integers, decimal numbers or fractions such as 2/3
    #[arg(long, visible_alias = "exact")]
    pub rational: bool,
}

/// What `--help` of `matrix mul` says first.
pub(super) const MUL_ABOUT: &str = "\
The product of two matrices over a prime field

Written as a Matrix Market array; with --json, as a list of rows.";

/// What `--help` of `matrix mul` says last.
pub(super) const MUL_HELP: &str = "\
--verify multiplies both sides by random vectors (Freivalds): a wrong product passes with a chance below 2^-64.

Examples:
  manycore matrix mul a.mtx b.mtx --modulus 469762049 -o c.mtx
  printf '1 1\\n1 0\\n' | manycore matrix mul - - --modulus 7 --verify --json";

/// What `--help` of `matrix solve` says first.
pub(super) const SOLVE_ABOUT: &str = "\
The solutions X of M X = B over a prime field, or over the rationals

One solution is written. Modulo a prime, as a Matrix Market array; with --json, as a list of rows. Without a modulus, as fractions in \
lowest terms, a row a line; with --json, as a list of rows of strings; it is proved. Where there are others, they differ by sums of \
the columns of `matrix nullspace M`, whose number is the parameter `dimension` of the JSON object. Where there is none, the \
text is `none` and the JSON value null.";

/// What `--help` of `matrix solve` says last.
pub(super) const SOLVE_HELP: &str = "\
--verify multiplies both sides by random vectors (Freivalds): a wrong solution passes with a chance below 2^-64. The `dimension` of \
--json is checked by the rank of M, from a second elimination on the host, and that there is no solution by the ranks of M and of M \
beside B. Over the rationals both sides are compared exactly, and ranks with those of a second elimination modulo random primes of \
61 bits.

Examples:
  manycore matrix solve m.txt b.txt --rational --verify
  manycore matrix solve m.mtx b.txt --modulus 469762049 --verify
  manycore matrix solve m.sms b.txt --modulus 2 --json";

/// Computes a product.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn mul(arguments: &Pair, global: &Global) -> Result<(), Error> {
    job::run(&Mul, &arguments.files(), arguments.modulus, global)
}

/// Solves a system.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn solve(arguments: &SolveArguments, global: &Global) -> Result<(), Error> {
    match arguments.modulus {
        Some(modulus) => job::run(&Solve, &[&arguments.m, &arguments.b], modulus, global),
        None => rational::solve(&arguments.m, &arguments.b, global),
    }
}

struct Mul;

impl Work for Mul {
    const COMMAND: &'static str = "matrix mul";
    const SPLITS_BY_ROWS: bool = true;
    const STEP: &'static str = "multiplying";

    fn operation(&self, shapes: &[[usize; 2]], modulus: u64) -> Option<Operation> {
        match *shapes {
            [[n, inner], [of, columns]] if inner == of && n > 0 && inner > 0 && columns > 0 => {
                let (inner, columns) = (Some(inner), Some(columns));
                Some(Operation::MatrixMul(MatrixMulArguments { n, inner, columns, modulus }))
            }
            _ => None,
        }
    }

    fn compute<F: MatrixField>(
        &self,
        space: &LinearAlgebra<F>,
        matrices: &[Matrix<F>],
    ) -> Result<Computed, LinalgError> {
        Ok(job::rows(space, &space.mul(&matrices[0], &matrices[1])?)?.into())
    }

    const IS_SHARED: bool = true;

    fn share<F: MatrixField>(
        &self,
        devices: &DeviceSet,
        field: &F,
        matrices: &[Dense<F::Element>],
    ) -> Result<Computed, LinalgError> {
        let (a, b) = (&matrices[0], &matrices[1]);
        if a.columns != b.rows {
            let (left, right) = ((a.rows, a.columns), (b.rows, b.columns));
            return Err(LinalgError::Shapes { operation: "product", left, right });
        }
        let shape = (a.rows, a.columns, b.columns);
        let words = match devices.devices() {
            [device] => LinearAlgebra::new(device, field.clone())?.mul_words(shape, &a.entries, &b.entries)?,
            _ => LinearAlgebra::mul_on(devices, field, shape, &a.entries, &b.entries)?,
        };
        let words = words.into_iter().map(F::Element::as_u64).collect();
        Ok(Value::Rows { rows: a.rows, columns: b.columns, words }.into())
    }

    const OF_BITS: Option<OfBits<Self>> =
        Some(|_, space, matrices| Ok(job::rows_of_bits(space, &space.mul(&matrices[0], &matrices[1])?)?.into()));

    fn check<F: MatrixField>(&self, done: &Done<'_, F>) -> Outcome {
        let (a, b) = (&done.matrices[0], &done.matrices[1]);
        let shape = (a.rows, a.columns, b.columns);
        matrix::product(done.p, shape, &a.entries, &b.entries, &done.words(), &mut SplitMix::new(done.seed))
    }
}

/// The parameter of a report that says how many dimensions the solutions have.
fn dimension_of(dimension: Option<usize>) -> Map<String, serde_json::Value> {
    Map::from_iter([("dimension".to_owned(), json!(dimension))])
}

struct Solve;

impl Work for Solve {
    const COMMAND: &'static str = "matrix solve";
    const STEP: &'static str = "solving";

    fn compute<F: MatrixField>(
        &self,
        space: &LinearAlgebra<F>,
        matrices: &[Matrix<F>],
    ) -> Result<Computed, LinalgError> {
        let (value, dimension) = match space.solve(&matrices[0], &matrices[1])? {
            Solution::Unique(point) => (job::rows(space, &point)?, Some(0)),
            Solution::Affine { point, directions } => (job::rows(space, &point)?, Some(directions.columns())),
            Solution::None => (Value::None, None),
        };
        Ok(Computed { value, parameters: dimension_of(dimension) })
    }

    const OF_BITS: Option<OfBits<Self>> = Some(|_, space, matrices| {
        let (value, dimension) = match space.solve(&matrices[0], &matrices[1])? {
            BitSolution::Unique(point) => (job::rows_of_bits(space, &point)?, Some(0)),
            BitSolution::Affine { point, directions } => {
                (job::rows_of_bits(space, &point)?, Some(directions.columns()))
            }
            BitSolution::None => (Value::None, None),
        };
        Ok(Computed { value, parameters: dimension_of(dimension) })
    });

    fn check_seconds<F: MatrixField>(&self, done: &Done<'_, F>) -> f64 {
        let (a, b) = (&done.matrices[0], &done.matrices[1]);
        let of = |columns| matrix::elimination_seconds(done.p, (a.rows, columns));
        match (done.value, done.told) {
            (Value::None, _) => of(a.columns) + of(a.columns + b.columns),
            (_, Some(_)) => of(a.columns),
            (_, None) => 0.0,
        }
    }

    fn check<F: MatrixField>(&self, done: &Done<'_, F>) -> Outcome {
        let (a, b) = (&done.matrices[0], &done.matrices[1]);
        let mut random = SplitMix::new(done.seed);
        if *done.value != Value::None {
            let shape = (a.rows, a.columns, b.columns);
            let passed = matrix::product(done.p, shape, &a.entries, &done.words(), &b.entries, &mut random)?;
            if let Some(told) = done.told {
                // Solutions differ by the nullspace, whose dimension is told beside them.
                let dimension = told.get("dimension").and_then(serde_json::Value::as_u64).map(|d| d as usize);
                let rank = dimension.and_then(|dimension| a.columns.checked_sub(dimension)).unwrap_or(usize::MAX);
                matrix::rank(done.p, (a.rows, a.columns), &a.entries, rank, &mut random)?;
            }
            return Ok(passed);
        }
        let shape = (a.rows, a.columns, b.columns);
        matrix::no_solution(done.p, shape, &a.entries, &b.entries, &mut random)
    }
}

#[cfg(test)]
mod tests {
    use manycore::PrimeField;
    use manycore::linalg::file::Dense;

    use super::*;

    #[test]
    fn dimensions_of_solutions_are_checked_where_they_are_told() {
        let a = Dense { rows: 2, columns: 2, entries: vec![1u32, 2, 2, 4] };
        let b = Dense { rows: 2, columns: 1, entries: vec![3u32, 6] };
        let matrices = [a, b];
        let value = Value::Rows { rows: 2, columns: 1, words: vec![3, 0] };
        let field = PrimeField::<u32>::new(7).unwrap();
        let outcome = |told: Option<&Map<String, serde_json::Value>>| {
            Solve.check(&Done { p: 7, field: &field, matrices: &matrices, value: &value, told, seed: 1 })
        };
        assert!(outcome(None).is_ok() && outcome(Some(&dimension_of(Some(1)))).is_ok());
        for wrong in [Some(0), Some(2), Some(3), None] {
            assert!(outcome(Some(&dimension_of(wrong))).is_err_and(|error| error.is_wrong()), "{wrong:?}");
        }
    }
}
