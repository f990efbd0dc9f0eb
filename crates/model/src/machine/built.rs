//! Seconds of a program once its kernels are built: register spills are memory traffic, and registers and local memory limit the
//! groups that a processor holds at once (occupancy: Volkov, *Better Performance at Lower Occupancy*, GTC 2010).

use super::{Estimate, KernelEstimate, Machine};

/// Accesses of a spilled byte in a run of its work-item, at least: it is written once and read once.
const SPILL_ACCESSES: f64 = 2.0;

/// Blocks that a processor holds at once, as counted before a kernel is built.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Residency {
    /// Threads of a block.
    pub threads: u32,
    /// Bytes of local memory of a block.
    pub local_bytes: u64,
    /// Threads with which a processor does operations at its whole rate, one operation of each under way: the latency of an
    /// operation times the processor's rate. 0 where the number of threads does not matter.
    pub saturating_threads: f64,
}

/// Launches of a kernel that a compiler has built, alike in their facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuiltKernel {
    /// The kernel's name.
    pub name: &'static str,
    /// Groups of all launches together.
    pub groups: u64,
    /// Work-items of a group.
    pub group: u64,
    /// Bytes of memory that a work-item has for what does not fit its registers (`CL_KERNEL_PRIVATE_MEM_SIZE`).
    pub private_bytes: u64,
    /// Bytes of local memory of a group (`CL_KERNEL_LOCAL_MEM_SIZE`).
    pub local_bytes: u64,
    /// Work-items of the largest group that it can be launched with (`CL_KERNEL_WORK_GROUP_SIZE`): by its registers fewer than the
    /// device's limit. 0 where that is not known.
    pub group_limit: u64,
}

impl BuiltKernel {
    fn items(&self) -> f64 {
        self.groups as f64 * self.group as f64
    }

    /// Threads that a processor holds at once: whole groups, by local memory and by registers. `None` where neither limits them.
    fn resident_threads(&self, machine: &Machine) -> Option<f64> {
        let by_local = machine.local_bytes.checked_div(self.local_bytes);
        // A limit below the machine's is what its registers leave room for.
        let is_limited = self.group_limit > 0 && self.group_limit < u64::from(machine.block_threads);
        let by_registers = is_limited.then(|| self.group_limit / self.group.max(1));
        let groups = [by_local, by_registers].into_iter().flatten().min()?;
        // It was launched.
        Some((groups.max(1) * self.group.max(1)) as f64)
    }

    /// Seconds in which all work-items write and read what they spilled: at the rate of the smallest cache that holds the spills of
    /// the work-items that run at once.
    fn spill_seconds(&self, machine: &Machine) -> f64 {
        if self.private_bytes == 0 {
            return 0.0;
        }
        let held = self.resident_threads(machine).unwrap_or_else(|| f64::from(machine.block_threads));
        let at_once = (held * f64::from(machine.processors)).min(self.items());
        let footprint = (at_once * self.private_bytes as f64) as u64;
        SPILL_ACCESSES * self.items() * self.private_bytes as f64 / machine.memory_rate(None, Some(footprint))
    }
}

/// The part of a processor's rate that `threads` threads reach, with one operation of each in flight.
fn reached(threads: f64, saturating_threads: f64) -> f64 {
    if saturating_threads > threads { threads / saturating_threads } else { 1.0 }
}

/// The slowdown of counted operations whose latency only `saturating_threads` threads would hide.
fn slowed(counted: Residency, built: &BuiltKernel, machine: &Machine, saturating_threads: f64) -> f64 {
    let Some(threads) = built.resident_threads(machine) else { return 1.0 };
    let local = machine.local_bytes.checked_div(counted.local_bytes).unwrap_or(u64::MAX).max(1);
    let planned = local as f64 * f64::from(counted.threads.max(1));
    (reached(planned, saturating_threads) / reached(threads, saturating_threads)).max(1.0)
}

/// Seconds that kernels of an estimate take longer than estimated, with the launches that they were built into. Without a common
/// name what was counted for a block is not known, and only spills count.
fn added(kernels: &[&KernelEstimate], built: &[&BuiltKernel], machine: &Machine, is_named: bool) -> f64 {
    let sum = |part: fn(&KernelEstimate) -> f64| kernels.iter().map(|kernel| part(kernel)).sum::<f64>();
    let [memory, local, arithmetic] = [sum(|k| k.memory), sum(|k| k.local), sum(|k| k.arithmetic)];
    let spilled: f64 = built.iter().map(|kernel| kernel.spill_seconds(machine)).sum();
    let items: f64 = built.iter().map(|kernel| kernel.items()).sum();
    let (mut slow_operations, mut slow_local) = (1.0, 1.0);
    if let Some(first) = kernels.first().filter(|_| is_named && items > 0.0) {
        let words = machine.local_bandwidth / 4.0 / f64::from(machine.processors);
        let hidden = machine.local_latency_seconds() * words;
        let mean = |saturating_threads: f64| -> f64 {
            let part =
                |kernel: &&BuiltKernel| slowed(first.counted, kernel, machine, saturating_threads) * kernel.items();
            built.iter().map(part).sum::<f64>() / items
        };
        (slow_operations, slow_local) = (mean(first.counted.saturating_threads), mean(hidden));
    }
    let counted = memory.max(local).max(arithmetic);
    let found = (memory + spilled).max(local * slow_local).max(arithmetic * slow_operations);
    (found - counted).max(0.0)
}

impl Estimate {
    /// Seconds on `machine` of the program that this is the estimate of, once its kernels are built and it was run: never fewer than
    /// estimated.
    ///
    /// Spilled bytes are written and read once at least by each work-item, which is traffic of the kernel's memory. Where a processor
    /// holds fewer work-items than the counted local memory leaves room for, by the local memory of a built group or by its
    /// registers, operations and accesses to local memory run at the rate that the work-items reach with one operation of each under
    /// way, as in [`Machine::step_seconds`]. Kernels count by name; launches whose name the estimate does not have count with those
    /// of its kernels that were not launched by name. Takes time linear in kernels times launches.
    ///
    /// ```
    /// use manycore_model::{Blocks, BuiltKernel, Kernel, Machine, Program};
    /// let machine = Machine::known("NVIDIA H200").ok_or("an unknown device")?;
    /// let mut program = Program::new();
    /// program.push(Kernel::new("copy", 256).blocks(Blocks::even(1 << 22, 256, 0, 1, 1)), &[])?;
    /// let estimate = machine.estimate(&program)?;
    /// let mut built = BuiltKernel {
    ///     name: "copy", groups: 1 << 22, group: 256, private_bytes: 0, local_bytes: 0, group_limit: 1024,
    /// };
    /// assert_eq!(estimate.seconds_when_built(&machine, &[built.clone()]), estimate.seconds);
    /// built.private_bytes = 64; // 16 times what the kernel reads
    /// assert!(estimate.seconds_when_built(&machine, &[built]) > 8.0 * estimate.seconds);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn seconds_when_built(&self, machine: &Machine, built: &[BuiltKernel]) -> f64 {
        let mut names: Vec<&str> = built.iter().map(|kernel| kernel.name).collect();
        names.sort_unstable();
        names.dedup();
        let is_launched = |kernel: &&KernelEstimate| names.binary_search(&kernel.name.as_str()).is_ok();
        let (mut seconds, mut nameless) = (self.seconds, Vec::new());
        for name in &names {
            let own: Vec<&BuiltKernel> = built.iter().filter(|kernel| kernel.name == *name).collect();
            let kernels: Vec<&KernelEstimate> = self.kernels.iter().filter(|kernel| kernel.name == *name).collect();
            if kernels.is_empty() {
                nameless.extend(own);
            } else {
                seconds += added(&kernels, &own, machine, true);
            }
        }
        let others: Vec<&KernelEstimate> = self.kernels.iter().filter(|kernel| !is_launched(kernel)).collect();
        seconds += added(&others, &nameless, machine, false);
        if seconds.is_finite() { seconds } else { self.seconds }
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // the numbers are exact
mod tests {
    use super::*;
    use crate::machine::{Class, ExecutionModel};
    use crate::many_core::{Blocks, Kernel, Program};

    /// 10 processors of 256 threads a group and 64 KB, with operations of 4 s at 8 a second and processor: 32 threads hide their
    /// latency; local memory of 28 s at 16 words: 448 threads do. Memory of 1000 bytes a second.
    fn machine() -> Machine {
        let class = Class {
            name: "a GPU".into(),
            vendor: String::new(),
            processors: 10,
            clock_hz: 1,
            local_bytes: 1 << 16,
            block_threads: 256,
            fp64: false,
        };
        let mut machine = class.gpu();
        machine.operation_latency_seconds = 4.0;
        machine.rates.int32 = 80.0;
        machine.local_bandwidth = 640.0;
        (machine.bandwidth, machine.processor_bandwidth) = (1000.0, 1000.0);
        (machine.segments, machine.caches) = (Vec::new(), Vec::new());
        machine.launch_seconds = 1.0;
        assert_eq!(machine.execution_model, ExecutionModel::Gpu);
        machine
    }

    /// 100 groups of 64 threads with 8 operations each: 51200 operations in 640 s.
    fn estimate(name: &str, local_words: u64, reads: u64) -> Estimate {
        let kernel = Kernel::new(name, 64).blocks(Blocks::even(100, 64, 8, reads, 0)).local_words(local_words);
        let mut program = Program::new();
        program.queue(kernel).unwrap();
        machine().estimate(&program).unwrap()
    }

    fn built(name: &'static str) -> BuiltKernel {
        BuiltKernel { name, groups: 100, group: 64, private_bytes: 0, local_bytes: 0, group_limit: 256 }
    }

    #[test]
    fn facts_as_counted_change_nothing() {
        let estimate = estimate("k", 1 << 12, 1);
        assert_eq!(estimate.seconds, 641.0);
        let as_counted = BuiltKernel { local_bytes: 1 << 14, ..built("k") };
        assert_eq!(estimate.seconds_when_built(&machine(), &[as_counted]), 641.0);
        assert_eq!(estimate.seconds_when_built(&machine(), &[]), 641.0);
        assert_eq!(Estimate::default().seconds_when_built(&machine(), &[built("k")]), 0.0);
    }

    #[test]
    fn spills_are_traffic_of_their_kernel() {
        // 25.6 s of reads; 6400 items with 40 spilled bytes each way: 512 s more, which hide behind 640 s of operations; with 80
        // bytes 1024 s do not.
        let estimate = estimate("k", 0, 1);
        let seconds = |private_bytes, name| {
            estimate.seconds_when_built(&machine(), &[BuiltKernel { private_bytes, ..built(name) }])
        };
        assert_eq!(seconds(40, "k"), 641.0);
        assert!((seconds(80, "k") - (1.0 + 25.6 + 1024.0)).abs() < 1e-9);
        // Of another name: the traffic of what has no name in common.
        assert_eq!(seconds(80, "other"), seconds(80, "k"));
    }

    #[test]
    fn spills_that_a_cache_holds_run_at_its_rate() {
        let mut cached = machine();
        // 256 threads of 10 processors with 80 bytes each.
        cached.caches = vec![crate::machine::CacheLevel { bytes: 2560 * 80, rate: 2000.0 }];
        let estimate = estimate("k", 0, 0);
        let seconds =
            |private_bytes| estimate.seconds_when_built(&cached, &[BuiltKernel { private_bytes, ..built("k") }]);
        assert_eq!(seconds(80), 641.0, "512 s of a cache");
        assert_eq!(seconds(160), 1.0 + 2048.0, "too many for it");
    }

    #[test]
    fn fewer_resident_groups_than_counted_hide_less_latency() {
        // Counted: 4 groups of 64 threads. Operations run at their whole rate from 32 threads on.
        let counted = estimate("k", 1 << 12, 1);
        let mut slow = machine();
        slow.operation_latency_seconds = 16.0; // 128 threads
        let program = {
            let kernel = Kernel::new("k", 64).blocks(Blocks::even(100, 64, 8, 1, 0)).local_words(1 << 12);
            let mut program = Program::new();
            program.queue(kernel).unwrap();
            program
        };
        let on_slow = slow.estimate(&program).unwrap();
        let one_group = BuiltKernel { local_bytes: 1 << 16, ..built("k") };
        assert_eq!(counted.seconds_when_built(&machine(), std::slice::from_ref(&one_group)), 641.0);
        assert_eq!(on_slow.seconds_when_built(&slow, &[one_group]), 1.0 + 2.0 * 640.0);
        let by_registers = BuiltKernel { group_limit: 100, ..built("k") };
        assert_eq!(on_slow.seconds_when_built(&slow, &[by_registers]), 1.0 + 2.0 * 640.0);
        // Two groups are enough, and the machine's own limit says nothing.
        for group_limit in [128, 256, 0] {
            let enough = BuiltKernel { group_limit, ..built("k") };
            assert_eq!(on_slow.seconds_when_built(&slow, &[enough]), 641.0, "{group_limit}");
        }
        // Half of the items in kernels of each kind.
        let halves =
            [BuiltKernel { groups: 50, ..built("k") }, BuiltKernel { groups: 50, group_limit: 64, ..built("k") }];
        assert_eq!(on_slow.seconds_when_built(&slow, &halves), 1.0 + 1.5 * 640.0);
    }

    #[test]
    fn local_memory_is_slowed_by_its_own_latency() {
        let kernel =
            Kernel::new("k", 64).blocks(Blocks::even(100, 64, 0, 0, 0)).local_accesses(20).local_words(1 << 12);
        let mut program = Program::new();
        program.queue(kernel).unwrap();
        let estimate = machine().estimate(&program).unwrap();
        // 128000 words of 4 bytes at 640 a second, with 4 groups of 64 threads of the 448 that hide the latency.
        assert_eq!(estimate.seconds, 1.0 + 800.0);
        let one_group = BuiltKernel { local_bytes: 1 << 15 | 1, ..built("k") };
        assert_eq!(estimate.seconds_when_built(&machine(), &[one_group]), 1.0 + 4.0 * 800.0);
    }
}
