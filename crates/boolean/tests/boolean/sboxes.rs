//! S-boxes against the definitions and by second routes, on the host and on every OpenCL device.

use std::collections::BTreeMap;

use crate::common::{aes, power, random_permutation, random_sbox};
use manycore_boolean::sbox::reference;
use manycore_boolean::{Boolean, BooleanError, SBox};
use manycore_device::{Device, TuningMode};
use manycore_testkit::{devices, opencl_devices, simulated};
use manycore_tuning::Origin;
use proptest::prelude::*;

fn histogram<T: Into<i64> + Copy>(table: &[T]) -> BTreeMap<i64, u64> {
    table.iter().fold(BTreeMap::new(), |mut counts, &v| {
        *counts.entry(v.into()).or_default() += 1;
        counts
    })
}

/// Compares the tables and their summaries with the definitions.
fn check(boolean: &Boolean, sbox: &SBox) {
    let what = format!("{:?} {:?}", boolean.device(), sbox);
    let (inputs, outputs) = (sbox.inputs(), sbox.outputs());
    let (linear, differences) = (reference::linear_table(sbox), reference::difference_table(sbox));
    assert_eq!(boolean.linear_table(sbox, 0..inputs).unwrap().download().unwrap(), linear, "{what}");
    assert_eq!(boolean.difference_table(sbox, 0..inputs).unwrap().download().unwrap(), differences, "{what}");
    // The definition takes 2^(3 n) steps.
    if inputs <= 1 << 8 {
        let found = boolean.boomerang_table(sbox, 0..inputs).map(|table| table.download().unwrap());
        assert_eq!(found, reference::boomerang_table(sbox).map_err(BooleanError::from), "{what}");
    }
    let rows = inputs / 3..inputs - inputs / 4;
    let part = rows.start * outputs..rows.end * outputs;
    assert_eq!(boolean.linear_table(sbox, rows.clone()).unwrap().download().unwrap(), linear[part.clone()], "{what}");
    assert_eq!(boolean.difference_table(sbox, rows).unwrap().download().unwrap(), differences[part], "{what}");

    let summary = boolean.linear_summary(sbox).unwrap();
    assert_eq!(summary.histogram.counts, histogram(&linear), "{what}");
    let size = |a: usize, b: usize| u64::from(linear[a * outputs + b].unsigned_abs());
    let places = || (1..outputs).flat_map(|b| (0..inputs).map(move |a| (a, b)));
    let most = places().map(|(a, b)| size(a, b)).max().unwrap();
    let first = places().find(|&(a, b)| size(a, b) == most).map(|(a, b)| (a as u16, b as u16));
    assert_eq!((summary.linearity, Some(summary.place)), (most, first), "{what}");
    assert_eq!(summary.branch_number, reference::linear_branch_number(sbox), "{what}");
    let components: Vec<i32> = places().map(|(a, b)| linear[a * outputs + b]).collect();
    assert_eq!(summary.components().counts, histogram(&components), "{what}");
    assert_eq!(summary.nonlinearity(), (inputs as u64 - most) / 2, "{what}");

    let summary = boolean.difference_summary(sbox).unwrap();
    assert_eq!(summary.histogram.counts, histogram(&differences), "{what}");
    let most = differences[outputs..].iter().copied().max().unwrap();
    let at = outputs + differences[outputs..].iter().position(|&v| v == most).unwrap();
    let place = ((at / outputs) as u16, (at % outputs) as u16);
    assert_eq!((summary.uniformity, summary.place), (most.into(), place), "{what}");
    assert_eq!(summary.branch_number, reference::differential_branch_number(sbox), "{what}");
    assert_eq!(summary.nontrivial().counts, histogram(&differences[outputs..]), "{what}");
}

#[test]
fn every_kind_of_sbox_equals_the_definition() {
    for device in devices() {
        let boolean = Boolean::new(&device);
        let most = if simulated(&device) { 4 } else { 7 };
        for (m, n) in [(1, 1), (1, 3), (2, 2), (3, 1), (2, 5), (4, 4), (6, 4), (4, 7), (5, 5), (7, 7)] {
            if m <= most && n <= most {
                check(&boolean, &random_sbox(m, n, u64::from(100 * m + n)));
                check(&boolean, &SBox::new(n, vec![0; 1 << m]).unwrap());
                check(&boolean, &SBox::new(n, vec![(1 << n) - 1; 1 << m]).unwrap());
            }
        }
        for n in [1, 2, 3, 4, 6] {
            if n <= most {
                check(&boolean, &random_permutation(n, n.into()));
                check(&boolean, &SBox::new(n, (0..1 << n).collect()).unwrap());
            }
        }
        if !simulated(&device) {
            check(&boolean, &aes());
        }
    }
}

/// Counters in several pieces, blocks of rows, and the largest counts.
#[test]
fn wider_sboxes_equal_the_host_s() {
    let host = Boolean::new(&Device::host());
    let boxes = [
        random_permutation(11, 5),
        random_sbox(12, 10, 3),
        random_sbox(6, 15, 4),
        random_sbox(3, 16, 9),
        power(11, 0b1000_0000_0101, 3),
        SBox::new(11, (0..1 << 11).collect()).unwrap(),
    ];
    for device in opencl_devices() {
        if simulated(&device) {
            continue;
        }
        let boolean = Boolean::new(&device);
        for sbox in &boxes {
            let what = format!("{:?} {} {}", device, sbox.input_bits(), sbox.output_bits());
            assert!(host.linear_summary(sbox) == boolean.linear_summary(sbox), "{what}");
            assert!(host.difference_summary(sbox) == boolean.difference_summary(sbox), "{what}");
            let rows = sbox.inputs() - 3..sbox.inputs();
            let linear = [&host, &boolean].map(|b| b.linear_table(sbox, rows.clone()).unwrap().download().unwrap());
            assert!(linear[0] == linear[1], "{what}");
            let rows = 0..5.min(sbox.inputs());
            let table = [&host, &boolean].map(|b| b.difference_table(sbox, rows.clone()).unwrap().download().unwrap());
            assert!(table[0] == table[1], "{what}");
        }
    }
    // Known: x^3 is almost perfect nonlinear, and almost bent for odd bits.
    let cube = &boxes[4];
    assert_eq!(host.difference_summary(cube).unwrap().uniformity, 2);
    assert_eq!(host.linear_summary(cube).unwrap().linearity, 1 << 6);
}

/// Blocks of every number of rows, and every number of counters.
#[test]
fn summaries_do_not_depend_on_how_tables_are_cut() {
    for device in devices() {
        if simulated(&device) {
            continue;
        }
        let boolean = Boolean::new(&device);
        for (m, n) in [(5, 7), (7, 6)] {
            let sbox = random_sbox(m, n, 31);
            let (linear, differences) =
                (boolean.linear_summary(&sbox).unwrap(), boolean.difference_summary(&sbox).unwrap());
            for rows in [0, 1, 3, 1 << (n - 1), usize::MAX] {
                assert_eq!(boolean.linear_summary_in(&sbox, rows).unwrap(), linear, "{device:?} {m} {n} {rows}");
            }
            for log_counters in [0, 1, 4, 6, 32] {
                let found = boolean.difference_summary_with(&sbox, log_counters).unwrap();
                assert_eq!(found, differences, "{device:?} {m} {n} {log_counters}");
            }
            let linear_ways = boolean.explain_linear(&sbox).unwrap();
            let counters = boolean.explain_differences(&sbox).unwrap();
            assert!(linear_ways.refused.is_empty() && counters.refused.is_empty());
        }
    }
}

#[test]
fn every_mode_gives_the_same_summaries() {
    let sbox = random_sbox(9, 8, 5);
    let of = |mode| {
        let boolean = Boolean::new(&Device::host().with_tuning(mode));
        let linear = boolean.linear_summary(&sbox).unwrap();
        (linear, boolean.difference_summary(&sbox).unwrap(), boolean.explain_linear(&sbox).unwrap())
    };
    let (linear, differences, estimated) = of(TuningMode::Estimate);
    assert_eq!((estimated.origin(), estimated.candidates().len()), (&Origin::Estimated, 9), "{estimated}");
    for mode in [TuningMode::Measure, TuningMode::Kept] {
        let (found, counted, choice) = of(mode);
        assert!(found == linear && counted == differences, "{choice}");
        assert!(choice.best().measured_seconds.is_some(), "{choice}");
    }
}

/// Tables and summaries that threads share in parts, of several rows or of a row's pieces.
#[test]
fn summaries_do_not_depend_on_the_number_of_threads() {
    for sbox in [random_permutation(9, 8), random_sbox(10, 6, 2), random_sbox(5, 13, 6), power(9, 0b10_0001_0001, 3)] {
        let of = |threads: usize| {
            let boolean = Boolean::new(&Device::host_with(threads).unwrap());
            let rows = sbox.inputs() / 3..sbox.inputs();
            (
                boolean.linear_summary(&sbox).unwrap(),
                boolean.linear_summary_in(&sbox, sbox.outputs() / 8).unwrap(),
                boolean.difference_summary(&sbox).unwrap(),
                boolean.linear_table(&sbox, rows.clone()).unwrap().download().unwrap(),
                boolean.difference_table(&sbox, rows).unwrap().download().unwrap(),
            )
        };
        let alone = of(1);
        assert_eq!(alone.0, alone.1);
        for threads in [2, 3, 8] {
            assert!(of(threads) == alone, "{threads} {} {}", sbox.input_bits(), sbox.output_bits());
        }
    }
}

#[test]
fn rows_past_the_table_are_refused() {
    let boolean = Boolean::new(&Device::host());
    let sbox = random_sbox(3, 2, 1);
    let error = BooleanError::Rows { start: 7, end: 9, rows: 8 };
    assert_eq!(boolean.linear_table(&sbox, 7..9).unwrap_err(), error);
    assert_eq!(boolean.difference_table(&sbox, 7..9).unwrap_err(), error);
    assert_eq!(
        error.to_string(),
        "no rows 7..9: the table has rows 0..8, of which START..END has those from START to before END"
    );
    for device in devices() {
        let boolean = Boolean::new(&device);
        assert!(boolean.linear_table(&sbox, 8..8).unwrap().is_empty());
        assert!(boolean.difference_table(&sbox, 3..3).unwrap().is_empty());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn random_sboxes_equal_the_definition(m in 1..7u32, n in 1..7u32, seed in any::<u64>()) {
        check(&Boolean::new(&Device::host()), &random_sbox(m, n, seed));
    }

    /// The inverse's tables are the transposes.
    #[test]
    fn inverses_transpose(n in 1..8u32, seed in any::<u64>()) {
        let sbox = random_permutation(n, seed);
        let inverse = sbox.inverse().unwrap();
        let boolean = Boolean::new(&Device::host());
        let len = sbox.inputs();
        let [linear, other] = [&sbox, &inverse].map(|s| boolean.linear_table(s, 0..len).unwrap().download().unwrap());
        prop_assert!((0..len * len).all(|i| linear[i] == other[i % len * len + i / len]));
        let [table, other] = [&sbox, &inverse].map(|s| boolean.difference_table(s, 0..len).unwrap().download().unwrap());
        prop_assert!((0..len * len).all(|i| table[i] == other[i % len * len + i / len]));
        // Differences are at least as often returned as boomerangs ask: entries of the boomerang table are not smaller.
        let boomerang = sbox.boomerang_table().unwrap();
        prop_assert!(boomerang.iter().zip(&table).all(|(b, d)| b >= d));
    }

    /// The linear table's squares are the Walsh transform of the difference table (Chabaud and Vaudenay).
    #[test]
    fn squares_are_the_transform_of_differences(m in 1..6u32, n in 1..6u32, seed in any::<u64>()) {
        let sbox = random_sbox(m, n, seed);
        let (linear, table) = (reference::linear_table(&sbox), reference::difference_table(&sbox));
        for (i, w) in linear.iter().enumerate() {
            let (a, b) = (i / sbox.outputs(), i % sbox.outputs());
            let term = |(j, &count): (usize, &u32)| {
                let odd = ((a & (j / sbox.outputs())).count_ones() + (b & (j % sbox.outputs())).count_ones()) % 2;
                (1 - 2 * odd as i32) * count as i32
            };
            prop_assert_eq!(w * w, table.iter().enumerate().map(term).sum::<i32>());
        }
    }
}
