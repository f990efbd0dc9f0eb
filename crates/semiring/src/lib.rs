#![doc = include_str!("../README.md")]

mod algebra;
#[cfg(feature = "ndarray")]
mod array;
mod batch;
mod checked;
mod computation;
mod elementwise;
mod entries;
mod error;
mod factor;
#[cfg(feature = "operations")]
pub mod language;
mod matrix;
mod multiply;
mod neighbours;
mod operand;
#[cfg(feature = "operations")]
pub mod operations;
mod paths;
mod places;
pub mod plan;
mod readable;
mod ready;
mod reduce;
mod resident;
mod semiring;

pub use checked::{Checked, CheckedSemiring, EntryRange};
pub use computation::{Computation, Explanation, PlanStep, Results, Term};
pub use error::SemiringError;
pub use factor::{AtResult, Factor, FunctionMatrix, ListMatrix};
pub use matrix::Matrix;
pub use multiply::{ProductPlan, ProductTile, ProductTiles, Products};
#[cfg(feature = "ndarray")]
pub use ndarray;
pub use paths::ShortestPaths;
pub use places::PlacedSemiring;
pub use plan::{Cost, Node, Plan, PlanError, Program, Representation};
pub use ready::Bounded;
pub use reduce::Reduction;
pub use resident::DeviceMatrix;
pub use semiring::Semiring;

/// The revision of this crate's sources and of those that it depends on: what was measured of other sources is void.
#[doc(hidden)]
pub const REVISION: u64 = manycore_revision::revision!();
