//! Sets of devices: how work is cut, and how it runs on several at once.

use std::panic::{AssertUnwindSafe, catch_unwind};

use manycore_device::{Device, DeviceError, DeviceSet};
use manycore_testkit::devices;
use proptest::prelude::*;

fn set(weights: &[f64]) -> DeviceSet {
    DeviceSet::new(vec![Device::host(); weights.len()], weights).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn ranges_cover_everything_in_order(
        weights in prop::collection::vec(prop_oneof![1e-3..1e3f64, Just(1.0), Just(f64::MIN_POSITIVE), Just(1e300)], 1..7),
        len in prop_oneof![0..50usize, any::<u32>().prop_map(|len| len as usize), any::<usize>()],
        granularity in prop_oneof![0..5usize, Just(1 << 20), any::<usize>()],
    ) {
        let ranges = set(&weights).partition(len, granularity);
        prop_assert_eq!(ranges.len(), weights.len());
        prop_assert_eq!((ranges[0].start, ranges[ranges.len() - 1].end), (0, len));
        for pair in ranges.windows(2) {
            prop_assert_eq!(pair[0].end, pair[1].start);
        }
        for range in &ranges {
            prop_assert!(range.start <= range.end);
            prop_assert!(range.end == len || range.end.is_multiple_of(granularity.max(1)), "{ranges:?}");
        }
    }

    /// Each share is within a step of its weight's part.
    #[test]
    fn ranges_follow_the_weights(
        weights in prop::collection::vec(0.5..10.0f64, 1..6),
        len in 0..1_000_000usize,
        granularity in 1..100usize,
    ) {
        let total: f64 = weights.iter().sum();
        for (range, weight) in set(&weights).partition(len, granularity).iter().zip(&weights) {
            let off = (range.len() as f64 - len as f64 * weight / total).abs();
            prop_assert!(off <= granularity as f64 + 1e-6, "{range:?} is {off} off");
        }
    }
}

#[test]
fn equal_shares_are_equal() {
    let set = DeviceSet::equal(vec![Device::host(); 4]).unwrap();
    assert_eq!(set.devices().len(), 4);
    assert_eq!(set.partition(100, 1), [0..25, 25..50, 50..75, 75..100]);
    assert_eq!(set.partition(3, 8), [0..0, 0..0, 0..0, 0..3]);
    assert_eq!(set.partition(0, 8), [0..0, 0..0, 0..0, 0..0]);
}

#[test]
fn weights_are_checked() {
    let two = || vec![Device::host(); 2];
    let length = |outcome: Result<DeviceSet, DeviceError>, wanted: usize, came: usize| match outcome {
        Err(DeviceError::Length { expected, given, .. }) => assert_eq!((expected, given), (wanted, came)),
        other => panic!("{other:?}"),
    };
    length(DeviceSet::equal(Vec::new()), 1, 0);
    length(DeviceSet::new(two(), &[1.0]), 2, 1);
    length(DeviceSet::new(two(), &[1.0; 3]), 2, 3);
    length(DeviceSet::new(two(), &[1.0, 1.0, -1.0]), 2, 3);
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        length(DeviceSet::new(two(), &[1.0, bad]), 2, 1);
    }
}

#[test]
fn every_device_does_its_part() {
    let devices = devices();
    let weights: Vec<f64> = (1..=devices.len()).map(|weight| weight as f64).collect();
    let set = DeviceSet::new(devices, &weights).unwrap();
    let input: Vec<u32> = (0..10_000).collect();
    let ranges = set.partition(input.len(), 64);
    let parts = set
        .run(&ranges, |device, range| {
            let mut x = device.upload(&input[range.clone()])?;
            if !x.is_empty() {
                x.view_mut(..1)?.fill(range.end as u32)?;
            }
            x.download()
        })
        .unwrap();
    let mut expected = input.clone();
    for range in ranges.iter().filter(|range| !range.is_empty()) {
        expected[range.start] = range.end as u32;
    }
    assert_eq!(parts.concat(), expected);
}

#[test]
fn the_first_device_s_error_is_told() {
    let set = DeviceSet::equal(vec![Device::host(); 4]).unwrap();
    let ranges = set.partition(4, 1);
    let error = |at| DeviceError::Range { start: at, end: 0, len: 0 };
    let outcome = set.run(&ranges, |_, range| {
        // The later ones fail earlier in time.
        std::thread::sleep(std::time::Duration::from_millis(20 * (4 - range.start as u64)));
        if range.start == 0 { Ok(()) } else { Err(error(range.start)) }
    });
    assert_eq!(outcome, Err(error(1)));
}

#[test]
fn another_number_of_ranges_is_an_error() {
    let set = DeviceSet::equal(vec![Device::host(); 2]).unwrap();
    for count in [0, 1, 3] {
        let ranges = vec![0..1; count];
        let outcome = set.run(&ranges, |_, _| -> Result<(), DeviceError> { panic!("no work is begun") });
        let Err(DeviceError::Length { expected, given, .. }) = outcome else { panic!("{outcome:?}") };
        assert_eq!((expected, given), (2, count));
    }
}

#[test]
fn a_panic_of_the_work_is_passed_on() {
    let set = DeviceSet::equal(vec![Device::host(); 2]).unwrap();
    let run = || {
        set.run(
            &[0..1, 1..2],
            |_, range| if range.start == 1 { panic!("on purpose") } else { Ok::<_, DeviceError>(()) },
        )
    };
    assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
}
