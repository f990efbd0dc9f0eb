//! Errors of reading a matrix from a file.

use manycore_files::FileError;

use crate::error::LinalgError;

/// Why a matrix was not read from a file. Every variant names the file, and the line or entry that is wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MatrixFileError {
    /// The file cannot be read, or a line of it is wrong.
    #[error(transparent)]
    File(#[from] FileError),
    /// A value of a `.npy` array that is no entry.
    #[error("{file}: entry ({row}, {column}) is {value}, which is no {expected}")]
    Array {
        /// The file.
        file: String,
        /// The entry's row, from 1.
        row: usize,
        /// The entry's column, from 1.
        column: usize,
        /// The value.
        value: String,
        /// What it should be.
        expected: &'static str,
    },
    /// A row of a text with another number of entries than the first.
    #[error("{file}:{line}: a row of {found} entries, where the first has {expected}")]
    Row {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The number of its entries.
        found: usize,
        /// The number of entries of the first row.
        expected: usize,
    },
    /// A matrix of more entries than can be addressed, or that memory has no room for, or whose device failed.
    #[error("{file}: {error}")]
    Matrix {
        /// The file.
        file: String,
        /// What is wrong.
        error: Box<LinalgError>,
    },
}

/// What is wrong with a file's matrix.
pub(super) fn of_matrix(file: &str, error: impl Into<LinalgError>) -> MatrixFileError {
    MatrixFileError::Matrix { file: file.to_owned(), error: Box::new(error.into()) }
}
