#![doc = include_str!("../README.md")]

pub(crate) use manycore_device::Word;

// The crate's own tests compile what they use.
#[cfg(not(test))]
mod instances;
pub mod ntt;
#[cfg(feature = "operations")]
pub mod operations;

#[doc(hidden)]
#[cfg(not(test))]
pub use instances::instances;
pub use manycore_arrays::blocks::Blocks;
#[cfg(feature = "ndarray")]
pub use manycore_arrays::{Axes, AxesError, ndarray};
pub use ntt::{Columns, Kind, Middle, Ntt, NttError, NttField, Rows, SpectrumOrder, TruncatedNtt, TruncatedSpectrum};

/// The revision of this crate's sources and of those that it depends on: what was measured of other sources is void.
#[doc(hidden)]
pub const REVISION: u64 = manycore_revision::revision!();
