#![doc = include_str!("../README.md")]

mod context;
mod convolution;
mod error;
mod instances;
mod numbers;
pub mod transform;

pub use context::Fourier;
pub use error::FourierError;
#[doc(hidden)]
pub use instances::instances;
pub use manycore_characters::{AbelianGroup, Complexes, Residues};
pub use num_complex;
pub use numbers::Numbers;
pub use transform::{Direction, Plan};

/// The revision of this crate's sources and of those that it depends on: what was measured of other sources is void.
#[doc(hidden)]
pub const REVISION: u64 = manycore_revision::revision!();
