//! Set-associative cache.

use super::line_table::LineTable;
use super::{Geometry, GeometryError, Outcome, Report, Simulator};

/// Tag of an empty way. Tags are slots of the line table plus one.
const EMPTY: usize = 0;

/// A cache in which line `l` can only be in set `l mod sets`, with least-recently-used replacement within each set.
///
/// One way is a direct-mapped cache; as many ways as lines, a fully associative one, for which
/// [`LeastRecentlyUsed`](super::LeastRecentlyUsed) is faster.
///
/// `O(ways)` per access, memory `O(lines of the cache + distinct lines)`.
#[derive(Clone, Debug)]
pub struct SetAssociative {
    geometry: Geometry,
    report: Report,
    seen: LineTable<bool>,
    /// The ways of each set, most recently used first.
    tags: Vec<usize>,
    ways: usize,
    sets: u64,
}

impl SetAssociative {
    /// An empty cache with sets of `ways` lines.
    ///
    /// # Errors
    /// [`GeometryError::ZeroWays`], [`GeometryError::PartialSet`] if `ways` does not divide the lines of `geometry`.
    pub fn new(geometry: Geometry, ways: u64) -> Result<Self, GeometryError> {
        let sets = geometry.sets(ways)?;
        Ok(Self {
            geometry,
            report: Report::default(),
            seen: LineTable::new(false),
            tags: vec![EMPTY; geometry.lines() as usize],
            ways: ways as usize,
            sets,
        })
    }

    /// Sizes of the cache.
    pub fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// Lines of a set.
    pub fn ways(&self) -> u64 {
        self.ways as u64
    }

    /// Number of sets.
    pub fn sets(&self) -> u64 {
        self.sets
    }
}

impl Simulator for SetAssociative {
    #[inline]
    fn access(&mut self, address: u64) -> Outcome {
        let line = self.geometry.line_of(address);
        let set = if self.sets.is_power_of_two() { line & (self.sets - 1) } else { line % self.sets };
        let slot = self.seen.slot(line);
        let first = set as usize * self.ways;
        let ways = &mut self.tags[first..first + self.ways];
        let tag = slot + 1;
        let found = ways.iter().position(|&way| way == tag);
        // The least recently used line is the last one: it falls out when all move back by one.
        ways[..=found.unwrap_or(self.ways - 1)].rotate_right(1);
        ways[0] = tag;
        let outcome = if found.is_some() {
            Outcome::Hit
        } else if self.seen.get(slot) {
            Outcome::Replaced
        } else {
            self.seen.set(slot, true);
            Outcome::Compulsory
        };
        self.report.count(outcome);
        outcome
    }

    fn report(&self) -> Report {
        self.report
    }
}
