//! Counting sorts against the standard library's stable sort, and the steps of the one by groups as the specification has them.

use manycore_device::{Device, Executor};
use manycore_sort::{SortError, counting};
use proptest::prelude::*;

#[test]
fn worked_steps() {
    let keys = [7u32, 1, 4, 0, 6, 3, 2, 5];
    assert_eq!(counting::preprocess(&keys, 8, 2).unwrap().0, [1, 0, 3, 2, 4, 5, 7, 6]);
    assert_eq!(counting::preprocess(&keys, 8, 8).unwrap().0, keys, "one step makes no smaller groups");
    assert_eq!(counting::sort(&keys, 8).unwrap().0, [0, 1, 2, 3, 4, 5, 6, 7]);
    for range in [0, 1, u64::MAX] {
        assert_eq!(counting::preprocess::<u8>(&[], range, 2).unwrap(), (vec![], vec![]));
    }
    assert_eq!(counting::sort::<u8>(&[], 0).unwrap(), (vec![], vec![]));
}

#[test]
fn wrong_input_is_named() {
    let error = counting::sort(&[1u32, 5, 4], 5).unwrap_err();
    assert_eq!(error, SortError::Range { index: 1, key: 5, range: 5 });
    assert_eq!(error.to_string(), "key 1 is 5: keys are below 5");
    assert_eq!(counting::preprocess(&[0u8], 2, 1).unwrap_err(), SortError::Groups { groups: 1 });
    for range in [1 << 58, u64::MAX] {
        let error = counting::sort(&[0u64], range).unwrap_err();
        assert!(matches!(error, SortError::Counters { range: told, .. } if told == range), "{error}");
    }
}

/// Keys and places by the standard library's stable sort.
fn stable(keys: &[u64]) -> (Vec<u64>, Vec<usize>) {
    let mut places: Vec<usize> = (0..keys.len()).collect();
    places.sort_by_key(|&place| keys[place]);
    (places.iter().map(|&place| keys[place]).collect(), places)
}

/// The sorts by all threads of teams of these sizes.
fn check_threads(keys: &[u64], range: u64, groups: u64) {
    let wished = Ok(stable(keys));
    for threads in [1, 2, 3, 5] {
        let device = Device::host_with(threads).unwrap();
        let Executor::Host(pool) = device.executor() else { unreachable!("the host") };
        let what = || format!("{} keys below {range}, {groups} groups, {threads} threads", keys.len());
        assert!(counting::sort_on(pool.team(), keys, range) == wished, "{}", what());
        assert!(counting::sort_by_groups_on(pool.team(), keys, range, groups) == wished, "{}", what());
    }
}

fn number(i: u64) -> u64 {
    let x = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

/// Shares of several threads: many keys, few different ones, all in one part but for a few, sorted, reversed, equal.
#[test]
fn threads_do_not_change_the_result() {
    let all = |len: u64, of: &dyn Fn(u64) -> u64| (0..len).map(of).collect::<Vec<u64>>();
    check_threads(&all(100_003, &|i| number(i) % 100_000), 100_000, 256);
    check_threads(&all(100_003, &|i| number(i) % 100_000), 100_000, 7);
    check_threads(&all(70_000, &|i| number(i) % 3000), 3000, 1 << 12);
    check_threads(&all(70_000, &|i| if i % 500 == 0 { number(i) >> 14 } else { number(i) % 5 }), 1 << 50, 1 << 10);
    check_threads(&all(60_000, &|i| i), 60_000, 100);
    check_threads(&all(60_000, &|i| 59_999 - i), 60_000, 100);
    check_threads(&all(60_000, &|_| 77), 1 << 40, 1 << 12);
    check_threads(&all(40_000, &number), u64::MAX, 1 << 16);
    for len in [0, 1, 2, 63, 64, 65, 32_767, 32_768, 32_769] {
        check_threads(&all(len, &|i| number(i) % 5000), 5000, 32);
    }
}

#[test]
fn threads_name_the_first_wrong_key() {
    let mut keys = vec![3u16; 50_000];
    (keys[40_000], keys[49_000]) = (900, 901);
    let device = Device::host_with(3).unwrap();
    let Executor::Host(pool) = device.executor() else { unreachable!("the host") };
    let wrong = SortError::Range { index: 40_000, key: 900, range: 900 };
    assert_eq!(counting::sort_on(pool.team(), &keys, 900).unwrap_err(), wrong);
    assert_eq!(counting::sort_by_groups_on(pool.team(), &keys, 900, 30).unwrap_err(), wrong);
    assert_eq!(counting::sort_by_groups_on(pool.team(), &keys, 902, 1).unwrap_err(), SortError::Groups { groups: 1 });
    let error = counting::sort_by_groups_on(pool.team(), &[0u64], u64::MAX, u64::MAX).unwrap_err();
    assert!(matches!(error, SortError::Counters { range: u64::MAX, .. }), "{error}");
}

proptest! {
    #[test]
    fn both_are_stable_sorts(
        range in 1u64..2000,
        groups in 2u64..40,
        seeds in prop::collection::vec(any::<u64>(), 0..400),
    ) {
        let keys: Vec<u64> = seeds.iter().map(|seed| seed % range).collect();
        let sorted = |by: &dyn Fn(u64) -> u64| {
            let mut places: Vec<usize> = (0..keys.len()).collect();
            places.sort_by_key(|&place| by(keys[place]));
            (places.iter().map(|&place| keys[place]).collect::<Vec<_>>(), places)
        };
        prop_assert_eq!(counting::sort(&keys, range).unwrap(), sorted(&|key| key));
        prop_assert_eq!(counting::sort_by_groups(&keys, range, groups).unwrap(), sorted(&|key| key));
        prop_assert_eq!(counting::preprocess(&keys, range, groups).unwrap(), sorted(&|key| key / groups));
    }

    #[test]
    fn any_keys_on_all_threads(
        bits in 0u32..64,
        groups in 2u64..3000,
        few in prop::bool::ANY,
        seeds in prop::collection::vec(any::<u64>(), 1..200),
        copies in 1usize..400,
    ) {
        let range = (u64::MAX >> bits).max(1);
        let of = |i: usize| seeds[i % seeds.len()].wrapping_add(if few { 0 } else { number((i / seeds.len()) as u64) });
        let keys: Vec<u64> = (0..copies * seeds.len()).map(|i| of(i) % range).collect();
        let wished = stable(&keys);
        let device = Device::host_with(4).unwrap();
        let Executor::Host(pool) = device.executor() else { unreachable!("the host") };
        prop_assert!(counting::sort_on(pool.team(), &keys, range).unwrap() == wished);
        prop_assert!(counting::sort_by_groups_on(pool.team(), &keys, range, groups).unwrap() == wished);
    }
}
