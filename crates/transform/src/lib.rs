#![doc = include_str!("../README.md")]

pub(crate) use manycore_device::Word;

pub mod ntt;
mod refine;
mod scalar;
mod spectral;
mod timing;
pub mod walsh;

pub use ntt::{Kind, Middle, Ntt, NttError, NttField, Rows, SpectrumOrder, TruncatedNtt, TruncatedSpectrum};
pub use scalar::Scalar;
pub use spectral::Spectral;
pub use walsh::{Algorithm, Direction, Order, ParseOrderError, Walsh, WalshError, WalshPlan, walsh_hadamard};
