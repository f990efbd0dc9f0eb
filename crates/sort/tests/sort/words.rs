//! Sorts of sparse words on a device against the host's and stable comparison sorts, which two test programs do.

use manycore_device::Device;
use manycore_sort::{Lists, SortOrder, SparseSorter, reference, sort_by_gray_rank, sort_by_value};

const ORDERS: [SortOrder; 2] = [SortOrder::Ascending, SortOrder::Descending];

pub(crate) fn check(device: &Device, words: &[Vec<u32>], width: u32) {
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

pub(crate) fn random(i: u64) -> u64 {
    let x = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (x ^ x >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(23)
}

/// Words of some ones of a width, every third twice.
pub(crate) fn sparse(words: u64, ones: u64, width: u64) -> Vec<Vec<u32>> {
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
