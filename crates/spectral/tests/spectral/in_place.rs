//! Every transform takes slices, vectors, buffers and parts of buffers.

use manycore_device::{Device, DeviceError, InPlace, Word};
use manycore_spectral::{
    Algorithm, Arithmetic, BitOrder, Haar, HaarOrder, Order, ReedMuller, Spectral, SpectralError, Walsh,
};
use manycore_testkit::in_place;

fn device_error(error: &SpectralError) -> Option<&DeviceError> {
    match error {
        SpectralError::Device(error) => Some(error),
        _ => None,
    }
}

/// Checks an operation on every device.
fn check<T: Word>(words: &[T], run: impl Fn(&Spectral, InPlace<'_, T>) -> Result<(), SpectralError>) {
    for device in in_place::devices() {
        let spectral = Spectral::with_machine(&device, device.machine());
        in_place::every_kind_of_data(&device, words, |data| run(&spectral, data), device_error);
    }
}

fn integers(len: i32) -> Vec<i32> {
    (0..len).map(|i| (i * 7919) % 101 - 50).collect()
}

#[test]
fn walsh() {
    let in_place = Walsh::new();
    let by_geometry = Walsh::new().order(Order::Sequency).batch(1 << 7).inverse().wrapping();
    let reordered = Walsh::new().order(Order::Dyadic).algorithm(Algorithm::CooleyTukey);
    for how in [in_place, by_geometry, reordered] {
        check(&integers(1 << 10), |spectral, data| spectral.walsh(data, &how));
    }
}

#[test]
fn haar() {
    for how in [Haar::new(), Haar::new().inverse().batch(1 << 6).wrapping(), Haar::new().order(HaarOrder::InPlace)] {
        check(&integers(1 << 10), |spectral, data| spectral.haar(data, &how));
    }
}

/// One array that threads share, and that is copied back from a second buffer by them.
#[test]
fn haar_of_a_long_slice() {
    let words = integers(1 << 18);
    let device = Device::host_with(2).unwrap();
    let spectral = Spectral::with_machine(&device, device.machine());
    in_place::every_kind_of_data(&device, &words, |data| spectral.haar(data, &Haar::new()), device_error);
}

#[test]
fn arithmetic() {
    for how in [Arithmetic::new(), Arithmetic::new().polarity(0b101).batch(1 << 6).inverse()] {
        check(&integers(1 << 10), |spectral, data| spectral.arithmetic(data, &how));
    }
}

/// Bytes in the midst of a slice begin at no word's address.
#[test]
fn reed_muller() {
    let bytes: Vec<u8> = (0..1 << 9).map(|i: u32| (i.wrapping_mul(2_654_435_761) >> 9) as u8).collect();
    let words: Vec<u32> = (0..1 << 9).map(|i: u32| i.wrapping_mul(2_654_435_761)).collect();
    let short = ReedMuller::new().batch(4);
    for how in [ReedMuller::new(), short, ReedMuller::new().order(BitOrder::Reversed).polarity(3).inverse()] {
        check(&bytes, |spectral, data| spectral.reed_muller(data, &how));
        check(&words, |spectral, data| spectral.reed_muller(data, &how));
    }
}

#[test]
fn packed_reed_muller() {
    let words: Vec<u64> = (0..16).map(|i: u64| (i + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)).collect();
    for variables in [4, 9] {
        let how = ReedMuller::new().polarity(5);
        check(&words, |spectral, data| spectral.reed_muller_packed(data, variables, &how));
    }
}

#[test]
fn dyadic_shifts() {
    check(&integers(1 << 8), |spectral, data| spectral.dyadic_shift(data, 1 << 5, 0b1_0110));
    let words: Vec<u64> = (0..16).map(|i: u64| (i + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)).collect();
    for by in [5, 0b1_0000_1001] {
        check(&words, |spectral, data| spectral.dyadic_shift_packed(data, 10, by));
    }
}
