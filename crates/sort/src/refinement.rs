//! Classes of items, split round after round by one more key: the sort of paper 002, section 5.1, as corrected.

use crate::{Lists, SortOrder};

/// Classes up to this size are sorted by comparisons whatever their keys are.
const SHORT: usize = 32;
/// Classes up to this size are sorted by comparisons: at most 16 a member, so that a round stays linear.
const COMPARED: usize = 1 << 16;
/// Counters of a counting sort for each member of its class, at most.
const COUNTERS: usize = 4;

/// Items in classes: an order of the items in which each class is a run.
///
/// A round splits every class by a key of its members, and puts the parts in the order of the key; members with equal
/// keys stay together in their order. So the order is stable, and after rounds with the keys `0 .. k` two items share
/// a class if and only if all those keys are equal.
///
/// A class is examined again only if it has several members and one of them has a key left. Each member of such a class
/// is in a list longer than the rounds so far or is parted from the longer ones in the next round: all rounds together
/// take time linear in the items and the lengths of their lists. Memory: 5 bytes an item, and 16 to 32 bytes for each
/// member of the largest class.
#[derive(Debug, Clone)]
pub struct Refinement {
    order: Vec<u32>,
    /// Whether a class begins at this place of the order.
    begins: Vec<bool>,
    classes: usize,
    /// Runs of the order whose classes can be split further: begin and end.
    active: Vec<(u32, u32)>,
    /// Keys and items of the current class.
    pairs: Vec<(u32, u32)>,
    scratch: Vec<(u32, u32)>,
    counts: Vec<u32>,
}

impl Refinement {
    /// One class of the items `0 .. items`, which can be split; no class of no item.
    pub fn new(items: u32) -> Self {
        Self::from_order((0..items).collect())
    }

    /// One class of items in this order, which can be split; no class of no item.
    ///
    /// Items are any numbers that keys are known of; more than `2^32 - 1` of them are cut off, for places have 32 bits.
    pub fn from_order(mut order: Vec<u32>) -> Self {
        order.truncate(u32::MAX as usize);
        let items = order.len() as u32;
        let mut begins = vec![false; order.len()];
        if let Some(first) = begins.first_mut() {
            *first = true;
        }
        Self {
            order,
            begins,
            classes: usize::from(items > 0),
            active: if items > 1 { vec![(0, items)] } else { Vec::new() },
            pairs: Vec::new(),
            scratch: Vec::new(),
            counts: Vec::new(),
        }
    }

    /// Items in the order of their classes: `order[new] = old`.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// Takes the order out: `order[new] = old`.
    pub fn into_order(self) -> Vec<u32> {
        self.order
    }

    /// The number of classes.
    pub fn class_count(&self) -> usize {
        self.classes
    }

    /// Whether a round could split a class.
    pub fn is_active(&self) -> bool {
        !self.active.is_empty()
    }

    /// The classes in order, each with its items.
    pub fn classes(&self) -> impl Iterator<Item = &[u32]> {
        let mut rest = 0..self.order.len();
        std::iter::from_fn(move || {
            let begin = rest.next()?;
            let end = rest.by_ref().find(|&at| self.begins[at]).unwrap_or(self.order.len());
            rest.start = end;
            Some(&self.order[begin..end])
        })
    }

    /// One round: splits every active class by `key(item)`. A class is active afterwards if it has several members and
    /// `goes_on(item)` holds for one of them.
    ///
    /// Time linear in the members of active classes; each key is read once.
    pub fn refine(&mut self, order: SortOrder, key: impl Fn(u32) -> u32, goes_on: impl Fn(u32) -> bool) {
        let directed = |item: u32| match order {
            SortOrder::Ascending => key(item),
            SortOrder::Descending => u32::MAX - key(item),
        };
        for (begin, end) in std::mem::take(&mut self.active) {
            let class = &mut self.order[begin as usize..end as usize];
            self.pairs.clear();
            self.pairs.extend(class.iter().map(|&item| (directed(item), item)));
            if !self.pairs.is_sorted_by_key(|pair| pair.0) {
                sort_stably(&mut self.pairs, &mut self.scratch, &mut self.counts);
                for (place, &(_, item)) in class.iter_mut().zip(&self.pairs) {
                    *place = item;
                }
            }
            let mut start = begin;
            for part in self.pairs.chunk_by(|a, b| a.0 == b.0) {
                let next = start + part.len() as u32;
                if start != begin {
                    self.begins[start as usize] = true;
                    self.classes += 1;
                }
                if part.len() > 1 && part.iter().any(|&(_, item)| goes_on(item)) {
                    self.active.push((start, next));
                }
                start = next;
            }
        }
    }

    /// One round with one `k`, from 0, of each list as the key, and the width as the key of lists with no more ones.
    pub fn refine_by_one(&mut self, lists: &Lists<'_>, k: usize, direction: SortOrder) {
        self.refine(direction, |item| lists.key(item, k), |item| lists.list(item as usize).len() > k + 1);
    }
}

/// Sorts pairs by their keys, stably, in linear time.
fn sort_stably(pairs: &mut [(u32, u32)], scratch: &mut Vec<(u32, u32)>, counts: &mut Vec<u32>) {
    let (least, most) = pairs.iter().fold((u32::MAX, 0), |(least, most), pair| (least.min(pair.0), most.max(pair.0)));
    let range = (most - least) as usize + 1;
    if pairs.len() > SHORT && range <= COUNTERS * pairs.len() {
        scratch.clear();
        scratch.extend_from_slice(pairs);
        place(scratch, pairs, counts, range, |key| key - least);
    } else if pairs.len() <= COMPARED {
        pairs.sort_by_key(|pair| pair.0);
    } else {
        // Two digits of 16 bits, the lower first.
        scratch.clear();
        scratch.extend_from_slice(pairs);
        place(scratch, pairs, counts, 1 << 16, |key| key & 0xffff);
        scratch.copy_from_slice(pairs);
        place(scratch, pairs, counts, 1 << 16, |key| key >> 16);
    }
}

/// Stable counting sort of `from` into `to` by digits of the keys below `range` (paper 002, Algorithm 1).
fn place(from: &[(u32, u32)], to: &mut [(u32, u32)], counts: &mut Vec<u32>, range: usize, digit: impl Fn(u32) -> u32) {
    counts.clear();
    counts.resize(range, 0);
    for pair in from {
        counts[digit(pair.0) as usize] += 1;
    }
    let mut sum = 0;
    for count in counts.iter_mut() {
        sum += std::mem::replace(count, sum);
    }
    for &pair in from {
        let at = &mut counts[digit(pair.0) as usize];
        to[*at as usize] = pair;
        *at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(refinement: &Refinement) -> Vec<Vec<u32>> {
        refinement.classes().map(<[u32]>::to_vec).collect()
    }

    /// The rounds of the paper's example, section 5.3 of the specification: ascending values.
    #[test]
    fn the_worked_example_is_refined_as_printed() {
        // 50, 12, 0, 50, 7, 1023, 8 in ten bits.
        let words: [&[u32]; 7] =
            [&[4, 5, 8], &[6, 7], &[], &[4, 5, 8], &[7, 8, 9], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], &[6]];
        let mut offsets = vec![0];
        offsets.extend(words.iter().scan(0, |sum, word| {
            *sum += word.len();
            Some(*sum)
        }));
        let positions = words.concat();
        let lists = Lists::new(&offsets, &positions, 10).unwrap();
        let mut refinement = Refinement::new(7);
        assert_eq!(classes(&refinement), [[0, 1, 2, 3, 4, 5, 6]]);
        refinement.refine_by_one(&lists, 0, SortOrder::Descending);
        assert_eq!(classes(&refinement), [vec![2], vec![4], vec![1, 6], vec![0, 3], vec![5]]);
        refinement.refine_by_one(&lists, 1, SortOrder::Descending);
        assert_eq!(classes(&refinement), [vec![2], vec![4], vec![6], vec![1], vec![0, 3], vec![5]]);
        assert!(refinement.is_active(), "the two words 50 have a third one");
        refinement.refine_by_one(&lists, 2, SortOrder::Descending);
        assert!(!refinement.is_active());
        assert_eq!((refinement.class_count(), refinement.order()), (6, &[2, 4, 6, 1, 0, 3, 5][..]));
    }

    #[test]
    fn every_kind_of_sort_is_stable() {
        // Few keys, many keys in a large range, and more members than are compared.
        for (items, range) in [(5u32, 3u32), (100, 7), (1000, 4_000_000_000), (200_000, 4_000_000_000), (200_000, 50)] {
            let key =
                |item: u32| ((u64::from(item.wrapping_mul(2_654_435_761)) * u64::from(range)) >> 32) as u32 / 2 * 2;
            for direction in [SortOrder::Ascending, SortOrder::Descending] {
                let mut refinement = Refinement::new(items);
                refinement.refine(direction, key, |_| false);
                let mut expected: Vec<u32> = (0..items).collect();
                match direction {
                    SortOrder::Ascending => expected.sort_by_key(|&item| key(item)),
                    SortOrder::Descending => expected.sort_by_key(|&item| std::cmp::Reverse(key(item))),
                }
                assert!(refinement.order() == expected, "{items} items, {range} keys, {direction:?}");
                let keys: std::collections::HashSet<u32> = (0..items).map(key).collect();
                assert_eq!(refinement.class_count(), keys.len());
                assert!(!refinement.is_active());
            }
        }
    }

    #[test]
    fn no_item_and_one_make_no_active_class() {
        for items in [0, 1] {
            let refinement = Refinement::new(items);
            assert_eq!((refinement.class_count(), refinement.is_active()), (items as usize, false));
            assert_eq!(refinement.classes().count(), items as usize);
        }
    }
}
