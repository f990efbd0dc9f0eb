//! Operations on matrices as data, with their jobs: what the program and packages for other languages are made from.
//!
//! | file | what |
//! |---|---|
//! | `found` | results over a field, and what they become |
//! | `field` | jobs modulo a prime, in words and in bits |
//! | `rational` | jobs over the rationals |
//! | `elimination` | rank, inverse, nullspace, characteristic and minimal polynomial |
//! | `decomposition` | LU, PLUQ, the reduced row echelon form, a basis of the image |
//! | `product` | products and linear systems |
//! | `determinant` | determinants: modulo a prime, exact, real |
//! | `forms` | Hermite and Smith forms |

mod decomposition;
mod determinant;
mod elimination;
mod field;
mod forms;
mod found;
mod product;
mod rational;

use manycore_field::NotPrime;
use manycore_files::memory::probe;
use manycore_files::{FileError, OutOfMemory};
use manycore_operation::{DeclaredOption, Files, Input, Job, Operation, OptionKind};
use manycore_verify::{CheckError, Outcome, Passed};

use crate::error::LinalgError;
use crate::file::{Dense, FileEntry, MatrixFileError};

pub use determinant::{ALGORITHM, parameters as determinant_parameters, square};

/// Every operation on matrices.
pub static ALL: [&dyn Operation<Error = OperationError>; 14] = [
    &determinant::DET,
    &elimination::RANK,
    &elimination::INVERSE,
    &elimination::NULLSPACE,
    &elimination::CHARPOLY,
    &elimination::MINPOLY,
    &decomposition::LU,
    &decomposition::PLUQ,
    &decomposition::RREF,
    &decomposition::IMAGE,
    &forms::HERMITE,
    &forms::SMITH,
    &product::SOLVE,
    &product::MUL,
];

/// Why an operation on matrices was not done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OperationError {
    /// The file does not hold a matrix.
    #[error(transparent)]
    File(#[from] Box<MatrixFileError>),
    /// There is no memory for what the file holds.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// The modulus is not a supported prime.
    #[error(transparent)]
    Modulus(#[from] NotPrime),
    /// The operation was not done.
    #[error(transparent)]
    Linalg(#[from] LinalgError),
}

impl From<MatrixFileError> for OperationError {
    fn from(error: MatrixFileError) -> Self {
        Self::File(Box::new(error))
    }
}

impl From<FileError> for OperationError {
    fn from(error: FileError) -> Self {
        Self::from(MatrixFileError::from(error))
    }
}

impl From<CheckError> for OperationError {
    fn from(error: CheckError) -> Self {
        Self::Linalg(error.into())
    }
}

type Boxed = Box<dyn Job<Error = OperationError>>;

/// The matrix, as help tells of it.
const MATRIX: &str = "The matrix: text (a row a line, # begins a comment), Matrix Market, SMS, Harwell-Boeing or .npy; - is standard input";
const M: &[Input] = &[Input::new("m", "M", MATRIX)];

/// The modulus where there are others.
const MODULO: DeclaredOption = DeclaredOption {
    value: OptionKind::Modulus { is_required: false },
    ..DeclaredOption::flag("modulus", "Modulo a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1")
};
const OVER_RATIONALS: &str = "Over the rationals: the entries are integers, decimal numbers or fractions such as 2/3";

/// Reads a matrix of numbers.
fn read<T: FileEntry + Clone>(
    files: &mut dyn Files,
    input: usize,
    earlier: &[Dense<T>],
) -> Result<Dense<T>, OperationError> {
    if let Some(same) = files.earlier(input).and_then(|earlier_input| earlier.get(earlier_input)) {
        return Ok(same.clone());
    }
    let source = files.matrix(input)?;
    let file = source.file().to_owned();
    let matrix = crate::file::read(source)?;
    room(&matrix, &file)?;
    Ok(matrix)
}

/// Refuses matrices with which nothing can be computed: there must be memory for them on a device, and for their result.
fn room<T>(matrix: &Dense<T>, file: &str) -> Result<(), OutOfMemory> {
    probe(2 * size_of_val(&matrix.entries[..]) as u64, || format!("the results of {file}"))
}

/// What a check says that may fail in other ways, too.
fn passed(outcome: Outcome) -> Result<Passed, OperationError> {
    Ok(outcome?)
}

/// What is asked of a job before its result is there.
fn unmade() -> CheckError {
    CheckError::Relation { relation: "that there is a result".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_whole() {
        let mut names = Vec::new();
        for operation in ALL {
            let declaration = operation.declaration();
            names.push(declaration.name);
            assert!(declaration.name.starts_with("matrix ") && !declaration.title.is_empty(), "{declaration:?}");
            assert!(declaration.about.contains("\n\n") && declaration.help.contains("Examples:\n"), "{declaration:?}");
            let known = |name: &str| declaration.option(name).is_some();
            assert!(declaration.one_of.iter().all(|name| known(name)), "{declaration:?}");
            let of = |option: &DeclaredOption| option.requires.into_iter().chain(option.excludes).all(known);
            assert!(declaration.options.iter().all(of), "{declaration:?}");
        }
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
