#![doc = include_str!("../README.md")]

pub mod cache;
pub mod choose;
pub mod fit;
pub mod fork_join;
pub mod machine;
pub mod many_core;
pub mod paper;

pub use choose::{Candidate, Choice, Costed, NoChoice, Refinement, Sample, choose, crossovers};
pub use machine::{Bound, CacheLevel, KernelTime, Machine, MachineError, Operation, Prediction, Source};
pub use many_core::{Blocks, Cost, DoesNotFit, Kernel, KernelId, ManyCore, Program, ProgramError, Shape};
