//! Lists the OpenCL devices and reads their facts.

use std::sync::{Arc, OnceLock};

use super::raw::{self, DeviceId};
use super::{OpenCl, ffi};
use crate::error::{DeviceError, code_name};
use crate::host::memory_limit_bytes;
use crate::info::{DeviceInfo, DeviceKind};

/// Every OpenCL device, or why there is none.
///
/// The list is made once: some runtimes give empty lists to threads that ask at the same time for the first time.
pub(crate) fn all() -> Result<&'static [Arc<OpenCl>], DeviceError> {
    static LIST: OnceLock<Result<Vec<Arc<OpenCl>>, DeviceError>> = OnceLock::new();
    LIST.get_or_init(list).as_deref().map_err(Clone::clone)
}

fn list() -> Result<Vec<Arc<OpenCl>>, DeviceError> {
    manycore_opencl_loader::runtime().map_err(|missing| DeviceError::NoRuntime { tried: missing.to_string() })?;
    let platforms = raw::platforms().map_err(|code| DeviceError::NoRuntime {
        tried: format!("the library lists no platform: {} ({code})", code_name(code)),
    })?;
    let mut found = Vec::new();
    for platform in platforms {
        // A platform without devices, or whose driver is broken, does not hide the others.
        for id in raw::devices(platform).unwrap_or_default() {
            let info = facts(id, found.len());
            found.push(Arc::new(OpenCl::known(id, info)));
        }
    }
    Ok(found)
}

fn number(id: DeviceId, which: u32) -> u64 {
    raw::device_property(id, which).map_or(0, |bytes| {
        let mut value = [0u8; 8];
        let n = bytes.len().min(8);
        value[..n].copy_from_slice(&bytes[..n]);
        u64::from_le_bytes(value)
    })
}

fn string(id: DeviceId, which: u32) -> String {
    raw::device_property(id, which).map(|bytes| raw::text(&bytes)).unwrap_or_default()
}

fn facts(id: DeviceId, index: usize) -> DeviceInfo {
    const TYPE_CPU: u64 = 2;
    const TYPE_GPU: u64 = 4;
    let features: Vec<String> = string(id, ffi::CL_DEVICE_EXTENSIONS).split_whitespace().map(str::to_owned).collect();
    let has = |name: &str| features.iter().any(|feature| feature == name);
    let kind = match number(id, ffi::CL_DEVICE_TYPE) {
        t if t & TYPE_GPU != 0 => DeviceKind::Gpu,
        t if t & TYPE_CPU != 0 => DeviceKind::Cpu,
        _ => DeviceKind::Accelerator,
    };
    let platform = raw::device_property(id, ffi::CL_DEVICE_PLATFORM).map_or_else(
        |_| String::new(),
        |bytes| {
            let mut pointer = [0u8; size_of::<usize>()];
            let n = bytes.len().min(pointer.len());
            pointer[..n].copy_from_slice(&bytes[..n]);
            let platform = usize::from_ne_bytes(pointer) as ffi::cl_platform_id;
            // SAFETY: the platform that the device names; `property` passes a buffer of the size that it states.
            raw::property(|size, to, needed| unsafe {
                ffi::clGetPlatformInfo(platform, ffi::CL_PLATFORM_NAME, size, to, needed)
            })
            .map(|bytes| raw::text(&bytes))
            .unwrap_or_default()
        },
    );
    // A CPU has its memory from this process's.
    let most = if kind == DeviceKind::Cpu { memory_limit_bytes() } else { u64::MAX };
    DeviceInfo {
        id: format!("opencl:{index}"),
        name: string(id, ffi::CL_DEVICE_NAME),
        vendor: string(id, ffi::CL_DEVICE_VENDOR),
        platform,
        driver: string(id, ffi::CL_DRIVER_VERSION),
        version: string(id, ffi::CL_DEVICE_VERSION),
        kind,
        architecture: raw::compute_capability(id, &features)
            .map_or_else(String::new, |(major, minor)| format!("sm_{major}{minor}")),
        compute_units: number(id, ffi::CL_DEVICE_MAX_COMPUTE_UNITS) as u32,
        clock_hz: number(id, ffi::CL_DEVICE_MAX_CLOCK_FREQUENCY) * 1_000_000,
        memory_bytes: number(id, ffi::CL_DEVICE_GLOBAL_MEM_SIZE).min(most),
        largest_allocation_bytes: number(id, ffi::CL_DEVICE_MAX_MEM_ALLOC_SIZE).min(most),
        local_memory_bytes: number(id, ffi::CL_DEVICE_LOCAL_MEM_SIZE),
        group_limit: number(id, ffi::CL_DEVICE_MAX_WORK_GROUP_SIZE) as usize,
        view_alignment_bytes: (number(id, ffi::CL_DEVICE_MEM_BASE_ADDR_ALIGN) as usize / 8).max(16),
        fp64: has("cl_khr_fp64"),
        int64_atomics: has("cl_khr_int64_base_atomics"),
        features,
    }
}
