//! Haar transforms (`haar_forward`, `haar_inverse`, `haar_in_place`) on the host and every OpenCL device against the definition.

use manycore_device::{Device, DeviceError, DeviceKind};
use manycore_spectral::haar::cost::HaarPlan;
use manycore_spectral::haar::reference;
use manycore_spectral::{Haar, HaarOrder, Normalization, Scalar, Spectral, SpectralError};
use manycore_testkit::{devices, simulated};

/// Values with all their bits in use.
trait Sample: Scalar {
    fn noise(i: usize) -> Self;
    fn near(self, other: Self) -> bool;
}

fn noise(i: usize) -> i64 {
    (i as i64 + 1).wrapping_mul(-0x61C8_8646_80B5_83EB).rotate_left(29).wrapping_mul(-0x40A7_B892_E31B_1A47)
}

macro_rules! sample {
    ($($type:ty, $of:expr, $near:expr;)*) => {$(
        impl Sample for $type {
            fn noise(i: usize) -> Self {
                let of: fn(i64) -> Self = $of;
                of(noise(i))
            }

            fn near(self, other: Self) -> bool {
                let near: fn(Self, Self) -> bool = $near;
                near(self, other)
            }
        }
    )*};
}

sample! {
    i32, |x| (x >> 53) as i32, |a, b| a == b;
    i64, |x| x >> 20, |a, b| a == b;
    f32, |x| x as f32 * 1e-19, |a, b| (a - b).abs() < 1e-5;
    f64, |x| x as f64 * 1e-19, |a, b| (a - b).abs() < 1e-13;
}

fn sparing(device: &Device) -> bool {
    device.info().kind != DeviceKind::Gpu && device.info().id != "host"
}

fn check<T: Sample>(
    device: &Device,
    log_len: u32,
    batch: usize,
    how: &Haar,
    order: HaarOrder,
    how_much: Normalization,
) {
    let x: Vec<T> = (0..batch << log_len).map(T::noise).collect();
    let spectral = Spectral::with_machine(device, device.machine());
    let how = how.clone().batch(1 << log_len).normalization(how_much);
    let mut y = device.upload(&x).unwrap();
    let outcome = spectral.haar(&mut y, &how);
    if T::NAME == "f64" && !device.info().fp64 {
        assert!(matches!(outcome, Err(SpectralError::Device(DeviceError::Unsupported { .. }))));
        return;
    }
    outcome.unwrap();
    let expected: Vec<T> =
        x.chunks(1 << log_len).flat_map(|x| reference::haar(x, order, how_much).expect("a power of two")).collect();
    let what = || format!("{device:?} {} 2^{log_len} x {batch} {how:?}", T::NAME);
    // Floating-point results have the same bits everywhere.
    assert!(y.download().unwrap() == expected, "{}", what());
    spectral.haar(&mut y, &how.clone().inverse()).unwrap();
    let back = y.download().unwrap();
    assert!(back.iter().zip(&x).all(|(a, b)| a.near(*b)), "{}: inverse", what());
}

/// Every order, and every normalisation that the type has.
fn check_forms<T: Sample>(device: &Device, log_len: u32, batch: usize) {
    for order in HaarOrder::ALL {
        let how = Haar::new().order(order);
        check::<T>(device, log_len, batch, &how, order, Normalization::None);
        if T::TYPE.is_floating() && (!sparing(device) || log_len == 9) {
            check::<T>(device, log_len, batch, &how, order, Normalization::Orthonormal);
            check::<T>(device, log_len, batch, &how, order, Normalization::EqualEnergy);
        }
    }
}

#[test]
fn every_length_equals_the_definition() {
    for device in devices() {
        let lengths: &[u32] = match (simulated(&device), sparing(&device)) {
            (true, _) => &[1, 3, 9],
            (false, true) => &[0, 1, 2, 9, 15],
            (false, false) => &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18],
        };
        for &log_len in lengths {
            check_forms::<i32>(&device, log_len, 1);
            if !sparing(&device) || log_len == 9 && !simulated(&device) {
                check_forms::<i64>(&device, log_len, 1);
                check_forms::<f32>(&device, log_len, 1);
                check_forms::<f64>(&device, log_len, 1);
            }
        }
    }
}

#[test]
fn batches_equal_the_definition() {
    for device in devices() {
        let lengths: &[u32] = match (simulated(&device), sparing(&device)) {
            (true, _) => &[1],
            (false, true) => &[1, 2, 9],
            (false, false) => &[0, 1, 2, 3, 4, 5, 7, 10, 12, 13, 14],
        };
        for &log_len in lengths {
            for batch in [0, 3, 7, 100] {
                check_forms::<i32>(&device, log_len, batch);
                if !sparing(&device) {
                    check_forms::<f32>(&device, log_len, batch);
                }
            }
        }
    }
}

#[test]
fn every_tile_gives_the_same() {
    for device in devices() {
        if simulated(&device) {
            continue;
        }
        for log_tile in if sparing(&device) { vec![8, 11] } else { vec![4, 5, 8, 9, 10, 11, 12, 13] } {
            for order in HaarOrder::ALL {
                let how = Haar::new().by(&HaarPlan { order, log_tile });
                check::<f32>(&device, 17, 1, &how, order, Normalization::None);
            }
        }
    }
}

#[test]
fn orthonormal_transforms_keep_the_energy() {
    for device in devices() {
        let spectral = Spectral::with_machine(&device, device.machine());
        if !device.info().fp64 || simulated(&device) {
            continue;
        }
        let x: Vec<f64> = (0..1 << 12).map(f64::noise).collect();
        let how = Haar::new().normalization(Normalization::Orthonormal);
        let energy = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
        let y = spectral.haar_of(&x, &how).unwrap();
        assert!((energy(&x) / energy(&y) - 1.0).abs() < 1e-12);
    }
}

#[test]
fn wrong_forms_are_refused() {
    for device in devices() {
        let spectral = Spectral::with_machine(&device, device.machine());
        let mut x = device.upload(&[1i32, 2, 3, 4]).unwrap();
        let outcome = spectral.haar(&mut x, &Haar::new().normalization(Normalization::Orthonormal));
        assert!(matches!(outcome, Err(SpectralError::IntegerNormalization { element: "i32", .. })));
        let outcome = spectral.haar(&mut x, &Haar::new().batch(3));
        assert!(matches!(outcome, Err(SpectralError::NotPowerOfTwo { len: 3 })));
        let outcome = spectral.haar(&mut x, &Haar::new().batch(8));
        assert!(matches!(outcome, Err(SpectralError::Batch { buffer_len: 4, len: 8 })));
        assert_eq!(x.download().unwrap(), [1, 2, 3, 4]);
    }
}
