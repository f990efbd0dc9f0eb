//! Why a table was not made.

use manycore_device::{DeviceError, ErrorKind, LibraryError};
use manycore_field::NoRoot;
use manycore_tuning::NoChoice;

use crate::group::GroupError;
use crate::table::construction::Construction;

/// Why a character table was not made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CharacterError {
    /// The group, or an index of it, is not one.
    #[error(transparent)]
    Group(#[from] GroupError),
    /// Rows or columns that the table does not have.
    #[error(
        "no {what} {start}..{end}: the table has {what} 0..{order}, of which START..END has those from START to before END"
    )]
    Range {
        /// `rows` or `columns`.
        what: &'static str,
        /// The first.
        start: u64,
        /// One past the last.
        end: u64,
        /// The group's order.
        order: u64,
    },
    /// More entries than addresses.
    #[error("{rows} rows of {columns} entries are more than memory can address; ask for a tile, or stream")]
    TooManyEntries {
        /// The rows asked for.
        rows: u64,
        /// The columns asked for.
        columns: u64,
    },
    /// More columns than a construction takes.
    #[error("{columns} columns: the {construction} construction takes at most {limit}")]
    Columns {
        /// The columns asked for.
        columns: u64,
        /// The most possible.
        limit: u64,
        /// The construction.
        construction: Construction,
    },
    /// The group's exponent does not fit the values.
    #[error("the group's exponent {exponent} is past {limit}, the largest for {values}")]
    Exponent {
        /// The group's exponent.
        exponent: u64,
        /// The largest possible.
        limit: u64,
        /// The kind of values.
        values: String,
    },
    /// The field has no roots of unity of the group's exponent.
    #[error(transparent)]
    NoRoot(#[from] NoRoot),
    /// A buffer of another length than the tile.
    #[error("a buffer of {given} words for a tile of {expected}")]
    Buffer {
        /// The tile's words.
        expected: usize,
        /// The buffer's.
        given: usize,
    },
    /// No way to do it suits the device.
    #[error(transparent)]
    NoChoice(#[from] NoChoice),
    /// The device failed, or a buffer is on another one.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

impl LibraryError for CharacterError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Group(_) | Self::Range { .. } | Self::Exponent { .. } | Self::NoRoot(_) => ErrorKind::Value,
            Self::TooManyEntries { .. } | Self::Columns { .. } | Self::Buffer { .. } => ErrorKind::Shape,
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
