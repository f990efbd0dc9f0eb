#![doc = include_str!("../README.md")]

#[cfg(feature = "ndarray")]
mod along;
mod context;
mod convolution;
mod error;
mod numbers;
#[cfg(feature = "operations")]
pub mod operations;
pub mod transform;

pub use context::Fourier;
pub use error::FourierError;
#[cfg(feature = "ndarray")]
pub use manycore_arrays::{Axes, AxesError, ndarray};
pub use manycore_characters::{AbelianGroup, Complexes, Residues};
pub use num_complex;
pub use numbers::Numbers;
pub use transform::{Direction, Plan};

/// The revision of this crate's sources and of those that it depends on: what was measured of other sources is void.
#[doc(hidden)]
pub const REVISION: u64 = manycore_revision::revision!();
