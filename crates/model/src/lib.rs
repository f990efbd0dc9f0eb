#![doc = include_str!("../README.md")]

pub mod cache;
mod error;
pub mod fit;
pub mod fork_join;
pub mod machine;
pub mod many_core;
mod operation;
pub mod paper;

pub use machine::{
    Bound, BuiltKernel, CacheLevel, Estimate, ExecutionModel, KernelEstimate, Machine, MachineError, Operation,
    Residency, Source,
};
pub use many_core::{Blocks, Cost, DoesNotFit, Kernel, KernelId, ManyCore, Program, ProgramError, Shape};

/// The revision of this crate's sources and of those that it depends on: what was measured of other sources is void.
#[doc(hidden)]
pub const REVISION: u64 = manycore_revision::revision!();
