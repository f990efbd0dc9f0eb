//! Sizes of a cache.

use thiserror::Error;

/// Why a cache cannot have the sizes asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GeometryError {
    /// The cache has no words.
    #[error("a cache of zero words holds nothing")]
    ZeroCache,
    /// The line has no words.
    #[error("a cache line must have at least one word")]
    ZeroLine,
    /// `Z` is not a whole number of lines.
    #[error("a cache of {cache_words} words is not a whole number of lines of {line_words} words")]
    PartialLine {
        /// `Z`, in words.
        cache_words: u64,
        /// `L`, in words.
        line_words: u64,
    },
    /// More lines than [`Geometry::MAXIMUM_LINES`], or more words than a `u64` counts.
    #[error(
        "a cache of {lines} lines of {line_words} words is too large: at most {} lines and 2^64 - 1 words",
        Geometry::MAXIMUM_LINES
    )]
    TooLarge {
        /// Lines asked for.
        lines: u64,
        /// `L`, in words.
        line_words: u64,
    },
    /// A set has no lines.
    #[error("a set must have at least one way")]
    ZeroWays,
    /// The lines do not fill whole sets.
    #[error("{lines} lines do not make whole sets of {ways} ways")]
    PartialSet {
        /// Lines of the cache.
        lines: u64,
        /// Lines of a set.
        ways: u64,
    },
}

/// A cache of `Z` words in lines of `L` words; word `a` of the memory lies on line `floor(a / L)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Geometry {
    lines: u64,
    line_words: u64,
}

impl Geometry {
    /// Most lines a simulated cache can have: `2^30` (64 GiB of 64-byte lines).
    pub const MAXIMUM_LINES: u64 = 1 << 30;

    /// A cache of `cache_words` words (`Z`) in lines of `line_words` words (`L`).
    ///
    /// # Errors
    /// [`GeometryError::ZeroCache`], [`GeometryError::ZeroLine`], [`GeometryError::PartialLine`] if `L` does not
    /// divide `Z`, [`GeometryError::TooLarge`].
    pub fn new(cache_words: u64, line_words: u64) -> Result<Self, GeometryError> {
        if line_words == 0 {
            return Err(GeometryError::ZeroLine);
        }
        if !cache_words.is_multiple_of(line_words) {
            return Err(GeometryError::PartialLine { cache_words, line_words });
        }
        Self::with_lines(cache_words / line_words, line_words)
    }

    /// A cache of `lines` lines (`Z / L`) of `line_words` words (`L`).
    ///
    /// # Errors
    /// [`GeometryError::ZeroCache`], [`GeometryError::ZeroLine`], [`GeometryError::TooLarge`].
    pub fn with_lines(lines: u64, line_words: u64) -> Result<Self, GeometryError> {
        match (lines, line_words) {
            (_, 0) => Err(GeometryError::ZeroLine),
            (0, _) => Err(GeometryError::ZeroCache),
            _ if lines > Self::MAXIMUM_LINES || lines.checked_mul(line_words).is_none() => {
                Err(GeometryError::TooLarge { lines, line_words })
            }
            _ => Ok(Self { lines, line_words }),
        }
    }

    /// Size `Z`, in words.
    pub fn cache_words(self) -> u64 {
        self.lines * self.line_words
    }

    /// Line length `L`, in words.
    pub fn line_words(self) -> u64 {
        self.line_words
    }

    /// Lines that fit, `Z / L`, at least 1.
    pub fn lines(self) -> u64 {
        self.lines
    }

    /// Number of sets of `ways` lines each. One set is a fully associative cache, one way a direct-mapped one.
    ///
    /// # Errors
    /// [`GeometryError::ZeroWays`], [`GeometryError::PartialSet`] if `ways` does not divide the lines.
    pub fn sets(self, ways: u64) -> Result<u64, GeometryError> {
        if ways == 0 {
            return Err(GeometryError::ZeroWays);
        }
        if !self.lines.is_multiple_of(ways) {
            return Err(GeometryError::PartialSet { lines: self.lines, ways });
        }
        Ok(self.lines / ways)
    }

    /// Line of a word address, `floor(address / L)`.
    #[inline]
    pub fn line_of(self, address: u64) -> u64 {
        // A division takes longer than all the rest of a hit; lines are nearly always a power of two long.
        if self.line_words.is_power_of_two() {
            address >> self.line_words.trailing_zeros()
        } else {
            address / self.line_words
        }
    }
}
