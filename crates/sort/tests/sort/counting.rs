//! Counting sorts against the standard library's stable sort, and the steps of the one by groups as the specification has them.

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
}
