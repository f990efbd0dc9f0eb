use manycore_model::machine::Class;
use manycore_model::{Machine, choose};

use super::*;

const SMALL: Limits = Limits::new(32 << 10, 256);
const LARGE: Limits = Limits::new(232_192, 1024);

fn h200() -> Machine {
    Machine::known("NVIDIA H200").expect("a known machine")
}

fn on(limits: Limits, algorithm: Algorithm) -> OnDevice {
    let order = match algorithm {
        Algorithm::CooleyTukey => Order::Hadamard,
        Algorithm::ConstantGeometry => Order::Dyadic,
    };
    OnDevice { limits, order, algorithm, most_steps: None }
}

fn bits(passes: &[Pass]) -> u32 {
    passes
        .iter()
        .map(|pass| match *pass {
            Pass::Tile { stages, .. } | Pass::Geometry { stages, .. } => stages,
            Pass::Fan { log_tile, log_fan, .. } => log_tile + log_fan,
            Pass::Columns { log_rows, log_spill, .. } => log_rows + log_spill,
        })
        .sum()
}

/// Every candidate covers every bit once, from the highest down, and fits the device.
fn check(plan: &Plan, log_len: u32, element: WordType, limits: &Limits) {
    let mut low = log_len;
    for pass in &plan.passes {
        let (log_tile, log_regs) = match *pass {
            Pass::Columns { log_stride, log_rows, log_segment, log_regs, .. } => {
                assert_eq!(log_stride + log_rows, low, "{plan}");
                assert!(log_stride >= log_segment, "{plan}");
                low = log_stride;
                (log_rows + log_segment, log_regs)
            }
            Pass::Tile { stages, log_tile, log_regs, .. } => {
                assert_eq!(stages, low, "{plan}");
                (log_tile, log_regs)
            }
            Pass::Geometry { log_tile, log_regs, .. } | Pass::Fan { log_tile, log_regs, .. } => (log_tile, log_regs),
        };
        assert!(element.bytes() << log_tile <= limits.local_bytes, "{plan}");
        assert!(1 << (log_tile - log_regs) <= limits.group_limit, "{plan}");
    }
    assert_eq!(bits(&plan.passes), log_len, "{plan}");
}

#[test]
fn candidates_cover_every_bit_and_fit_the_device() {
    let machine = h200();
    for limits in [LARGE, SMALL, Limits::new(1 << 20, 4096), Limits::new(16 << 10, 64)] {
        for element in [WordType::F32, WordType::I64] {
            for log_len in 1..=36 {
                for count in [1, 7] {
                    let arrays = Arrays { count, log_len, element };
                    for algorithm in [Algorithm::CooleyTukey, Algorithm::ConstantGeometry] {
                        let plans = on(limits, algorithm).candidates(&arrays, &machine);
                        assert!(!plans.is_empty(), "{arrays:?} {limits:?}");
                        for plan in &plans {
                            check(plan, log_len, element, &limits);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn steps_given_are_the_steps_taken() {
    for steps in [1, 3] {
        let geometry = OnDevice { most_steps: Some(steps), ..on(LARGE, Algorithm::ConstantGeometry) };
        let arrays = Arrays { count: 1, log_len: 20, element: WordType::F32 };
        let plans = geometry.candidates(&arrays, &h200());
        assert_eq!(plans.len(), 1);
        assert_eq!(plans[0].passes.len() as u32, 20u32.div_ceil(steps));
    }
}

#[test]
fn another_order_takes_a_reversal() {
    let arrays = Arrays { count: 1, log_len: 20, element: WordType::F32 };
    for algorithm in [Algorithm::CooleyTukey, Algorithm::ConstantGeometry] {
        for order in [Order::Hadamard, Order::Dyadic, Order::Sequency] {
            let operation = OnDevice { order, ..on(LARGE, algorithm) };
            let natural = (algorithm == Algorithm::CooleyTukey) == (order == Order::Hadamard);
            for plan in operation.candidates(&arrays, &h200()) {
                assert_eq!(bits(&plan.passes), if natural { 20 } else { 40 });
            }
        }
    }
}

#[test]
fn two_passes_reach_two_to_the_25_with_large_local_memory() {
    let passes = |count, log_len| {
        let arrays = Arrays { count, log_len, element: WordType::F32 };
        let choice = choose(&on(LARGE, Algorithm::CooleyTukey), &arrays, &h200()).unwrap();
        choice.best().parameters.passes.len()
    };
    assert_eq!([12, 15, 16, 20, 24, 25, 26].map(|n| passes(7, n)), [1, 1, 2, 2, 2, 2, 2]);
    assert_eq!([12, 15, 16, 20, 24, 25].map(|n| passes(1, n)), [1, 1, 1, 2, 2, 2]);
    assert!(passes(1, 34) <= 3 && passes(1, 38) <= 4);
}

#[test]
fn typical_machines_choose_too() {
    let class = Class {
        name: "some GPU".into(),
        vendor: String::new(),
        processors: 20,
        clock_hz: 0,
        local_bytes: 32 << 10,
        block_threads: 256,
        fp64: false,
    };
    let arrays = Arrays { count: 1, log_len: 24, element: WordType::F32 };
    for machine in [class.gpu(), class.opencl_cpu()] {
        let choice = choose(&on(SMALL, Algorithm::CooleyTukey), &arrays, &machine).unwrap();
        assert!(choice.best().prediction.seconds > 1e-5);
    }
}
