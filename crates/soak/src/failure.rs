//! Legitimate errors: those that a correct library returns for a case's demands on a device.

use std::fmt::Display;

use manycore::DeviceError;
use manycore::device::{ErrorKind, LibraryError};
use manycore::operation::OperationError;

/// An error of the library.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Of the device.
    #[error(transparent)]
    Device(DeviceError),
    /// No plan suits the device.
    #[error("{0}")]
    NoChoice(String),
    /// A kernel of a fixed tile needs more local memory than the device has.
    #[error("{0}")]
    LocalMemory(String),
    /// Any other: a case asks for nothing that it should be refused for.
    #[error("{0}")]
    Other(String),
}

impl Failure {
    /// An error without a place in the others.
    pub fn other(error: impl Display) -> Self {
        Self::Other(error.to_string())
    }

    /// The failure of a declared operation.
    pub fn of_operation(error: &OperationError) -> Self {
        Self::of(error.kind(), error.device_error(), error.to_string())
    }

    /// The error's name where it is legitimate: too little memory; a type that the device does not have; on a device with limits
    /// of the test's, no plan or too little local memory.
    pub fn refusal(&self, limited: bool) -> Option<&'static str> {
        match self {
            Self::Device(DeviceError::OutOfMemory { .. }) => Some("OutOfMemory"),
            Self::Device(DeviceError::Unsupported { .. }) => Some("Unsupported"),
            Self::NoChoice(_) if limited => Some("NoChoice"),
            Self::LocalMemory(_) if limited => Some("LocalMemory"),
            _ => None,
        }
    }
}

impl Failure {
    fn of(kind: ErrorKind, device: Option<&DeviceError>, message: String) -> Self {
        match (kind, device) {
            (_, Some(error)) => Self::Device(error.clone()),
            (ErrorKind::NoChoice, _) => Self::NoChoice(message),
            (ErrorKind::Plan, _) if message.contains("bytes of local memory") => Self::LocalMemory(message),
            _ => Self::Other(message),
        }
    }
}

impl<E: LibraryError> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::of(error.kind(), error.device_error(), error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use manycore::poly::{Algorithm, DivisionAlgorithm, GcdAlgorithm, PolyError};
    use manycore::spectral::SpectralError;
    use manycore::tuning::NoChoice;

    use super::*;

    #[test]
    fn few_errors_are_legitimate() {
        let memory =
            DeviceError::OutOfMemory { device: "d".into(), wanted_bytes: 2, free_or_limit_bytes: 1, reason: "memory" };
        assert_eq!(Failure::from(SpectralError::from(memory)).refusal(false), Some("OutOfMemory"));
        let none = || NoChoice { operation: "o", machine: "m".into(), first: None };
        assert_eq!(Failure::from(PolyError::from(none())).refusal(true), Some("NoChoice"));
        assert_eq!(Failure::from(PolyError::from(none())).refusal(false), None);
        assert_eq!(Failure::from(SpectralError::NotPowerOfTwo { len: 3 }).refusal(true), None);
        let reason = || "1152 bytes of local memory, of 1024".to_owned();
        let (division, gcd) = (DivisionAlgorithm::SHead, GcdAlgorithm::Steps);
        for error in [
            PolyError::Algorithm { algorithm: Algorithm::Plain, device: "d".into(), reason: reason() },
            PolyError::Division { algorithm: division, device: "d".into(), reason: reason() },
            PolyError::Gcd { algorithm: gcd, device: "d".into(), reason: reason() },
        ] {
            let failure = Failure::from(error);
            assert_eq!((failure.refusal(true), failure.refusal(false)), (Some("LocalMemory"), None));
        }
        let other = PolyError::Gcd { algorithm: gcd, device: "d".into(), reason: "a group needs a step".into() };
        assert_eq!(Failure::from(other).refusal(true), None);
    }
}
