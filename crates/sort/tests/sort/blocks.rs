//! Sorts of more than a device's memory, or than what is granted of it, against those of the host: every form, of memory of the host
//! and of the device.

use manycore_device::Device;
use manycore_sort::{Key, SortError, SortOrder, SortPlan, SortTile, Sorter};
use manycore_testkit::{opencl_devices, simulated};
use proptest::prelude::*;

const ORDERS: [SortOrder; 2] = [SortOrder::Ascending, SortOrder::Descending];

fn random(i: u64, salt: u64) -> u64 {
    let x = (i ^ salt << 40).wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (x ^ x >> 29).wrapping_mul(0x94d0_49bb_1331_11eb).rotate_left(23)
}

fn bytes<K: Key>(keys: &[K]) -> &[u8] {
    bytemuck::cast_slice(keys)
}

fn check<K: Key>(device: &Device, memory_bytes: u64, keys: &[K], plan: Option<SortPlan>) {
    let host = Sorter::new(&Device::host());
    let sorter = Sorter::new(device).memory_bytes(memory_bytes);
    let sorter = plan.map_or_else(|| Sorter::new(device).memory_bytes(memory_bytes), |plan| sorter.by(plan));
    let len = keys.len();
    for order in ORDERS {
        let what =
            || format!("{len} keys of {} in {memory_bytes} bytes, {order:?}, {plan:?} on {device:?}", K::TYPE.name());
        let mut wished = keys.to_vec();
        host.sort(&mut wished, order).unwrap();
        let mut made = keys.to_vec();
        sorter.sort(&mut made, order).unwrap();
        assert!(bytes(&made) == bytes(&wished), "{}", what());
        // Of a device's memory, and of a part of it, around which all stays.
        let mut whole = device.upload(keys).unwrap();
        sorter.sort(&mut whole, order).unwrap();
        assert!(bytes(&whole.download().unwrap()) == bytes(&wished), "a buffer of {}", what());
        if len > 5 {
            let mut part = device.upload(keys).unwrap();
            sorter.sort(part.view_mut(2..len - 1).unwrap(), order).unwrap();
            let mut wished = keys.to_vec();
            host.sort(&mut wished[2..len - 1], order).unwrap();
            assert!(bytes(&part.download().unwrap()) == bytes(&wished), "a part of {}", what());
        }
        // Stable: values are places.
        let places = host.argsort(keys, order).unwrap();
        assert!(sorter.argsort(keys, order).unwrap() == places, "places of {}", what());
        let resident = device.upload(keys).unwrap();
        assert!(sorter.argsort_of(&resident, order).unwrap().download().unwrap() == places, "places of {}", what());
        let (mut made, mut values) = (keys.to_vec(), (0..len as u64).collect::<Vec<u64>>());
        sorter.sort_pairs(&mut made, &mut values, order).unwrap();
        assert!(bytes(&made) == bytes(&wished), "keys of pairs of {}", what());
        assert!(values.iter().zip(&places).all(|(&value, &place)| value == u64::from(place)), "pairs of {}", what());
        let (mut made, mut values) = (device.upload(keys).unwrap(), (0..len as u32).collect::<Vec<u32>>());
        sorter.sort_pairs(&mut made, &mut values, order).unwrap();
        assert!(values == places, "pairs on the device and on the host of {}", what());
        for count in [0, 1, len / 2, len] {
            let first = sorter.first(keys, count, order).unwrap();
            assert!(bytes(&first) == bytes(&wished[..count.min(len)]), "{count} of {}", what());
        }
        let offsets = [0, 0, len / 9, len / 8, len / 7, len / 2, len, len];
        let (mut made, mut wished) = (keys.to_vec(), keys.to_vec());
        sorter.sort_segments(&mut made, &offsets, order).unwrap();
        host.sort_segments(&mut wished, &offsets, order).unwrap();
        assert!(bytes(&made) == bytes(&wished), "segments of {}", what());
    }
}

#[test]
fn blocks_give_the_host_s_results() {
    for device in opencl_devices().into_iter().filter(|device| !simulated(device)) {
        for len in [0u64, 1, 2, 255, 4096, 10_000, 100_003] {
            let of = |range: u64| (0..len).map(|i| random(i, 1) % range).collect::<Vec<u64>>();
            check::<u64>(&device, 300_000, &of(u64::MAX), None);
            check::<u64>(&device, 300_000, &of(3), None);
            let keys: Vec<f32> = of(u64::MAX).iter().map(|&x| f32::from_bits(x as u32)).collect();
            check::<f32>(&device, 200_000, &keys, None);
            let keys: Vec<i8> = of(256).iter().map(|&x| x as i8).collect();
            check::<i8>(&device, 100_000, &keys, None);
            let sweeps = SortPlan::Sweeps(SortTile { group: 256, per: 8 });
            check::<u64>(&device, 400_000, &of(u64::MAX), Some(sweeps));
        }
    }
}

#[test]
fn wide_integers_are_merged() {
    for device in opencl_devices().into_iter().filter(|device| !simulated(device)) {
        let key = |i| u128::from(random(i, 1) % 7) << 100 | u128::from(random(i, 2));
        let mut keys: Vec<u128> = (0..30_000).map(key).collect();
        let mut wished = keys.clone();
        wished.sort_unstable();
        Sorter::new(&device).memory_bytes(200_000).sort_wide(&mut keys, SortOrder::Ascending).unwrap();
        assert_eq!(keys, wished, "{device:?}");
    }
}

#[test]
fn memory_that_holds_no_block_is_told() {
    for device in opencl_devices() {
        let mut keys: Vec<u32> = (0..1000).rev().collect();
        let refused = Sorter::new(&device).memory_bytes(1000).sort(&mut keys, SortOrder::Ascending).unwrap_err();
        assert!(matches!(refused, SortError::Memory { keys: 256, limit_bytes: 1000, .. }), "{refused}");
        assert!(keys.is_sorted_by(|a, b| a > b), "keys stay as they are");
        // One key takes nothing.
        Sorter::new(&device).memory_bytes(0).sort(&mut keys[..1], SortOrder::Ascending).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn any_memory_serves(len in 0usize..30_000, memory in 80_000u64..600_000, bits in 1u32..=64, salt in 0u64..1000) {
        let keys: Vec<i64> = (0..len as u64).map(|i| (random(i, salt) >> (64 - bits)) as i64).collect();
        for device in opencl_devices().into_iter().filter(|device| !simulated(device)) {
            check::<i64>(&device, memory, &keys, None);
        }
    }
}
