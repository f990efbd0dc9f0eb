//! Errors of jobs on sparse matrices.

use manycore_device::{ErrorKind, LibraryError};
use manycore_operation::{Failure, of_input};

use crate::error::SparseError;
use crate::market::SparseFileError;

impl Failure for SparseError {
    fn is_of_input(&self) -> bool {
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

    /// Of a product it is the vector that has another length.
    fn told(&self, inputs: &[String]) -> String {
        if let Self::Length { .. } = self { of_input(self, inputs, 1) } else { self.to_string() }
    }
}

impl LibraryError for SparseFileError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::File(error) => error.kind(),
            _ => ErrorKind::Value,
        }
    }
}

impl Failure for SparseFileError {}
