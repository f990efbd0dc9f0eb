#![doc = include_str!("../README.md")]

pub(crate) use manycore_device::Word;

// Documentation has methods in the order of these: constructors first.
mod context;

pub mod walsh;

#[cfg(feature = "ndarray")]
mod along;
pub mod arithmetic;
mod blocks;
mod error;
mod exact;
pub mod haar;
mod lengths;
mod number;
mod operation;
#[cfg(feature = "operations")]
pub mod operations;
pub mod packed;
pub mod polarity;
pub mod reed_muller;
mod scalar;
mod shift;
mod threads;

pub use arithmetic::{Arithmetic, arithmetic};
pub use context::Spectral;
pub use error::SpectralError;
pub use haar::{Haar, haar};
pub use manycore_arrays::blocks::Blocks;
pub use manycore_arrays::orders::{
    BitOrder, Direction, HaarOrder, Normalization, Order, ParseBitOrderError, ParseHaarError, ParseOrderError,
};
#[cfg(feature = "ndarray")]
pub use manycore_arrays::{Axes, AxesError, ndarray};
pub use number::Number;
pub use polarity::Polarities;
pub use reed_muller::{Bits, ReedMuller};
pub use scalar::Scalar;
pub use walsh::{Algorithm, Walsh, WalshPlan, walsh_hadamard};

/// The revision of this crate's sources and of those that it depends on: what was measured of other sources is void.
#[doc(hidden)]
pub const REVISION: u64 = manycore_revision::revision!();
