//! Seconds of a program by a roofline model (Williams, Waterman, Patterson 2009): each kernel takes as long as the
//! busiest of memory, local memory and arithmetic, and its launch.

use std::fmt;

use super::{Machine, Residency};
use crate::many_core::{Cost, DoesNotFit, Kernel, Program};

/// The resource that takes the most of a kernel's time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Bound {
    /// Launches, and the host's round trips to the device.
    Launch,
    /// Transfers between global memory and the processors.
    Memory,
    /// Local memory accesses.
    LocalMemory,
    /// Arithmetic.
    Arithmetic,
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Launch => "launch",
            Self::Memory => "memory",
            Self::LocalMemory => "local memory",
            Self::Arithmetic => "arithmetic",
        })
    }
}

/// The estimated time of one kernel, by resource.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelEstimate {
    /// The kernel's name.
    pub name: String,
    /// Seconds of its launch, and of the host's round trips to the device.
    pub launch: f64,
    /// Seconds of its transfers between global memory and the processors.
    pub memory: f64,
    /// Seconds of its local memory accesses.
    pub local: f64,
    /// Seconds of its operations.
    pub arithmetic: f64,
    /// Seconds in all: the launch, and the longest of transfers, local memory accesses and operations.
    pub seconds: f64,
    /// What limits the blocks that a processor holds at once.
    pub counted: Residency,
}

impl KernelEstimate {
    /// The resource that takes the most of its time.
    pub fn bound(&self) -> Bound {
        let parts = [
            (self.launch, Bound::Launch),
            (self.memory, Bound::Memory),
            (self.local, Bound::LocalMemory),
            (self.arithmetic, Bound::Arithmetic),
        ];
        parts.into_iter().max_by(|a, b| a.0.total_cmp(&b.0)).map_or(Bound::Launch, |(_, bound)| bound)
    }
}

/// The estimated time of a program.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Estimate {
    /// Seconds in all, kernel after kernel: a device runs the launches of one queue in order.
    pub seconds: f64,
    /// Seconds of the same roofline with all processors busy and long runs of memory: each kernel's launch, and the
    /// longest of transfers, local memory accesses and operations at the machine's whole rates. Never more than the
    /// estimate. A kernel without [`Kernel::traffic_words`] counts every thread's words as those of the longest thread.
    pub floor_seconds: f64,
    /// The bound of theorem 1 in seconds (`(N/p + L) C` of each kernel), and the launches.
    pub theorem_seconds: f64,
    /// Launches: kernels but for those that run within the launch of the one before ([`Kernel::fused`]).
    pub launches: u64,
    /// Each kernel's part.
    pub kernels: Vec<KernelEstimate>,
}

impl Estimate {
    /// The estimate of this work, then the other.
    #[must_use]
    pub fn then(mut self, next: Self) -> Self {
        self.seconds += next.seconds;
        self.floor_seconds += next.floor_seconds;
        self.theorem_seconds += next.theorem_seconds;
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
        self.theorem_seconds *= factor;
        self.launches = self.launches.saturating_mul(count);
        for KernelEstimate { launch, memory, local, arithmetic, seconds, .. } in &mut self.kernels {
            for part in [launch, memory, local, arithmetic, seconds] {
                *part *= factor;
            }
        }
        self
    }

    /// The resource that bounds the longest kernel.
    pub fn bound(&self) -> Bound {
        let longest = self.kernels.iter().max_by(|a, b| a.seconds.total_cmp(&b.seconds));
        longest.map_or(Bound::Launch, KernelEstimate::bound)
    }
}

impl Machine {
    /// Seconds that `program` takes on this machine, kernel by kernel, with its data on the device and its kernels
    /// built.
    ///
    /// A kernel of `b` blocks on `p` processors takes
    ///
    /// ```text
    /// launch + round trips * round trip + max(bytes / memory rate, local bytes / local rate, operations / rate)
    /// ```
    ///
    /// with no launch where it is [`Kernel::fused`]. Processors take whole blocks, so that operations and local memory
    /// run at the part `b / (p * ceil(b / p))` of the machine's rate: `p + 1` blocks take as long as `2 p`. Memory
    /// moves at the rate of the smallest cache that holds the footprint, less for short runs
    /// ([`Machine::memory_rate`]), and at most at `min(b, p)` times [`Machine::processor_bandwidth`], which a cache
    /// multiplies by its rate over the bandwidth.
    ///
    /// ```
    /// use manycore_model::{Blocks, Bound, Kernel, Machine, Program};
    /// let machine = Machine::known("NVIDIA H200").ok_or("an unknown device")?;
    /// let mut program = Program::new();
    /// // A copy of 2^30 words of 4 bytes.
    /// program.push(Kernel::new("copy", 256).blocks(Blocks::even(1 << 22, 256, 0, 1, 1)), &[])?;
    /// let estimate = machine.estimate(&program)?;
    /// assert_eq!(estimate.bound(), Bound::Memory);
    /// let expected = machine.launch_seconds + 8.0 * f64::powi(2.0, 30) / machine.bandwidth;
    /// assert!((estimate.seconds - expected).abs() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`DoesNotFit`] for a kernel with more threads or local memory than a block may have, for a kind of operation
    /// that the machine has not, for counts past 2^128, and where the machine's numbers give no finite number of
    /// seconds.
    pub fn estimate(&self, program: &Program) -> Result<Estimate, DoesNotFit> {
        let mut all = Estimate::default();
        for kernel in program.kernels() {
            let (own, floor) = self.roofline(kernel)?;
            all.seconds += own.seconds;
            all.floor_seconds += floor;
            all.theorem_seconds += self.theorem_seconds(kernel)?;
            all.launches += u64::from(!kernel.fused);
            all.kernels.push(own);
        }
        Ok(all)
    }

    /// A kernel's estimate and its floor in seconds.
    fn roofline(&self, kernel: &Kernel) -> Result<(KernelEstimate, f64), DoesNotFit> {
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
        // Rounded counts past 2^53 give no part above 1.
        let uneven = ((blocks / processors).ceil() * processors / blocks).max(1.0);

        let work = kernel.work().ok_or(DoesNotFit::Overflow { quantity: "operations" })? as f64;
        let least_arithmetic = work / rate;
        let arithmetic = least_arithmetic * uneven;

        let accesses = blocks * f64::from(kernel.threads) * kernel.local_accesses as f64;
        let least_local = accesses * f64::from(kernel.word_bytes.max(4)) / self.local_rate(kernel.word_bytes);
        let local = least_local * uneven;

        let bytes = kernel.traffic_bytes() as f64 + kernel.table_bytes() as f64;
        let whole = self.memory_rate(None, kernel.footprint_bytes);
        let least_memory = bytes / whole;
        let of_busy = bytes / (blocks.min(processors) * self.processor_bandwidth * (whole / self.bandwidth));
        let memory = self.seconds_in_runs(kernel).max(of_busy).max(least_memory);

        let launch = self.starting(kernel);
        let seconds = launch + memory.max(local).max(arithmetic);
        let floor = launch + least_memory.max(least_local).max(least_arithmetic);
        let parts = [launch, memory, local, arithmetic, seconds, floor];
        if !parts.into_iter().all(|part| part.is_finite() && part >= 0.0) {
            return Err(DoesNotFit::NotFinite { of: name() });
        }
        let counted = Residency {
            threads: kernel.threads,
            local_bytes: kernel.local_words * u64::from(kernel.word_bytes),
            saturating_threads: self.operation_latency_seconds * rate / processors,
        };
        Ok((KernelEstimate { name: name(), launch, memory, local, arithmetic, seconds, counted }, floor))
    }

    /// Seconds in which all processors move a kernel's reads and writes, which may come in runs of different lengths.
    fn seconds_in_runs(&self, kernel: &Kernel) -> f64 {
        let traffic = kernel.traffic_bytes() as f64;
        let written = traffic * kernel.written_part();
        let read = traffic - written + kernel.table_bytes() as f64;
        let rate = |segment_bytes| self.memory_rate(segment_bytes, kernel.footprint_bytes);
        read / rate(kernel.read_segment_bytes) + written / rate(kernel.write_segment_bytes)
    }

    /// Seconds of a kernel's launch, and of the host's round trips to the device.
    fn starting(&self, kernel: &Kernel) -> f64 {
        let launch = if kernel.fused { 0.0 } else { self.launch_seconds };
        launch + f64::from(kernel.round_trips) * self.round_trip_seconds
    }

    /// Theorem 1 for one kernel, in seconds, and its launch.
    fn theorem_seconds(&self, kernel: &Kernel) -> Result<f64, DoesNotFit> {
        let machine = self
            .many_core(kernel.threads, kernel.word_bytes, kernel.operation)
            .map_err(|error| DoesNotFit::Parameter { reason: error.to_string() })?;
        let cycles = Cost::of(kernel, &machine)?.bound_cycles(self.processors);
        let seconds = self.starting(kernel) + cycles * self.step_seconds(kernel.threads, kernel.operation);
        if !seconds.is_finite() {
            return Err(DoesNotFit::NotFinite { of: kernel.name.clone() });
        }
        Ok(seconds)
    }
}

impl fmt::Display for Estimate {
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
