//! Rank, inverse, nullspace, characteristic and minimal polynomial: modulo a prime by elimination, over the rationals by lifting and Chinese
//! remainders.

use manycore_device::DeviceSet;
use manycore_field::ResidueWord;
use manycore_operation::{Declaration, DeclaredOption, Task};
use manycore_verify::{Outcome, SplitMix, matrix};

use super::common::{M, MODULO, OVER_RATIONALS};
use super::field::{Done, Either, Work, of_order};
use super::found::{Entries, Found};
use super::rational;
use crate::bits::{BitAlgebra, BitMatrix};
use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::file::Dense;
use crate::modular::algebra::LinearAlgebra;
use crate::modular::characteristic::check_minimal_polynomial;
use crate::modular::matrix::Matrix;

/// The rank.
pub(super) static RANK: Either<Rank> = Either::new(|_, files| rational::read(&rational::RANK, files));
/// The inverse.
pub(super) static INVERSE: Either<Inverse> = Either::new(|_, files| rational::read(&rational::INVERSE, files));
/// A basis of the nullspace.
pub(super) static NULLSPACE: Either<Nullspace> = Either::new(|_, files| rational::read(&rational::NULLSPACE, files));
/// The characteristic polynomial.
pub(super) static CHARPOLY: Either<Charpoly> = Either::new(|_, files| rational::read(&rational::CHARPOLY, files));
/// The minimal polynomial.
pub(super) static MINPOLY: Either<Minpoly> = Either::new(|_, files| rational::read(&rational::MINPOLY, files));

const RANK_DECLARATION: Declaration = Declaration {
    name: "matrix rank",
    title: "The rank",
    about: "\
The rank of a matrix over a prime field or the rationals

The rank: the largest number of linearly independent rows, one integer. With --exact it is proved.",
    help: "\
--verify computes the rank a second time, on the host, of the transposed matrix in a random order of rows and columns; \
one over the rationals so modulo random primes of 61 bits, with a chance of a wrong one below 2^-64.

Examples:
  manycore matrix rank m.sms --modulus 469762049
  manycore matrix rank m.sms --exact
  printf '1 2\\n2 4\\n' | manycore matrix rank - --modulus 7 --verify",
    step: "computing the rank",
    inputs: M,
    options: &[MODULO, DeclaredOption::flag("exact", OVER_RATIONALS)],
    one_of: &["modulus", "exact"],
    no_array: Some("a rank"),
    ..Declaration::BASE
};

const INVERSE_DECLARATION: Declaration = Declaration {
    name: "matrix inverse",
    title: "The inverse",
    about: "\
The inverse of a square matrix over a prime field or the rationals

Written a row a line, as a Matrix Market array with -o NAME.mtx; with --json, as a list of rows. With --exact the entries are fractions \
in lowest terms, in JSON strings. A matrix without inverse is refused, and its rank told.",
    help: "\
--verify multiplies both sides by random vectors (Freivalds): a wrong inverse passes with a chance below 2^-64. That there is none \
is checked by the rank, computed a second time on the host. Inverses over the rationals are checked so modulo random primes of 61 bits.

Examples:
  printf '1 2\\n3 4\\n' | manycore matrix inverse - --modulus 101
  printf '1 1/2\\n1/3 4\\n' | manycore matrix inverse - --exact
  manycore matrix inverse m.mtx --modulus 469762049 --verify -o inverse.mtx",
    step: "computing the inverse",
    inputs: M,
    options: &[MODULO, DeclaredOption::flag("exact", OVER_RATIONALS)],
    one_of: &["modulus", "exact"],
    ..Declaration::BASE
};

const NULLSPACE_DECLARATION: Declaration = Declaration {
    name: "matrix nullspace",
    alias: Some("kernel"),
    title: "A basis of the nullspace",
    about: "\
A basis of the nullspace of a matrix over a prime field or the rationals

The columns x with M x = 0, as many as M has columns less its rank, as the columns of one matrix, a row a line, as a Matrix Market \
array with -o NAME.mtx or without columns; with --json, a list of rows. With --exact the columns are integers without a common divisor.",
    help: "\
--verify multiplies by random vectors (Freivalds), with a chance below 2^-64, and compares the ranks with those of a second \
elimination on the host; over the rationals, modulo random primes of 61 bits.

Examples:
  printf '1 2\\n2 4\\n' | manycore matrix nullspace - --modulus 7
  manycore matrix nullspace m.txt --exact
  manycore matrix nullspace m.sms --modulus 469762049 --verify --json",
    step: "computing the nullspace",
    inputs: M,
    options: &[MODULO, DeclaredOption::flag("exact", OVER_RATIONALS)],
    one_of: &["modulus", "exact"],
    ..Declaration::BASE
};

const CHARPOLY_DECLARATION: Declaration = Declaration {
    name: "matrix charpoly",
    title: "The characteristic polynomial",
    about: "\
The characteristic polynomial of a square matrix over a prime field or the rationals

det(x I - M) as terms such as x^2 - 5*x, or with --format coefficients as its coefficients, the constant term first and the leading one 1, \
one a line; a .npy file with -o NAME.npy; a list in the JSON object of --json. Exact for every prime; with --exact integers, or fractions in lowest terms.",
    help: "\
--verify computes the polynomial a second time, on the host, from powers of the matrix on vectors (Krylov); \
one over the rationals modulo random primes of 61 bits.

Examples:
  printf '1 2\\n3 4\\n' | manycore matrix charpoly - --modulus 101
  printf '1 2\\n3 4\\n' | manycore matrix charpoly - --exact
  manycore matrix charpoly m.mtx --modulus 2 --verify --json",
    step: "computing the characteristic polynomial",
    inputs: M,
    options: &[MODULO, DeclaredOption::flag("exact", OVER_RATIONALS)],
    one_of: &["modulus", "exact"],
    ..Declaration::BASE
};

const MINPOLY_DECLARATION: Declaration = Declaration {
    name: "matrix minpoly",
    title: "The minimal polynomial",
    about: "\
The minimal polynomial of a square matrix over a prime field or the rationals

The monic polynomial of least degree that is 0 at M, as terms such as x^2 - 5*x, or with --format coefficients as its coefficients, the \
constant term first and the leading one 1, one a line; a .npy file with -o NAME.npy; a list in the JSON object of --json. It is proved; with --exact integers, or fractions in lowest terms.",
    help: "\
--verify computes the value at the matrix on random vectors, with a chance of a wrong one below 2^-64, and that powers of the matrix \
below the degree are independent on them; over the rationals, modulo random primes of 61 bits.

Examples:
  printf '2 0\\n0 2\\n' | manycore matrix minpoly - --modulus 101
  printf '2 0\\n0 2\\n' | manycore matrix minpoly - --exact
  manycore matrix minpoly m.mtx --modulus 2 --verify --json",
    step: "computing the minimal polynomial",
    inputs: M,
    options: &[MODULO, DeclaredOption::flag("exact", OVER_RATIONALS)],
    one_of: &["modulus", "exact"],
    ..Declaration::BASE
};

pub(super) struct Rank;

impl Work for Rank {
    const DECLARATION: &'static Declaration = &RANK_DECLARATION;
    const IS_SHARED: bool = true;
    const HAS_BITS: bool = true;

    fn task(shapes: &[[usize; 2]], modulus: u64) -> Option<Task> {
        of_order("matrix-det", shapes, modulus)
    }

    fn compute<F: MatrixField>(
        space: &LinearAlgebra<F>,
        matrices: &[Matrix<F>],
    ) -> Result<Found<F::Element>, LinalgError> {
        Ok(Found::Count(space.rank(&matrices[0])?))
    }

    fn share<F: MatrixField>(
        devices: &DeviceSet,
        field: &F,
        matrices: &[Dense<F::Element>],
    ) -> Result<Found<F::Element>, LinalgError> {
        let a = &matrices[0];
        Ok(Found::Count(LinearAlgebra::rank_on(devices, field, (a.rows, a.columns), &a.entries)?))
    }

    fn of_bits<T: ResidueWord>(space: &BitAlgebra, mut matrices: Vec<BitMatrix>) -> Result<Found<T>, LinalgError> {
        // Its memory is that of the elimination: a matrix of bits may take all that there is.
        Ok(Found::Count(space.into_rank(matrices.swap_remove(0))?))
    }

    fn check_seconds<F: MatrixField>(done: &Done<'_, F>) -> f64 {
        let a = &done.matrices[0];
        matrix::elimination_seconds(done.p, (a.rows, a.columns))
    }

    fn check<F: MatrixField>(done: &Done<'_, F>) -> Outcome {
        let a = &done.matrices[0];
        let found = if let Found::Count(rank) = *done.found { rank } else { usize::MAX };
        matrix::rank(done.p, (a.rows, a.columns), &a.entries, found, &mut SplitMix::new(done.seed))
    }
}

pub(super) struct Inverse;

impl Work for Inverse {
    const DECLARATION: &'static Declaration = &INVERSE_DECLARATION;
    const HAS_BITS: bool = true;

    fn task(shapes: &[[usize; 2]], modulus: u64) -> Option<Task> {
        of_order("matrix-inverse", shapes, modulus)
    }

    fn compute<F: MatrixField>(
        space: &LinearAlgebra<F>,
        matrices: &[Matrix<F>],
    ) -> Result<Found<F::Element>, LinalgError> {
        Ok(Found::Matrix(Entries::of(space, &space.inverse(&matrices[0])?)?))
    }

    fn of_bits<T: ResidueWord>(space: &BitAlgebra, matrices: Vec<BitMatrix>) -> Result<Found<T>, LinalgError> {
        Ok(Found::Matrix(Entries::of_bits(space, &space.inverse(&matrices[0])?)?))
    }

    fn check<F: MatrixField>(done: &Done<'_, F>) -> Outcome {
        let a = &done.matrices[0];
        matrix::inverse(done.p, a.rows, &a.entries, done.found.words(), &mut SplitMix::new(done.seed))
    }
}

pub(super) struct Nullspace;

impl Work for Nullspace {
    const DECLARATION: &'static Declaration = &NULLSPACE_DECLARATION;
    const HAS_BITS: bool = true;

    fn compute<F: MatrixField>(
        space: &LinearAlgebra<F>,
        matrices: &[Matrix<F>],
    ) -> Result<Found<F::Element>, LinalgError> {
        Ok(Found::Matrix(Entries::of(space, &space.nullspace(&matrices[0])?)?))
    }

    fn of_bits<T: ResidueWord>(space: &BitAlgebra, matrices: Vec<BitMatrix>) -> Result<Found<T>, LinalgError> {
        Ok(Found::Matrix(Entries::of_bits(space, &space.nullspace(&matrices[0])?)?))
    }

    fn check_seconds<F: MatrixField>(done: &Done<'_, F>) -> f64 {
        let a = &done.matrices[0];
        // Of the matrix, and of its nullspace.
        2.0 * matrix::elimination_seconds(done.p, (a.rows, a.columns))
    }

    fn check<F: MatrixField>(done: &Done<'_, F>) -> Outcome {
        let a = &done.matrices[0];
        let shape = (a.rows, a.columns);
        matrix::nullspace(done.p, shape, &a.entries, done.found.words(), &mut SplitMix::new(done.seed))
    }
}

pub(super) struct Charpoly;

impl Work for Charpoly {
    const DECLARATION: &'static Declaration = &CHARPOLY_DECLARATION;

    fn compute<F: MatrixField>(
        space: &LinearAlgebra<F>,
        matrices: &[Matrix<F>],
    ) -> Result<Found<F::Element>, LinalgError> {
        Ok(Found::Polynomial(space.characteristic_polynomial(&matrices[0])?))
    }

    fn check_seconds<F: MatrixField>(done: &Done<'_, F>) -> f64 {
        matrix::characteristic_seconds(done.p, done.matrices[0].rows)
    }

    fn check<F: MatrixField>(done: &Done<'_, F>) -> Outcome {
        let a = &done.matrices[0];
        let random = &mut SplitMix::new(done.seed);
        matrix::characteristic_polynomial(done.p, a.rows, &a.entries, done.found.words(), random)
    }
}

pub(super) struct Minpoly;

impl Work for Minpoly {
    const DECLARATION: &'static Declaration = &MINPOLY_DECLARATION;

    fn compute<F: MatrixField>(
        space: &LinearAlgebra<F>,
        matrices: &[Matrix<F>],
    ) -> Result<Found<F::Element>, LinalgError> {
        Ok(Found::Polynomial(space.minimal_polynomial(&matrices[0])?))
    }

    fn check_seconds<F: MatrixField>(done: &Done<'_, F>) -> f64 {
        matrix::characteristic_seconds(done.p, done.matrices[0].rows)
    }

    fn check<F: MatrixField>(done: &Done<'_, F>) -> Outcome {
        let a = &done.matrices[0];
        check_minimal_polynomial(done.field, a.rows, &a.entries, done.found.words(), &mut SplitMix::new(done.seed))
    }
}
