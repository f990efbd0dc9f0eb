//! Sorts of sparse words on every OpenCL device: sizes around tiles, words that agree in many ones, and any words.

use manycore_testkit::opencl_devices;
use proptest::prelude::*;

use super::words::{check, random, sparse};

#[test]
fn words_around_tiles_are_sorted() {
    for device in opencl_devices() {
        for len in [0, 1, 2, 63, 64, 65, 255, 256, 257, 3000] {
            check(&device, &sparse(len, 4, 12), 12);
            check(&device, &sparse(len, 20, 1_000_000), 1_000_000);
            check(&device, &sparse(len, 2, u64::from(u32::MAX)), u32::MAX);
        }
    }
}

#[test]
fn words_that_agree_in_many_ones_are_sorted() {
    for device in opencl_devices() {
        // All zeros; all equal; each one more than the one before; words that differ in the last one alone.
        check(&device, &vec![vec![]; 300], 0);
        check(&device, &vec![vec![1, 2, 7]; 300], 8);
        check(&device, &(0..70).rev().map(|len| (0..len).collect()).collect::<Vec<Vec<u32>>>(), 70);
        check(&device, &(0..200).map(|i| (0..40).chain([40 + random(i) as u32 % 9]).collect()).collect::<Vec<_>>(), 50);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_words_are_sorted(
        width in 1u32..40,
        words in prop::collection::vec(prop_oneof![Just(0u64), any::<u64>(), Just(u64::MAX), 0u64..4], 0..150),
    ) {
        let positions = |word: &u64| (0..width).filter(|position| word >> (position % 64) & 1 == 1).collect::<Vec<u32>>();
        let words: Vec<Vec<u32>> = words.iter().map(positions).collect();
        for device in opencl_devices() {
            check(&device, &words, width);
        }
    }
}
