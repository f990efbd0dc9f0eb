//! The decompositions P M = L U and M = P L U Q, the reduced row echelon form and a basis of the image, modulo a prime.

use manycore_device::DeviceSet;
use manycore_field::ResidueWord;
use manycore_operation::{Declaration, DeclaredOption};
use manycore_verify::{CheckError, Outcome, SplitMix, matrix};

use super::common::M;
use super::field::{Done, Modulo, Work};
use super::found::{Entries, Found, LOWER, Piece, UPPER};
use crate::bits::{BitAlgebra, BitMatrix};
use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::file::Dense;
use crate::modular::algebra::LinearAlgebra;
use crate::modular::decompose::{check_lu, check_pluq, check_row_space};
use crate::modular::matrix::Matrix;

/// The decomposition P M = L U.
pub(super) static LU: Modulo<Lu> = Modulo::new();
/// The decomposition M = P L U Q.
pub(super) static PLUQ: Modulo<Pluq> = Modulo::new();
/// The reduced row echelon form.
pub(super) static RREF: Modulo<Rref> = Modulo::new();
/// A basis of the image.
pub(super) static IMAGE: Modulo<Image> = Modulo::new();

const LU_DECLARATION: Declaration = Declaration {
    name: "matrix lu",
    title: "The decomposition P M = L U",
    about: "\
The decomposition P M = L U of a matrix over a prime field

Any shape and rank: L has as many columns as the rank, 1 on the diagonal and 0 above it; U is in echelon form, upper triangular for a \
regular square matrix. In each column the first entry that is not 0 is the pivot. Three parts, each behind a line with # and its name: \
`rows`, the row of M, from 0, that each row of L U is; L and U, a row a line. With --json, an object of `rows`, `lower` and `upper`.",
    help: "\
--verify compares the shapes of both factors and the order of the pivots, and multiplies by random vectors (Freivalds): a wrong \
decomposition passes with a chance below 2^-64.

Examples:
  printf '0 2\\n1 3\\n' | manycore matrix lu - --modulus 7
  manycore matrix lu m.mtx --modulus 469762049 --verify --json",
    step: "decomposing the matrix",
    inputs: M,
    options: &[DeclaredOption::MODULUS],
    no_array: Some("a decomposition"),
    ..Declaration::BASE
};

const PLUQ_DECLARATION: Declaration = Declaration {
    name: "matrix pluq",
    title: "The decomposition M = P L U Q",
    about: "\
The decomposition M = P L U Q of a matrix over a prime field, which reveals its rank

Any shape and rank: L has as many columns as the rank, 1 on the diagonal and 0 above it; U is upper triangular, with no 0 on its \
diagonal. Four parts, each behind a line with # and its name: `rows` and `columns`, the row and the column of M, from 0, that each \
row and each column of L U is; L and U, a row a line. With --json, an object of `rows`, `columns`, `lower` and `upper`.",
    help: "\
--verify compares the shapes of both factors and the order of the pivots, and multiplies by random vectors (Freivalds): a wrong \
decomposition passes with a chance below 2^-64.

Examples:
  printf '0 0 2\\n0 3 1\\n' | manycore matrix pluq - --modulus 7
  manycore matrix pluq m.sms --modulus 2 --verify --json",
    step: "decomposing the matrix",
    inputs: M,
    options: &[DeclaredOption::MODULUS],
    no_array: Some("a decomposition"),
    ..Declaration::BASE
};

const RREF_DECLARATION: Declaration = Declaration {
    name: "matrix rref",
    title: "The reduced row echelon form",
    about: "\
The reduced row echelon form of a matrix over a prime field

Each pivot is 1, the only entry of its column that is not 0, to the right of those above it; rows of zeros come last. Its other \
rows are a basis of the row space, one for all matrices with that space. Written a row a line, as a Matrix Market array \
with -o NAME.mtx; with --json, as a list of rows.",
    help: "\
--verify compares the form, the rank with that of a second elimination on the host, and the rows of the matrix with their sums of the \
form's by random vectors (Freivalds): a wrong form passes with a chance below 2^-64.

Examples:
  printf '2 4 6\\n1 2 3\\n' | manycore matrix rref - --modulus 7
  manycore matrix rref m.sms --modulus 469762049 --verify -o rref.mtx",
    step: "reducing the matrix",
    inputs: M,
    options: &[DeclaredOption::MODULUS],
    ..Declaration::BASE
};

const IMAGE_DECLARATION: Declaration = Declaration {
    name: "matrix image",
    title: "A basis of the image",
    about: "\
A basis of the image of a matrix over a prime field: of its column space

The vectors M x, as the columns of one matrix, as many as the rank, in reduced column echelon form: one basis for all matrices with \
that image. Written a row a line, as a Matrix Market array with -o NAME.mtx; with --json, as a list of rows.",
    help: "\
--verify compares the form, the rank with that of a second elimination on the host, and the columns of the matrix with their sums of \
the basis by random vectors (Freivalds): a wrong basis passes with a chance below 2^-64.

Examples:
  printf '2 4 6\\n1 2 3\\n' | manycore matrix image - --modulus 7
  manycore matrix image m.sms --modulus 2 --verify --json",
    step: "computing the image",
    inputs: M,
    options: &[DeclaredOption::MODULUS],
    ..Declaration::BASE
};

pub(super) struct Lu;

impl Work for Lu {
    const DECLARATION: &'static Declaration = &LU_DECLARATION;
    const IS_SHARED: bool = true;
    const HAS_BITS: bool = true;

    fn compute<F: MatrixField>(
        space: &LinearAlgebra<F>,
        matrices: &[Matrix<F>],
    ) -> Result<Found<F::Element>, LinalgError> {
        let lu = space.lu(&matrices[0])?;
        Ok(Found::Parts(vec![
            Piece::places("rows", lu.permutation()),
            Piece::Factor(LOWER, Entries::of(space, lu.lower())?),
            Piece::Factor(UPPER, Entries::of(space, lu.upper())?),
        ]))
    }

    fn share<F: MatrixField>(
        devices: &DeviceSet,
        field: &F,
        matrices: &[Dense<F::Element>],
    ) -> Result<Found<F::Element>, LinalgError> {
        let a = &matrices[0];
        let lu = LinearAlgebra::lu_on(devices, field, (a.rows, a.columns), a.entries.clone())?;
        let rank = lu.rank();
        Ok(Found::Parts(vec![
            Piece::places("rows", &lu.permutation()),
            Piece::Factor(LOWER, Entries { rows: a.rows, columns: rank, words: lu.lower() }),
            Piece::Factor(UPPER, Entries { rows: rank, columns: a.columns, words: lu.upper() }),
        ]))
    }

    fn of_bits<T: ResidueWord>(space: &BitAlgebra, matrices: Vec<BitMatrix>) -> Result<Found<T>, LinalgError> {
        let lu = space.lu(&matrices[0])?;
        Ok(Found::Parts(vec![
            Piece::places("rows", lu.permutation()),
            Piece::Factor(LOWER, Entries::of_bits(space, lu.lower())?),
            Piece::Factor(UPPER, Entries::of_bits(space, lu.upper())?),
        ]))
    }

    fn check<F: MatrixField>(done: &Done<'_, F>) -> Outcome {
        let (a, found) = (&done.matrices[0], done.found);
        let (rows, lower, upper) = (found.places("rows"), found.factor(LOWER), found.factor(UPPER));
        let random = &mut SplitMix::new(done.seed);
        check_lu(done.field, (a.rows, a.columns), &a.entries, rows, lower, upper, random)
    }
}

pub(super) struct Pluq;

impl Work for Pluq {
    const DECLARATION: &'static Declaration = &PLUQ_DECLARATION;
    const HAS_BITS: bool = true;

    fn compute<F: MatrixField>(
        space: &LinearAlgebra<F>,
        matrices: &[Matrix<F>],
    ) -> Result<Found<F::Element>, LinalgError> {
        let pluq = space.pluq(&matrices[0])?;
        Ok(Found::Parts(vec![
            Piece::places("rows", pluq.rows()),
            Piece::places("columns", pluq.columns()),
            Piece::Factor(LOWER, Entries::of(space, pluq.lower())?),
            Piece::Factor(UPPER, Entries::of(space, pluq.upper())?),
        ]))
    }

    fn of_bits<T: ResidueWord>(space: &BitAlgebra, matrices: Vec<BitMatrix>) -> Result<Found<T>, LinalgError> {
        let pluq = space.pluq(&matrices[0])?;
        Ok(Found::Parts(vec![
            Piece::places("rows", pluq.rows()),
            Piece::places("columns", pluq.columns()),
            Piece::Factor(LOWER, Entries::of_bits(space, pluq.lower())?),
            Piece::Factor(UPPER, Entries::of_bits(space, pluq.upper())?),
        ]))
    }

    fn check<F: MatrixField>(done: &Done<'_, F>) -> Outcome {
        let (a, found) = (&done.matrices[0], done.found);
        let (rows, columns) = (found.places("rows"), found.places("columns"));
        let (lower, upper) = (found.factor(LOWER), found.factor(UPPER));
        let random = &mut SplitMix::new(done.seed);
        check_pluq(done.field, (a.rows, a.columns), &a.entries, rows, columns, lower, upper, random)
    }
}

pub(super) struct Rref;

impl Work for Rref {
    const DECLARATION: &'static Declaration = &RREF_DECLARATION;
    const HAS_BITS: bool = true;

    fn compute<F: MatrixField>(
        space: &LinearAlgebra<F>,
        matrices: &[Matrix<F>],
    ) -> Result<Found<F::Element>, LinalgError> {
        Ok(Found::Matrix(Entries::of(space, space.echelon(&matrices[0])?.matrix())?))
    }

    fn of_bits<T: ResidueWord>(space: &BitAlgebra, matrices: Vec<BitMatrix>) -> Result<Found<T>, LinalgError> {
        Ok(Found::Matrix(Entries::of_bits(space, space.echelon(&matrices[0])?.matrix())?))
    }

    fn check_seconds<F: MatrixField>(done: &Done<'_, F>) -> f64 {
        let a = &done.matrices[0];
        matrix::elimination_seconds(done.p, (a.rows, a.columns))
    }

    fn check<F: MatrixField>(done: &Done<'_, F>) -> Outcome {
        let (a, words) = (&done.matrices[0], done.found.words());
        if words.len() != a.entries.len() {
            return Err(CheckError::Length { found: words.len(), expected: a.entries.len() });
        }
        // Rows of zeros come last.
        let zero = F::Element::from_u64(0);
        let width = a.columns.max(1);
        let len = words.iter().rposition(|&word| word != zero).map_or(0, |last| (last / width + 1) * width);
        check_row_space(done.field, (a.rows, a.columns), &a.entries, &words[..len], &mut SplitMix::new(done.seed))
    }
}

pub(super) struct Image;

impl Work for Image {
    const DECLARATION: &'static Declaration = &IMAGE_DECLARATION;

    fn compute<F: MatrixField>(
        space: &LinearAlgebra<F>,
        matrices: &[Matrix<F>],
    ) -> Result<Found<F::Element>, LinalgError> {
        Ok(Found::Matrix(Entries::of(space, &space.column_space(&matrices[0])?)?))
    }

    fn check_seconds<F: MatrixField>(done: &Done<'_, F>) -> f64 {
        let a = &done.matrices[0];
        matrix::elimination_seconds(done.p, (a.rows, a.columns))
    }

    fn check<F: MatrixField>(done: &Done<'_, F>) -> Outcome {
        let (a, words) = (&done.matrices[0], done.found.words());
        let rank = words.len() / a.rows.max(1);
        if words.len() != rank * a.rows {
            return Err(CheckError::Length { found: words.len(), expected: rank * a.rows });
        }
        let turned = |words: &[F::Element], columns: usize| -> Vec<F::Element> {
            (0..columns).flat_map(|j| words.iter().copied().skip(j).step_by(columns)).collect()
        };
        let (matrix, basis) = (turned(&a.entries, a.columns), turned(words, rank));
        check_row_space(done.field, (a.columns, a.rows), &matrix, &basis, &mut SplitMix::new(done.seed))
    }
}
