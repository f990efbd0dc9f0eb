//! Measures the host by loops of known cost on the pool's threads.

use std::convert::Infallible;
use std::hint::black_box;
use std::time::Instant;

use manycore_model::Machine;
use manycore_model::fit::cache_levels;
use manycore_model::machine::SegmentRate;

use super::loops::{CHASES, Lane, add_one, chases, turns};
use super::samples::Samples;
use crate::error::DeviceError;
use crate::host::HostPool;
use crate::host::memory::HostMemory;

/// Values of a rate's loop, at most: eight vectors of 64 bytes of 4-byte values. Fewer are tried too.
const LANES: usize = 128;
/// Seconds of a run of a rate's loop, at least: many times a thread's wake-up.
const LEAST_RUN_SECONDS: f64 = 5e-4;
/// Seconds of a thread's part of a step where the launch of the step is measured, and twice as long: enough that awake
/// threads come to it.
const LAUNCH_PART_SECONDS: f64 = 5e-6;
/// Steps in a row where the launch is measured.
const LAUNCH_STEPS: usize = 200;
/// The least launch: a step on the caller alone.
const LEAST_LAUNCH_SECONDS: f64 = 1e-7;
/// Bytes that a thread updates in a run of a loop over an array, at least.
const UPDATED_BYTES: usize = 1 << 24;
/// The base-2 logarithm of the bytes that all threads together touch, where the memory is large enough.
const LOG_MOST_BYTES: u32 = 30;
/// The binary logarithm of the most bytes of a measurement with one thread.
const LOG_MOST_BYTES_ALONE: u32 = 27;
/// The base-2 logarithm of the smallest array of a thread: within a core's first cache.
const LOG_LEAST_BYTES: u32 = 14;

/// Bytes of a core's own cache, where the system gives them; else 0.
pub(super) fn core_cache_bytes() -> u64 {
    let read = |file: &str| std::fs::read_to_string(format!("/sys/devices/system/cpu/cpu0/cache/index2/{file}")).ok();
    let size = read("size").unwrap_or_default();
    let size = size.trim();
    let (digits, unit) = size.split_at(size.trim_end_matches(|c: char| c.is_ascii_alphabetic()).len());
    let unit = match unit {
        "K" => 1 << 10,
        "M" => 1 << 20,
        _ => 1,
    };
    digits.parse::<u64>().map_or(0, |count| count.saturating_mul(unit))
}

/// Replaces the measurable numbers of `machine`, which is typical of the host, by measured ones.
///
/// # Errors
/// [`DeviceError::OutOfMemory`] where the host has no memory for the arrays.
pub(super) fn measure(pool: &HostPool, machine: &mut Machine, samples: &mut Samples) -> Result<(), DeviceError> {
    let threads = pool.threads();
    let mut bench = Bench { pool, samples, threads, launch_seconds: 0.0 };
    machine.processors = threads.try_into().unwrap_or(u32::MAX);
    machine.launch_seconds = bench.launch();
    machine.round_trip_seconds = machine.launch_seconds;
    machine.rates.int32 = bench.rate(3u32);
    machine.rates.int64 = bench.rate(3u64);
    machine.rates.f32 = bench.rate(3f32);
    machine.rates.f64 = bench.rate(3f64);
    machine.rates.scalar = Some(bench.look_ups());
    // Out-of-order cores compute several chains of operations at once: the rate includes the latency.
    machine.operation_latency_seconds = 0.0;
    machine.clock_hz = machine.rates.int32 / f64::from(machine.processors);

    // Far larger than the caches, and a small part of the memory.
    let log_memory = pool.info().memory_bytes.max(1).ilog2().saturating_sub(3);
    let log_each = |most: u32, threads: usize| {
        most.min(log_memory).saturating_sub(threads.ilog2()).clamp(LOG_LEAST_BYTES, LOG_MOST_BYTES_ALONE)
    };
    let log_largest = log_each(LOG_MOST_BYTES, threads);
    let mut arrays = bench.arrays(1 << log_largest, threads)?;
    let mut rates = Vec::new();
    for log_bytes in LOG_LEAST_BYTES..=log_largest {
        rates.push(((1u64 << log_bytes) * threads as u64, bench.update(&mut arrays, 1 << log_bytes)));
    }
    machine.bandwidth = rates.last().map_or(f64::NAN, |(_, rate)| *rate);
    // Of many threads each has less than one alone is measured with.
    let log_alone = log_each(LOG_MOST_BYTES_ALONE, 1);
    if log_alone > log_largest {
        arrays.clear();
        arrays = bench.arrays(1 << log_alone, 1)?;
    }
    machine.processor_bandwidth = bench.update(&mut arrays[..1], 1 << log_alone).min(machine.bandwidth);
    drop(arrays);
    machine.caches = cache_levels(&rates);
    machine.caches.retain(|cache| cache.rate > machine.bandwidth);
    machine.local_bandwidth = machine.caches.first().map_or(machine.bandwidth, |cache| cache.rate);
    machine.local_bandwidth_8_bytes = Some(machine.local_bandwidth);
    let mut data = bench.arrays(1 << 26, 1)?;
    machine.segments = [64, 256, 1024, 4096]
        .into_iter()
        .map(|bytes| SegmentRate {
            bytes: bytes as u64,
            rate: bench.strided(&mut data[0], bytes).min(machine.bandwidth),
        })
        .collect();
    Ok(())
}

struct Bench<'a> {
    pool: &'a HostPool,
    samples: &'a mut Samples,
    threads: usize,
    /// Seconds of setting all threads to a step; 0 before it is known.
    launch_seconds: f64,
}

impl Bench<'_> {
    /// The least seconds of `work` of several runs, after one that does not count: other work on the machine only adds.
    fn seconds(&mut self, mut work: impl FnMut()) -> f64 {
        work();
        let mut once = || {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64()
        };
        let Ok(found) = self.samples.measure(|runs| Ok::<_, Infallible>((0..runs).map(|_| once()).collect()));
        found.least
    }

    /// Seconds of `work` without those of setting all threads to it.
    fn beyond_launch(&mut self, work: impl FnMut()) -> f64 {
        let seconds = self.seconds(work);
        (seconds - self.launch_seconds).max(seconds / 2.0)
    }

    /// Seconds of the launch of a step: until awake threads have heard of it, and the caller of the last one's end.
    /// Steps follow each other, so that no thread sleeps; steps of twice the work show the time of the work. Of the
    /// steps in a row the first decile counts, and of the rows the least: others wait for the system's scheduler.
    fn launch(&mut self) -> f64 {
        let team = self.pool.team();
        let threads = team.threads();
        let part = {
            const SOME: usize = 1_000;
            let alone = self.seconds(|| {
                black_box(turns(black_box([3f32; LANES]), SOME));
            });
            (LAUNCH_PART_SECONDS / alone * SOME as f64).ceil() as usize
        };
        let step = |work: usize| {
            let start = Instant::now();
            team.each(0..threads, |_| {
                black_box(turns(black_box([3f32; LANES]), work));
            });
            start.elapsed().as_secs_f64()
        };
        let steps = |work: usize| {
            let mut seconds: Vec<f64> = (0..LAUNCH_STEPS).map(|_| step(work)).collect();
            seconds.sort_by(f64::total_cmp);
            seconds[LAUNCH_STEPS / 10]
        };
        let mut seconds = |work: usize| {
            steps(work);
            let Ok(found) = self.samples.measure(|runs| Ok::<_, Infallible>((0..runs).map(|_| steps(work)).collect()));
            found.least
        };
        let (once, twice) = (seconds(part), seconds(2 * part));
        self.launch_seconds = (2.0 * once - twice).max(LEAST_LAUNCH_SECONDS);
        self.launch_seconds
    }

    /// Multiply-adds a second of all threads, with as many lanes as suit the processor's registers best.
    fn rate<T: Lane>(&mut self, start: T) -> f64 {
        let few = self.rate_of([start; LANES / 2]);
        let some = self.rate_of([start; LANES / 4 * 3]);
        few.max(some).max(self.rate_of([start; LANES]))
    }

    fn rate_of<T: Lane, const N: usize>(&mut self, start: [T; N]) -> f64 {
        N as f64
            * self.turns_per_second(|_, rounds| {
                black_box(turns(black_box(start), rounds));
            })
    }

    /// Look-ups a second of all threads, each in a table in its nearest cache.
    fn look_ups(&mut self) -> f64 {
        CHASES as f64
            * self.turns_per_second(|thread, rounds| {
                black_box(chases(black_box(thread as u32), rounds));
            })
    }

    /// Turns a second of a loop, which `run` does for a thread and a number of turns, of all threads together.
    fn turns_per_second(&mut self, run: impl Fn(usize, usize) + Sync) -> f64 {
        const MOST: usize = 1 << 24;
        let (pool, threads) = (self.pool, self.threads);
        let all = |rounds: usize| pool.team().each(0..threads, |thread| run(thread, rounds));
        let mut rounds = 1 << 10;
        loop {
            let start = Instant::now();
            all(rounds);
            if start.elapsed().as_secs_f64() > LEAST_RUN_SECONDS || rounds >= MOST {
                break;
            }
            rounds *= 2;
        }
        (rounds * threads) as f64 / self.beyond_launch(|| all(rounds))
    }

    /// An array for each of `count` threads, first touched by one of them.
    ///
    /// # Errors
    /// [`DeviceError`] where the memory does not have them all.
    fn arrays(&self, bytes: usize, count: usize) -> Result<Vec<HostMemory<u32>>, DeviceError> {
        let mut arrays: Vec<Result<HostMemory<u32>, DeviceError>> = (0..count).map(|_| HostMemory::new(0)).collect();
        self.pool.team().each(arrays.iter_mut().enumerate(), |(i, array)| {
            *array = HostMemory::new(bytes / 4).map(|mut memory| {
                memory.fill(1 + i as u32);
                memory
            });
        });
        arrays.into_iter().collect()
    }

    /// Bytes a second, read and written together, of threads that each update the first `bytes` of an array in place.
    fn update(&mut self, arrays: &mut [HostMemory<u32>], bytes: usize) -> f64 {
        let (turns, threads) = ((UPDATED_BYTES / bytes).max(1), arrays.len());
        let pool = self.pool;
        let seconds = self.beyond_launch(|| {
            pool.team().each(&mut *arrays, |array| {
                for _ in 0..turns {
                    add_one(black_box(&mut array[..bytes / 4]));
                }
            });
        });
        (2 * bytes * turns * threads) as f64 / seconds
    }

    /// Bytes a second, read and written together, where all threads update runs of `run` bytes that lie far apart.
    fn strided(&mut self, data: &mut [u32], run: usize) -> f64 {
        let rows = 1usize << 10;
        let (words, run) = (data.len(), run / 4);
        let row = words / rows;
        // Each task takes the same columns of every row, run by run.
        let mut columns: Vec<Vec<&mut [u32]>> = (0..row / run).map(|_| Vec::with_capacity(rows)).collect();
        for row in data.chunks_exact_mut(row) {
            for (part, column) in row.chunks_exact_mut(run).zip(&mut columns) {
                column.push(part);
            }
        }
        let pool = self.pool;
        let seconds = self.beyond_launch(|| {
            pool.team().each(&mut columns, |column| column.iter_mut().for_each(|part| add_one(part)));
        });
        (2 * words * size_of::<u32>()) as f64 / seconds
    }
}
