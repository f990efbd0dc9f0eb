//! Shapes and representations of a program's matrices.

use std::fmt;

/// Rows and columns of a matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Rows.
    pub rows: u64,
    /// Columns.
    pub columns: u64,
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} x {}", self.rows, self.columns)
    }
}

/// What a result is kept as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Representation {
    /// Stored, every entry (BUF).
    Stored,
    /// A function of row and column, computed where an entry is read (XY).
    Function,
    /// A function of a row and of the number of an entry in it (CSR).
    Rows,
    /// A function of a column and of the number of an entry in it (CSC).
    Columns,
}

impl Representation {
    /// Every one.
    pub const ALL: [Self; 4] = [Self::Stored, Self::Function, Self::Rows, Self::Columns];
}
