//! The rates of a device's memory and caches, for long and short runs of words.

use manycore_model::Machine;
use manycore_model::fit::cache_levels;
use manycore_model::machine::SegmentRate;

use super::bench::Bench;
use crate::error::DeviceError;
use crate::opencl::defines::Defines;

// SAFETY: this file alone launches it, with arrays of the power of two in its arguments.
crate::kernel! {
    /// Copies in runs.
    unsafe COPY in manycore_kernels::device::CALIBRATE_MEMORY:
        calibrate_copy
}

impl Bench<'_> {
    /// Bandwidths of long and short runs, of one compute unit, of caches.
    pub(super) fn memory(&mut self, machine: &mut Machine) -> Result<(), DeviceError> {
        let copy = self.cl.kernel(&COPY, &Defines::new())?;
        let short_runs = self.cl.kernel(&COPY, &Defines::new().runs(16))?;
        // Far larger than the caches, of which a CPU may have 32 MiB for a few cores.
        let log_count = self.buffer_bytes(if self.gpu { 1 << 28 } else { 1 << 25 }).ilog2() - 4;
        let from = self.device.zeros::<u32>(4 << log_count)?;
        let mut to = self.device.zeros::<u32>(4 << log_count)?;
        let (cl, group, gpu) = (self.cl, self.group, self.gpu);
        let mut run = |log_count: u32, log_segment: u32, log_jump: u32, groups: Option<usize>| {
            let groups = groups.unwrap_or_else(|| (1usize << log_count).div_ceil(4 * group));
            cl.launch(if log_jump == 0 { &copy } else { &short_runs })
                .input(&from)
                .buffer(&mut to)
                .value(log_count)
                .value(log_segment)
                .value(log_jump)
                .groups(groups, group)
                .run()
        };
        let moved_bytes = |log_count: u32| 2.0 * (16u64 << log_count) as f64;
        let seconds = self.seconds(|| run(log_count, 0, 0, None))?;
        machine.bandwidth = moved_bytes(log_count) / self.net(seconds);

        machine.segments.clear();
        let log_column = (4 * group).ilog2();
        let log_segments: &[u32] = if gpu { &[0, 1, 2, 3, 4, 6] } else { &[0, 2, 4, 8] };
        for &log_segment in log_segments {
            // A group takes a column of runs that lie as far apart as possible, the next group its neighbour.
            let high_bits = log_count - log_segment;
            let log_jump = high_bits - (log_column.saturating_sub(log_segment)).min(high_bits);
            let seconds = self.seconds(|| run(log_count, log_segment, log_jump, None))?;
            let rate = moved_bytes(log_count) / self.net(seconds);
            machine.segments.push(SegmentRate { bytes: 16 << log_segment, rate: rate.min(machine.bandwidth) });
        }

        machine.processor_bandwidth = if gpu {
            let log_alone = log_count.min(21);
            let seconds = self.seconds(|| run(log_alone, 0, 0, Some(1)))?;
            (moved_bytes(log_alone) / self.net(seconds)).min(machine.bandwidth)
        } else {
            // A CPU runs the items of a group one after the other, so that a group alone strides through the memory.
            (2.0 * machine.bandwidth / self.units as f64).min(machine.bandwidth)
        };

        // A CPU's launches vary by as much as a small copy takes.
        let smallest = if gpu { 17 } else { 14 };
        let mut rates = Vec::new();
        for log_part in smallest.min(log_count)..log_count {
            // Small copies take little more than their launches.
            let times = 1u32 << (log_count - log_part).min(4);
            let seconds = self.seconds(|| (0..times).try_for_each(|_| run(log_part, 0, 0, None)))?;
            let once = seconds / f64::from(times);
            let net = (once - self.gap_seconds).max(once / 4.0);
            rates.push((2 * (16u64 << log_part), moved_bytes(log_part) / net));
        }
        rates.push((2 * (16u64 << log_count), machine.bandwidth));
        machine.caches = cache_levels(&rates);
        machine.caches.retain(|cache| cache.rate > machine.bandwidth);
        Ok(())
    }
}
