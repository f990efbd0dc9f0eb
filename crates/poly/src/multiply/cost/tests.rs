//! The counts of the two phases against the corrected formulas of paper 002, and choices on a known machine.

use manycore_field::Arithmetic;
use manycore_model::{Choice, Costed as _, Machine, choose, crossovers, paper};

use super::{OnDevice, OnHost};
use crate::multiply::two_phase::Sizes;
use crate::multiply::{Algorithm, Plan, Shape};

/// The definition on an H200.
fn on_gpu(arithmetic: Arithmetic) -> OnDevice {
    OnDevice { arithmetic, gpu: true, group_limit: 1024, local_bytes: 232_192, largest_bytes: 1 << 36, slowdown: 1.0 }
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
/// `x`; and the predicted times fall with it where it dominates.
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
        on_gpu(Arithmetic::Word32).predict(&shape, &plan, &h200()).unwrap().seconds
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

/// One launch that keeps every unit busy: sums of short products are cut into parts, tiles are no larger than the product.
#[test]
fn tiles_suit_the_product() {
    for log_len in [8, 10, 12] {
        let best = choice(&Shape::full(1 << log_len, 1 << log_len)).best().clone();
        let Plan::PlainTile(tile) = best.parameters else { panic!("{}", best.parameters) };
        assert!(tile.log_segments >= 4, "2^{log_len}: {tile}");
        assert!((2usize << log_len).div_ceil(tile.width()) >= 32, "2^{log_len}: {tile}");
        assert!(best.prediction.seconds < 12e-6, "2^{log_len}: {}", best.prediction);
    }
    let batch = choice(&Shape { count: 1 << 14, ..Shape::full(16, 16) });
    let Plan::PlainTile(tile) = batch.best().parameters else { panic!("{}", batch.best().parameters) };
    assert!(tile.width() <= 64 && tile.log_group() >= 5, "{tile}");
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

/// On the host the definition is overtaken by Karatsuba's algorithm, once.
#[test]
fn karatsuba_overtakes_the_definition() {
    let machine = manycore_device::Device::host_with(1).unwrap().machine();
    for (word_bytes, order, range) in [(4, 469_762_049, 128..=1024), (8, (1 << 62) - 57, 32..=256)] {
        let operation = OnHost { word_bytes, order };
        let plain = |n: u64| {
            Some(operation.predict(&Shape::full(n as usize, n as usize), &Plan::Plain, &machine).ok()?.seconds)
        };
        let karatsuba = |n: u64| {
            let choice = choose(&operation, &Shape::full(n as usize, n as usize), &machine).ok()?;
            let own = choice.candidates().iter().filter(|c| c.parameters.algorithm() == Algorithm::Karatsuba);
            own.map(|c| c.prediction.seconds).reduce(f64::min)
        };
        let found = crossovers(1..=1 << 12, &[&plain, &karatsuba]);
        assert_eq!(found.first(), Some(&(1, Some(0))), "{found:?}");
        assert!(found.len() >= 2 && range.contains(&found[1].0), "{found:?}");
    }
}
