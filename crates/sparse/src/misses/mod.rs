//! Cache misses on `x` of a product `y = A x`, and what an order of rows and columns saves.

mod advice;
mod prediction;
pub(crate) mod reference;

pub use advice::{Advice, AdviceOptions, ConsideredOrder, advise};
pub use prediction::Prediction;

use manycore_model::cache::{Geometry, LeastRecentlyUsed, Optimal, Report, Simulator};

use crate::error::SparseError;
use crate::order::mixed;
use crate::pattern::Pattern;

/// Which line a full cache replaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Policy {
    /// The line whose next use is farthest away (Belady, 1966): the ideal cache of paper 002.
    Optimal,
    /// The line that was not used for the longest time.
    LeastRecentlyUsed,
}

/// Cache lines that a sampled cache keeps at least; fewer say little about the whole.
const SAMPLED_LINES: u64 = 64;

/// Misses of a fully associative cache on the vector `x`, line-aligned, of a product in compressed rows: the words
/// `x[column]` of all non-zeros, row after row. The matrix and `y` are read once, from end to end, and are not counted.
///
/// Exact; about `O(log)` of the lines for each non-zero. Memory grows with the lines of `x`.
///
/// ```
/// use manycore_model::cache::Geometry;
/// use manycore_sparse::{Pattern, Policy, misses};
/// // Columns 0 and 1 in turn, on two lines of one word.
/// let matrix = sprs::CsMat::new((3, 2), vec![0, 2, 3, 4], vec![0, 1, 0, 1], vec![1.0; 4]);
/// let pattern = Pattern::of(matrix.view())?;
/// assert_eq!(misses(&pattern, Geometry::with_lines(1, 1)?, Policy::Optimal).misses, 4);
/// assert_eq!(misses(&pattern, Geometry::with_lines(2, 1)?, Policy::Optimal).misses, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline(never)]
pub fn misses(pattern: &Pattern, geometry: Geometry, policy: Policy) -> Report {
    run(geometry, policy, pattern.indices().iter().map(|&column| u64::from(column)))
}

/// An estimate of [`misses`] from one line of `x` in `2^log_rate`, chosen by a hash of its number, on a cache of as
/// many times fewer lines; counts are scaled back. The sample is the same on every machine.
///
/// Spatial sampling (Waldspurger, Park, Garthwaite and Ahmad, *Efficient MRC construction with SHARDS*, 2015): the
/// reuse of a line is seen by all its accesses, so that working sets shrink with the sample. The error falls with the
/// square root of the sampled lines. Time as [`misses`] for the sampled accesses, and a pass over the others.
///
/// # Errors
/// [`SparseError::Parameter`] for a rate that leaves less than a line of the cache.
pub fn sampled_misses(
    pattern: &Pattern,
    geometry: Geometry,
    policy: Policy,
    log_rate: u32,
) -> Result<Report, SparseError> {
    let lines = geometry.lines().checked_shr(log_rate).unwrap_or(0);
    if lines == 0 {
        let expected = "logarithms of at most the lines of the cache";
        return Err(SparseError::Parameter { name: "the sample's rate", value: format!("2^-{log_rate}"), expected });
    }
    let (small, mask) = (Geometry::with_lines(lines, geometry.line_words())?, (1 << log_rate) - 1);
    let words = pattern.indices().iter().map(|&column| u64::from(column));
    let report = run(small, policy, words.filter(|&word| mixed(geometry.line_of(word)) & mask == 0));
    let scaled = |count: u64| count << log_rate;
    Ok(Report {
        accesses: scaled(report.accesses),
        misses: scaled(report.misses),
        compulsory: scaled(report.compulsory),
    })
}

/// [`misses`], exact where there are at most `most_accesses` non-zeros, else by the largest sample within them that
/// keeps 64 lines of the cache and more.
///
/// # Errors
/// As [`sampled_misses`], which does not happen for the rates that this takes.
pub fn misses_within(
    pattern: &Pattern,
    geometry: Geometry,
    policy: Policy,
    most_accesses: u64,
) -> Result<Report, SparseError> {
    let mut log_rate = 0;
    while pattern.non_zeros() as u64 >> log_rate > most_accesses && geometry.lines() >> (log_rate + 1) >= SAMPLED_LINES
    {
        log_rate += 1;
    }
    if log_rate == 0 {
        Ok(misses(pattern, geometry, policy))
    } else {
        sampled_misses(pattern, geometry, policy, log_rate)
    }
}

fn run(geometry: Geometry, policy: Policy, words: impl Iterator<Item = u64>) -> Report {
    match policy {
        Policy::Optimal => Optimal::new(geometry).run(words),
        Policy::LeastRecentlyUsed => LeastRecentlyUsed::new(geometry).run(words),
    }
}
