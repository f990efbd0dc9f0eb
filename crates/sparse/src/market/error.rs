//! Errors of reading a sparse matrix from a file.

use manycore_files::{FileError, OutOfMemory};

use crate::error::SparseError;

/// Why a matrix was not read from a file. Every variant names the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SparseFileError {
    /// Values of a kind that cannot be taken for what is wanted.
    #[error("{file}: the matrix has {found} values, where {wanted} are wanted")]
    Kind {
        /// The file.
        file: String,
        /// The kind that it has.
        found: &'static str,
        /// The kind that is wanted.
        wanted: &'static str,
    },
    /// An integer that no number of double precision is.
    #[error(
        "{file}: entry ({row}, {column}) is {value}, which double precision does not hold exactly: compute with --modulus, or write \
         it with a point"
    )]
    Rounded {
        /// The file.
        file: String,
        /// The row, from 1.
        row: u64,
        /// The column, from 1.
        column: u64,
        /// The integer.
        value: String,
    },
    /// A real value where integers are wanted: a fraction, or one that may be rounded.
    #[error("{file}: entry ({row}, {column}) is {value}, which is no integer below 2^53")]
    NotInteger {
        /// The file.
        file: String,
        /// The row, from 1.
        row: u64,
        /// The column, from 1.
        column: u64,
        /// The value.
        value: f64,
    },
    /// The file cannot be read, a line of it is wrong, or there is no memory for the matrix.
    #[error(transparent)]
    File(#[from] FileError),
    /// What was read makes no matrix.
    #[error("{file}: {error}")]
    Matrix {
        /// The file.
        file: String,
        /// Why.
        error: Box<SparseError>,
    },
}

impl From<OutOfMemory> for SparseFileError {
    fn from(error: OutOfMemory) -> Self {
        Self::File(error.into())
    }
}
