//! Algorithms of division, the parameters with which they run, and what a ring keeps of choices among them.

use std::any::Any;
use std::fmt;

use manycore_device::Cache;
use manycore_tuning::Plans;

/// An algorithm that divides polynomials.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DivisionAlgorithm {
    /// Long division on the host, several coefficients of the quotient at a time.
    Plain,
    /// The `s`-head division of paper 002, algorithms 18 and 19, on OpenCL devices; with `s = 1` the naive division,
    /// algorithms 16 and 17.
    SHead,
    /// Products by the inverse of the reversed divisor as a power series, which Newton's iteration makes.
    Newton,
}

impl DivisionAlgorithm {
    /// Its name: `plain`, `s-head` or `newton`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::SHead => "s-head",
            Self::Newton => "newton",
        }
    }
}

impl fmt::Display for DivisionAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An algorithm for divisions with its parameters, as candidates are;
/// [`PolyRing::div_rem_by`](crate::PolyRing::div_rem_by) takes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DivisionPlan {
    /// Long division on the host.
    Plain {
        /// Coefficients of the quotient that are found together.
        head: usize,
    },
    /// The `s`-head division on an OpenCL device.
    SHead {
        /// Coefficients of the quotient that a launch finds.
        s: usize,
        /// Items of a group.
        group: usize,
        /// Coefficients of the remainder that an item updates: a group updates `W = group * each`.
        each: usize,
    },
    /// Newton's inverse.
    Newton {
        /// Coefficients of the quotient that are found together: the precision of the inverse.
        block: usize,
    },
}

impl DivisionPlan {
    /// Its algorithm.
    pub const fn algorithm(&self) -> DivisionAlgorithm {
        match self {
            Self::Plain { .. } => DivisionAlgorithm::Plain,
            Self::SHead { .. } => DivisionAlgorithm::SHead,
            Self::Newton { .. } => DivisionAlgorithm::Newton,
        }
    }
}

impl fmt::Display for DivisionPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain { head } => write!(f, "plain, heads of {head}"),
            Self::SHead { s, group, each } => write!(f, "s-head, s = {s}, groups of {group} items, {each} each"),
            Self::Newton { block } => write!(f, "newton, quotient in blocks of {block}"),
        }
    }
}

/// A division: the lengths of both polynomials.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Size {
    pub(super) n: usize,
    /// At least 1.
    pub(super) m: usize,
    /// Whether the divisor keeps its inverse.
    pub(super) kept: bool,
}

impl Size {
    /// Coefficients of the quotient.
    pub(super) fn len(self) -> usize {
        (self.n + 1).saturating_sub(self.m)
    }

    /// Bytes of both polynomials.
    pub(super) fn bytes(self, word_bytes: u64) -> u64 {
        (self.n as u64).saturating_add(self.m as u64).saturating_mul(word_bytes)
    }
}

/// Choices by the lengths of divisions, and how products of blocks with divisors are made; nothing is locked while a choice is
/// made.
#[derive(Debug)]
pub(crate) struct Divisions {
    pub(super) chosen: Plans<Size, DivisionPlan>,
    pub(super) remnants: Cache<(usize, usize), dyn Any + Send + Sync>,
}

impl Default for Divisions {
    fn default() -> Self {
        Self { chosen: Plans::default(), remnants: Cache::at_most(1 << 12) }
    }
}
