#![doc = include_str!("../README.md")]

mod choose;
mod key;
mod known;
mod measure;
mod planner;
mod revision;
mod watched;

pub use choose::{Candidate, Choice, Costed, NoChoice, Origin, TuningCost, choose, crossovers};
pub use known::export;
pub use planner::{Planner, Sources, TuningTask};
pub use revision::revision_of;
pub use watched::Watched;
