//! Operations on sparse matrices as data, with their jobs: what the program and packages for other languages are made from.
//!
//! | file | what |
//! |---|---|
//! | `reorder` | a matrix in a new order |
//! | `orders` | orders of rows and columns as files |
//! | `multiply`, `numbers` | products with a vector, and the numbers that they are computed in |
//! | `misses`, `cache` | misses of a product, and the cache that they are counted for |
//! | `info` | facts, and whether an order pays |
//! | `report`, `page` | the page of a matrix |
//! | `choices` | the product as a choice among candidates |

mod cache;
mod choices;
mod info;
mod misses;
mod multiply;
mod numbers;
mod orders;
mod page;
mod reorder;
mod report;

use manycore_operation::verify::CheckError;
use manycore_operation::{Failure, Files, Input, Operation, OperationError, of_input};

use crate::error::SparseError;
use crate::market::{MatrixEntries, SparseFileError};
pub use choices::CHOICES;
pub use orders::orders;

/// Every operation on sparse matrices.
pub static ALL: [&dyn Operation; 5] =
    [&reorder::Reorder, &multiply::Multiply, &misses::Misses, &info::Info, &report::Report];

impl Failure for SparseError {
    fn is_refusal(&self) -> bool {
        matches!(
            self,
            Self::Length { .. }
                | Self::Parameter { .. }
                | Self::Value { .. }
                | Self::Geometry(_)
                | Self::NotSquare { .. }
                | Self::TooLarge { .. }
        )
    }

    fn is_of_size(&self) -> bool {
        if let Self::Device(error) = self { error.is_of_size() } else { false }
    }

    /// Of a product it is the vector that has another length.
    fn told(&self, inputs: &[String]) -> String {
        if let Self::Length { .. } = self { of_input(self, inputs, 1) } else { self.to_string() }
    }
}

impl Failure for SparseFileError {
    fn is_refusal(&self) -> bool {
        match self {
            Self::Memory(_) => false,
            Self::File(error) => error.is_refusal(),
            _ => true,
        }
    }
}

/// A matrix as each of the texts has it: the one at place k has k columns, the first one seven, so that a vector of any such length
/// has a product.
const TEXTS: &[&str] = &[
    "%%MatrixMarket matrix coordinate integer general\n4 7 9\n1 1 5\n1 7 -3\n2 2 1\n2 2 1\n3 3 4\n3 4 2\n3 5 8\n4 6 1\n4 1 7\n",
    "3 1 M\n1 1 5\n3 1 -7\n0 0 0\n",
    "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 4\n2 1 -1\n",
    "%%MatrixMarket matrix coordinate pattern general\n0 3 0\n",
    "%%MatrixMarket matrix coordinate real general\n5 4 6\n1 1 2\n1 4 -3\n2 3 1\n4 2 6\n5 1 8\n5 2 1e3\n",
    "%%MatrixMarket matrix coordinate pattern general\n2 5 3\n1 5\n2 1\n2 3\n",
    "%%MatrixMarket matrix coordinate pattern general\n6 6 14\n1 2\n1 5\n2 1\n2 6\n3 1\n3 2\n4 3\n4 4\n5 2\n5 3\n5 6\n6 1\n6 4\n6 5\n",
];

/// The matrix of an operation.
const fn matrix(help: &'static str) -> Input {
    Input::new("matrix", "MATRIX", help).such_as(TEXTS)
}

/// A matrix that is the only input.
const ALONE: &[Input] = &[matrix("The matrix: Matrix Market, SMS or Harwell-Boeing; - is standard input")];

/// The entries of the matrix.
fn entries(files: &mut dyn Files) -> Result<MatrixEntries, OperationError> {
    let bytes = files.bytes(0)?;
    Ok(MatrixEntries::parse(&bytes, &files.name(0))?)
}

/// What is asked of a job before its result is there.
fn unmade() -> CheckError {
    CheckError::Relation { relation: "that there is a result".to_owned() }
}
