//! The last levels, on neighbouring values: between the vectors of a tile, then, in squares that are transposed, between
//! what were lanes.
//!
//! A tile has 8 vectors, or 16 where vectors have 16 lanes: two squares of shorter vectors are done side by side and wait for products
//! together:
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

/// The rows of a tile, or of as many words elsewhere.
///
/// # Safety
/// The words are readable.
#[inline(always)]
unsafe fn load<A: Residues>(a: A, from: *const A::Word) -> [A::Vector; 16] {
    // SAFETY: the caller's.
    unsafe {
        let mut row = [a.load(from); 16];
        for (i, row) in row.iter_mut().enumerate().take(1 << A::LOG_ROWS) {
            *row = a.load(from.add(i << A::LOG_LANES));
        }
        row
    }
}

/// # Safety
/// The words are writable.
#[inline(always)]
unsafe fn store<A: Residues>(a: A, row: &[A::Vector; 16], to: *mut A::Word) {
    for (i, &row) in row.iter().enumerate().take(1 << A::LOG_ROWS) {
        // SAFETY: the caller's.
        unsafe { a.store(row, to.add(i << A::LOG_LANES)) }
    }
}

/// All levels of a tile, whose squares are left transposed.
///
/// # Safety
/// The block is a tile.
#[inline(always)]
unsafe fn forward_levels<A: Residues>(
    a: A,
    factors: Factors<A::Word>,
    tile: Block<A::Word>,
    row: &mut [A::Vector; 16],
) {
    // SAFETY: the factors of the tile's blocks exist.
    unsafe {
        match A::LOG_ROWS {
            0 => {}
            3 => {
                forward_rows::<A, 0, 3, false>(a, &mut row[..8], &between_rows(a, factors, tile, 0, 0), 0);
                transpose(a, row);
                let w = between_lanes(a, factors, tile, 0);
                match A::LOG_LANES {
                    1 => forward_rows::<A, 2, 3, false>(a, &mut row[..8], &w, 1),
                    2 => forward_rows::<A, 1, 3, false>(a, &mut row[..8], &w, 2),
                    _ => forward_rows::<A, 0, 3, false>(a, &mut row[..8], &w, 3),
                }
            }
            _ => {
                forward_halves(a, row, factors.of(a, tile, 0, 0), 0);
                forward_rows::<A, 0, 3, false>(a, &mut row[..8], &between_rows(a, factors, tile, 1, 0), 1);
                forward_rows::<A, 0, 3, false>(a, &mut row[8..], &between_rows(a, factors, tile, 1, 1), 1);
                transpose(a, row);
                forward_halves(a, row, factors.of_lanes(a, tile.index, 0), 4);
                forward_rows::<A, 0, 3, false>(a, &mut row[..8], &between_lanes(a, factors, tile, 0), 5);
                forward_rows::<A, 0, 3, false>(a, &mut row[8..], &between_lanes(a, factors, tile, 1), 5);
            }
        }
    }
}

/// The inverse of [`forward_levels`], in the form and range of the way.
///
/// # Safety
/// As there.
#[inline(always)]
unsafe fn backward_levels<A: Residues>(
    a: A,
    factors: Factors<A::Word>,
    tile: Block<A::Word>,
    row: &mut [A::Vector; 16],
) {
    // SAFETY: the factors of the tile's blocks exist.
    unsafe {
        match A::LOG_ROWS {
            0 => {}
            3 => {
                let w = between_lanes(a, factors, tile, 0);
                match A::LOG_LANES {
                    1 => backward_rows::<A, 2, 3, false, false>(a, &mut row[..8], &w, (w[0], w[0])),
                    2 => backward_rows::<A, 1, 3, false, false>(a, &mut row[..8], &w, (w[0], w[0])),
                    _ => backward_rows::<A, 0, 3, false, false>(a, &mut row[..8], &w, (w[0], w[0])),
                }
                transpose(a, row);
                let w = between_rows(a, factors, tile, 0, 0);
                backward_rows::<A, 0, 3, false, false>(a, &mut row[..8], &w, (w[0], w[0]));
            }
            _ => {
                let w = between_lanes(a, factors, tile, 0);
                backward_rows::<A, 0, 3, false, false>(a, &mut row[..8], &w, (w[0], w[0]));
                let w = between_lanes(a, factors, tile, 1);
                backward_rows::<A, 0, 3, false, false>(a, &mut row[8..], &w, (w[0], w[0]));
                backward_halves(a, row, factors.of_lanes(a, tile.index, 0));
                transpose(a, row);
                let w = between_rows(a, factors, tile, 1, 0);
                backward_rows::<A, 0, 3, false, false>(a, &mut row[..8], &w, (w[0], w[0]));
                let w = between_rows(a, factors, tile, 1, 1);
                backward_rows::<A, 0, 3, false, false>(a, &mut row[8..], &w, (w[0], w[0]));
                backward_halves(a, row, factors.of(a, tile, 0, 0));
            }
        }
    }
}

/// All levels of a tile.
///
/// # Safety
/// The block is a tile, whose values belong to the caller.
#[inline(always)]
pub(super) unsafe fn forward_tile<A: Residues>(a: A, factors: Factors<A::Word>, tile: Block<A::Word>) {
    // SAFETY: the caller's.
    unsafe {
        let mut row = load(a, tile.x);
        forward_levels(a, factors, tile, &mut row);
        for row in row.iter_mut().take(1 << A::LOG_ROWS) {
            *row = a.leave(*row);
        }
        if A::LOG_ROWS > 0 {
            transpose(a, &mut row);
        }
        store(a, &row, tile.x);
    }
}

/// The inverse of [`forward_tile`], from canonical residues.
///
/// # Safety
/// As there.
#[inline(always)]
pub(super) unsafe fn backward_tile<A: Residues>(a: A, factors: Factors<A::Word>, tile: Block<A::Word>) {
    // SAFETY: the caller's.
    unsafe {
        let mut row = load(a, tile.x);
        for row in row.iter_mut().take(1 << A::LOG_ROWS) {
            *row = a.enter(*row);
        }
        if A::LOG_ROWS > 0 {
            transpose(a, &mut row);
        }
        backward_levels(a, factors, tile, &mut row);
        store(a, &row, tile.x);
    }
}

/// All levels of a tile of right operands, which are left in the order of the registers, for [`product_tile`].
///
/// # Safety
/// As for [`forward_tile`].
#[inline(always)]
pub(super) unsafe fn right_tile<A: Residues>(a: A, factors: Factors<A::Word>, tile: Block<A::Word>) {
    // SAFETY: the caller's.
    unsafe {
        let mut row = load(a, tile.x);
        forward_levels(a, factors, tile, &mut row);
        for row in row.iter_mut().take(1 << A::LOG_ROWS) {
            *row = a.right(*row);
        }
        store(a, &row, tile.x);
    }
}

/// All levels of a tile, the products with the tile `right` that [`right_tile`] left, or with itself if that is null, and
/// all levels back, by the factors `back`.
///
/// # Safety
/// As for [`forward_tile`]; the words of the right tile are readable.
#[inline(always)]
pub(super) unsafe fn product_tile<A: Residues>(
    a: A,
    (factors, back): (Factors<A::Word>, Factors<A::Word>),
    tile: Block<A::Word>,
    right: *const A::Word,
) {
    // SAFETY: the caller's.
    unsafe {
        let mut row = load(a, tile.x);
        forward_levels(a, factors, tile, &mut row);
        for (i, row) in row.iter_mut().enumerate().take(1 << A::LOG_ROWS) {
            let y = if right.is_null() { a.right(*row) } else { a.load(right.add(i << A::LOG_LANES)) };
            *row = a.product(*row, y);
        }
        backward_levels(a, back, tile, &mut row);
        store(a, &row, tile.x);
    }
}
