//! Which errors are legitimate: those that a correct library gives for what a case asks of a device.

use std::fmt::Display;

use manycore::boolean::BooleanError;
use manycore::characters::CharacterError;
use manycore::codes::CodeError;
use manycore::fourier::FourierError;
use manycore::kronecker::KroneckerError;
use manycore::maxplus::MaxPlusError;
use manycore::ntt::NttError;
use manycore::operation::OperationError;
use manycore::poly::PolyError;
use manycore::poly::multiply::transform::ProductError;
use manycore::semiring::SemiringError;
use manycore::sort::SortError;
use manycore::tuning::NoChoice;
use manycore::{DeviceError, LinalgError, SparseError, SpectralError, TableError};

/// An error of the library.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Of the device.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// No plan suits the device.
    #[error(transparent)]
    NoChoice(#[from] NoChoice),
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

macro_rules! from {
    ($($error:ident),*) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                match error {
                    $error::Device(error) => Self::Device(error),
                    $error::NoChoice(error) => Self::NoChoice(error),
                    error => Self::other(error),
                }
            }
        })*
    };
}

from!(
    SpectralError,
    FourierError,
    KroneckerError,
    MaxPlusError,
    CharacterError,
    NttError,
    LinalgError,
    SparseError,
    SemiringError,
    SortError
);

impl From<ProductError> for Failure {
    fn from(error: ProductError) -> Self {
        match error {
            ProductError::Device(error) => Self::Device(error),
            ProductError::NoChoice(error) => Self::NoChoice(error),
            ProductError::Transform(error) => error.into(),
            error => Self::other(error),
        }
    }
}

impl From<PolyError> for Failure {
    fn from(error: PolyError) -> Self {
        match error {
            PolyError::Device(error) => Self::Device(error),
            PolyError::NoChoice(error) => Self::NoChoice(error),
            PolyError::Transform(error) => error.into(),
            PolyError::Algorithm { ref reason, .. }
            | PolyError::Division { ref reason, .. }
            | PolyError::Gcd { ref reason, .. }
                if reason.contains("bytes of local memory") =>
            {
                Self::LocalMemory(error.to_string())
            }
            error => Self::other(error),
        }
    }
}

impl From<OperationError> for Failure {
    fn from(error: OperationError) -> Self {
        let of_poly = error.of::<PolyError>().cloned().map(Self::from);
        let of_matrix = || error.of::<LinalgError>().cloned().map(Self::from);
        let of_device = || error.of::<DeviceError>().cloned().map(Self::from);
        of_poly.or_else(of_matrix).or_else(of_device).unwrap_or_else(|| Self::other(&error))
    }
}

impl From<BooleanError> for Failure {
    fn from(error: BooleanError) -> Self {
        match error {
            BooleanError::Device(error) => Self::Device(error),
            BooleanError::NoChoice(error) => Self::NoChoice(error),
            BooleanError::Spectral(error) => error.into(),
            error => Self::other(error),
        }
    }
}

impl From<CodeError> for Failure {
    fn from(error: CodeError) -> Self {
        match error {
            CodeError::Device(error) => Self::Device(error),
            error => Self::other(error),
        }
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Self {
        Self::other(error)
    }
}

#[cfg(test)]
mod tests {
    use manycore::poly::{Algorithm, DivisionAlgorithm, GcdAlgorithm};

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
