//! A real machine, by measured numbers, and the seconds that a program takes on it.
//!
//! The abstract model has three parameters; a device has more: its arithmetic runs at different rates for different
//! types, and its memory is slower for short runs of bytes and faster for data in a cache. [`Machine`] holds these
//! numbers as a calibration measures them, or typical ones before the first calibration. [`Machine::estimate`] turns a
//! program into seconds by a roofline, and [`Machine::many_core`] gives the abstract machine for a given kernel, so
//! that the bound of theorem 1 can be told in seconds too.
//!
//! | file | what |
//! |---|---|
//! | `built` | seconds of a program once its kernels are built: spills and occupancy |
//! | `checked` | whether a machine's numbers make sense |
//! | `estimate` | seconds of a program by a roofline, and what bounds each kernel |
//! | `typical` | machines before their calibration |

mod built;
mod checked;
mod estimate;
mod typical;

use serde::{Deserialize, Serialize};

pub use crate::error::MachineError;
use crate::many_core::ManyCore;
pub use crate::operation::Operation;
pub use built::{BuiltKernel, Residency};
pub use estimate::{Bound, Estimate, KernelEstimate, Seconds};
pub use typical::Class;

/// How a device runs the threads of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExecutionModel {
    /// The host's own threads: a block is one thread.
    Host,
    /// A CPU through OpenCL: the work-items of a group are iterations of a loop, and local memory is cache.
    OpenClCpu,
    /// A GPU: the threads of a block run side by side, with local memory of their own.
    Gpu,
}

/// Operations a second of all processors together.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Rates {
    /// 32-bit integer multiply-adds.
    pub int32: f64,
    /// 64-bit integer multiply-adds.
    pub int64: f64,
    /// Single-precision multiply-adds.
    pub f32: f64,
    /// Double-precision multiply-adds; 0 where there are none.
    pub f64: f64,
    /// Operations that vectors do not do; without it, what [`Machine::rate`] takes for them.
    #[serde(default)]
    pub scalar: Option<f64>,
}

/// The rate of a memory for reads and writes in runs of a number of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SegmentRate {
    /// Neighbouring bytes of a run.
    pub bytes: u64,
    /// Bytes a second, read and written together.
    pub rate: f64,
}

/// A cache between the processors and global memory.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CacheLevel {
    /// Bytes, of all processors together.
    pub bytes: u64,
    /// Bytes a second, read and written together, for data that lies in it.
    pub rate: f64,
}

/// What a process spends on a device before and beside its work.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Startup {
    /// Seconds until the device takes its first command.
    pub opening_seconds: f64,
    /// Where they come from.
    pub opening_source: StartupSource,
    /// Seconds of a kernel's compiler.
    pub kernel_seconds: f64,
    /// Where they come from.
    pub kernel_source: StartupSource,
    /// Seconds in which a program is loaded that the driver has kept.
    pub loading_seconds: f64,
    /// Seconds in which a byte comes to the device or back, from memory that is not pinned.
    pub seconds_a_byte: f64,
}

impl Startup {
    /// What is typical of GPUs: not measured on any one.
    pub const fn of_gpus() -> Self {
        Self {
            opening_seconds: 0.25,
            opening_source: StartupSource::Typical,
            kernel_seconds: 0.3,
            kernel_source: StartupSource::Typical,
            loading_seconds: 0.005,
            seconds_a_byte: 1.0 / 14e9,
        }
    }
}

/// Where seconds of a [`Startup`] come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StartupSource {
    /// Nothing is done: the host is open, and its code is built.
    Nothing,
    /// Typical of GPUs; not measured on this one.
    Typical,
    /// Measured on this device as it was used, by this process or an earlier one.
    Measured,
}

/// Where a machine's numbers come from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Source {
    /// Typical of the kind of device, or of devices of this name; nothing was measured on this one.
    Typical,
    /// Measured.
    Measured {
        /// The median distance of repeated measurements from their median, the worst of all parameters.
        spread: f64,
        /// Seconds that the measurement took.
        seconds: f64,
    },
}

/// A machine's measured parameters. [`Machine::checked`] checks that they are plausible.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// The device's name.
    pub name: String,
    /// How it runs the threads of a block.
    pub execution_model: ExecutionModel,
    /// Processors that run blocks independently, `p`: compute units, or threads of the host.
    pub processors: u32,
    /// Cycles a second; the unit in which the abstract model counts.
    pub clock_hz: f64,
    /// Bytes of local memory of a block, at most; for the host, of a core's own cache.
    pub local_bytes: u64,
    /// Threads of a block, at most.
    pub block_threads: u32,
    /// Operations a second of all processors.
    pub rates: Rates,
    /// Seconds until an operation's result can be used; a floor of the abstract machine's cycle.
    pub operation_latency_seconds: f64,
    /// Bytes a second of global memory, read and written together by a copy.
    pub bandwidth: f64,
    /// Bytes a second of global memory that one processor alone moves, read and written together by a copy.
    pub processor_bandwidth: f64,
    /// Bytes a second that all processors copy in short runs, by ascending length; longer runs have the whole
    /// bandwidth.
    pub segments: Vec<SegmentRate>,
    /// Caches of global memory, by ascending size.
    pub caches: Vec<CacheLevel>,
    /// Bytes a second that all processors read and write in local memory, in words of 4 bytes.
    pub local_bandwidth: f64,
    /// Bytes a second that all processors read and write in local memory, in words of 8 bytes; `None` for the rate of
    /// words of 4 bytes.
    #[serde(default)]
    pub local_bandwidth_8_bytes: Option<f64>,
    /// Seconds that a launch adds in a full queue.
    pub launch_seconds: f64,
    /// Seconds from a launch on an idle device to its end being known.
    pub round_trip_seconds: f64,
    /// Where the numbers come from.
    pub source: Source,
}

impl Machine {
    /// Operations a second of all processors. Without a rate of [`Operation::Scalar`], the rate of 32-bit integers
    /// counts; on the host an eighth of it, since a vector of 32 bytes holds eight of them.
    pub const fn rate(&self, operation: Operation) -> f64 {
        match operation {
            Operation::Int32 => self.rates.int32,
            Operation::Int64 => self.rates.int64,
            Operation::F32 => self.rates.f32,
            Operation::F64 => self.rates.f64,
            Operation::Scalar => match self.rates.scalar {
                Some(rate) => rate,
                None if matches!(self.execution_model, ExecutionModel::Host) => self.rates.int32 / 8.0,
                None => self.rates.int32,
            },
        }
    }

    /// Seconds until a word of local memory can be used. A GPU's is some 30 cycles, and its operations take 4 (NVIDIA H200).
    pub fn local_latency_seconds(&self) -> f64 {
        match self.execution_model {
            ExecutionModel::Gpu => 7.0 * self.operation_latency_seconds,
            _ => 0.0,
        }
    }

    /// Seconds in which all threads of a block wait for each other. On GPUs in operations' latencies as measured on an NVIDIA
    /// H200: 19 ns for 256 threads and 44 ns for 1024, at 2.08 ns an operation.
    pub fn barrier_seconds(&self, threads: u32) -> f64 {
        match self.execution_model {
            ExecutionModel::Gpu => (5.0 + f64::from(threads) / 64.0) * self.operation_latency_seconds,
            _ => 0.0,
        }
    }

    /// What a process typically spends before and beside its work: nothing on the host. On other devices values of GPUs, not measured
    /// on this one: seconds to open a context, seconds to build a kernel that the driver has not kept, and seconds a byte of
    /// transfers at 14 GB/s, between 10 up and 19 down on an NVIDIA H200. A device knows its own seconds once it was used
    /// (`Device::startup` of the crate `manycore-device`).
    pub const fn startup(&self) -> Startup {
        match self.execution_model {
            ExecutionModel::Host => Startup {
                opening_seconds: 0.0,
                opening_source: StartupSource::Nothing,
                kernel_seconds: 0.0,
                kernel_source: StartupSource::Nothing,
                loading_seconds: 0.0,
                seconds_a_byte: 0.0,
            },
            _ => Startup::of_gpus(),
        }
    }

    /// Bytes a second of local memory, in words of `word_bytes`; shorter words than 4 bytes take as long as those.
    pub fn local_rate(&self, word_bytes: u32) -> f64 {
        match self.local_bandwidth_8_bytes {
            Some(rate) if word_bytes >= 8 => rate,
            _ => self.local_bandwidth,
        }
    }

    /// Seconds in which every thread of a block of `threads` does one operation, alone on its processor.
    pub fn step_seconds(&self, threads: u32, operation: Operation) -> f64 {
        let throughput = f64::from(threads) * f64::from(self.processors) / self.rate(operation);
        throughput.max(self.operation_latency_seconds)
    }

    /// The abstract machine that this is for blocks of `threads` threads and words of `word_bytes`: its cycle is
    /// [`Machine::step_seconds`], its `U` the time in which every thread of a block moves a word at the processor's
    /// share of the bandwidth.
    ///
    /// # Errors
    /// [`MachineError::Operation`] where the machine has no such arithmetic, [`MachineError`] for no threads.
    pub fn many_core(&self, threads: u32, word_bytes: u32, operation: Operation) -> Result<ManyCore, MachineError> {
        if threads == 0 {
            return Err(MachineError::Zero { parameter: "threads" });
        }
        if self.rate(operation) <= 0.0 {
            return Err(MachineError::Operation { operation: operation.name() });
        }
        let block_bytes = f64::from(threads) * f64::from(word_bytes);
        let transfer_seconds = block_bytes * f64::from(self.processors) / self.bandwidth;
        let words = (self.local_bytes / u64::from(word_bytes.max(1))).max(u64::from(self.block_threads));
        ManyCore::new(self.processors, words, transfer_seconds / self.step_seconds(threads, operation))
    }

    /// Bytes a second that all processors move in runs of `segment_bytes` (`None` for long runs), for data of
    /// `footprint_bytes` touched before: the rate of the smallest cache that holds them, or of global memory for
    /// `None`. Short runs leave the same part of a cache's rate as of the bandwidth.
    pub fn memory_rate(&self, segment_bytes: Option<u64>, footprint_bytes: Option<u64>) -> f64 {
        let cache = footprint_bytes.and_then(|bytes| self.caches.iter().find(|cache| bytes <= cache.bytes));
        let whole = cache.map_or(self.bandwidth, |cache| cache.rate);
        let Some(bytes) = segment_bytes else { return whole };
        whole * self.segment_part(bytes)
    }

    /// The part of the bandwidth that runs of `bytes` have, at most 1: straight lines between the measured lengths.
    fn segment_part(&self, bytes: u64) -> f64 {
        let mut below = (0, 0.0);
        for segment in &self.segments {
            let part = (segment.rate / self.bandwidth).min(1.0);
            if bytes <= segment.bytes {
                let at = (bytes - below.0) as f64 / (segment.bytes - below.0).max(1) as f64;
                return below.1 + at * (part - below.1);
            }
            below = (segment.bytes, part);
        }
        1.0
    }
}
