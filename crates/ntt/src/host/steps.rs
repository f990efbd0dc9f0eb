//! Up to three levels of the tree of remainders at once, between rows that may lie far apart.

use std::ops::Range;

use super::block::{Block, Factors};
use super::residues::Residues;
use super::rows::{backward_rows, forward_rows};

/// The factors of `LOG` levels from a block's own on.
///
/// # Safety
/// The levels exist.
#[inline(always)]
unsafe fn factors_of<A: Residues, const LOG: usize>(
    a: A,
    factors: Factors<A::Word>,
    block: Block<A::Word>,
) -> [A::Factor; 8] {
    // SAFETY: the caller's.
    unsafe {
        let mut w = [factors.of(a, block, 0, 0); 8];
        for level in 1..LOG {
            for group in 0..1 << level {
                w[(1 << level) - 1 + group] = factors.of(a, block, level, group);
            }
        }
        w
    }
}

/// `LOG` levels, from the block's own on, on the columns `columns` of its rows of `2^(log_len - LOG)` values. `EDGE`:
/// canonical residues are read. `ONES`: the block is a whole cyclic transform. `HALF`: it is, and its upper half counts as zeros
/// and is not read.
///
/// # Safety
/// The block's values belong to the caller as far as the columns go, which are whole vectors.
#[inline(always)]
pub(super) unsafe fn forward_columns<
    A: Residues,
    const LOG: usize,
    const EDGE: bool,
    const ONES: bool,
    const HALF: bool,
>(
    a: A,
    factors: Factors<A::Word>,
    block: Block<A::Word>,
    columns: Range<usize>,
) {
    let stride = 1usize << (block.log_len - LOG as u32);
    // SAFETY: the rows and the factors of their blocks exist.
    unsafe {
        let w = factors_of::<A, LOG>(a, factors, block);
        let mut column = columns.start;
        while column < columns.end {
            let x = block.x.add(column);
            let mut row = [a.load(x); 8];
            let present = if HALF { 1 << (LOG - 1) } else { 1 << LOG };
            for (i, row) in row.iter_mut().enumerate().take(present) {
                let value = a.load(x.add(i * stride));
                *row = if EDGE { a.enter(value) } else { value };
            }
            if HALF {
                // A butterfly with zero copies the other operand.
                for i in 0..present {
                    row[present + i] = row[i];
                }
                forward_rows::<A, 1, LOG, true>(a, &mut row, &w, 0);
            } else {
                forward_rows::<A, 0, LOG, ONES>(a, &mut row, &w, 0);
            }
            for (i, &row) in row.iter().enumerate().take(1 << LOG) {
                a.store(row, x.add(i * stride));
            }
            column += 1 << A::LOG_LANES;
        }
    }
}

/// The inverse of [`forward_columns`]. `EDGE`: the block is the whole transform, which is scaled, and canonical residues
/// are written. `ONES`: it is cyclic.
///
/// # Safety
/// As there.
#[inline(always)]
pub(super) unsafe fn backward_columns<A: Residues, const LOG: usize, const EDGE: bool, const ONES: bool>(
    a: A,
    factors: Factors<A::Word>,
    block: Block<A::Word>,
    columns: Range<usize>,
) {
    let stride = 1usize << (block.log_len - LOG as u32);
    // SAFETY: the rows and the factors of their blocks exist.
    unsafe {
        let w = factors_of::<A, LOG>(a, factors, block);
        let last = if EDGE { factors.last(a) } else { (w[0], w[0]) };
        let mut column = columns.start;
        while column < columns.end {
            let x = block.x.add(column);
            let mut row = [a.load(x); 8];
            for (i, row) in row.iter_mut().enumerate().take(1 << LOG) {
                *row = a.load(x.add(i * stride));
            }
            backward_rows::<A, 0, LOG, EDGE, ONES>(a, &mut row, &w, last);
            for (i, &row) in row.iter().enumerate().take(1 << LOG) {
                a.store(if EDGE { a.leave_product(row) } else { row }, x.add(i * stride));
            }
            column += 1 << A::LOG_LANES;
        }
    }
}
