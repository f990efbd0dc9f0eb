//! Kinds of errors, the same of every library.

use std::error::Error;

use manycore_files::polynomial::CoefficientError;
use manycore_files::{FileError, OutOfMemory};
use manycore_model::cache::GeometryError;

use crate::error::DeviceError;

/// What an error is about: for programs that answer kinds of errors differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Values, texts, moduli or options that are none of the operation.
    Value,
    /// Lengths, or numbers of rows and columns, that are none of the operation or do not fit each other.
    Shape,
    /// A file or a stream that cannot be read or written.
    File,
    /// A question without an answer, such as the star of a graph with a positive circuit.
    NoAnswer,
    /// A division by zero, or by what has no inverse.
    NoInverse,
    /// A result past its type.
    Overflow,
    /// A plan or an algorithm that is none for the shape or the device.
    Plan,
    /// A device for which no plan is.
    NoChoice,
    /// Work that needs more memory than there is.
    Memory,
    /// A check that found a wrong result, or that could not be made.
    Check,
    /// The device, its driver, or the runtime.
    Device,
}

impl ErrorKind {
    /// Whether what was given is to blame, and not the machine.
    pub fn is_refusal(self) -> bool {
        !matches!(self, Self::NoChoice | Self::Memory | Self::Check | Self::Device)
    }
}

/// An error of one of the libraries.
///
/// ```
/// use manycore_device::{Device, ErrorKind, LibraryError};
/// let error = Device::host().has_room(u64::MAX).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Memory);
/// assert!(error.device_error().is_some() && !error.kind().is_refusal());
/// ```
pub trait LibraryError: Error + Send + Sync + 'static {
    /// What it is about.
    fn kind(&self) -> ErrorKind;

    /// The error of the device that it is, or that it has come from.
    fn device_error(&self) -> Option<&DeviceError> {
        None
    }
}

impl LibraryError for DeviceError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::OutOfMemory { .. } => ErrorKind::Memory,
            Self::NoRuntime { .. } | Self::NoDevice { .. } | Self::Ambiguous { .. } | Self::Variable { .. } => {
                ErrorKind::Value
            }
            _ => ErrorKind::Device,
        }
    }

    fn device_error(&self) -> Option<&DeviceError> {
        Some(self)
    }
}

impl LibraryError for GeometryError {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Value
    }
}

impl LibraryError for FileError {
    fn kind(&self) -> ErrorKind {
        if self.is_out_of_memory() { ErrorKind::Memory } else { ErrorKind::File }
    }
}

impl LibraryError for OutOfMemory {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Memory
    }
}

impl LibraryError for CoefficientError {
    fn kind(&self) -> ErrorKind {
        if let Self::File(error) = self { error.kind() } else { ErrorKind::Value }
    }
}
