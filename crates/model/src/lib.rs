#![doc = include_str!("../README.md")]

pub mod cache;
pub mod fit;
pub mod fork_join;
pub mod machine;
pub mod many_core;
pub mod paper;

pub use machine::{
    Bound, CacheLevel, Estimate, ExecutionModel, KernelEstimate, Machine, MachineError, Operation, Source,
};
pub use many_core::{Blocks, Cost, DoesNotFit, Kernel, KernelId, ManyCore, Program, ProgramError, Shape};
