#![doc = include_str!("../README.md")]

#[cfg(feature = "ndarray")]
mod array;
mod context;
mod error;
pub mod factor;
#[cfg(feature = "operations")]
pub mod operations;
mod parse;
mod product;
pub mod transform;
pub mod values;

pub use context::Kronecker;
pub use error::{FactorError, KroneckerError, ParseError};
pub use factor::Factor;
#[cfg(feature = "ndarray")]
pub use manycore_arrays::{Axes, AxesError, ndarray};
pub use manycore_field::{Goldilocks, Integers, PrimeField, Reals};
pub use num_complex;
pub use parse::parse;
pub use product::KroneckerProduct;
pub use transform::{Plan, Transform};
pub use values::{Complexes, Values};

/// The revision of this crate's sources and of those that it depends on: what was measured of other sources is void.
#[doc(hidden)]
pub const REVISION: u64 = manycore_revision::revision!();
