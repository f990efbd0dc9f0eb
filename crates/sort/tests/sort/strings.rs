//! Byte strings, dense words and integers of any size, against comparison sorts.

use manycore_sort::{Positions, SortOrder, SparseSorter, argsort_bytes, reference, sort_by_value, sort_by_value_after};
use manycore_testkit::devices;
use num_bigint::BigUint;
use proptest::prelude::*;

const ORDERS: [SortOrder; 2] = [SortOrder::Ascending, SortOrder::Descending];

/// The order of a stable comparison sort.
fn stable<T: Ord>(items: &[T], order: SortOrder) -> Vec<u32> {
    let mut places: Vec<u32> = (0..items.len() as u32).collect();
    let item = |place: &u32| &items[*place as usize];
    match order {
        SortOrder::Ascending => places.sort_by(|a, b| item(a).cmp(item(b))),
        SortOrder::Descending => places.sort_by(|a, b| item(b).cmp(item(a))),
    }
    places
}

#[test]
fn strings_that_begin_alike() {
    let strings: [&[u8]; 9] = [b"", b"a", b"a\0", b"a\0\0", b"a\0\0\0", b"abc", b"abcd", b"abc", &[255; 40]];
    for order in ORDERS {
        assert_eq!(argsort_bytes(&strings, order).unwrap(), stable(&strings, order));
    }
    assert!(argsort_bytes::<&str>(&[], SortOrder::Ascending).unwrap().is_empty());
}

fn check_devices<S: AsRef<[u8]> + Ord>(strings: &[S]) {
    for device in devices() {
        let sorter = SparseSorter::new(&device).unwrap();
        for order in ORDERS {
            let made = sorter.argsort_bytes(strings, order).unwrap();
            assert!(made == stable(strings, order), "{} strings, {order:?} on {device:?}", strings.len());
        }
    }
}

/// Sizes around tiles; strings that agree in more bytes than a device's rounds look at, several classes of them.
#[test]
fn strings_are_sorted_on_devices() {
    let number = |i: usize| (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    for len in [0, 1, 2, 63, 64, 65, 255, 256, 257, 3000] {
        check_devices(&(0..len).map(|i| format!("{:x}", number(i) % (len as u64 / 2 + 1))).collect::<Vec<_>>());
    }
    check_devices(&[[]; 70] as &[[u8; 0]]);
    let long = |i: usize| [vec![b'a' + (number(i) % 3) as u8; 46 + i % 5], number(i / 2).to_be_bytes().into()].concat();
    check_devices(&(0..300).map(long).collect::<Vec<_>>());
    check_devices(&vec![vec![7u8; 1000]; 100]);
}

#[test]
fn dense_words_that_do_not_fit_are_named() {
    assert_eq!(
        Positions::of_words(&[1, 2, 3], 65).unwrap_err().to_string(),
        "3 words of 64 bits: each dense word has 2"
    );
    let error = Positions::of_words(&[1, 8], 3).unwrap_err();
    assert_eq!(error.to_string(), "word 2 has a one at bit 3, and its words have 3 bits");
    assert!(Positions::of_words(&[], 0).unwrap().lists().unwrap().is_empty());
}

proptest! {
    #[test]
    fn strings_are_sorted(strings in prop::collection::vec(prop::collection::vec(0u8..3, 0..9), 0..120)) {
        for order in ORDERS {
            prop_assert_eq!(argsort_bytes(&strings, order).unwrap(), stable(&strings, order));
        }
    }

    #[test]
    fn any_strings_are_sorted_on_devices(strings in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..70), 0..60)) {
        check_devices(&strings);
    }

    #[test]
    fn integers_are_sorted(
        bits in prop::collection::vec(prop::collection::btree_set(0u64..200, 0..12), 0..80),
        copies in 0usize..3,
        rounds in 0usize..14,
    ) {
        let integer = |bits: &std::collections::BTreeSet<u64>| {
            bits.iter().fold(BigUint::ZERO, |sum, &bit| sum | (BigUint::from(1u8) << bit))
        };
        let mut integers: Vec<BigUint> = bits.iter().map(integer).collect();
        for _ in 0..copies {
            integers.extend(bits.iter().take(5).map(integer));
        }
        let positions = Positions::of_integers(&integers).unwrap();
        let lists = positions.lists().unwrap();
        let words: Vec<u64> = integers.iter().flat_map(|integer| {
            let mut words = integer.to_u64_digits();
            words.resize(4, 0);
            words
        }).collect();
        let dense = Positions::of_words(&words, 200 + 56).unwrap();
        for order in ORDERS {
            let wished = stable(&integers, order);
            let sorted = sort_by_value(&lists, order);
            prop_assert_eq!(&sorted.order, &wished);
            prop_assert_eq!(&reference::sort_by_value(&lists, order), &wished);
            let after = sort_by_value_after(&lists, order, rounds);
            prop_assert_eq!((&after.order, after.classes), (&wished, sorted.classes));
            prop_assert_eq!(&sort_by_value(&dense.lists().unwrap(), order).order, &wished);
        }
    }
}
