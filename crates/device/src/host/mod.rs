//! The host executor: a pool of threads, and memory that SIMD and large pages like.

use std::ops::{Deref, DerefMut};
use std::sync::OnceLock;

use memmap2::MmapMut;

use crate::calibrate::KeptMachine;
use crate::error::DeviceError;
use crate::info::{DeviceInfo, DeviceKind};
use crate::profile::{Kind, Recorder};
use crate::word::Word;

/// The host, as the primitives of an operation see it: threads of its own.
#[derive(Debug)]
pub struct HostPool {
    /// `None` where the system gives no threads: work then runs on the caller's.
    threads: Option<rayon::ThreadPool>,
    info: DeviceInfo,
    pub(crate) recorder: Recorder,
    pub(crate) machine: KeptMachine,
}

impl HostPool {
    pub(crate) fn new(threads: usize) -> Result<Self, DeviceError> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|i| format!("manycore-{i}"))
            .build()
            .map_err(|error| DeviceError::Threads { reason: error.to_string() })?;
        let info = facts(pool.current_num_threads());
        Ok(Self { threads: Some(pool), info, recorder: Recorder::default(), machine: KeptMachine::default() })
    }

    /// A pool that runs everything on the thread that asks.
    pub(crate) fn on_caller() -> Self {
        Self { threads: None, info: facts(1), recorder: Recorder::default(), machine: KeptMachine::default() }
    }

    /// The host's facts.
    pub fn info(&self) -> &DeviceInfo {
        &self.info
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.threads.as_ref().map_or(1, rayon::ThreadPool::current_num_threads)
    }

    /// Runs `work` on the pool's threads; `rayon`'s parallel iterators and `join` within it use them.
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.threads {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// Runs a short step of an operation on the calling thread; a profile notes its time, bytes and operations.
    pub fn step_here<R>(&self, name: &'static str, bytes: u64, operations: u64, work: impl FnOnce() -> R) -> R {
        self.recorder.step(Kind::Kernel, name, bytes, operations, work)
    }

    /// Runs a step of an operation on the pool's threads; a profile notes its time, bytes and operations.
    pub fn step<R: Send>(&self, name: &'static str, bytes: u64, operations: u64, work: impl FnOnce() -> R + Send) -> R {
        self.recorder.step(Kind::Kernel, name, bytes, operations, || self.install(work))
    }
}

fn facts(threads: usize) -> DeviceInfo {
    let memory_bytes = memory_bytes();
    DeviceInfo {
        id: "host".into(),
        name: processor_name(),
        vendor: String::new(),
        platform: String::new(),
        driver: concat!("manycore ", env!("CARGO_PKG_VERSION")).into(),
        version: String::new(),
        kind: DeviceKind::Host,
        compute_units: threads as u32,
        clock_hz: 0,
        memory_bytes,
        largest_allocation_bytes: memory_bytes,
        local_memory_bytes: 0,
        group_limit: 1,
        view_alignment_bytes: 1,
        fp64: true,
        int64_atomics: true,
        features: features(),
    }
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

/// The processor's name where the system tells it.
fn processor_name() -> String {
    std::fs::read_to_string("/proc/cpuinfo")
        .ok()
        .and_then(|text| {
            let line = text.lines().find(|line| line.starts_with("model name"))?;
            line.split_once(':').map(|(_, name)| name.trim().to_owned())
        })
        .unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

/// Bytes of memory where the system tells it; the address space's half elsewhere, so that nothing is refused wrongly. Asked
/// once: reading the file takes longer than a short operation.
fn memory_bytes() -> u64 {
    static BYTES: OnceLock<u64> = OnceLock::new();
    *BYTES.get_or_init(total_memory)
}

fn total_memory() -> u64 {
    std::fs::read_to_string("/proc/meminfo")
        .ok()
        .and_then(|text| {
            let line = text.lines().find(|line| line.starts_with("MemTotal"))?;
            line.split_whitespace().nth(1)?.parse::<u64>().ok()
        })
        .map_or(isize::MAX as u64, |kibibytes| kibibytes * 1024)
}

#[derive(Debug, Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
struct CacheLine([u8; 64]);

#[derive(Debug)]
enum Block {
    /// Whole cache lines.
    Lines(Vec<CacheLine>),
    /// Pages of the system's, large ones where it gives them.
    Pages(MmapMut),
}

/// Zeroed host memory that begins at a cache line; large blocks ask the system for large pages.
#[derive(Debug)]
pub(crate) struct HostMemory<T> {
    block: Block,
    len: usize,
    words: std::marker::PhantomData<T>,
}

impl<T: Word> HostMemory<T> {
    pub(crate) fn new(len: usize) -> Result<Self, DeviceError> {
        const LARGE: usize = 4 << 20;
        let too_large = |limit| DeviceError::OutOfMemory {
            device: "host".into(),
            wanted_bytes: (len as u64).saturating_mul(size_of::<T>() as u64),
            free_or_limit_bytes: limit,
            reason: "the host's memory",
        };
        let limit = memory_bytes();
        let bytes = len.checked_mul(size_of::<T>()).filter(|&b| b as u64 <= limit).ok_or_else(|| too_large(limit))?;
        let block = if bytes < LARGE {
            Block::Lines(bytemuck::zeroed_vec(bytes.div_ceil(64)))
        } else {
            let pages = MmapMut::map_anon(bytes).map_err(|_| too_large(limit))?;
            // Advice only: without large pages everything works, slower.
            #[cfg(target_os = "linux")]
            let _ = pages.advise(memmap2::Advice::HugePage);
            Block::Pages(pages)
        };
        Ok(Self { block, len, words: std::marker::PhantomData })
    }

    /// The same bytes as `len` words of another type, which they hold: every block begins at a cache line.
    pub(crate) fn seen_as<U: Word>(self, len: usize) -> HostMemory<U> {
        debug_assert!(len * size_of::<U>() <= (self.len * size_of::<T>()).next_multiple_of(64));
        HostMemory { block: self.block, len, words: std::marker::PhantomData }
    }
}

impl<T: Word> Deref for HostMemory<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        let bytes: &[u8] = match &self.block {
            Block::Lines(lines) => bytemuck::cast_slice(lines),
            Block::Pages(pages) => pages,
        };
        bytemuck::cast_slice(&bytes[..self.len * size_of::<T>()])
    }
}

impl<T: Word> DerefMut for HostMemory<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        let bytes: &mut [u8] = match &mut self.block {
            Block::Lines(lines) => bytemuck::cast_slice_mut(lines),
            Block::Pages(pages) => pages,
        };
        bytemuck::cast_slice_mut(&mut bytes[..self.len * size_of::<T>()])
    }
}
