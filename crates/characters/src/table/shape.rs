//! Tiles of tables, as the planner sees them.

use std::ops::Range;

use crate::values::Product;

/// A tile of a table.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Shape {
    /// The group's factors.
    pub factors: Vec<u64>,
    /// The group's exponent.
    pub exponent: u64,
    /// The rows.
    pub rows: Range<u64>,
    /// The columns.
    pub columns: Range<u64>,
    /// Bytes of an entry.
    pub value_bytes: u32,
    /// Whether entries are exponents.
    pub exponents: bool,
    /// How entries are multiplied.
    pub product: Product,
}
