//! Gauss-Jordan elimination of four columns at once by one thread of the host: one reduction for four products, and one inverse of a
//! residue for four pivots.
//!
//! Where the head, the first four rows without a pivot in the next four columns, is regular with inverse `B`, the pivots' rows become
//! `W = B A[pivots, ..]`, and the others lose `A[others, columns] W` (paper 002, chapter 7, in the corrected blocked form 7.7).
//! Else one column is eliminated, with its search of a pivot. The reduced form is unique, so that it has the bits of elimination
//! column by column.

use manycore_device::checkpoint;

use super::head::{Head, head};
use super::host::HostSteps;
use super::plan::Reach;
use super::steps::{Eliminated, Extent, Progress, Steps as _};
use crate::error::LinalgError;
use crate::field::{MatrixField, PIVOTS};

/// Eliminates the rows of `steps`, which are new.
pub(super) fn eliminate<F: MatrixField>(
    mut steps: HostSteps<'_, F>,
    reach: Reach,
) -> Result<Eliminated<F::Element>, LinalgError> {
    let Extent { rows, width, search } = steps.extent;
    let mut panel = Panel { lines: vec![steps.field.zero(); PIVOTS * width], factors: Vec::with_capacity(rows) };
    let mut first = 0;
    while first < search && steps.found.rank() < rows {
        checkpoint()?;
        let count = PIVOTS.min(search - first).min(rows - steps.found.rank());
        if let Some(head) = head_at(&steps, first, count) {
            panel.take(&mut steps, &head, (first, count), reach);
            first += count;
            continue;
        }
        if let Progress::Over = steps.pivot(first)? {
            break;
        }
        steps.exchange(first)?;
        steps.update(first, reach)?;
        first += 1;
    }
    steps.finish()
}

/// The head of `count` columns from `first` on, filled up with the identity.
fn head_at<F: MatrixField>(steps: &HostSteps<'_, F>, first: usize, count: usize) -> Option<Head<F::Element>> {
    let (field, width, row) = (steps.field, steps.extent.width, steps.found.rank());
    let mut a: [[_; PIVOTS]; PIVOTS] = unit(field);
    for (k, a) in a.iter_mut().take(count).enumerate() {
        a[..count].copy_from_slice(&steps.words[(row + k) * width + first..][..count]);
    }
    head(field, &a)
}

/// The identity.
fn unit<F: MatrixField>(field: &F) -> [[F::Element; PIVOTS]; PIVOTS] {
    std::array::from_fn(|i| std::array::from_fn(|j| if i == j { field.one() } else { field.zero() }))
}

/// What four columns are eliminated with.
struct Panel<E> {
    /// The pivots' rows behind the columns, divided by the head.
    lines: Vec<E>,
    /// The entries of other rows in the columns, 0 past the last column.
    factors: Vec<[E; PIVOTS]>,
}

impl<E: Copy> Panel<E> {
    /// Eliminates `count` columns from `first` on with their head.
    fn take<F: MatrixField<Element = E>>(
        &mut self,
        steps: &mut HostSteps<'_, F>,
        head: &Head<E>,
        (first, count): (usize, usize),
        reach: Reach,
    ) {
        let (field, prepared) = (steps.field, &steps.prepared);
        let Extent { rows, width, .. } = steps.extent;
        let (row, end) = (steps.found.rank(), first + count);
        let len = width - end;
        let lines = &mut self.lines[..PIVOTS * len];
        if len > 0 {
            lines.fill(field.zero());
            // A row that there is not has factors 0.
            let pivots = std::array::from_fn(|k| &steps.words[(row + k.min(count - 1)) * width + end..][..len]);
            field.sub_products(prepared, lines, len, &head.negative_inverse, pivots);
        }
        let above = if reach == Reach::All { 0..row } else { 0..0 };
        for others in [above, row + count..rows] {
            if others.is_empty() || (len == 0 && reach == Reach::Below) {
                continue;
            }
            let words = &mut steps.words[others.start * width..others.end * width];
            self.factors.clear();
            self.factors.extend(words.chunks_mut(width).map(|row| {
                let columns = &mut row[first..end];
                let factors = match <[E; PIVOTS]>::try_from(&*columns) {
                    Ok(factors) => factors,
                    Err(_) => std::array::from_fn(|k| columns.get(k).copied().unwrap_or(field.zero())),
                };
                if reach == Reach::All {
                    columns.fill(field.zero());
                }
                factors
            }));
            if len > 0 {
                let lines = std::array::from_fn(|k| &lines[k * len..(k + 1) * len]);
                field.sub_products(prepared, &mut words[end..], width, &self.factors, lines);
            }
        }
        if reach == Reach::All {
            for (k, unit) in unit(field).iter().take(count).enumerate() {
                let (columns, right) = steps.words[(row + k) * width + first..][..count + len].split_at_mut(count);
                columns.copy_from_slice(&unit[..count]);
                right.copy_from_slice(&lines[k * len..(k + 1) * len]);
            }
        }
        let found = &mut steps.found;
        found.columns.extend(first as u32..end as u32);
        found.swaps.extend(row as u32..(row + count) as u32);
        found.values.push(head.determinant);
        found.values.extend((1..count).map(|_| field.one()));
    }
}
