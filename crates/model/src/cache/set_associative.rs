//! Set-associative cache.

use super::line_table::LineTable;
use super::recency::{NEVER, RecencySets};
use super::{Geometry, GeometryError, Outcome, Report, Simulator};

/// A cache in which line `l` can only be in set `l mod sets`, with least-recently-used replacement within each set.
///
/// One way is a direct-mapped cache; as many ways as lines, a fully associative one, which
/// [`LeastRecentlyUsed`](super::LeastRecentlyUsed) is too.
///
/// `O(1)` per access whatever the ways, memory `O(distinct lines)` whatever the size of the cache.
#[derive(Clone, Debug)]
pub struct SetAssociative {
    geometry: Geometry,
    report: Report,
    /// Place of each line in its set.
    lines: LineTable<u32>,
    sets: RecencySets,
}

impl SetAssociative {
    /// An empty cache with sets of `ways` lines.
    ///
    /// # Errors
    /// [`GeometryError::ZeroWays`], [`GeometryError::PartialSet`] if `ways` does not divide the lines of `geometry`.
    pub fn new(geometry: Geometry, ways: u64) -> Result<Self, GeometryError> {
        Ok(Self::with_sets(geometry, geometry.sets(ways)?))
    }

    /// An empty cache with a number of sets that divides its lines.
    pub(super) fn with_sets(geometry: Geometry, sets: u64) -> Self {
        Self {
            geometry,
            report: Report::default(),
            lines: LineTable::new(NEVER),
            sets: RecencySets::new(geometry, sets),
        }
    }

    /// Sizes of the cache.
    pub fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// Lines of a set.
    pub fn ways(&self) -> u64 {
        self.sets.ways()
    }

    /// Number of sets.
    pub fn sets(&self) -> u64 {
        self.sets.sets()
    }
}

impl Simulator for SetAssociative {
    #[inline]
    fn access(&mut self, address: u64) -> Outcome {
        let line = self.geometry.line_of(address);
        let slot = self.lines.slot(line);
        let place = self.lines.get(slot);
        let outcome = self.sets.access(line, slot, place, |slot, place| self.lines.set(slot, place));
        self.report.count(outcome);
        outcome
    }

    fn report(&self) -> Report {
        self.report
    }
}
