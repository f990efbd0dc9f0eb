//! Devices at their start: listed and selected, opened, tested and measured, with files of what was found. This part of the crate stands
//! on devices, buffers and launches, none of which names it: a device calls it by the trait
//! [`Start`](crate::opencl::executor::Start).
//!
//! | file | what |
//! |---|---|
//! | `cache_files` | files of what was found |
//! | `local_memory`, `limits` | local memory that a device gives, and limits of tiles |
//! | `self_test` | known-answer tests |
//! | `calibrate` | the machine, measured |
//! | `startup` | seconds of opening and building |
//! | `builders`, `serve` | other processes that build programs, and what they do |
//! | `record` | what a process keeps of a device's start |
//! | `list`, `remembered` | the OpenCL devices, and the GPU that an earlier process listed; without OpenCL, `no_list` |
//! | `select`, `given` | devices by name, and of queues that a program gives |

pub(crate) mod builders;
pub mod cache_files;
pub(crate) mod calibrate;
#[cfg(feature = "opencl")]
mod given;
pub(crate) mod limits;
#[cfg_attr(not(feature = "opencl"), path = "no_list.rs")]
mod list;
mod local_memory;
mod record;
#[cfg(feature = "opencl")]
mod remembered;
pub(crate) mod select;
pub mod self_test;
pub(crate) mod serve;
mod startup;

/// The GPUs of an earlier listing.
#[derive(Debug, Clone)]
#[cfg_attr(not(feature = "opencl"), allow(dead_code))]
pub(crate) enum Expected<T> {
    /// Nothing: there was none.
    Unknown,
    /// There is no GPU.
    None,
    /// The best one.
    Gpu(T),
}
