//! Options of the computation of a star.

use std::fmt;

/// The block of successors and columns that a group of work-items updates when a row is pushed (the paper's `B` and `C`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PushShape {
    /// Successors of a group, at least one.
    pub rows: usize,
    /// Columns of a group, at least one.
    pub columns: usize,
}

impl Default for PushShape {
    fn default() -> Self {
        Self { rows: 4, columns: 64 }
    }
}

impl PushShape {
    /// The shape, with fewer rows and then fewer columns where a group has no room for them.
    pub(crate) fn within(self, most: usize) -> Self {
        let columns = self.columns.clamp(1, most.max(1));
        Self { rows: self.rows.clamp(1, (most / columns).max(1)), columns }
    }
}

/// An algorithm for a star.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum StarAlgorithm {
    /// The one that suits the graph: [`StarAlgorithm::Closure`] where there are circuits, else [`StarAlgorithm::Pull`] or
    /// [`StarAlgorithm::Substitution`]. Of integers the faster one by what the device was measured to do
    /// ([`MaxPlus::explain`](super::MaxPlus::explain)); of floating-point numbers, whose bits depend on it, the one of fewer terms for
    /// the whole star, `2 m n / 3` or `n^3 / 6`, whatever the columns, wherever there is memory for blocks.
    #[default]
    Auto,
    /// Sources in topological order push their rows to their successors: the paper's algorithm, `O(m n)`.
    Push(PushShape),
    /// Levels in topological order pull from their predecessors: `O(m n)`, as many launches as levels. The bits of
    /// [`StarAlgorithm::Push`].
    Pull,
    /// Forward substitution by blocks in the topologically permuted triangle: `n^3 / 6` terms.
    Substitution,
    /// Elimination by blocks, of any graph: `n^3` terms.
    Closure,
}

impl fmt::Display for StarAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("automatic"),
            Self::Push(PushShape { rows, columns }) => write!(f, "push, {rows} successors by {columns} columns"),
            Self::Pull => f.write_str("pull by levels"),
            Self::Substitution => f.write_str("substitution by blocks"),
            Self::Closure => f.write_str("closure by blocks"),
        }
    }
}

/// How a star is computed.
///
/// Integers are the same by every algorithm. Floating-point numbers are sums of a path's weights: by pushing and pulling in the order
/// of the path, the same bits on every device and for every block of columns; by blocks in an order that depends on the blocks, each sum
/// within `(n - 1) u / (1 - (n - 1) u)` times the sum of its weights' sizes, where `u` is half a unit in the last place.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StarOptions {
    /// The algorithm.
    pub algorithm: StarAlgorithm,
    /// The bytes that the computation may use at a time; the device's memory where none are given. Columns are computed in blocks
    /// that keep within.
    pub memory_bytes: Option<u64>,
}

impl StarOptions {
    /// By the algorithm that suits the graph, in all of the device's memory.
    pub fn new() -> Self {
        Self::default()
    }

    /// By an algorithm.
    #[must_use]
    pub fn algorithm(mut self, algorithm: StarAlgorithm) -> Self {
        self.algorithm = algorithm;
        self
    }

    /// Limits the work to `bytes` bytes at a time.
    #[must_use]
    pub fn memory_bytes(mut self, bytes: u64) -> Self {
        self.memory_bytes = Some(bytes);
        self
    }
}
