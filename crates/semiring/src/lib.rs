#![doc = include_str!("../README.md")]

mod error;
mod matrix;
pub mod plan;
mod product;
mod semiring;

pub use error::SemiringError;
pub use matrix::Matrix;
pub use plan::{Cost, Node, Plan, PlanError, Program, Representation};
pub use semiring::Semiring;

/// The revision of this crate's sources and of those that it depends on: what was measured of other sources is void.
#[doc(hidden)]
pub const REVISION: u64 = manycore_revision::revision!();
