//! Compulsory, capacity and conflict misses.

use serde::{Deserialize, Serialize};

use super::line_table::LineTable;
use super::recency::{NEVER, RecencySets};
use super::{Geometry, GeometryError, Outcome, Report, Simulator};

/// The misses of a set-associative cache by cause (Hill, *Aspects of cache memory and instruction buffer performance*,
/// 1987).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Classification {
    /// First accesses: the distinct lines.
    pub compulsory: u64,
    /// Further misses that a fully associative cache of the same size with least-recently-used replacement has.
    pub capacity: u64,
    /// Misses of the set-associative cache less those of the fully associative one.
    ///
    /// Negative where the sets help: in a loop over one line more than the cache holds, the fully associative cache
    /// misses always, while sets that are not overfull keep their lines. The count is then the misses saved.
    pub conflict: i64,
}

impl Classification {
    /// All misses of the set-associative cache, `compulsory + capacity + conflict`.
    ///
    /// A [`Classifier`]'s counts always have a sum in range. Of others, made by hand or read from a file, the exact sum
    /// is brought into `0 ..= 2^64 - 1`.
    pub fn misses(&self) -> u64 {
        let sum = i128::from(self.compulsory) + i128::from(self.capacity) + i128::from(self.conflict);
        sum.clamp(0, i128::from(u64::MAX)) as u64
    }
}

/// Runs a set-associative cache and the fully associative one of the same size side by side.
///
/// As a [`Simulator`] it is the set-associative cache. `O(1)` per access whatever the ways, memory `O(distinct lines)`
/// whatever the size of the cache.
#[derive(Clone, Debug)]
pub struct Classifier {
    geometry: Geometry,
    /// Place of each line in the fully associative cache and in its set.
    lines: LineTable<[u32; 2]>,
    fully: RecencySets,
    sets: RecencySets,
    fully_report: Report,
    sets_report: Report,
}

impl Classifier {
    /// Empty caches of the same sizes, one with sets of `ways` lines.
    ///
    /// # Errors
    /// As [`SetAssociative::new`](super::SetAssociative::new).
    pub fn new(geometry: Geometry, ways: u64) -> Result<Self, GeometryError> {
        Ok(Self {
            geometry,
            lines: LineTable::new([NEVER; 2]),
            fully: RecencySets::new(geometry, 1),
            sets: RecencySets::new(geometry, geometry.sets(ways)?),
            fully_report: Report::default(),
            sets_report: Report::default(),
        })
    }

    /// The misses so far by cause.
    pub fn classification(&self) -> Classification {
        Classification {
            compulsory: self.sets_report.compulsory,
            capacity: self.fully_report.replaced(),
            conflict: self.sets_report.misses.wrapping_sub(self.fully_report.misses) as i64,
        }
    }
}

impl Simulator for Classifier {
    #[inline]
    fn access(&mut self, address: u64) -> Outcome {
        let line = self.geometry.line_of(address);
        let slot = self.lines.slot(line);
        let [fully, in_set] = self.lines.get(slot);
        let outcome = self.fully.access(line, slot, fully, |slot, place| self.lines.get_mut(slot)[0] = place);
        self.fully_report.count(outcome);
        let outcome = self.sets.access(line, slot, in_set, |slot, place| self.lines.get_mut(slot)[1] = place);
        self.sets_report.count(outcome);
        outcome
    }

    fn report(&self) -> Report {
        self.sets_report
    }
}
