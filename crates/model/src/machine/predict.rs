//! Seconds of a program on a measured machine.

use std::fmt;

use super::Machine;
use crate::many_core::{DoesNotFit, Kernel, Program};

/// What a kernel spends most of its time on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Bound {
    /// Starting it.
    Launch,
    /// Moving words between global memory and the processors.
    Memory,
    /// Moving words within local memory.
    LocalMemory,
    /// Arithmetic.
    Arithmetic,
    /// Waiting: for the first words of tables, for words of other processors, for copies in their caches to be dropped.
    Waiting,
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Launch => "launch",
            Self::Memory => "memory",
            Self::LocalMemory => "local memory",
            Self::Arithmetic => "arithmetic",
            Self::Waiting => "waiting",
        })
    }
}

/// The predicted time of one kernel, by what takes it.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelTime {
    /// The kernel's name.
    pub name: String,
    /// Seconds of its launch, of the host's waiting for the device about it, and of processors that come late to it.
    pub launch: f64,
    /// Seconds of its transfers.
    pub memory: f64,
    /// Seconds of its local memory accesses.
    pub local: f64,
    /// Seconds of its operations.
    pub arithmetic: f64,
    /// How many times as long they take as the machine's rates say, as measured; 1 where nothing was.
    pub slowdown: f64,
    /// Seconds of waiting that nothing else hides: cold reads, words of other processors, copies there that are dropped.
    pub waiting: f64,
    /// Seconds in all: the launch, the longer of transfer and computation, what of the shorter does not hide behind it, and the
    /// waiting.
    pub seconds: f64,
}

impl KernelTime {
    /// What it spends most of its time on.
    pub fn bound(&self) -> Bound {
        let parts = [
            (self.launch, Bound::Launch),
            (self.memory, Bound::Memory),
            (self.local, Bound::LocalMemory),
            (self.arithmetic, Bound::Arithmetic),
            (self.waiting, Bound::Waiting),
        ];
        parts.into_iter().max_by(|a, b| a.0.total_cmp(&b.0)).map_or(Bound::Launch, |(_, bound)| bound)
    }
}

/// The predicted time of a program.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Prediction {
    /// Seconds in all, kernel after kernel: a device runs the launches of one queue in order.
    pub seconds: f64,
    /// Seconds below which no run is where the counts and the machine's rates are true: launches overlapped with nothing,
    /// traffic at the whole bandwidth, operations at the whole rate, or at the faster one that a [`Kernel::slowdown`] below 1
    /// tells, whichever is longest for each kernel. A kernel that gives no [`Kernel::traffic_words`] counts every thread's
    /// words as those of the longest.
    pub floor_seconds: f64,
    /// The bound of theorem 1 in seconds (`(N/p + L) C` of each kernel), for fidelity to the paper.
    pub bound_seconds: f64,
    /// Launches: kernels but for those that run within the launch of the one before ([`Kernel::fused`]).
    pub launches: u64,
    /// Each kernel's part.
    pub kernels: Vec<KernelTime>,
}

impl Prediction {
    /// This, then the other.
    #[must_use]
    pub fn then(mut self, next: Self) -> Self {
        self.seconds += next.seconds;
        self.floor_seconds += next.floor_seconds;
        self.bound_seconds += next.bound_seconds;
        self.launches = self.launches.saturating_add(next.launches);
        self.kernels.extend(next.kernels);
        self
    }

    /// `count` times this, one after the other; each kernel's times are multiplied.
    #[must_use]
    pub fn times(mut self, count: u64) -> Self {
        let factor = count as f64;
        self.seconds *= factor;
        self.floor_seconds *= factor;
        self.bound_seconds *= factor;
        self.launches = self.launches.saturating_mul(count);
        for KernelTime { launch, memory, local, arithmetic, waiting, seconds, .. } in &mut self.kernels {
            for part in [launch, memory, local, arithmetic, waiting, seconds] {
                *part *= factor;
            }
        }
        self
    }

    /// What most of the time goes into.
    pub fn bound(&self) -> Bound {
        let longest = self.kernels.iter().max_by(|a, b| a.seconds.total_cmp(&b.seconds));
        longest.map_or(Bound::Launch, KernelTime::bound)
    }
}

impl Machine {
    /// The time that `program` takes, kernel by kernel, on this machine when its data is there and its kernels are built.
    ///
    /// A kernel takes its launch, then the longer of transfer and computation (local memory traffic or arithmetic), and
    /// the part of the shorter that does not overlap: `(1 - overlap) * shorter * shorter / longer`, on CPUs through OpenCL times
    /// the rate of the transfer as a part of the nearest cache's. Blocks are dealt to
    /// processors evenly, so that `p + 1` blocks take as long as `2 p`; `b < p` blocks go `min(lone_speedup, p / b)` times as
    /// fast as `p` do; few threads are bound by the latency of operations and memory instead of their rates. Of blocks of
    /// different lengths a processor has one of the longest. Of data that `b` processors share in caches of their own, the part
    /// `1 - 1 / b` comes from another one's. What a kernel takes over from others ([`Kernel::taken_over`]) is waited for as
    /// far as nothing else takes as long; cold reads take half of the memory's latency each and handovers the machine's
    /// [`Machine::handover_seconds`], on top. Processors that come late ([`Machine::waking_seconds`]) leave their blocks to the
    /// first one meanwhile.
    ///
    /// # Errors
    /// [`DoesNotFit`] for a kernel with more threads or local memory than a block may have, or of a kind of operation that
    /// the machine has not, and where the machine's numbers make no finite number of seconds.
    pub fn predict(&self, program: &Program) -> Result<Prediction, DoesNotFit> {
        let mut all = Prediction::default();
        for kernel in program.kernels() {
            let (time, floor, bound) = self.kernel(kernel)?;
            all.seconds += time.seconds;
            all.floor_seconds += floor;
            all.bound_seconds += bound;
            all.launches += u64::from(!kernel.fused);
            all.kernels.push(time);
        }
        Ok(all)
    }

    /// How many blocks of `kernel` share one processor, at least 1.
    pub fn resident_blocks(&self, kernel: &Kernel) -> u32 {
        let bytes = kernel.local_words.saturating_mul(u64::from(kernel.word_bytes));
        let by_memory = self.processor_local_bytes.checked_div(bytes).unwrap_or(u64::from(u32::MAX));
        let by_threads = self.processor_threads / kernel.threads.max(1);
        let registers = kernel.registers.saturating_mul(kernel.threads);
        let by_registers = match self.processor_registers {
            0 => u32::MAX,
            all => all.checked_div(registers).unwrap_or(u32::MAX),
        };
        u32::try_from(by_memory).unwrap_or(u32::MAX).min(by_threads).min(by_registers).max(1)
    }

    fn kernel(&self, kernel: &Kernel) -> Result<(KernelTime, f64, f64), DoesNotFit> {
        let name = || kernel.name.clone();
        if kernel.threads > self.block_threads {
            let (threads, limit) = (u64::from(kernel.threads), u64::from(self.block_threads));
            return Err(DoesNotFit::Threads { kernel: name(), threads, limit });
        }
        let limit = self.local_bytes / u64::from(kernel.word_bytes.max(1));
        if kernel.local_words > limit {
            return Err(DoesNotFit::LocalMemory { kernel: name(), words: kernel.local_words, limit });
        }
        let rate = self.rate(kernel.operation);
        if rate <= 0.0 {
            return Err(DoesNotFit::Operation { kernel: name(), operation: kernel.operation.name() });
        }
        let processors = f64::from(self.processors);
        let blocks = kernel.block_count() as f64;
        let resident = f64::from(self.resident_blocks(kernel)).min((blocks / processors).ceil());
        // Processors do whole blocks: the busiest decides.
        let uneven = (blocks / processors).ceil() * processors / blocks;
        let waves = (blocks / (processors * resident)).ceil();
        let busy = blocks.min(processors);
        // Few do more each, at most what all do.
        let lone = self.lone_speedup.min(processors / busy);

        let work = kernel.work().ok_or(DoesNotFit::Overflow { quantity: "operations" })? as f64;
        // A processor's blocks are long and short ones: one of the longest, the others as long as the mean.
        let longest = kernel.span() as f64;
        let mean = (work / (blocks * f64::from(kernel.threads))).min(longest);
        let span = longest + (waves - 1.0) * mean;
        let chain = span / f64::from(kernel.chains) * self.operation_latency_seconds;
        // A thread of a processor that shares its lanes among many has its part of them and no more.
        let sharing =
            if self.processor_threads > self.block_threads { self.processor_threads / Self::RATE_PART } else { 0 };
        let alone = span * f64::from(sharing) * processors / rate;
        let slowdown = kernel.slowdown;
        let arithmetic = self.blocks_seconds(blocks, work / rate, slowdown).max(chain * slowdown).max(alone * slowdown);

        let threads = blocks * f64::from(kernel.threads);
        let local_bytes = threads * kernel.local_accesses as f64 * f64::from(kernel.word_bytes.max(4));
        let local = local_bytes / self.local_rate(kernel.word_bytes) * uneven / lone;

        let shared_out = kernel.traffic_bytes() as f64;
        let bytes = shared_out + kernel.table_bytes() as f64;
        let whole = self.memory_rate(None, kernel.footprint_bytes);
        // Seconds of a byte: reads and writes may come in runs of different lengths.
        let written = kernel.written_part();
        let read_rate = self.memory_rate(kernel.read_segment_bytes, kernel.footprint_bytes);
        let write_rate = self.memory_rate(kernel.write_segment_bytes, kernel.footprint_bytes);
        let share = 1.0 / ((1.0 - written) / read_rate + written / write_rate);
        // Little's law: threads that have more under way than those that were measured move more, up to twice as much.
        let in_flight = f64::from(kernel.threads) * resident * bytes / threads.max(1.0);
        let deep = if self.block_threads > 1 { in_flight / Self::MEASURED_BYTES_IN_FLIGHT } else { 1.0 };
        let alone = if self.block_threads > 1 {
            self.processor_bandwidth * deep.clamp(1.0, 2.0) * whole / self.bandwidth
        } else if whole > self.bandwidth {
            // A core has its own caches, or its share of one.
            whole / processors * lone
        } else {
            self.processor_bandwidth
        };
        let share = share.min(alone * busy);
        let latency = if bytes > 0.0 { waves * self.memory_latency_seconds } else { 0.0 };
        // Of what processors share out in their own caches, most was in another one's when the step before ended; a step
        // within the launch before goes on with what its processor has.
        let own = kernel.fused || kernel.owner_computes;
        let handed = match self.handover_bandwidth {
            Some(rate) if !own && busy > 1.0 && whole > self.bandwidth => {
                (shared_out / rate - shared_out / share).max(0.0) * (1.0 - 1.0 / busy)
            }
            _ => 0.0,
        };
        // Writes wait in their queues for copies to be dropped, while the rest goes on.
        let taken = match self.takeover_bandwidth {
            Some(rate) if self.block_threads == 1 && busy > 1.0 && whole > self.bandwidth => {
                kernel.taken_over as f64 * f64::from(kernel.word_bytes) / rate
            }
            _ => 0.0,
        };
        let memory = (bytes / share).max(latency) + handed;

        let start = self.starting(kernel);
        // The threads of a block compute while others of it wait for local memory; transfers wait for the whole block.
        let computing = local.max(arithmetic);
        let overlap = if resident > 1.0 { self.overlap_shared } else { self.overlap_alone };
        let (longer, shorter) = (memory.max(computing), memory.min(computing));
        let exposed = if kernel.phased && resident <= 1.0 {
            shorter
        } else if longer > 0.0 {
            // The shorter hides better the shorter it is: equal ones are what `overlap` was measured with.
            (1.0 - overlap) * shorter * (shorter / longer) * self.moved_by_processors(whole)
        } else {
            0.0
        };
        // The device's own cache has the tables, except the very first time.
        let cold = f64::from(kernel.cold_reads) * self.memory_latency_seconds / 2.0;
        let met = if busy > 1.0 { f64::from(kernel.handovers) * self.handover_seconds.unwrap_or(0.0) } else { 0.0 };
        let transfer_and_computation = longer + exposed;
        let launch = start + self.waking(transfer_and_computation, blocks);
        let waiting = (taken - transfer_and_computation).max(0.0) + cold + met;
        let seconds = launch + transfer_and_computation + waiting;
        // Operations that were seen to take less than the rate says have a lower floor.
        let floor = start.max(bytes / whole).max(work / rate * slowdown.min(1.0));
        let bound = self.theorem_seconds(kernel)?;
        if ![memory, local, arithmetic, seconds, floor, bound].into_iter().all(f64::is_finite) {
            return Err(DoesNotFit::NotFinite { of: name() });
        }
        Ok((KernelTime { name: name(), launch, memory, local, arithmetic, slowdown, waiting, seconds }, floor, bound))
    }

    /// Seconds of `blocks` equal blocks' arithmetic, of which all processors together do the operations in `whole` seconds.
    ///
    /// A block takes its operations times `slowdown / lone_speedup`, at a processor's part of the rate: code that makes a
    /// processor wait leaves what it does not use to those that share its core. All blocks together take no less than `whole`,
    /// unless their operations were seen to take less than the rate says, with a `slowdown` below 1.
    fn blocks_seconds(&self, blocks: f64, whole: f64, slowdown: f64) -> f64 {
        let processors = f64::from(self.processors);
        let (least, alone) = (slowdown.min(1.0), slowdown / self.lone_speedup);
        let turns = (blocks / processors).floor();
        let rest = blocks - turns * processors;
        let last = if rest > 0.0 { alone.max(least * rest / processors) } else { 0.0 };
        whole / blocks * processors * (turns * alone.max(least) + last)
    }

    /// The part of a transfer at `rate` that processors do themselves and cannot compute meanwhile: all of it, but on CPUs through
    /// OpenCL, whose cores move what their nearest cache has, while what lies beyond comes ahead of them.
    fn moved_by_processors(&self, rate: f64) -> f64 {
        let cores = self.block_threads > 1 && self.items_are_loops();
        self.caches.first().filter(|_| cores).map_or(1.0, |nearest| (rate / nearest.rate).min(1.0))
    }

    /// A kernel's launch, and the host's waiting for what it uploads and reads.
    fn starting(&self, kernel: &Kernel) -> f64 {
        let launch = if kernel.fused { 0.0 } else { self.launch_seconds };
        launch + f64::from(kernel.round_trips) * self.round_trip_seconds
    }

    /// What a kernel of so many equal blocks, which takes `seconds` where all processors begin together, takes longer because all
    /// but the first come late. The first takes blocks meanwhile, if need be all of them.
    fn waking(&self, seconds: f64, blocks: f64) -> f64 {
        let Some(waking) = self.waking_seconds else { return 0.0 };
        let processors = f64::from(self.processors);
        let alone = seconds * blocks / (blocks / processors).ceil();
        (alone - seconds).min(waking * (1.0 - 1.0 / blocks.min(processors))).max(0.0)
    }

    /// Theorem 1 for one kernel, in seconds, and its launch.
    fn theorem_seconds(&self, kernel: &Kernel) -> Result<f64, DoesNotFit> {
        let machine = self
            .many_core(kernel.threads, kernel.word_bytes, kernel.operation)
            .map_err(|error| DoesNotFit::Parameter { reason: error.to_string() })?;
        let cost = crate::many_core::Cost::of(kernel, &machine)?;
        let cycles = cost.bound_cycles(self.processors);
        let launch = self.starting(kernel);
        Ok(launch + cycles * self.step_seconds(kernel.threads, kernel.operation))
    }
}

impl fmt::Display for Prediction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {} launches, bound by {}", Seconds(self.seconds), self.launches, self.bound())
    }
}

/// Seconds with the unit that suits them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seconds(pub f64);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (value, unit) = match self.0 {
            s if s >= 1.0 => (s, "s"),
            s if s >= 1e-3 => (s * 1e3, "ms"),
            s if s >= 1e-6 => (s * 1e6, "us"),
            s => (s * 1e9, "ns"),
        };
        let digits = if value >= 100.0 { 0 } else { usize::from(value < 10.0) + 1 };
        f.pad(&format!("{value:.digits$} {unit}"))
    }
}
