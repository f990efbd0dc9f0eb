//! Lists the OpenCL devices and reads their facts.

use std::ptr::{NonNull, null_mut};
use std::sync::{Arc, OnceLock};

use manycore_files::memory::limit_bytes;
use ocl::core::{self, PlatformId, PlatformInfo, PlatformInfoResult};
use ocl::ffi;

use super::record::Record;
use super::{Expected, remembered, self_test};
use crate::error::{DeviceError, code_name};
use crate::info::{DeviceInfo, DeviceKind};
use crate::opencl::calls::code;
use crate::opencl::executor::OpenCl;
use crate::opencl::objects::DeviceId;
use crate::waits::{self, Waiting};

/// OpenCL's `CL_PLATFORM_NOT_FOUND_KHR`.
const NO_PLATFORM: i32 = -1001;

static LIST: OnceLock<Result<Vec<Arc<OpenCl>>, DeviceError>> = OnceLock::new();

/// Every OpenCL device, or why there is none.
///
/// The list is made once: some runtimes give empty lists to threads that ask at the same time for the first time.
pub(crate) fn all() -> Result<&'static [Arc<OpenCl>], DeviceError> {
    LIST.get_or_init(|| waits::note(Waiting::Listing, || "OpenCL devices".into(), list))
        .as_deref()
        .map_err(Clone::clone)
}

/// The GPU with the most compute units, the last of several.
pub(crate) fn best(all: &[Arc<OpenCl>]) -> Option<&Arc<OpenCl>> {
    all.iter().filter(|cl| cl.info().kind == DeviceKind::Gpu).max_by_key(|cl| cl.info().compute_units)
}

/// The best GPU of the last listing, by an earlier process, for estimates alone: nothing runs on it.
pub(crate) fn expected() -> Expected<Arc<OpenCl>> {
    static EXPECTED: OnceLock<Expected<Arc<OpenCl>>> = OnceLock::new();
    let closed = || DeviceError::NoRuntime { tried: "nothing: the device is known from an earlier listing".to_owned() };
    let known = || match remembered::gpu() {
        Expected::Unknown => Expected::Unknown,
        Expected::None => Expected::None,
        Expected::Gpu(info) => {
            // SAFETY: nothing is asked of the device that it names, since it counts as one that could not be opened.
            let id = unsafe { DeviceId::from_raw(NonNull::dangling().as_ptr()) };
            let cl = known(id, info);
            let _ = cl.opened.set(Err(closed()));
            Expected::Gpu(Arc::new(cl))
        }
    };
    EXPECTED.get_or_init(known).clone()
}

/// A device with what an earlier process found of it.
fn known(id: DeviceId, info: DeviceInfo) -> OpenCl {
    let device = OpenCl::new(id, info, Arc::new(Record::default()));
    if let Some(proof) = self_test::kept(&device.info) {
        let _ = device.proof.set(proof);
    }
    device
}

/// Whether this process has listed the devices.
pub(crate) fn is_listed() -> bool {
    LIST.get().is_some()
}

fn list() -> Result<Vec<Arc<OpenCl>>, DeviceError> {
    manycore_opencl_loader::runtime().map_err(|missing| DeviceError::NoRuntime { tried: missing.to_string() })?;
    let none =
        |code| DeviceError::NoRuntime { tried: format!("the library lists no platform: {} ({code})", code_name(code)) };
    // `ocl` waits ten seconds for a platform where there is none.
    match manycore_opencl_loader::platform_count() {
        Ok(0) => return Err(none(NO_PLATFORM)),
        Ok(_) => {}
        Err(error) => return Err(none(error.status)),
    }
    let mut found = Vec::new();
    for platform in code(core::get_platform_ids).map_err(none)? {
        // A platform without devices, or whose driver is broken, does not hide the others.
        for id in devices(platform).unwrap_or_default() {
            let info = facts(platform, id, found.len());
            found.push(Arc::new(known(id, info)));
        }
    }
    remembered::keep(best(&found).map(|cl| &cl.info));
    Ok(found)
}

/// A platform's devices of all types; the error code where it has none.
///
/// `ocl` would list none where its variable `OCL_DEFAULT_DEVICE_TYPE` has no meaning, and write past its list where a
/// platform has more devices than it has room for.
fn devices(platform: PlatformId) -> Result<Vec<DeviceId>, i32> {
    let mut count = 0;
    let mut list = |most: u32, ids: *mut ffi::cl_device_id| {
        // SAFETY: `ids` holds `most` places, or is null with none.
        match unsafe { ffi::clGetDeviceIDs(platform.as_ptr(), ffi::CL_DEVICE_TYPE_ALL, most, ids, &raw mut count) } {
            0 => Ok(count),
            code => Err(code),
        }
    };
    let count = list(0, null_mut())?;
    let mut ids = vec![null_mut(); count as usize];
    list(count, ids.as_mut_ptr())?;
    // SAFETY: identifiers that the runtime gave.
    Ok(ids.into_iter().filter(|id| !id.is_null()).map(|id| unsafe { DeviceId::from_raw(id) }).collect())
}

/// One property of a device.
fn property(id: DeviceId, which: u32) -> Result<Vec<u8>, i32> {
    code(|| core::get_device_info_raw(id, which))
}

/// The compute capability of one of NVIDIA's GPUs, major and minor number; `None` where the device's extensions do not
/// offer it.
pub(crate) fn compute_capability(id: DeviceId, extensions: &[String]) -> Option<(u32, u32)> {
    const COMPUTE_CAPABILITY_MAJOR_NV: u32 = 0x4000;
    const COMPUTE_CAPABILITY_MINOR_NV: u32 = 0x4001;
    if !extensions.iter().any(|extension| extension == "cl_nv_device_attribute_query") {
        return None;
    }
    let number = |which| property(id, which).ok()?.first_chunk().map(|&bytes| u32::from_ne_bytes(bytes));
    Some((number(COMPUTE_CAPABILITY_MAJOR_NV)?, number(COMPUTE_CAPABILITY_MINOR_NV)?))
}

fn number(id: DeviceId, which: u32) -> u64 {
    property(id, which).map_or(0, |bytes| {
        let mut value = [0u8; 8];
        let n = bytes.len().min(8);
        value[..n].copy_from_slice(&bytes[..n]);
        u64::from_le_bytes(value)
    })
}

/// A property that is text, whatever the encoding of its letters.
fn string(id: DeviceId, which: u32) -> String {
    let bytes = property(id, which).unwrap_or_default();
    String::from_utf8_lossy(bytes.split(|&byte| byte == 0).next().unwrap_or_default()).trim().to_owned()
}

fn facts(platform: PlatformId, id: DeviceId, index: usize) -> DeviceInfo {
    const TYPE_CPU: u64 = 2;
    const TYPE_GPU: u64 = 4;
    // CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT
    const CORRECTLY_ROUNDED: u64 = 1 << 7;
    let features: Vec<String> = string(id, ffi::CL_DEVICE_EXTENSIONS).split_whitespace().map(str::to_owned).collect();
    let has = |name: &str| features.iter().any(|feature| feature == name);
    let kind = match number(id, ffi::CL_DEVICE_TYPE) {
        t if t & TYPE_GPU != 0 => DeviceKind::Gpu,
        t if t & TYPE_CPU != 0 => DeviceKind::Cpu,
        _ => DeviceKind::Accelerator,
    };
    let platform = match code(|| core::get_platform_info(platform, PlatformInfo::Name)) {
        Ok(PlatformInfoResult::Name(name)) => name,
        _ => String::new(),
    };
    // A CPU has its memory from this process's.
    let most = if kind == DeviceKind::Cpu { limit_bytes() } else { u64::MAX };
    DeviceInfo {
        id: format!("opencl:{index}"),
        name: string(id, ffi::CL_DEVICE_NAME),
        vendor: string(id, ffi::CL_DEVICE_VENDOR),
        platform,
        driver: string(id, ffi::CL_DRIVER_VERSION),
        version: string(id, ffi::CL_DEVICE_VERSION),
        kind,
        architecture: compute_capability(id, &features)
            .map_or_else(String::new, |(major, minor)| format!("sm_{major}{minor}")),
        compute_units: number(id, ffi::CL_DEVICE_MAX_COMPUTE_UNITS) as u32,
        clock_hz: number(id, ffi::CL_DEVICE_MAX_CLOCK_FREQUENCY) * 1_000_000,
        memory_bytes: number(id, ffi::CL_DEVICE_GLOBAL_MEM_SIZE).min(most),
        largest_allocation_bytes: number(id, ffi::CL_DEVICE_MAX_MEM_ALLOC_SIZE).min(most),
        local_memory_bytes: number(id, ffi::CL_DEVICE_LOCAL_MEM_SIZE),
        group_limit: number(id, ffi::CL_DEVICE_MAX_WORK_GROUP_SIZE) as usize,
        view_alignment_bytes: (number(id, ffi::CL_DEVICE_MEM_BASE_ADDR_ALIGN) as usize / 8).max(16),
        fp64: has("cl_khr_fp64"),
        exact_quotients: number(id, ffi::CL_DEVICE_SINGLE_FP_CONFIG) & CORRECTLY_ROUNDED != 0,
        int64_atomics: has("cl_khr_int64_base_atomics"),
        features,
    }
}
