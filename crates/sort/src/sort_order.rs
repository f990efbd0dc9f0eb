//! Directions of sorting.

/// Whether the smallest or the largest comes first. Items that compare equal keep their order in both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SortOrder {
    /// The smallest first.
    Ascending,
    /// The largest first.
    Descending,
}

impl SortOrder {
    /// The other one.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Ascending => Self::Descending,
            Self::Descending => Self::Ascending,
        }
    }
}
