//! A real machine, by measured numbers, and what a program takes on it.
//!
//! The abstract model has three parameters; a device has more: its arithmetic runs at different rates for different
//! types, its memory is slower for short runs of bytes and for few threads, and transfer and arithmetic overlap where
//! several blocks share a processor. [`Machine`] holds these numbers as a calibration measures them (or typical ones
//! before the first), [`Machine::predict`] turns a program into seconds with them, and [`Machine::many_core`] gives the
//! abstract machine that it is for a given kernel, so that the theorem's bound can be told in seconds too.
//!
//! | file | what |
//! |---|---|
//! | `checked` | whether a machine's numbers make sense |
//! | `predict` | seconds of a program, and what bounds each kernel |
//! | `typical` | machines before their calibration |

mod checked;
mod predict;
mod typical;

use serde::{Deserialize, Serialize};

use crate::many_core::ManyCore;
pub use checked::MachineError;
pub use predict::{Bound, KernelTime, Prediction, Seconds};
pub use typical::Class;

/// A kind of arithmetic, by the rate at which devices do it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Operation {
    /// 32-bit integer multiply-add.
    Int32,
    /// 64-bit integer multiply-add.
    Int64,
    /// Single-precision multiply-add.
    F32,
    /// Double-precision multiply-add.
    F64,
    /// An operation on one number that vectors do not do: on the host a look-up in the nearest cache, with its address. Items
    /// of other devices compute one by one, and do these as fast as 32-bit integers.
    Scalar,
}

impl Operation {
    /// Every kind.
    pub const ALL: [Self; 5] = [Self::Int32, Self::Int64, Self::F32, Self::F64, Self::Scalar];

    /// Its name in tables and files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Int32 => "int32",
            Self::Int64 => "int64",
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::Scalar => "scalar",
        }
    }
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

/// What a memory moves when its data is read and written in runs of so many bytes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SegmentRate {
    /// Neighbouring bytes of a run.
    pub bytes: u64,
    /// Bytes a second, read and written together.
    pub rate: f64,
}

/// What is left of a rate when data is read and written in runs of so many bytes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SegmentPart {
    /// Neighbouring bytes of a run.
    pub bytes: u64,
    /// The part of the rate of long runs, at most 1.
    pub part: f64,
}

/// A cache between the processors and global memory.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CacheLevel {
    /// Bytes, of all processors together.
    pub bytes: u64,
    /// Bytes a second, read and written together, for data that lies in it.
    pub rate: f64,
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

/// A machine's measured parameters. [`Machine::checked`] tells whether they make sense.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// The device's name.
    pub name: String,
    /// Processors that run blocks independently, `p`: compute units, or threads of the host.
    pub processors: u32,
    /// Cycles a second; the unit in which the abstract model counts.
    pub clock_hz: f64,
    /// Bytes of local memory of a block, at most; for the host, of a core's own cache.
    pub local_bytes: u64,
    /// Bytes of local memory that the blocks on one processor share.
    pub processor_local_bytes: u64,
    /// Threads of a block, at most.
    pub block_threads: u32,
    /// Threads of the blocks on one processor, at most.
    pub processor_threads: u32,
    /// Registers of 4 bytes that the blocks on one processor share; 0 where they are no limit.
    #[serde(default)]
    pub processor_registers: u32,
    /// Operations a second of all processors.
    pub rates: Rates,
    /// How many times as many operations a second, and bytes a second of caches, a processor does while the others are idle,
    /// at least 1: more where two threads of the host have one core, or where a clock falls when all cores work.
    #[serde(default = "even")]
    pub lone_speedup: f64,
    /// Seconds until an operation's result can be used.
    pub operation_latency_seconds: f64,
    /// Bytes a second of global memory, read and written together by a copy.
    pub bandwidth: f64,
    /// Bytes a second of global memory that one processor alone moves, measured with
    /// [`Machine::MEASURED_BYTES_IN_FLIGHT`] under way on a device of many threads.
    pub processor_bandwidth: f64,
    /// The same for short runs, by ascending length; longer ones have the whole bandwidth.
    pub segments: Vec<SegmentRate>,
    /// What short runs leave of a cache's rate, by ascending length. Where this was not measured, the same part as of global
    /// memory's; pages and open rows cost less in a cache.
    #[serde(default)]
    pub cached_segments: Vec<SegmentPart>,
    /// Seconds from a read's issue to its word.
    pub memory_latency_seconds: f64,
    /// Caches of global memory, the smallest first.
    pub caches: Vec<CacheLevel>,
    /// Bytes a second, read and written together, that all processors move where each reads what another one wrote last and
    /// has in a cache of its own; `None` where processors have none, or there is but one.
    #[serde(default)]
    pub handover_bandwidth: Option<f64>,
    /// Bytes a second that all processors write where another one has read them since, beyond what writing takes otherwise:
    /// caches that have a copy drop it first. `None` where that takes no time to speak of, and where processors have no
    /// caches of their own.
    #[serde(default)]
    pub takeover_bandwidth: Option<f64>,
    /// Seconds from a processor's write of a word until another one that waits for it has read it; `None` where processors
    /// have no caches of their own, or there is but one.
    #[serde(default)]
    pub handover_seconds: Option<f64>,
    /// Bytes a second that all processors read and write in local memory, in words of 4 bytes.
    pub local_bandwidth: f64,
    /// The same in words of 8 bytes; without it, as many bytes a second as in words of 4: half as many words.
    #[serde(default)]
    pub local_bandwidth_8_bytes: Option<f64>,
    /// The part of transfer and computation of equal length that overlaps where a block is alone on its processor: 0 for
    /// none.
    pub overlap_alone: f64,
    /// The same where several blocks share a processor.
    pub overlap_shared: f64,
    /// Seconds that a launch adds in a full queue.
    pub launch_seconds: f64,
    /// Seconds from a kernel's start until the other processors than the first have come to it; `None` where all begin together.
    /// Through OpenCL the threads of a CPU sleep between launches, and what the first one has done before the others are awake is
    /// not theirs to do.
    #[serde(default)]
    pub waking_seconds: Option<f64>,
    /// Seconds from a launch on an idle device to its end being known.
    pub round_trip_seconds: f64,
    /// Where the numbers come from.
    pub source: Source,
}

/// Of processors that are as fast all together.
const fn even() -> f64 {
    1.0
}

impl Machine {
    /// The part of the threads that a processor can hold which reaches its whole rate, where those are more than a block's:
    /// two warps of 32 for each of four schedulers on processors that hold 2048 (fitted to short transforms on an H200).
    pub const RATE_PART: u32 = 8;

    /// Bytes that the threads of a calibration's block have under way: 256 threads with four words of 16 bytes each.
    pub const MEASURED_BYTES_IN_FLIGHT: f64 = 256.0 * 64.0;

    /// Operations a second of all processors. Where those that vectors do not do were not measured, they are as fast as
    /// 32-bit integers, or, where a block is one thread, as an eighth of these: a vector of 32 bytes.
    pub const fn rate(&self, operation: Operation) -> f64 {
        match operation {
            Operation::Int32 => self.rates.int32,
            Operation::Int64 => self.rates.int64,
            Operation::F32 => self.rates.f32,
            Operation::F64 => self.rates.f64,
            Operation::Scalar => match self.rates.scalar {
                Some(rate) => rate,
                None if self.block_threads == 1 => self.rates.int32 / 8.0,
                None => self.rates.int32,
            },
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
    /// [`Machine::step_seconds`], its `U` the time in which every thread of a block moves a word at the processor's share
    /// of the bandwidth.
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

    /// Whether the items of a block are turns of a loop, as compilers make them for a CPU: then nothing limits their registers,
    /// and its vectors do several of them at once.
    pub const fn items_are_loops(&self) -> bool {
        self.processor_registers == 0
    }

    /// Bytes a second that global memory moves in runs of `segment_bytes` (all of it for `None`), for data of
    /// `footprint_bytes`, if known, that was touched before: at the speed of the smallest cache that holds it.
    pub fn memory_rate(&self, segment_bytes: Option<u64>, footprint_bytes: Option<u64>) -> f64 {
        let cache = footprint_bytes.and_then(|bytes| self.caches.iter().find(|cache| bytes <= cache.bytes));
        let whole = cache.map_or(self.bandwidth, |cache| cache.rate);
        let Some(bytes) = segment_bytes else { return whole };
        let in_memory = |segment: &SegmentRate| (segment.bytes, (segment.rate / self.bandwidth).min(1.0));
        let part = match cache {
            Some(_) if !self.cached_segments.is_empty() => {
                part_of(self.cached_segments.iter().map(|segment| (segment.bytes, segment.part)), bytes)
            }
            _ => part_of(self.segments.iter().map(in_memory), bytes),
        };
        whole * part
    }
}

/// The part of a rate that runs of `bytes` have, from measured lengths and parts: straight lines between them.
fn part_of(measured: impl Iterator<Item = (u64, f64)>, bytes: u64) -> f64 {
    let mut below = (0, 0.0);
    for (length, part) in measured {
        if bytes <= length {
            let at = (bytes - below.0) as f64 / (length - below.0).max(1) as f64;
            return below.1 + at * (part - below.1);
        }
        below = (length, part);
    }
    1.0
}
