//! Errors of products by transforms.

use manycore_device::{DeviceError, ErrorKind, LibraryError};
use manycore_model::DoesNotFit;
use manycore_ntt::NttError;
use manycore_tuning::NoChoice;

use super::route::Route;
use super::shape::Shape;

/// Why products by transforms were not done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProductError {
    /// A view does not hold `count` polynomials of equal length.
    #[error("{operand}: {len} coefficients are not {count} polynomials of equal length")]
    Count {
        /// Which view.
        operand: &'static str,
        /// Its length.
        len: usize,
        /// The products asked for.
        count: usize,
    },
    /// No primes have the roots of unity, or are enough.
    #[error("no transforms with roots of unity of order 2^{log_order} serve: {reason}")]
    NoRoute {
        /// The base-2 logarithm of the order of the roots needed.
        log_order: u32,
        /// What is missing.
        reason: String,
    },
    /// A route given by hand does not do the product.
    #[error("{route} do not make {shape}: {reason}")]
    Route {
        /// The route.
        route: Box<Route>,
        /// The product.
        shape: Box<Shape>,
        /// What is wrong.
        reason: String,
    },
    /// No way suits the device.
    #[error(transparent)]
    NoChoice(#[from] NoChoice),
    /// A pass does not suit the device.
    #[error(transparent)]
    Fits(DoesNotFit),
    /// A transform failed.
    #[error(transparent)]
    Transform(#[from] NttError),
    /// The device failed, or operands are on another one.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

impl LibraryError for ProductError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Count { .. } => ErrorKind::Shape,
            Self::NoRoute { .. } | Self::Route { .. } | Self::Fits(_) => ErrorKind::Plan,
            Self::NoChoice(_) => ErrorKind::NoChoice,
            Self::Transform(error) => error.kind(),
            Self::Device(error) => error.kind(),
        }
    }

    fn device_error(&self) -> Option<&DeviceError> {
        match self {
            Self::Transform(error) => error.device_error(),
            Self::Device(error) => Some(error),
            _ => None,
        }
    }
}
