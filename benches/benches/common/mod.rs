//! What the benches of single crates share: the devices, and times by each device's own clock.

use std::fmt::Debug;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion};
use manycore_device::{DEVICE_VARIABLE, Device, DeviceError};

/// The cases of one kind on one device.
pub(crate) type Cases<'a> = BenchmarkGroup<'a, WallTime>;

/// The device that `MANYCORE_DEVICE` names, or the host and every OpenCL device.
pub(crate) fn devices() -> Vec<Device> {
    match std::env::var(DEVICE_VARIABLE) {
        Ok(spec) => vec![Device::select(&spec).expect("the device")],
        Err(_) => Device::all(),
    }
}

/// Cases whose names begin with `kind` and the device's; a few quick measurements of each.
pub(crate) fn cases<'a>(criterion: &'a mut Criterion, kind: &str, device: &Device) -> Cases<'a> {
    let mut cases = criterion.benchmark_group([kind, device.info().id.as_str()].join(" "));
    cases.sample_size(10).warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_millis(500));
    cases
}

/// Times `work` by the device's clock.
pub(crate) fn case<R, E: From<DeviceError> + Debug>(
    cases: &mut Cases<'_>,
    id: BenchmarkId,
    device: &Device,
    mut work: impl FnMut() -> Result<R, E>,
) {
    cases.bench_function(id, |bencher| {
        bencher.iter_custom(|turns| {
            let all = || (0..turns).try_for_each(|_| work().map(drop));
            let (outcome, seconds) = device.elapsed(all).expect("the device");
            outcome.expect("a result");
            Duration::from_secs_f64(seconds)
        });
    });
}
