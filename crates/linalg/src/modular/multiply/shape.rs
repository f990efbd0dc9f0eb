//! The request of a product: its shape, and what becomes of the result.

/// A product of a matrix of `rows` by `inner` entries and one of `inner` by `columns`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ProductShape {
    pub(crate) rows: usize,
    pub(crate) inner: usize,
    pub(crate) columns: usize,
}

impl ProductShape {
    /// Shapes whose numbers have the next power of two in common are estimated together.
    pub(super) fn bucket(self) -> Self {
        let power = |count: usize| count.checked_next_power_of_two().unwrap_or(count);
        Self { rows: power(self.rows), inner: power(self.inner), columns: power(self.columns) }
    }

    /// Rows, inner length and columns, each at least 1.
    pub(super) fn counts(self) -> (u64, u64, u64) {
        (self.rows.max(1) as u64, self.inner.max(1) as u64, self.columns.max(1) as u64)
    }

    /// Words of both factors and of the product.
    pub(super) fn words(self) -> u64 {
        let (rows, inner, columns) = self.counts();
        let of = |a: u64, b: u64| a.saturating_mul(b);
        of(rows, inner).saturating_add(of(inner, columns)).saturating_add(of(rows, columns))
    }
}

/// What becomes of the product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Store {
    /// The result is the product.
    Set,
    /// The product is added to the result.
    Add,
    /// The product is taken from the result.
    Subtract,
}

impl Store {
    /// What kernels call it.
    pub(super) fn number(self) -> u32 {
        match self {
            Self::Set => 0,
            Self::Add => 1,
            Self::Subtract => 2,
        }
    }
}
