//! Errors of the library as Python's own exceptions.

use std::error::Error;

use manycore::bivariate::BivariateError;
use manycore::boolean::BooleanError;
use manycore::characters::CharacterError;
use manycore::kronecker::KroneckerError;
use manycore::linalg::LinalgError;
use manycore::maxplus::MaxPlusError;
use manycore::poly::PolyError;
use manycore::semiring::SemiringError;
use manycore::sort::SortError;
use manycore::sparse::SparseError;
use manycore::spectral::SpectralError;
use manycore::{DeviceError, FourierError, NttError};
use pyo3::PyErr;
use pyo3::exceptions::{PyMemoryError, PyOSError, PyOverflowError, PyRuntimeError, PyValueError, PyZeroDivisionError};

/// The error of the device in an error of an operation.
macro_rules! device_error_in {
    ($error:expr, $($operation:ident),*) => {
        None $(.or_else(|| match $error.downcast_ref::<$operation>() {
            Some($operation::Device(error)) => Some(error),
            _ => None,
        }))*
    };
}

/// The exception of an error: `OverflowError` where integers do not fit their type, `ZeroDivisionError` where something has no inverse, `MemoryError`, `OSError`, `RuntimeError` for a
/// failure of the device, and `ValueError` for everything that the caller gave.
pub(crate) fn exception(error: &(dyn Error + 'static)) -> PyErr {
    let message = error.to_string();
    let device: Option<&DeviceError> = error.downcast_ref::<DeviceError>().or_else(|| {
        device_error_in!(
            error,
            BivariateError,
            BooleanError,
            CharacterError,
            FourierError,
            KroneckerError,
            LinalgError,
            MaxPlusError,
            NttError,
            PolyError,
            SemiringError,
            SortError,
            SparseError,
            SpectralError
        )
    });
    if let Some(device) = device {
        return match device {
            DeviceError::OutOfMemory { .. } => PyMemoryError::new_err(message),
            DeviceError::NoDevice { .. }
            | DeviceError::Ambiguous { .. }
            | DeviceError::MixedDevices { .. }
            | DeviceError::Variable { .. } => PyValueError::new_err(message),
            _ => PyRuntimeError::new_err(message),
        };
    }
    let is_overflow = matches!(error.downcast_ref::<SpectralError>(), Some(SpectralError::Overflow { .. }))
        || matches!(error.downcast_ref::<KroneckerError>(), Some(KroneckerError::Overflow { .. }))
        || matches!(error.downcast_ref::<SemiringError>(), Some(SemiringError::Overflow { .. }));
    if is_overflow {
        return PyOverflowError::new_err(message);
    }
    if let Some(MaxPlusError::Faulty { .. }) = error.downcast_ref::<MaxPlusError>() {
        return PyRuntimeError::new_err(message);
    }
    if error.downcast_ref().is_some_and(is_division) || error.downcast_ref().is_some_and(has_no_inverse) {
        return PyZeroDivisionError::new_err(message);
    }
    if error.downcast_ref::<std::io::Error>().is_some() {
        return PyOSError::new_err(message);
    }
    PyValueError::new_err(message)
}

/// Whether a polynomial has no inverse, or is divided by zero.
pub(crate) fn is_division(error: &PolyError) -> bool {
    matches!(
        error,
        PolyError::ZeroDivisor | PolyError::ZeroDivisorAt { .. } | PolyError::NotInvertible { .. } | PolyError::NoUnit
    )
}

/// Whether a matrix has no inverse.
pub(crate) fn has_no_inverse(error: &LinalgError) -> bool {
    matches!(error, LinalgError::Singular { .. } | LinalgError::SingularMember { .. })
}

/// Raises the exception of an error.
pub(crate) trait OrRaise<T> {
    /// The value, or the exception of [`exception`].
    fn or_raise(self) -> Result<T, PyErr>;
}

impl<T, E: Error + 'static> OrRaise<T> for Result<T, E> {
    fn or_raise(self) -> Result<T, PyErr> {
        self.map_err(|error| exception(&error))
    }
}
