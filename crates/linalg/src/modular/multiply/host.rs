//! Products of matrices with the host's threads: tiles of sums that stay in the nearest cache, from panels of the second matrix
//! that are copied together.

use manycore_device::{Buffer, DeviceError, HostPool};

use super::shape::Store;
use crate::block::Block;
use crate::field::{MatrixField, TILE_COLUMNS, TILE_ROWS};

/// Rows that a thread takes at a time: a panel is copied once for all of them.
const BAND: usize = 256;
/// Rows of a panel: it fills a part of the second cache.
pub(super) const DEPTH: usize = 1024;
/// Products of residues that are worth a second thread.
const LONG: usize = 1 << 15;

/// Whether threads share a product.
pub(super) const fn is_shared(rows: usize, inner: usize, columns: usize) -> bool {
    rows.saturating_mul(inner).saturating_mul(columns) >= LONG
}

/// Rows of a thread's task: few rows are shared by all threads.
pub(super) fn band(rows: usize, threads: usize) -> usize {
    BAND.min(rows.div_ceil(threads.max(1))).next_multiple_of(TILE_ROWS)
}

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
    let prepared = field.rows();
    let work = rows.saturating_mul(inner).saturating_mul(columns);
    let bytes = ((rows * inner + inner * columns + rows * columns) * size_of::<F::Element>()) as u64;
    pool.step("matrix_product", bytes, work as u64, || {
        let mut lines: Vec<&mut [F::Element]> = target.rows_mut(out).collect();
        let team = pool.team().only_if(is_shared(rows, inner, columns));
        let band = band(rows, team.threads());
        let bands = lines.chunks_mut(band).enumerate();
        let panel = || (vec![[field.zero(); TILE_COLUMNS]; inner.min(DEPTH)], F::Packed::default());
        team.each_with(bands, panel, |(panel, packed), (number, lines)| {
            if inner == 0 && store == Store::Set {
                for line in lines.iter_mut() {
                    line.fill(field.zero());
                }
            }
            for first in (0..columns).step_by(TILE_COLUMNS) {
                for depth in (0..inner).step_by(DEPTH) {
                    let part = right.part(depth..inner.min(depth + DEPTH), first..columns.min(first + TILE_COLUMNS));
                    let panel = &mut panel[..part.rows];
                    for (k, line) in panel.iter_mut().enumerate() {
                        line[..part.columns].copy_from_slice(part.row(b, k));
                    }
                    field.pack(&prepared, panel, packed);
                    let rows = left.part(number * band..number * band + lines.len(), depth..depth + part.rows);
                    let target = (&mut *lines, first..first + part.columns);
                    band_of_tiles((field, &prepared), (a, rows), (panel, packed), target, (store, depth == 0));
                }
            }
        });
    });
    Ok(())
}

/// All tiles of a panel, which is the first of its columns or one whose products are added to those before.
fn band_of_tiles<F: MatrixField>(
    (field, prepared): (&F, &F::Rows),
    (a, rows): (&[F::Element], Block),
    panel: (&[[F::Element; TILE_COLUMNS]], &F::Packed),
    (lines, columns): (&mut [&mut [F::Element]], std::ops::Range<usize>),
    (store, is_first): (Store, bool),
) {
    let mut products = [[field.zero(); TILE_COLUMNS]; TILE_ROWS];
    for (number, lines) in lines.chunks_mut(TILE_ROWS).enumerate() {
        // Rows past the end repeat the last row, and their sums are dropped.
        let row = |i: usize| rows.row(a, (number * TILE_ROWS + i).min(rows.rows - 1));
        field.tile(prepared, [row(0), row(1), row(2), row(3)], panel, &mut products);
        for (line, products) in lines.iter_mut().zip(&products) {
            let line = &mut line[columns.clone()];
            match store {
                Store::Set if is_first => line.copy_from_slice(&products[..line.len()]),
                Store::Set | Store::Add => field.add_slice(line, products),
                Store::Subtract => field.sub_slice(line, products),
            }
        }
    }
}
