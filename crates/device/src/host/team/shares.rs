//! The items of a step, in shares.

use std::sync::atomic::{AtomicU64, Ordering};

use crossbeam_utils::CachePadded;

/// The items of a step, in a share for each member of the team.
///
/// Shares stand in lines of the cache of their own, so that members who take of theirs do not wait for each other.
pub(super) struct Shares {
    /// Of each share the items from the lower half's number to the upper half's are left: its owner takes the first, others
    /// the last.
    left: Vec<CachePadded<AtomicU64>>,
}

impl Shares {
    /// `items` are fewer than `2^32`, and at least as many as `shares`.
    pub(super) fn new(items: usize, shares: usize) -> Self {
        let start = |share: usize| (items * share / shares) as u64;
        let left = |share: usize| CachePadded::new(AtomicU64::new(start(share) | start(share + 1) << 32));
        Self { left: (0..shares).map(left).collect() }
    }

    /// The numbers of the items that a member takes: those of a share of its own, then what others leave.
    pub(super) fn of(&self, member: usize) -> Taken<'_> {
        Taken { shares: self, own: member % self.left.len().max(1), passed: 0 }
    }

    /// The first item of a share that is not empty, or the last.
    fn take(&self, share: usize, is_own: bool) -> Option<usize> {
        let mut taken = None;
        let next = |left: u64| {
            let (from, to) = (left & u64::from(u32::MAX), left >> 32);
            if from == to {
                return None;
            }
            let (item, from, to) = if is_own { (from, from + 1, to) } else { (to - 1, from, to - 1) };
            taken = Some(item as usize);
            Some(from | to << 32)
        };
        self.left.get(share)?.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).ok()?;
        taken
    }
}

/// The numbers of the items that a member takes. No type of the items', so that it is compiled once.
pub(super) struct Taken<'a> {
    shares: &'a Shares,
    own: usize,
    /// Shares from its own on that are empty.
    passed: usize,
}

impl Iterator for Taken<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let shares = self.shares.left.len();
        while self.passed < shares {
            if let Some(item) = self.shares.take((self.own + self.passed) % shares, self.passed == 0) {
                return Some(item);
            }
            self.passed += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn members_take_their_own_items_first_and_all_in_all() {
        for shares in 1..6 {
            for items in shares..20 {
                for member in 0..shares {
                    let all = Shares::new(items, shares);
                    let taken: Vec<usize> = all.of(member).collect();
                    let (start, end) = (items * member / shares, items * (member + 1) / shares);
                    let own: Vec<usize> = (start..end).collect();
                    assert_eq!(taken[..own.len()], own, "{member} of {shares}, {items} items");
                    assert!(taken.len() == items && taken.iter().copied().collect::<BTreeSet<_>>().len() == items);
                    assert_eq!(all.of(0).next(), None);
                }
            }
        }
        assert_eq!(Shares::new(0, 0).of(3).next(), None);
    }

    #[test]
    fn what_a_member_leaves_is_taken_from_the_end() {
        let shares = Shares::new(6, 2);
        let mut first = shares.of(0);
        assert_eq!(first.next(), Some(0));
        assert_eq!(shares.of(1).collect::<Vec<_>>(), [3, 4, 5, 2, 1]);
        assert_eq!(first.next(), None);
        // More members than shares.
        let shares = Shares::new(2, 2);
        assert_eq!(shares.of(5).collect::<Vec<_>>(), [1, 0]);
    }
}
