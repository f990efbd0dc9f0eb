//! Transforms and products by several devices, and past their memory: the bits and the order of one device that holds all.

use manycore_device::{Control, Device, DeviceError, DeviceSet};
use manycore_field::{Goldilocks, PrimeField};
use manycore_ntt::{Blocks, Kind, Ntt, NttError, NttField, SpectrumOrder};
use manycore_testkit::{devices, opencl_devices};

fn sets() -> Vec<DeviceSet> {
    let one = || Device::host_with(1).unwrap();
    let mut sets: Vec<_> = opencl_devices().into_iter().map(DeviceSet::from).collect();
    sets.push(DeviceSet::equal(vec![one(), one()]).unwrap());
    sets.push(DeviceSet::equal([devices(), vec![one()]].concat()).unwrap());
    sets
}

fn limited<R>(bytes: u64, work: impl FnOnce() -> R) -> R {
    Control::new().with_limit_bytes(bytes).run(work)
}

/// The bytes that the error of a limit of nothing asks for.
fn least<F: NttField>(ntt: &Ntt<F>, device: &Device, len: usize) -> u64 {
    let mut x = vec![ntt.field().zero(); len];
    match limited(0, || ntt.forward_over(&device.clone().into(), &mut x)) {
        Err(NttError::Device(DeviceError::OutOfMemory { wanted_bytes, free_or_limit_bytes: 0, .. })) => wanted_bytes,
        other => panic!("{other:?}"),
    }
}

fn values<F: NttField>(field: &F, len: usize) -> Vec<F::Element> {
    (0..len as u64).map(|i| field.natural((i * i).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 3)).collect()
}

fn transforms<F: NttField>(field: &F, logs: &[u32]) {
    for &log_len in logs {
        for kind in [Kind::Cyclic, Kind::Negacyclic] {
            for order in [SpectrumOrder::BitReversed, SpectrumOrder::Natural] {
                let ntt = Ntt::new(&Device::host(), field, 1 << log_len, kind).unwrap().with_order(order);
                let x = values(field, 1 << log_len);
                let mut expected = x.clone();
                ntt.forward(&mut expected).unwrap();
                for set in sets() {
                    let blocks = 1u64 << 14 << log_len.div_ceil(2);
                    // Some blocks, and all at once.
                    for limit in [blocks, 1 << 30] {
                        let told = format!("2^{log_len} {kind:?} {order:?} {limit} {set:?}");
                        let mut y = x.clone();
                        limited(limit, || ntt.forward_over(&set, &mut y)).unwrap();
                        assert!(y == expected, "{told}");
                        limited(limit, || ntt.inverse_over(&set, &mut y)).unwrap();
                        assert!(y == x, "back: {told}");
                        assert_eq!(set.failures(), [], "{told}");
                    }
                }
            }
        }
    }
}

#[test]
fn words_of_32_bits() {
    transforms(&PrimeField::<u32>::new(469_762_049).unwrap(), &[0, 1, 2, 3, 8, 11, 14, 16]);
}

#[test]
fn words_of_64_bits() {
    // 62 bits, and below 2^50.
    transforms(&PrimeField::<u64>::new(4_611_686_018_326_724_609).unwrap(), &[1, 9, 14]);
    transforms(&PrimeField::<u64>::new(1_125_897_625_141_249).unwrap(), &[10]);
}

#[test]
fn goldilocks() {
    transforms(&Goldilocks, &[1, 2, 9, 13, 16]);
}

#[test]
fn slices_past_memory_go_by_blocks_down_to_the_least() {
    let field = PrimeField::<u32>::new(469_762_049).unwrap();
    for device in opencl_devices() {
        for log_len in [2, 5, 12, 16] {
            for kind in [Kind::Cyclic, Kind::Negacyclic] {
                let ntt = Ntt::new(&device, &field, 1 << log_len, kind).unwrap();
                let x = values(&field, 1 << log_len);
                let mut expected = x.clone();
                Ntt::new(&Device::host(), &field, 1 << log_len, kind).unwrap().forward(&mut expected).unwrap();
                assert_eq!(ntt.blocks(x.len()).unwrap(), None);
                let least = least(&ntt, &device, x.len());
                for limit in [least, least + least / 2, 4 * least] {
                    let mut y = x.clone();
                    limited(limit, || ntt.forward(&mut y)).unwrap();
                    assert!(y == expected, "2^{log_len} {kind:?}, {limit} of {least}");
                    limited(limit, || ntt.inverse(&mut y)).unwrap();
                    assert!(y == x, "2^{log_len} {kind:?}, {limit} of {least}");
                }
                let mut y = x.clone();
                let refused = limited(least - 1, || ntt.forward_over(&device.clone().into(), &mut y));
                assert!(
                    matches!(refused, Err(NttError::Device(DeviceError::OutOfMemory { wanted_bytes, .. })) if wanted_bytes == least)
                );
                assert!(y == x);
                if log_len == 16 {
                    let blocks = limited(least, || ntt.blocks(x.len())).unwrap();
                    assert_eq!(blocks, Some(Blocks::TwoPasses { log_rows: 8, log_columns: 8, log_width: 0 }));
                }
            }
        }
    }
}

#[test]
fn batches_and_products_are_shared() {
    let field = Goldilocks;
    for (log_len, count) in [(4, 0), (4, 1), (4, 9), (6, 64), (0, 3), (10, 3)] {
        for kind in [Kind::Cyclic, Kind::Negacyclic] {
            let ntt = Ntt::new(&Device::host(), &field, 1 << log_len, kind).unwrap();
            let x = values(&field, count << log_len);
            let mut expected = x.clone();
            ntt.forward(&mut expected).unwrap();
            let y: Vec<u64> = x.iter().rev().copied().collect();
            let product = |y: &[u64]| {
                let mut product = x.clone();
                ntt.convolve(&mut product, &Device::host().upload(y).unwrap()).unwrap();
                product
            };
            for set in sets() {
                for limit in [1 << 17, 1 << 30] {
                    let mut z = x.clone();
                    limited(limit, || ntt.forward_over(&set, &mut z)).unwrap();
                    assert!(z == expected, "{count} of 2^{log_len} {kind:?} {set:?}");
                    for y in [&y[..], &y[..y.len().min(1 << log_len)]] {
                        let mut z = x.clone();
                        if y.is_empty() {
                            limited(limit, || ntt.convolve_over(&set, &mut z, y)).unwrap();
                            continue;
                        }
                        limited(limit, || ntt.convolve_over(&set, &mut z, y)).unwrap();
                        assert!(z == product(y), "{count} of 2^{log_len} {kind:?} {limit} {set:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn long_products_go_in_two_passes() {
    let field = PrimeField::<u32>::new(469_762_049).unwrap();
    let (x, y) = (values(&field, 2 << 13), values(&field, 1 << 13));
    for kind in [Kind::Cyclic, Kind::Negacyclic] {
        let ntt = Ntt::new(&Device::host(), &field, 1 << 13, kind).unwrap();
        let mut expected = x.clone();
        ntt.convolve(&mut expected, &Device::host().upload(&y).unwrap()).unwrap();
        for set in sets() {
            let mut z = x.clone();
            limited(1 << 17, || ntt.convolve_over(&set, &mut z, &y)).unwrap();
            assert!(z == expected, "{kind:?} {set:?}");
            let refused = ntt.convolve_over(&set, &mut z, &y[1..]);
            assert!(matches!(refused, Err(NttError::Batch { .. })));
        }
    }
}

#[test]
fn work_is_cancelled_and_that_of_a_broken_device_done_by_others() {
    let field = Goldilocks;
    let ntt = Ntt::new(&Device::host(), &field, 1 << 10, Kind::Cyclic).unwrap();
    let x = values(&field, 8 << 10);
    let mut expected = x.clone();
    ntt.forward(&mut expected).unwrap();
    for set in sets() {
        let control = Control::new();
        control.cancel();
        let outcome = control.run(|| ntt.forward_over(&set, &mut x.clone()));
        assert!(matches!(outcome, Err(NttError::Device(DeviceError::Cancelled))), "{outcome:?}");
    }
    for device in opencl_devices() {
        let broken = device.with_broken("32-bit mul_hi");
        let set = DeviceSet::equal(vec![broken, Device::host_with(1).unwrap()]).unwrap();
        for limit in [1 << 17, 1 << 30] {
            let mut y = x.clone();
            limited(limit, || ntt.forward_over(&set, &mut y)).unwrap();
            assert!(y == expected, "{limit}");
        }
        assert!(set.failures().iter().any(|failure| failure.reason.contains("mul_hi")), "{:?}", set.failures());
    }
}
