//! The cache that misses are counted for.

use manycore_model::cache::Geometry;
use manycore_operation::{Arguments, DeclaredOption, OperationError, OptionKind, Range};
use serde_json::json;

use crate::misses::Policy;

/// The heading of its options.
const HEADING: Option<&str> = Some("Cache");

/// The words of a cache.
pub(super) const WORDS: DeclaredOption = DeclaredOption {
    value: OptionKind::Count { value_name: "Z", range: Range::Long, is_required: false, default: None },
    heading: HEADING,
    ..DeclaredOption::flag("words", "The words of the cache: values of the vector that it holds; 131072 without it")
};

/// The words of a line.
pub(super) const LINE: DeclaredOption = DeclaredOption {
    value: OptionKind::Count { value_name: "L", range: Range::Long, is_required: false, default: Some(LINE_WORDS) },
    heading: HEADING,
    ..DeclaredOption::flag("line", "The words of a line")
};

/// Which line is replaced.
pub(super) const POLICY: DeclaredOption = DeclaredOption {
    value: OptionKind::Word {
        value_name: "POLICY",
        words: &[
            (OPTIMAL, "The one whose next use is farthest away: the ideal cache"),
            ("lru", "The one that was not used for the longest time"),
        ],
        default: Some("lru"),
    },
    heading: HEADING,
    ..DeclaredOption::flag("policy", "Which line a full cache replaces")
};

/// The options of a cache.
pub(super) const OPTIONS: &[DeclaredOption] = &[WORDS, LINE, POLICY];

/// The words of a cache where none are given: a megabyte of doubles.
const CACHE_WORDS: u64 = 1 << 17;
/// The words of a line where none are given.
const LINE_WORDS: u64 = 8;
/// Lines that the cache of a picture has at the least.
const LINES: u64 = 2;
/// The word of the ideal cache.
const OPTIMAL: &str = "optimal";

/// A cache that was asked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cache {
    /// Its words, where they are given.
    given: Option<u64>,
    pub(super) line: u64,
    pub(super) policy: Policy,
}

impl Cache {
    /// The cache of these arguments.
    ///
    /// # Errors
    /// Of a cache without words or lines, with the option.
    pub(super) fn of(arguments: &Arguments) -> Result<Self, OperationError> {
        let policy = match arguments.word("policy") {
            Some(OPTIMAL) => Policy::Optimal,
            _ => Policy::LeastRecentlyUsed,
        };
        let line = arguments.number("line").unwrap_or(LINE_WORDS);
        let cache = Self { given: arguments.number("words"), line, policy };
        cache.geometry().map(|_| cache)
    }

    /// Its words.
    pub(super) fn words(self) -> u64 {
        self.given.unwrap_or(CACHE_WORDS)
    }

    /// Whether its words were not given.
    pub(super) fn is_usual(self) -> bool {
        self.given.is_none()
    }

    /// Its sizes.
    ///
    /// # Errors
    /// As [`Cache::of`].
    pub(super) fn geometry(self) -> Result<Geometry, OperationError> {
        let words = self.words();
        for (option, value, what) in [("--words", words, "cache"), ("--line", self.line, "line")] {
            if value == 0 {
                return Err(OperationError::usage(format!("{option} 0: a {what} has at least one word")));
            }
        }
        Geometry::new(words, self.line)
            .map_err(|error| OperationError::usage(format!("--words {words} --line {}: {error}", self.line)))
    }

    /// The cache for a picture of orders of a matrix of `columns` columns. By default it holds about a quarter of the vector, since in a
    /// cache that holds all of it the misses of all orders are alike.
    pub(super) fn for_picture(self, columns: usize) -> Self {
        let quarter = 1 << (columns as u64 / 4).max(1).ilog2();
        let lines = |words: u64| words - words % self.line.max(1);
        let words = self.given.unwrap_or_else(|| lines(CACHE_WORDS.min(self.line.saturating_mul(LINES).max(quarter))));
        Self { given: Some(words), ..self }
    }

    /// The cache's parameters in reports.
    pub(super) fn told(self) -> serde_json::Value {
        let policy = if self.policy == Policy::Optimal { OPTIMAL } else { "lru" };
        json!({ "words": self.words(), "line": self.line, "policy": policy })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_of_a_picture_holds_a_part_of_the_vector() {
        let cache = |given| Cache { given, line: 8, policy: Policy::LeastRecentlyUsed };
        let words = |cache: Cache, columns| cache.for_picture(columns).words();
        assert_eq!(
            [0, 34, 300, 1 << 20, usize::MAX].map(|columns| words(cache(None), columns)),
            [16, 16, 64, 1 << 17, 1 << 17]
        );
        assert_eq!(words(cache(Some(5)), 300), 5);
        for (words, line, option) in [(0, 1, "--words 0"), (8, 0, "--line 0")] {
            let cache = Cache { given: Some(words), line, policy: Policy::LeastRecentlyUsed };
            let told = cache.geometry().unwrap_err().to_string();
            assert!(told.contains(option), "{told}");
        }
    }
}
