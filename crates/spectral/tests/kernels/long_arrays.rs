//! Arrays of more than 2^32 values, on devices whose memory holds them: of a function of one value the transforms are known.

use manycore_device::{Device, Executor};
use manycore_spectral::{ReedMuller, Spectral, Walsh};
use manycore_testkit::{devices, simulated};

/// Whether the device can hold one buffer of so many bytes; the host and its like are left alone, whose users would wait.
fn holds(device: &Device, bytes: u64) -> bool {
    matches!(device.executor(), Executor::OpenCl(_))
        && !simulated(device)
        && device.info().kind == manycore_device::DeviceKind::Gpu
        && device.info().largest_allocation_bytes >= bytes
}

/// Places all over an array of `2^log_len` values, its ends among them.
fn places(log_len: u32) -> Vec<usize> {
    let last = (1usize << log_len) - 1;
    let mut places: Vec<usize> = (0..log_len).flat_map(|k| [1 << k, last ^ (1 << k), (1 << k) - 1]).collect();
    places.extend((1..40usize).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) & last));
    places.extend([0, last]);
    places
}

#[test]
fn reed_muller_of_eight_billion_bytes() {
    const LOG_LEN: u32 = 33;
    for device in devices().into_iter().filter(|device| holds(device, 1 << LOG_LEN)) {
        let spectral = Spectral::new(&device);
        let at = 0x1_5a00_8421;
        let mut x = device.zeros::<u8>(1 << LOG_LEN).unwrap();
        x.view_mut(at..=at).unwrap().write(&[0x81]).unwrap();
        spectral.reed_muller(&mut x, &ReedMuller::new()).unwrap();
        // A single value goes to the places that have all of its index bits.
        for place in places(LOG_LEN).into_iter().chain([at, at | 1 << 32, at | 0xff, at & !1]) {
            let found = x.view(place..=place).unwrap().download().unwrap();
            assert_eq!(found, [if place & at == at { 0x81 } else { 0 }], "{device:?}: {place:#x}");
        }
        // It is its own inverse.
        spectral.reed_muller(&mut x, &ReedMuller::new()).unwrap();
        for place in places(LOG_LEN).into_iter().chain([at]) {
            let found = x.view(place..=place).unwrap().download().unwrap();
            assert_eq!(found, [if place == at { 0x81 } else { 0 }], "{device:?}: {place:#x} back");
        }
    }
}

#[test]
fn walsh_of_eight_billion_integers() {
    const LOG_LEN: u32 = 33;
    for device in devices().into_iter().filter(|device| holds(device, 4 << LOG_LEN)) {
        let spectral = Spectral::new(&device);
        let at = 0x1_5a00_8421;
        let mut x = device.zeros::<i32>(1 << LOG_LEN).unwrap();
        x.view_mut(at..=at).unwrap().write(&[3]).unwrap();
        spectral.walsh(&mut x, &Walsh::new()).unwrap();
        for place in places(LOG_LEN) {
            let found = x.view(place..=place).unwrap().download().unwrap();
            let sign = if (place & at).count_ones().is_multiple_of(2) { 3 } else { -3 };
            assert_eq!(found, [sign], "{device:?}: {place:#x}");
        }
    }
}
