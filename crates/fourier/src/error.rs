//! Errors of Fourier transforms.

use manycore_characters::{CharacterError, GroupError};
use manycore_device::{DeviceError, ErrorKind, LibraryError};
use manycore_field::{NoRoot, OutOfRange};
use manycore_tuning::NoChoice;

/// Why a Fourier transform or a convolution was not made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FourierError {
    /// The list of factors is no group.
    #[error(transparent)]
    Group(#[from] GroupError),
    /// The field has no roots of unity of the group's exponent; the message names the orders that exist.
    #[error(transparent)]
    NoRoot(#[from] NoRoot),
    /// A word that is not a canonical residue.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// A buffer that holds no whole number of functions.
    #[error(
        "{given} words are no whole number of functions on a group of order {order}, which have {words} words each"
    )]
    Length {
        /// The group's order.
        order: u64,
        /// The words of one function.
        words: u64,
        /// The words given.
        given: usize,
    },
    /// Axes that an array does not have, or an output of another shape.
    #[cfg(feature = "ndarray")]
    #[error(transparent)]
    Axes(#[from] manycore_arrays::AxesError),
    /// Two operands with other numbers of functions.
    #[error("{left} functions and {right}: the second operand has one, or as many as the first")]
    Operands {
        /// The functions of the first operand.
        left: usize,
        /// The number of functions of the second operand.
        right: usize,
    },
    /// A function that memory cannot hold.
    #[error("a function on a group of order {order} is more than memory can address")]
    TooLarge {
        /// The group's order.
        order: u64,
    },
    /// Roots of an order past the largest one.
    #[error("roots of unity of order {order} are needed, and {limit} is the largest for {values}")]
    Exponent {
        /// The order.
        order: u64,
        /// The largest possible.
        limit: u64,
        /// The kind of values.
        values: String,
    },
    /// A plan that was made for another group, other values or another device.
    #[error("the plan `{plan}` does not suit {group}")]
    Plan {
        /// The plan.
        plan: String,
        /// The group.
        group: String,
    },
    /// No way to do it suits the device.
    #[error(transparent)]
    NoChoice(#[from] NoChoice),
    /// The device failed, or a buffer is on another one.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// Roots could not be made for another reason.
    #[error("roots of unity: {0}")]
    Roots(CharacterError),
}

impl From<CharacterError> for FourierError {
    fn from(error: CharacterError) -> Self {
        match error {
            CharacterError::Group(error) => Self::Group(error),
            CharacterError::NoRoot(error) => Self::NoRoot(error),
            CharacterError::Exponent { exponent, limit, values } => Self::Exponent { order: exponent, limit, values },
            other => Self::Roots(other),
        }
    }
}

impl LibraryError for FourierError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Group(_) | Self::NoRoot(_) | Self::OutOfRange(_) | Self::Exponent { .. } | Self::Roots(_) => {
                ErrorKind::Value
            }
            #[cfg(feature = "ndarray")]
            Self::Axes(_) => ErrorKind::Shape,
            Self::Length { .. } | Self::Operands { .. } | Self::TooLarge { .. } => ErrorKind::Shape,
            Self::Plan { .. } => ErrorKind::Plan,
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
