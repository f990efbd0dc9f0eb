use manycore_model::Machine;
use manycore_model::machine::Class;
use manycore_tuning::choose;

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
    OnDevice { butterfly: Butterfly::Walsh, limits, order, algorithm, most_steps: None }
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
            Pass::Columns { log_stride, log_rows, log_segment, log_regs, log_spill } => {
                assert_eq!(log_stride + log_rows + log_spill, low, "{plan}");
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
                        // Some of another butterfly's stages may go through the cache.
                        let butterfly = Butterfly::ReedMuller { log_unit_bits: 0 };
                        let of_words = OnDevice { butterfly, ..on(limits, algorithm) };
                        for plan in of_words.candidates(&arrays, &machine) {
                            check(&plan, log_len, element, &limits);
                        }
                    }
                }
            }
        }
    }
}

/// Kept choices name a plan by its text.
#[test]
fn every_candidate_has_a_text_of_its_own() {
    for limits in [LARGE, SMALL, Limits::new(64 << 10, 256).without_redundant_read(4)] {
        for element in [WordType::F32, WordType::I64] {
            for (count, log_len) in (1..=30).flat_map(|log_len| [(1, log_len), (9, log_len)]) {
                for algorithm in [Algorithm::CooleyTukey, Algorithm::ConstantGeometry] {
                    let arrays = Arrays { count, log_len, element };
                    let plans = on(limits, algorithm).candidates(&arrays, &h200());
                    let mut texts: Vec<String> = plans.iter().map(ToString::to_string).collect();
                    texts.sort();
                    texts.dedup();
                    assert_eq!(texts.len(), plans.len(), "{arrays:?} {limits:?}");
                }
            }
        }
    }
}

/// Trips through local memory of each value, by their estimated time.
#[test]
fn passes_exchange_as_often_as_their_kernels() {
    let trips = |element: WordType, log_len: u32, pass: Pass| {
        let arrays = Arrays { count: 1, log_len, element };
        let mut program = Program::new();
        // A byte a second, on one processor.
        let machine = Machine { local_bandwidth: 1.0, processors: 1, ..h200() };
        pass.queue(&mut program, &arrays, Butterfly::Walsh, &machine).unwrap();
        machine.estimate(&program).unwrap().kernels[0].local / (arrays.values() as f64 * element.bytes() as f64) / 2.0
    };
    let tile = |stages, log_tile, log_regs| Pass::Tile { stages, log_tile, log_regs, log_spill: 0 };
    let exactly = |found: f64, expected: u32| assert!((found - f64::from(expected)).abs() < 1e-9, "{found} {expected}");
    // 2 bits of a vector and 2 at the top while loading, then two rounds of 4.
    exactly(trips(WordType::F32, 12, tile(12, 12, 4)), 2);
    // 1 and 3 while loading, two rounds of 4.
    exactly(trips(WordType::F64, 12, tile(12, 12, 4)), 2);
    // One round of 4 from bit 2 on, whose results change places once more before they are stored.
    exactly(trips(WordType::F32, 12, tile(6, 12, 4)), 2);
    exactly(trips(WordType::F32, 12, tile(2, 12, 4)), 0);
    let columns = |log_rows| Pass::Columns { log_stride: 8, log_rows, log_segment: 4, log_regs: 4, log_spill: 0 };
    // One round stays in registers.
    exactly(trips(WordType::F32, 12, columns(4)), 0);
    exactly(trips(WordType::F32, 13, columns(5)), 1);
    exactly(trips(WordType::F32, 17, columns(9)), 2);
}

#[test]
fn stages_come_in_the_kernels_order() {
    let order = |passes: &[Pass]| {
        Plan { algorithm: Algorithm::CooleyTukey, passes: passes.to_vec() }.stage_order(WordType::F32)
    };
    let tile = Pass::Tile { stages: 12, log_tile: 12, log_regs: 4, log_spill: 0 };
    assert_eq!(order(&[tile]), [0, 1, 10, 11, 2, 3, 4, 5, 6, 7, 8, 9]);
    let columns = Pass::Columns { log_stride: 12, log_rows: 6, log_segment: 4, log_regs: 4, log_spill: 0 };
    assert_eq!(order(&[columns, tile])[..8], [14, 15, 16, 17, 12, 13, 0, 1]);
    let step =
        |stages, log_waiting| Pass::Geometry { stages, log_tile: 12, log_regs: 4, log_waiting, butterflies: true };
    assert_eq!(order(&[step(3, 2), step(2, 0)]), [0, 1, 2, 3, 4]);
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

/// Kernels can be built with more local memory than a machine has that is not calibrated: some candidate fits both.
#[test]
fn tiles_fit_the_machine_too() {
    let reported = Machine { local_bytes: 48 << 10, ..h200() };
    for algorithm in [Algorithm::CooleyTukey, Algorithm::ConstantGeometry] {
        for (order, element) in [(Order::Dyadic, WordType::I64), (Order::Sequency, WordType::F32)] {
            for log_len in [4, 10, 20] {
                let operation = OnDevice { order, ..on(LARGE, algorithm) };
                let arrays = Arrays { count: 1, log_len, element };
                assert!(choose(&operation, &arrays, &reported).is_ok(), "{algorithm:?} {order:?} 2^{log_len}");
            }
        }
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
        assert!(choice.best().estimate.seconds > 1e-6);
    }
}

#[test]
fn packed_functions_of_32_variables_take_two_passes_on_an_h200() {
    let butterfly = Butterfly::ReedMuller { log_unit_bits: 0 };
    let operation = OnDevice { butterfly, ..on(LARGE, Algorithm::CooleyTukey) };
    let arrays = Arrays { count: 1, log_len: 26, element: WordType::I64 };
    let choice = choose(&operation, &arrays, &h200()).unwrap();
    assert_eq!(choice.best().parameters.passes.len(), 2, "{choice}");
}

/// The operations and the bytes of each kernel of a program.
fn counts(program: &Program) -> Vec<(u128, u128)> {
    program.kernels().iter().map(|kernel| (kernel.work().unwrap(), kernel.traffic_bytes())).collect()
}

#[test]
fn device_passes_count_their_butterflies_and_bytes() {
    let machine = h200();
    let of = |butterfly, element: WordType, log_len, pass: Pass| {
        let (arrays, mut program) = (Arrays { count: 1, log_len, element }, Program::new());
        pass.queue(&mut program, &arrays, butterfly, &machine).unwrap();
        counts(&program)
    };
    let packed = Butterfly::ReedMuller { log_unit_bits: 0 };
    let tile = Pass::Tile { stages: 12, log_tile: 12, log_regs: 4, log_spill: 0 };
    let values = 1 << 12;
    // An addition for each value and stage; of 64-bit integers two; of other butterflies half as many.
    assert_eq!(of(Butterfly::Walsh, WordType::F32, 12, tile), [(12 * values, 8 * values)]);
    assert_eq!(of(Butterfly::Walsh, WordType::I64, 12, tile), [(24 * values, 16 * values)]);
    assert_eq!(of(Butterfly::Arithmetic, WordType::I32, 12, tile), [(6 * values, 8 * values)]);
    // Six index bits within words: three operations each, the last one two, on words of 64 bits.
    assert_eq!(of(packed, WordType::I64, 12, tile), [((12 + 34) * values, 16 * values)]);
    // Four groups read all values; each combines four tiles by three butterflies.
    let fan = Pass::Fan { log_tile: 12, log_regs: 4, log_fan: 2 };
    assert_eq!(of(Butterfly::Walsh, WordType::F32, 14, fan), [(15 * 4 * values, 5 * 4 * 4 * values)]);
    // Two stages above the tile: nine readings of tiles for four, five of them once more from a cache.
    let columns = Pass::Columns { log_stride: 12, log_rows: 6, log_segment: 4, log_regs: 4, log_spill: 2 };
    let values = 1 << 20;
    assert_eq!(
        of(packed, WordType::I64, 20, columns),
        [(6 * values + 5 * 2 * values / 4, 16 * values), (0, 5 * 8 * values / 4)]
    );
    // Three tiles of four are written and read once more.
    assert_eq!(of(Butterfly::Walsh, WordType::F32, 20, columns), [(8 * values, 8 * values), (0, 6 * 4 * values / 4)]);
    // A reversal moves values and computes nothing.
    let moves = Pass::Geometry { stages: 10, log_tile: 12, log_regs: 4, log_waiting: 10, butterflies: false };
    assert_eq!(of(Butterfly::Walsh, WordType::F32, 20, moves), [(0, 8 * values)]);
}

fn cores(caches: Vec<manycore_model::machine::CacheLevel>) -> Machine {
    let class = Class {
        name: "cores".into(),
        vendor: String::new(),
        processors: 2,
        clock_hz: 0,
        local_bytes: 1 << 20,
        block_threads: 1,
        fp64: true,
    };
    Machine { bandwidth: 60e9, processor_bandwidth: 60e9, local_bytes: 1 << 20, caches, ..class.host() }
}

#[test]
fn host_steps_count_their_butterflies_and_bytes() {
    let machine = cores(Vec::new());
    let of = |butterfly, element: WordType, log_len, log_block_bytes| {
        let arrays = Arrays { count: 1, log_len, element };
        let plan = HostPlan { algorithm: Algorithm::CooleyTukey, reorders: false, log_block_bytes };
        let host = OnHost { butterfly, order: Order::Hadamard, algorithm: Algorithm::CooleyTukey };
        let program = host.program(&arrays, &plan, &machine).unwrap();
        let launches = machine.estimate(&program).unwrap().launches;
        (launches, counts(&program))
    };
    let values = 1 << 20;
    // Parts of 2^14 bytes, steps of 3, 2, 3 and 3 stages; one block is the calling thread's.
    let (launches, steps) = of(Butterfly::Walsh, WordType::F32, 20, 22);
    let bytes = 8 * values;
    assert_eq!(steps, [12, 2, 3, 3].map(|stages| (stages * values, bytes)));
    assert_eq!(launches, 0);
    // Blocks of 2^17 bytes, and rows of 32 blocks in steps of 2 and 3 stages: two launches.
    let (launches, steps) = of(Butterfly::Walsh, WordType::F32, 20, 17);
    assert_eq!(steps, [12, 3, 2, 3].map(|stages| (stages * values, bytes)));
    assert_eq!(launches, 2);
    // Half as many operations of other butterflies, and three for each index bit within a word.
    let packed = Butterfly::ReedMuller { log_unit_bits: 0 };
    let (_, steps) = of(packed, WordType::I64, 20, 23);
    assert_eq!(steps.iter().map(|(work, _)| work).sum::<u128>(), (10 + 18) * values);
}

/// A step takes the rate of the smallest cache that holds what all threads go through.
#[test]
fn host_steps_go_through_the_smallest_cache_that_holds_them() {
    use manycore_model::machine::CacheLevel;
    let machine = cores(vec![
        CacheLevel { bytes: 2 << 20, rate: 700e9 },
        CacheLevel { bytes: 16 << 20, rate: 400e9 },
        CacheLevel { bytes: 32 << 20, rate: 190e9 },
    ]);
    let host = OnHost { butterfly: Butterfly::Walsh, order: Order::Hadamard, algorithm: Algorithm::CooleyTukey };
    // Bytes a second of the last step of blocks.
    let rate = |log_len: u32, log_block_bytes| {
        let arrays = Arrays { count: 1, log_len, element: WordType::F32 };
        let plan = HostPlan { algorithm: Algorithm::CooleyTukey, reorders: false, log_block_bytes };
        let times = machine.estimate(&host.program(&arrays, &plan, &machine).unwrap()).unwrap().kernels;
        let step = times.iter().take_while(|time| time.name != "walsh_columns").last().unwrap();
        (8.0 * f64::from(1u32 << log_len) / step.memory / 1e9).round() as u32
    };
    assert_eq!([24, 23, 22, 20, 19].map(|log_block_bytes| rate(24, log_block_bytes)), [190, 400, 400, 700, 700]);
}

/// Shapes past any memory are estimated too: counts are bounded.
#[test]
fn the_longest_arrays_neither_wrap_nor_panic() {
    let butterflies =
        [Butterfly::Walsh, Butterfly::Arithmetic, Butterfly::ReedMuller { log_unit_bits: 0 }, Butterfly::Walsh];
    for (count, log_len) in [(1, 62), (1, 63), (usize::MAX, 0), (1 << 32, 31), (3, 62)] {
        for (butterfly, element) in
            butterflies.into_iter().zip([WordType::F32, WordType::I32, WordType::I64, WordType::F64])
        {
            let arrays = Arrays { count, log_len, element };
            for algorithm in [Algorithm::CooleyTukey, Algorithm::ConstantGeometry] {
                for order in [Order::Hadamard, Order::Sequency] {
                    let device = OnDevice { butterfly, order, ..on(LARGE, algorithm) };
                    let on_device = choose(&device, &arrays, &h200()).map(|choice| choice.best().estimate.seconds);
                    let host = OnHost { butterfly, order, algorithm };
                    let on_host =
                        choose(&host, &arrays, &cores(Vec::new())).map(|choice| choice.best().estimate.seconds);
                    for seconds in [on_device, on_host] {
                        // More than the time of an exabyte; past 2^64 bytes there may be no cut.
                        let is_bounded = seconds.as_ref().map_or(arrays.bytes() == u64::MAX, |&seconds| seconds > 1e5);
                        assert!(is_bounded, "{arrays:?} {algorithm:?} {order}: {seconds:?}");
                    }
                }
            }
        }
    }
}
