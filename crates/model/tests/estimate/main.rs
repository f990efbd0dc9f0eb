//! Seconds by the roofline: `roofline` by hand, `counts` for any counts, `machines` for the numbers of machines.

#![allow(clippy::float_cmp)] // the expected numbers are exact

mod counts;
mod machines;
mod roofline;

use manycore_model::machine::{CacheLevel, Class, SegmentRate};
use manycore_model::{DoesNotFit, Estimate, Kernel, Machine, Program};

/// A machine of round numbers: 10 processors, 100 operations/s, 1000 bytes/s, of which one processor alone moves 1000,
/// 4000 bytes/s from a cache, 10000 bytes/s of local memory, 1 s a launch, 5 s a round trip.
fn machine() -> Machine {
    let class = Class {
        name: "round".into(),
        vendor: String::new(),
        processors: 10,
        clock_hz: 1,
        local_bytes: 1 << 14,
        block_threads: 64,
        fp64: false,
    };
    let mut machine = class.gpu();
    machine.rates.int32 = 100.0;
    machine.operation_latency_seconds = 0.0;
    machine.bandwidth = 1000.0;
    machine.processor_bandwidth = 1000.0;
    machine.segments = vec![SegmentRate { bytes: 32, rate: 500.0 }, SegmentRate { bytes: 64, rate: 750.0 }];
    machine.caches = vec![CacheLevel { bytes: 4096, rate: 4000.0 }];
    machine.local_bandwidth = 10_000.0;
    machine.launch_seconds = 1.0;
    machine.round_trip_seconds = 5.0;
    machine.checked().unwrap()
}

/// The estimate of one kernel.
fn estimate(machine: &Machine, kernel: Kernel) -> Result<Estimate, DoesNotFit> {
    let mut program = Program::new();
    program.push(kernel, &[]).unwrap();
    machine.estimate(&program)
}

/// The seconds of one kernel on [`machine`].
fn seconds(kernel: Kernel) -> f64 {
    estimate(&machine(), kernel).unwrap().seconds
}
