//! Generalized products of matrices of the host's memory by several devices, and past their memory: blocks of the result, for which
//! columns of the second matrix stay on a device while blocks of rows of the first come and go on other lanes.

use std::fmt;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use manycore_device::{Device, DeviceError, DeviceKind, DeviceSet, uncontrolled};
use manycore_expressions::{Buffers, Columns, ElementTile, Elements};

use super::fit::{leaves_out, shape as shape_of};
use super::products::Products;
use crate::algebra::Algebra;
use crate::error::SemiringError;
use crate::matrix::{Kept, Matrix};
use crate::plan::Shape;
use crate::resident::{DeviceMatrix, len};
use crate::semiring::Semiring;

/// Lanes of a device: one copies to it, one from it, and one computes.
const LANES: usize = 3;
/// Blocks of a lane, so that the last ones end together.
const TURNS: u64 = 2;
/// Sides of blocks are cut below this only where memory is short: smaller products are not worth their copies.
const SIDE: u64 = 256;
/// Bytes of the smaller buffers of a product, with what a pool rounds up.
const SMALL_BYTES: u64 = 1 << 13;

/// Bytes of a device for a row of the first factor, a column of the second one, and an entry of the product.
#[derive(Debug, Clone, Copy)]
struct Sizes {
    shape: Shape,
    row_bytes: f64,
    column_bytes: f64,
    entry_bytes: f64,
}

/// Rows and columns of a block of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Tile {
    rows: u64,
    columns: u64,
}

impl<A: Elements, B: Elements, S: Elements> Semiring<A, B, S> {
    /// The product on a device, stored; for products in a row keep a [`Products`]. In blocks that come and go where the device does not
    /// hold all ([`Semiring::multiply_on`]).
    ///
    /// # Errors
    /// As [`Semiring::multiply_on`].
    #[inline(never)]
    pub fn multiply(&self, device: &Device, a: &Matrix<A>, b: &Matrix<B>) -> Result<Matrix<S>, SemiringError> {
        if !fits(device, self.algebra(), a, b)? {
            return self.multiply_on(&device.clone().into(), a, b);
        }
        let products = Products::new(device);
        products.multiply(self, &products.upload(a)?, &products.upload(b)?)?.download()
    }

    /// [`Semiring::multiply`] shared by several devices, in blocks of the result, which need not fit any of them; on one device in
    /// blocks that come and go. The same bits: each entry is summed whole and in order, by one device.
    ///
    /// ```
    /// use manycore_device::{Device, DeviceSet};
    /// use manycore_semiring::{Matrix, Semiring};
    /// let set = DeviceSet::equal(vec![Device::from_env()?, Device::host_with(1)?])?;
    /// let a = Matrix::stored(2, 2, &[1i64, 5, 0, 2])?;
    /// let best = Semiring::wrapping_max_plus()?.multiply_on(&set, &a, &a)?;
    /// assert_eq!(best.entries(), [5, 7, 2, 5]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Semiring::multiply`]; [`SemiringError::Memory`] where no device holds a row, a column and their product.
    #[inline(never)]
    pub fn multiply_on(&self, set: &DeviceSet, a: &Matrix<A>, b: &Matrix<B>) -> Result<Matrix<S>, SemiringError> {
        let shape = shape_of(a.shape(), b.shape())?;
        // By the lines that blocks are cut from, once.
        let (by_rows, by_columns) = (a.by_rows(), b.by_columns());
        let (a, b) = (by_rows.as_ref().unwrap_or(a), by_columns.as_ref().unwrap_or(b));
        let (Tile { rows, columns }, lanes) = cut(set, sizes(self.algebra(), a, b, shape))?;
        let set = set.lanes(lanes)?;
        let (down, across) = (shape.rows.div_ceil(rows), shape.columns.div_ceil(columns));
        let lanes: Vec<Lane<B>> = set.devices().iter().map(Lane::new).collect();
        let blocks = usize::try_from(down * across).unwrap_or(usize::MAX);
        // One column of blocks after the other: those of a range read the same columns of the second matrix.
        let [height, width] = [rows, columns].map(|side| usize::try_from(side).unwrap_or(usize::MAX));
        // The result is the caller's: a limit is for what devices keep meanwhile.
        let size = len(shape, &set.devices()[0])?;
        let mut entries = uncontrolled(|| Columns::zeroed(size))?;
        let mut targets: Vec<Vec<Mutex<ElementTile<'_>>>> = Vec::new();
        if blocks > 0 {
            for line in entries.tiles(shape.columns as usize, (height, width))? {
                targets.push(line.into_iter().map(Mutex::new).collect());
            }
        }
        set.share(blocks, 1, |device, range| {
            let lane = lanes.iter().find(|lane| lane.products.device() == device).unwrap_or(&lanes[0]);
            range.into_iter().try_for_each(|at| {
                let (i, j) = (at as u64 % down, at as u64 / down);
                let of_rows = i * rows..((i + 1) * rows).min(shape.rows);
                let mut target = targets[i as usize][j as usize].lock().unwrap_or_else(PoisonError::into_inner);
                let of_columns = j * columns..((j + 1) * columns).min(shape.columns);
                lane.block(self, (a, of_rows), (b, of_columns), &mut target)
            })
        })?;
        drop(targets);
        Ok(Matrix::of_columns(shape, entries))
    }
}

impl<A: Elements, B: Elements, S: Elements> Semiring<A, B, S> {
    /// The tiles in which the product of stored matrices of these shapes, which lie on the host, is computed on a set, as memory is now
    /// and under the caller's [`Control`](manycore_device::Control); `None` where one device computes it at once.
    ///
    /// ```
    /// use manycore_device::{Control, Device};
    /// use manycore_semiring::{Semiring, plan::Shape};
    /// let (set, shape) = (Device::from_env()?.into(), Shape { rows: 1000, columns: 1000 });
    /// let longest = Semiring::<i32, i32, i32>::wrapping_max_plus()?;
    /// match Control::new().with_limit_bytes(1 << 20).run(|| longest.tiles(&set, shape, shape))? {
    ///     Some(tiles) => println!("{tiles}"), // in ... by ... tiles of ... rows and ... columns on ... lanes of each device, ...
    ///     None => println!("at once"),
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SemiringError::Shapes`]; [`SemiringError::Memory`] where no device holds a row, a column and their product.
    #[inline(never)]
    pub fn tiles(&self, set: &DeviceSet, left: Shape, right: Shape) -> Result<Option<ProductTiles>, SemiringError> {
        let shape = shape_of(left, right)?;
        let line = |kinds| left.columns as f64 * Algebra::bytes(kinds).1 as f64;
        let algebra = self.algebra();
        let (row_bytes, column_bytes) = (line(algebra.left()), line(algebra.right()));
        let entry_bytes = Algebra::bytes(algebra.sums()).1 as f64;
        let sizes = Sizes { shape, row_bytes, column_bytes, entry_bytes };
        if let [device] = set.devices()
            && sizes.bytes(Tile { rows: shape.rows, columns: shape.columns }) <= room(device, 1)
        {
            return Ok(None);
        }
        let (Tile { rows, columns }, lanes) = cut(set, sizes)?;
        Ok(Some(ProductTiles { shape, rows, columns, lanes }))
    }
}

/// The tiles of a product by several devices, or past the memory of one ([`Semiring::tiles`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProductTiles {
    /// Rows and columns of the product.
    pub shape: Shape,
    /// Rows of a tile, of which the last ones may have fewer.
    pub rows: u64,
    /// Columns of a tile, likewise.
    pub columns: u64,
    /// Lanes of each OpenCL device; the host is one.
    pub lanes: usize,
}

impl ProductTiles {
    /// Tiles one below the other.
    pub fn down(&self) -> u64 {
        self.shape.rows.div_ceil(self.rows.max(1))
    }

    /// Tiles side by side.
    pub fn across(&self) -> u64 {
        self.shape.columns.div_ceil(self.columns.max(1))
    }
}

impl fmt::Display for ProductTiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (down, across, Self { rows, columns, lanes, .. }) = (self.down(), self.across(), self);
        let times = match across {
            1 => "once".to_owned(),
            across => format!("{across} times"),
        };
        write!(
            f,
            "in {down} by {across} tiles of {rows} rows and {columns} columns on {lanes} lanes of each device: each entry of the first \
             matrix goes there {times}"
        )
    }
}

/// A lane with the columns of the second matrix that it had last.
struct Lane<B> {
    products: Products,
    kept: Mutex<Option<(Range<u64>, DeviceMatrix<B>)>>,
}

impl<B: Elements> Lane<B> {
    fn new(device: &Device) -> Self {
        Self { products: Products::new(device), kept: Mutex::default() }
    }

    fn block<A: Elements, S: Elements>(
        &self,
        semiring: &Semiring<A, B, S>,
        (a, rows): (&Matrix<A>, Range<u64>),
        (b, columns): (&Matrix<B>, Range<u64>),
        target: &mut ElementTile<'_>,
    ) -> Result<(), SemiringError> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let right = match kept.take() {
            Some((of, right)) if of == columns => right,
            _ => self.uploaded(b, 0..b.shape().rows, columns.clone())?,
        };
        let left = self.uploaded(a, rows, 0..a.shape().columns)?;
        leaves_out(semiring, &left, &right)?;
        let product = self.products.multiply_leaving_out(semiring, &left, &right)?;
        product.entries().ok_or_else(DeviceError::elsewhere)?.read_block(target)?;
        *kept = Some((columns, right));
        Ok(())
    }

    /// Some rows and columns of a factor, of which one are all.
    fn uploaded<T: Elements>(
        &self,
        matrix: &Matrix<T>,
        rows: Range<u64>,
        columns: Range<u64>,
    ) -> Result<DeviceMatrix<T>, SemiringError> {
        let shape = matrix.shape();
        if rows == (0..shape.rows) && columns == (0..shape.columns) {
            return self.products.upload(matrix);
        }
        let Kept::Stored(entries) = matrix.kept() else {
            let is_part = columns == (0..shape.columns);
            return self.products.upload(&if is_part { matrix.part(rows)? } else { matrix.columns_part(columns)? });
        };
        // Stored entries have places in memory.
        let of = |range: &Range<u64>| range.start as usize..range.end as usize;
        let stride = shape.columns as usize;
        let block = Buffers::upload_block(self.products.device(), entries, stride, of(&rows), of(&columns))?;
        DeviceMatrix::stored(rows.end - rows.start, columns.end - columns.start, block)
    }
}

fn sizes<A: Elements, B: Elements>(algebra: &Algebra, a: &Matrix<A>, b: &Matrix<B>, shape: Shape) -> Sizes {
    let of = |lines: u64, bytes: f64| if lines == 0 { 0.0 } else { bytes / lines as f64 };
    Sizes {
        shape,
        row_bytes: of(shape.rows, stored_bytes(a, Algebra::bytes(algebra.left()).1)),
        column_bytes: of(shape.columns, stored_bytes(b, Algebra::bytes(algebra.right()).1)),
        entry_bytes: Algebra::bytes(algebra.sums()).1 as f64,
    }
}

/// The bytes of a matrix in a device's memory.
fn stored_bytes<T: Elements>(matrix: &Matrix<T>, bytes: usize) -> f64 {
    match matrix.kept() {
        Kept::Stored(entries) => entries.len() as f64 * bytes as f64,
        Kept::Function(_) => 0.0,
        // By rows and by columns; some lines have more than others.
        Kept::Rows(lists) | Kept::Columns(lists) => {
            let shape = matrix.shape();
            2.0 * (2.0 * lists.entries.len() as f64 * (8 + bytes) as f64
                + 8.0 * (shape.rows + shape.columns + 2) as f64)
        }
    }
}

impl Sizes {
    fn bytes(&self, tile: Tile) -> u64 {
        let (rows, columns) = (tile.rows as f64, tile.columns as f64);
        let all = rows * self.row_bytes + columns * self.column_bytes + rows * columns * self.entry_bytes;
        // Truth values are there in words of 32 as well, and blocks of a pool are an eighth larger at most.
        ((all * 1.25) as u64).saturating_add(SMALL_BYTES)
    }

    /// The largest blocks that fit, with many columns of the second matrix rather than many rows of the first, and as many as keep all
    /// lanes busy; `None` where none fit.
    fn tile(&self, room: u64, turns: u64) -> Option<Tile> {
        let Shape { rows, columns } = self.shape;
        let mut tile = Tile { rows: rows.max(1), columns: columns.max(1) };
        for least in [SIDE, 1] {
            while self.bytes(tile) > room && tile.rows > least {
                tile.rows = tile.rows.div_ceil(2);
            }
            while self.bytes(tile) > room && tile.columns > least {
                tile.columns = tile.columns.div_ceil(2);
            }
        }
        if self.bytes(tile) > room {
            return None;
        }
        let blocks = |tile: Tile| rows.div_ceil(tile.rows).saturating_mul(columns.div_ceil(tile.columns));
        while blocks(tile) < turns && tile.rows.max(tile.columns) > SIDE {
            let side = if tile.rows >= tile.columns { &mut tile.rows } else { &mut tile.columns };
            *side = side.div_ceil(2);
        }
        Some(tile)
    }
}

/// The bytes of a device for one of so many lanes.
fn room(device: &Device, lanes: usize) -> u64 {
    // Drivers keep some for themselves.
    let info = device.info();
    let most = if info.kind == DeviceKind::Host { u64::MAX } else { info.memory_bytes / 10 * 9 };
    most.min(device.room_bytes()) / lanes as u64
}

/// Whether a product's matrices are in a device's memory as a whole.
fn fits<A: Elements, B: Elements>(
    device: &Device,
    algebra: &Algebra,
    a: &Matrix<A>,
    b: &Matrix<B>,
) -> Result<bool, SemiringError> {
    let shape = shape_of(a.shape(), b.shape())?;
    let whole = Tile { rows: shape.rows, columns: shape.columns };
    Ok(sizes(algebra, a, b, shape).bytes(whole) <= room(device, 1))
}

/// How a product is cut for a set, and the lanes of each device.
fn cut(set: &DeviceSet, sizes: Sizes) -> Result<(Tile, usize), SemiringError> {
    let mut limit = 0;
    let one = Tile { rows: 1, columns: 1 };
    for lanes in (1..=LANES).rev() {
        let lent = set.lanes(lanes)?;
        let of_device =
            |device: &Device| lent.devices().iter().filter(|other| other.info().id == device.info().id).count();
        let rooms: Vec<u64> = lent.devices().iter().map(|device| room(device, of_device(device))).collect();
        limit = limit.max(rooms.iter().copied().max().unwrap_or(0));
        // A device that has no room for the least block leaves its work to others.
        let least = rooms.into_iter().filter(|&room| sizes.bytes(one) <= room).min();
        let turns = if lent.devices().len() > 1 { TURNS * lent.devices().len() as u64 } else { 1 };
        if let Some(tile) = least.and_then(|room| sizes.tile(room, turns)) {
            return Ok((tile, lanes));
        }
    }
    Err(SemiringError::Memory { wanted_bytes: sizes.bytes(one), limit_bytes: limit })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_fit_and_are_enough() {
        for (rows, columns) in [(1, 1), (2, 100_000), (5000, 5000), (100_000, 3)] {
            let sizes =
                Sizes { shape: Shape { rows, columns }, row_bytes: 4000.0, column_bytes: 8000.0, entry_bytes: 8.0 };
            for room in [30_000, 1 << 20, 1 << 26, u64::MAX] {
                for turns in [1, 6, 12] {
                    let tile = sizes.tile(room, turns).unwrap();
                    assert!(sizes.bytes(tile) <= room && tile.rows > 0 && tile.columns > 0, "{tile:?}");
                    let blocks = rows.div_ceil(tile.rows) * columns.div_ceil(tile.columns);
                    assert!(blocks >= turns || tile.rows.max(tile.columns) <= SIDE, "{tile:?}");
                }
            }
            assert_eq!(sizes.tile(10_000, 1), None);
        }
    }

    #[test]
    fn tiles_are_told_where_a_product_is_cut() {
        let semiring = Semiring::<i64, i64, i64>::wrapping_max_plus().unwrap();
        let (left, right) = (Shape { rows: 1000, columns: 300 }, Shape { rows: 300, columns: 500 });
        let one = DeviceSet::from(Device::host());
        assert_eq!(semiring.tiles(&one, left, right).unwrap(), None);
        assert!(matches!(semiring.tiles(&one, left, left), Err(SemiringError::Shapes { .. })));
        let limited = |bytes, set: &DeviceSet| {
            manycore_device::Control::new().with_limit_bytes(bytes).run(|| semiring.tiles(set, left, right))
        };
        let tiles = limited(1 << 20, &one).unwrap().unwrap();
        assert!(tiles.down() > 1 && tiles.across() == 500u64.div_ceil(tiles.columns), "{tiles}");
        assert!(tiles.to_string().contains("tiles of") && limited(1000, &one).is_err());
        let two = DeviceSet::equal(vec![Device::host_with(1).unwrap(), Device::host_with(1).unwrap()]).unwrap();
        let tiles = semiring.tiles(&two, left, right).unwrap().unwrap();
        assert!(tiles.down() * tiles.across() >= 4, "{tiles}");
    }
}
