//! Errors of jobs over maximum and plus.

use manycore_device::LibraryError;
use manycore_operation::{Failure, OperationError, of_input};

use crate::error::MaxPlusError;

impl Failure for MaxPlusError {
    fn told(&self, inputs: &[String]) -> String {
        match self {
            Self::Cycle { .. }
            | Self::PositiveCircuit { .. }
            | Self::NegativeCircuit { .. }
            | Self::Overflow { .. }
            | Self::Large { .. }
            | Self::Infeasible { .. } => of_input(self, inputs, 0),
            error => error.to_string(),
        }
    }
}

/// The error of numbers that are made of those of the file, without its name.
pub(super) fn of_made(error: MaxPlusError) -> OperationError {
    if error.kind().is_refusal() { OperationError::usage(error.to_string()) } else { error.into() }
}
