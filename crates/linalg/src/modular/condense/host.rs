//! Condensation with the host's threads: rows are shared, each made as a slice.

use manycore_device::{HostPool, zeroed_words};

use crate::error::LinalgError;
use crate::field::MatrixField;

/// Entries of a step that are worth a second thread.
const LONG: usize = 1 << 14;
/// Entries that a thread takes at a time.
const TASK: usize = 1 << 12;

/// Columns and values of the pivots, for `order > 0`; none from the step on whose first row is zero.
///
/// # Errors
/// [`LinalgError::Device`] where the host has no memory for two matrices.
pub(super) fn condense<F: MatrixField>(
    field: &F,
    pool: &HostPool,
    a: &[F::Element],
    order: usize,
) -> Result<Vec<(usize, F::Element)>, LinalgError> {
    // Both buffers are allocated before the first step.
    let mut from = zeroed_words(a.len())?;
    let mut to = zeroed_words((order - 1) * (order - 1))?;
    let operations = (order * order * order) as u64;
    let pivots = pool.step("condense_step", size_of_val(a) as u64, operations, || {
        from.copy_from_slice(a);
        let mut pivots = Vec::with_capacity(order);
        for n in (1..=order).rev() {
            let Some(pivot) = from[..n].iter().position(|&x| x != field.zero()) else { break };
            pivots.push((pivot, from[pivot]));
            if n > 1 {
                let (head, rest) = from[..n * n].split_at(n);
                let rows = to[..(n - 1) * (n - 1)].chunks_mut(n - 1).zip(rest.chunks(n));
                let band = (TASK / n).max(1);
                let mut rows: Vec<_> = rows.collect();
                pool.team().only_if(n * n >= LONG).each(rows.chunks_mut(band), |rows| {
                    for (out, row) in rows {
                        condense_row(field, out, row, head, pivot);
                    }
                });
                std::mem::swap(&mut from, &mut to);
            }
        }
        pivots
    });
    Ok(pivots)
}

/// A row of the result from a row and the first one.
fn condense_row<F: MatrixField>(
    field: &F,
    out: &mut [F::Element],
    row: &[F::Element],
    head: &[F::Element],
    pivot: usize,
) {
    let (before, behind) = out.split_at_mut(pivot);
    // Entries of the first row before the pivot are zero.
    before.copy_from_slice(&row[..pivot]);
    field.scale_slice(before, field.neg(head[pivot]));
    behind.copy_from_slice(&row[pivot + 1..]);
    field.scale_slice(behind, head[pivot]);
    if row[pivot] != field.zero() {
        field.sub_scaled_slice(behind, row[pivot], &head[pivot + 1..]);
    }
}
