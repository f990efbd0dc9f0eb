#![doc = include_str!("../README.md")]

// Documentation has methods in the order of these: constructors first.
mod ring;

mod arithmetic;

#[cfg(feature = "ndarray")]
mod array;
mod error;
pub mod factor;
pub mod file;
mod host;
#[cfg(feature = "bigint")]
pub mod integer;
#[cfg(feature = "bigint")]
pub mod operations;
mod poly;
pub mod text;
pub mod tree;
mod verify;

pub use arithmetic::divide::{DivisionAlgorithm, DivisionPlan, Divisor};
pub use arithmetic::gcd::{GcdAlgorithm, GcdBatch, GcdPlan, GcdShape, Xgcd};
pub use arithmetic::multiply::{Algorithm, Batch, Operation, Plan, Shape, Tile};
pub use arithmetic::{compose, divide, evaluate, gcd, linear, multiply, resultant, series};
pub use error::PolyError;
pub use factor::Factorization;
pub use file::PolyFileError;
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
