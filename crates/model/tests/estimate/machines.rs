//! Numbers of machines: which make sense, and what follows from them.

use manycore_model::machine::{Class, MachineError, Seconds, SegmentRate};
use manycore_model::{Blocks, CacheLevel, DoesNotFit, ExecutionModel, Kernel, Machine, Operation};
use serde_json::Value;

use super::{estimate, machine};

#[test]
fn bad_numbers_are_no_machine() {
    let wrong = |change: fn(&mut Machine)| {
        let mut machine = machine();
        change(&mut machine);
        machine.checked().unwrap_err()
    };
    let not_positive = |parameter, value| MachineError::NotPositive { parameter, value };
    assert_eq!(wrong(|m| m.processors = 0), MachineError::Zero { parameter: "processors" });
    assert_eq!(wrong(|m| m.local_bytes = 0), MachineError::Zero { parameter: "local_bytes" });
    assert_eq!(wrong(|m| m.block_threads = 0), MachineError::Zero { parameter: "block_threads" });
    assert_eq!(wrong(|m| m.clock_hz = 0.0), not_positive("clock_hz", 0.0));
    assert_eq!(wrong(|m| m.bandwidth = 0.0), not_positive("bandwidth", 0.0));
    assert_eq!(wrong(|m| m.processor_bandwidth = 1e-10), not_positive("processor_bandwidth", 1e-10));
    assert_eq!(wrong(|m| m.rates.f64 = -1.0), not_positive("rates.f64", -1.0));
    assert!(matches!(wrong(|m| m.rates.f32 = f64::NAN), MachineError::NotPositive { parameter: "rates.f32", .. }));
    assert_eq!(wrong(|m| m.rates.scalar = Some(0.0)), not_positive("rates.scalar", 0.0));
    assert_eq!(wrong(|m| m.operation_latency_seconds = -1.0), not_positive("operation_latency_seconds", -1.0));
    assert_eq!(wrong(|m| m.local_bandwidth = f64::INFINITY), not_positive("local_bandwidth", f64::INFINITY));
    assert_eq!(wrong(|m| m.local_bandwidth_8_bytes = Some(0.0)), not_positive("local_bandwidth_8_bytes", 0.0));
    assert_eq!(wrong(|m| m.launch_seconds = -1.0), not_positive("launch_seconds", -1.0));
    assert_eq!(wrong(|m| m.round_trip_seconds = 1e10), not_positive("round_trip_seconds", 1e10));
    assert_eq!(wrong(|m| m.segments.reverse()), MachineError::Order { parameter: "segments" });
    assert_eq!(wrong(|m| m.segments[0].bytes = 0), MachineError::Zero { parameter: "segments" });
    assert_eq!(wrong(|m| m.segments[1].rate = -2.0), not_positive("segments", -2.0));
    assert_eq!(wrong(|m| m.caches[0].rate = 0.0), not_positive("caches", 0.0));
    assert_eq!(wrong(|m| m.caches[0].bytes = 0), MachineError::Zero { parameter: "caches" });
    let smaller = |m: &mut Machine| m.caches.push(CacheLevel { bytes: 4095, rate: 1.0 });
    assert_eq!(wrong(smaller), MachineError::Order { parameter: "caches" });
}

/// A machine that no device can be has no estimate, rather than a short one.
#[test]
fn absurd_machines_estimate_nothing() {
    let kernel = || Kernel::new("k", 64).blocks(Blocks::even(100, 64, 10, 2, 1));
    let absurd = |change: fn(&mut Machine)| {
        let mut machine = machine();
        change(&mut machine);
        assert!(machine.clone().checked().is_err());
        estimate(&machine, kernel())
    };
    let none = DoesNotFit::NotFinite { of: "k".into() };
    assert_eq!(none.to_string(), "the estimate of k is no finite number of seconds");
    let nothing = Err(none);
    assert_eq!(absurd(|machine| machine.processors = 0), nothing);
    assert_eq!(absurd(|machine| machine.bandwidth = f64::MIN_POSITIVE / 1e9), nothing);
    assert_eq!(absurd(|machine| machine.rates.int32 = f64::MIN_POSITIVE / 1e9), nothing);
    assert_eq!(absurd(|machine| machine.launch_seconds = f64::NAN), nothing);
    assert_eq!(absurd(|machine| machine.launch_seconds = -1e6), nothing);
    assert_eq!(absurd(|machine| machine.local_bandwidth = f64::NAN), nothing);
}

#[test]
fn memory_rates_are_those_of_caches_and_runs() {
    let mut machine = machine();
    machine.caches.push(CacheLevel { bytes: 1 << 20, rate: 2000.0 });
    assert_eq!(machine.memory_rate(None, None), 1000.0);
    for (footprint, rate) in [(0, 4000.0), (4096, 4000.0), (4097, 2000.0), (1 << 20, 2000.0), (u64::MAX, 1000.0)] {
        assert_eq!(machine.memory_rate(None, Some(footprint)), rate, "{footprint}");
        assert_eq!(machine.memory_rate(Some(32), Some(footprint)), rate / 2.0, "{footprint}");
    }
    for (segment, rate) in [(16, 250.0), (32, 500.0), (48, 625.0), (64, 750.0), (65, 1000.0), (u64::MAX, 1000.0)] {
        assert_eq!(machine.memory_rate(Some(segment), None), rate, "{segment}");
    }
    // Noise above the bandwidth makes no part above 1; lengths given twice count once.
    machine.segments[1].rate = 1100.0;
    assert_eq!(machine.memory_rate(Some(64), None), 1000.0);
    machine.segments.insert(1, SegmentRate { bytes: 32, rate: 700.0 });
    assert_eq!(machine.memory_rate(Some(32), None), 500.0);
    machine.segments.clear();
    assert_eq!(machine.memory_rate(Some(1), None), 1000.0);
}

#[test]
fn rates_that_were_not_measured_follow_others() {
    let mut machine = machine();
    assert_eq!((machine.local_rate(4), machine.local_rate(8)), (1e4, 1e4));
    machine.local_bandwidth_8_bytes = Some(15e3);
    assert_eq!((machine.local_rate(1), machine.local_rate(4), machine.local_rate(8)), (1e4, 1e4, 15e3));
    for (model, rate) in
        [(ExecutionModel::Gpu, 100.0), (ExecutionModel::OpenClCpu, 100.0), (ExecutionModel::Host, 12.5)]
    {
        machine.execution_model = model;
        machine.rates.scalar = None;
        assert_eq!(machine.rate(Operation::Scalar), rate, "{model:?}");
        machine.rates.scalar = Some(3.0);
        assert_eq!(machine.rate(Operation::Scalar), 3.0, "{model:?}");
    }
}

#[test]
fn the_abstract_machine_has_steps_and_transfers() {
    let machine = machine();
    // 10 threads on a tenth of 100 operations/s; 40 bytes at a tenth of 1000 bytes/s.
    assert_eq!(machine.step_seconds(10, Operation::Int32), 1.0);
    let abstracted = machine.many_core(10, 4, Operation::Int32).unwrap();
    assert_eq!((abstracted.processors(), abstracted.local_words(), abstracted.transfer_cycles()), (10, 4096, 0.4));
    let zero = MachineError::Zero { parameter: "threads" };
    assert_eq!(machine.many_core(0, 4, Operation::Int32).unwrap_err(), zero);
    let none = MachineError::Operation { operation: "f64" };
    assert_eq!(machine.many_core(1, 4, Operation::F64).unwrap_err(), none);
}

#[test]
fn classes_have_their_execution_model() {
    let class = Class {
        name: "one".into(),
        vendor: "any".into(),
        processors: 4,
        clock_hz: 2_000_000_000,
        local_bytes: 1 << 15,
        block_threads: 256,
        fp64: true,
    };
    let model = |machine: Machine| (machine.execution_model, machine.block_threads, machine.processors);
    assert_eq!(model(class.host()), (ExecutionModel::Host, 1, 4));
    assert_eq!(model(class.opencl_cpu()), (ExecutionModel::OpenClCpu, 256, 4));
    assert_eq!(model(class.gpu()), (ExecutionModel::Gpu, 256, 4));
    // A device of a name that the library knows is as that one.
    let known = Class { name: "NVIDIA H200".into(), ..class }.gpu();
    assert_eq!(Some(known), Machine::known("NVIDIA H200"));
}

/// The file says what the machine has, no more and no less.
#[test]
fn the_known_machine_is_as_its_file() {
    let file: Value = serde_json::from_str(include_str!("../../src/machine/known/nvidia_h200.json")).unwrap();
    let known = Machine::known("NVIDIA H200").unwrap();
    assert_eq!(known.execution_model, ExecutionModel::Gpu);
    let mut told = serde_json::to_value(&known).unwrap();
    assert_eq!(told["rates"].as_object_mut().unwrap().remove("scalar"), Some(Value::Null));
    assert_eq!(told.as_object_mut().unwrap().remove("local_bandwidth_8_bytes"), Some(Value::Null));
    assert_eq!(told, file);
}

#[test]
fn machines_are_read_as_written() {
    let mut machine = machine();
    for (model, name) in
        [(ExecutionModel::Host, "host"), (ExecutionModel::OpenClCpu, "open_cl_cpu"), (ExecutionModel::Gpu, "gpu")]
    {
        machine.execution_model = model;
        let mut text = serde_json::to_value(&machine).unwrap();
        assert_eq!(text["execution_model"], name);
        // Fields of older versions are skipped; without an execution model there is no machine.
        text["lone_speedup"] = 1.5.into();
        assert_eq!(serde_json::from_value::<Machine>(text.clone()).unwrap(), machine);
        text.as_object_mut().unwrap().remove("execution_model");
        assert!(serde_json::from_value::<Machine>(text).is_err());
    }
}

#[test]
fn seconds_have_their_unit() {
    for (seconds, text) in [
        (0.0, "0.00 ns"),
        (2.5e-9, "2.50 ns"),
        (1.25e-5, "12.5 us"),
        (0.125, "125 ms"),
        (9.0, "9.00 s"),
        (16_016.0, "16016 s"),
    ] {
        assert_eq!(Seconds(seconds).to_string(), text);
    }
    assert_eq!(format!("{:>9}", Seconds(9.0)), "   9.00 s");
}
