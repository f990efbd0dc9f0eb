#![doc = include_str!("../README.md")]

mod buffer;
mod control;
mod device;
mod error;
mod failure;
mod faults;
mod host;
mod in_place;
mod info;
#[cfg(not(test))]
mod instances;
pub mod integers;
mod keyed_cache;
mod kind;
pub mod launched;
// Without the feature its types have no values, so that much of it is never reached.
#[cfg_attr(
    not(feature = "opencl"),
    allow(dead_code, unreachable_code, unused_assignments, unused_mut, unused_variables)
)]
mod opencl;
mod places;
mod profile;
mod proof;
mod reinterpret;
mod set;
#[cfg_attr(not(feature = "opencl"), allow(dead_code, unreachable_code, unused_variables))]
mod start;
pub mod timing;
mod transfer;
mod tuning;
pub mod waits;
mod window;
mod word;

pub use buffer::storage::Buffer;
pub use buffer::view::View;
pub use buffer::view_mut::ViewMut;
pub use control::{Control, Progress, checkpoint, shared, uncontrolled};
pub use device::{Device, Executor};
pub use error::{DeviceError, Disproof};
pub use host::{HostPool, Lines, MOST_THREADS, Team, host_room, memory_limit_bytes, simd, zeroed_words};
pub use in_place::{InPlace, SeenAs};
pub use info::{DeviceInfo, DeviceKind};
#[cfg(not(test))]
#[doc(hidden)]
pub use instances::instances;
pub use keyed_cache::Cache;
pub use kind::{ErrorKind, LibraryError};
pub use manycore_kernels::{Param, ParamType, Passing};
/// The crate whose queues, buffers and events [`Device::from_ocl`] and its like take and give: its version is the one that
/// they are of.
#[cfg(feature = "opencl")]
pub use ocl;
pub use opencl::defines::{DefineValue, Defines};
pub use opencl::executor::OpenCl;
pub use opencl::kernel::Kernel;
pub use opencl::launch::{Launch, Words};
#[cfg(feature = "opencl")]
pub use opencl::source::{Extent, Signature, SourceKernel, SourceLaunch, SourceProgram};
pub use opencl::spec::KernelSpec;
pub use places::Places;
pub use profile::{Entry, Kind, Profile};
pub use set::{DeviceSet, Failure as DeviceFailure, LANES, Lanes, NoRoom, Room, is_sharing, most_fitting};
pub use start::cache_files::{self, CACHE_VARIABLE};
pub use start::calibrate::Calibration;
pub use start::calibrate::error::CalibrateError;
pub use start::limits::Limits;
pub use start::select::DEVICE_VARIABLE;
pub use start::self_test::{self, SELF_TEST_VARIABLE, SelfTest, SelfTestMode};
pub use transfer::{Download, Pinned, Transfers, Upload};
pub use tuning::{TUNING_VARIABLE, TuningMode, UnknownTuningMode};
pub use window::Window;
pub use word::{Word, WordType};

/// Builders: other processes that build programs side by side, since NVIDIA's compiler builds one program of a process at a time.
pub mod builders {
    pub use crate::start::builders::{BUILDERS_VARIABLE, is_known, set};
    pub use crate::start::serve::serve;
}

/// The revision of this crate's sources and of those that it depends on: what was measured of other sources is void.
#[doc(hidden)]
pub const REVISION: u64 = manycore_revision::revision!();
