#![doc = include_str!("../README.md")]

pub mod plan;

pub use plan::{Cost, Node, Plan, PlanError, Program, Representation};

/// The revision of this crate's sources and of those that it depends on: what was measured of other sources is void.
#[doc(hidden)]
pub const REVISION: u64 = manycore_revision::revision!();
