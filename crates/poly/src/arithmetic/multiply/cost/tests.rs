//! The counts of the two phases against the corrected formulas of paper 002, and choices on a known machine.

use manycore_field::Arithmetic;
use manycore_model::{Machine, paper};
use manycore_ntt::cost::Operations;
use manycore_tuning::{Choice, Costed as _, choose, crossovers};

use super::{OnDevice, OnHost};
use crate::arithmetic::multiply::two_phase::Sizes;
use crate::arithmetic::multiply::{Algorithm, Plan, Shape};

/// The definition on an H200.
fn on_gpu(arithmetic: Arithmetic) -> OnDevice {
    OnDevice { arithmetic, sum_terms: 4, group_limit: 1024, local_bytes: 232_192, largest_bytes: 1 << 36, tile: None }
}

fn h200() -> Machine {
    Machine::known("NVIDIA H200").unwrap()
}

fn choice(shape: &Shape) -> Choice<Plan> {
    choose(&on_gpu(Arithmetic::Word32), shape, &h200()).unwrap()
}

/// The launches of the two phases are those that the model counts for the paper: blocks, and work `W`.
#[test]
fn both_phases_have_the_launches_of_the_paper() {
    for (n, m, x, l) in
        [(16, 8, 2, 17), (15, 8, 2, 8), (13, 13, 4, 8), (1009, 64, 16, 64), (30, 19, 3, 4), (5, 9, 1, 2)]
    {
        let sizes = Sizes::new(n, m, x);
        let [columns, rows, own_x, items] = [sizes.columns, sizes.rows, sizes.x, l].map(|v| v as u64);
        let expected = paper::plain_multiplication(n as u64, m as u64, x as u64, items).unwrap();
        let mut blocks = vec![(rows * columns.div_ceil(items)) as u128];
        blocks.extend(sizes.taken().map(|taken| (taken as u64 * columns).div_ceil(items) as u128));
        let counted: Vec<u128> = expected.groups().iter().map(|(kernel, _)| kernel.block_count()).collect();
        assert_eq!(blocks, counted, "{n} by {m}, x = {x}, groups of {l}");
        let added: usize = sizes.taken().sum();
        assert_eq!(added, sizes.rows, "each row is added once");
        let work = (2 * own_x - 1) * rows * columns + added as u64 * columns;
        let cost = expected.cost(&paper::tesla_c2050(1.0).unwrap()).unwrap();
        assert_eq!(u128::from(work), cost.work);
        assert_eq!(sizes.words(), Some(paper::intermediate_words(n as u64, m as u64, x as u64).unwrap() as usize));
    }
    // The specification's example of (8.2): n = 16, m = 8, x = 2.
    let sizes = Sizes::new(16, 8, 2);
    assert_eq!(3 * sizes.rows * sizes.columns + sizes.rows * sizes.columns, 272);
}

/// The corrected (8.4): the words that `x = 1` moves are `n x / (n + x - 1)` times those of `x`, so the overhead falls with
/// `x`; and the estimated times fall with it where it dominates.
#[test]
fn overhead_falls_with_x() {
    let (n, m) = (4093usize, 1024usize);
    let moved = |x| {
        let sizes = Sizes::new(n, m, x);
        // 3 words of each thread, one thread a column and row in both phases.
        (3 * 2 * sizes.rows * sizes.columns) as f64
    };
    for x in [2, 4, 8, 64] {
        let ratio = (n * x) as f64 / (n + x - 1) as f64;
        assert!((moved(1) / moved(x) / ratio - 1.0).abs() < 1e-12, "{x}");
    }
    let shape = Shape::full(1 << 13, 1 << 13);
    let seconds = |x| {
        let plan = Plan::TwoPhase { x, group: 256 };
        on_gpu(Arithmetic::Word32).estimate(&shape, &plan, &h200()).unwrap().seconds
    };
    for x in [1, 2, 4, 8, 16, 32] {
        assert!(seconds(x) > seconds(2 * x), "{x}");
    }
}

#[test]
fn rows_that_do_not_fit_are_refused() {
    let small = OnDevice { largest_bytes: 1 << 20, ..on_gpu(Arithmetic::Word32) };
    let choice = choose(&small, &Shape::full(1 << 12, 1 << 12), &h200()).unwrap();
    let refused = choice.refused.iter().filter(|(plan, _)| matches!(plan, Plan::TwoPhase { .. })).count();
    assert!(refused > 0);
    assert!(choice.candidates().iter().all(|c| !matches!(c.parameters, Plan::TwoPhase { x: 1, .. })));
}

/// Tiles are few, no larger than the product needs, and share groups where there are several products.
#[test]
fn tiles_suit_the_product() {
    for log_len in [0, 3, 8, 10, 12, 20] {
        let shape = Shape::full(1 << log_len, 1 << log_len);
        let plans = on_gpu(Arithmetic::Word32).candidates(&shape, &h200());
        assert!((1..=40).contains(&plans.len()), "2^{log_len}: {}", plans.len());
        let best = choice(&shape).best().clone();
        assert_eq!(best.estimate.launches, 1, "2^{log_len}: {}", best.parameters);
    }
    let shape = Shape { count: 1 << 14, ..Shape::full(16, 16) };
    assert!(on_gpu(Arithmetic::Goldilocks).candidates(&shape, &h200()).len() <= 40);
    let batch = choice(&shape);
    let Plan::PlainTile(tile) = batch.best().parameters else { panic!("{}", batch.best().parameters) };
    assert!(tile.width() <= 128 && tile.log_group() >= 5 && tile.log_pack > 0, "{tile}");
}

#[test]
fn huge_shapes_neither_panic_nor_wrap() {
    let small = choice(&Shape::full(1 << 10, 1 << 10)).best().estimate.seconds;
    let host = manycore_device::Device::host().typical_machine();
    for shape in [
        Shape { count: 1 << 40, ..Shape::full(1 << 20, 1 << 20) },
        Shape { low: 5, len: usize::MAX, ..Shape::full(1 << 40, 3) },
        Shape::full(1 << 61, 1 << 61),
    ] {
        assert!(choice(&shape).best().estimate.seconds > small, "{shape}");
        for (word_bytes, order) in [(4, 469_762_049), (8, (1 << 62) - 57)] {
            let choice = choose(&OnHost { word_bytes, order }, &shape, &host).unwrap();
            assert!(choice.best().estimate.seconds > small, "{shape}");
        }
    }
}

/// A term meets every tile that its products touch; the caller's part of a cut are its sums.
#[test]
fn products_are_counted_from_the_code() {
    let operation = OnHost { word_bytes: 8, order: (1 << 62) - 57 };
    let machine = manycore_device::Device::host_with(1).unwrap().typical_machine();
    let work = |n: usize, plan: &Plan| -> u128 {
        let program = operation.program(&Shape::full(n, n), plan, &machine).unwrap();
        program.kernels().iter().map(|kernel| kernel.work().unwrap()).sum()
    };
    let plain = |n: u64| Operations::scalar(4 * n * (n + 1) + 36 * (2 * n - 1));
    assert_eq!(work(32, &Plan::Plain), u128::from(plain(32).of_one_kind(&machine)));
    // A cut of 64: three products of 32, and 64 + 2 * 63 + 63 sums of three operations on long words.
    let karatsuba = plain(32).times(3).plus(Operations::long(0, 3).times(64 + 2 * 63 + 63));
    assert_eq!(work(64, &Plan::Karatsuba { base: 64 }), u128::from(karatsuba.of_one_kind(&machine)));
}

/// Of a product that threads share by Karatsuba's algorithm, the caller's part is the same however many they are.
#[test]
fn cuts_and_joins_are_the_callers() {
    let one = manycore_device::Device::host_with(1).unwrap().typical_machine();
    let operation = OnHost { word_bytes: 4, order: 469_762_049 };
    let shape = Shape::full(1 << 12, 1 << 12);
    let program = |processors: u32, shape: &Shape| {
        let machine = Machine { processors, ..one.clone() };
        operation.program(shape, &Plan::Karatsuba { base: 128 }, &machine).unwrap()
    };
    let work = |processors| -> u128 {
        program(processors, &shape).kernels().iter().map(|kernel| kernel.work().unwrap()).sum()
    };
    assert_eq!(program(1, &shape).kernels().len(), 1);
    for (processors, parts) in [(2, 9), (4, 27), (16, 81)] {
        let program = program(processors, &shape);
        let [joins, products] = program.kernels() else { panic!("{program:?}") };
        assert_eq!((joins.block_count(), products.block_count()), (1, parts));
        let (all, alone) = (work(processors), work(1));
        assert!(all >= alone && all < alone + alone / 4, "{all} and {alone} operations");
    }
    // A batch: a product for each thread.
    assert_eq!(program(16, &Shape { count: 100, ..Shape::full(600, 600) }).kernels().len(), 1);
}

/// On the host the definition is overtaken by Karatsuba's algorithm for good, where tiles are filled.
#[test]
fn karatsuba_overtakes_the_definition() {
    let machine = manycore_device::Device::host_with(1).unwrap().typical_machine();
    for (word_bytes, order, range) in [(4, 469_762_049, 64..=4096), (8, (1 << 62) - 57, 32..=1024)] {
        let operation = OnHost { word_bytes, order };
        let plain = |n: u64| {
            Some(operation.estimate(&Shape::full(n as usize, n as usize), &Plan::Plain, &machine).ok()?.seconds)
        };
        let karatsuba = |n: u64| {
            let choice = choose(&operation, &Shape::full(n as usize, n as usize), &machine).ok()?;
            let own = choice.candidates().iter().filter(|c| c.parameters.algorithm() == Algorithm::Karatsuba);
            own.map(|c| c.estimate.seconds).reduce(f64::min)
        };
        let found = crossovers(1..=1 << 12, &[&plain, &karatsuba]);
        assert_eq!(found.first(), Some(&(1, Some(0))), "{found:?}");
        let (last, algorithm) = found[found.len() - 1];
        assert!(algorithm == Some(1) && range.contains(&last), "{found:?}");
    }
}
