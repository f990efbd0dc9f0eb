//! Elimination column by column: what is eliminated, its steps, and what they find.

use manycore_device::checkpoint;

use super::plan::{EliminationShape, Reach};
use crate::error::LinalgError;
use crate::field::MatrixField;

/// Which rows and columns of a buffer are eliminated: `rows` rows of `width` words, pivots in the first `search` columns.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Extent {
    pub(crate) rows: usize,
    pub(crate) width: usize,
    pub(crate) search: usize,
}

impl Extent {
    /// The most pivots that there can be.
    pub(super) fn limit(self) -> usize {
        self.rows.min(self.search)
    }

    /// The shape of the elimination with `reach`.
    pub(crate) fn to(self, reach: Reach) -> EliminationShape {
        EliminationShape { rows: self.rows, columns: self.width, search: self.search, reach }
    }
}

/// What was found during elimination.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Eliminated<E> {
    /// The column of each pivot, ascending; the pivot of number k stands in row k.
    pub(crate) columns: Vec<u32>,
    /// For each pivot the row that it was exchanged with.
    pub(crate) swaps: Vec<u32>,
    /// Each pivot, before its row was divided by it; of a regular block its determinant, and ones.
    pub(crate) values: Vec<E>,
}

impl<E: Copy> Eliminated<E> {
    pub(super) fn none() -> Self {
        Self { columns: Vec::new(), swaps: Vec::new(), values: Vec::new() }
    }

    pub(crate) fn rank(&self) -> usize {
        self.columns.len()
    }

    /// The determinant of a square matrix that has a pivot in each row.
    pub(crate) fn determinant<F: MatrixField<Element = E>>(&self, field: &F) -> E {
        let product = field.product(&self.values);
        let exchanges = (0u32..).zip(&self.swaps).filter(|&(k, &row)| k != row).count();
        if exchanges % 2 == 1 { field.neg(product) } else { product }
    }
}

/// Whether steps can find more pivots.
pub(super) enum Progress {
    More,
    /// Each row has one: known at once on the host, and never before the end on a device.
    Over,
}

/// The steps of elimination of one column after the other.
pub(super) trait Steps<E> {
    /// Finds the first row without a pivot whose entry in the column is not 0.
    fn pivot(&mut self, column: usize) -> Result<Progress, LinalgError>;

    /// Exchanges it with the first row without a pivot, and divides it by the pivot.
    fn exchange(&mut self, column: usize) -> Result<(), LinalgError>;

    /// Takes it from other rows, so that their entries in the column become 0.
    fn update(&mut self, column: usize, reach: Reach) -> Result<(), LinalgError>;

    /// What was found.
    fn finish(self) -> Result<Eliminated<E>, LinalgError>;
}

/// Elimination column by column.
pub(super) fn by_columns<E: Copy>(
    mut steps: impl Steps<E>,
    search: usize,
    reach: Reach,
) -> Result<Eliminated<E>, LinalgError> {
    for column in 0..search {
        checkpoint()?;
        if let Progress::Over = steps.pivot(column)? {
            break;
        }
        steps.exchange(column)?;
        steps.update(column, reach)?;
    }
    steps.finish()
}
