//! Sorts of sparse words against stable comparison sorts, and the worked examples.

use manycore_sort::{Lists, SortOrder, gray_rank, reference, sort_by_gray_rank, sort_by_value};
use proptest::prelude::*;

const DIRECTIONS: [SortOrder; 2] = [SortOrder::Ascending, SortOrder::Descending];

/// Offsets and positions of words of `bits` bits.
fn sparse(words: &[u64], bits: u32) -> (Vec<usize>, Vec<u32>) {
    let (mut offsets, mut positions) = (vec![0], vec![]);
    for word in words {
        positions.extend((0..bits).filter(|position| word >> (bits - 1 - position) & 1 == 1));
        offsets.push(positions.len());
    }
    (offsets, positions)
}

#[test]
fn worked_examples() {
    let (offsets, positions) = sparse(&[50, 12, 0, 50, 7, 1023, 8], 10);
    let lists = Lists::new(&offsets, &positions, 10).unwrap();
    let sorted = sort_by_value(&lists, SortOrder::Ascending);
    assert_eq!((sorted.order, sorted.classes), (vec![2, 4, 6, 1, 0, 3, 5], 6));

    let (offsets, positions) = sparse(&[5, 3, 6, 5], 3);
    let lists = Lists::new(&offsets, &positions, 3).unwrap();
    assert_eq!(sort_by_value(&lists, SortOrder::Ascending).order, [1, 0, 3, 2]);
    assert_eq!(sort_by_gray_rank(&lists, SortOrder::Descending).order, [0, 3, 2, 1]);

    let words: Vec<u64> = (0..8).collect();
    let (offsets, positions) = sparse(&words, 3);
    let lists = Lists::new(&offsets, &positions, 3).unwrap();
    let order = sort_by_gray_rank(&lists, SortOrder::Descending).order;
    assert_eq!(order, [0b100, 0b101, 0b111, 0b110, 0b010, 0b011, 0b001, 0b000]);
}

#[test]
fn repeated_words_end_the_rounds() {
    for word in [0, 1, 3] {
        let (offsets, positions) = sparse(&[word; 2], 2);
        let lists = Lists::new(&offsets, &positions, 2).unwrap();
        let sorted = sort_by_value(&lists, SortOrder::Descending);
        assert_eq!((sorted.order, sorted.classes), (vec![0, 1], 1));
        assert!(sorted.rounds <= 2);
    }
}

#[test]
fn nothing_is_sorted() {
    let lists = Lists::new(&[0], &[], 0).unwrap();
    for direction in DIRECTIONS {
        assert!(sort_by_value(&lists, direction).order.is_empty());
        assert_eq!(sort_by_gray_rank(&lists, direction).rounds, 0);
    }
}

proptest! {
    #[test]
    fn orders_are_those_of_a_stable_comparison_sort(
        bits in 1u32..=12,
        words in prop::collection::vec(prop_oneof![Just(0u64), any::<u64>(), Just(u64::MAX), 0u64..4], 0..80),
    ) {
        let words: Vec<u64> = words.iter().map(|word| word & ((1 << bits) - 1)).collect();
        let (offsets, positions) = sparse(&words, bits);
        let lists = Lists::new(&offsets, &positions, bits).unwrap();
        let different: std::collections::HashSet<&u64> = words.iter().collect();
        for direction in DIRECTIONS {
            let (value, gray) = (sort_by_value(&lists, direction), sort_by_gray_rank(&lists, direction));
            prop_assert_eq!(&value.order, &reference::sort_by_value(&lists, direction));
            prop_assert_eq!(&gray.order, &reference::sort_by_gray_rank(&lists, direction));
            prop_assert_eq!((value.classes, gray.classes), (different.len(), different.len()));
            // By the numbers themselves: a second route.
            let ordered = |key: &dyn Fn(u64) -> u64, order: &[u32]| {
                order.windows(2).all(|pair| {
                    let (a, b) = (key(words[pair[0] as usize]), key(words[pair[1] as usize]));
                    if direction == SortOrder::Ascending { a <= b } else { a >= b }
                })
            };
            prop_assert!(ordered(&|word| word, &value.order) && ordered(&gray_rank, &gray.order));
        }
    }
}
