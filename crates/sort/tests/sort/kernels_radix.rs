//! The kernels of radix sorts (`radix_survey`, `radix_counts`, `radix_sums`, `radix_place`, `radix_return`) on every OpenCL device, also on ones
//! with small groups and little local memory, against the host: keys around tiles, one digit and all of them.

use manycore_device::{Device, DeviceError};
use manycore_sort::{SortError, SortOrder, Sorter};
use manycore_testkit::{limited_devices, opencl_devices, simulated};

#[test]
fn keys_and_values_equal_the_host_s() {
    let host = Sorter::new(&Device::host());
    for device in opencl_devices().into_iter().flat_map(|device| [device.limited(8192, 64), device]) {
        let sorter = Sorter::new(&device);
        // Large groups take a simulator time.
        let has_pairs = !simulated(&device) || device.info().group_limit <= 64;
        let lens: &[usize] = if simulated(&device) { &[270] } else { &[2, 31, 257, 4096, 4097, 9000] };
        for &len in lens {
            for bits in if simulated(&device) { vec![20] } else { vec![3, 20, 64] } {
                let key = |i: usize| (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29) >> (64 - bits);
                let keys: Vec<u64> = (0..len).map(key).collect();
                let values: Vec<u32> = (0..len as u32).collect();
                let sorted = |sorter: &Sorter| {
                    let (mut keys, mut values) = (keys.clone(), values.clone());
                    sorter.sort_pairs(&mut keys, &mut values, SortOrder::Ascending).unwrap();
                    (keys, values)
                };
                assert!(!has_pairs || sorted(&sorter) == sorted(&host), "{len} pairs of {bits} bits on {device:?}");
                let sorted = |sorter: &Sorter| {
                    let mut keys: Vec<f32> = keys.iter().map(|&key| f32::from_bits(key as u32)).collect();
                    sorter.sort(&mut keys, SortOrder::Descending).unwrap();
                    keys.into_iter().map(f32::to_bits).collect::<Vec<u32>>()
                };
                assert!(sorted(&sorter) == sorted(&host), "{len} keys of {bits} bits on {device:?}");
            }
        }
    }
}

#[test]
fn local_memory_that_holds_no_tile_is_told() {
    for device in limited_devices() {
        let refused = Sorter::new(&device).sort(&mut [2u32, 1], SortOrder::Ascending).unwrap_err();
        assert!(matches!(refused, SortError::Device(DeviceError::Unsupported { .. })), "{refused}");
    }
}
