#![doc = include_str!("../README.md")]

mod buffer;
mod cache;
mod calibrate;
pub mod context;
mod device;
mod error;
mod host;
mod info;
mod microkernel;
mod opencl;
mod profile;
mod reinterpret;
pub mod self_test;
mod set;
mod transfer;
mod view;
mod word;

pub use buffer::Buffer;
pub use cache::CACHE_VARIABLE;
pub use calibrate::{CalibrateError, Pace};
pub use context::{Context, Limits};
pub use device::{DEVICE_VARIABLE, Device, Executor};
pub use error::DeviceError;
pub use host::{HostPool, Lines, MOST_THREADS, Team, memory_limit_bytes};
pub use info::{DeviceInfo, DeviceKind};
pub use microkernel::Microkernel;
pub use opencl::OpenCl;
pub use opencl::kernel::{Kernel, KernelSpec, Param, ParamType, Passing};
pub use opencl::launch::{Launch, Words};
pub use opencl::program::{DefineValue, Defines};
pub use profile::{Entry, Kind, Profile};
pub use self_test::{SELF_TEST_VARIABLE, SelfTest};
pub use set::DeviceSet;
pub use transfer::{Download, Pinned, Transfers, Upload};
pub use view::{View, ViewMut};
pub use word::{Word, WordType};
