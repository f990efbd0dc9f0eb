//! Errors of the text of a program.

use manycore_device::{ErrorKind, LibraryError};
use manycore_operation::Failure;

use crate::error::SemiringError;
use crate::plan::PlanError;

/// What can be wrong with the text of a program.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProgramTextError {
    /// A line that is no statement.
    #[error("{file}:{line}:{what}")]
    Statement {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The column, from 1, with a colon where it is known; a space, and what is wrong.
        what: String,
    },
    /// A program without an output.
    #[error("{file}: no output: a line as \"output R\" says what is to be computed")]
    NoOutput {
        /// The file.
        file: String,
    },
    /// Bits of floating-point numbers.
    #[error("{file}:{line}: or-and is of integers")]
    Bits {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
    },
    /// A number that the type has not.
    #[error("{file}:{line}: {number:?} is no number of type {type_name}")]
    Number {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The number.
        number: String,
        /// The type.
        type_name: &'static str,
    },
    /// A division of integers.
    #[error("{file}:{line}: integers do not divide")]
    Division {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
    },
    /// Matrices whose shapes do not fit.
    #[error("{file}: {error}")]
    Program {
        /// The file.
        file: String,
        /// What does not fit.
        error: PlanError,
    },
    /// A computation that cannot be made.
    #[error(transparent)]
    Semiring(#[from] SemiringError),
}

impl LibraryError for ProgramTextError {
    fn kind(&self) -> ErrorKind {
        if let Self::Semiring(error) = self { error.kind() } else { ErrorKind::Value }
    }
}

impl Failure for ProgramTextError {
    fn told(&self, _: &[String]) -> String {
        match self {
            Self::Bits { .. } => format!("{self}: --type i32 or i64"),
            Self::Division { .. } => format!("{self}: --type f32 or f64"),
            other => other.to_string(),
        }
    }
}
