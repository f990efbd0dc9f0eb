//! How fast a device's memory and caches move words, in runs long and short, and how long a read takes.

use std::sync::Arc;

use manycore_model::Machine;
use manycore_model::fit::{cache_levels, cache_levels_and_edge};
use manycore_model::machine::{SegmentPart, SegmentRate};

use super::super::CalibrateError;
use super::super::watch::Watch;
use super::{Bench, CHASE, COPY};
use crate::buffer::Buffer;
use crate::error::DeviceError;
use crate::opencl::kernel::Kernel;
use crate::opencl::program::Defines;

impl Bench<'_> {
    /// Bandwidths of whole and short runs, of one compute unit, of caches; the latency of a read.
    pub(super) fn memory(&mut self, watch: &Watch, machine: &mut Machine) -> Result<(), CalibrateError> {
        let copy = self.kernel(&COPY, &Defines::new())?;
        let runs = self.kernel(&COPY, &Defines::new().runs(16))?;
        // Far larger than the caches, of which a CPU may have several of 32 MiB for a few cores.
        let log_count = self.buffer_bytes(if self.gpu { 1 << 28 } else { 1 << 26 }).ilog2() - 4;
        let from = self.device.zeros::<u32>(4 << log_count)?;
        let mut to = self.device.zeros::<u32>(4 << log_count)?;
        let (cl, group, gpu) = (self.cl, self.group, self.gpu);
        let mut run = |log_count: u32, log_segment: u32, log_jump: u32, groups: Option<usize>| {
            let all = (1usize << log_count).div_ceil(4 * group);
            let groups = groups.unwrap_or(all);
            cl.launch(if log_jump == 0 { &copy } else { &runs })
                .input(&from)
                .buffer(&mut to)
                .value(log_count)
                .value(log_segment)
                .value(log_jump)
                .groups(groups, group)
                .run()
        };
        let moved = |log_count: u32| f64::from(2u32) * (16u64 << log_count) as f64;
        let seconds = self.seconds("bandwidth", || run(log_count, 0, 0, None))?;
        machine.bandwidth = moved(log_count) / self.net(seconds);

        machine.segments.clear();
        let log_column = (4 * group).ilog2();
        let log_segments: &[u32] = if gpu { &[0, 1, 2, 3, 4, 6] } else { &[0, 2, 4, 8] };
        // A group takes a column of runs that lie as far apart as possible, the next group its neighbour.
        let log_jump = |log_count: u32, log_segment: u32| {
            let high_bits = log_count - log_segment;
            high_bits - (log_column.saturating_sub(log_segment)).min(high_bits)
        };
        for &log_segment in log_segments {
            let log_jump = log_jump(log_count, log_segment);
            let seconds = self.seconds("segments", || run(log_count, log_segment, log_jump, None))?;
            let rate = moved(log_count) / self.net(seconds);
            machine.segments.push(SegmentRate { bytes: 16 << log_segment, rate: rate.min(machine.bandwidth) });
        }

        let log_alone = log_count.min(if gpu { 21 } else { 20 });
        machine.processor_bandwidth = if gpu {
            let seconds = self.seconds("processor_bandwidth", || run(log_alone, 0, 0, Some(1)))?;
            (moved(log_alone) / self.net(seconds)).min(machine.bandwidth)
        } else {
            // A CPU runs the items of a group one after the other, so that a group alone strides through the memory.
            (2.0 * machine.bandwidth / self.units as f64).min(machine.bandwidth)
        };

        watch.check()?;
        // A CPU's launches vary by as much as a small copy takes.
        let smallest = if gpu { 17 } else { 14 };
        let mut rates = Vec::new();
        for log_part in smallest.min(log_count)..=log_count {
            // The launches' own time is taken off: small footprints take little more.
            let times = (1u32 << (log_count - log_part).min(4)) as f64;
            let seconds = self.seconds("caches", || (0..times as u32).try_for_each(|_| run(log_part, 0, 0, None)))?;
            let net = self.beyond_start(seconds / times).max(seconds / times / 4.0);
            rates.push((2 * (16u64 << log_part), moved(log_part) / net));
        }
        machine.caches = cache_levels(&rates);
        machine.caches.retain(|cache| cache.rate > machine.bandwidth);

        watch.check()?;
        machine.cached_segments.clear();
        // On a GPU, short runs cost a cache what they cost the memory.
        if let Some(cache) = machine.caches.last().filter(|_| !gpu) {
            // Both buffers together are a quarter of the cache.
            let log_part = (cache.bytes / 8 / 16).max(1 << 8).ilog2().min(log_count);
            let mut seconds = |log_segment: u32, log_jump: u32| -> Result<f64, DeviceError> {
                const TIMES: u32 = 8;
                let all = self.seconds("cached_segments", || {
                    (0..TIMES).try_for_each(|_| run(log_part, log_segment, log_jump, None))
                })?;
                Ok(self.beyond_start(all / f64::from(TIMES)).max(all / f64::from(4 * TIMES)))
            };
            let whole = seconds(0, 0)?;
            for &log_segment in log_segments.iter().filter(|log_segment| **log_segment < log_part) {
                let part = whole / seconds(log_segment, log_jump(log_part, log_segment))?;
                machine.cached_segments.push(SegmentPart { bytes: 16 << log_segment, part: part.min(1.0) });
            }
        }
        machine.handover_bandwidth = match machine.caches.last().filter(|_| !gpu && self.units > 1) {
            Some(cache) => Some(self.hand_over(&copy, (cache.bytes / 8 / 16).max(1 << 8).ilog2().min(log_count))?),
            None => None,
        };
        if !gpu {
            // Threads and others share a CPU's cache: what it holds in part counts.
            machine.caches = cache_levels_and_edge(&rates);
            machine.caches.retain(|cache| cache.rate > machine.bandwidth);
        }
        machine.memory_latency_seconds = self.chase()?;
        Ok(())
    }

    /// Bytes a second of copies to and fro of `2^log_count` blocks of 16 bytes, as far as units read what others wrote.
    fn hand_over(&mut self, copy: &Arc<Kernel>, log_count: u32) -> Result<f64, DeviceError> {
        const TIMES: u32 = 4;
        let mut first = self.device.zeros::<u32>(4 << log_count)?;
        let mut second = self.device.zeros::<u32>(4 << log_count)?;
        let (cl, group, units) = (self.cl, self.group, self.units as f64);
        let groups = (1usize << log_count).div_ceil(4 * group);
        let launch = |from: &Buffer<u32>, to: &mut Buffer<u32>| {
            let launch = cl.launch(copy).input(from).buffer(to).value(log_count);
            launch.value(0u32).value(0u32).groups(groups, group).run()
        };
        let forth =
            self.seconds("handover_bandwidth", || (0..2 * TIMES).try_for_each(|_| launch(&first, &mut second)))?;
        let both = self.seconds("handover_bandwidth", || {
            (0..TIMES).try_for_each(|_| launch(&first, &mut second).and_then(|()| launch(&second, &mut first)))
        })?;
        let [own, handed] = [forth, both].map(|seconds| self.beyond_start(seconds / f64::from(2 * TIMES)));
        // Of what it reads a unit wrote as much itself as each other one.
        let all = own + (handed - own).max(0.0) / (1.0 - 1.0 / units);
        Ok(f64::from(2u32) * (16u64 << log_count) as f64 / all)
    }

    /// Seconds from a read to its word, far beyond the caches.
    fn chase(&mut self) -> Result<f64, DeviceError> {
        let kernel = self.kernel(&CHASE, &Defines::new())?;
        let log_len = self.buffer_bytes(if self.gpu { 1 << 27 } else { 1 << 24 }).ilog2() - 2;
        let steps = 1000u32;
        // A full-period congruential walk: 5 mod 8 and odd.
        let next: Vec<u32> = (0..1u32 << log_len)
            .map(|i| i.wrapping_mul(1_664_525).wrapping_add(1_013_904_223) & ((1 << log_len) - 1))
            .collect();
        let next: Buffer<u32> = self.device.upload(&next)?;
        // Each run goes on where the last one ended, so that none finds its words in a cache.
        let mut out = self.device.zeros::<u32>(1)?;
        let cl = self.cl;
        let seconds = self.seconds("memory_latency_seconds", || {
            cl.launch(&kernel).input(&next).buffer(&mut out).value(steps).groups(1, 1).run()
        })?;
        Ok(self.net(seconds) / f64::from(steps))
    }
}
