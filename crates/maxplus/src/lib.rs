#![doc = include_str!("../README.md")]

#[cfg(feature = "ndarray")]
mod array;
mod circuit;
mod error;
mod exact;
mod graph;
mod linear;
#[cfg(feature = "operations")]
pub mod operations;
mod path_sum;
mod paths;
mod potentials;
pub mod project;
mod reach;
pub mod spectral;
mod star;
mod system;
mod team;
mod weight;

pub use error::MaxPlusError;
pub use graph::{Extremum, Graph, MOST_NODES};
pub use linear::{Bound, LinearMap, Vector};
#[cfg(feature = "ndarray")]
pub use ndarray;
pub use path_sum::PathSum;
pub use paths::LongestPaths;
pub use potentials::DoubtfulCircuit;
pub use reach::Reachability;
pub use star::{MaxPlus, PushShape, Star, StarAlgorithm, StarBlocks, StarOptions, reference};
pub use system::{EventGraph, Latest, LinearSystem, Simulation};
pub use weight::Weight;

/// The revision of this crate's sources and of those that it depends on: what was measured of other sources is void.
#[doc(hidden)]
pub const REVISION: u64 = manycore_revision::revision!();
