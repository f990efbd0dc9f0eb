//! Sorts of numbers on the host and on every OpenCL device, against the standard library's stable sort.

use std::cmp::Ordering;

use manycore_device::Device;
use manycore_sort::{Key, SortError, SortOrder, Sorter, Value};
use manycore_testkit::{devices, simulated};
use proptest::prelude::*;

const ORDERS: [SortOrder; 2] = [SortOrder::Ascending, SortOrder::Descending];

/// A key with the order that the documentation tells.
trait Total: Key {
    fn of(bits: u64) -> Self;
    fn total(self, other: Self) -> Ordering;
    fn bits(self) -> u64;
}

macro_rules! total {
    ($($key:ty),*) => {$(
        impl Total for $key {
            fn of(bits: u64) -> Self { bits as Self }
            fn total(self, other: Self) -> Ordering { self.cmp(&other) }
            fn bits(self) -> u64 { self as u64 }
        }
    )*};
}

total!(u8, i8, u16, i16, u32, i32, u64, i64);

impl Total for f32 {
    fn of(bits: u64) -> Self {
        Self::from_bits(bits as u32)
    }
    fn total(self, other: Self) -> Ordering {
        self.total_cmp(&other)
    }
    fn bits(self) -> u64 {
        u64::from(self.to_bits())
    }
}

impl Total for f64 {
    fn of(bits: u64) -> Self {
        Self::from_bits(bits)
    }
    fn total(self, other: Self) -> Ordering {
        self.total_cmp(&other)
    }
    fn bits(self) -> u64 {
        self.to_bits()
    }
}

fn random(i: u64, salt: u64) -> u64 {
    let x = (i ^ salt << 40).wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (x ^ x >> 29).wrapping_mul(0x94d0_49bb_1331_11eb).rotate_left(23)
}

/// Keys of so many: random, few, equal, sorted, reversed, in the lowest bits, in the highest, and with one that stands apart.
fn inputs<K: Total>(len: usize) -> Vec<(&'static str, Vec<K>)> {
    let bits = 8 * size_of::<K>() as u32;
    let all = |of: &dyn Fn(u64) -> u64| -> Vec<K> { (0..len as u64).map(|i| K::of(of(i))).collect() };
    let sorted = |order: Ordering| {
        let mut keys = all(&|i| random(i, 5));
        keys.sort_by(|a, b| if order == Ordering::Less { a.total(*b) } else { b.total(*a) });
        keys
    };
    vec![
        ("random", all(&|i| random(i, 1))),
        ("few", all(&|i| random(i, 2) % 3 * 77)),
        ("equal", all(&|_| 0x80)),
        ("sorted", sorted(Ordering::Less)),
        ("reversed", sorted(Ordering::Greater)),
        ("low", all(&|i| random(i, 3) % 1000)),
        ("high", all(&|i| random(i, 4) << (bits - 7))),
        ("apart", all(&|i| if i == len as u64 / 2 { u64::MAX >> 1 } else { random(i, 6) % 5 })),
    ]
}

/// The order that a stable sort gives.
fn expected<K: Total>(keys: &[K], order: SortOrder) -> Vec<u32> {
    let mut places: Vec<u32> = (0..keys.len() as u32).collect();
    let key = |place: &u32| keys[*place as usize];
    match order {
        SortOrder::Ascending => places.sort_by(|a, b| key(a).total(key(b))),
        SortOrder::Descending => places.sort_by(|a, b| key(b).total(key(a))),
    }
    places
}

fn bits<K: Total>(keys: &[K]) -> Vec<u64> {
    keys.iter().map(|key| key.bits()).collect()
}

fn check<K: Total, V: Value + From<u16>>(device: &Device, name: &str, keys: &[K]) {
    let sorter = Sorter::new(device);
    for order in ORDERS {
        let places = expected(keys, order);
        let of = |places: &[u32]| -> Vec<u64> { places.iter().map(|&place| keys[place as usize].bits()).collect() };
        let what = || format!("{} {name} {} {order:?} on {device:?}", keys.len(), K::TYPE.name());
        let mut alone = keys.to_vec();
        sorter.sort(&mut alone, order).unwrap();
        assert!(bits(&alone) == of(&places), "keys of {}", what());
        assert!(sorter.argsort(keys, order).unwrap() == places, "places of {}", what());
        let mut beside: Vec<V> = (0..keys.len()).map(|i| V::from(i as u16)).collect();
        let mut alone = device.upload(keys).unwrap();
        sorter.sort_pairs(&mut alone, &mut beside, order).unwrap();
        assert!(bits(&alone.download().unwrap()) == of(&places), "keys of pairs of {}", what());
        let wished: Vec<V> = places.iter().map(|&place| V::from(place as u16)).collect();
        assert!(beside == wished, "values of {}", what());
    }
}

fn every<K: Total, V: Value + From<u16>>() {
    for device in devices() {
        let is_host = device.same_as(&Device::host()).is_ok() || device.info().group_limit == 1;
        // Around tiles of devices, shares of threads and parts that fit a cache.
        let lens: &[usize] = if simulated(&device) {
            &[0, 1, 2, 600]
        } else if is_host {
            &[0, 1, 2, 3, 63, 64, 65, 255, 257, 1000, 32_767, 32_769, 100_000, 300_001]
        } else {
            &[0, 1, 2, 255, 257, 2048, 4095, 4097, 20_000]
        };
        for &len in lens {
            for (name, keys) in inputs::<K>(len) {
                check::<K, V>(&device, name, &keys);
            }
        }
    }
}

#[test]
fn bytes_are_sorted() {
    every::<u8, u32>();
    every::<i8, u64>();
}

#[test]
fn short_words_are_sorted() {
    every::<u16, f64>();
    every::<i16, i32>();
}

#[test]
fn words_are_sorted() {
    every::<u32, u32>();
    every::<i32, i64>();
}

#[test]
fn long_words_are_sorted() {
    every::<u64, f32>();
    every::<i64, u64>();
}

#[test]
fn floating_numbers_are_sorted_by_the_total_order() {
    every::<f32, u32>();
    every::<f64, f64>();
}

#[test]
fn wide_integers_are_sorted() {
    for device in devices() {
        for order in ORDERS {
            for len in [0, 1, 2, 500] {
                let mut keys: Vec<u128> =
                    (0..len).map(|i| u128::from(random(i, 1) % 7) << 100 | u128::from(random(i, 2))).collect();
                let mut wished = keys.clone();
                wished.sort_unstable();
                if order == SortOrder::Descending {
                    wished.reverse();
                }
                Sorter::new(&device).sort_wide(&mut keys, order).unwrap();
                assert_eq!(keys, wished, "{device:?}");
            }
        }
    }
}

#[test]
fn segments_and_first_keys_are_those_of_whole_sorts() {
    for device in devices() {
        let sorter = Sorter::new(&device);
        let keys: Vec<i16> = (0..5000).map(|i| random(i, 9) as i16).collect();
        let offsets = [0, 0, 1, 3, 700, 700, 2749, 5000];
        for order in ORDERS {
            let mut sorted = keys.clone();
            sorter.sort_segments(&mut sorted, &offsets, order).unwrap();
            let mut wished = keys.clone();
            for bounds in offsets.windows(2) {
                sorter.sort(&mut wished[bounds[0]..bounds[1]], order).unwrap();
            }
            assert_eq!(sorted, wished, "{device:?}");
            let mut whole = keys.clone();
            sorter.sort(&mut whole, order).unwrap();
            for count in [0, 1, 100, 5000, 6000] {
                assert_eq!(sorter.first(&keys, count, order).unwrap(), whole[..count.min(5000)], "{device:?}");
            }
        }
    }
}

#[test]
fn wrong_input_is_named() {
    let sorter = Sorter::new(&Device::host());
    let mut keys = [3u32, 1, 2];
    let error = sorter.sort_pairs(&mut keys, &mut [1u32], SortOrder::Ascending).unwrap_err();
    assert_eq!(error, SortError::Values { keys: 3, values: 1 });
    assert_eq!(error.to_string(), "1 values for 3 keys");
    let mut wrong = |offsets: &[usize]| sorter.sort_segments(&mut keys, offsets, SortOrder::Ascending).unwrap_err();
    assert_eq!(wrong(&[]), SortError::Segments { index: 0, offset: 0, keys: 3 });
    assert_eq!(wrong(&[1, 3]), SortError::Segments { index: 0, offset: 1, keys: 3 });
    assert_eq!(wrong(&[0, 2, 1, 3]), SortError::Segments { index: 2, offset: 1, keys: 3 });
    assert_eq!(wrong(&[0, 2]), SortError::Segments { index: 1, offset: 2, keys: 3 });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn sorts_are_those_of_the_standard_library(
        len in prop_oneof![0usize..200, 200usize..80_000],
        bits in 1u32..=32,
        shift in 0u32..32,
        salt in 0u64..1000,
    ) {
        let keys: Vec<u32> = (0..len as u64).map(|i| (random(i, salt) >> (64 - bits)) as u32).collect();
        let keys: Vec<i32> = keys.into_iter().map(|key| key.rotate_left(shift) as i32).collect();
        for device in devices() {
            check::<i32, u32>(&device, "any", &keys[..len.min(if simulated(&device) { 300 } else { len })]);
        }
    }
}
