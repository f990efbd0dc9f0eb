//! Which kernel multiplies, and its default from counts.

use std::fmt;

use crate::pattern::Pattern;

/// Items of a row, at most: those that read a line together.
const MOST_LANES: u32 = 32;
/// How many times the average a row's steps must be before rows are cut.
const IMBALANCE: u64 = 32;

/// How the work of a product is shared among work-items of an OpenCL device. The host takes runs of rows with about as
/// many non-zeros whatever is named here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ProductAlgorithm {
    /// So many neighbouring items to a row, a power of two up to 32: one item for rows of a few non-zeros (scalar
    /// kernel), a warp for long ones (vector kernel; Bell and Garland, 2009).
    Rows {
        /// Items of a row.
        lanes: u32,
    },
    /// As many steps of the path through rows' ends and non-zeros for every item (Merrill and Garland, *Merge-based
    /// parallel sparse matrix-vector multiplication*, 2016): for rows of very different lengths.
    Merge,
}

impl ProductAlgorithm {
    /// The default for a pattern: merging where the longest row has far more non-zeros than the average one, so that
    /// its items would work on after all others; else as many lanes as an average row has non-zeros, rounded down to a
    /// power of two, so that lanes read neighbours and few are idle. `O(m)`.
    pub fn for_pattern(pattern: &Pattern) -> Self {
        let (rows, non_zeros) = (pattern.rows().max(1) as u64, pattern.non_zeros() as u64);
        let longest = pattern.iter().map(<[u32]>::len).max().unwrap_or(0) as u64;
        let average = (non_zeros / rows).max(1);
        let lanes = average.min(u64::from(MOST_LANES)).ilog2();
        if (longest >> lanes) > IMBALANCE * (average >> lanes).max(1) {
            Self::Merge
        } else {
            Self::Rows { lanes: 1 << lanes }
        }
    }

    /// Whether the kernels take it.
    pub(super) fn is_valid(self) -> bool {
        match self {
            Self::Rows { lanes } => lanes.is_power_of_two() && lanes <= MOST_LANES,
            Self::Merge => true,
        }
    }
}

impl fmt::Display for ProductAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rows { lanes: 1 } => f.write_str("row per item"),
            Self::Rows { lanes } => write!(f, "row per {lanes} items"),
            Self::Merge => f.write_str("merge"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_rows(lengths: &[usize]) -> Pattern {
        let mut offsets = vec![0];
        offsets.extend(lengths.iter().scan(0, |sum, length| {
            *sum += length;
            Some(*sum)
        }));
        let longest = lengths.iter().copied().max().unwrap_or(0);
        let indices = lengths.iter().flat_map(|&length| 0..length as u32).collect();
        Pattern::from_parts(lengths.len(), longest, offsets, indices)
    }

    #[test]
    fn lanes_follow_the_average_and_long_rows_are_cut() {
        let chosen = |lengths: &[usize]| ProductAlgorithm::for_pattern(&with_rows(lengths));
        assert_eq!(chosen(&[]), ProductAlgorithm::Rows { lanes: 1 });
        assert_eq!(chosen(&[0; 5]), ProductAlgorithm::Rows { lanes: 1 });
        assert_eq!(chosen(&[5; 100]), ProductAlgorithm::Rows { lanes: 4 });
        assert_eq!(chosen(&[200; 10]), ProductAlgorithm::Rows { lanes: 32 });
        let mut lengths = vec![3; 1000];
        lengths[7] = 1000;
        assert_eq!(chosen(&lengths), ProductAlgorithm::Merge);
    }
}
