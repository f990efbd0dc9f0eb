//! Compulsory, capacity and conflict misses.

use serde::{Deserialize, Serialize};

use super::{Geometry, GeometryError, LeastRecentlyUsed, Outcome, Report, SetAssociative, Simulator};

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
    /// All misses of the set-associative cache.
    pub fn misses(&self) -> u64 {
        (self.compulsory + self.capacity).wrapping_add_signed(self.conflict)
    }
}

/// Runs a set-associative cache and the fully associative one of the same size side by side.
///
/// As a [`Simulator`] it is the set-associative cache. Costs per access and memory are the sum of the two.
#[derive(Clone, Debug)]
pub struct Classifier {
    fully: LeastRecentlyUsed,
    sets: SetAssociative,
}

impl Classifier {
    /// Empty caches of the same sizes, one with sets of `ways` lines.
    ///
    /// # Errors
    /// As [`SetAssociative::new`].
    pub fn new(geometry: Geometry, ways: u64) -> Result<Self, GeometryError> {
        Ok(Self { fully: LeastRecentlyUsed::new(geometry), sets: SetAssociative::new(geometry, ways)? })
    }

    /// The misses so far by cause.
    pub fn classification(&self) -> Classification {
        let (fully, sets) = (self.fully.report(), self.sets.report());
        Classification {
            compulsory: sets.compulsory,
            capacity: fully.replaced(),
            conflict: sets.misses.wrapping_sub(fully.misses) as i64,
        }
    }
}

impl Simulator for Classifier {
    #[inline]
    fn access(&mut self, address: u64) -> Outcome {
        self.fully.access(address);
        self.sets.access(address)
    }

    fn report(&self) -> Report {
        self.sets.report()
    }
}
