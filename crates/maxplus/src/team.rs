//! A team of all threads of the host, for steps without a device.

use manycore_device::{Device, Executor, Team};

/// Runs work with all threads of the host, where no device is given.
pub(crate) fn on_host<R>(work: impl FnOnce(Team<'_>) -> R) -> R {
    match Device::host().executor() {
        Executor::Host(pool) => work(pool.team()),
        Executor::OpenCl(_) => work(Team::ALONE),
    }
}
