//! Operations on matrices as data, with their jobs: what the program and packages for other languages are made from.
//!
//! | file | what |
//! |---|---|
//! | `common` | inputs, options, reading and refusals |
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
mod common;
mod decomposition;
mod determinant;
mod elimination;
mod field;
mod forms;
mod found;
mod product;
mod rational;

use manycore_device::{ErrorKind, LibraryError};
use manycore_operation::{Failure, Operation, of_input};
use manycore_verify::CheckError;

use crate::error::LinalgError;
use crate::file::MatrixFileError;

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

impl LibraryError for MatrixFileError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::File(error) => error.kind(),
            Self::Matrix { error, .. } => error.kind(),
            _ => ErrorKind::Value,
        }
    }
}

impl Failure for MatrixFileError {}

impl Failure for LinalgError {
    fn is_of_input(&self) -> bool {
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
