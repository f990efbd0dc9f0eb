//! Devices by listing, by name, and by what is known of them before that.

use std::env::VarError;
use std::sync::Arc;

use super::{Expected, list};
use crate::device::Device;
use crate::error::DeviceError;
use crate::host;
use crate::info::DeviceKind;
use crate::set::DeviceSet;

/// The variable that names the device of [`Device::from_env`].
pub const DEVICE_VARIABLE: &str = "MANYCORE_DEVICE";

impl Device {
    /// Every device: the host first, then those of OpenCL. Without an OpenCL runtime, the host alone.
    pub fn all() -> Vec<Self> {
        std::iter::once(Self::host()).chain(Self::opencl().unwrap_or_default()).collect()
    }

    /// Every OpenCL device.
    ///
    /// # Errors
    /// [`DeviceError::NoRuntime`], with the libraries that were tried, when there is no OpenCL library or it lists no platform.
    pub fn opencl() -> Result<Vec<Self>, DeviceError> {
        Ok(list::all()?.iter().map(|cl| Self::of_opencl(Arc::clone(cl))).collect())
    }

    /// The OpenCL GPU with the most compute units, else the host.
    pub fn best() -> Self {
        let best = list::all().ok().and_then(list::best);
        best.map_or_else(Self::host, |cl| Self::of_opencl(Arc::clone(cl)))
    }

    /// The device that [`Device::best`] will give, as far as it is known without loading OpenCL: from this process's listing, else from
    /// that of an earlier one with the same drivers. It is for estimates: of a GPU that this process has not listed nothing can be run, and
    /// what needs it open is [`DeviceError::NoRuntime`]. `None` where nothing is known.
    ///
    /// ```
    /// use manycore_device::Device;
    /// if let Some(device) = Device::expected() {
    ///     println!("by {} it would be", device.machine().name);
    /// }
    /// ```
    pub fn expected() -> Option<Self> {
        if list::is_listed() {
            return Some(Self::best());
        }
        match list::expected() {
            Expected::Unknown => None,
            Expected::None => Some(Self::host()),
            Expected::Gpu(cl) => Some(Self::of_opencl(cl)),
        }
    }

    /// The device that the variable `MANYCORE_DEVICE` names, in the form of [`Device::select`]; without it, the best
    /// one.
    ///
    /// # Errors
    /// As [`Device::select`].
    pub fn from_env() -> Result<Self, DeviceError> {
        match std::env::var(DEVICE_VARIABLE) {
            Ok(spec) => Self::select(&spec),
            Err(VarError::NotPresent) => Ok(Self::best()),
            Err(VarError::NotUnicode(spec)) => Self::select(&spec.to_string_lossy()),
        }
    }

    /// The device that `spec` names: `auto` or nothing (the best one), `host`, `host:THREADS`, `opencl:NUMBER`, or a
    /// part of the name of one device or of its platform, in any case.
    ///
    /// # Errors
    /// [`DeviceError::NoDevice`] with the devices present; [`DeviceError::Ambiguous`] when the part fits several;
    /// [`DeviceError::NoRuntime`] for an OpenCL device by number without a runtime; for threads as
    /// [`Device::host_with`].
    pub fn select(spec: &str) -> Result<Self, DeviceError> {
        let wanted = spec.trim().to_lowercase();
        match wanted.as_str() {
            "" | "auto" | "best" => return Ok(Self::best()),
            "host" => return Ok(Self::host()),
            _ => {}
        }
        // Nothing is listed for threads of the host: drivers take a second and much of the address space.
        let threads = wanted.strip_prefix("host:").unwrap_or_default();
        if !threads.is_empty() && threads.bytes().all(|byte| byte.is_ascii_digit()) {
            // A number that no word holds is too many.
            return threads.parse().map_or_else(|_| Err(host::too_many_threads(u64::MAX)), Self::host_with);
        }
        let all = Self::all();
        let seen = || all.iter().map(|d| d.info().label()).collect();
        let absent = || DeviceError::NoDevice { wanted: spec.to_owned(), seen: seen() };
        if wanted.starts_with("host:") {
            return Err(absent());
        }
        if wanted.starts_with("opencl:") {
            let devices = Self::opencl()?;
            return devices.into_iter().find(|device| device.info().id == wanted).ok_or_else(absent);
        }
        let fits = |device: &&Self| {
            let info = device.info();
            info.name.to_lowercase().contains(&wanted) || info.platform.to_lowercase().contains(&wanted)
        };
        let fitting: Vec<&Self> = all.iter().skip(1).filter(fits).collect();
        match fitting.as_slice() {
            [] => Err(absent()),
            [device] => Ok((*device).clone()),
            several => Err(DeviceError::Ambiguous {
                wanted: spec.to_owned(),
                fitting: several.iter().map(|d| d.info().label()).collect(),
            }),
        }
    }
}

impl DeviceSet {
    /// The devices that `spec` names: texts of [`Device::select`] with commas between them, or `gpus` for all GPUs of OpenCL.
    ///
    /// ```
    /// use manycore_device::DeviceSet;
    /// assert_eq!(DeviceSet::select("host, host:1")?.devices().len(), 2);
    /// # Ok::<(), manycore_device::DeviceError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Device::select`]; [`DeviceError::NoDevice`] for `gpus` where there is none.
    pub fn select(spec: &str) -> Result<Self, DeviceError> {
        if spec.trim().eq_ignore_ascii_case("gpus") {
            let all = Device::opencl()?;
            let seen = all.iter().map(|device| device.info().label()).collect();
            let gpus: Vec<Device> = all.into_iter().filter(|device| device.info().kind == DeviceKind::Gpu).collect();
            let none = || DeviceError::NoDevice { wanted: spec.to_owned(), seen };
            return if gpus.is_empty() { Err(none()) } else { Self::equal(gpus) };
        }
        Self::equal(spec.split(',').map(Device::select).collect::<Result<_, _>>()?)
    }
}
