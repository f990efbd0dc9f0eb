//! The cache that misses are counted for.

use clap::{Args, ValueEnum};
use manycore::model::cache::Geometry;
use manycore::sparse::Policy;

use crate::error::Error;

/// The options of a cache.
#[derive(Debug, Clone, Copy, Args)]
#[command(next_help_heading = "Cache")]
pub struct Cache {
    /// The words of the cache: values of the vector that it holds; 131072 without it
    #[arg(long, value_name = "Z")]
    pub words: Option<u64>,

    /// The words of a line
    #[arg(long, value_name = "L", default_value_t = 8)]
    pub line: u64,

    /// Which line a full cache replaces
    #[arg(long, value_enum, default_value = "lru")]
    pub policy: Replacement,
}

/// Which line a full cache replaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Replacement {
    /// The one whose next use is farthest away: the ideal cache
    Optimal,
    /// The one that was not used for the longest time
    Lru,
}

/// The words of a cache where none are given: a megabyte of doubles.
const WORDS: u64 = 1 << 17;
/// Lines that the cache of a picture has at the least.
const LINES: u64 = 2;

impl Cache {
    /// Its words.
    pub(super) fn words(self) -> u64 {
        self.words.unwrap_or(WORDS)
    }

    /// Its sizes.
    ///
    /// # Errors
    /// [`Error::Usage`] for a cache without words or lines, with the option.
    pub(super) fn geometry(self) -> Result<Geometry, Error> {
        let words = self.words();
        for (option, value, what) in [("--words", words, "cache"), ("--line", self.line, "line")] {
            if value == 0 {
                return Err(Error::Usage(format!("{option} 0: a {what} has at least one word")));
            }
        }
        Geometry::new(words, self.line)
            .map_err(|error| Error::Usage(format!("--words {words} --line {}: {error}", self.line)))
    }

    /// The cache of a picture of orders of a matrix with so many columns: where no words were asked for, about a quarter of the vector,
    /// for the misses of all orders are alike in a cache that holds all of it.
    pub(super) fn for_picture(self, columns: usize) -> Self {
        let quarter = 1 << (columns as u64 / 4).max(1).ilog2();
        let lines = |words: u64| words - words % self.line.max(1);
        let words = self.words.unwrap_or_else(|| lines(WORDS.min(self.line.saturating_mul(LINES).max(quarter))));
        Self { words: Some(words), ..self }
    }

    /// Its replacement.
    pub(super) fn policy(self) -> Policy {
        match self.policy {
            Replacement::Optimal => Policy::Optimal,
            Replacement::Lru => Policy::LeastRecentlyUsed,
        }
    }

    /// The parameters of a report.
    pub(super) fn parameters(self) -> serde_json::Value {
        let policy = match self.policy {
            Replacement::Optimal => "optimal",
            Replacement::Lru => "lru",
        };
        serde_json::json!({ "words": self.words(), "line": self.line, "policy": policy })
    }
}

#[cfg(test)]
mod tests {
    use super::{Cache, Replacement};

    #[test]
    fn the_cache_of_a_picture_holds_a_part_of_the_vector() {
        let cache = |words| Cache { words, line: 8, policy: Replacement::Lru };
        let words = |cache: Cache, columns| cache.for_picture(columns).words();
        assert_eq!(
            [0, 34, 300, 1 << 20, usize::MAX].map(|columns| words(cache(None), columns)),
            [16, 16, 64, 1 << 17, 1 << 17]
        );
        assert_eq!(words(cache(Some(5)), 300), 5);
        for (words, line, option) in [(0, 1, "--words 0"), (8, 0, "--line 0")] {
            let told = Cache { words: Some(words), line, policy: Replacement::Lru }.geometry().unwrap_err().to_string();
            assert!(told.contains(option), "{told}");
        }
    }
}
