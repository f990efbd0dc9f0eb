//! Measures an OpenCL device by microkernels of known cost: launches, arithmetic, local memory; `memory` has the rest.

mod memory;

use std::sync::Arc;
use std::time::{Duration, Instant};

use manycore_model::Machine;
use manycore_model::machine::Operation;

use super::watch::Watch;
use super::{CalibrateError, Noise};
use crate::context::timing::behind_fills;
use crate::device::Device;
use crate::error::DeviceError;
use crate::info::{DeviceInfo, DeviceKind};
use crate::microkernel::Microkernel;
use crate::opencl::OpenCl;
use crate::opencl::kernel::{Kernel, KernelSpec};
use crate::opencl::program::Defines;
use crate::word::{Word, WordType};

crate::kernel! {
    /// Independent multiply-adds.
    RATE in manycore_kernels::CALIBRATE_RATE:
        calibrate_rate(out: buffer<element>, rounds: u32, factor: element, term: element)

    /// Multiply-adds that wait for each other.
    LATENCY in manycore_kernels::CALIBRATE_RATE:
        calibrate_latency(out: buffer<element>, rounds: u32, factor: element, term: element)

    /// Copies in runs.
    COPY in manycore_kernels::CALIBRATE_MEMORY:
        calibrate_copy(from: input<u32>, to: buffer<u32>, log_count: u32, log_segment: u32, log_jump: u32)

    /// Reads that wait for each other.
    CHASE in manycore_kernels::CALIBRATE_MEMORY: calibrate_chase(next: input<u32>, out: buffer<u32>, steps: u32)

    /// Tiles through local memory.
    TILE in manycore_kernels::CALIBRATE_TILE: calibrate_tile(data: buffer<element>, rounds: u32)
}

/// Multiply-adds of an item in a round of [`RATE`].
const RATE_OPERATIONS: f64 = 128.0;
/// Multiply-adds of an item in a round of [`LATENCY`].
const LATENCY_OPERATIONS: f64 = 16.0;
/// Words of an item of [`TILE`].
pub(crate) const TILE_WORDS: usize = 16;
/// Measurements of each number.
const REPEATS: usize = 5;
/// How long after its start a calibration measures again what is unsteady.
const RETRIES_END: Duration = Duration::from_millis(2500);

/// Items of the microkernels' groups on a device, a power of two.
pub(crate) fn group(info: &DeviceInfo) -> usize {
    power_of_two(info.group_limit.min(if info.kind == DeviceKind::Cpu { 64 } else { 256 }))
}

/// The largest power of two up to `limit`, at least 1: the kernel of tiles takes no other groups.
fn power_of_two(limit: usize) -> usize {
    1 << limit.max(1).ilog2()
}

/// What [`TILE`] is built with: a group's items, and its words of local memory, which are of 4 or 8 bytes.
fn tile_defines<T: Word>(group: usize, local_words: usize) -> Defines {
    Defines::new().element(T::TYPE).set("GROUP", group).set("LOCAL_WORDS", local_words)
}

/// Seconds of a microkernel.
pub(crate) fn microkernel(device: &Device, cl: &OpenCl, work: &Microkernel) -> Result<f64, DeviceError> {
    let mut noise = Noise::default();
    let mut bench = Bench::new(device, cl, &mut noise);
    let group = bench.group;
    match *work {
        Microkernel::Move { log_bytes } => {
            let kernel = bench.kernel(&COPY, &Defines::new())?;
            let log_count = log_bytes.max(4) - 4;
            let from = device.zeros::<u32>(4 << log_count)?;
            let mut to = device.zeros::<u32>(4 << log_count)?;
            let groups = (1usize << log_count).div_ceil(4 * group);
            bench.repeated("move", || {
                let launch = cl.launch(&kernel).input(&from).buffer(&mut to);
                launch.value(log_count).value(0u32).value(0u32).groups(groups, group).run()
            })
        }
        Microkernel::MultiplyAdd { rounds, log_items } => {
            let kernel = bench.kernel(&RATE, &Defines::new().element(WordType::F32))?;
            let groups = (1usize << log_items).div_ceil(group);
            let mut out = device.scratch::<f32>(groups * group)?;
            bench.repeated("multiply_add", || {
                cl.launch(&kernel)
                    .buffer(&mut out)
                    .value(rounds)
                    .value(0.5f32)
                    .value(1.0f32)
                    .groups(groups, group)
                    .run()
            })
        }
        Microkernel::Exchange { rounds, log_words } => {
            let defines = tile_defines::<u32>(group, TILE_WORDS * group);
            let kernel = bench.kernel(&TILE, &defines)?;
            let groups = (1usize << log_words).div_ceil(TILE_WORDS * group);
            let mut data = device.zeros::<u32>(groups * TILE_WORDS * group)?;
            bench
                .repeated("exchange", || cl.launch(&kernel).buffer(&mut data).value(rounds).groups(groups, group).run())
        }
    }
}

/// What is measured, with sizes that suit the kind of device.
struct Bench<'a> {
    device: &'a Device,
    cl: &'a OpenCl,
    noise: &'a mut Noise,
    gpu: bool,
    units: usize,
    group: usize,
    launch_seconds: f64,
    waking_seconds: f64,
    start: Instant,
}

pub(super) fn measure(
    device: &Device,
    cl: &OpenCl,
    watch: &Watch,
    machine: &mut Machine,
    noise: &mut Noise,
) -> Result<(), CalibrateError> {
    let mut bench = Bench::new(device, cl, noise);
    let gpu = bench.gpu;

    let local_bytes = cl.local_limit_bytes()? as u64;
    machine.local_bytes = local_bytes.max(1);
    machine.processor_local_bytes = local_bytes.max(1);
    machine.processor_threads = if gpu { machine.block_threads.saturating_mul(2) } else { machine.block_threads };

    bench.launches(machine)?;
    machine.rates.int32 = bench.rate(Operation::Int32, 5u32, 3u32)?;
    machine.rates.int64 = bench.rate(Operation::Int64, 5u64, 3u64)?;
    machine.rates.f32 = bench.rate(Operation::F32, 0.5f32, 1.0f32)?;
    machine.rates.f64 = if cl.info().fp64 { bench.rate(Operation::F64, 0.5f64, 1.0f64)? } else { 0.0 };
    machine.operation_latency_seconds = bench.latency()?;
    watch.check()?;
    bench.memory(watch, machine)?;
    watch.check()?;
    bench.tiles(machine)?;
    watch.check()
}

impl<'a> Bench<'a> {
    fn new(device: &'a Device, cl: &'a OpenCl, noise: &'a mut Noise) -> Self {
        let info = cl.info();
        Self {
            device,
            cl,
            noise,
            gpu: info.kind != DeviceKind::Cpu,
            units: info.compute_units.max(1) as usize,
            group: group(info),
            launch_seconds: 0.0,
            waking_seconds: 0.0,
            start: Instant::now(),
        }
    }

    /// The largest power of two of bytes, up to `wanted`, that is a small part of the memory and that one buffer may have.
    fn buffer_bytes(&self, wanted: u64) -> u64 {
        let info = self.cl.info();
        1 << wanted.min(info.memory_bytes / 8).min(info.largest_allocation_bytes).max(1 << 16).ilog2()
    }

    /// Seconds of one of several launches in a row, as a queue has them.
    fn repeated(
        &mut self,
        name: &'static str,
        mut work: impl FnMut() -> Result<(), DeviceError>,
    ) -> Result<f64, DeviceError> {
        const TIMES: u32 = 4;
        let seconds = self.seconds(name, || (0..TIMES).try_for_each(|_| work()))?;
        Ok(seconds / f64::from(TIMES))
    }

    fn kernel(&self, spec: &'static KernelSpec, defines: &Defines) -> Result<Arc<Kernel>, DeviceError> {
        self.cl.kernel(spec, defines).map(Arc::new)
    }

    /// Seconds of `work` by the device's clock, the median of several, after one run that does not count. On GPUs with its
    /// launches queued: else a host that enqueues slower than the device takes, would measure itself.
    fn seconds(
        &mut self,
        parameter: &'static str,
        mut work: impl FnMut() -> Result<(), DeviceError>,
    ) -> Result<f64, DeviceError> {
        let device = self.device;
        let gpu = self.gpu;
        let mut several = || -> Result<Vec<f64>, DeviceError> {
            if gpu && let Some(values) = behind_fills(device, 1, REPEATS, &mut work)? {
                return Ok(values);
            }
            let mut once = || -> Result<f64, DeviceError> {
                let (done, seconds) = device.elapsed(&mut work)?;
                done.map(|()| seconds)
            };
            once()?;
            (0..REPEATS).map(|_| once()).collect()
        };
        let mut best: Option<(f64, Vec<f64>)> = None;
        // A disturbance passes: what is unsteady is measured again.
        for _ in 0..3 {
            let values = several()?;
            let spread = manycore_model::fit::summary(&values).map_or(f64::INFINITY, |found| found.spread);
            if best.as_ref().is_none_or(|(least, _)| spread < *least) {
                best = Some((spread, values));
            }
            if spread < 0.05 || self.start.elapsed() > RETRIES_END {
                break;
            }
        }
        Ok(best.map_or(f64::NAN, |(_, values)| self.noise.median(parameter, &values)))
    }

    /// The least power of two for which `run` takes long enough to be measured.
    fn long_enough(&self, mut run: impl FnMut(u32) -> Result<(), DeviceError>) -> Result<u32, DeviceError> {
        let wanted = if self.gpu { 3e-4 } else { 3e-3 };
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

    /// What a launch adds in a full queue, how long the host waits for one, and how late a CPU's units come to it.
    fn launches(&mut self, machine: &mut Machine) -> Result<(), DeviceError> {
        let kernel = self.kernel(&RATE, &Defines::new().element(WordType::U32))?;
        // All units are to be reached, and a CPU's threads woken, as for any kernel that uses them.
        let groups = self.units;
        let mut out = self.device.scratch::<u32>(groups * self.group)?;
        let (cl, group) = (self.cl, self.group);
        let mut launch = |rounds: u32| {
            cl.launch(&kernel).buffer(&mut out).value(rounds).value(5u32).value(3u32).groups(groups, group).run()
        };
        let many = if self.gpu { 200 } else { 100 };
        let queued = self.seconds("launch_seconds", || (0..many).try_for_each(|_| launch(0)))?;
        self.launch_seconds = queued / f64::from(many);
        machine.launch_seconds = self.launch_seconds;
        let mut trips = Vec::with_capacity(20);
        for _ in 0..20 {
            let start = Instant::now();
            launch(0)?;
            cl.finish()?;
            trips.push(start.elapsed().as_secs_f64());
        }
        // The system's scheduler has its part in these: their spread says nothing of the device.
        machine.round_trip_seconds = manycore_model::fit::median(trips).unwrap_or(f64::NAN);
        // The groups of a GPU begin together.
        machine.waking_seconds = None;
        if !self.gpu && self.units > 1 {
            // A group for each unit, so long that the last unit has its own: one of twice as long comes as late.
            const FEW: u32 = 8;
            let mut several = |rounds: u32| (0..FEW).try_for_each(|_| launch(rounds));
            let rounds = self.long_enough(&mut several)?;
            let mut least = |rounds| -> Result<f64, DeviceError> {
                let mut least = f64::INFINITY;
                for _ in 0..2 * REPEATS {
                    let (done, seconds) = self.device.elapsed(|| several(rounds))?;
                    done?;
                    least = least.min(seconds / f64::from(FEW));
                }
                Ok(least)
            };
            // A thread may sleep through a launch or two: what that adds does not count.
            let late = 2.0 * least(rounds)? - least(2 * rounds)? - self.launch_seconds;
            self.waking_seconds = late.max(0.0);
            machine.waking_seconds = Some(self.waking_seconds);
        }
        Ok(())
    }

    /// Multiply-adds a second of all compute units.
    fn rate<T: Word>(&mut self, operation: Operation, factor: T, term: T) -> Result<f64, DeviceError> {
        let kernel = self.kernel(&RATE, &Defines::new().element(T::TYPE))?;
        let groups = self.units * if self.gpu { 16 } else { 4 };
        let items = groups * self.group;
        let mut out = self.device.scratch::<T>(items)?;
        let (cl, group) = (self.cl, self.group);
        let mut run = |rounds| {
            cl.launch(&kernel).buffer(&mut out).value(rounds).value(factor).value(term).groups(groups, group).run()
        };
        let rounds = self.long_enough(&mut run)?;
        let seconds = self.seconds(operation.name(), || run(rounds))?;
        Ok(f64::from(rounds) * RATE_OPERATIONS * items as f64 / self.net(seconds))
    }

    /// Seconds until a 32-bit result can be used.
    fn latency(&mut self) -> Result<f64, DeviceError> {
        let kernel = self.kernel(&LATENCY, &Defines::new().element(WordType::U32))?;
        // A CPU runs the items of a group one after the other.
        let group = if self.gpu { self.group.min(32) } else { 1 };
        let mut out = self.device.scratch::<u32>(group)?;
        let cl = self.cl;
        let mut run =
            |rounds| cl.launch(&kernel).buffer(&mut out).value(rounds).value(5u32).value(3u32).groups(1, group).run();
        let rounds = self.long_enough(&mut run)?;
        let seconds = self.seconds("operation_latency_seconds", || run(rounds))?;
        Ok(self.net(seconds) / (f64::from(rounds) * LATENCY_OPERATIONS))
    }

    /// What is left of a time without its launch and without waiting for units that come late, of which both are a small part.
    fn net(&self, seconds: f64) -> f64 {
        self.beyond_start(seconds).max(seconds / 2.0)
    }

    /// What is left of a launch of many groups: the seconds that all units take which begin together.
    fn beyond_start(&self, seconds: f64) -> f64 {
        let units = self.units as f64;
        let left = seconds - self.launch_seconds;
        if left > self.waking_seconds { left - self.waking_seconds * (1.0 - 1.0 / units) } else { left / units }
    }

    /// The rate of local memory, and how much of transfer and computation overlaps.
    fn tiles(&mut self, machine: &mut Machine) -> Result<(), DeviceError> {
        let limit = machine.local_bytes as usize / 4;
        if limit < TILE_WORDS {
            // A device without local memory keeps what is typical.
            return Ok(());
        }
        let group = self.group.min(power_of_two(limit / TILE_WORDS));
        let (local_bandwidth, shared) = self.tile::<u32>(group, TILE_WORDS * group)?;
        machine.local_bandwidth = local_bandwidth;
        machine.overlap_shared = shared;
        machine.overlap_alone = shared;
        if limit >= 2 * TILE_WORDS {
            let group = self.group.min(power_of_two(limit / (2 * TILE_WORDS)));
            machine.local_bandwidth_8_bytes = Some(self.tile::<u64>(group, TILE_WORDS * group)?.0);
        }
        if self.gpu {
            let most = power_of_two(self.cl.info().group_limit.min(1024).min(limit / TILE_WORDS));
            // One group keeps all local memory. Should the compiler want more registers than that leaves, less is known.
            machine.overlap_alone = self.tile::<u32>(most, limit).map_or(shared / 2.0, |(_, alone)| alone.min(shared));
        }
        Ok(())
    }

    /// Bytes a second through local memory in words of one type, and the part of the shorter of transfer and computation
    /// that is hidden.
    fn tile<T: Word>(&mut self, group: usize, local_words: usize) -> Result<(f64, f64), DeviceError> {
        let kernel = self.kernel(&TILE, &tile_defines::<T>(group, local_words))?;
        let words = self.buffer_bytes(if self.gpu { 1 << 28 } else { 1 << 24 }) as usize / size_of::<T>();
        let groups = (words / (TILE_WORDS * group)).max(1);
        let mut data = self.device.zeros::<T>(groups * TILE_WORDS * group)?;
        let cl = self.cl;
        let mut run = |rounds: u32| cl.launch(&kernel).buffer(&mut data).value(rounds).groups(groups, group).run();
        let moving = self.seconds("local_bandwidth", || run(0))?;
        let few = self.seconds("local_bandwidth", || run(16))?;
        let many = self.seconds("local_bandwidth", || run(32))?;
        let round = ((many - few) / 16.0).max(many / 1000.0);
        let bytes = (2 * size_of::<T>() * TILE_WORDS * group * groups) as f64;
        // As many rounds as take about as long as the transfer.
        let rounds = (moving / round).round().clamp(1.0, 64.0);
        let both = self.seconds("overlap", || run(rounds as u32))?;
        let computing = rounds * round;
        let hidden = (moving + computing - both) / moving.min(computing);
        Ok((bytes / round, hidden.clamp(0.0, 1.0)))
    }
}
