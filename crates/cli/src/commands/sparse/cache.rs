//! The cache that misses are counted for.

use clap::{Args, ValueEnum};
use manycore::SparseError;
use manycore::model::cache::Geometry;
use manycore::sparse::Policy;

/// The options of a cache.
#[derive(Debug, Clone, Copy, Args)]
#[command(next_help_heading = "Cache")]
pub struct Cache {
    /// The words of the cache: values of the vector that it holds
    #[arg(long, value_name = "Z", default_value_t = 1 << 17)]
    pub words: u64,

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

impl Cache {
    /// Its sizes.
    pub(super) fn geometry(self) -> Result<Geometry, SparseError> {
        Ok(Geometry::new(self.words, self.line)?)
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
        serde_json::json!({ "words": self.words, "line": self.line, "policy": policy })
    }
}
