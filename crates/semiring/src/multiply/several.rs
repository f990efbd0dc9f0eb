//! Generalized products of matrices of the host's memory by several devices, and past their memory: blocks of the result, for which
//! columns of the second matrix stay on a device while blocks of rows of the first come and go on other lanes.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use manycore_arrays::blocks::{ProductTiles, Sides, Tiling};
use manycore_device::{Device, DeviceError, DeviceSet, Lanes, uncontrolled};
use manycore_expressions::{Buffers, Columns, ElementTile, Elements};

use super::fit::{leaves_out, shape as shape_of};
use super::products::Products;
use crate::algebra::Algebra;
use crate::error::SemiringError;
use crate::matrix::{Kept, Matrix};
use crate::plan::Shape;
use crate::resident::{DeviceMatrix, len};
use crate::semiring::Semiring;

/// Sides of blocks are cut below this only where memory is short: smaller products are not worth their copies.
const SIDE: u64 = 256;
/// Bytes of the smaller buffers of a product, with what a pool rounds up.
const SMALL_BYTES: u64 = 1 << 13;

/// Bytes of a device for a row of the first factor, a column of the second one, and an entry of the product.
#[derive(Debug, Clone, Copy)]
struct Sizes {
    product: Sides,
    row_bytes: f64,
    column_bytes: f64,
    entry_bytes: f64,
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
        let tiles = sizes(self.algebra(), a, b, shape).planned(set)?;
        let lanes = Lanes::new(set, tiles.lanes, |lane| Ok::<_, SemiringError>(Lane::new(lane)))?;
        // The result is the caller's: a limit is for what devices keep meanwhile.
        let size = len(shape, &set.devices()[0])?;
        let mut entries = uncontrolled(|| Columns::zeroed(size))?;
        let mut targets = Vec::new();
        if size > 0 {
            let [height, width] =
                [tiles.tile.rows, tiles.tile.columns].map(|side| usize::try_from(side).unwrap_or(usize::MAX));
            targets = tiles.in_order(entries.tiles(shape.columns as usize, (height, width))?);
        }
        lanes.each(targets, |lane, at, target| {
            let (rows, columns) = tiles.place(at);
            lane.block(self, (a, rows), (b, columns), target)
        })?;
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
        let product = Sides { rows: shape.rows, inner: left.columns, columns: shape.columns };
        let sizes = Sizes { product, row_bytes, column_bytes, entry_bytes };
        if sizes.tiling(&|tile| sizes.bytes(tile)).is_whole(set) { Ok(None) } else { sizes.planned(set).map(Some) }
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
        product: Sides { rows: shape.rows, inner: a.shape().columns, columns: shape.columns },
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
    fn bytes(&self, tile: Sides) -> u64 {
        let (rows, columns) = (tile.rows as f64, tile.columns as f64);
        let all = rows * self.row_bytes + columns * self.column_bytes + rows * columns * self.entry_bytes;
        // Truth values are there in words of 32 as well, and blocks of a pool are an eighth larger at most.
        ((all * 1.25) as u64).saturating_add(SMALL_BYTES)
    }

    fn tiling<'a>(&self, bytes: &'a dyn Fn(Sides) -> u64) -> Tiling<'a> {
        Tiling { product: self.product, side: SIDE, cuts_sums: false, bytes }
    }

    fn planned(&self, set: &DeviceSet) -> Result<ProductTiles, SemiringError> {
        let bytes = |tile| self.bytes(tile);
        let tiling = self.tiling(&bytes);
        let no_room = |limit_bytes| SemiringError::Memory { wanted_bytes: tiling.least_bytes(), limit_bytes };
        tiling.planned(set).map_err(|error| error.or(no_room))
    }
}

/// Whether a product's matrices are in a device's memory as a whole.
fn fits<A: Elements, B: Elements>(
    device: &Device,
    algebra: &Algebra,
    a: &Matrix<A>,
    b: &Matrix<B>,
) -> Result<bool, SemiringError> {
    let shape = shape_of(a.shape(), b.shape())?;
    let sizes = sizes(algebra, a, b, shape);
    Ok(sizes.bytes(sizes.product) <= device.usable_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert!(tiles.down() > 1 && tiles.across() == 500u64.div_ceil(tiles.tile.columns), "{tiles}");
        assert!(tiles.to_string().contains("tiles of") && limited(1000, &one).is_err());
        let two = DeviceSet::equal(vec![Device::host_with(1).unwrap(), Device::host_with(1).unwrap()]).unwrap();
        let tiles = semiring.tiles(&two, left, right).unwrap().unwrap();
        assert!(tiles.down() * tiles.across() >= 4, "{tiles}");
    }
}
