//! Errors of operations on sparse matrices.

use manycore_device::{DeviceError, ErrorKind, LibraryError};
use manycore_model::cache::GeometryError;
use manycore_tuning::NoChoice;

/// Why an operation on sparse matrices was not done.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SparseError {
    /// More rows or columns than 32-bit indices count.
    #[error("a matrix of {rows} x {columns}: at most 2^32 - 2 rows and columns are taken")]
    TooLarge {
        /// Rows.
        rows: usize,
        /// Columns.
        columns: usize,
    },
    /// A vector or permutation of another length than the matrix needs.
    #[error("{what}: {given} elements given, {expected} expected")]
    Length {
        /// What is too short or too long.
        what: &'static str,
        /// Its length.
        given: usize,
        /// The length that it should have.
        expected: usize,
    },
    /// Numbers that are no permutation.
    #[error("entry {place} of a permutation of {len} is {index}, which is past the end or given twice")]
    Permutation {
        /// The place of the entry.
        place: usize,
        /// The entry.
        index: u32,
        /// The length of the permutation.
        len: usize,
    },
    /// A parameter out of its range.
    #[error("{name} is {value}: it takes {expected}")]
    Parameter {
        /// The parameter.
        name: &'static str,
        /// Its value.
        value: String,
        /// What it takes.
        expected: &'static str,
    },
    /// A value that is no element of the ring: a residue not below the modulus.
    #[error("{what}: value {index} is not below the modulus")]
    Value {
        /// Where it stands.
        what: &'static str,
        /// Its place there.
        index: usize,
    },
    /// Arrays that are no compressed matrix.
    #[error("no sparse matrix: {reason}")]
    Structure {
        /// What is wrong with them.
        reason: String,
    },
    /// A matrix that must be square and is not.
    #[error("a matrix of {rows} x {columns}: {what} takes square ones")]
    NotSquare {
        /// What takes square ones.
        what: &'static str,
        /// Rows.
        rows: usize,
        /// Columns.
        columns: usize,
    },
    /// A cache of sizes that no cache has.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
    /// No way to multiply fits the device.
    #[error(transparent)]
    NoChoice(#[from] NoChoice),
    /// The device failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

impl LibraryError for SparseError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::TooLarge { .. } | Self::Length { .. } | Self::NotSquare { .. } => ErrorKind::Shape,
            Self::Permutation { .. }
            | Self::Parameter { .. }
            | Self::Value { .. }
            | Self::Structure { .. }
            | Self::Geometry(_) => ErrorKind::Value,
            Self::NoChoice(_) => ErrorKind::NoChoice,
            Self::Device(error) => error.kind(),
        }
    }

    fn device_error(&self) -> Option<&DeviceError> {
        match self {
            Self::Device(error) => Some(error),
            _ => None,
        }
    }
}
