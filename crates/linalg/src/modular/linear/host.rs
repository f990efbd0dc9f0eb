//! The operations on entries with the host's threads.

use manycore_device::{DeviceError, HostPool};

use crate::field::MatrixField;
use crate::modular::algebra::LinearAlgebra;
use crate::modular::matrix::Matrix;

/// What becomes of entries.
#[derive(Debug, Clone, Copy)]
pub(super) enum Elementwise<E> {
    Add,
    Subtract,
    Scale(E),
}

/// Entries that a thread takes at a time.
const TASK: usize = 1 << 14;
/// Rows and columns of the squares that a transpose goes by: reads and writes stay in the nearest cache.
const SQUARE: usize = 32;

pub(super) fn elementwise<F: MatrixField>(
    space: &LinearAlgebra<F>,
    pool: &HostPool,
    operation: Elementwise<F::Element>,
    a: &Matrix<F>,
    b: &Matrix<F>,
    out: &mut Matrix<F>,
) -> Result<(), DeviceError> {
    let field = space.field();
    let (a, b, out) = (a.buffer.host()?, b.buffer.host()?, out.buffer.host_mut()?);
    let bytes = 3 * size_of_val(a) as u64;
    pool.step("entries_combine", bytes, a.len() as u64, || {
        let parts = out.chunks_mut(TASK).zip(a.chunks(TASK).zip(b.chunks(TASK)));
        pool.team().each(parts, |(out, (a, b))| match operation {
            Elementwise::Add => out.iter_mut().zip(a.iter().zip(b)).for_each(|(out, (&a, &b))| *out = field.add(a, b)),
            Elementwise::Subtract => {
                out.iter_mut().zip(a.iter().zip(b)).for_each(|(out, (&a, &b))| *out = field.sub(a, b));
            }
            Elementwise::Scale(c) => {
                out.copy_from_slice(a);
                field.scale_slice(out, c);
            }
        });
    });
    Ok(())
}

pub(super) fn transpose<F: MatrixField>(
    pool: &HostPool,
    a: &Matrix<F>,
    out: &mut Matrix<F>,
) -> Result<(), DeviceError> {
    let (rows, columns) = a.shape();
    let (a, out) = (a.buffer.host()?, out.buffer.host_mut()?);
    if a.is_empty() {
        return Ok(());
    }
    pool.step("entries_transpose", 2 * size_of_val(a) as u64, 0, || {
        pool.team().each(out.chunks_mut(SQUARE * rows).enumerate(), |(band, out)| {
            for first in (0..rows).step_by(SQUARE) {
                for (j, out) in out.chunks_mut(rows).enumerate() {
                    let column = band * SQUARE + j;
                    let part = out.iter_mut().enumerate().skip(first).take(SQUARE);
                    part.for_each(|(row, out)| *out = a[row * columns + column]);
                }
            }
        });
    });
    Ok(())
}
