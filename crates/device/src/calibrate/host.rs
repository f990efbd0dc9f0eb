//! Measures the host by loops of known cost on the pool's threads.

use std::hint::black_box;
use std::time::{Duration, Instant};

use manycore_model::Machine;
use manycore_model::fit::cache_levels;
use manycore_model::machine::{Operation, SegmentRate};

use super::loops::{CHASES, Lane, add_one, chases, sum, turns};
use super::watch::Watch;
use super::{CalibrateError, Noise};
use crate::error::DeviceError;
use crate::host::{HostMemory, HostPool};
use crate::microkernel::Microkernel;

/// Measurements of each number.
const REPEATS: usize = 5;
/// Values of a rate's loop: eight vectors of 64 bytes of 4-byte values; half as many are tried too.
pub(crate) const LANES: usize = 128;
/// Turns of a rate's loop: many times what waking a thread takes, which is 50 us on some virtual machines.
const TURNS: usize = 200_000;
/// Turns of a thread's part of a step where the step's launch is measured, and twice as many: about 10 us.
pub(super) const LAUNCH_TURNS: usize = 1_000;
/// The least that a launch is taken for: what a step on the caller alone takes.
const LEAST_LAUNCH_SECONDS: f64 = 1e-7;
/// Bytes that a loop over an array updates in turns.
const UPDATED_BYTES: usize = 1 << 26;
/// The base-2 logarithm of the bytes that all threads together touch, where the memory is large enough.
const LOG_MOST_BYTES: u32 = 30;
/// The same of one thread.
const LOG_MOST_BYTES_ALONE: u32 = 27;
/// The base-2 logarithm of the bytes that a thread hands over to another: they fit its own cache.
const LOG_HANDED_BYTES: u32 = 17;
/// How long after its start a calibration measures again what is unsteady, and measures as often as it does at first.
const RETRIES_END: Duration = Duration::from_millis(2500);
/// Measurements of each number after that: systems whose caches are large beside their bandwidth take longest.
const LATE_REPEATS: usize = 3;

/// Bytes of a core's own cache where the system tells it; 0 elsewhere.
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

pub(super) fn measure(
    pool: &HostPool,
    watch: &Watch,
    machine: &mut Machine,
    noise: &mut Noise,
) -> Result<(), CalibrateError> {
    let threads = pool.threads();
    let mut bench = Bench::new(pool, noise);
    machine.processors = threads.try_into().unwrap_or(u32::MAX);
    machine.launch_seconds = bench.launch();
    machine.round_trip_seconds = machine.launch_seconds;
    machine.rates.int32 = bench.rate(Operation::Int32, 3u32, threads);
    machine.rates.int64 = bench.rate(Operation::Int64, 3u64, threads);
    machine.rates.f32 = bench.rate(Operation::F32, 3f32, threads);
    machine.rates.f64 = bench.rate(Operation::F64, 3f64, threads);
    let scalar = bench.look_ups(threads);
    machine.rates.scalar = Some(scalar);
    machine.lone_speedup = if threads > 1 { bench.lone_speedup(machine.rates.int32, scalar) } else { 1.0 };
    // A thread's operations are counted as if each waited for nothing: the rate tells it all.
    machine.operation_latency_seconds = 0.0;
    machine.clock_hz = machine.rates.int32 / f64::from(machine.processors);
    watch.check()?;

    // Far larger than the caches, and a small part of the memory.
    let log_memory = pool.info().memory_bytes.max(1).ilog2().saturating_sub(3);
    let log_each = |most: u32, threads: usize| {
        most.min(log_memory).saturating_sub(threads.ilog2()).clamp(14, LOG_MOST_BYTES_ALONE)
    };
    let log_largest = log_each(LOG_MOST_BYTES, threads);
    let mut arrays = bench.arrays(1 << log_largest, threads)?;
    let mut rates = Vec::new();
    for log_bytes in 14..=log_largest {
        rates.push(((1u64 << log_bytes) * threads as u64, bench.update(&mut arrays, 1 << log_bytes)));
    }
    let handed_bytes = 1 << LOG_HANDED_BYTES.min(log_largest);
    machine.handover_bandwidth = (threads > 1).then(|| bench.hand_over(&mut arrays, handed_bytes));
    machine.takeover_bandwidth = bench.take_over(&mut arrays, handed_bytes, &rates, machine.handover_bandwidth);
    // Others use the last cache and the memory too, for longer than one of these takes: each gets a second chance.
    for (log_bytes, (_, rate)) in (14..=log_largest).zip(&mut rates) {
        *rate = rate.max(bench.update(&mut arrays, 1 << log_bytes));
    }
    machine.bandwidth = rates.last().map_or(f64::NAN, |(_, rate)| *rate);
    watch.check()?;
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
    machine.segments = [64, 256, 1024, 4096]
        .into_iter()
        .map(|bytes| SegmentRate { bytes: bytes as u64, rate: bench.strided(bytes).min(machine.bandwidth) })
        .collect();
    watch.check()?;
    machine.handover_seconds = watch.handover_seconds().or(machine.handover_seconds.filter(|_| threads > 1));
    // Out-of-order cores read ahead while they compute.
    (machine.overlap_alone, machine.overlap_shared) = (0.5, 0.5);
    Ok(())
}

/// How many times [`LANES`] items each of `threads` threads takes of `2^log_items`: at least once.
pub(crate) fn lane_sets(log_items: u32, threads: u64) -> u64 {
    ((1u64 << log_items) / LANES as u64).div_ceil(threads.max(1)).max(1)
}

/// Seconds of a microkernel.
pub(crate) fn microkernel(pool: &HostPool, work: &Microkernel) -> Result<f64, DeviceError> {
    let mut noise = Noise::default();
    let threads = pool.threads();
    let mut bench = Bench::new(pool, &mut noise);
    match *work {
        Microkernel::Move { log_bytes } => {
            let each = ((1usize << log_bytes) / 4).div_ceil(threads).max(1);
            let mut memory = HostMemory::<u32>::new(each * threads)?;
            Ok(bench.repeated("move", || {
                pool.team().each(memory.chunks_mut(each), add_one);
            }))
        }
        Microkernel::MultiplyAdd { rounds, log_items } => {
            let sets = lane_sets(log_items, threads as u64) as usize;
            let all = rounds as usize * Microkernel::ROUND_OPERATIONS as usize * sets;
            Ok(bench.repeated("multiply_add", || {
                pool.team().each(0..threads, |_| {
                    black_box(turns(black_box([3f32; LANES]), all));
                });
            }))
        }
        Microkernel::Exchange { .. } => Err(DeviceError::Unsupported {
            device: pool.info().name.clone(),
            feature: "local memory to exchange words through".into(),
        }),
    }
}

struct Bench<'a> {
    pool: &'a HostPool,
    noise: &'a mut Noise,
    threads: usize,
    start: Instant,
    /// What setting all threads to work takes; 0 before it is known.
    launch_seconds: f64,
}

impl<'a> Bench<'a> {
    fn new(pool: &'a HostPool, noise: &'a mut Noise) -> Self {
        Self { pool, noise, threads: pool.threads(), start: Instant::now(), launch_seconds: 0.0 }
    }

    /// Seconds of `work`.
    fn seconds(&mut self, parameter: &'static str, mut work: impl FnMut()) -> f64 {
        self.least(parameter, || {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64()
        })
    }

    /// Seconds of `work` beside those of setting all threads to it, which are known.
    fn beyond_launch(&mut self, parameter: &'static str, work: impl FnMut()) -> f64 {
        let seconds = self.seconds(parameter, work);
        (seconds - self.launch_seconds).max(seconds / 2.0)
    }

    /// Seconds of one `work` of several in a row: as long a row as is needed for the launches to follow each other.
    fn repeated(&mut self, parameter: &'static str, mut work: impl FnMut()) -> f64 {
        const ROW_SECONDS: f64 = 3e-4;
        work();
        let start = Instant::now();
        work();
        let times = (ROW_SECONDS / start.elapsed().as_secs_f64().max(1e-9)).ceil().clamp(1.0, 100.0) as u32;
        self.seconds(parameter, || (0..times).for_each(|_| work())) / f64::from(times)
    }

    /// The least that `once` tells of several times, after one that does not count: other work on the machine only adds.
    fn least(&mut self, parameter: &'static str, mut once: impl FnMut() -> f64) -> f64 {
        once();
        let mut best: Option<(f64, Vec<f64>)> = None;
        for _ in 0..3 {
            let repeats = if self.start.elapsed() > RETRIES_END { LATE_REPEATS } else { REPEATS };
            let values: Vec<f64> = (0..repeats).map(|_| once()).collect();
            let spread = manycore_model::fit::summary(&values).map_or(f64::INFINITY, |found| found.spread);
            if best.as_ref().is_none_or(|(least, _)| spread < *least) {
                best = Some((spread, values));
            }
            if spread < 0.05 || self.start.elapsed() > RETRIES_END {
                break;
            }
        }
        best.map_or(f64::NAN, |(_, values)| self.noise.least(parameter, &values))
    }

    /// Seconds that a step takes besides its work: what it takes that awake threads hear of it, and that the last one is done.
    /// Steps follow each other, so that no thread sleeps; what steps take of twice the work tells what the work takes.
    fn launch(&mut self) -> f64 {
        let team = self.pool.team();
        let threads = team.threads();
        let steps = 50;
        let mut seconds = |work: usize| {
            self.seconds("launch_seconds", || {
                for _ in 0..steps {
                    team.each(0..threads, |_| {
                        black_box(turns(black_box([3f32; LANES]), work));
                    });
                }
            })
        };
        let (once, twice) = (seconds(LAUNCH_TURNS), seconds(2 * LAUNCH_TURNS));
        self.launch_seconds = ((2.0 * once - twice) / f64::from(steps)).max(LEAST_LAUNCH_SECONDS);
        self.launch_seconds
    }

    /// Operations a second of so many threads, with as many lanes as suit the processor's registers best.
    fn rate<T: Lane>(&mut self, operation: Operation, start: T, threads: usize) -> f64 {
        let few = self.rate_of(operation, [start; LANES / 2], threads);
        let some = self.rate_of(operation, [start; LANES / 4 * 3], threads);
        few.max(some).max(self.rate_of(operation, [start; LANES], threads))
    }

    fn rate_of<T: Lane, const N: usize>(&mut self, operation: Operation, start: [T; N], threads: usize) -> f64 {
        let pool = self.pool;
        let seconds = self.beyond_launch(operation.name(), || {
            pool.team().each(0..threads, |_| {
                black_box(turns(black_box(start), TURNS));
            });
        });
        (N * TURNS * threads) as f64 / seconds
    }

    /// Look-ups a second of so many threads, each in a table in its nearest cache.
    fn look_ups(&mut self, threads: usize) -> f64 {
        let pool = self.pool;
        let seconds = self.beyond_launch(Operation::Scalar.name(), || {
            pool.team().each(0..threads, |i| {
                black_box(chases(black_box(i as u32), TURNS));
            });
        });
        (CHASES * TURNS * threads) as f64 / seconds
    }

    /// How many times as fast a thread is alone as beside the others, which do so many multiply-adds and look-ups a second all
    /// together: the geometric mean of what leaves a core nothing to do besides and of what leaves it much. Other code lies
    /// between them.
    fn lone_speedup(&mut self, int32: f64, look_ups: f64) -> f64 {
        let alone = self.rate(Operation::Int32, 3u32, 1) / int32 * self.look_ups(1) / look_ups;
        let threads = self.threads as f64;
        (threads * alone.sqrt()).clamp(1.0, threads)
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
        let parameter = if threads == 1 { "processor_bandwidth" } else { "bandwidth" };
        let seconds = self.beyond_launch(parameter, || {
            pool.team().each(&mut *arrays, |array| {
                for _ in 0..turns {
                    add_one(black_box(&mut array[..bytes / 4]));
                }
            });
        });
        (2 * bytes * turns * threads) as f64 / seconds
    }

    /// Bytes a second, read and written together, of threads that each update what another one updated before.
    fn hand_over(&mut self, arrays: &mut [HostMemory<u32>], bytes: usize) -> f64 {
        let (turns, threads) = (UPDATED_BYTES / bytes / 4, arrays.len());
        let pool = self.pool;
        let seconds = self.seconds("handover_bandwidth", || {
            for _ in 0..turns {
                arrays.rotate_left(1);
                pool.team().each(&mut *arrays, |array| add_one(black_box(&mut array[..bytes / 4])));
            }
        });
        let launches = self.launch_seconds * turns as f64;
        (2 * bytes * turns * threads) as f64 / (seconds - launches).max(seconds / 2.0)
    }

    /// Bytes a second that threads write where another one has read them since, beyond what handing over and writing take by
    /// `rates` of updates, by bytes of all threads, and `handover`; `None` where that is next to nothing.
    fn take_over(
        &mut self,
        arrays: &mut [HostMemory<u32>],
        bytes: usize,
        rates: &[(u64, f64)],
        handover: Option<f64>,
    ) -> Option<f64> {
        let (turns, threads) = (UPDATED_BYTES / bytes / 8, arrays.len());
        let all = (bytes * threads) as f64;
        let own = 2.0 * all / rates.iter().find(|(size, _)| *size as f64 >= all).map(|(_, rate)| *rate)?;
        let handed = 2.0 * all / handover?;
        let pool = self.pool;
        let seconds = self.seconds("takeover_bandwidth", || {
            for _ in 0..turns {
                pool.team().each(&mut *arrays, |array| add_one(black_box(&mut array[..bytes / 4])));
                // Each reads what another one has.
                arrays.rotate_left(1);
                pool.team().each(&mut *arrays, |array| {
                    black_box(sum(black_box(&array[..bytes / 4])));
                });
                arrays.rotate_right(1);
            }
        });
        let turn = seconds / turns as f64;
        let beyond = turn - 2.0 * self.launch_seconds - own - handed;
        (beyond > turn / 8.0).then_some(all / beyond)
    }

    /// Bytes a second where all threads update runs of `run` bytes that lie far apart.
    fn strided(&mut self, run: usize) -> f64 {
        let bytes = 1usize << 26;
        let (words, run) = (bytes / 4, run / 4);
        let rows = 1usize << 10;
        let row = words / rows;
        let mut data = vec![1u32; words];
        let pool = self.pool;
        let seconds = self.least("segments", || {
            // Each task takes the same columns of every row, run by run.
            let mut columns: Vec<Vec<&mut [u32]>> = (0..row / run).map(|_| Vec::with_capacity(rows)).collect();
            for row in data.chunks_exact_mut(row) {
                for (part, column) in row.chunks_exact_mut(run).zip(&mut columns) {
                    column.push(part);
                }
            }
            let start = Instant::now();
            pool.team().each(&mut columns, |column| column.iter_mut().for_each(|part| add_one(part)));
            start.elapsed().as_secs_f64()
        });
        (2 * bytes) as f64 / seconds
    }
}
