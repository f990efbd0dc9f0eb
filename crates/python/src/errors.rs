//! Errors of the library as Python's own exceptions.

use manycore::DeviceError;
use manycore::device::{ErrorKind, LibraryError};
use pyo3::PyErr;
use pyo3::exceptions::{PyMemoryError, PyOverflowError, PyRuntimeError, PyValueError, PyZeroDivisionError};

/// The exception of an error.
pub(crate) fn exception(error: &impl LibraryError) -> PyErr {
    // Arrays of another device are what the caller gave.
    let is_elsewhere = matches!(error.device_error(), Some(DeviceError::MixedDevices { .. }));
    of_kind(if is_elsewhere { ErrorKind::Value } else { error.kind() }, error.to_string())
}

/// The exception of an error of a kind: `OverflowError` where integers do not fit their type, `ZeroDivisionError` where something has no
/// inverse, `MemoryError`, `RuntimeError` for a failure of the device, and `ValueError` for everything that the caller gave.
pub(crate) fn of_kind(kind: ErrorKind, message: String) -> PyErr {
    match kind {
        ErrorKind::Overflow => PyOverflowError::new_err(message),
        ErrorKind::NoInverse => PyZeroDivisionError::new_err(message),
        ErrorKind::Memory => PyMemoryError::new_err(message),
        kind if kind.is_refusal() => PyValueError::new_err(message),
        _ => PyRuntimeError::new_err(message),
    }
}

/// Raises the exception of an error.
pub(crate) trait OrRaise<T> {
    /// The value, or the exception of [`exception`].
    fn or_raise(self) -> Result<T, PyErr>;
}

impl<T, E: LibraryError> OrRaise<T> for Result<T, E> {
    fn or_raise(self) -> Result<T, PyErr> {
        self.map_err(|error| exception(&error))
    }
}
