//! Options of a determinant in double precision (pivots, a bound, a plan), and its result.

use std::fmt;

use super::scaled::Scaled;

/// Which entry of a matrix is its pivot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Pivoting {
    /// The first entry of the first row that is not 0.
    First,
    /// The entry of the first row that is nearest to 1.0 and not 0: the thesis' rule. It loses digits where small entries stand
    /// beside large ones, and serves to compare.
    ClosestToOne,
    /// The largest entry of the first row in size: partial pivoting.
    #[default]
    Partial,
    /// The largest entry of the matrix in size: complete pivoting.
    Complete,
}

impl Pivoting {
    /// All rules.
    pub const ALL: [Self; 4] = [Self::First, Self::ClosestToOne, Self::Partial, Self::Complete];

    /// What kernels call the order of candidates.
    pub(super) const fn rule(self) -> u8 {
        match self {
            Self::First => 0,
            Self::ClosestToOne => 1,
            Self::Partial | Self::Complete => 2,
        }
    }
}

/// How a determinant in double precision is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RealOptions {
    /// The choice of pivots.
    pub pivoting: Pivoting,
    /// Whether a bound of the error is proved: `5/6 n^3` products beside the `1/3 n^3` of the determinant itself, on the device; what
    /// takes `n^2` of them is left to the host's threads.
    pub bound: bool,
}

impl Default for RealOptions {
    fn default() -> Self {
        Self { pivoting: Pivoting::default(), bound: true }
    }
}

/// How an OpenCL device eliminates a matrix of doubles by blocks of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RealPlan {
    /// A launch for each row of a block, and two for the rows below it.
    Rows,
    /// One launch, in which groups wait for each other; blocks of 8, 16 or 32 rows, whose columns stand in registers.
    Whole {
        /// Rows of a block.
        block: usize,
    },
}

impl fmt::Display for RealPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rows => f.write_str("a launch a row"),
            Self::Whole { block } => write!(f, "one launch, blocks of {block} rows"),
        }
    }
}

/// A determinant in double precision.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RealDeterminant {
    /// The computed value: the product of the pivots with their signs.
    pub value: Scaled,
    /// The true determinant differs from the value by at most this much; `None` where no bound was asked for. A bound of the
    /// value's size or more says that not even the sign is known.
    pub error_bound: Option<Scaled>,
}

impl RealDeterminant {
    /// The natural logarithm of the size; -infinity for 0.
    pub fn log_abs(&self) -> f64 {
        self.value.log_abs()
    }

    /// The bound of the error over the size of the value: infinite for a value of 0 whose bound is not; `None` where no bound was
    /// asked for.
    pub fn relative_error_bound(&self) -> Option<f64> {
        let bound = self.error_bound?;
        if bound.mantissa == 0.0 {
            return Some(0.0);
        }
        let apart = bound.exponent.saturating_sub(self.value.exponent);
        Some(Scaled::new(bound.mantissa / self.value.mantissa.abs(), apart).to_f64())
    }
}
