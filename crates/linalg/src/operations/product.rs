//! Products modulo a prime, and linear systems modulo a prime and over the rationals.

use manycore_device::DeviceSet;
use manycore_field::ResidueWord;
use manycore_operation::{
    Answer, Declaration, DeclaredOption, Files, Input, Job, OperationError, OptionKind, Splits, Task, Value, unmade,
};
use manycore_verify::{CheckError, Outcome, Passed, SplitMix, matrix};
use num_bigint::BigInt;
use num_rational::BigRational;

use super::common::{Boxed, MATRIX, OVER_RATIONALS, passed, read};
use super::field::{Done, Either, Modulo, Work};
use super::found::{Entries, Found};
use crate::bits::{BitAlgebra, BitMatrix, BitSolution};
use crate::error::LinalgError;
use crate::exact::{self, RationalSolution};
use crate::field::MatrixField;
use crate::file::Dense;
use crate::modular::algebra::LinearAlgebra;
use crate::modular::eliminate::Solution;
use crate::modular::matrix::Matrix;

/// The product of two matrices.
pub(super) static MUL: Modulo<Mul> = Modulo::new();
/// The solutions of a linear system.
pub(super) static SOLVE: Either<Solve> = Either::new(|_, files| System::read(files));

const MUL_DECLARATION: Declaration = Declaration {
    name: "matrix mul",
    title: "The product of two matrices",
    about: "\
The product of two matrices over a prime field

Written a row a line, as a Matrix Market array with -o NAME.mtx; with --json, as a list of rows.",
    help: "\
--verify multiplies both sides by random vectors (Freivalds): a wrong product passes with a chance below 2^-64.

Examples:
  manycore matrix mul a.mtx b.mtx --modulus 469762049 -o c.mtx
  printf '1 1\\n1 0\\n' | manycore matrix mul - - --modulus 7 --verify --json",
    step: "multiplying",
    inputs: &[
        Input::matrix(
            "a",
            "A",
            "One matrix: text (a row a line, # begins a comment), Matrix Market, SMS, Harwell-Boeing or .npy; - is standard input",
        ),
        Input::matrix("b", "B", "The other matrix"),
    ],
    options: &[DeclaredOption::MODULUS],
    splits: Some(Splits::Rows),
    ..Declaration::BASE
};

const SOLVE_DECLARATION: Declaration = Declaration {
    name: "matrix solve",
    title: "The solutions of a linear system",
    about: "\
The solutions X of M X = B over a prime field, or over the rationals

One solution is written, a row a line, as a Matrix Market array with -o NAME.mtx; with --json, as a list of rows. Without a modulus it is \
proved, and its entries are fractions in lowest terms, in JSON strings. Where there are others, they differ by sums of \
the columns of `matrix nullspace M`, whose number is the parameter `dimension` of the JSON object. Where there is none, the \
text is `none` and the JSON value null.",
    help: "\
--verify multiplies both sides by random vectors (Freivalds): a wrong solution passes with a chance below 2^-64. The `dimension` of \
--json is checked by the rank of M, from a second elimination on the host, and that there is no solution by the ranks of M and of M \
beside B. Over the rationals both sides are compared exactly, and ranks with those of a second elimination modulo random primes of \
61 bits.

Examples:
  manycore matrix solve m.txt b.txt --exact --verify
  manycore matrix solve m.mtx b.txt --modulus 469762049 --verify
  manycore matrix solve m.sms b.txt --modulus 2 --json",
    step: "solving",
    inputs: &[
        Input::matrix("m", "M", MATRIX),
        Input::matrix("b", "B", "The right side, a matrix with as many rows; each column is a system of its own"),
    ],
    options: &[
        DeclaredOption {
            value: OptionKind::Modulus { is_required: false },
            excludes: Some("exact"),
            ..DeclaredOption::flag(
                "modulus",
                "The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1; without it, over the rationals",
            )
        },
        DeclaredOption { alias: Some("rational"), ..DeclaredOption::flag("exact", OVER_RATIONALS) },
    ],
    ..Declaration::BASE
};

pub(super) struct Mul;

impl Work for Mul {
    const DECLARATION: &'static Declaration = &MUL_DECLARATION;
    const SPLITS_BY_ROWS: bool = true;
    const IS_SHARED: bool = true;
    const HAS_BITS: bool = true;

    fn task(shapes: &[[usize; 2]], modulus: u64) -> Option<Task> {
        match *shapes {
            [[n, inner], [of, columns]] if inner == of && n > 0 && inner > 0 && columns > 0 => {
                let sizes = [("n", n), ("inner", inner), ("columns", columns)].map(|(name, size)| (name, size as u64));
                let sizes = sizes.into_iter().chain([("modulus", modulus)]).collect();
                Some(Task::of("matrix-mul", sizes))
            }
            _ => None,
        }
    }

    fn compute<F: MatrixField>(
        space: &LinearAlgebra<F>,
        matrices: &[Matrix<F>],
    ) -> Result<Found<F::Element>, LinalgError> {
        Ok(Found::Matrix(Entries::of(space, &space.mul(&matrices[0], &matrices[1])?)?))
    }

    fn share<F: MatrixField>(
        devices: &DeviceSet,
        field: &F,
        matrices: &[Dense<F::Element>],
    ) -> Result<Found<F::Element>, LinalgError> {
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
        Ok(Found::Matrix(Entries { rows: a.rows, columns: b.columns, words }))
    }

    fn of_bits<T: ResidueWord>(space: &BitAlgebra, matrices: Vec<BitMatrix>) -> Result<Found<T>, LinalgError> {
        Ok(Found::Matrix(Entries::of_bits(space, &space.mul(&matrices[0], &matrices[1])?)?))
    }

    fn check<F: MatrixField>(done: &Done<'_, F>) -> Outcome {
        let (a, b) = (&done.matrices[0], &done.matrices[1]);
        let shape = (a.rows, a.columns, b.columns);
        matrix::product(done.p, shape, &a.entries, &b.entries, done.found.words(), &mut SplitMix::new(done.seed))
    }
}

/// A system modulo a prime: the result is one solution and the dimension of the space of differences of solutions.
pub(super) struct Solve;

/// The dimension of the solutions, as it is kept beside them.
const DIMENSION: &str = "dimension";

impl Work for Solve {
    const DECLARATION: &'static Declaration = &SOLVE_DECLARATION;
    const HAS_BITS: bool = true;

    fn compute<F: MatrixField>(
        space: &LinearAlgebra<F>,
        matrices: &[Matrix<F>],
    ) -> Result<Found<F::Element>, LinalgError> {
        let (point, dimension) = match space.solve(&matrices[0], &matrices[1])? {
            Solution::Unique(point) => (point, 0),
            Solution::Affine { point, directions } => (point, directions.columns()),
            Solution::None => return Ok(Found::None),
        };
        Ok(Found::Point(Entries::of(space, &point)?, dimension))
    }

    fn of_bits<T: ResidueWord>(space: &BitAlgebra, matrices: Vec<BitMatrix>) -> Result<Found<T>, LinalgError> {
        let (point, dimension) = match space.solve(&matrices[0], &matrices[1])? {
            BitSolution::Unique(point) => (point, 0),
            BitSolution::Affine { point, directions } => (point, directions.columns()),
            BitSolution::None => return Ok(Found::None),
        };
        Ok(Found::Point(Entries::of_bits(space, &point)?, dimension))
    }

    fn parameters<T: ResidueWord>(found: &Found<T>, answer: Answer) -> Answer {
        let dimension = if let Found::Point(_, dimension) = found { Some(*dimension) } else { None };
        answer.with(DIMENSION, dimension)
    }

    fn check_seconds<F: MatrixField>(done: &Done<'_, F>) -> f64 {
        let (a, b) = (&done.matrices[0], &done.matrices[1]);
        let of = |columns| matrix::elimination_seconds(done.p, (a.rows, columns));
        match (done.found, done.is_told) {
            (Found::None, _) => of(a.columns) + of(a.columns + b.columns),
            (_, true) => of(a.columns),
            (_, false) => 0.0,
        }
    }

    fn check<F: MatrixField>(done: &Done<'_, F>) -> Outcome {
        let (a, b) = (&done.matrices[0], &done.matrices[1]);
        let (shape, mut random) = ((a.rows, a.columns, b.columns), SplitMix::new(done.seed));
        let Found::Point(point, dimension) = done.found else {
            return matrix::no_solution(done.p, shape, &a.entries, &b.entries, &mut random);
        };
        let passed = matrix::product(done.p, shape, &a.entries, &point.words, &b.entries, &mut random)?;
        if done.is_told {
            // Solutions differ by the nullspace, whose dimension stands beside the result.
            let rank = a.columns.checked_sub(*dimension).unwrap_or(usize::MAX);
            matrix::rank(done.p, (a.rows, a.columns), &a.entries, rank, &mut random)?;
        }
        Ok(passed)
    }
}

/// How solutions over the rationals are checked, as reports name it.
const EXACT: &str = "both sides over the rationals";

/// A system over the rationals, by p-adic lifting (Dixon, Exact solution of linear equations using p-adic expansions, 1982).
struct System {
    matrix: Dense<BigRational>,
    right: Dense<BigRational>,
    /// Both as integers: each equation times a number above 0.
    a: Vec<BigInt>,
    b: Vec<BigInt>,
    found: Option<RationalSolution>,
}

impl System {
    fn read(files: &mut dyn Files) -> Result<Boxed, OperationError> {
        let matrix = read::<BigRational>(files, 0, &[])?;
        let right = read(files, 1, std::slice::from_ref(&matrix))?;
        if right.rows != matrix.rows {
            let (left, right) = ((matrix.rows, matrix.columns), (right.rows, right.columns));
            return Err(LinalgError::Shapes { operation: "solution", left, right }.into());
        }
        let (a, b) = equations(&matrix, &right);
        Ok(Box::new(Self { matrix, right, a, b, found: None }))
    }

    fn shape(&self) -> (usize, usize) {
        (self.matrix.rows, self.matrix.columns)
    }
}

/// A matrix and a right side of fractions as integers: each equation times a number above 0.
fn equations(matrix: &Dense<BigRational>, right: &Dense<BigRational>) -> (Vec<BigInt>, Vec<BigInt>) {
    let (mut a, mut b) = (Vec::with_capacity(matrix.entries.len()), Vec::with_capacity(right.entries.len()));
    for row in 0..matrix.rows {
        let left = &matrix.entries[row * matrix.columns..][..matrix.columns];
        let right = &right.entries[row * right.columns..][..right.columns];
        let factor = exact::common_denominator(left);
        // The factor of the right side is that of both.
        let factor = exact::common_denominator(&right.iter().map(|x| x * &factor).collect::<Vec<_>>()) * factor;
        a.extend(exact::scaled(left, &factor));
        b.extend(right.iter().map(|x| (x * &factor).to_integer()));
    }
    (a, b)
}

impl Job for System {
    fn compute(&mut self, devices: &DeviceSet, _: u64) -> Result<(), OperationError> {
        let device = &devices.devices()[0];
        self.found = Some(exact::solve_columns(device, self.shape(), &self.a, self.right.columns, &self.b)?);
        Ok(())
    }

    fn check(&self, seed: u64, _: bool) -> Result<Passed, OperationError> {
        let (shape, columns) = (self.shape(), self.right.columns);
        let (x, dimension) = match self.found.as_ref().ok_or_else(unmade)? {
            RationalSolution::Unique(x) => (x, 0),
            RationalSolution::Affine { point, dimension } => (point, *dimension),
            RationalSolution::None => return Ok(exact::check_no_solution(shape, &self.a, columns, &self.b, seed)?),
        };
        for column in 0..columns {
            let right: Vec<BigInt> = self.b.iter().skip(column).step_by(columns).cloned().collect();
            let point: Vec<BigRational> = x.iter().skip(column).step_by(columns).cloned().collect();
            if !exact::is_solution(&self.a, &point, &right) {
                let found = point.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
                let expected = "a solution".to_owned();
                return Err(CheckError::Value { run: 0, index: column, found, expected }.into());
            }
        }
        let Some(rank) = shape.1.checked_sub(dimension) else {
            let relation = "that the solutions have no more dimensions than unknowns".to_owned();
            return passed(Err(CheckError::Relation { relation }));
        };
        // Both sides are compared exactly.
        Ok(Passed { method: EXACT, ..exact::check_rank(shape, &self.a, rank, seed)? })
    }

    fn answer(self: Box<Self>) -> Answer {
        let shapes = [&self.matrix, &self.right].map(|dense| vec![dense.rows, dense.columns]).to_vec();
        let (value, dimension) = match self.found {
            Some(RationalSolution::Unique(x)) => {
                (Value::Fractions { columns: self.right.columns, entries: x }, Some(0))
            }
            Some(RationalSolution::Affine { point, dimension }) => {
                (Value::Fractions { columns: self.right.columns, entries: point }, Some(dimension))
            }
            Some(RationalSolution::None) | None => (Value::None, None),
        };
        Answer::of(value).by("dixon-lifting").with("shapes", shapes).with(DIMENSION, dimension)
    }
}

#[cfg(test)]
mod tests {
    use manycore_field::PrimeField;

    use super::*;

    #[test]
    fn dimensions_of_solutions_are_checked_where_they_are_told() {
        let a = Dense { rows: 2, columns: 2, entries: vec![1u32, 2, 2, 4] };
        let b = Dense { rows: 2, columns: 1, entries: vec![3u32, 6] };
        let (matrices, field) = ([a, b], PrimeField::<u32>::new(7).unwrap());
        let outcome = |dimension: usize, is_told: bool| {
            let found = Found::Point(Entries { rows: 2, columns: 1, words: vec![3, 0] }, dimension);
            Solve::check(&Done { p: 7, field: &field, matrices: &matrices, found: &found, is_told, seed: 1 })
        };
        assert!(outcome(0, false).is_ok() && outcome(1, true).is_ok());
        for wrong in [0, 2, 3] {
            assert!(outcome(wrong, true).is_err_and(|error| error.is_wrong()), "{wrong}");
        }
    }
}
