//! Facts about a device.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use manycore_model::Machine;
use serde::{Deserialize, Serialize};

/// What a device is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum DeviceKind {
    /// This process's own threads and SIMD units.
    Host,
    /// A CPU through OpenCL.
    Cpu,
    /// A GPU through OpenCL.
    Gpu,
    /// Any other OpenCL device.
    Accelerator,
}

impl fmt::Display for DeviceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Host => "host",
            Self::Cpu => "OpenCL CPU",
            Self::Gpu => "OpenCL GPU",
            Self::Accelerator => "OpenCL accelerator",
        })
    }
}

/// What is known of a device.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DeviceInfo {
    /// How to select it: `host`, or `opencl:` and its number.
    pub id: String,
    /// Its name, as its driver or operating system gives it.
    pub name: String,
    /// Its vendor.
    pub vendor: String,
    /// The OpenCL platform, empty for the host.
    pub platform: String,
    /// The driver's version; for the host, this crate's.
    pub driver: String,
    /// The OpenCL version it reports, empty for the host.
    pub version: String,
    /// What it is made of.
    pub kind: DeviceKind,
    /// Its instruction set, by which shipped cost data is found: `avx512`, `avx2` or `portable` for a host of x86-64,
    /// else the processor's architecture; `sm_90` and the like for NVIDIA's GPUs, by compute capability; empty where it
    /// is not known.
    pub architecture: String,
    /// Compute units; threads for the host.
    pub compute_units: u32,
    /// Its clock in Hz as reported, 0 where it is not.
    pub clock_hz: u64,
    /// Bytes of its memory.
    pub memory_bytes: u64,
    /// Bytes of the largest single buffer.
    pub largest_allocation_bytes: u64,
    /// Bytes of local memory of a group, as reported (some drivers give more: `OpenCl::local_limit_bytes`).
    pub local_memory_bytes: u64,
    /// Items of the largest group; 1 for the host.
    pub group_limit: usize,
    /// The alignment in bytes of views that kernels take where they lie.
    pub view_alignment_bytes: usize,
    /// Whether kernels can compute in `double`.
    pub fp64: bool,
    /// Whether kernels divide and take roots of `float` with one rounding: quotients are the same bits as the host's.
    pub exact_quotients: bool,
    /// Whether kernels have 64-bit atomics.
    pub int64_atomics: bool,
    /// The instruction sets that the host uses (`avx2`, `avx512f`), or an OpenCL device's extensions.
    pub features: Vec<String>,
}

impl DeviceInfo {
    /// What messages call the device: `opencl:0 (NAME)`.
    pub fn label(&self) -> String {
        format!("{} ({})", self.id, self.name)
    }

    /// The compute capability of an NVIDIA GPU, in tenths: 90 for `sm_90`.
    pub fn compute_capability(&self) -> Option<u32> {
        self.architecture.strip_prefix("sm_")?.parse().ok()
    }

    /// Work-groups that are known to run at the same time, so that they may wait for each other: NVIDIA's GPUs begin one on each
    /// compute unit before any has ended; 1 where nothing is known.
    pub fn groups_at_once(&self) -> usize {
        let is_known =
            self.kind == DeviceKind::Gpu && self.features.iter().any(|name| name == "cl_nv_device_attribute_query");
        if is_known { self.compute_units.max(1) as usize } else { 1 }
    }
}

impl fmt::Display for DeviceInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} ({}): {}, {} units, {:.1} GiB, driver {}",
            self.id,
            self.name,
            self.kind,
            self.compute_units,
            self.memory_bytes as f64 / (1u64 << 30) as f64,
            self.driver
        )
    }
}

/// The machine that a device's handles share: set once from the file, again by each calibration.
#[derive(Debug, Default)]
pub(crate) struct KeptMachine(Mutex<Option<Machine>>);

impl KeptMachine {
    pub(crate) fn get_or_init(&self, init: impl FnOnce() -> Machine) -> Machine {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(init).clone()
    }

    pub(crate) fn set(&self, machine: Machine) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(machine);
    }
}
