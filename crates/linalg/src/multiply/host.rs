//! Products of matrices with the host's threads: tiles of sums that stay in registers and the nearest cache.

use manycore_device::{Buffer, DeviceError, HostPool};

use super::Store;
use crate::block::Block;
use crate::field::MatrixField;

/// Rows of a tile: each word of the second matrix is read once for so many.
const ROWS: usize = 4;
/// Columns of a tile.
const COLUMNS: usize = 32;
/// Products of residues that are worth a second thread.
const LONG: usize = 1 << 15;

pub(super) fn product<F: MatrixField>(
    field: &F,
    pool: &HostPool,
    (a, left): (&Buffer<F::Element>, Block),
    (b, right): (&Buffer<F::Element>, Block),
    (out, target): (&mut Buffer<F::Element>, Block),
    store: Store,
) -> Result<(), DeviceError> {
    let (a, b, out) = (a.host()?, b.host()?, out.host_mut()?);
    let (rows, inner, columns) = (left.rows, left.columns, right.columns);
    let work = rows.saturating_mul(inner).saturating_mul(columns);
    let bytes = ((rows * inner + inner * columns + rows * columns) * size_of::<F::Element>()) as u64;
    pool.step("matrix_product", bytes, work as u64, || {
        let mut lines: Vec<&mut [F::Element]> = target.rows_mut(out).collect();
        let bands = lines.chunks_mut(ROWS).enumerate();
        pool.team().only_if(work >= LONG).each(bands, |(band, lines)| {
            let rows: Vec<&[F::Element]> = (0..lines.len()).map(|i| left.row(a, band * ROWS + i)).collect();
            for first in (0..columns).step_by(COLUMNS) {
                let width = COLUMNS.min(columns - first);
                let part = right.part(0..inner, first..first + width);
                // Rows past the last are the last once more, and their sums dropped.
                let row = |i: usize| rows[i.min(rows.len() - 1)];
                let sums = tile(field, [row(0), row(1), row(2), row(3)], b, part);
                for (line, sums) in lines.iter_mut().zip(&sums) {
                    for (word, &sum) in line[first..first + width].iter_mut().zip(sums) {
                        let product = field.residue(sum);
                        *word = if store == Store::Set { product } else { field.sub(*word, product) };
                    }
                }
            }
        });
    });
    Ok(())
}

/// The folded sums of a tile.
fn tile<F: MatrixField>(
    field: &F,
    rows: [&[F::Element]; ROWS],
    b: &[F::Element],
    part: Block,
) -> [[F::Sum; COLUMNS]; ROWS] {
    let mut sums = [[F::Sum::default(); COLUMNS]; ROWS];
    let terms = field.terms();
    for first in (0..part.rows).step_by(terms.min(part.rows.max(1))) {
        for k in first..part.rows.min(first.saturating_add(terms)) {
            let line = part.row(b, k);
            match <&[F::Element; COLUMNS]>::try_from(line) {
                Ok(line) => add_row::<F>(&mut sums, rows.map(|row| row[k]), line),
                Err(_) => add_row::<F>(&mut sums, rows.map(|row| row[k]), line),
            }
        }
        for sum in sums.as_flattened_mut() {
            *sum = field.fold(*sum);
        }
    }
    sums
}

#[inline(always)]
fn add_row<F: MatrixField>(sums: &mut [[F::Sum; COLUMNS]; ROWS], factors: [F::Element; ROWS], line: &[F::Element]) {
    for (sums, factor) in sums.iter_mut().zip(factors) {
        for (sum, &word) in sums.iter_mut().zip(line) {
            *sum = F::accumulate(*sum, factor, word);
        }
    }
}
