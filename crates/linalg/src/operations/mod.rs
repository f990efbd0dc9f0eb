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
//! | `choices` | the operations that choose among candidates |

mod choices;
mod decomposition;
mod determinant;
mod elimination;
mod field;
mod forms;
mod found;
mod product;
mod rational;

use manycore_files::OutOfMemory;
use manycore_files::memory::probe;
use manycore_operation::{DeclaredOption, Failure, Files, Input, Job, Operation, OperationError, OptionKind, of_input};
use manycore_verify::{CheckError, Outcome, Passed};

use crate::error::LinalgError;
use crate::file::{Dense, FileEntry, MatrixFileError};

pub use choices::CHOICES;
pub use determinant::{ALGORITHM, parameters as determinant_parameters, square};

/// Every operation on matrices.
pub static ALL: [&dyn Operation; 14] = [
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

impl Failure for MatrixFileError {
    fn is_refusal(&self) -> bool {
        match self {
            Self::File(error) => error.is_refusal(),
            Self::Matrix { error, .. } => !error.is_of_size() || matches!(**error, LinalgError::TooLarge { .. }),
            _ => true,
        }
    }
}

impl Failure for LinalgError {
    fn is_refusal(&self) -> bool {
        matches!(
            self,
            Self::NotSquare { .. }
                | Self::Shapes { .. }
                | Self::TooLarge { .. }
                | Self::Singular { .. }
                | Self::NotFinite { .. }
                | Self::Overflow { .. }
                | Self::Parts { .. }
        )
    }

    fn is_of_size(&self) -> bool {
        match self {
            Self::Device(error) => error.is_of_size(),
            error => matches!(error, Self::TooLarge { .. } | Self::Memory { .. }),
        }
    }

    fn difference(&self) -> Option<&CheckError> {
        if let Self::Check(error) = self { Some(error) } else { None }
    }

    /// The error of one matrix names its file, and that of two whose shapes do not fit both.
    fn told(&self, inputs: &[String]) -> String {
        let count = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        match (self, inputs) {
            (Self::Shapes { operation, left, right }, [first, second]) => {
                // The columns of the first and the rows of the second factor of a product; the rows of both sides of a system.
                let expected = if *operation == "product" { count(left.1, "column") } else { count(left.0, "row") };
                format!("{second}: {}, where {first} has {expected}", count(right.0, "row"))
            }
            (Self::Device(_), _) | (_, [] | [_, _, ..]) => self.to_string(),
            (_, [_]) => of_input(self, inputs, 0),
        }
    }
}

type Boxed = Box<dyn Job>;

/// The matrix, as help tells of it.
const MATRIX: &str = "The matrix: text (a row a line, # begins a comment), Matrix Market, SMS, Harwell-Boeing or .npy; - is standard input";
const M: &[Input] = &[Input::matrix("m", "M", MATRIX)];

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
