//! Butterflies of 2, 4, 8 or 16 rows in registers, over columns of whole vectors.

use super::vector::{Task, Vector};
use crate::number::Number;

/// One stage on an array of vectors: the butterfly of each pair of places.
macro_rules! stage {
    ($r:ident: $($a:literal $b:literal),*) => {
        $(($r[$a], $r[$b]) = $r[$a].butterfly($r[$b]);)*
    };
}

/// The transform of 2 rows.
#[inline(always)]
pub(super) fn rows_2<V: Vector>(mut r: [V; 2]) -> [V; 2] {
    stage!(r: 0 1);
    r
}

/// The transform of 4 rows.
#[inline(always)]
pub(super) fn rows_4<V: Vector>(mut r: [V; 4]) -> [V; 4] {
    stage!(r: 0 1, 2 3);
    stage!(r: 0 2, 1 3);
    r
}

/// The transform of 8 rows.
#[inline(always)]
pub(super) fn rows_8<V: Vector>(mut r: [V; 8]) -> [V; 8] {
    stage!(r: 0 1, 2 3, 4 5, 6 7);
    stage!(r: 0 2, 1 3, 4 6, 5 7);
    stage!(r: 0 4, 1 5, 2 6, 3 7);
    r
}

/// The transform of 16 rows.
#[inline(always)]
pub(super) fn rows_16<V: Vector>(mut r: [V; 16]) -> [V; 16] {
    stage!(r: 0 1, 2 3, 4 5, 6 7, 8 9, 10 11, 12 13, 14 15);
    stage!(r: 0 2, 1 3, 4 6, 5 7, 8 10, 9 11, 12 14, 13 15);
    stage!(r: 0 4, 1 5, 2 6, 3 7, 8 12, 9 13, 10 14, 11 15);
    stage!(r: 0 8, 1 9, 2 10, 3 11, 4 12, 5 13, 6 14, 7 15);
    r
}

/// A matrix of rows `stride` scalars apart.
#[derive(Clone, Copy)]
pub(super) struct Rows<T> {
    /// The first row.
    pub(super) start: *mut T,
    /// The distance of neighbouring rows, in scalars.
    pub(super) stride: usize,
}

impl<T> Rows<T> {
    /// The rows from `row`, `column` on, `step` rows apart.
    ///
    /// # Safety
    /// The place lies within the matrix.
    #[inline(always)]
    pub(super) unsafe fn from(self, row: usize, column: usize, step: usize) -> Self {
        // SAFETY: the caller vouches for the place.
        Self { start: unsafe { self.start.add(row * self.stride + column) }, stride: self.stride * step }
    }
}

macro_rules! columns {
    ($name:ident, $rows:literal, $transform:ident) => {
        #[inline(always)]
        unsafe fn $name<V: Vector, const SCALED: bool>(rows: Rows<V::Scalar>, width: usize, factor: V::Factor) {
            let mut column = 0;
            while column < width {
                // SAFETY: the caller vouches for the matrix.
                unsafe {
                    let mut r = [V::load(rows.start.add(column)); $rows];
                    for (i, row) in r.iter_mut().enumerate() {
                        *row = V::load(rows.start.add(column + i * rows.stride));
                    }
                    r = $transform(r);
                    for (i, row) in r.into_iter().enumerate() {
                        let row = if SCALED { row.scaled(factor) } else { row };
                        row.store(rows.start.add(column + i * rows.stride));
                    }
                }
                column += V::LANES;
            }
        }
    };
}

columns!(columns_2, 2, rows_2);
columns!(columns_4, 4, rows_4);
columns!(columns_8, 8, rows_8);
columns!(columns_16, 16, rows_16);

/// Transforms the columns of `2^log_rows` rows of `width` scalars, `log_rows` from 1 to [`Vector::LOG_RADIX`].
///
/// # Safety
/// The matrix has `2^log_rows` rows of `width` scalars, a multiple of `V::LANES`; the instruction set is available.
#[inline(always)]
pub(super) unsafe fn columns<V: Vector, const SCALED: bool>(
    log_rows: u32,
    rows: Rows<V::Scalar>,
    width: usize,
    factor: V::Factor,
) {
    // SAFETY: the caller's promises are those of the parts.
    unsafe {
        match log_rows {
            1 => columns_2::<V, SCALED>(rows, width, factor),
            2 => columns_4::<V, SCALED>(rows, width, factor),
            3 => columns_8::<V, SCALED>(rows, width, factor),
            _ => {
                if V::LOG_RADIX > 3 {
                    columns_16::<V, SCALED>(rows, width, factor);
                }
            }
        }
    }
}

/// The transform of the columns of `2^log_rows` rows of `width` scalars, a multiple of every level's lanes, divided by `2^scale`
/// if given. The rows lie far apart: `log_rows` is from 1 to 3.
pub(super) struct Columns<T> {
    pub(super) rows: Rows<T>,
    pub(super) log_rows: u32,
    pub(super) width: usize,
    pub(super) scale: Option<u32>,
}

impl<T: Number> Task for Columns<T> {
    type Scalar = T;

    #[inline(always)]
    unsafe fn run<V: Vector<Scalar = T>>(self) {
        /// # Safety
        /// As for [`columns`].
        #[inline(always)]
        unsafe fn far<V: Vector, const SCALED: bool>(
            log_rows: u32,
            rows: Rows<V::Scalar>,
            width: usize,
            factor: V::Factor,
        ) {
            // SAFETY: the caller's.
            unsafe {
                match log_rows {
                    1 => columns_2::<V, SCALED>(rows, width, factor),
                    2 => columns_4::<V, SCALED>(rows, width, factor),
                    _ => columns_8::<V, SCALED>(rows, width, factor),
                }
            }
        }
        let Self { rows, log_rows, width, scale } = self;
        // SAFETY: the caller vouches for the instruction set, and who made the task for the rows.
        unsafe {
            let factor = V::factor(scale.unwrap_or(0));
            if V::SCALES && scale.is_some() {
                far::<V, true>(log_rows, rows, width, factor);
            } else {
                far::<V, false>(log_rows, rows, width, factor);
            }
        }
    }
}

/// The binary logarithm of a tile: eight vectors.
pub(super) const fn log_tile<V: Vector>() -> u32 {
    V::LOG_LANES + 3
}

/// The lowest `log` stages, which the compiler knows, on each tile of `len` contiguous scalars.
///
/// # Safety
/// As for [`tiles`].
#[inline(always)]
pub(super) unsafe fn tiles_of<V: Vector, const SCALED: bool>(
    log: u32,
    x: *mut V::Scalar,
    len: usize,
    factor: V::Factor,
) {
    let mut at = 0;
    while at < len {
        // SAFETY: the caller vouches for `len` scalars, a multiple of the tile.
        unsafe {
            let tile = x.add(at);
            let mut r = [V::load(tile); 8];
            for (i, v) in r.iter_mut().enumerate() {
                *v = V::load(tile.add(i * V::LANES)).entering();
                if log > 0 && V::LOG_LANES > 0 {
                    *v = v.lane_butterfly::<0>();
                }
                if log > 1 && V::LOG_LANES > 1 {
                    *v = v.lane_butterfly::<1>();
                }
                if log > 2 && V::LOG_LANES > 2 {
                    *v = v.lane_butterfly::<2>();
                }
                if log > 3 && V::LOG_LANES > 3 {
                    *v = v.lane_butterfly::<3>();
                }
            }
            if log > V::LOG_LANES {
                stage!(r: 0 1, 2 3, 4 5, 6 7);
            }
            if log > V::LOG_LANES + 1 {
                stage!(r: 0 2, 1 3, 4 6, 5 7);
            }
            if log > V::LOG_LANES + 2 {
                stage!(r: 0 4, 1 5, 2 6, 3 7);
            }
            for (i, v) in r.into_iter().enumerate() {
                let v = if SCALED { v.scaled(factor) } else { v };
                v.store(tile.add(i * V::LANES));
            }
        }
        at += 8 * V::LANES;
    }
}

/// The lowest `log` stages, at most [`log_tile`], on each tile of `len` contiguous scalars.
///
/// # Safety
/// `len` scalars from `x` on are readable and writable, `len` is a multiple of the tile, and the instruction set is
/// available.
#[inline(always)]
pub(super) unsafe fn tiles<V: Vector, const SCALED: bool>(log: u32, x: *mut V::Scalar, len: usize, factor: V::Factor) {
    // SAFETY: the caller's promises are those of the parts.
    unsafe {
        match log {
            0 => tiles_of::<V, SCALED>(0, x, len, factor),
            1 => tiles_of::<V, SCALED>(1, x, len, factor),
            2 => tiles_of::<V, SCALED>(2, x, len, factor),
            3 => tiles_of::<V, SCALED>(3, x, len, factor),
            4 => tiles_of::<V, SCALED>(4, x, len, factor),
            5 => tiles_of::<V, SCALED>(5, x, len, factor),
            6 => tiles_of::<V, SCALED>(6, x, len, factor),
            _ => tiles_of::<V, SCALED>(7, x, len, factor),
        }
    }
}
