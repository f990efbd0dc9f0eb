//! The stages above a block: columns of rows that lie far apart.
//!
//! Rows a large power of two apart fall into the same sets of every cache, so that a column of many rows cannot stay
//! in one. A panel of a few columns therefore goes through a buffer: the first step of butterflies reads the matrix and
//! writes the buffer, the last reads the buffer and writes the matrix.

use std::ops::Range;

use super::blocks::next_radix;
use super::butterfly::{Rows, columns};
use super::vector::{Task, Vector};
use crate::scalar::Scalar;

/// The transform of some columns of a matrix of `2^log_rows` rows.
pub(super) struct Panels<'a, T> {
    /// The matrix, from its first column on.
    pub(super) rows: Rows<T>,
    /// The binary logarithm of the number of rows.
    pub(super) log_rows: u32,
    /// The columns to transform: multiples of the width.
    pub(super) columns: Range<usize>,
    /// The columns of a panel, a multiple of the lanes of every vector.
    pub(super) width: usize,
    /// Room for one panel; unused if the rows fit the registers.
    pub(super) buffer: &'a mut [T],
    /// The binary logarithm of the divisor, in the pass that completes the transform.
    pub(super) scale: Option<u32>,
}

impl<T: Scalar> Task for Panels<'_, T> {
    type Scalar = T;

    #[inline(always)]
    unsafe fn run<V: Vector<Scalar = T>>(mut self) {
        // SAFETY: the caller vouches for the instruction set, and who made the task for the matrix and the buffer.
        unsafe {
            let factor = V::factor(self.scale.unwrap_or(0));
            if self.scale.is_some() {
                run::<V, true>(&mut self, factor);
            } else {
                run::<V, false>(&mut self, factor);
            }
        }
    }
}

/// # Safety
/// The instruction set is available, the columns of the matrix belong to the caller, and the buffer holds a panel.
#[inline(always)]
unsafe fn run<V: Vector, const SCALED: bool>(task: &mut Panels<'_, V::Scalar>, factor: V::Factor) {
    if task.log_rows <= V::LOG_RADIX {
        // SAFETY: the columns lie in the matrix.
        unsafe {
            let matrix = task.rows.from(0, task.columns.start, 1);
            columns::<V, SCALED>(task.log_rows, matrix, matrix, task.columns.len(), factor);
        }
        return;
    }
    let buffer = Rows { start: task.buffer.as_mut_ptr(), stride: task.width };
    for column in task.columns.clone().step_by(task.width) {
        // SAFETY: the panel lies in the matrix and fits the buffer.
        unsafe { panel::<V, SCALED>(task.log_rows, task.rows.from(0, column, 1), buffer, task.width, factor) }
    }
}

/// # Safety
/// As [`run`], for one panel that starts at the matrix's first column; the rows do not fit the registers.
#[inline(always)]
unsafe fn panel<V: Vector, const SCALED: bool>(
    log_rows: u32,
    matrix: Rows<V::Scalar>,
    buffer: Rows<V::Scalar>,
    width: usize,
    factor: V::Factor,
) {
    let mut low = 0;
    while low < log_rows {
        let log_radix = next_radix::<V>(log_rows - low);
        let step = 1_usize << low;
        let mut group = 0;
        while group < 1_usize << log_rows {
            // SAFETY: rows `group` to `group + step * radix` exist in both.
            unsafe {
                if low + log_radix == log_rows {
                    for row in group..group + step {
                        let (from, to) = (buffer.from(row, 0, step), matrix.from(row, 0, step));
                        columns::<V, SCALED>(log_radix, from, to, width, factor);
                    }
                } else if low == 0 {
                    let (from, to) = (matrix.from(group, 0, 1), buffer.from(group, 0, 1));
                    columns::<V, false>(log_radix, from, to, width, factor);
                } else {
                    // The rows of the buffer are contiguous: `step` of them are one wide row.
                    let wide = buffer.from(group, 0, step);
                    columns::<V, false>(log_radix, wide, wide, width * step, factor);
                }
            }
            group += step << log_radix;
        }
        low += log_radix;
    }
}
