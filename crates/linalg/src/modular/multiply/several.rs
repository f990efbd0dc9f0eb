//! Products of matrices of the host's memory by several devices, and past their memory: tiles of the result, for which a block of
//! columns of the second matrix stays on a device while blocks of rows of the first come and go on other lanes.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use manycore_arrays::blocks::{ProductTiles, Sides, Tiling};
use manycore_device::{Buffer, Device, DeviceError, DeviceSet, Lanes, Window, Word, uncontrolled, zeroed_words};

use super::shape::{ProductShape, Store};
use crate::block::Block;
use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::modular::algebra::{LinearAlgebra, check_residues};
use crate::shape::{complete, entries};

/// Sides of tiles are cut below this only where memory is short: smaller products are not worth their copies.
const SIDE: u64 = 512;
/// Bytes of the smaller buffers of a product, with what a pool rounds up.
const SMALL_BYTES: u64 = 1 << 12;

impl<F: MatrixField> LinearAlgebra<F> {
    /// The product of a matrix of `l` by `m` entries and one of `m` by `n`, shared by several devices: matrices of the host's memory,
    /// row after row, which need not fit any device. The same result as that of one device.
    ///
    /// A tile of the result is computed at a time on whichever device is free; a device keeps its columns of the second matrix
    /// while rows of the first come. Each word of the first crosses the bus once for each block of columns, of the others once.
    ///
    /// ```
    /// use manycore_device::{Device, DeviceSet};
    /// use manycore_field::PrimeField;
    /// use manycore_linalg::LinearAlgebra;
    /// let set = DeviceSet::equal(vec![Device::from_env()?, Device::host_with(1)?])?;
    /// let field = PrimeField::<u32>::new(101)?;
    /// let product = LinearAlgebra::mul_on(&set, &field, (2, 2, 1), &[1, 2, 3, 4], &[100, 10])?;
    /// assert_eq!(product, [19, 37]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LinalgError::Entries`] for another number of entries; [`LinalgError::OutOfRange`] for one that is no residue;
    /// [`LinalgError::TooLarge`]; [`LinalgError::Memory`] where no device holds a product of one entry; [`LinalgError::Device`].
    #[inline(never)]
    pub fn mul_on(
        set: &DeviceSet,
        field: &F,
        (l, m, n): (usize, usize, usize),
        a: &[F::Element],
        b: &[F::Element],
    ) -> Result<Vec<F::Element>, LinalgError> {
        for ((rows, columns), words) in [((l, m), a), ((m, n), b)] {
            complete((rows, columns), words.len())?;
            check_residues(field, words, columns)?;
        }
        let shape = ProductShape { rows: l, inner: m, columns: n };
        // The result is the caller's: a limit is for what devices keep meanwhile.
        let size = entries(l, n)?;
        let mut out = uncontrolled(|| zeroed_words::<F::Element>(size))?;
        if out.is_empty() || m == 0 {
            return Ok(out);
        }
        let bytes = bytes_of::<F::Element>();
        let tiles =
            tiling(shape, &bytes).planned(set).map_err(|error| error.or(|limit| no_room(shape, &bytes, limit)))?;
        let lane = |device: &Device| Self::new(device, field.clone()).map(Lane::new);
        let lanes = Lanes::new(set, tiles.lanes, lane)?;
        // Sides of tiles are those of words of the host's memory at most.
        let (tile, side) = (tiles.tile, |range: Range<u64>| range.start as usize..range.end as usize);
        let rows = Window::new(&mut out, n)?.into_rows(tile.rows as usize);
        let targets = rows.into_iter().map(|row| row.into_columns(tile.columns as usize)).collect();
        lanes.each(tiles.in_order(targets), |lane, at, target| {
            let (rows, columns) = tiles.place(at);
            let product = lane.tile(shape, (side(rows), tile.inner as usize, side(columns)), (a, b))?;
            Ok::<(), LinalgError>(target.download((&product).into())?)
        })?;
        Ok(out)
    }

    /// The tiles in which a set multiplies a matrix of `l` by `m` entries and one of `m` by `n`, which lie on the host, as memory is now and
    /// under the caller's [`Control`](manycore_device::Control); `None` where one device holds all.
    ///
    /// ```
    /// use manycore_device::{Control, Device};
    /// use manycore_field::PrimeField;
    /// use manycore_linalg::LinearAlgebra;
    /// let (set, shape) = (Device::from_env()?.into(), (1000, 1000, 1000));
    /// let blocks = || LinearAlgebra::<PrimeField<u32>>::product_blocks(&set, shape);
    /// match Control::new().with_limit_bytes(1 << 20).run(blocks)? {
    ///     Some(blocks) => println!("{blocks}"), // in ... by ... tiles of ... rows and ... columns on ... lanes of each device, ...
    ///     None => println!("at once"),
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LinalgError::Memory`] where no device holds a product of one entry.
    #[inline(never)]
    pub fn product_blocks(
        set: &DeviceSet,
        (l, m, n): (usize, usize, usize),
    ) -> Result<Option<ProductTiles>, LinalgError> {
        let shape = ProductShape { rows: l, inner: m, columns: n };
        let bytes = bytes_of::<F::Element>();
        let tiling = tiling(shape, &bytes);
        if tiling.is_whole(set) || l == 0 || m == 0 || n == 0 {
            return Ok(None);
        }
        Ok(Some(tiling.planned(set).map_err(|error| error.or(|limit| no_room(shape, &bytes, limit)))?))
    }

    /// [`LinearAlgebra::mul`] of matrices of the host's memory, row after row: in blocks that come and go where the device does not
    /// hold all.
    ///
    /// # Errors
    /// As [`LinearAlgebra::mul_on`].
    #[inline(never)]
    pub fn mul_words(
        &self,
        (l, m, n): (usize, usize, usize),
        a: &[F::Element],
        b: &[F::Element],
    ) -> Result<Vec<F::Element>, LinalgError> {
        let shape = ProductShape { rows: l, inner: m, columns: n };
        if tiling(shape, &bytes_of::<F::Element>()).is_whole(&self.device().clone().into()) {
            let (a, b) = (self.matrix(l, m, a)?, self.matrix(m, n, b)?);
            return self.entries(&self.mul(&a, &b)?);
        }
        Self::mul_on(&self.device().clone().into(), self.field(), (l, m, n), a, b)
    }
}

/// Columns of a matrix, and their entries.
type Kept<T> = (Range<usize>, Buffer<T>);

/// A lane with the columns of the second matrix that it had last.
struct Lane<F: MatrixField> {
    space: LinearAlgebra<F>,
    kept: Mutex<Option<Kept<F::Element>>>,
}

impl<F: MatrixField> Lane<F> {
    fn new(space: LinearAlgebra<F>) -> Self {
        Self { space, kept: Mutex::default() }
    }

    /// A tile of the product, in steps of `depth` columns of the first matrix.
    fn tile(
        &self,
        shape: ProductShape,
        (rows, depth, columns): (Range<usize>, usize, Range<usize>),
        (a, b): (&[F::Element], &[F::Element]),
    ) -> Result<Buffer<F::Element>, LinalgError> {
        let device = self.space.device();
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let is_whole = depth >= shape.inner;
        if kept.as_ref().is_some_and(|(of, _)| *of != columns) {
            *kept = None;
        }
        let mut product = device.scratch(rows.len() * columns.len())?;
        for begin in (0..shape.inner).step_by(depth) {
            let inner = begin..(begin + depth).min(shape.inner);
            let right = match kept.take() {
                Some((_, right)) if is_whole => right,
                _ => uploaded(device, b, shape.columns, inner.clone(), columns.clone())?,
            };
            let left = uploaded(device, a, shape.inner, rows.clone(), inner.clone())?;
            let store = if begin == 0 { Store::Set } else { Store::Add };
            let blocks = (Block::whole(rows.len(), inner.len()), Block::whole(inner.len(), columns.len()));
            let target = (&mut product, Block::whole(rows.len(), columns.len()));
            self.space.product_into((&left, blocks.0), (&right, blocks.1), target, store)?;
            if is_whole {
                *kept = Some((columns.clone(), right));
            }
        }
        Ok(product)
    }
}

/// Some rows and columns of a matrix of the host, whose rows have `stride` words.
fn uploaded<T: Word>(
    device: &Device,
    words: &[T],
    stride: usize,
    rows: Range<usize>,
    columns: Range<usize>,
) -> Result<Buffer<T>, DeviceError> {
    let mut buffer = device.scratch(rows.len() * columns.len())?;
    buffer.view_mut(..)?.write_block(words, stride, rows, columns)?;
    Ok(buffer)
}

/// The bytes that a product of matrices of words `T` takes on a device.
fn bytes_of<T>() -> impl Fn(Sides) -> u64 {
    |Sides { rows, inner, columns }| {
        let sides = [(rows, inner), (inner, columns), (rows, columns)];
        let words = sides.into_iter().fold(0u64, |sum, (a, b)| sum.saturating_add(a.saturating_mul(b)));
        // Blocks of a pool are an eighth larger at most.
        let all = words.saturating_mul(size_of::<T>() as u64);
        all.saturating_add(all / 8).saturating_add(SMALL_BYTES)
    }
}

fn tiling(shape: ProductShape, bytes: &dyn Fn(Sides) -> u64) -> Tiling<'_> {
    let product = Sides { rows: shape.rows as u64, inner: shape.inner as u64, columns: shape.columns as u64 };
    Tiling { product, side: SIDE, cuts_sums: true, bytes }
}

fn no_room(shape: ProductShape, bytes: &dyn Fn(Sides) -> u64, limit_bytes: u64) -> LinalgError {
    LinalgError::Memory { operation: "product", wanted_bytes: tiling(shape, bytes).least_bytes(), limit_bytes }
}
