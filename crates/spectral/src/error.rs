//! Errors of spectral transforms.

use manycore_arrays::orders::Normalization;
use manycore_device::{DeviceError, ErrorKind, LibraryError};

/// Why a spectral transform was not done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpectralError {
    /// The definition needs a power of two, and padding with zeros would change the result.
    #[error("a spectral transform of {len} values: the length must be a power of two")]
    NotPowerOfTwo {
        /// The length of one transform.
        len: usize,
    },
    /// The buffer does not hold a whole number of transforms.
    #[error("{buffer_len} values do not make whole transforms of {len}")]
    Batch {
        /// The buffer's length.
        buffer_len: usize,
        /// The length of one transform.
        len: usize,
    },
    /// Packed words do not hold whole functions.
    #[error("{words} words of 64 values do not make whole functions of {variables} variables")]
    Packed {
        /// The words given.
        words: usize,
        /// The variables of one function.
        variables: u32,
    },
    /// Packed spectra have the natural order alone.
    #[error("packed Reed-Muller spectra are in natural order; unpack the values for another one")]
    PackedOrder,
    /// A dyadic shift or a polarity past the end.
    #[error("a dyadic shift or polarity {by:#x} of 2^{log_len} values: it must be below their number")]
    Shift {
        /// The shift.
        by: u64,
        /// The base-2 logarithm of the number of values.
        log_len: u32,
    },
    /// Normalised coefficients are irrational.
    #[error("{normalization} Haar coefficients of {element} values: they are no integers; take f32 or f64")]
    IntegerNormalization {
        /// The values' type.
        element: &'static str,
        /// What was asked for.
        normalization: Normalization,
    },
    /// A sum of integers is past their type.
    #[error(
        "{}: sums of its integers reach {sum}, past integers of {bits} bits; take wider ones or floating-point numbers, or `wrapping` \
         to compute modulo 2^{bits}",
        of_transform(*transform)
    )]
    Overflow {
        /// Which transform of a batch, from 0; `None` of lanes of an array.
        transform: Option<usize>,
        /// The sum.
        sum: i128,
        /// The bits of the type.
        bits: u32,
    },
    /// An inverse is not of integers.
    #[error(
        "{}: its input is no spectrum of integers, so that the inverse has fractions; take floating-point numbers, or `wrapping` to \
         round down",
        of_transform(*transform)
    )]
    Fraction {
        /// Which transform of a batch, from 0; `None` of lanes of an array and of values on an OpenCL device.
        transform: Option<usize>,
    },
    /// Passes given by hand do not make the transform.
    #[error("passes that do not make a transform of 2^{log_len} values: {reason}")]
    Passes {
        /// The base-2 logarithm of the transform's length.
        log_len: u32,
        /// What is wrong with them.
        reason: String,
    },
    /// Axes that the array does not have, or an output of another shape.
    #[cfg(feature = "ndarray")]
    #[error(transparent)]
    Axes(#[from] manycore_arrays::AxesError),
    /// No candidate fits the device.
    #[error(transparent)]
    NoChoice(#[from] manycore_tuning::NoChoice),
    /// The device failed, or the buffer is on another one.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

fn of_transform(transform: Option<usize>) -> String {
    transform.map_or_else(|| "a transform".to_owned(), |transform| format!("transform {transform}"))
}

impl LibraryError for SpectralError {
    fn kind(&self) -> ErrorKind {
        match self {
            #[cfg(feature = "ndarray")]
            Self::Axes(_) => ErrorKind::Shape,
            Self::NotPowerOfTwo { .. } | Self::Batch { .. } | Self::Packed { .. } => ErrorKind::Shape,
            Self::PackedOrder | Self::Shift { .. } | Self::IntegerNormalization { .. } | Self::Fraction { .. } => {
                ErrorKind::Value
            }
            Self::Overflow { .. } => ErrorKind::Overflow,
            Self::Passes { .. } => ErrorKind::Plan,
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
