//! Why a matrix was not read from a text.

use crate::error::FileError;
use crate::fault::LineFault;
use crate::memory::OutOfMemory;

/// Why a matrix was not read from a text.
#[derive(Debug, thiserror::Error)]
pub enum MatrixTextError {
    /// A line that is wrong.
    #[error("{file}:{line}: {reason}")]
    Line {
        /// The file.
        file: String,
        /// The line, from 1; one past the last where something is missing at the end.
        line: usize,
        /// What is wrong with it.
        reason: Box<LineFault>,
    },
    /// The file is no text.
    #[error(transparent)]
    File(#[from] FileError),
    /// There is no memory for what the file holds.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
}

impl MatrixTextError {
    pub(crate) fn at(file: &str, line: usize, reason: LineFault) -> Self {
        Self::Line { file: file.to_owned(), line, reason: Box::new(reason) }
    }
}

impl From<MatrixTextError> for FileError {
    fn from(error: MatrixTextError) -> Self {
        match error {
            MatrixTextError::Line { file, line, reason } => Self::Line { file, line, reason },
            MatrixTextError::File(error) => error,
            MatrixTextError::Memory(error) => Self::Memory(error),
        }
    }
}
