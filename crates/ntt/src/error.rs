//! Errors of transforms.

use manycore_device::{DeviceError, ErrorKind, LibraryError};
use manycore_field::Arithmetic;
use manycore_tuning::NoChoice;

/// Why a transform was not made or not done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NttError {
    /// The length is no power of two.
    #[error("a number-theoretic transform of {len} values: the length must be a power of two")]
    NotPowerOfTwo {
        /// The length.
        len: usize,
    },
    /// The field has no root of unity of the order needed.
    #[error("modulo {p} there is no root of unity of order {order}; the largest power of two is {largest}")]
    NoRoot {
        /// The order needed: the length, or twice that for negacyclic transforms.
        order: u64,
        /// The modulus.
        p: u64,
        /// The largest power of two that divides `p - 1`.
        largest: u64,
    },
    /// The buffer does not hold a whole number of transforms.
    #[error("{buffer_len} values do not make whole transforms of {len}")]
    Batch {
        /// The buffer's length.
        buffer_len: usize,
        /// The length of one transform.
        len: usize,
    },
    /// A truncated transform of no values.
    #[error("a truncated transform of no values: the length must be at least 1")]
    Empty,
    /// The blocks are not those of truncated spectra of the length.
    #[error("blocks of {blocks:?} values are not those of {count} truncated spectra of {len} values")]
    Blocks {
        /// The blocks' lengths.
        blocks: Vec<usize>,
        /// The number of arrays.
        count: usize,
        /// The length of one transform.
        len: usize,
    },
    /// Passes given by hand do not make the transform.
    #[error("passes that do not make a transform of 2^{log_len} values: {reason}")]
    Passes {
        /// The base-2 logarithm of the transform's length.
        log_len: u32,
        /// What is wrong with them.
        reason: String,
    },
    /// An arithmetic's range does not hold the prime.
    #[error("{arithmetic} do not hold residues modulo {p}")]
    Arithmetic {
        /// The arithmetic.
        arithmetic: Arithmetic,
        /// The modulus.
        p: u64,
    },
    /// Axes that the array does not have, or an output of another shape.
    #[cfg(feature = "ndarray")]
    #[error(transparent)]
    Axes(#[from] manycore_arrays::AxesError),
    /// No way to do it suits the device.
    #[error(transparent)]
    NoChoice(#[from] NoChoice),
    /// The device failed, or the buffer is on another one.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

impl LibraryError for NttError {
    fn kind(&self) -> ErrorKind {
        match self {
            #[cfg(feature = "ndarray")]
            Self::Axes(_) => ErrorKind::Shape,
            Self::NotPowerOfTwo { .. } | Self::Batch { .. } | Self::Empty | Self::Blocks { .. } => ErrorKind::Shape,
            Self::NoRoot { .. } => ErrorKind::Value,
            Self::Passes { .. } | Self::Arithmetic { .. } => ErrorKind::Plan,
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
