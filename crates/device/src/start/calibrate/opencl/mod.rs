//! Measures an OpenCL device by microkernels of known cost: launches, arithmetic, local memory; `memory` has the rest, by the clock of `bench`.

mod bench;
mod memory;

use std::time::Instant;

use manycore_model::{Machine, fit};

use self::bench::{Bench, group, power_of_two};
use super::samples::Samples;
use crate::buffer::storage::Buffer;
use crate::device::Device;
use crate::error::DeviceError;
use crate::info::DeviceKind;
use crate::opencl::defines::Defines;
use crate::opencl::executor::OpenCl;
use crate::opencl::kernel::Kernel;
use crate::word::{Word, WordType};

// SAFETY: this folder alone launches them: with a word for each item, and with a tile for each group.
crate::kernel! {
    /// Independent multiply-adds.
    unsafe RATE in manycore_kernels::device::CALIBRATE_RATE:
        calibrate_rate

    /// Multiply-adds that wait for each other.
    unsafe LATENCY in manycore_kernels::device::CALIBRATE_RATE:
        calibrate_latency

    /// Tiles through local memory.
    unsafe TILE in manycore_kernels::device::CALIBRATE_TILE: calibrate_tile
}

/// Multiply-adds of an item in a round of [`RATE`].
const RATE_OPERATIONS: f64 = 128.0;
/// Multiply-adds of an item in a round of [`LATENCY`].
const LATENCY_OPERATIONS: f64 = 16.0;
/// Words of an item of [`TILE`].
const TILE_WORDS: usize = 16;

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
