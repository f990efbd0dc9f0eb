#![doc = include_str!("../README.md")]

// Documentation has methods in the order of these: constructors first.
mod ring;

pub mod multiply;

#[cfg(feature = "ndarray")]
mod array;
pub mod compose;
pub mod divide;
mod error;
pub mod evaluate;
pub mod factor;
pub mod file;
pub mod gcd;
mod host;
// The crate's own tests compile what they use.
#[cfg(not(test))]
mod instances;
#[cfg(feature = "bigint")]
pub mod integer;
pub mod linear;
#[cfg(feature = "bigint")]
pub mod operations;
mod poly;
mod power;
pub mod resultant;
pub mod series;
pub mod text;
pub mod tree;
mod verify;

pub use divide::{DivisionAlgorithm, DivisionPlan, Divisor};
pub use error::PolyError;
pub use factor::Factorization;
pub use file::PolyFileError;
pub use gcd::Xgcd;
pub use gcd::{GcdAlgorithm, GcdBatch, GcdPlan, GcdShape};
#[doc(hidden)]
#[cfg(not(test))]
pub use instances::instances;
pub use multiply::{Algorithm, Batch, Operation, Plan, Shape, Tile};
#[cfg(feature = "ndarray")]
pub use ndarray;
#[cfg(feature = "bigint")]
pub use num_bigint;
pub use poly::{Poly, PolyField};
pub use ring::PolyRing;
pub use tree::{AtPoints, Moduli, SubinverseTree, SubproductTree};

/// The revision of this crate's sources and of those that it depends on: what was measured of other sources is void.
#[doc(hidden)]
pub const REVISION: u64 = manycore_revision::revision!();
