#![doc = include_str!("../README.md")]

mod algebra;
#[cfg(feature = "ndarray")]
mod array;
pub mod batch;
pub mod bits;
mod block;
pub mod characteristic;
pub mod condense;
mod copies;
mod counts;
pub mod decompose;
pub mod eliminate;
mod error;
mod estimates;
#[cfg(feature = "bigint")]
pub mod exact;
mod field;
pub mod file;
// The crate's own tests compile what they use.
#[cfg(not(test))]
mod instances;
pub mod inverses;
pub mod linear;
mod matrix;
pub mod multiply;
#[cfg(feature = "bigint")]
pub mod operations;
pub mod real;
mod shape;
mod verify;

pub use algebra::LinearAlgebra;
pub use batch::{Batch, Together};
pub use condense::Condensation;
pub use decompose::{Lu, PackedLu, Panels, Permutation, Pluq};
pub use eliminate::{Echelon, Elimination, EliminationShape, Reach, Solution};
pub use error::{ErrorKind, LinalgError, Shape};
pub use field::MatrixField;
pub use file::MatrixFileError;
#[doc(hidden)]
#[cfg(not(test))]
pub use instances::instances;
pub use inverses::Inversion;
pub use matrix::Matrix;
pub use multiply::{ProductBlocks, ProductPlan, ProductTile};
#[cfg(feature = "ndarray")]
pub use ndarray;
#[cfg(feature = "bigint")]
pub use num_bigint;
#[cfg(feature = "bigint")]
pub use num_rational;

/// The revision of this crate's sources and of those that it depends on: what was measured of other sources is void.
#[doc(hidden)]
pub const REVISION: u64 = manycore_revision::revision!();
