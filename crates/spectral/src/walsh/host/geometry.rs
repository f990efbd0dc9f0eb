//! The constant-geometry transform, several stages in each pass, and the reordering that is the same passes without
//! the butterflies.
//!
//! A stage of constant geometry reads neighbours, takes their sum and difference, and writes them half a block apart
//! (paper 001, Algorithm 2): it removes the lowest bit of the index, transforms it, and inserts it below the bits
//! inserted before. `r` stages in one read groups of `2^r` neighbours, transform each, and write the results to `2^r`
//! rows in bit-reversed order:
//!
//! ```text
//!  block  | group 0: 0 1 2 3 | group 1: 0 1 2 3 | group 2 ...      src
//!                |                  |
//!  row 0  | g0 g1 g2 ... |  row 1 | g0 g1 g2 ... |  row 2 ...      dst: one block of the next pass per row
//!            value 0            value 2              value 1
//! ```
//!
//! Sequency order comes from permuting the rows by the inverse Gray code, mirrored in blocks of odd index, which is the
//! paper's odd/even rule carried from signs over to places.

use std::ops::Range;

use super::blocks::Steps;
use super::butterfly::{Rows, rows_2, rows_4, rows_8, rows_16};
use super::vector::{Task, Vector, apart};
use crate::number::Number;
use manycore_arrays::orders::{Order, inverse_gray, reverse_bits};

/// One pass over one block.
pub(super) struct Pass<'a, T> {
    /// `2^log_block` values to read.
    pub(super) from: *const T,
    /// Where to write as many.
    pub(super) to: *mut T,
    /// The binary logarithm of the block's length.
    pub(super) log_block: u32,
    /// The binary logarithm of a group, at least that of the lanes.
    pub(super) log_group: u32,
    /// The groups to do, whole panels.
    pub(super) groups: Range<usize>,
    /// The groups of a panel, whole vectors.
    pub(super) width: usize,
    /// Room for one panel, `width << log_group` values.
    pub(super) buffer: &'a mut [T],
    /// Dyadic or sequency.
    pub(super) order: Order,
    /// Whether the block's index within the transform is odd.
    pub(super) odd: bool,
    /// Whether to transform, or only to reorder.
    pub(super) butterflies: bool,
    /// Whether the rows are squares (two vector widths of index bits), to be done in place after all groups.
    pub(super) last: bool,
    /// The binary logarithm of the divisor, in the last pass.
    pub(super) scale: Option<u32>,
}

impl<T: Number> Task for Pass<'_, T> {
    type Scalar = T;

    #[inline(always)]
    unsafe fn run<V: Vector<Scalar = T>>(mut self) {
        // SAFETY: the caller vouches for the instruction set, and who made the task for the memory.
        unsafe {
            if self.butterflies {
                run::<V, true>(&mut self);
            } else if V::MOVES {
                run::<V, false>(&mut self);
            }
        }
    }
}

/// The place of value `index` of a group, `bits` wide.
#[inline(always)]
fn place(index: usize, bits: u32, order: Order, odd: bool) -> usize {
    let reversed = reverse_bits(index, bits);
    match order {
        Order::Sequency => inverse_gray(reversed) ^ if odd { (1 << bits) - 1 } else { 0 },
        Order::Dyadic | Order::Hadamard => reversed,
    }
}

/// # Safety
/// The instruction set is available, and the pass's memory is that of its fields.
#[inline(always)]
unsafe fn run<V: Vector, const BUTTERFLIES: bool>(pass: &mut Pass<'_, V::Scalar>) {
    let rows = 1_usize << pass.log_group;
    let row_len = 1_usize << (pass.log_block - pass.log_group);
    let buffer = Rows { start: pass.buffer.as_mut_ptr(), stride: pass.width };
    // SAFETY: groups and rows lie in the block, and a panel fits the buffer.
    unsafe {
        let factor = V::factor(pass.scale.unwrap_or(0));
        for group in pass.groups.clone().step_by(pass.width) {
            for vector in (0..pass.width).step_by(V::LANES) {
                for column in (0..rows).step_by(V::LANES) {
                    let source = pass.from.add((group + vector) * rows + column);
                    let mut square = [V::load(source); 16];
                    for (lane, v) in square.iter_mut().enumerate().take(V::LANES) {
                        *v = V::load(source.add(lane * rows));
                    }
                    square = transposed(square);
                    if BUTTERFLIES {
                        square = transformed(square);
                    }
                    for (i, v) in square.into_iter().enumerate().take(V::LANES) {
                        v.store(buffer.start.add((column + i) * buffer.stride + vector));
                    }
                }
            }
            if BUTTERFLIES {
                let log_width = pass.width.ilog2();
                let (low, high) = (log_width + V::LOG_LANES, log_width + pass.log_group);
                apart::<V, _>(Steps { x: buffer.start, low, high, scale: None });
            }
            for index in 0..rows {
                let target = pass.to.add(place(index, pass.log_group, pass.order, pass.odd) * row_len + group);
                for vector in (0..pass.width).step_by(V::LANES) {
                    V::load(buffer.start.add(index * buffer.stride + vector)).store(target.add(vector));
                }
            }
        }
        if pass.last {
            let squares = 1_usize << (pass.log_block - 2 * V::LOG_LANES);
            for index in 0..squares {
                let square = pass.to.add(index << (2 * V::LOG_LANES));
                if V::SCALES && pass.scale.is_some() {
                    finish::<V, BUTTERFLIES, true>(square, pass.order, index % 2 == 1, factor);
                } else {
                    finish::<V, BUTTERFLIES, false>(square, pass.order, index % 2 == 1, factor);
                }
            }
        }
    }
}

/// The last `2 * LOG_LANES` stages on as many index bits, contiguous and in place: every value goes through registers.
///
/// # Safety
/// `LANES^2` values from `x` on are readable and writable, and the instruction set is available.
#[inline(always)]
unsafe fn finish<V: Vector, const BUTTERFLIES: bool, const SCALED: bool>(
    x: *mut V::Scalar,
    order: Order,
    odd: bool,
    factor: V::Factor,
) {
    // SAFETY: the caller vouches for the square.
    unsafe {
        let mut rows = [V::load(x); 16];
        for (i, v) in rows.iter_mut().enumerate().take(V::LANES) {
            *v = V::load(x.add(i * V::LANES));
        }
        if BUTTERFLIES {
            rows = transformed(rows);
        }
        // The high index bits become the lanes, in their final order for even places of the vector.
        let mut placed = rows;
        for (i, v) in rows.into_iter().enumerate().take(V::LANES) {
            placed[place(i, V::LOG_LANES, order, false)] = v;
        }
        placed = transposed(placed);
        if BUTTERFLIES {
            placed = transformed(placed);
        }
        for (i, v) in placed.into_iter().enumerate().take(V::LANES) {
            let at = place(i, V::LOG_LANES, order, odd);
            let v = if order == Order::Sequency && at % 2 == 1 { v.reversed() } else { v };
            let v = if SCALED { v.scaled(factor) } else { v };
            v.store(x.add(at * V::LANES));
        }
    }
}

/// The transposition of `LANES` vectors; the others are left.
#[inline(always)]
fn transposed<V: Vector>(mut r: [V; 16]) -> [V; 16] {
    macro_rules! level {
        ($log_stride:literal) => {
            if V::LOG_LANES > $log_stride {
                for i in 0..V::LANES {
                    if i & (1 << $log_stride) == 0 {
                        let j = i | (1 << $log_stride);
                        (r[i], r[j]) = r[i].exchange::<$log_stride>(r[j]);
                    }
                }
            }
        };
    }
    level!(0);
    level!(1);
    level!(2);
    level!(3);
    r
}

/// The transform of `LANES` rows; the others are left.
#[inline(always)]
fn transformed<V: Vector>(mut r: [V; 16]) -> [V; 16] {
    match V::LOG_LANES {
        1 => [r[0], r[1]] = rows_2([r[0], r[1]]),
        2 => [r[0], r[1], r[2], r[3]] = rows_4([r[0], r[1], r[2], r[3]]),
        3 => {
            let eight = rows_8([r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7]]);
            r[..8].copy_from_slice(&eight);
        }
        _ => r = rows_16(r),
    }
    r
}
