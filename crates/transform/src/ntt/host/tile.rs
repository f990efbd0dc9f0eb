//! The last levels, on neighbouring values: between the vectors of a tile, then, in squares that are transposed, between
//! what were lanes.
//!
//! A tile has 8 vectors, or 16 where these have so many lanes, so that the squares of shorter vectors are done side by side
//! and wait for products together:
//!
//! ```text
//!  lanes       4                            8             16
//!  levels      3, transposed: 2             3, then 3     4, then 4
//!  squares     rows 0 to 3 and 4 to 7       one           one
//! ```
//! A tile of single words is one word, and has no levels.

use super::block::{Block, Factors};
use super::residues::Residues;
use super::rows::{backward_halves, backward_rows, forward_halves, forward_rows};

/// The factors of the three levels of 8 rows of a tile from a level and group on, level after level.
///
/// # Safety
/// The tile has these rows.
#[inline(always)]
unsafe fn between_rows<A: Residues>(
    a: A,
    factors: Factors<A::Word>,
    tile: Block<A::Word>,
    level: usize,
    group: usize,
) -> [A::Factor; 8] {
    // SAFETY: the caller's.
    unsafe {
        let first = factors.of(a, tile, level, group);
        let second = [factors.of(a, tile, level + 1, 2 * group), factors.of(a, tile, level + 1, 2 * group + 1)];
        let third = [
            factors.of(a, tile, level + 2, 4 * group),
            factors.of(a, tile, level + 2, 4 * group + 1),
            factors.of(a, tile, level + 2, 4 * group + 2),
            factors.of(a, tile, level + 2, 4 * group + 3),
        ];
        [first, second[0], second[1], third[0], third[1], third[2], third[3], third[3]]
    }
}

/// The factor of group `group` of level `level` of 8 rows after the transposition, which are number `part` of the tile's:
/// a square, a half of one of 16 rows, or several squares side by side, which have no level 0, or 1.
///
/// # Safety
/// The squares exist.
#[inline(always)]
unsafe fn of_square<A: Residues>(
    a: A,
    factors: Factors<A::Word>,
    tile: Block<A::Word>,
    part: usize,
    (level, group): (usize, usize),
) -> A::Factor {
    let squares = tile.index << (A::LOG_ROWS - A::LOG_LANES);
    let group = (part << level) + group;
    // The level within a square.
    let level = (level + A::LOG_LANES as usize).saturating_sub(3);
    // SAFETY: the caller's.
    unsafe { factors.of_lanes(a, squares + (group >> level), (1 << level) - 1 + (group & ((1 << level) - 1))) }
}

/// The factors of the three levels of 8 rows after the transposition; those that do not exist are any.
///
/// # Safety
/// The squares exist.
#[inline(always)]
unsafe fn between_lanes<A: Residues>(
    a: A,
    factors: Factors<A::Word>,
    tile: Block<A::Word>,
    part: usize,
) -> [A::Factor; 8] {
    // SAFETY: the caller's.
    unsafe {
        let third = [
            of_square(a, factors, tile, part, (2, 0)),
            of_square(a, factors, tile, part, (2, 1)),
            of_square(a, factors, tile, part, (2, 2)),
            of_square(a, factors, tile, part, (2, 3)),
        ];
        let second = if A::LOG_LANES > 1 {
            [of_square(a, factors, tile, part, (1, 0)), of_square(a, factors, tile, part, (1, 1))]
        } else {
            [third[0], third[0]]
        };
        let first = if A::LOG_LANES > 2 { of_square(a, factors, tile, part, (0, 0)) } else { third[0] };
        [first, second[0], second[1], third[0], third[1], third[2], third[3], third[3]]
    }
}

/// Transposes the squares of a tile's rows.
#[inline(always)]
fn transpose<A: Residues>(a: A, rows: &mut [A::Vector; 16]) {
    match (A::LOG_ROWS, A::LOG_LANES) {
        (3, 1) => {
            a.transpose(&mut rows[0..2]);
            a.transpose(&mut rows[2..4]);
            a.transpose(&mut rows[4..6]);
            a.transpose(&mut rows[6..8]);
        }
        (3, 2) => {
            a.transpose(&mut rows[0..4]);
            a.transpose(&mut rows[4..8]);
        }
        (3, _) => a.transpose(&mut rows[..8]),
        _ => a.transpose(&mut rows[..]),
    }
}

/// All levels of a tile.
///
/// # Safety
/// The block is a tile, whose values belong to the caller.
#[inline(always)]
pub(super) unsafe fn forward_tile<A: Residues>(a: A, factors: Factors<A::Word>, tile: Block<A::Word>) {
    let (lanes, rows) = (1usize << A::LOG_LANES, 1usize << A::LOG_ROWS);
    // SAFETY: the rows and the factors of their blocks exist.
    unsafe {
        let mut row = [a.load(tile.x); 16];
        for (i, row) in row.iter_mut().enumerate().take(rows) {
            *row = a.load(tile.x.add(i * lanes));
        }
        match A::LOG_ROWS {
            0 => {}
            3 => {
                forward_rows::<A, 0, 3>(a, &mut row[..8], &between_rows(a, factors, tile, 0, 0), 0);
                transpose(a, &mut row);
                let w = between_lanes(a, factors, tile, 0);
                match A::LOG_LANES {
                    1 => forward_rows::<A, 2, 3>(a, &mut row[..8], &w, 1),
                    2 => forward_rows::<A, 1, 3>(a, &mut row[..8], &w, 2),
                    _ => forward_rows::<A, 0, 3>(a, &mut row[..8], &w, 3),
                }
            }
            _ => {
                forward_halves(a, &mut row, factors.of(a, tile, 0, 0), 0);
                forward_rows::<A, 0, 3>(a, &mut row[..8], &between_rows(a, factors, tile, 1, 0), 1);
                forward_rows::<A, 0, 3>(a, &mut row[8..], &between_rows(a, factors, tile, 1, 1), 1);
                transpose(a, &mut row);
                forward_halves(a, &mut row, factors.of_lanes(a, tile.index, 0), 4);
                forward_rows::<A, 0, 3>(a, &mut row[..8], &between_lanes(a, factors, tile, 0), 5);
                forward_rows::<A, 0, 3>(a, &mut row[8..], &between_lanes(a, factors, tile, 1), 5);
            }
        }
        for row in row.iter_mut().take(rows) {
            *row = a.leave(*row);
        }
        if A::LOG_ROWS > 0 {
            transpose(a, &mut row);
        }
        for (i, &row) in row.iter().enumerate().take(rows) {
            a.store(row, tile.x.add(i * lanes));
        }
    }
}

/// The inverse of [`forward_tile`], from canonical residues.
///
/// # Safety
/// As there.
#[inline(always)]
pub(super) unsafe fn backward_tile<A: Residues>(a: A, factors: Factors<A::Word>, tile: Block<A::Word>) {
    let (lanes, rows) = (1usize << A::LOG_LANES, 1usize << A::LOG_ROWS);
    // SAFETY: the rows and the factors of their blocks exist.
    unsafe {
        let mut row = [a.load(tile.x); 16];
        for (i, row) in row.iter_mut().enumerate().take(rows) {
            *row = a.enter(a.load(tile.x.add(i * lanes)));
        }
        if A::LOG_ROWS > 0 {
            transpose(a, &mut row);
        }
        match A::LOG_ROWS {
            0 => {}
            3 => {
                let w = between_lanes(a, factors, tile, 0);
                match A::LOG_LANES {
                    1 => backward_rows::<A, 2, 3, false>(a, &mut row[..8], &w, (w[0], w[0])),
                    2 => backward_rows::<A, 1, 3, false>(a, &mut row[..8], &w, (w[0], w[0])),
                    _ => backward_rows::<A, 0, 3, false>(a, &mut row[..8], &w, (w[0], w[0])),
                }
                transpose(a, &mut row);
                let w = between_rows(a, factors, tile, 0, 0);
                backward_rows::<A, 0, 3, false>(a, &mut row[..8], &w, (w[0], w[0]));
            }
            _ => {
                let w = between_lanes(a, factors, tile, 0);
                backward_rows::<A, 0, 3, false>(a, &mut row[..8], &w, (w[0], w[0]));
                let w = between_lanes(a, factors, tile, 1);
                backward_rows::<A, 0, 3, false>(a, &mut row[8..], &w, (w[0], w[0]));
                backward_halves(a, &mut row, factors.of_lanes(a, tile.index, 0));
                transpose(a, &mut row);
                let w = between_rows(a, factors, tile, 1, 0);
                backward_rows::<A, 0, 3, false>(a, &mut row[..8], &w, (w[0], w[0]));
                let w = between_rows(a, factors, tile, 1, 1);
                backward_rows::<A, 0, 3, false>(a, &mut row[8..], &w, (w[0], w[0]));
                backward_halves(a, &mut row, factors.of(a, tile, 0, 0));
            }
        }
        for (i, &row) in row.iter().enumerate().take(rows) {
            a.store(row, tile.x.add(i * lanes));
        }
    }
}
