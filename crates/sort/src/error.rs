//! Errors of sorting.

use manycore_device::{DeviceError, ErrorKind, LibraryError};
use manycore_expressions::{ExpressionError, Violation};
use manycore_tuning::NoChoice;

/// Why keys were not sorted.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SortError {
    /// Axes that an array does not have.
    #[cfg(feature = "ndarray")]
    #[error(transparent)]
    Axes(#[from] manycore_arrays::AxesError),
    /// Values for another number of keys.
    #[error("{values} values for {keys} keys")]
    Values {
        /// The number of keys.
        keys: usize,
        /// The number of values.
        values: usize,
    },
    /// Room for another number of keys.
    #[error("room for {room} keys, where {keys} are sorted")]
    Room {
        /// The number of keys.
        keys: usize,
        /// The number that there is room for.
        room: usize,
    },
    /// A key that is not in the range.
    #[error("key {index} is {key}: keys are below {range}")]
    Range {
        /// Its place, from 0.
        index: usize,
        /// The key.
        key: u64,
        /// The range.
        range: u64,
    },
    /// Counters for a range that memory does not hold.
    #[error("a counting sort of keys below {range} has {bytes} bytes of counters: {reason}")]
    Counters {
        /// The range.
        range: u64,
        /// Bytes of its counters.
        bytes: u128,
        /// Why they are not there.
        reason: String,
    },
    /// Groups of a preprocessing step that cannot be made.
    #[error("{groups} groups at a step: a step makes at least 2")]
    Groups {
        /// Groups at a step.
        groups: u64,
    },
    /// A sum of a user's own whose integers are right modulo 2^bits alone, where it was not asked for.
    #[error(
        "the sum adds or multiplies integers, modulo 2^bits of their type: take `Fold::wrapping`, with a type that holds every sum where \
         sums shall be exact, or operations that saturate"
    )]
    Wrapping,
    /// Segments that do not follow each other to the end.
    #[error("offset {index} is {offset}: offsets ascend from 0 to the number of keys, {keys}")]
    Segments {
        /// The place of the offset; the number of offsets where one is missing.
        index: usize,
        /// Its value.
        offset: usize,
        /// The number of keys.
        keys: usize,
    },
    /// More keys than places of this type count.
    #[error("{keys} keys: places of 32 bits count 2^32 at most")]
    Places {
        /// The number of keys.
        keys: usize,
    },
    /// Memory that does not hold the smallest block of a sort.
    #[error("a block of {keys} keys takes {wanted_bytes} bytes of the device, and a sort may take {limit_bytes}")]
    Memory {
        /// Keys of the smallest block.
        keys: usize,
        /// Bytes that it takes.
        wanted_bytes: u64,
        /// Bytes that the sort may take.
        limit_bytes: u64,
    },
    /// A place of an element that is not there.
    #[error("place {index} is {place}: there are {limit} elements")]
    Place {
        /// Its place among the places, from 0.
        index: usize,
        /// The place.
        place: usize,
        /// The number of elements.
        limit: usize,
    },
    /// A place that two elements would go to.
    #[error("place {place} is there twice: elements go to places of their own")]
    Repeated {
        /// The place.
        place: usize,
    },
    /// Elements that are no rows of one length.
    #[error("{elements} elements are no {rows} rows of one length")]
    Rows {
        /// The number of elements.
        elements: usize,
        /// The number of rows.
        rows: usize,
    },
    /// No plan suits the device.
    #[error(transparent)]
    NoChoice(#[from] NoChoice),
    /// A sum that breaks a law, with elements that show it.
    #[error(transparent)]
    Law(#[from] Violation),
    /// A function that cannot be written.
    #[error(transparent)]
    Expression(#[from] ExpressionError),
    /// The device.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

/// Why digits are no word of a Gray code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GrayError {
    /// A base with fewer than two digits.
    #[error("a Gray code of base {base}: bases are 2 and larger")]
    Base {
        /// The base.
        base: u32,
    },
    /// A digit that the base does not have.
    #[error("digit {place} is {digit}: digits of base {base} are smaller")]
    Digit {
        /// Its place, from 0, the most significant.
        place: usize,
        /// The digit.
        digit: u32,
        /// The base.
        base: u32,
    },
}

impl LibraryError for SortError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Memory { .. } | Self::Counters { .. } => ErrorKind::Memory,
            Self::Range { .. }
            | Self::Groups { .. }
            | Self::Place { .. }
            | Self::Repeated { .. }
            | Self::Law(_)
            | Self::Wrapping => ErrorKind::Value,
            #[cfg(feature = "ndarray")]
            Self::Axes(_) => ErrorKind::Shape,
            Self::Values { .. }
            | Self::Room { .. }
            | Self::Segments { .. }
            | Self::Places { .. }
            | Self::Rows { .. } => ErrorKind::Shape,
            Self::NoChoice(_) => ErrorKind::NoChoice,
            Self::Expression(_) => ErrorKind::Device,
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
