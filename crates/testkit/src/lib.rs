#![doc = include_str!("../README.md")]

pub mod cache;
pub mod faults;
pub mod in_place;
pub mod laws;

use std::io::Write as _;
use std::sync::Once;

use manycore_device::{Device, DeviceKind, SelfTestMode};

/// The variable that makes a missing OpenCL device a failure.
pub const REQUIRE_OPENCL: &str = "MANYCORE_REQUIRE_OPENCL";

/// The OpenCL devices that tests run on: all, or the one that `MANYCORE_TEST_DEVICE` names. Operations on these handles prove no
/// plans ([`Device::with_proofs`]): tests compare with the host themselves.
///
/// # Panics
/// When there is none and the variable [`REQUIRE_OPENCL`] is set to anything but `0`, so that no test passes by running on
/// nothing; without the variable the absence is printed.
pub fn opencl_devices() -> Vec<Device> {
    let mut devices = match std::env::var("MANYCORE_TEST_DEVICE") {
        Ok(spec) => vec![Device::select(&spec).unwrap_or_else(|error| panic!("MANYCORE_TEST_DEVICE: {error}"))],
        Err(_) => Device::opencl().unwrap_or_else(|error| {
            // Past the test harness, which would keep it from sight; once for each program.
            static SAID: Once = Once::new();
            SAID.call_once(|| drop(writeln!(std::io::stderr(), "no OpenCL device, the host alone is tested: {error}")));
            Vec::new()
        }),
    };
    devices.retain(|device| device.info().kind != DeviceKind::Host);
    // Tests compare with the host themselves, and have more shapes than there is time to prove.
    let devices: Vec<Device> = devices.iter().map(|device| device.with_proofs(SelfTestMode::Off)).collect();
    let required = std::env::var(REQUIRE_OPENCL).is_ok_and(|value| value != "0");
    assert!(!(required && devices.is_empty()), "{REQUIRE_OPENCL} is set and there is no OpenCL device");
    devices
}

/// The host with one thread and with all, and every OpenCL device that tests run on.
///
/// # Panics
/// As [`opencl_devices`], and when the host gives no thread.
pub fn devices() -> Vec<Device> {
    let one = Device::host_with(1).unwrap_or_else(|error| panic!("{error}"));
    [Device::host(), one].into_iter().chain(opencl_devices()).collect()
}

/// The OpenCL devices that tests run on, each as one of 640 bytes of local memory and groups of 256 items: arrays of a few hundred
/// values then take two passes over memory, and those of some thousand take three and four, as arrays of millions do elsewhere.
///
/// Simulators are left out, which take long for as many launches.
///
/// # Panics
/// As [`opencl_devices`].
pub fn limited_devices() -> Vec<Device> {
    let devices = opencl_devices().into_iter().filter(|device| !simulated(device));
    devices.map(|device| device.limited(640, 256)).collect()
}

/// Whether a device is a simulator that checks every access, and needs small sizes.
pub fn simulated(device: &Device) -> bool {
    device.info().name.to_lowercase().contains("oclgrind")
}
