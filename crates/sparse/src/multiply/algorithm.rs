//! Algorithms of products, and the parameters with which they run.

use std::fmt;

/// Items of a row, at most: those of a warp.
pub(super) const MOST_LANES: u32 = 32;

/// How the work of a product is shared among work-items of an OpenCL device. The host takes runs of rows with about as
/// many non-zeros whatever is named here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ProductAlgorithm {
    /// A number of neighbouring items for each row, a power of two up to 32: one item for rows of a few non-zeros
    /// (scalar kernel), a warp for long ones (vector kernel; Bell and Garland, 2009).
    Rows {
        /// Items of a row.
        lanes: u32,
    },
    /// As many steps of the path through rows' ends and non-zeros for every item (Merrill and Garland, *Merge-based
    /// parallel sparse matrix-vector multiplication*, 2016): for rows of very different lengths.
    Merge,
}

impl ProductAlgorithm {
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

/// An algorithm with its parameters, as candidates are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ProductPlan {
    /// Runs of rows on the host's threads.
    Runs {
        /// Rows and non-zeros of a run, times the columns of `x`, unless a single row has more.
        steps: u32,
    },
    /// Items that share a row on an OpenCL device.
    Rows {
        /// Items of a row, and of each column of `x`.
        lanes: u32,
        /// Items of a group.
        group: u32,
    },
    /// Items that take steps of the path through rows' ends and non-zeros on an OpenCL device.
    Merge {
        /// Steps of an item.
        items: u32,
        /// Items of a group.
        group: u32,
    },
}

impl ProductPlan {
    /// Steps of a run on the host; all at once for a plan of a device.
    pub(super) fn steps(self) -> usize {
        match self {
            Self::Runs { steps } => steps as usize,
            Self::Rows { .. } | Self::Merge { .. } => usize::MAX,
        }
    }

    /// Whether this plan runs `algorithm`. A row has fewer items where a group is smaller; `Runs` counts for every algorithm, as the host's
    /// only plan.
    pub(super) fn is_of(self, algorithm: ProductAlgorithm) -> bool {
        match (self, algorithm) {
            (Self::Runs { .. }, _) | (Self::Merge { .. }, ProductAlgorithm::Merge) => true,
            (Self::Rows { lanes, group }, ProductAlgorithm::Rows { lanes: wanted }) => lanes == wanted.min(group),
            _ => false,
        }
    }
}

impl fmt::Display for ProductPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Runs { steps } => write!(f, "runs of {steps} rows and non-zeros"),
            Self::Rows { lanes, group } => {
                let algorithm = ProductAlgorithm::Rows { lanes: *lanes };
                write!(f, "{algorithm}, groups of {group} items")
            }
            Self::Merge { items, group } => write!(f, "merge, {items} steps an item, groups of {group} items"),
        }
    }
}
