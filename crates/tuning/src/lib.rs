#![doc = include_str!("../README.md")]

mod choose;
mod chosen;
mod decide;
mod key;
mod known;
mod measure;
mod operation;
mod planner;
mod plans;
pub mod proof;
mod trial;
mod verdicts;
mod watched;

pub use choose::{Candidate, Choice, Costed, NoChoice, Origin, TuningCost, choose, crossovers};
pub use known::export;
pub use operation::{Operation, PlanOf, Shape};
pub use planner::Planner;
pub use plans::Plans;
pub use proof::{Asked, Proof, Proved};
pub use watched::Watched;

/// The revision of this crate's sources and of those that it depends on: what was measured of other sources is void.
#[doc(hidden)]
pub const REVISION: u64 = manycore_revision::revision!();
