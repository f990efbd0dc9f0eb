//! The reduction to Hessenberg form, column by column.

use crate::error::LinalgError;

/// The steps of the reduction of column `k` to Hessenberg form.
pub(super) trait Steps {
    /// Finds an entry of the column below the diagonal that is not 0: the row `k + 1` gets it.
    fn pivot(&mut self, k: usize) -> Result<(), LinalgError>;

    /// Exchanges rows, and the columns of the same numbers.
    fn exchange(&mut self, k: usize) -> Result<(), LinalgError>;

    /// Takes the row `k + 1` from those below it, and adds to column `k + 1` those behind it.
    fn update(&mut self, k: usize) -> Result<(), LinalgError>;
}

/// All steps, one after the other.
pub(super) fn reduce(mut steps: impl Steps, order: usize) -> Result<(), LinalgError> {
    for k in 0..order.saturating_sub(2) {
        steps.pivot(k)?;
        steps.exchange(k)?;
        steps.update(k)?;
    }
    Ok(())
}
