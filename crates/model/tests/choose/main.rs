//! Predictions, choices and crossovers.

#![allow(clippy::float_cmp)] // the expected numbers are exact

mod choices;
mod crossings;
mod predictions;

use manycore_model::machine::{CacheLevel, Class, SegmentRate};
use manycore_model::{Kernel, Machine, Program};

/// A machine of round numbers: 10 processors, 1000 bytes/s, 100 operations/s, 1 s a launch.
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
    // One thread reaches a processor's rate.
    machine.processor_threads = machine.block_threads;
    machine.rates.int32 = 100.0;
    machine.operation_latency_seconds = 0.0;
    machine.bandwidth = 1000.0;
    machine.processor_bandwidth = 1000.0;
    machine.segments = vec![SegmentRate { bytes: 32, rate: 500.0 }, SegmentRate { bytes: 64, rate: 750.0 }];
    machine.caches = vec![CacheLevel { bytes: 4096, rate: 4000.0 }];
    machine.memory_latency_seconds = 0.0;
    machine.local_bandwidth = 10_000.0;
    machine.overlap_alone = 0.0;
    machine.overlap_shared = 1.0;
    machine.launch_seconds = 1.0;
    machine.checked().unwrap()
}

fn seconds(kernel: Kernel) -> f64 {
    let mut program = Program::new();
    program.push(kernel, &[]).unwrap();
    machine().predict(&program).unwrap().seconds
}
