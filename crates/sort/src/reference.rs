//! The slow definition: stable comparison sorts of sparse words.

pub use crate::radix::reference::sorted_places;
use crate::{Lists, SortOrder, compare_by_gray_rank, compare_by_value};

/// The order of the words by value, stable: `order[new] = old`. `O(n log n)` comparisons.
pub fn sort_by_value(lists: &Lists<'_>, direction: SortOrder) -> Vec<u32> {
    sorted(lists, direction, compare_by_value)
}

/// The order of the words by rank in the binary reflected Gray code, stable: `order[new] = old`. `O(n log n)`
/// comparisons.
pub fn sort_by_gray_rank(lists: &Lists<'_>, direction: SortOrder) -> Vec<u32> {
    sorted(lists, direction, compare_by_gray_rank)
}

fn sorted(lists: &Lists<'_>, direction: SortOrder, compare: impl Fn(&[u32], &[u32]) -> std::cmp::Ordering) -> Vec<u32> {
    let mut order: Vec<u32> = (0..lists.len() as u32).collect();
    order.sort_by(|&a, &b| {
        let ascending = compare(lists.list(a as usize), lists.list(b as usize));
        match direction {
            SortOrder::Ascending => ascending,
            SortOrder::Descending => ascending.reverse(),
        }
    });
    order
}
