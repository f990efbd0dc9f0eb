//! The steps of elimination with the host's threads: rows are shared, each changed as a slice.

use manycore_device::HostPool;

use super::plan::Reach;
use super::steps::{Eliminated, Extent, Progress, Steps};
use crate::error::LinalgError;
use crate::field::MatrixField;

/// Entries of a step that are worth a second thread.
pub(super) const LONG: usize = 1 << 14;
/// Entries that a thread takes at a time.
pub(super) const TASK: usize = 1 << 12;

pub(super) struct HostSteps<'a, F: MatrixField> {
    pub(super) field: &'a F,
    pub(super) prepared: F::Rows,
    pool: &'a HostPool,
    pub(super) words: &'a mut [F::Element],
    pub(super) extent: Extent,
    /// The row of the pivot of the column at hand; `None` where the column has none.
    source: Option<usize>,
    /// A copy of the pivot's row from its column on.
    pivot_row: Vec<F::Element>,
    pub(super) found: Eliminated<F::Element>,
}

impl<'a, F: MatrixField> HostSteps<'a, F> {
    /// `words` are `extent.rows` rows of `extent.width > 0` words.
    pub(super) fn new(field: &'a F, pool: &'a HostPool, words: &'a mut [F::Element], extent: Extent) -> Self {
        Self {
            field,
            prepared: field.rows(),
            pool,
            words,
            extent,
            source: None,
            pivot_row: Vec::new(),
            found: Eliminated::none(),
        }
    }
}

impl<F: MatrixField> Steps<F::Element> for HostSteps<'_, F> {
    fn pivot(&mut self, column: usize) -> Result<Progress, LinalgError> {
        let Extent { rows, width, .. } = self.extent;
        let target = self.found.rank();
        if target == rows {
            return Ok(Progress::Over);
        }
        self.source = (target..rows).find(|row| self.words[row * width + column] != self.field.zero());
        if let Some(source) = self.source {
            self.found.columns.push(column as u32);
            self.found.swaps.push(source as u32);
            self.found.values.push(self.words[source * width + column]);
        }
        Ok(Progress::More)
    }

    fn exchange(&mut self, column: usize) -> Result<(), LinalgError> {
        let (Some(source), Some(&value)) = (self.source, self.found.values.last()) else { return Ok(()) };
        let width = self.extent.width;
        let target = self.found.rank() - 1;
        if source != target {
            let (upper, lower) = self.words.split_at_mut(source * width);
            upper[target * width + column..(target + 1) * width].swap_with_slice(&mut lower[column..width]);
        }
        let row = &mut self.words[target * width + column..(target + 1) * width];
        // A pivot is not 0.
        let inverse = self.field.inverse(value).unwrap_or(self.field.one());
        self.field.scale_slice(row, inverse);
        self.pivot_row.clear();
        self.pivot_row.extend_from_slice(row);
        Ok(())
    }

    fn update(&mut self, column: usize, reach: Reach) -> Result<(), LinalgError> {
        if self.source.is_none() {
            return Ok(());
        }
        let Extent { rows, width, .. } = self.extent;
        let target = self.found.rank() - 1;
        let first = if reach == Reach::All { 0 } else { target + 1 };
        let (field, pivot_row) = (self.field, &self.pivot_row);
        let band = (TASK / width).max(1);
        let long = (rows - first) * (width - column) >= LONG;
        let bands = self.words[first * width..].chunks_mut(band * width).enumerate();
        self.pool.team().only_if(long).each(bands, |(i, band_words)| {
            for (k, row) in band_words.chunks_mut(width).enumerate() {
                let factor = row[column];
                if first + i * band + k != target && factor != field.zero() {
                    field.sub_scaled_slice(&mut row[column..], factor, pivot_row);
                }
            }
        });
        Ok(())
    }

    fn finish(self) -> Result<Eliminated<F::Element>, LinalgError> {
        Ok(self.found)
    }
}
