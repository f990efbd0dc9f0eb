//! All threads of the host, for steps that no device has.

use manycore_device::{Device, Executor, Team};

/// Does work of the host that has no device of its own with all of its threads.
pub(crate) fn on_host<R>(work: impl FnOnce(Team<'_>) -> R) -> R {
    match Device::host().executor() {
        Executor::Host(pool) => work(pool.team()),
        Executor::OpenCl(_) => work(Team::ALONE),
    }
}
