//! Plans of eliminations, their shapes, and the choices made so far.

use std::fmt;

use manycore_tuning::Plans;

/// How a matrix is eliminated; the results are the same bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Elimination {
    /// Column by column: three launches each on an OpenCL device.
    Columns,
    /// In near memory: in one launch, within the local memory of an OpenCL device, and column by column where it does not fit; on
    /// the host four columns at once by one thread, planned for matrices that a processor's own cache holds.
    NearMemory,
    /// Some columns at once, the rest of the matrix by products; 0 counts as column by column.
    Blocks(usize),
}

impl fmt::Display for Elimination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Columns => f.write_str("columns"),
            Self::NearMemory => f.write_str("local memory"),
            Self::Blocks(columns) => write!(f, "blocks of {columns} columns"),
        }
    }
}

/// The rows from which multiples of a pivot's row are subtracted; this decides which words of the result have a meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reach {
    /// The rows below it: the elimination finds the pivots, and the remaining words are meaningless.
    Below,
    /// All others: the reduced echelon form.
    All,
}

/// What is eliminated: `rows` rows of `columns` entries, with pivots in the first `search` columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EliminationShape {
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub columns: usize,
    /// Columns in which pivots are searched, from the first on: at most all.
    pub search: usize,
    /// The rows that pivots' rows are taken from.
    pub reach: Reach,
}

impl EliminationShape {
    /// The shape of a determinant's elimination.
    pub const fn determinant(order: usize) -> Self {
        Self { rows: order, columns: order, search: order, reach: Reach::Below }
    }

    /// The shape of an elimination for the rank.
    pub const fn rank(rows: usize, columns: usize) -> Self {
        Self { rows, columns, search: columns, reach: Reach::Below }
    }

    /// The shape of an elimination to the reduced echelon form.
    pub const fn echelon(rows: usize, columns: usize) -> Self {
        Self { rows, columns, search: columns, reach: Reach::All }
    }

    /// The shape of the elimination of a matrix beside the identity, for its inverse.
    pub const fn inverse(order: usize) -> Self {
        Self { rows: order, columns: order.saturating_mul(2), search: order, reach: Reach::All }
    }

    /// The most pivots that there can be.
    pub(super) const fn limit(self) -> usize {
        if self.rows < self.search { self.rows } else { self.search }
    }
}

impl fmt::Display for Reach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(if *self == Self::All { "all rows" } else { "rows below" })
    }
}

impl fmt::Display for EliminationShape {
    /// As `100 by 200, pivots in 100, all rows`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rows, columns, search, reach } = self;
        write!(f, "{rows} by {columns}, pivots in {search}, {reach}")
    }
}

/// Choices by shape.
#[derive(Debug, Default)]
pub(crate) struct EliminationChoices(pub(super) Plans<EliminationShape, Elimination>);
