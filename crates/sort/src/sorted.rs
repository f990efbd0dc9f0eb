//! Stable sorts of sparse words by class refinement. Paper 002, sections 5.1 and 6.1, as corrected.

use crate::{Lists, Refinement, SortOrder, compare_by_value};

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

/// As [`sort_by_value`], with at most `rounds` rounds; classes that are left are sorted by comparisons from there on, stably (paper
/// 002, Propositions 15 and 16). Of integers with many ones it is quicker: after a few rounds classes have few members.
pub fn sort_by_value_after(lists: &Lists<'_>, direction: SortOrder, rounds: usize) -> Sorted {
    let mut refinement = Refinement::new(lists.len() as u32);
    let mut made = 0;
    while made < rounds && refinement.is_active() {
        refinement.refine_by_one(lists, made, direction.reversed());
        made += 1;
    }
    let rest = |word: u32| {
        let ones = lists.list(word as usize);
        &ones[made.min(ones.len())..]
    };
    let compare = |a: u32, b: u32| match direction {
        SortOrder::Ascending => compare_by_value(rest(a), rest(b)),
        SortOrder::Descending => compare_by_value(rest(b), rest(a)),
    };
    let mut order = Vec::with_capacity(lists.len());
    let mut classes = 0;
    for class in refinement.classes() {
        let begin = order.len();
        order.extend_from_slice(class);
        order[begin..].sort_by(|&a, &b| compare(a, b));
        classes += order[begin..].chunk_by(|&a, &b| compare(a, b).is_eq()).count();
    }
    Sorted { order, classes, rounds: made }
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
