//! Stable sorts of sparse words by class refinement. Paper 002, sections 5.1 and 6.1, as corrected.

use crate::{Lists, Refinement, SortOrder};

/// An order of words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sorted {
    /// The words in order: `order[new] = old`. Equal words keep their order.
    pub order: Vec<u32>,
    /// The number of different words.
    pub classes: usize,
    /// Rounds that were needed: at most the length of the longest list, at least the most ones that two words share
    /// before their first difference.
    pub rounds: usize,
}

/// Sorts sparse words by value, stably, in time linear in words and ones (paper 002, chapter 5, with its corrected
/// stop rule).
///
/// A word with an earlier one is larger, so that round `k` sorts by the position of one `k` descending; a word with no
/// more ones comes before all others of its class.
pub fn sort_by_value(lists: &Lists<'_>, direction: SortOrder) -> Sorted {
    sorted(lists, |_| direction.reversed())
}

/// Sorts sparse words by rank in the binary reflected Gray code, stably, in time linear in words and ones (paper 002,
/// Proposition 19): as by value, with the positions of the ones `1, 3, 5, ...` (from 0) in the other direction.
pub fn sort_by_gray_rank(lists: &Lists<'_>, direction: SortOrder) -> Sorted {
    sorted(lists, |k| if k.is_multiple_of(2) { direction.reversed() } else { direction })
}

fn sorted(lists: &Lists<'_>, direction: impl Fn(usize) -> SortOrder) -> Sorted {
    let mut refinement = Refinement::new(lists.len() as u32);
    let mut rounds = 0;
    while refinement.is_active() {
        refinement.refine_by_one(lists, rounds, direction(rounds));
        rounds += 1;
    }
    Sorted { classes: refinement.class_count(), order: refinement.into_order(), rounds }
}
