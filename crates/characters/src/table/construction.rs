//! The constructions of tables, and plans of them.

use std::fmt;

/// How a table is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Construction {
    /// Each entry from its exponent: one pass that only writes. Floating-point entries are the rounded roots.
    Direct,
    /// The Kronecker product of the factors' tables, factor after factor between two buffers (paper 000, algorithm 1, one
    /// item an output). Floating-point entries are products of roots.
    Kronecker,
}

impl Construction {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Direct, Self::Kronecker];

    /// Its name: `direct` or `kronecker`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Kronecker => "kronecker",
        }
    }
}

impl fmt::Display for Construction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A candidate of the planner: how a table is made.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Plan {
    /// The construction.
    pub construction: Construction,
    /// The passes over memory that make the table: 1, or the number of factors other than 1.
    pub passes: usize,
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.construction, self.passes) {
            (Construction::Direct, _) => f.write_str("direct, one pass"),
            (Construction::Kronecker, 1) => f.write_str("kronecker, one step"),
            (Construction::Kronecker, passes) => write!(f, "kronecker, {passes} steps"),
        }
    }
}
