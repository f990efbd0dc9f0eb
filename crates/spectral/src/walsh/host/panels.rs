//! The stages above a block: columns of rows that lie far apart.
//!
//! A step of one radix reads and writes as many rows side by side, which the hardware prefetches as well as a single
//! one, so that it takes no longer than any change of the matrix in place. Several steps are done panel by panel: the
//! first brings a panel from memory, the others find it in the last-level cache. A panel's rows lie a large power of
//! two apart and fall into the same sets of the smaller caches, which therefore cannot hold it.

use std::ops::Range;

use super::blocks::{LOG_FAR_RADIX, next_radix};
use super::butterfly::{Columns, Rows};
use super::vector::{Task, Vector, apart};
use crate::number::Number;

/// The transform of some columns of a matrix of `2^log_rows` rows.
pub(super) struct Panels<T> {
    /// The matrix, from its first column on.
    pub(super) rows: Rows<T>,
    /// The binary logarithm of the number of rows.
    pub(super) log_rows: u32,
    /// The columns to transform: multiples of the width.
    pub(super) columns: Range<usize>,
    /// The columns of a panel, a multiple of the lanes of every vector.
    pub(super) width: usize,
    /// The binary logarithm of the divisor, in the pass that completes the transform.
    pub(super) scale: Option<u32>,
}

impl<T: Number> Task for Panels<T> {
    type Scalar = T;

    #[inline(always)]
    unsafe fn run<V: Vector<Scalar = T>>(self) {
        for column in self.columns.clone().step_by(self.width) {
            // SAFETY: the caller vouches for the instruction set, and who made the task for the matrix.
            unsafe { transform::<V>(self.rows.from(0, column, 1), self.log_rows, self.width, self.scale) }
        }
    }
}

/// All stages of one panel.
///
/// # Safety
/// The instruction set is available, and `2^log_rows` rows of `width` scalars belong to the caller.
#[inline(always)]
unsafe fn transform<V: Vector>(panel: Rows<V::Scalar>, log_rows: u32, width: usize, scale: Option<u32>) {
    let mut low = 0;
    while low < log_rows {
        let log_radix = next_radix(log_rows - low, LOG_FAR_RADIX);
        let scale = if low + log_radix == log_rows { scale } else { None };
        let step = 1_usize << low;
        for group in (0..1_usize << log_rows).step_by(step << log_radix) {
            for row in group..group + step {
                // SAFETY: rows `row` to `row + step * (radix - 1)` exist.
                unsafe {
                    let rows = panel.from(row, 0, step);
                    apart::<V, _>(Columns { rows, log_rows: log_radix, width, scale });
                }
            }
        }
        low += log_radix;
    }
}
