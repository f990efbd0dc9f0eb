//! Errors of devices, memory and kernels.

use std::fmt::Write as _;
use std::panic::Location;

use crate::failure::{Failure, SELF_TEST_VARIABLE};

/// An error of a device. Every variant carries the names and numbers that it is about.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// No OpenCL library could be opened, or it offers no platform.
    #[error(
        "no OpenCL runtime: {tried}; a driver brings one, on Debian and Ubuntu pocl-opencl-icd that of the processor"
    )]
    NoRuntime {
        /// Each library file tried and why it would not do, or what the library answered.
        tried: String,
    },
    /// No device answers to that name.
    #[error("no device \"{wanted}\"; present: {}", seen.join(", "))]
    NoDevice {
        /// The name asked for.
        wanted: String,
        /// The devices present, as `opencl:0 (NAME)`.
        seen: Vec<String>,
    },
    /// A name fits more than one device.
    #[error("\"{wanted}\" fits more than one device: {}", fitting.join(", "))]
    Ambiguous {
        /// The name asked for.
        wanted: String,
        /// The devices that it fits.
        fitting: Vec<String>,
    },
    /// A unit of kernels did not compile.
    #[error("{unit}{}: does not build on {device} with {defines:?}: {log}", line_suffix(*line))]
    Build {
        /// The file that the first error is in, or the unit's.
        unit: String,
        /// The line of the first error in it, if the log names one.
        line: Option<u32>,
        /// The preprocessor options it was built with.
        defines: String,
        /// The device's name.
        device: String,
        /// The compiler's log.
        log: String,
    },
    /// A program has no kernel of that name.
    #[error("no kernel {wanted:?} in the program; it has {}", if present.is_empty() { "none".to_owned() } else { present.join(", ") })]
    NoKernel {
        /// The name asked for.
        wanted: String,
        /// The names of those that there are.
        present: Vec<String>,
    },
    /// A kernel cannot be launched with that grid.
    #[error("kernel {kernel}: a grid of {global} items{}: {reason}", in_groups(local.as_deref()))]
    Grid {
        /// The kernel's name.
        kernel: String,
        /// The items in each dimension, as `1000 x 4`.
        global: String,
        /// The items of a group in each dimension, where they were given.
        local: Option<String>,
        /// What is wrong with it.
        reason: String,
    },
    /// A kernel was given an argument that its signature does not have at that place.
    #[error("kernel {kernel}, argument {index}: expected {expected}, given {given}")]
    Argument {
        /// The kernel's name.
        kernel: String,
        /// The argument's index, from 0.
        index: usize,
        /// What the signature says.
        expected: String,
        /// What came.
        given: String,
    },
    /// A work-group, grid or local memory of that size is past what the device takes.
    #[error("{what}: {size} is past the limit of {device}, {limit}")]
    TooLarge {
        /// Which size.
        what: String,
        /// The size asked for.
        size: u64,
        /// The largest possible.
        limit: u64,
        /// The device's name.
        device: String,
    },
    /// The device has not enough memory.
    #[error("{device}: {wanted_bytes} bytes wanted, {free_or_limit_bytes} bytes possible ({reason})")]
    OutOfMemory {
        /// The device's name.
        device: String,
        /// The bytes of the buffer asked for.
        wanted_bytes: u64,
        /// The bytes free, or the largest allocation.
        free_or_limit_bytes: u64,
        /// Which bound it hit.
        reason: &'static str,
    },
    /// The work was cancelled by its [`Control`](crate::Control).
    #[error("cancelled")]
    Cancelled,
    /// The device cannot do what is asked.
    #[error("{device} has no {feature}")]
    Unsupported {
        /// The device's name.
        device: String,
        /// What is missing.
        feature: String,
    },
    /// The device computes a primitive wrong that all kernels rely on, and is not used.
    #[error(
        "{device} with driver {driver} fails its self-test: {failure} \
         ({SELF_TEST_VARIABLE}=off uses it all the same)"
    )]
    SelfTest {
        /// The device, as `opencl:0 (NAME)`.
        device: String,
        /// Its driver's version.
        driver: String,
        /// What it computes wrong, with an example.
        failure: Box<Failure>,
    },
    /// Every plan of an operation gives wrong results on the device.
    #[error("{0} ({SELF_TEST_VARIABLE}=off uses it all the same)")]
    Disproved(Box<Disproof>),
    /// A variable of the environment has a value that says nothing.
    #[error("{variable} is {value:?}; it takes {expected}")]
    Variable {
        /// The variable's name.
        variable: &'static str,
        /// Its value, or the beginning of that.
        value: String,
        /// The values that it takes.
        expected: &'static str,
    },
    /// Two objects that should be on one device are on two.
    #[error("an object on {given} is used with one on {expected}")]
    MixedDevices {
        /// The device that the operation runs on.
        expected: String,
        /// The other object's device.
        given: String,
    },
    /// An operation found its data in the memory of another kind of device than the one that it runs on, past its checks: a
    /// mistake of the library.
    #[error("the data of an operation is not in the memory that {place} expects; this is a mistake of the library")]
    Elsewhere {
        /// The file and the line of the library.
        place: String,
    },
    /// Two lengths that must agree do not.
    #[error("{what}: {given} elements given, {expected} expected")]
    Length {
        /// Which lengths.
        what: &'static str,
        /// The length needed.
        expected: usize,
        /// The length that came.
        given: usize,
    },
    /// A range does not lie within a buffer.
    #[error("range {start}..{end} of a buffer of {len} elements")]
    Range {
        /// The first element.
        start: usize,
        /// One past the last element.
        end: usize,
        /// The buffer's length.
        len: usize,
    },
    /// The host's threads could not be started.
    #[error("the host's threads: {reason}")]
    Threads {
        /// What the thread pool said.
        reason: String,
    },
    /// A call of the OpenCL runtime failed.
    #[error("{call} on {device}: {name} ({code})")]
    Api {
        /// The function called.
        call: &'static str,
        /// Its error code.
        code: i32,
        /// The code's name.
        name: &'static str,
        /// The device's name.
        device: String,
    },
}

/// An operation all of whose plans give wrong results on a device.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no plan of {operation} gives right results on {device} with driver {driver}: {plan}: {difference}")]
pub struct Disproof {
    /// The operation.
    pub operation: &'static str,
    /// The plan that would be taken.
    pub plan: String,
    /// The device, as `opencl:0 (NAME)`.
    pub device: String,
    /// Its driver's version.
    pub driver: String,
    /// Where its result is wrong.
    pub difference: String,
}

impl DeviceError {
    /// [`DeviceError::Elsewhere`] with the place of the call: for the branches of an operation that its checks exclude.
    #[track_caller]
    pub fn elsewhere() -> Self {
        let place = Location::caller();
        Self::Elsewhere { place: format!("{}:{}", place.file(), place.line()) }
    }
}

fn in_groups(local: Option<&str>) -> String {
    local.map(|local| format!(" in groups of {local}")).unwrap_or_default()
}

fn line_suffix(line: Option<u32>) -> String {
    let mut text = String::new();
    if let Some(line) = line {
        let _ = write!(text, ":{line}");
    }
    text
}

/// The name of an OpenCL error code.
pub(crate) fn code_name(code: i32) -> &'static str {
    match code {
        -1 => "CL_DEVICE_NOT_FOUND",
        -2 => "CL_DEVICE_NOT_AVAILABLE",
        -3 => "CL_COMPILER_NOT_AVAILABLE",
        -4 => "CL_MEM_OBJECT_ALLOCATION_FAILURE",
        -5 => "CL_OUT_OF_RESOURCES",
        -6 => "CL_OUT_OF_HOST_MEMORY",
        -7 => "CL_PROFILING_INFO_NOT_AVAILABLE",
        -11 => "CL_BUILD_PROGRAM_FAILURE",
        -13 => "CL_MISALIGNED_SUB_BUFFER_OFFSET",
        -14 => "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST",
        -19 => "CL_KERNEL_ARG_INFO_NOT_AVAILABLE",
        -30 => "CL_INVALID_VALUE",
        -33 => "CL_INVALID_DEVICE",
        -34 => "CL_INVALID_CONTEXT",
        -36 => "CL_INVALID_COMMAND_QUEUE",
        -38 => "CL_INVALID_MEM_OBJECT",
        -44 => "CL_INVALID_PROGRAM",
        -45 => "CL_INVALID_PROGRAM_EXECUTABLE",
        -46 => "CL_INVALID_KERNEL_NAME",
        -48 => "CL_INVALID_KERNEL",
        -49 => "CL_INVALID_ARG_INDEX",
        -50 => "CL_INVALID_ARG_VALUE",
        -51 => "CL_INVALID_ARG_SIZE",
        -52 => "CL_INVALID_KERNEL_ARGS",
        -53 => "CL_INVALID_WORK_DIMENSION",
        -54 => "CL_INVALID_WORK_GROUP_SIZE",
        -55 => "CL_INVALID_WORK_ITEM_SIZE",
        -57 => "CL_INVALID_EVENT_WAIT_LIST",
        -58 => "CL_INVALID_EVENT",
        -59 => "CL_INVALID_OPERATION",
        -61 => "CL_INVALID_BUFFER_SIZE",
        -63 => "CL_INVALID_GLOBAL_WORK_SIZE",
        -1001 => "CL_PLATFORM_NOT_FOUND_KHR",
        -9999 => "CL_NV_INVALID_MEM_ACCESS",
        _ => "an error without a common name",
    }
}
