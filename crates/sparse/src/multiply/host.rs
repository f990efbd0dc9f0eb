//! Products on the host's threads: each thread takes runs of rows with about as many non-zeros.

use std::ops::Range;

use manycore_device::{DeviceError, HostPool};

use crate::pattern::Pattern;
use crate::prefetch::prefetch;
use crate::ring::SparseRing;
use crate::rows::CompressedRows;

/// Bytes of a page of memory, and of a line of the cache.
const PAGE_BYTES: usize = 1 << 12;
const LINE_BYTES: usize = 64;

/// Runs of rows with about `size` rows and non-zeros each, in order. A binary search for the end of each, since all threads wait
/// for the next run while it is cut.
pub(super) fn runs(pattern: &Pattern, size: usize) -> impl Iterator<Item = Range<usize>> {
    let (rows, offsets) = (pattern.rows(), pattern.offsets());
    let mut begin = 0;
    std::iter::from_fn(move || {
        if begin == rows {
            return None;
        }
        // A run of `size` steps has at most as many rows.
        let past = offsets[begin] + begin + size;
        let (mut low, mut high) = (begin, rows.min(begin + size));
        while low < high {
            let middle = low + (high - low) / 2;
            if offsets[middle + 1] + middle < past { low = middle + 1 } else { high = middle }
        }
        let run = begin..low.max(begin + 1);
        begin = run.end;
        Some(run)
    })
}

/// `Y = A X` with rows of `k` values, in runs of about `steps` rows and non-zeros times `k`. Cancelled work ends between runs.
pub(super) fn multiply<R: SparseRing>(
    pool: &HostPool,
    ring: &R,
    matrix: &CompressedRows<R::Value>,
    x: &[R::Value],
    y: &mut [R::Value],
    (k, steps): (usize, usize),
) -> Result<(), DeviceError> {
    if k == 1 {
        shared(pool, "sparse_multiply", matrix, (k, steps), y, |run, y| vector(ring, matrix, run, x, y))
    } else {
        shared(pool, "sparse_multiply_dense", matrix, (k, steps), y, |run, y| dense(ring, matrix, run, x, k, y))
    }
}

/// The rows `run` of `y = A x`. Values and columns are prefetched a page ahead: the processor's own prefetch ends at each page, and
/// gives way to the reads of `x` at columns in no order.
fn vector<R: SparseRing>(
    ring: &R,
    matrix: &CompressedRows<R::Value>,
    run: Range<usize>,
    x: &[R::Value],
    y: &mut [R::Value],
) {
    let offsets = &matrix.pattern.offsets()[run.start..=run.end];
    let (values, columns) = (&matrix.values[..], matrix.pattern.indices());
    let ahead = PAGE_BYTES / size_of::<R::Value>();
    let line = LINE_BYTES / size_of::<R::Value>();
    for (y, ends) in y.iter_mut().zip(offsets.windows(2)) {
        let row = ends[0]..ends[1];
        for at in row.clone().step_by(line) {
            prefetch(values, at + ahead);
            prefetch(columns, at + ahead);
        }
        *y = ring.dot(&values[row.clone()], &columns[row], x);
    }
}

/// The rows `run` of `Y = A X` with rows of `k` values.
fn dense<R: SparseRing>(
    ring: &R,
    matrix: &CompressedRows<R::Value>,
    run: Range<usize>,
    x: &[R::Value],
    k: usize,
    y: &mut [R::Value],
) {
    for (row, y) in run.zip(y.chunks_exact_mut(k)) {
        y.fill(ring.zero());
        let row = matrix.pattern.offsets()[row]..matrix.pattern.offsets()[row + 1];
        for (&value, &column) in matrix.values[row.clone()].iter().zip(&matrix.pattern.indices()[row]) {
            for (y, &x) in y.iter_mut().zip(&x[column as usize * k..][..k]) {
                *y = ring.add(*y, ring.mul(value, x));
            }
        }
    }
}

/// Does `work` with every run of rows and its part of `y`, which has rows of `k` values.
fn shared<V: Send + Sync>(
    pool: &HostPool,
    name: &'static str,
    matrix: &CompressedRows<V>,
    (k, steps): (usize, usize),
    y: &mut [V],
    work: impl Fn(Range<usize>, &mut [V]) + Sync,
) -> Result<(), DeviceError> {
    let (rows, non_zeros) = (matrix.pattern.rows(), matrix.pattern.non_zeros());
    let value = size_of::<V>();
    let bytes = non_zeros * (size_of::<u32>() + value) + rows * (size_of::<usize>() + k * value);
    pool.step(name, bytes as u64, (non_zeros * k) as u64, || {
        let mut rest = y;
        let parts = runs(&matrix.pattern, (steps / k.max(1)).max(1)).map(|run| {
            let (part, after) = std::mem::take(&mut rest).split_at_mut(run.len() * k);
            rest = after;
            (run, part)
        });
        // One task is the caller's alone.
        let team = pool.team().only_if((rows + non_zeros) * k > steps);
        team.each_checked(parts, |(run, part)| work(run, part))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_hold_all_rows_once_and_are_about_as_large() {
        for lengths in [vec![], vec![0], vec![100], vec![0, 0, 50, 3, 3, 3, 0, 1, 1], vec![1; 77]] {
            let mut offsets = vec![0];
            offsets.extend(lengths.iter().scan(0, |sum, length| {
                *sum += length;
                Some(*sum)
            }));
            let (rows, total) = (lengths.len(), *offsets.last().unwrap());
            let pattern = Pattern::from_parts(rows, total, offsets.clone(), (0..total as u32).collect());
            let mut next = 0;
            for run in runs(&pattern, 10) {
                assert!(run.start == next && !run.is_empty());
                let size = offsets[run.end] - offsets[run.start] + run.len();
                assert!(size <= 10 || run.len() == 1, "{run:?} of {lengths:?}");
                next = run.end;
            }
            assert_eq!(next, rows);
        }
    }
}
