#![doc = include_str!("../README.md")]

pub(crate) use manycore_device::Word;

mod scalar;
mod spectral;
pub mod walsh;

pub use scalar::Scalar;
pub use spectral::Spectral;
pub use walsh::{Algorithm, Direction, Order, ParseOrderError, Walsh, WalshError, WalshPlan, walsh_hadamard};
