//! Fully associative cache with least-recently-used replacement.

use super::{Geometry, Outcome, Report, SetAssociative, Simulator};

/// A fully associative cache that replaces the line not used for the longest time: [`SetAssociative`] with one set.
///
/// With `k` lines it has at most `k / (k - h + 1)` times the misses of the [optimum](super::Optimal) with `h <= k`
/// lines, plus `h` (Sleator and Tarjan, *Amortized efficiency of list update and paging rules*, 1985): twice the lines
/// make it at most twice as bad as the ideal cache.
///
/// `O(1)` per access, memory `O(distinct lines)`.
#[derive(Clone, Debug)]
pub struct LeastRecentlyUsed {
    cache: SetAssociative,
}

impl LeastRecentlyUsed {
    /// An empty cache.
    pub fn new(geometry: Geometry) -> Self {
        Self { cache: SetAssociative::with_sets(geometry, 1) }
    }

    /// Sizes of the cache.
    pub fn geometry(&self) -> Geometry {
        self.cache.geometry()
    }
}

impl Simulator for LeastRecentlyUsed {
    #[inline]
    fn access(&mut self, address: u64) -> Outcome {
        self.cache.access(address)
    }

    fn report(&self) -> Report {
        self.cache.report()
    }
}
