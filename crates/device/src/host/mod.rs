//! The host executor: a pool of threads, and memory that SIMD and large pages like.

mod lines;
pub(crate) mod memory;
pub(crate) mod pages;
pub mod simd;
pub(crate) mod team;
mod threads;

pub use self::lines::Lines;
pub use self::memory::{host_room, zeroed_words};
pub use self::team::Team;
pub use manycore_files::memory::limit_bytes as memory_limit_bytes;

use self::memory::MemoryPool;
use self::team::Helpers;
use crate::control::{self, Control, shared};
use crate::error::DeviceError;
use crate::info::{DeviceInfo, DeviceKind, KeptMachine};
use crate::profile::{Kind, Recorder};

/// The most threads that a host has: [`Device::host_with`](crate::Device::host_with) refuses more. Each takes some 8
/// MiB of address space, and a step that all share wakes them one after the other.
pub const MOST_THREADS: usize = 1024;

/// The part of the host's memory that a pool keeps at most for buffers to come.
const KEPT_PART: u64 = 16;

/// The host, as the primitives of an operation see it: threads of its own.
#[derive(Debug)]
pub struct HostPool {
    /// One thread fewer than the host's, for the caller works too; `None` where that leaves none.
    helpers: Option<Helpers>,
    info: DeviceInfo,
    pub(crate) recorder: Recorder,
    pub(crate) machine: KeptMachine,
    pub(crate) memory: MemoryPool,
}

impl HostPool {
    /// A pool of `threads` threads; 0 stands for all processors.
    pub(crate) fn new(threads: usize) -> Result<Self, DeviceError> {
        if threads > MOST_THREADS {
            return Err(too_many_threads(threads as u64));
        }
        let threads = if threads == 0 { processors() } else { threads };
        let helpers = (threads > 1)
            .then(|| Helpers::new(threads - 1))
            .transpose()
            .map_err(|error| DeviceError::Threads { reason: error.to_string() })?;
        Ok(Self::of(helpers))
    }

    /// A pool that runs everything on the thread that asks.
    pub(crate) fn on_caller() -> Self {
        Self::of(None)
    }

    fn of(helpers: Option<Helpers>) -> Self {
        let info = facts(1 + helpers.as_ref().map_or(0, Helpers::count));
        let (recorder, machine) = (Recorder::default(), KeptMachine::default());
        let memory = MemoryPool::new(info.memory_bytes / KEPT_PART);
        Self { helpers, info, recorder, machine, memory }
    }

    /// The host's facts.
    pub fn info(&self) -> &DeviceInfo {
        &self.info
    }

    /// The number of threads, the caller's among them.
    pub fn threads(&self) -> usize {
        self.team().threads()
    }

    /// The threads that share a step: the caller's and its helpers.
    pub fn team(&self) -> Team<'_> {
        self.helpers.as_ref().map_or(Team::ALONE, Helpers::team)
    }

    /// Gives all memory that no buffer holds back to the system. Of what buffers gave back, at most a sixteenth of the
    /// host's memory is kept for later ones, because new memory costs a fault a page.
    pub fn trim(&self) {
        self.memory.trim();
    }

    /// Runs `work` on the helpers of [`HostPool::team`] while the caller waits, one thread fewer than the pool has;
    /// `rayon`'s parallel iterators and `join` within it use them. Waking them takes 50 us and more. On the caller's
    /// thread where the pool has no other. `work` itself is under the caller's [`Control`]; what `rayon` gives to further helpers is
    /// under none.
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.helpers {
            Some(helpers) => {
                let control = Control::current();
                helpers.install(|| shared(control, work))
            }
            None => work(),
        }
    }

    /// Runs a step of an operation on the calling thread, which may share it with [`HostPool::team`]; a profile notes
    /// its time, bytes and operations.
    pub fn step<R>(&self, name: &'static str, bytes: u64, operations: u64, work: impl FnOnce() -> R) -> R {
        control::note(name, bytes, operations);
        self.recorder.step(Kind::Kernel, name, bytes, operations, work)
    }
}

/// The processors that this process may run on, as many as a host has threads at most.
pub(crate) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS)
}

/// Why a host has no such number of threads.
pub(crate) fn too_many_threads(threads: u64) -> DeviceError {
    DeviceError::TooLarge { what: "threads".into(), size: threads, limit: MOST_THREADS as u64, device: "host".into() }
}

fn facts(threads: usize) -> DeviceInfo {
    let memory_bytes = memory_limit_bytes();
    DeviceInfo {
        id: "host".into(),
        name: processor_name(),
        vendor: String::new(),
        platform: String::new(),
        driver: concat!("manycore ", env!("CARGO_PKG_VERSION")).into(),
        version: String::new(),
        kind: DeviceKind::Host,
        architecture: architecture().into(),
        compute_units: threads as u32,
        clock_hz: 0,
        memory_bytes,
        largest_allocation_bytes: memory_bytes,
        local_memory_bytes: 0,
        group_limit: 1,
        view_alignment_bytes: 1,
        fp64: true,
        exact_quotients: true,
        int64_atomics: true,
        features: features(),
    }
}

/// The widest instruction set that the loops of this library are compiled for and this processor has.
fn architecture() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    {
        if std::is_x86_feature_detected!("avx512f") && std::is_x86_feature_detected!("avx512dq") {
            "avx512"
        } else if std::is_x86_feature_detected!("avx2") {
            "avx2"
        } else {
            "portable"
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    std::env::consts::ARCH
}

fn features() -> Vec<String> {
    #[cfg(target_arch = "x86_64")]
    let found = [
        ("avx2", std::is_x86_feature_detected!("avx2")),
        ("avx512f", std::is_x86_feature_detected!("avx512f")),
        ("avx512ifma", std::is_x86_feature_detected!("avx512ifma")),
    ];
    #[cfg(target_arch = "aarch64")]
    let found = [("neon", true)];
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let found: [(&str, bool); 0] = [];
    found.into_iter().filter(|(_, present)| *present).map(|(name, _)| name.to_owned()).collect()
}

/// The processor's name, where the system gives it.
fn processor_name() -> String {
    std::fs::read_to_string("/proc/cpuinfo")
        .ok()
        .and_then(|text| {
            let line = text.lines().find(|line| line.starts_with("model name"))?;
            line.split_once(':').map(|(_, name)| name.trim().to_owned())
        })
        .unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

#[cfg(test)]
mod tests {
    use super::HostPool;

    #[test]
    fn the_caller_is_one_of_the_threads() {
        for threads in [2, 5] {
            let pool = HostPool::new(threads).unwrap();
            assert_eq!((pool.threads(), pool.info().compute_units as usize), (threads, threads));
            assert_eq!(pool.install(rayon::current_num_threads), threads - 1);
        }
        for pool in [HostPool::new(1).unwrap(), HostPool::on_caller()] {
            assert_eq!((pool.threads(), pool.info().compute_units), (1, 1));
            let caller = std::thread::current().id();
            assert_eq!(pool.install(|| std::thread::current().id()), caller);
        }
    }
}
