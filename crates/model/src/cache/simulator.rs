//! The interface of all simulators.

use serde::{Deserialize, Serialize};

/// What one access found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Outcome {
    /// The line was in the cache.
    Hit,
    /// A miss on a line never accessed before, which no cache avoids.
    Compulsory,
    /// A miss on a line that was in the cache once and was replaced since.
    Replaced,
}

impl Outcome {
    /// Whether the line had to be fetched.
    pub fn is_miss(self) -> bool {
        self != Self::Hit
    }
}

/// Counts of a trace, from an empty cache on.
///
/// A simulator's report has `compulsory <= misses <= accesses`. One made by hand or read from a file need not; the
/// differences and the ratio below then stay in their ranges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// Accesses in all.
    pub accesses: u64,
    /// Accesses that fetched their line.
    pub misses: u64,
    /// Misses on lines never seen before, which is the number of distinct lines.
    pub compulsory: u64,
}

impl Report {
    /// Accesses that found their line; 0 if there are more misses than accesses.
    pub fn hits(&self) -> u64 {
        self.accesses.saturating_sub(self.misses)
    }

    /// Misses on lines that were replaced before: the capacity misses of a fully associative cache, the capacity and
    /// conflict misses of another one. 0 if there are more compulsory misses than misses.
    pub fn replaced(&self) -> u64 {
        self.misses.saturating_sub(self.compulsory)
    }

    /// Misses per access, in `0 ..= 1`; 0 for an empty trace, 1 if there are more misses than accesses.
    pub fn miss_ratio(&self) -> f64 {
        if self.accesses == 0 { 0.0 } else { (self.misses as f64 / self.accesses as f64).min(1.0) }
    }

    /// Counts one more access.
    #[inline]
    pub(super) fn count(&mut self, outcome: Outcome) {
        self.accesses += 1;
        self.misses += u64::from(outcome.is_miss());
        self.compulsory += u64::from(outcome == Outcome::Compulsory);
    }
}

/// A cache that is fed a trace of word addresses.
pub trait Simulator {
    /// Accesses the word at `address`, and with it its line.
    fn access(&mut self, address: u64) -> Outcome;

    /// Counts since the simulator was made. Valid at every moment: the report of the trace so far.
    fn report(&self) -> Report;

    /// Accesses all `addresses` in order; returns the counts since the simulator was made.
    fn run<I>(&mut self, addresses: I) -> Report
    where
        I: IntoIterator<Item = u64>,
        Self: Sized,
    {
        addresses.into_iter().for_each(|address| {
            self.access(address);
        });
        self.report()
    }
}
