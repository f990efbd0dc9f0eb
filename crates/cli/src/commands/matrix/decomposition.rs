//! `manycore matrix lu`, `pluq`, `rref` and `image`.

use clap::Args;
use manycore::device::DeviceSet;
use manycore::field::ResidueWord as _;
use manycore::linalg::Permutation;
use manycore::linalg::bits::{BitAlgebra, BitMatrix};
use manycore::linalg::decompose::{check_lu, check_pluq, check_row_space};
use manycore::linalg::file::Dense;
use manycore::verify::{CheckError, Outcome, SplitMix, matrix};
use manycore::{LinalgError, LinearAlgebra, Matrix, MatrixField};
use std::path::PathBuf;

use super::job::{self, Computed, Done, OfBits, Work};
use super::value::{Part, Value};
use crate::arguments::{Global, modulus};
use crate::error::Error;

/// One matrix over a prime field.
#[derive(Debug, Args)]
pub struct Modular {
    /// The matrix: text (a row a line, # begins a comment), Matrix Market, SMS, Harwell-Boeing or .npy; - is standard input
    pub m: PathBuf,

    /// The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1
    #[arg(long, value_name = "P", value_parser = modulus)]
    pub modulus: u64,
}

/// What `--help` of `matrix lu` says first.
pub(super) const LU_ABOUT: &str = "\
The decomposition P M = L U of a matrix over a prime field

Any shape and rank: L has as many columns as the rank, 1 on the diagonal and 0 above it; U is in echelon form, upper triangular for a \
regular square matrix. In each column the first entry that is not 0 is the pivot. Three parts, each behind a line with # and its name: \
`rows`, the row of M, from 0, that each row of L U is; L and U, a row a line. With --json, an object of `rows`, `lower` and `upper`.";

/// What `--help` of `matrix lu` says last.
pub(super) const LU_HELP: &str = "\
--verify compares the shapes of both factors and the order of the pivots, and multiplies by random vectors (Freivalds): a wrong \
decomposition passes with a chance below 2^-64.

Examples:
  printf '0 2\\n1 3\\n' | manycore matrix lu - --modulus 7
  manycore matrix lu m.mtx --modulus 469762049 --verify --json";

/// What `--help` of `matrix pluq` says first.
pub(super) const PLUQ_ABOUT: &str = "\
The decomposition M = P L U Q of a matrix over a prime field, which reveals its rank

Any shape and rank: L has as many columns as the rank, 1 on the diagonal and 0 above it; U is upper triangular, with no 0 on its \
diagonal. Four parts, each behind a line with # and its name: `rows` and `columns`, the row and the column of M, from 0, that each \
row and each column of L U is; L and U, a row a line. With --json, an object of `rows`, `columns`, `lower` and `upper`.";

/// What `--help` of `matrix pluq` says last.
pub(super) const PLUQ_HELP: &str = "\
--verify compares the shapes of both factors and the order of the pivots, and multiplies by random vectors (Freivalds): a wrong \
decomposition passes with a chance below 2^-64.

Examples:
  printf '0 0 2\\n0 3 1\\n' | manycore matrix pluq - --modulus 7
  manycore matrix pluq m.sms --modulus 2 --verify --json";

/// What `--help` of `matrix rref` says first.
pub(super) const RREF_ABOUT: &str = "\
The reduced row echelon form of a matrix over a prime field

Each pivot is 1, the only entry of its column that is not 0, to the right of those above it; rows of zeros come last. Its other \
rows are a basis of the row space, one for all matrices with that space. Written as a Matrix Market array; with --json, as a list of \
rows.";

/// What `--help` of `matrix rref` says last.
pub(super) const RREF_HELP: &str = "\
--verify compares the form, the rank with that of a second elimination on the host, and the rows of the matrix with their sums of the \
form's by random vectors (Freivalds): a wrong form passes with a chance below 2^-64.

Examples:
  printf '2 4 6\\n1 2 3\\n' | manycore matrix rref - --modulus 7
  manycore matrix rref m.sms --modulus 469762049 --verify -o rref.mtx";

/// What `--help` of `matrix image` says first.
pub(super) const IMAGE_ABOUT: &str = "\
A basis of the image of a matrix over a prime field: of its column space

The vectors M x, as the columns of one matrix, as many as the rank, in reduced column echelon form: one basis for all matrices with \
that image. Written as a Matrix Market array; with --json, as a list of rows.";

/// What `--help` of `matrix image` says last.
pub(super) const IMAGE_HELP: &str = "\
--verify compares the form, the rank with that of a second elimination on the host, and the columns of the matrix with their sums of \
the basis by random vectors (Freivalds): a wrong basis passes with a chance below 2^-64.

Examples:
  printf '2 4 6\\n1 2 3\\n' | manycore matrix image - --modulus 7
  manycore matrix image m.sms --modulus 2 --verify --json";

/// Does work on one matrix modulo a prime.
///
/// # Errors
/// Everything that [`Error`] lists.
pub(super) fn run(work: &impl Work, arguments: &Modular, global: &Global) -> Result<(), Error> {
    job::run(work, &[&arguments.m], arguments.modulus, global)
}

/// A list of places.
fn places(name: &'static str, order: &Permutation) -> Part {
    Part { name, key: name, columns: None, words: order.images().iter().map(ToString::to_string).collect() }
}

/// A factor.
fn factor<F: MatrixField>(
    space: &LinearAlgebra<F>,
    (name, key): (&'static str, &'static str),
    a: &Matrix<F>,
) -> Result<Part, LinalgError> {
    let words = space.entries(a)?.into_iter().map(|word| word.as_u64().to_string()).collect();
    Ok(Part { name, key, columns: Some(a.columns()), words })
}

fn factor_of_bits(
    space: &BitAlgebra,
    (name, key): (&'static str, &'static str),
    a: &BitMatrix,
) -> Result<Part, LinalgError> {
    let words = space.residues::<u64>(a)?.iter().map(ToString::to_string).collect();
    Ok(Part { name, key, columns: Some(a.columns()), words })
}

const LOWER: (&str, &str) = ("L", "lower");
const UPPER: (&str, &str) = ("U", "upper");

/// The numbers of a part of a result.
fn numbers<F: MatrixField>(done: &Done<'_, F>, key: &str) -> Result<Vec<u64>, CheckError> {
    let missing = || CheckError::Relation { relation: format!("that the result has a part {key} of residues") };
    let Value::Parts(parts) = done.value else { return Err(missing()) };
    let part = parts.iter().find(|part| part.key == key).ok_or_else(missing)?;
    part.words.iter().map(|word| word.parse().map_err(|_| missing())).collect()
}

fn elements<F: MatrixField>(done: &Done<'_, F>, key: &str) -> Result<Vec<F::Element>, CheckError> {
    Ok(numbers(done, key)?.into_iter().map(F::Element::from_u64).collect())
}

fn order<F: MatrixField>(done: &Done<'_, F>, key: &str) -> Result<Vec<usize>, CheckError> {
    Ok(numbers(done, key)?.into_iter().map(|place| place as usize).collect())
}

pub(super) struct Lu;

impl Work for Lu {
    const COMMAND: &'static str = "matrix lu";
    const STEP: &'static str = "decomposing the matrix";

    fn compute<F: MatrixField>(
        &self,
        space: &LinearAlgebra<F>,
        matrices: &[Matrix<F>],
    ) -> Result<Computed, LinalgError> {
        let lu = space.lu(&matrices[0])?;
        let parts = vec![
            places("rows", lu.permutation()),
            factor(space, LOWER, lu.lower())?,
            factor(space, UPPER, lu.upper())?,
        ];
        Ok(Value::Parts(parts).into())
    }

    const IS_SHARED: bool = true;

    fn share<F: MatrixField>(
        &self,
        devices: &DeviceSet,
        field: &F,
        matrices: &[Dense<F::Element>],
    ) -> Result<Computed, LinalgError> {
        let a = &matrices[0];
        let lu = LinearAlgebra::lu_on(devices, field, (a.rows, a.columns), a.entries.clone())?;
        let part = |(name, key), columns: usize, words: Vec<F::Element>| Part {
            name,
            key,
            columns: Some(columns),
            words: words.into_iter().map(|word| word.as_u64().to_string()).collect(),
        };
        let parts = vec![
            places("rows", &lu.permutation()),
            part(LOWER, lu.rank(), lu.lower()),
            part(UPPER, a.columns, lu.upper()),
        ];
        Ok(Value::Parts(parts).into())
    }

    const OF_BITS: Option<OfBits<Self>> = Some(|_, space, matrices| {
        let lu = space.lu(&matrices[0])?;
        let parts = vec![
            places("rows", lu.permutation()),
            factor_of_bits(space, LOWER, lu.lower())?,
            factor_of_bits(space, UPPER, lu.upper())?,
        ];
        Ok(Value::Parts(parts).into())
    });

    fn check<F: MatrixField>(&self, done: &Done<'_, F>) -> Outcome {
        let a = &done.matrices[0];
        let (rows, lower, upper) = (order(done, "rows")?, elements(done, "lower")?, elements(done, "upper")?);
        let random = &mut SplitMix::new(done.seed);
        check_lu(done.field, (a.rows, a.columns), &a.entries, &rows, &lower, &upper, random)
    }
}

pub(super) struct Pluq;

impl Work for Pluq {
    const COMMAND: &'static str = "matrix pluq";
    const STEP: &'static str = "decomposing the matrix";

    fn compute<F: MatrixField>(
        &self,
        space: &LinearAlgebra<F>,
        matrices: &[Matrix<F>],
    ) -> Result<Computed, LinalgError> {
        let pluq = space.pluq(&matrices[0])?;
        let parts = vec![
            places("rows", pluq.rows()),
            places("columns", pluq.columns()),
            factor(space, LOWER, pluq.lower())?,
            factor(space, UPPER, pluq.upper())?,
        ];
        Ok(Value::Parts(parts).into())
    }

    const OF_BITS: Option<OfBits<Self>> = Some(|_, space, matrices| {
        let pluq = space.pluq(&matrices[0])?;
        let parts = vec![
            places("rows", pluq.rows()),
            places("columns", pluq.columns()),
            factor_of_bits(space, LOWER, pluq.lower())?,
            factor_of_bits(space, UPPER, pluq.upper())?,
        ];
        Ok(Value::Parts(parts).into())
    });

    fn check<F: MatrixField>(&self, done: &Done<'_, F>) -> Outcome {
        let a = &done.matrices[0];
        let (rows, columns) = (order(done, "rows")?, order(done, "columns")?);
        let (lower, upper) = (elements(done, "lower")?, elements(done, "upper")?);
        let random = &mut SplitMix::new(done.seed);
        check_pluq(done.field, (a.rows, a.columns), &a.entries, &rows, &columns, &lower, &upper, random)
    }
}

pub(super) struct Rref;

impl Work for Rref {
    const COMMAND: &'static str = "matrix rref";
    const STEP: &'static str = "reducing the matrix";

    fn compute<F: MatrixField>(
        &self,
        space: &LinearAlgebra<F>,
        matrices: &[Matrix<F>],
    ) -> Result<Computed, LinalgError> {
        Ok(job::rows(space, space.echelon(&matrices[0])?.matrix())?.into())
    }

    const OF_BITS: Option<OfBits<Self>> =
        Some(|_, space, matrices| Ok(job::rows_of_bits(space, space.echelon(&matrices[0])?.matrix())?.into()));

    fn check_seconds<F: MatrixField>(&self, done: &Done<'_, F>) -> f64 {
        let a = &done.matrices[0];
        matrix::elimination_seconds(done.p, (a.rows, a.columns))
    }

    fn check<F: MatrixField>(&self, done: &Done<'_, F>) -> Outcome {
        let a = &done.matrices[0];
        let words = done.words();
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
    const COMMAND: &'static str = "matrix image";
    const STEP: &'static str = "computing the image";

    fn compute<F: MatrixField>(
        &self,
        space: &LinearAlgebra<F>,
        matrices: &[Matrix<F>],
    ) -> Result<Computed, LinalgError> {
        Ok(job::rows(space, &space.column_space(&matrices[0])?)?.into())
    }

    fn check_seconds<F: MatrixField>(&self, done: &Done<'_, F>) -> f64 {
        let a = &done.matrices[0];
        matrix::elimination_seconds(done.p, (a.rows, a.columns))
    }

    fn check<F: MatrixField>(&self, done: &Done<'_, F>) -> Outcome {
        let a = &done.matrices[0];
        let words = done.words();
        let rank = words.len() / a.rows.max(1);
        if words.len() != rank * a.rows {
            return Err(CheckError::Length { found: words.len(), expected: rank * a.rows });
        }
        let turned = |words: &[F::Element], columns: usize| -> Vec<F::Element> {
            (0..columns).flat_map(|j| words.iter().copied().skip(j).step_by(columns)).collect()
        };
        let (matrix, basis) = (turned(&a.entries, a.columns), turned(&words, rank));
        check_row_space(done.field, (a.columns, a.rows), &matrix, &basis, &mut SplitMix::new(done.seed))
    }
}
