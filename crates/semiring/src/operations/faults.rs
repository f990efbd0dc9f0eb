//! Errors of jobs of a semiring.

use manycore_device::{ErrorKind, LibraryError};
use manycore_operation::Failure;

use crate::error::SemiringError;

/// An integer that its type does not hold.
#[derive(Debug, thiserror::Error)]
#[error("{what} is past type {type_name}")]
pub(super) struct Past {
    /// Its place, and what it is.
    pub(super) what: String,
    pub(super) type_name: &'static str,
}

impl LibraryError for Past {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Overflow
    }
}

impl Failure for Past {
    fn told(&self, _: &[String]) -> String {
        let (other, bits) = if self.type_name == "i32" { ("i64", 32) } else { ("f64, which rounds", 64) };
        format!("{self}: --type {other}, or --wrap for integers modulo 2^{bits}")
    }
}

impl Failure for SemiringError {
    fn is_of_input(&self) -> bool {
        !matches!(self, Self::Expression(_))
    }
}
