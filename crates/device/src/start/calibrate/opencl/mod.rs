//! Measures an OpenCL device by microkernels of known cost: launches, arithmetic, local memory; `memory` has the rest.

mod memory;

use std::time::Instant;

use manycore_model::{Machine, fit};

use super::samples::Samples;
use crate::buffer::storage::Buffer;
use crate::device::Device;
use crate::error::DeviceError;
use crate::info::{DeviceInfo, DeviceKind};
use crate::opencl::defines::Defines;
use crate::opencl::executor::OpenCl;
use crate::opencl::kernel::Kernel;
use crate::timing::behind_fills;
use crate::word::{Word, WordType};

// SAFETY: this folder alone launches them: with a word for each item, with arrays of the power of two that a copy is
// told, and with a tile for each group.
crate::kernel! {
    /// Independent multiply-adds.
    unsafe RATE in manycore_kernels::device::CALIBRATE_RATE:
        calibrate_rate

    /// Multiply-adds that wait for each other.
    unsafe LATENCY in manycore_kernels::device::CALIBRATE_RATE:
        calibrate_latency

    /// Copies in runs.
    unsafe COPY in manycore_kernels::device::CALIBRATE_MEMORY:
        calibrate_copy

    /// Tiles through local memory.
    unsafe TILE in manycore_kernels::device::CALIBRATE_TILE: calibrate_tile
}

/// Multiply-adds of an item in a round of [`RATE`].
const RATE_OPERATIONS: f64 = 128.0;
/// Multiply-adds of an item in a round of [`LATENCY`].
const LATENCY_OPERATIONS: f64 = 16.0;
/// Words of an item of [`TILE`].
const TILE_WORDS: usize = 16;

/// Items of the microkernels' groups on a device, a power of two.
fn group(info: &DeviceInfo) -> usize {
    power_of_two(info.group_limit.min(if info.kind == DeviceKind::Cpu { 64 } else { 256 }))
}

/// The largest power of two up to `limit`, at least 1: the kernel of tiles takes no other groups.
fn power_of_two(limit: usize) -> usize {
    1 << limit.max(1).ilog2()
}

/// What is measured, with sizes that suit the kind of device.
struct Bench<'a> {
    device: &'a Device,
    cl: &'a OpenCl,
    samples: &'a mut Samples,
    gpu: bool,
    units: usize,
    group: usize,
    /// Seconds of the device from one launch's end to the next one's begin.
    gap_seconds: f64,
}

/// Replaces the measurable numbers of `machine`, which is typical of the device, by measured ones.
///
/// # Errors
/// [`DeviceError`] when the device fails.
pub(super) fn measure(
    device: &Device,
    cl: &OpenCl,
    machine: &mut Machine,
    samples: &mut Samples,
) -> Result<(), DeviceError> {
    machine.local_bytes = (cl.local_limit_bytes()? as u64).max(1);
    let info = cl.info();
    let (gpu, units) = (info.kind != DeviceKind::Cpu, info.compute_units.max(1) as usize);
    let mut bench = Bench { device, cl, samples, gpu, units, group: group(info), gap_seconds: 0.0 };
    bench.launches(machine)?;
    machine.rates.int32 = bench.rate(5u32, 3u32)?;
    machine.rates.int64 = bench.rate(5u64, 3u64)?;
    machine.rates.f32 = bench.rate(0.5f32, 1.0f32)?;
    machine.rates.f64 = if info.fp64 { bench.rate(0.5f64, 1.0f64)? } else { 0.0 };
    machine.operation_latency_seconds = bench.latency()?;
    bench.memory(machine)?;
    bench.tiles(machine)
}

impl Bench<'_> {
    /// The largest power of two of bytes, up to `wanted`, that is a small part of the memory and that one buffer may
    /// have.
    fn buffer_bytes(&self, wanted: u64) -> u64 {
        let info = self.cl.info();
        1 << wanted.min(info.memory_bytes / 8).min(info.largest_allocation_bytes).max(1 << 16).ilog2()
    }

    /// The median seconds of `work` by the device's clock, after one run that does not count. On GPUs its launches are
    /// queued when the device comes to them: a host that enqueues slower than the device runs would measure itself.
    fn seconds(&mut self, mut work: impl FnMut() -> Result<(), DeviceError>) -> Result<f64, DeviceError> {
        let (device, gpu) = (self.device, self.gpu);
        let found = self.samples.measure(|runs| {
            if gpu && let Some(seconds) = behind_fills(device, 1, runs, &mut work)? {
                return Ok(seconds);
            }
            let mut once = || -> Result<f64, DeviceError> {
                let (done, seconds) = device.elapsed(&mut work)?;
                done.map(|()| seconds)
            };
            once()?;
            (0..runs).map(|_| once()).collect::<Result<Vec<f64>, DeviceError>>()
        })?;
        Ok(found.median)
    }

    /// The least power of two of rounds for which `run` takes long enough to be measured.
    fn long_enough(&self, mut run: impl FnMut(u32) -> Result<(), DeviceError>) -> Result<u32, DeviceError> {
        let wanted = if self.gpu { 3e-4 } else { 1e-3 };
        let mut rounds = 1u32;
        // The first run of a kernel may compile it.
        run(rounds)?;
        loop {
            let (done, seconds) = self.device.elapsed(|| run(rounds))?;
            done?;
            if seconds >= wanted || rounds >= 1 << 20 {
                return Ok(rounds);
            }
            rounds *= if seconds < wanted / 16.0 { 8 } else { 2 };
        }
    }

    /// Seconds of a launch as the host enqueues many in a row, of the device's part of it, and of waiting for one
    /// launch.
    fn launches(&mut self, machine: &mut Machine) -> Result<(), DeviceError> {
        let kernel = self.cl.kernel(&RATE, &Defines::new().element(WordType::U32))?;
        // All units are to be reached, and a CPU's threads woken, as for any kernel that uses them.
        let groups = self.units;
        let mut out = self.device.scratch::<u32>(groups * self.group)?;
        let (cl, group) = (self.cl, self.group);
        let mut launch =
            || cl.launch(&kernel).buffer(&mut out).value(0u32).value(5u32).value(3u32).groups(groups, group).run();
        let many = if self.gpu { 200 } else { 50 };
        let queued = self.seconds(|| (0..many).try_for_each(|_| launch()))?;
        self.gap_seconds = queued / f64::from(many);
        let mut row = |launches: u32| -> Result<f64, DeviceError> {
            let start = Instant::now();
            (0..launches).try_for_each(|_| launch())?;
            cl.finish()?;
            Ok(start.elapsed().as_secs_f64())
        };
        let enqueued = self.samples.measure(|runs| (0..runs).map(|_| row(many)).collect::<Result<_, DeviceError>>())?;
        machine.launch_seconds = enqueued.median / f64::from(many);
        // The system's scheduler has its part in single launches: their spread says nothing of the device.
        let trips = (0..20).map(|_| row(1)).collect::<Result<Vec<f64>, DeviceError>>()?;
        machine.round_trip_seconds = fit::median(trips).unwrap_or(machine.launch_seconds);
        Ok(())
    }

    /// Multiply-adds a second of all compute units.
    fn rate<T: Word>(&mut self, factor: T, term: T) -> Result<f64, DeviceError> {
        let kernel = self.cl.kernel(&RATE, &Defines::new().element(T::TYPE))?;
        let groups = self.units * if self.gpu { 16 } else { 4 };
        let items = groups * self.group;
        let mut out = self.device.scratch::<T>(items)?;
        let seconds = self.per_round(&kernel, &mut out, factor, term, groups, self.group)?;
        Ok(RATE_OPERATIONS * items as f64 / seconds)
    }

    /// Seconds until a 32-bit result can be used.
    fn latency(&mut self) -> Result<f64, DeviceError> {
        let kernel = self.cl.kernel(&LATENCY, &Defines::new().element(WordType::U32))?;
        // A CPU runs the items of a group one after the other.
        let group = if self.gpu { self.group.min(32) } else { 1 };
        let mut out = self.device.scratch::<u32>(group)?;
        Ok(self.per_round(&kernel, &mut out, 5u32, 3u32, 1, group)? / LATENCY_OPERATIONS)
    }

    /// Seconds of a round of [`RATE`] or [`LATENCY`], of as many as take long enough.
    fn per_round<T: Word>(
        &mut self,
        kernel: &Kernel,
        out: &mut Buffer<T>,
        factor: T,
        term: T,
        groups: usize,
        group: usize,
    ) -> Result<f64, DeviceError> {
        let cl = self.cl;
        let mut run = |rounds| {
            cl.launch(kernel).buffer(&mut *out).value(rounds).value(factor).value(term).groups(groups, group).run()
        };
        let rounds = self.long_enough(&mut run)?;
        let seconds = self.seconds(|| run(rounds))?;
        Ok(self.net(seconds) / f64::from(rounds))
    }

    /// Seconds without those of a launch, which are a small part of them.
    fn net(&self, seconds: f64) -> f64 {
        (seconds - self.gap_seconds).max(seconds / 2.0)
    }

    /// The rates of local memory.
    fn tiles(&mut self, machine: &mut Machine) -> Result<(), DeviceError> {
        let limit = machine.local_bytes as usize / size_of::<u32>();
        // A device without local memory keeps what is typical.
        if limit >= TILE_WORDS {
            machine.local_bandwidth = self.tile::<u32>(limit)?;
        }
        if limit >= 2 * TILE_WORDS {
            machine.local_bandwidth_8_bytes = Some(self.tile::<u64>(limit / 2)?);
        }
        Ok(())
    }

    /// Bytes a second through local memory, which holds `limit` words of one type: by what rounds of exchanges add.
    fn tile<T: Word>(&mut self, limit: usize) -> Result<f64, DeviceError> {
        const FEW: u32 = 16;
        const MANY: u32 = 32;
        let group = self.group.min(power_of_two(limit / TILE_WORDS));
        let tile = TILE_WORDS * group;
        let defines = Defines::new().element(T::TYPE).set("GROUP", group).set("LOCAL_WORDS", tile);
        let kernel = self.cl.kernel(&TILE, &defines)?;
        let words = self.buffer_bytes(if self.gpu { 1 << 28 } else { 1 << 22 }) as usize / size_of::<T>();
        let groups = (words / tile).max(1);
        let mut data = self.device.zeros::<T>(groups * tile)?;
        let cl = self.cl;
        let mut run = |rounds: u32| cl.launch(&kernel).buffer(&mut data).value(rounds).groups(groups, group).run();
        let few = self.seconds(|| run(FEW))?;
        let many = self.seconds(|| run(MANY))?;
        let round = ((many - few) / f64::from(MANY - FEW)).max(many / f64::from(2 * MANY));
        Ok((2 * size_of::<T>() * tile * groups) as f64 / round)
    }
}
