//! What is wrong with a job on a sparse matrix.

use manycore_operation::verify::CheckError;
use manycore_operation::{Failure, of_input};

use crate::error::SparseError;
use crate::market::SparseFileError;

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

/// What is asked of a job before its result is there.
pub(super) fn unmade() -> CheckError {
    CheckError::Relation { relation: "that there is a result".to_owned() }
}
