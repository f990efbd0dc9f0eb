//! OpenCL: objects of the runtime, a device that is open, and what runs on it.
//!
//! | file | what |
//! |---|---|
//! | `objects`, `calls` | objects and calls of `ocl`; without OpenCL, `stand_in` |
//! | `defines`, `spec` | what a program is built with, and the signatures of its kernels |
//! | `object`, `kernel` | a built kernel and its arguments |
//! | `pool`, `pinned`, `ahead`, `room` | blocks of memory, and bounds on what is asked of a driver |
//! | `executor` | the device: its context, its queues, and what they share |
//! | `lanes` | further queues of it |
//! | `program`, `built` | programs and kernels, built once |
//! | `memory`, `commands`, `staging`, `contents` | blocks taken and given back, copies between them and the host |
//! | `launch`, `arguments` | launches |
//! | `source` | programs of users |
//! | `interop` | queues, memory and events shared with programs that use `ocl` |

mod ahead;
mod arguments;
mod built;
#[cfg(feature = "opencl")]
pub(crate) mod calls;
mod commands;
mod contents;
pub(crate) mod defines;
pub(crate) mod executor;
#[cfg(feature = "opencl")]
mod interop;
pub(crate) mod kernel;
mod lanes;
pub(crate) mod launch;
mod memory;
mod object;
#[cfg(feature = "opencl")]
pub(crate) mod objects;
pub(crate) mod pinned;
mod pool;
pub(crate) mod program;
mod room;
#[cfg(feature = "opencl")]
pub(crate) mod source;
pub(crate) mod spec;
pub(crate) mod staging;
#[cfg(not(feature = "opencl"))]
mod stand_in;

#[cfg(not(feature = "opencl"))]
pub(crate) use stand_in::{calls, objects};
