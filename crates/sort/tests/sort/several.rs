//! Sorts by several devices and past their memory, beside those of one: keys, pairs and places.

use manycore_device::{Control, Device, DeviceError, DeviceKind, DeviceSet};
use manycore_sort::{Key, SortError, SortOrder, Sorter};
use manycore_testkit::{opencl_devices, simulated};
use proptest::prelude::*;

const ORDERS: [SortOrder; 2] = [SortOrder::Ascending, SortOrder::Descending];

fn random(i: u64, salt: u64) -> u64 {
    let x = (i ^ salt << 40).wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (x ^ x >> 29).wrapping_mul(0x94d0_49bb_1331_11eb).rotate_left(23)
}

fn host() -> Device {
    Device::host_with(1).unwrap()
}

/// One device, two and three: of the host, of OpenCL, and of both.
fn sets() -> Vec<DeviceSet> {
    let others: Vec<Device> = opencl_devices().into_iter().filter(|device| !simulated(device)).collect();
    let mut sets = vec![vec![host()], vec![host(), host()], vec![Device::host(), host(), host()]];
    for device in &others {
        sets.extend([vec![device.clone()], device.lanes(2).unwrap(), vec![device.clone(), host(), host()]]);
    }
    sets.into_iter().map(|devices| DeviceSet::equal(devices).unwrap()).collect()
}

fn check<K: Key>(set: &DeviceSet, memory_bytes: Option<u64>, keys: &[K]) {
    let alone = Sorter::new(&Device::host());
    let mut sorter = Sorter::over(set).unwrap();
    if let Some(bytes) = memory_bytes {
        sorter = sorter.memory_bytes(bytes);
    }
    let bytes = |keys: &[K]| bytemuck::cast_slice::<K, u8>(keys).to_vec();
    for order in ORDERS {
        let what = || format!("{} keys of {}, {order:?}, {memory_bytes:?} on {set:?}", keys.len(), K::TYPE.name());
        let mut wished = keys.to_vec();
        alone.sort(&mut wished, order).unwrap();
        let mut made = keys.to_vec();
        sorter.sort(&mut made, order).unwrap();
        assert!(bytes(&made) == bytes(&wished), "{}", what());
        let (mut left, mut made) = (keys.to_vec(), keys.to_vec());
        made.reverse();
        sorter.sort_into(&mut left, &mut made, order).unwrap();
        assert!(bytes(&made) == bytes(&wished), "into others: {}", what());
        alone.sort(&mut left, order).unwrap();
        assert!(bytes(&left) == bytes(&wished), "what is left: {}", what());
        // Stable: values are places.
        let places = alone.argsort(keys, order).unwrap();
        assert!(sorter.argsort(keys, order).unwrap() == places, "places of {}", what());
        let (mut made, mut values) = (keys.to_vec(), (0..keys.len() as i64).collect::<Vec<i64>>());
        sorter.sort_pairs(&mut made, &mut values, order).unwrap();
        assert!(bytes(&made) == bytes(&wished), "keys of pairs of {}", what());
        assert!(values.iter().zip(&places).all(|(&value, &place)| value == i64::from(place)), "pairs of {}", what());
    }
    assert_eq!(set.failures(), []);
}

#[test]
fn several_devices_give_the_results_of_one() {
    for set in sets() {
        for len in [0u64, 1, 2, 255, 257, 10_000, 200_003] {
            let of = |range: u64| (0..len).map(|i| random(i, 1) % range).collect::<Vec<u64>>();
            for memory in [None, Some(600_000)] {
                check::<u64>(&set, memory, &of(u64::MAX));
                check::<u64>(&set, memory, &of(1));
                let keys: Vec<f32> = of(u64::MAX).iter().map(|&x| f32::from_bits(x as u32)).collect();
                check::<f32>(&set, memory, &keys);
                check::<i8>(&set, memory, &of(256).iter().map(|&x| x as i8).collect::<Vec<i8>>());
            }
        }
    }
}

/// A limit of memory stands for more keys than fit, also of the host's threads and in a call that names no blocks.
#[test]
fn limits_of_memory_are_kept() {
    let keys: Vec<u32> = (0..400_000).map(|i| random(i, 3) as u32 >> 12).collect();
    let mut wished = keys.clone();
    Sorter::new(&Device::host()).sort(&mut wished, SortOrder::Ascending).unwrap();
    for set in sets() {
        let mut made = keys.clone();
        let sorted = Control::new()
            .with_limit_bytes(1_000_000)
            .run(|| Sorter::over(&set).unwrap().sort(&mut made, SortOrder::Ascending));
        assert_eq!(sorted, Ok(()), "{set:?}");
        assert!(made == wished, "{set:?}");
    }
    for device in opencl_devices().into_iter().filter(|device| !simulated(device)) {
        let mut made = keys.clone();
        let control = Control::new().with_limit_bytes(1_000_000);
        control.run(|| Sorter::new(&device).sort(&mut made, SortOrder::Ascending)).unwrap();
        assert!(made == wished, "{device:?}");
        let control = Control::new().with_limit_bytes(2_000_000);
        let places = control.run(|| Sorter::new(&device).argsort(&keys, SortOrder::Ascending)).unwrap();
        assert!(places.iter().zip(&wished).all(|(&place, key)| keys[place as usize] == *key), "{device:?}");
    }
}

#[test]
fn keys_go_into_others_past_memory() {
    let keys: Vec<u32> = (0..400_000).map(|i| random(i, 5) as u32 >> 12).collect();
    let mut wished = keys.clone();
    Sorter::new(&Device::host()).sort(&mut wished, SortOrder::Descending).unwrap();
    for set in sets() {
        let (mut left, mut made) = (keys.clone(), vec![0; keys.len()]);
        let sorter = Sorter::over(&set).unwrap();
        let control = Control::new().with_limit_bytes(1_000_000);
        control.run(|| sorter.sort_into(&mut left, &mut made, SortOrder::Descending)).unwrap();
        assert!(made == wished, "{set:?}");
        let refused = sorter.sort_into(&mut left, &mut made[1..], SortOrder::Descending);
        assert_eq!(refused, Err(SortError::Room { keys: 400_000, room: 399_999 }));
    }
}

#[test]
fn blocks_are_told() {
    for set in sets() {
        let sorter = Sorter::over(&set).unwrap();
        // Keys come to a GPU more slowly than it sorts them: it needs nobody beside it.
        let is_one = set.devices().len() == 1 || set.devices().iter().any(|d| d.info().kind == DeviceKind::Gpu);
        assert_eq!(sorter.blocks::<u32, u64>(1, true).unwrap(), None);
        let all = sorter.blocks::<u32, u64>(400_000, true).unwrap();
        assert_eq!(all.is_none(), is_one, "{all:?} on {set:?}");
        let limited = Control::new().with_limit_bytes(1_000_000);
        let told = limited.run(|| sorter.blocks::<u32, u64>(400_000, true)).unwrap();
        let blocks = told.unwrap();
        assert!(blocks.blocks * blocks.keys >= 400_000 && (blocks.blocks - 1) * blocks.keys < 400_000);
        // Keys, values, and as much again.
        let is_host = |device: &Device| device.info().kind == DeviceKind::Host;
        let lanes = if set.devices().iter().all(is_host) { 1 } else { blocks.lanes };
        assert!(24 * blocks.keys * lanes <= 1_000_000, "{blocks}");
    }
}

/// Two lanes of a device share its memory: where it holds one block, one of them sorts.
#[test]
fn memory_of_one_block_serves_two_lanes() {
    let keys: Vec<i64> = (0..1000).map(|i| random(i, 7) as i64).collect();
    for device in opencl_devices().into_iter().filter(|device| !simulated(device)) {
        let set = DeviceSet::equal(device.lanes(2).unwrap()).unwrap();
        check::<i64>(&set, Some(105_034), &keys);
    }
}

#[test]
fn memory_that_holds_no_block_is_told_and_keys_stay() {
    let keys: Vec<u32> = (0..1000).rev().collect();
    for set in sets() {
        let mut made = keys.clone();
        let sorted = Control::new()
            .with_limit_bytes(1000)
            .run(|| Sorter::over(&set).unwrap().sort(&mut made, SortOrder::Ascending));
        let is_told = |error| matches!(error, SortError::Memory { keys: 256, limit_bytes, wanted_bytes } if limit_bytes < wanted_bytes);
        assert!(sorted.is_err_and(is_told), "{set:?}");
        assert_eq!(made, keys);
    }
}

#[test]
fn a_device_that_fails_is_named_and_the_others_sort() {
    for device in opencl_devices().into_iter().filter(|device| !simulated(device)) {
        // No kernel of a sort runs in groups of one item.
        let broken = device.limited(16, 1);
        assert!(Sorter::new(&broken).sort(&mut [2u32, 1], SortOrder::Ascending).is_err());
        let set = DeviceSet::equal(vec![broken.clone(), host()]).unwrap();
        let mut keys: Vec<u32> = (0..300_000u32).map(|i| i.wrapping_mul(2_654_435_761)).collect();
        Sorter::over(&set).unwrap().sort(&mut keys, SortOrder::Ascending).unwrap();
        assert!(keys.is_sorted());
        let failures = set.failures();
        assert!(!failures.is_empty() && failures.iter().all(|failure| failure.device == broken.info().label()));
    }
}

#[test]
fn cancelled_sorts_end_and_lose_no_key() {
    for set in sets() {
        let control = Control::new();
        control.cancel();
        let keys: Vec<u32> = (0..300_000u32).map(|i| i.wrapping_mul(2_654_435_761)).collect();
        let mut made = keys.clone();
        let sorted = control.run(|| Sorter::over(&set).unwrap().sort(&mut made, SortOrder::Ascending));
        assert_eq!(sorted, Err(SortError::Device(DeviceError::Cancelled)), "{set:?}");
        made.sort_unstable();
        let mut wished = keys;
        wished.sort_unstable();
        assert!(made == wished, "{set:?}");
    }
}

#[test]
fn other_numbers_of_values_are_told() {
    let sorter = Sorter::over(&host().into()).unwrap();
    let told = sorter.sort_pairs(&mut [1u8, 2], &mut [1u32], SortOrder::Ascending);
    assert_eq!(told, Err(SortError::Values { keys: 2, values: 1 }));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    #[test]
    fn any_memory_serves(len in 0usize..100_000, memory in 100_000u64..3_000_000, bits in 1u32..=64, salt in 0u64..1000) {
        let keys: Vec<i64> = (0..len as u64).map(|i| (random(i, salt) >> (64 - bits)) as i64).collect();
        for set in sets() {
            check::<i64>(&set, Some(memory), &keys);
        }
    }
}
