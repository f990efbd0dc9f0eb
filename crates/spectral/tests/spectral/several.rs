//! Transforms by several devices, and past their memory: in blocks, whose results have the bits of the whole.

use std::fmt::Debug;

use manycore_device::{Control, Device, DeviceError, DeviceKind, DeviceSet};
use manycore_spectral::arithmetic::arithmetic_over;
use manycore_spectral::reed_muller::reed_muller_over;
use manycore_spectral::walsh::{reference, walsh_over};
use manycore_spectral::{
    Arithmetic, BitOrder, Bits, Blocks, Direction, Order, ReedMuller, Scalar, Spectral, SpectralError, Walsh,
};
use manycore_testkit::{devices, opencl_devices};

/// Sets of one device, of several alike, and of different ones.
fn sets() -> Vec<DeviceSet> {
    let one = || Device::host_with(1).unwrap();
    let mut sets: Vec<_> = opencl_devices().into_iter().map(DeviceSet::from).collect();
    sets.push(DeviceSet::equal(vec![one(), one()]).unwrap());
    sets.push(DeviceSet::equal([devices(), vec![one()]].concat()).unwrap());
    sets
}

fn limited<R>(bytes: usize, work: impl FnOnce() -> R) -> R {
    Control::new().with_limit_bytes(bytes as u64).run(work)
}

/// The least bytes for `2^log_len` words: two buffers of a row or a column.
fn least(log_len: u32, word_bytes: usize) -> usize {
    (2 * word_bytes) << log_len.div_ceil(2)
}

fn values<T>(len: usize, of: impl Fn(i64) -> T) -> Vec<T> {
    (0..len as i64).map(|i| of((i * i * 7 + i * 13) % 23 - 11)).collect()
}

fn walsh<T: Scalar>(of: impl Fn(i64) -> T + Copy) {
    for log_len in [0, 1, 2, 3, 7, 10, 13, 16] {
        let x = values(1 << log_len, of);
        for order in Order::ALL {
            for direction in [Direction::Forward, Direction::Inverse] {
                let how = Walsh::new().order(order).direction(direction).wrapping();
                let expected = Spectral::new(&Device::host()).walsh_of(&x, &how).unwrap();
                for set in sets() {
                    // For all devices of a name together; the least is that of one.
                    let alike =
                        set.devices().iter().filter(|device| device.info().kind == DeviceKind::Host).count().max(1);
                    for limit in [alike * least(log_len, size_of::<T>()), 1 << 14, 1 << 30] {
                        let mut y = x.clone();
                        let limit = limit.max(alike * least(log_len, size_of::<T>()));
                        limited(limit, || walsh_over(&set, &mut y, &how)).unwrap();
                        assert!(y == expected, "2^{log_len} {order} {direction:?} {limit} {set:?}");
                        assert_eq!(set.failures(), []);
                    }
                }
            }
        }
    }
}

#[test]
fn integers_have_the_bits_of_one_device() {
    walsh::<i32>(|v| v as i32);
    walsh::<i64>(|v| v);
}

#[test]
fn whole_floating_point_numbers_are_exact() {
    walsh::<f32>(|v| v as f32);
    if devices().iter().all(|device| device.info().kind == DeviceKind::Host || device.info().fp64) {
        walsh::<f64>(|v| v as f64);
    }
}

#[test]
fn inverses_round_down_once() {
    // No spectrum: sums of a pass would be rounded twice.
    let x: Vec<i32> = (0..1 << 10).map(|i| i * i % 1009 - 500).collect();
    let how = Walsh::new().inverse().wrapping();
    let expected = Spectral::new(&Device::host()).walsh_of(&x, &how).unwrap();
    for set in sets() {
        let mut y = x.clone();
        limited(4 * least(10, 4), || walsh_over(&set, &mut y, &how)).unwrap();
        assert_eq!(y, expected);
    }
}

fn bits<T: Bits + Debug>(of: impl Fn(i64) -> T) {
    for (log_len, polarity) in [(0, 0), (2, 1), (9, 0), (12, 0xA5C), (13, 0)] {
        let x = values(1 << log_len, &of);
        for order in BitOrder::ALL {
            for direction in [Direction::Forward, Direction::Inverse] {
                let how = ReedMuller::new().order(order).direction(direction).polarity(polarity);
                let expected = Spectral::new(&Device::host()).reed_muller_of(&x, &how).unwrap();
                for set in sets() {
                    let mut y = x.clone();
                    limited(8 * least(log_len, size_of::<T>()), || reed_muller_over(&set, &mut y, &how)).unwrap();
                    assert!(y == expected, "2^{log_len} {order} {direction:?} {set:?}");
                }
            }
        }
    }
}

#[test]
fn bits_of_every_width() {
    bits::<u8>(|v| v as u8);
    bits::<i32>(|v| v as i32);
    bits::<u64>(|v| v as u64);
}

#[test]
fn arithmetic_spectra() {
    for (log_len, polarity) in [(1, 1), (9, 0), (12, 0xA5C)] {
        let x = values(1 << log_len, |v| v as i32);
        for order in BitOrder::ALL {
            for direction in [Direction::Forward, Direction::Inverse] {
                let how = Arithmetic::new().order(order).direction(direction).polarity(polarity);
                let expected = Spectral::new(&Device::host()).arithmetic_of(&x, &how).unwrap();
                for set in sets() {
                    let mut y = x.clone();
                    limited(8 * least(log_len, 4), || arithmetic_over(&set, &mut y, &how)).unwrap();
                    assert!(y == expected, "2^{log_len} {order} {direction:?} {set:?}");
                }
            }
        }
    }
}

#[test]
fn batches_are_shared() {
    for set in sets() {
        for (log_len, count) in [(5, 0), (5, 1), (5, 2), (5, 9), (5, 64), (9, 7), (0, 5)] {
            let x = values(count << log_len, |v| v as i32);
            let how = Walsh::new().batch(1 << log_len);
            let definition = |x: &[i32]| reference::walsh_hadamard(x, Order::Hadamard).unwrap();
            let expected: Vec<i32> = x.chunks(1 << log_len).flat_map(definition).collect();
            for limit in [8 * least(log_len, 4), 1 << 30] {
                let mut y = x.clone();
                limited(limit, || walsh_over(&set, &mut y, &how)).unwrap();
                assert_eq!(y, expected, "{count} of 2^{log_len}, {limit} {set:?}");
            }
        }
        let mut bad = vec![1i32; 10];
        assert!(walsh_over(&set, &mut bad, &Walsh::new()).is_err());
        assert_eq!(bad, [1; 10]);
    }
}

#[test]
fn slices_past_memory_go_by_blocks_by_themselves() {
    for device in opencl_devices() {
        let spectral = Spectral::new(&device);
        let (x, how) = (values(1 << 12, |v| v as i32), Walsh::new());
        let expected = Spectral::new(&Device::host()).walsh_of(&x, &how).unwrap();
        assert_eq!(spectral.walsh_blocks::<i32>(x.len(), &how).unwrap(), None);
        // The least, some more, room for the values but for no second buffer, and for all.
        for limit in [least(12, 4), 3 * least(12, 4), 1 << 13, 1 << 14, 1 << 20] {
            let mut y = x.clone();
            limited(limit, || spectral.walsh(&mut y, &how)).unwrap();
            assert_eq!(y, expected, "{limit}");
            let blocks = limited(limit, || spectral.walsh_blocks::<i32>(x.len(), &how)).unwrap();
            assert_eq!(blocks.is_some(), limit < 1 << 14, "{blocks:?}");
            if limit == least(12, 4) {
                let expected = Blocks::TwoPasses { log_rows: 6, log_columns: 6, log_width: 0 };
                assert_eq!(blocks, Some(expected));
                assert!(expected.to_string().contains("2^6 words"), "{expected}");
            }
            let sequency = how.clone().order(Order::Sequency);
            let mut y = x.clone();
            limited(limit, || spectral.walsh(&mut y, &sequency)).unwrap();
            assert_eq!(y, Spectral::new(&Device::host()).walsh_of(&x, &sequency).unwrap(), "{limit}");
            // A batch of which none fits, or some do.
            let batch = how.clone().batch(1 << 6);
            let mut y = x.clone();
            limited(limit, || spectral.walsh(&mut y, &batch)).unwrap();
            assert_eq!(y, Spectral::new(&Device::host()).walsh_of(&x, &batch).unwrap(), "{limit}");
        }
        let mut f: Vec<u8> = x.iter().map(|&v| v as u8).collect();
        let expected = Spectral::new(&Device::host()).reed_muller_of(&f, &ReedMuller::new()).unwrap();
        limited(1 << 11, || spectral.reed_muller(&mut f, &ReedMuller::new())).unwrap();
        assert_eq!(f, expected);
        let expected = Spectral::new(&Device::host()).arithmetic_of(&x, &Arithmetic::new().polarity(77)).unwrap();
        let mut y = x.clone();
        limited(1 << 13, || spectral.arithmetic(&mut y, &Arithmetic::new().polarity(77))).unwrap();
        assert_eq!(y, expected);
    }
}

#[test]
fn too_little_memory_tells_how_much_is_needed() {
    for device in opencl_devices() {
        let (x, spectral) = (values(1 << 12, |v| v as i32), Spectral::new(&device));
        let mut y = x.clone();
        let outcome = limited(least(12, 4) - 1, || spectral.walsh(&mut y, &Walsh::new()));
        let Err(SpectralError::Device(DeviceError::OutOfMemory { wanted_bytes, free_or_limit_bytes, .. })) = outcome
        else {
            panic!("{outcome:?}")
        };
        assert_eq!((wanted_bytes, free_or_limit_bytes), (least(12, 4) as u64, least(12, 4) as u64 - 1));
        assert_eq!(y, x);
    }
}

#[test]
fn blocks_are_cancelled() {
    for set in sets() {
        let control = Control::new().with_limit_bytes(1 << 12);
        control.cancel();
        let outcome = control.run(|| walsh_over(&set, &mut [1i32; 1 << 12], &Walsh::new()));
        assert!(matches!(outcome, Err(SpectralError::Device(DeviceError::Cancelled))), "{outcome:?}");
    }
}

#[test]
fn others_do_the_work_of_a_device_that_fails() {
    for device in opencl_devices() {
        let broken = device.with_broken("32-bit mul_hi");
        let set = DeviceSet::equal(vec![Device::host_with(1).unwrap(), broken]).unwrap();
        let x = values(1 << 14, |v| v as i32);
        for how in [Walsh::new().batch(1 << 6), Walsh::new()] {
            let mut y = x.clone();
            limited(8 * least(14, 4), || walsh_over(&set, &mut y, &how)).unwrap();
            assert_eq!(y, Spectral::new(&Device::host()).walsh_of(&x, &how).unwrap());
            assert!(set.failures().iter().all(|failure| failure.reason.contains("mul_hi")), "{:?}", set.failures());
        }
        assert!(!set.failures().is_empty());
    }
}
