#![cfg_attr(feature = "ndarray", doc = include_str!("../README.md"))]
#![cfg_attr(
    not(feature = "ndarray"),
    doc = "Ranges, orders of spectra, and axes of arrays of `ndarray` behind the feature `ndarray`."
)]

#[cfg(feature = "ndarray")]
mod axes;
pub mod blocks;
#[cfg(feature = "ndarray")]
mod copy;
#[cfg(feature = "ndarray")]
mod lanes;
pub mod orders;
mod range;

#[cfg(feature = "ndarray")]
pub use axes::{Axes, AxesError, same_shape};
#[cfg(feature = "ndarray")]
pub use copy::{copied, copy};
#[cfg(feature = "ndarray")]
pub use lanes::in_place_along;
#[cfg(feature = "ndarray")]
pub use ndarray;
pub use range::{Index, range};

/// The revision of this crate's sources and of those that it depends on: what was measured of other sources is void.
#[doc(hidden)]
pub const REVISION: u64 = manycore_revision::revision!();
