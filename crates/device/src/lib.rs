#![doc = include_str!("../README.md")]

mod buffer;
pub mod cache_files;
mod calibrate;
mod control;
mod device;
mod error;
mod faults;
mod host;
mod in_place;
mod info;
#[cfg(not(test))]
mod instances;
pub mod integers;
mod keyed_cache;
pub mod launched;
mod limits;
// Without the feature its types have no values, so that much of it is never reached.
#[cfg_attr(
    not(feature = "opencl"),
    allow(dead_code, unreachable_code, unused_assignments, unused_mut, unused_variables)
)]
mod opencl;
mod profile;
mod reinterpret;
#[cfg_attr(not(feature = "opencl"), allow(dead_code))]
pub mod self_test;
mod set;
pub mod timing;
mod transfer;
mod tuning;
mod view;
pub mod waits;
mod window;
mod word;

pub use buffer::Buffer;
pub use cache_files::CACHE_VARIABLE;
pub use calibrate::{CalibrateError, Calibration};
pub use control::{Control, Progress, checkpoint, shared, uncontrolled};
pub use device::{DEVICE_VARIABLE, Device, Executor};
pub use error::{DeviceError, Disproof};
pub use host::{HostPool, Lines, MOST_THREADS, Team, host_room, memory_limit_bytes, simd, zeroed_words};
pub use in_place::InPlace;
pub use info::{DeviceInfo, DeviceKind};
#[cfg(not(test))]
#[doc(hidden)]
pub use instances::instances;
pub use keyed_cache::Cache;
pub use limits::Limits;
pub use manycore_kernels::{Param, ParamType, Passing};
/// The crate whose queues, buffers and events [`Device::from_ocl`] and its like take and give: its version is the one that
/// they are of.
#[cfg(feature = "opencl")]
pub use ocl;
pub use opencl::OpenCl;
pub use opencl::builders;
pub use opencl::kernel::{Kernel, KernelSpec};
pub use opencl::launch::{Launch, Words};
pub use opencl::program::{DefineValue, Defines};
#[cfg(feature = "opencl")]
pub use opencl::source::{Extent, Signature, SourceKernel, SourceLaunch, SourceProgram};
pub use profile::{Entry, Kind, Profile};
pub use self_test::{SELF_TEST_VARIABLE, SelfTest, SelfTestMode};
pub use set::{DeviceSet, Failure as DeviceFailure, LANES, Lanes, NoRoom, Room, is_sharing};
pub use transfer::{Download, Pinned, Transfers, Upload};
pub use tuning::{TUNING_VARIABLE, TuningMode, UnknownTuningMode};
pub use view::{View, ViewMut};
pub use window::Window;
pub use word::{Word, WordType};

/// The revision of this crate's sources and of those that it depends on: what was measured of other sources is void.
#[doc(hidden)]
pub const REVISION: u64 = manycore_revision::revision!();
