//! The matrix of an operation.

use manycore_operation::{Files, Input, OperationError};

use crate::market::MatrixEntries;

/// One matrix for each of the texts: the one at place k has k columns, the first one seven, so that a vector of any such length has a
/// product.
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
pub(super) const fn matrix(help: &'static str) -> Input {
    Input::new("matrix", "MATRIX", help).such_as(TEXTS)
}

/// A matrix that is the only input.
pub(super) const ALONE: &[Input] = &[matrix("The matrix: Matrix Market, SMS or Harwell-Boeing; - is standard input")];

/// The entries of the matrix.
pub(super) fn entries(files: &mut dyn Files) -> Result<MatrixEntries, OperationError> {
    let bytes = files.bytes(0)?;
    Ok(MatrixEntries::parse(&bytes, &files.name(0))?)
}
