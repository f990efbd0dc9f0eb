//! Sets of devices: how work is cut, and how it runs on several at once.

use std::collections::HashSet;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use manycore_device::{Control, Device, DeviceError, DeviceSet, Window, checkpoint};
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

/// Every device, the host twice, so that there are always several.
fn several() -> DeviceSet {
    DeviceSet::equal([devices(), vec![Device::host_with(1).unwrap()]].concat()).unwrap()
}

#[test]
fn shared_ranges_follow_each_other() {
    for set in [several(), DeviceSet::from(Device::host())] {
        for len in [0, 1, 2, 63, 64, 65, 10_000] {
            for granularity in [0, 1, 64] {
                let input: Vec<u32> = (0..len as u32).collect();
                let parts = set
                    .share(len, granularity, |device, range| {
                        let x = device.upload(&input[range])?;
                        x.download()
                    })
                    .unwrap();
                let mut at = 0;
                for (range, part) in &parts {
                    assert_eq!((range.start, range.len()), (at, part.len()));
                    assert!(range.start.is_multiple_of(granularity.max(1)) && range.end > range.start);
                    at = range.end;
                }
                assert_eq!(parts.into_iter().flat_map(|(_, part)| part).collect::<Vec<_>>(), input);
            }
        }
        assert_eq!(set.failures(), []);
    }
}

#[test]
fn the_work_of_a_lost_device_is_done_by_others_and_it_is_named() {
    let set = several();
    let lost = set.devices()[0].clone();
    let error = || DeviceError::Range { start: 1, end: 0, len: 0 };
    for _ in 0..2 {
        let is_lost = AtomicBool::new(false);
        let work = |device: &Device, range: Range<usize>| {
            if *device == lost {
                is_lost.store(true, Ordering::Release);
                return Err(error());
            }
            while !is_lost.load(Ordering::Acquire) {
                std::thread::yield_now();
            }
            Ok(range.len())
        };
        let parts = set.share(1000, 1, work).unwrap();
        assert_eq!(parts.iter().map(|(_, len)| len).sum::<usize>(), 1000);
    }
    let failures = set.clone().failures();
    assert_eq!(failures.len(), 1, "told once");
    assert_eq!((&failures[0].device, &failures[0].reason), (&lost.info().label(), &error().to_string()));
}

#[test]
fn where_all_devices_fail_the_first_range_tells_why() {
    let set = several();
    let error = |at| DeviceError::Range { start: at, end: 0, len: 0 };
    // An input that is bad at one place only.
    let outcome = set.share(100, 1, |_, range| if range.contains(&60) { Err(error(60)) } else { Ok(()) });
    assert_eq!(outcome, Err(error(60)));
    let outcome = set.share(100, 1, |_, range| Err::<(), _>(error(range.start)));
    assert_eq!(outcome, Err(error(0)));
    assert_eq!(set.failures(), [], "the error itself tells");
}

#[test]
fn sharing_is_cancelled_and_panics_are_passed_on() {
    let set = several();
    let control = Control::new();
    let outcome = control.run(|| {
        set.share(1000, 1, |_, range| {
            if range.start > 0 {
                control.cancel();
            }
            checkpoint()
        })
    });
    assert_eq!(outcome, Err(DeviceError::Cancelled));
    let run =
        || set.share(1000, 1, |_, range| if range.start > 0 { panic!("on purpose") } else { Ok::<_, DeviceError>(()) });
    assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
}

#[test]
fn sets_are_named() {
    assert_eq!(DeviceSet::select("host,host:2").unwrap().devices().len(), 2);
    assert!(matches!(DeviceSet::select("host,nothing of that name"), Err(DeviceError::NoDevice { .. })));
    assert!(DeviceSet::select("GPUs").is_ok_and(|set| !set.devices().is_empty()) || !has_gpu());
}

fn has_gpu() -> bool {
    let gpu = |device: &Device| device.info().kind == manycore_device::DeviceKind::Gpu;
    Device::all().iter().any(gpu)
}

#[test]
fn lanes_share_a_device_and_its_memory() {
    for device in devices() {
        let lanes = device.lanes(3).unwrap();
        assert_eq!(lanes[0], device);
        assert_eq!(lanes, device.lanes(3).unwrap(), "kept");
        assert_eq!(lanes.len(), if device.info().id.starts_with("opencl") { 3 } else { 1 });
        for lane in &lanes {
            let mut x = lane.upload(&[1u32, 2, 3]).unwrap();
            x.view_mut(1..2).unwrap().fill(7).unwrap();
            assert_eq!(x.download().unwrap(), [1, 7, 3]);
            assert_eq!(lane.info(), device.info());
        }
        // A limit counts what all of them have.
        let control = Control::new().with_limit_bytes(1000);
        control.run(|| {
            let kept = lanes[lanes.len() - 1].zeros::<u8>(600).unwrap();
            assert_eq!(device.room_bytes(), 400);
            assert!(matches!(device.zeros::<u8>(401), Err(DeviceError::OutOfMemory { free_or_limit_bytes: 400, .. })));
            drop(kept);
            assert_eq!(device.room_bytes(), 1000);
        });
    }
    let set = several().lanes(2).unwrap();
    assert_eq!(
        set.share(100, 1, |device, range| device.upload(&[1u8]).map(|_| range.len()))
            .unwrap()
            .iter()
            .map(|p| p.1)
            .sum::<usize>(),
        100
    );
}

#[test]
fn words_go_part_by_part() {
    for device in devices() {
        for len in [0usize, 1, 1000, (1 << 17) - 1, (1 << 17) + 1, 3 << 20] {
            let mut x = device.zeros::<u32>(len + 3).unwrap();
            let mut view = x.view_mut(2..len + 2).unwrap();
            view.write_with(|start, part| {
                for (i, word) in part.iter_mut().enumerate() {
                    *word = (start + i) as u32 | 1 << 31;
                }
            })
            .unwrap();
            let seen = Mutex::new(HashSet::new());
            x.view(2..len + 2)
                .unwrap()
                .read_with(|start, part| {
                    assert!(part.iter().enumerate().all(|(i, &word)| word == (start + i) as u32 | 1 << 31));
                    assert!(seen.lock().unwrap().insert((start, part.len())));
                })
                .unwrap();
            assert_eq!(seen.into_inner().unwrap().iter().map(|(_, len)| len).sum::<usize>(), len);
            assert_eq!(
                (x.view(..2).unwrap().download().unwrap(), x.view(len + 2..).unwrap().download().unwrap()),
                (vec![0; 2], vec![0])
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn windows_have_no_word_in_common(
        (rows, columns) in (0..20usize, 1..20usize),
        (height, width) in (0..8usize, 0..8usize),
    ) {
        let mut words: Vec<u64> = (0..(rows * columns) as u64).collect();
        let blocks: Vec<_> = Window::new(&mut words, columns)
            .unwrap()
            .into_rows(height)
            .into_iter()
            .flat_map(|block| block.into_columns(width))
            .collect();
        let device = Device::host();
        for mut block in blocks {
            let mut x = device.zeros::<u64>(block.len()).unwrap();
            block.upload((&mut x).into()).unwrap();
            let read: Vec<u64> = (0..block.rows()).flat_map(|row| block.row(row).to_vec()).collect();
            prop_assert_eq!(x.download().unwrap(), read.clone());
            let more: Vec<u64> = read.iter().map(|word| word + 1000).collect();
            block.download((&device.upload(&more).unwrap()).into()).unwrap();
            if block.rows() > 0 {
                block.row_mut(0)[0] += 1000;
            }
        }
        let sum: u64 = words.iter().enumerate().map(|(i, word)| word - i as u64).sum();
        let blocks = rows.div_ceil(height.max(1)) * columns.div_ceil(width.max(1));
        prop_assert_eq!(sum, 1000 * (rows * columns + blocks) as u64);
    }
}

#[test]
fn windows_of_other_lengths_are_refused() {
    let mut words = [0u32; 12];
    for columns in [0, 5, 24] {
        assert!(matches!(Window::new(&mut words, columns), Err(DeviceError::Length { .. })), "{columns}");
    }
    let window = |words: &'static mut [u32]| Window::new(words, 4).unwrap();
    assert!(window(vec![0; 12].leak()).split_rows(4).is_err());
    assert!(window(vec![0; 12].leak()).split_columns(5).is_err());
    let mut window = Window::new(&mut words, 4).unwrap();
    let mut x = Device::host().zeros::<u32>(11).unwrap();
    assert!(matches!(window.upload((&mut x).into()), Err(DeviceError::Length { expected: 12, given: 11, .. })));
    assert!(matches!(window.download((&x).into()), Err(DeviceError::Length { expected: 12, given: 11, .. })));
}

#[test]
fn results_go_to_their_part_of_a_slice() {
    let set = several();
    let lost = set.devices()[1].clone();
    for (items, each) in [(0, 1), (1, 3), (1000, 1), (1001, 7)] {
        let mut out = vec![0u64; items * each];
        set.share_into(&mut out, each, 1, |device, range, part| {
            part.fill(u64::MAX);
            if *device == lost {
                return Err(DeviceError::Cancelled);
            }
            let words: Vec<u64> = range.flat_map(|item| (0..each).map(move |i| (item * 10 + i) as u64)).collect();
            device.upload(&words)?.read_into(part)
        })
        .unwrap();
        assert!(out.iter().enumerate().all(|(i, &word)| word == (i / each * 10 + i % each) as u64));
    }
    for each in [0, 3] {
        let outcome = set.share_into(&mut [0; 4], each, 1, |_, _, _| Ok::<_, DeviceError>(()));
        assert!(matches!(outcome, Err(DeviceError::Length { given: 4, .. })));
    }
}

#[test]
fn parts_are_changed_in_place_once_or_the_work_ends() {
    let set = several();
    let lost = set.devices()[1].clone();
    let begun = AtomicUsize::new(0);
    let mut words = vec![0u32; 1000];
    // A device that fails at its second part has done the first one.
    set.each_in_place(words.chunks_mut(7).collect(), |device, at, part, is_amid| {
        if *device == lost && begun.fetch_add(1, Ordering::Relaxed) > 0 {
            return Err(DeviceError::Cancelled);
        }
        *is_amid = true;
        for word in &mut **part {
            *word += 1 + at as u32;
        }
        Ok(())
    })
    .unwrap();
    assert!(words.iter().enumerate().all(|(i, &word)| word == 1 + i as u32 / 7));
    // A part that a device leaves half done is nobody's any more.
    let done = AtomicUsize::new(0);
    let outcome = set.each_in_place(words.chunks_mut(7).collect(), |_, at, _, is_amid| {
        *is_amid = true;
        let times = done.fetch_add(usize::from(at == 3), Ordering::Relaxed);
        if at == 3 { Err(DeviceError::Range { start: at, end: times, len: 0 }) } else { Ok(()) }
    });
    assert_eq!(outcome, Err(DeviceError::Range { start: 3, end: 0, len: 0 }));
    assert_eq!(done.into_inner(), 1);
}
