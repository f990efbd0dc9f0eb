//! Blocks of arrays on several devices: each is done once, whichever devices fail, and sizes follow memory.

use std::sync::atomic::{AtomicUsize, Ordering};

use manycore_arrays::blocks::{Block, BlockLanes, Blocks, Sizes};
use manycore_device::{Control, Device, DeviceError, DeviceSet, InPlace, Word};

fn devices() -> Vec<Device> {
    let one = || Device::host_with(1).unwrap();
    [vec![one(), one(), one()], Device::opencl().unwrap_or_default()].concat()
}

/// Adds `more` to every word.
fn add(x: InPlace<'_, u32>, more: u32, device: &Device) -> Result<(), DeviceError> {
    device.in_place(
        x,
        |_, words| {
            for word in words {
                *word += more;
            }
            Ok(())
        },
        |_, buffer| {
            let words: Vec<u32> = buffer.download()?.iter().map(|word| word + more).collect();
            buffer.write(&words)
        },
    )
}

#[test]
fn every_block_is_done_once_whichever_devices_fail() {
    let all = devices();
    let failure = || DeviceError::Range { start: 1, end: 0, len: 0 };
    for lost in 0..all.len() {
        let set = DeviceSet::equal(all.clone()).unwrap();
        let lanes = BlockLanes::new(&set, Device::clone).unwrap();
        for width in [1, 5, 64, 100] {
            let mut words: Vec<u32> = (0..64 * 100).collect();
            let begun = AtomicUsize::new(0);
            let blocks = Block::columns(&mut words, 100, width).unwrap();
            let count = blocks.len();
            lanes
                .each(blocks, |device, _, x| {
                    // The host fails before it begins, since a block of columns is a copy; others after some blocks.
                    if *device == all[lost] && begun.fetch_add(1, Ordering::Relaxed) >= 1 && count > 1 {
                        return Err(failure());
                    }
                    add(x, 1000, device)
                })
                .unwrap();
            assert!((0..).zip(&words).all(|(i, &word)| word == i + 1000), "{width} {lost}");
        }
        let told = set.failures();
        assert!(told.iter().all(|one| one.reason == failure().to_string()) && told.len() <= 1, "{told:?}");
    }
}

#[test]
fn what_the_host_leaves_half_done_ends_the_work() {
    let host = || Device::host_with(1).unwrap();
    for set in [DeviceSet::from(host()), DeviceSet::equal(vec![host(), host()]).unwrap()] {
        let lanes = BlockLanes::new(&set, |_| ()).unwrap();
        let mut words = vec![0u32; 1000];
        let done = AtomicUsize::new(0);
        let outcome = lanes.each(Block::runs(&mut words, 10), |(), block, x| {
            x.into_host()?[0] = 1;
            done.fetch_add(1, Ordering::Relaxed);
            if block == 3 { Err(DeviceError::Range { start: 3, end: 0, len: 0 }) } else { Ok(()) }
        });
        assert_eq!(outcome, Err(DeviceError::Range { start: 3, end: 0, len: 0 }));
        assert!(done.into_inner() <= 100);
    }
}

#[test]
fn contexts_are_kept_from_pass_to_pass() {
    let set = DeviceSet::equal(devices()).unwrap();
    let made = AtomicUsize::new(0);
    let make = |device: &Device| {
        made.fetch_add(1, Ordering::Relaxed);
        device.clone()
    };
    let lanes = BlockLanes::new(&set, make).unwrap();
    let mut words = vec![0u32; 1000];
    for _ in 0..5 {
        lanes.each(Block::runs(&mut words, 7), |device, _, x| add(x, 1, device)).unwrap();
    }
    assert_eq!(words, vec![5; 1000]);
    assert!(made.into_inner() <= set.devices().len());
}

fn planned<W: Word>(set: &DeviceSet, count: usize, log_len: u32, limit: u64) -> Result<(usize, Blocks), DeviceError> {
    let bytes = |words: usize| 2 * (words * size_of::<W>()) as u64;
    let sizes = Sizes { count, log_len, word_bytes: size_of::<W>(), lane_bytes: &bytes };
    let (lanes, blocks) = Control::new().with_limit_bytes(limit).run(|| sizes.planned(set))?;
    Ok((lanes.devices().len(), blocks))
}

#[test]
fn sizes_follow_memory() {
    let host = DeviceSet::from(Device::host_with(1).unwrap());
    let matrix = |log_rows: u32, log_columns: u32| Blocks::TwoPasses {
        log_rows,
        log_columns,
        log_width: log_columns - log_rows,
    };
    // As much as there is room for, down to a square.
    let of = |limit: u64| planned::<u32>(&host, 1, 20, limit).unwrap().1;
    assert_eq!(of(8 << 10), matrix(10, 10));
    assert_eq!(of((16 << 10) - 1), matrix(10, 10));
    assert_eq!(of(16 << 10), matrix(9, 11));
    assert_eq!(of(1 << 20), matrix(3, 17));
    assert_eq!(of(8 << 20), Blocks::Runs { runs: 1 });
    let refused = planned::<u32>(&host, 1, 20, (8 << 10) - 1).unwrap_err();
    assert!(
        matches!(refused, DeviceError::OutOfMemory { wanted_bytes: 8192, free_or_limit_bytes: 8191, .. }),
        "{refused:?}"
    );
    // An odd number of index bits.
    assert_eq!(planned::<u64>(&host, 1, 21, 32 << 10).unwrap().1, matrix(10, 11));
    // Short runs go together, in blocks of 1 to 64 MiB.
    let Blocks::Runs { runs } = planned::<u32>(&host, 1 << 14, 10, 1 << 40).unwrap().1 else { panic!() };
    assert!((1 << 8..=1 << 12).contains(&runs), "{runs}");
    assert_eq!(planned::<u32>(&host, 1 << 14, 10, 8 << 10).unwrap().1, Blocks::Runs { runs: 1 });
    // OpenCL devices have three lanes where there is room for three blocks.
    for device in Device::opencl().unwrap_or_default() {
        let set = DeviceSet::from(device);
        assert_eq!(planned::<u32>(&set, 1, 20, 8 << 10).unwrap(), (1, matrix(10, 10)));
        assert_eq!(planned::<u32>(&set, 1, 20, 24 << 10).unwrap(), (3, matrix(10, 10)));
    }
}
