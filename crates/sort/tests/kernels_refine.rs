//! The kernels of class refinement (`refine_keys`, `refine_mark`, `refine_keep`, `refine_compact`) on every OpenCL device: orders, numbers
//! of classes and rounds of sparse words against the host and stable comparison sorts.

use manycore_device::Device;
use manycore_sort::{Lists, SortOrder, SparseSorter, reference, sort_by_gray_rank, sort_by_value};
use manycore_testkit::{limited_devices, opencl_devices, simulated};
use proptest::prelude::*;

const ORDERS: [SortOrder; 2] = [SortOrder::Ascending, SortOrder::Descending];

fn random(i: u64) -> u64 {
    let x = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (x ^ x >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(23)
}

fn check(device: &Device, words: &[Vec<u32>], width: u32) {
    let mut offsets = vec![0];
    offsets.extend(words.iter().scan(0, |sum, word| {
        *sum += word.len();
        Some(*sum)
    }));
    let positions = words.concat();
    let lists = Lists::new(&offsets, &positions, width).unwrap();
    let sorter = SparseSorter::new(device).unwrap();
    for order in ORDERS {
        let what = || format!("{} words of {width} bits, {order:?} on {device:?}", words.len());
        let made = sorter.sort_by_value(&lists, order).unwrap();
        assert!(made == sort_by_value(&lists, order), "{}", what());
        assert!(made.order == reference::sort_by_value(&lists, order), "{}", what());
        let made = sorter.sort_by_gray_rank(&lists, order).unwrap();
        assert!(made == sort_by_gray_rank(&lists, order), "by Gray rank: {}", what());
        assert!(made.order == reference::sort_by_gray_rank(&lists, order), "by Gray rank: {}", what());
    }
}

/// Words of some ones of a width, every third twice.
fn sparse(words: u64, ones: u64, width: u64) -> Vec<Vec<u32>> {
    let word = |i: u64| {
        let seed = if i.is_multiple_of(3) { i / 2 } else { i };
        let count = random(seed) % (ones + 1);
        let mut positions: Vec<u32> = (0..count).map(|j| (random(seed << 8 | j) % width) as u32).collect();
        positions.sort_unstable();
        positions.dedup();
        positions
    };
    (0..words).map(word).collect()
}

#[test]
fn orders_of_sparse_words_are_the_host_s() {
    for device in opencl_devices() {
        // 50, 12, 0, 50, 7, 1023, 8 in ten bits: the specification's example.
        let example = [vec![4, 5, 8], vec![6, 7], vec![], vec![4, 5, 8], vec![7, 8, 9], (0..10).collect(), vec![6]];
        check(&device, &example, 10);
        if simulated(&device) {
            check(&device, &sparse(70, 3, 9), 9);
            continue;
        }
        for len in [0, 1, 2, 63, 64, 65, 255, 256, 257, 3000] {
            check(&device, &sparse(len, 4, 12), 12);
            check(&device, &sparse(len, 20, 1_000_000), 1_000_000);
            check(&device, &sparse(len, 2, u64::from(u32::MAX)), u32::MAX);
        }
        // All zeros; all equal; each one more than the one before; words that agree in many ones.
        check(&device, &vec![vec![]; 300], 0);
        check(&device, &vec![vec![1, 2, 7]; 300], 8);
        check(&device, &(0..70).rev().map(|len| (0..len).collect()).collect::<Vec<Vec<u32>>>(), 70);
        check(&device, &(0..200).map(|i| (0..40).chain([40 + random(i) as u32 % 9]).collect()).collect::<Vec<_>>(), 50);
    }
}

#[test]
fn devices_that_hold_no_tile_tell_so() {
    for device in limited_devices() {
        let lists = Lists::new(&[0, 1, 2], &[1, 0], 2).unwrap();
        assert!(SparseSorter::new(&device).unwrap().sort_by_value(&lists, SortOrder::Ascending).is_err());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_words_are_sorted_as_by_comparisons(
        width in 1u32..40,
        words in prop::collection::vec(prop_oneof![Just(0u64), any::<u64>(), Just(u64::MAX), 0u64..4], 0..150),
    ) {
        let positions = |word: &u64| (0..width).filter(|position| word >> (position % 64) & 1 == 1).collect::<Vec<u32>>();
        let words: Vec<Vec<u32>> = words.iter().map(positions).collect();
        for device in opencl_devices() {
            check(&device, &words[..words.len().min(if simulated(&device) { 20 } else { words.len() })], width);
        }
    }
}
