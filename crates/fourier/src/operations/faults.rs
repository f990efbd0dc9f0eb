//! Errors of jobs on functions on a group.

use std::fmt;

use manycore_device::{ErrorKind, LibraryError};
use manycore_operation::{Failure, of_input};

use crate::error::FourierError;

impl Failure for FourierError {
    fn is_of_input(&self) -> bool {
        matches!(
            self,
            Self::Group(_)
                | Self::NoRoot(_)
                | Self::OutOfRange(_)
                | Self::Length { .. }
                | Self::Operands { .. }
                | Self::TooLarge { .. }
                | Self::Exponent { .. }
        )
    }
}

/// An error of a group that the values of a file make.
#[derive(Debug)]
pub(super) struct OfValues(pub(super) FourierError);

impl fmt::Display for OfValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl std::error::Error for OfValues {}

impl LibraryError for OfValues {
    fn kind(&self) -> ErrorKind {
        self.0.kind()
    }
}

impl Failure for OfValues {
    fn is_of_input(&self) -> bool {
        self.0.is_of_input()
    }

    fn told(&self, inputs: &[String]) -> String {
        let is_of_values = matches!(
            self.0,
            FourierError::NoRoot(_)
                | FourierError::Length { .. }
                | FourierError::TooLarge { .. }
                | FourierError::Exponent { .. }
        );
        if is_of_values { of_input(self, inputs, 0) } else { self.to_string() }
    }
}
