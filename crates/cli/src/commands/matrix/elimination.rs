//! `manycore matrix rank`, `inverse`, `nullspace`, `charpoly` and `minpoly`.

use manycore::device::DeviceSet;
use manycore::field::ResidueWord as _;
use manycore::linalg::characteristic::check_minimal_polynomial;
use manycore::linalg::file::Dense;
use manycore::verify::{Outcome, SplitMix, matrix};
use manycore::{LinalgError, LinearAlgebra, Matrix, MatrixField};

use super::Single;
use super::exact::{self, Rational};
use super::job::{self, Computed, Done, OfBits, Work};
use super::value::Value;
use crate::arguments::Global;
use crate::commands::choice::Operation;
use crate::commands::choice::matrices::MatrixOrderArguments;
use crate::error::Error;
use crate::output::Residues;

/// What `--help` of `matrix rank` says first.
pub(super) const RANK_ABOUT: &str = "\
The rank of a matrix over a prime field or the rationals

The rank: the largest number of linearly independent rows, one integer. With --exact it is proved.";

/// What `--help` of `matrix rank` says last.
pub(super) const RANK_HELP: &str = "\
--verify computes the rank a second time, on the host, of the transposed matrix in a random order of rows and columns; \
one over the rationals so modulo random primes of 61 bits, with a chance of a wrong one below 2^-64.

Examples:
  manycore matrix rank m.sms --modulus 469762049
  manycore matrix rank m.sms --exact
  printf '1 2\\n2 4\\n' | manycore matrix rank - --modulus 7 --verify";

/// What `--help` of `matrix inverse` says first.
pub(super) const INVERSE_ABOUT: &str = "\
The inverse of a square matrix over a prime field or the rationals

Written as a Matrix Market array; with --json, as a list of rows. With --exact, as fractions in lowest terms, a row a line; with \
--json, as a list of rows of strings. A matrix without inverse is refused, and its rank told.";

/// What `--help` of `matrix inverse` says last.
pub(super) const INVERSE_HELP: &str = "\
--verify multiplies both sides by random vectors (Freivalds): a wrong inverse passes with a chance below 2^-64. That there is none \
is checked by the rank, computed a second time on the host. Inverses over the rationals are checked so modulo random primes of 61 bits.

Examples:
  printf '1 2\\n3 4\\n' | manycore matrix inverse - --modulus 101
  printf '1 1/2\\n1/3 4\\n' | manycore matrix inverse - --exact
  manycore matrix inverse m.mtx --modulus 469762049 --verify -o inverse.mtx";

/// What `--help` of `matrix nullspace` says first.
pub(super) const NULLSPACE_ABOUT: &str = "\
A basis of the nullspace of a matrix over a prime field or the rationals

The columns x with M x = 0, as many as M has columns less its rank, as the columns of one matrix: a Matrix Market array; with \
--json, a list of rows. With --exact the columns are integers without a common divisor.";

/// What `--help` of `matrix nullspace` says last.
pub(super) const NULLSPACE_HELP: &str = "\
--verify multiplies by random vectors (Freivalds), with a chance below 2^-64, and compares the ranks with those of a second \
elimination on the host; over the rationals, modulo random primes of 61 bits.

Examples:
  printf '1 2\\n2 4\\n' | manycore matrix nullspace - --modulus 7
  manycore matrix nullspace m.txt --exact
  manycore matrix nullspace m.sms --modulus 469762049 --verify --json";

/// What `--help` of `matrix charpoly` says first.
pub(super) const CHARPOLY_ABOUT: &str = "\
The characteristic polynomial of a square matrix over a prime field or the rationals

The coefficients of det(x I - M), the constant term first and the leading one 1, one a line; a .npy file with -o NAME.npy; a \
list in the JSON object of --json. Exact for every prime; with --exact integers, or fractions in lowest terms.";

/// What `--help` of `matrix charpoly` says last.
pub(super) const CHARPOLY_HELP: &str = "\
--verify computes the polynomial a second time, on the host, from powers of the matrix on vectors (Krylov); \
one over the rationals modulo random primes of 61 bits.

Examples:
  printf '1 2\\n3 4\\n' | manycore matrix charpoly - --modulus 101
  printf '1 2\\n3 4\\n' | manycore matrix charpoly - --exact
  manycore matrix charpoly m.mtx --modulus 2 --verify --json";

/// What `--help` of `matrix minpoly` says first.
pub(super) const MINPOLY_ABOUT: &str = "\
The minimal polynomial of a square matrix over a prime field or the rationals

The coefficients of the polynomial of least degree that is 0 at M, the constant term first and the leading one 1, one a line; a .npy \
file with -o NAME.npy; a list in the JSON object of --json. It is proved; with --exact integers, or fractions in lowest terms.";

/// What `--help` of `matrix minpoly` says last.
pub(super) const MINPOLY_HELP: &str = "\
--verify computes the value at the matrix on random vectors, with a chance of a wrong one below 2^-64, and that powers of the matrix \
below the degree are independent on them; over the rationals, modulo random primes of 61 bits.

Examples:
  printf '2 0\\n0 2\\n' | manycore matrix minpoly - --modulus 101
  printf '2 0\\n0 2\\n' | manycore matrix minpoly - --exact
  manycore matrix minpoly m.mtx --modulus 2 --verify --json";

/// Does work on one matrix: modulo a prime, or over the rationals.
///
/// # Errors
/// Everything that [`Error`] lists.
pub(super) fn run<W: Work, R: Send>(
    work: &W,
    rational: &Rational<R>,
    arguments: &Single,
    global: &Global,
) -> Result<(), Error> {
    match arguments.modulus {
        Some(modulus) => job::run(work, &[&arguments.m], modulus, global),
        None => exact::run::<W, R>(rational, &arguments.m, global),
    }
}

pub(super) struct Rank;

impl Work for Rank {
    const COMMAND: &'static str = "matrix rank";
    const STEP: &'static str = "computing the rank";

    fn operation(&self, shapes: &[[usize; 2]], modulus: u64) -> Option<Operation> {
        job::order(shapes).map(|n| Operation::MatrixDet(MatrixOrderArguments { n, modulus }))
    }

    fn compute<F: MatrixField>(
        &self,
        space: &LinearAlgebra<F>,
        matrices: &[Matrix<F>],
    ) -> Result<Computed, LinalgError> {
        Ok(Value::Integer(space.rank(&matrices[0])? as u64).into())
    }

    const IS_SHARED: bool = true;

    fn share<F: MatrixField>(
        &self,
        devices: &DeviceSet,
        field: &F,
        matrices: &[Dense<F::Element>],
    ) -> Result<Computed, LinalgError> {
        let a = &matrices[0];
        let rank = LinearAlgebra::rank_on(devices, field, (a.rows, a.columns), &a.entries)?;
        Ok(Value::Integer(rank as u64).into())
    }

    const OF_BITS: Option<OfBits<Self>> = Some(|_, space, mut matrices| {
        // Its memory is that of the elimination: a matrix of bits may take all that there is.
        Ok(Value::Integer(space.into_rank(matrices.swap_remove(0))? as u64).into())
    });

    fn check_seconds<F: MatrixField>(&self, done: &Done<'_, F>) -> f64 {
        let a = &done.matrices[0];
        matrix::elimination_seconds(done.p, (a.rows, a.columns))
    }

    fn check<F: MatrixField>(&self, done: &Done<'_, F>) -> Outcome {
        let a = &done.matrices[0];
        let found = if let Value::Integer(rank) = done.value { *rank as usize } else { usize::MAX };
        matrix::rank(done.p, (a.rows, a.columns), &a.entries, found, &mut SplitMix::new(done.seed))
    }
}

pub(super) struct Inverse;

impl Work for Inverse {
    const COMMAND: &'static str = "matrix inverse";
    const STEP: &'static str = "computing the inverse";

    fn operation(&self, shapes: &[[usize; 2]], modulus: u64) -> Option<Operation> {
        job::order(shapes).map(|n| Operation::MatrixInverse(MatrixOrderArguments { n, modulus }))
    }

    fn compute<F: MatrixField>(
        &self,
        space: &LinearAlgebra<F>,
        matrices: &[Matrix<F>],
    ) -> Result<Computed, LinalgError> {
        Ok(job::rows(space, &space.inverse(&matrices[0])?)?.into())
    }

    const OF_BITS: Option<OfBits<Self>> =
        Some(|_, space, matrices| Ok(job::rows_of_bits(space, &space.inverse(&matrices[0])?)?.into()));

    fn check<F: MatrixField>(&self, done: &Done<'_, F>) -> Outcome {
        let a = &done.matrices[0];
        matrix::inverse(done.p, a.rows, &a.entries, &done.words(), &mut SplitMix::new(done.seed))
    }
}

pub(super) struct Nullspace;

impl Work for Nullspace {
    const COMMAND: &'static str = "matrix nullspace";
    const STEP: &'static str = "computing the nullspace";

    fn compute<F: MatrixField>(
        &self,
        space: &LinearAlgebra<F>,
        matrices: &[Matrix<F>],
    ) -> Result<Computed, LinalgError> {
        Ok(job::rows(space, &space.nullspace(&matrices[0])?)?.into())
    }

    const OF_BITS: Option<OfBits<Self>> =
        Some(|_, space, matrices| Ok(job::rows_of_bits(space, &space.nullspace(&matrices[0])?)?.into()));

    fn check_seconds<F: MatrixField>(&self, done: &Done<'_, F>) -> f64 {
        let a = &done.matrices[0];
        // Of the matrix, and of its nullspace.
        2.0 * matrix::elimination_seconds(done.p, (a.rows, a.columns))
    }

    fn check<F: MatrixField>(&self, done: &Done<'_, F>) -> Outcome {
        let a = &done.matrices[0];
        let shape = (a.rows, a.columns);
        matrix::nullspace(done.p, shape, &a.entries, &done.words(), &mut SplitMix::new(done.seed))
    }
}

pub(super) struct Charpoly;

impl Work for Charpoly {
    const COMMAND: &'static str = "matrix charpoly";
    const STEP: &'static str = "computing the characteristic polynomial";

    fn compute<F: MatrixField>(
        &self,
        space: &LinearAlgebra<F>,
        matrices: &[Matrix<F>],
    ) -> Result<Computed, LinalgError> {
        let polynomial = space.characteristic_polynomial(&matrices[0])?;
        Ok(Value::List(Residues(polynomial.into_iter().map(F::Element::as_u64).collect())).into())
    }

    fn check_seconds<F: MatrixField>(&self, done: &Done<'_, F>) -> f64 {
        let a = &done.matrices[0];
        matrix::characteristic_seconds(done.p, a.rows)
    }

    fn check<F: MatrixField>(&self, done: &Done<'_, F>) -> Outcome {
        let a = &done.matrices[0];
        matrix::characteristic_polynomial(done.p, a.rows, &a.entries, &done.words(), &mut SplitMix::new(done.seed))
    }
}

pub(super) struct Minpoly;

impl Work for Minpoly {
    const COMMAND: &'static str = "matrix minpoly";
    const STEP: &'static str = "computing the minimal polynomial";

    fn compute<F: MatrixField>(
        &self,
        space: &LinearAlgebra<F>,
        matrices: &[Matrix<F>],
    ) -> Result<Computed, LinalgError> {
        let polynomial = space.minimal_polynomial(&matrices[0])?;
        Ok(Value::List(Residues(polynomial.into_iter().map(F::Element::as_u64).collect())).into())
    }

    fn check_seconds<F: MatrixField>(&self, done: &Done<'_, F>) -> f64 {
        let a = &done.matrices[0];
        matrix::characteristic_seconds(done.p, a.rows)
    }

    fn check<F: MatrixField>(&self, done: &Done<'_, F>) -> Outcome {
        let a = &done.matrices[0];
        check_minimal_polynomial(done.field, a.rows, &a.entries, &done.words(), &mut SplitMix::new(done.seed))
    }
}
