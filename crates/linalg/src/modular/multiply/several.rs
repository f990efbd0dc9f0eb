//! Products of matrices of the host's memory by several devices, and past their memory: tiles of the result, for which a block of
//! columns of the second matrix stays on a device while blocks of rows of the first come and go on other lanes.

use std::fmt;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use manycore_device::{Buffer, Device, DeviceError, DeviceKind, DeviceSet, Window, Word, uncontrolled, zeroed_words};

use super::shape::{ProductShape, Store};
use crate::block::Block;
use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::modular::algebra::{LinearAlgebra, check_residues};
use crate::shape::{complete, entries};

/// Lanes of a device: one copies to it, one from it, and one computes.
const LANES: usize = 3;
/// Tiles of a lane, so that the last ones end together.
const TURNS: usize = 2;
/// Sides of tiles are cut below this only where memory is short: smaller products are not worth their copies.
const SIDE: usize = 512;
/// Bytes of the smaller buffers of a product, with what a pool rounds up.
const SMALL_BYTES: u64 = 1 << 12;

/// How a product is cut into tiles of so many rows and columns, each in steps of so many columns of the first matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Tiling {
    tile: ProductShape,
    lanes: usize,
}

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
        let Tiling { tile, lanes } = tiling(set, shape, size_of::<F::Element>())?;
        let set = set.lanes(lanes)?;
        let spaces = set.devices().iter().map(|lane| Ok(Lane::new(Self::new(lane, field.clone())?)));
        let spaces: Vec<Lane<F>> = spaces.collect::<Result<_, LinalgError>>()?;
        let down = l.div_ceil(tile.rows);
        // One column of tiles after the other: those of a range read the same columns of the second matrix.
        let mut targets: Vec<Vec<Mutex<Window<'_, F::Element>>>> = Vec::new();
        for row in Window::new(&mut out, n)?.into_rows(tile.rows) {
            targets.push(row.into_columns(tile.columns).into_iter().map(Mutex::new).collect());
        }
        let across = n.div_ceil(tile.columns);
        set.share(down * across, 1, |device, range| {
            let lane = spaces.iter().find(|lane| lane.space.device() == device).unwrap_or(&spaces[0]);
            range.into_iter().try_for_each(|at| {
                let (i, j) = (at % down, at / down);
                let rows = i * tile.rows..((i + 1) * tile.rows).min(l);
                let columns = j * tile.columns..((j + 1) * tile.columns).min(n);
                let product = lane.tile(shape, (rows, tile.inner, columns), (a, b))?;
                let mut target = targets[i][j].lock().unwrap_or_else(PoisonError::into_inner);
                Ok::<(), LinalgError>(target.download((&product).into())?)
            })
        })?;
        drop(targets);
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
    ) -> Result<Option<ProductBlocks>, LinalgError> {
        let shape = ProductShape { rows: l, inner: m, columns: n };
        let word_bytes = size_of::<F::Element>();
        let is_whole = matches!(set.devices(), [device] if bytes(shape, word_bytes) <= room(device, 1));
        if is_whole || l == 0 || m == 0 || n == 0 {
            return Ok(None);
        }
        let Tiling { tile, lanes } = tiling(set, shape, word_bytes)?;
        let (rows, inner, columns) = (tile.rows, tile.inner, tile.columns);
        Ok(Some(ProductBlocks { shape: (l, m, n), rows, inner, columns, lanes }))
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
        if bytes(shape, size_of::<F::Element>()) <= room(self.device(), 1) {
            let (a, b) = (self.matrix(l, m, a)?, self.matrix(m, n, b)?);
            return self.entries(&self.mul(&a, &b)?);
        }
        Self::mul_on(&self.device().clone().into(), self.field(), (l, m, n), a, b)
    }
}

/// The tiles of a product by several devices, or past the memory of one ([`LinearAlgebra::product_blocks`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProductBlocks {
    /// Rows of the first matrix, its columns, and columns of the second.
    pub shape: (usize, usize, usize),
    /// Rows of a tile of the product, of which the last ones may have fewer.
    pub rows: usize,
    /// Columns of the first matrix that a tile takes at a time.
    pub inner: usize,
    /// Columns of a tile.
    pub columns: usize,
    /// Lanes of each OpenCL device; the host is one.
    pub lanes: usize,
}

impl fmt::Display for ProductBlocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { shape: (l, m, n), rows, inner, columns, lanes } = self;
        let (down, across, steps) = (l.div_ceil(*rows), n.div_ceil(*columns), m.div_ceil(*inner));
        write!(f, "in {down} by {across} tiles of {rows} rows and {columns} columns on {lanes} lanes of each device")?;
        if steps > 1 {
            write!(f, ", sums in {steps} steps of {inner} terms")?;
        }
        let times = if across == 1 { "once".to_owned() } else { format!("{across} times") };
        write!(f, ": each entry of the first matrix goes there {times}")
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

/// The bytes that a lane may take of a device which has so many.
fn room(device: &Device, lanes: usize) -> u64 {
    let info = device.info();
    // Drivers keep some for themselves.
    let most = if info.kind == DeviceKind::Host { u64::MAX } else { info.memory_bytes / 10 * 9 };
    most.min(device.room_bytes()) / lanes as u64
}

/// The bytes that a product of matrices takes on a device.
fn bytes(shape: ProductShape, word_bytes: usize) -> u64 {
    let ProductShape { rows, inner, columns } = shape;
    let words = [(rows, inner), (inner, columns), (rows, columns)]
        .into_iter()
        .fold(0u64, |sum, (a, b)| sum.saturating_add((a as u64).saturating_mul(b as u64)));
    // Blocks of a pool are an eighth larger at most.
    let all = words.saturating_mul(word_bytes as u64);
    all.saturating_add(all / 8).saturating_add(SMALL_BYTES)
}

/// The largest tiles that fit, with full columns of the second matrix rather than many rows of the first, and as many as keep all
/// lanes busy.
fn tiling(set: &DeviceSet, shape: ProductShape, word_bytes: usize) -> Result<Tiling, LinalgError> {
    let mut limit = 0;
    for lanes in (1..=LANES).rev() {
        let lent = set.lanes(lanes)?;
        let of_device =
            |device: &Device| lent.devices().iter().filter(|other| other.info().id == device.info().id).count();
        let rooms: Vec<u64> = lent.devices().iter().map(|device| room(device, of_device(device))).collect();
        let least = bytes(ProductShape { rows: 1, inner: 1, columns: 1 }, word_bytes);
        limit = limit.max(rooms.iter().copied().max().unwrap_or(0));
        // A device that has no room for the least tile leaves its work to others.
        let Some(room) = rooms.into_iter().filter(|&room| room >= least).min() else { continue };
        let turns = if lent.devices().len() > 1 { TURNS * lent.devices().len() } else { 1 };
        return Ok(Tiling { tile: tile_within(shape, word_bytes, room, turns), lanes });
    }
    let wanted_bytes = bytes(ProductShape { rows: 1, inner: 1, columns: 1 }, word_bytes);
    Err(LinalgError::Memory { operation: "product", wanted_bytes, limit_bytes: limit })
}

fn tile_within(shape: ProductShape, word_bytes: usize, room: u64, turns: usize) -> ProductShape {
    let mut tile = shape;
    for least in [SIDE, 1] {
        while bytes(tile, word_bytes) > room {
            let side = if tile.rows > least {
                &mut tile.rows
            } else if tile.columns > least {
                &mut tile.columns
            } else if tile.inner > least {
                &mut tile.inner
            } else {
                break;
            };
            *side = halved(*side);
        }
    }
    let tiles = |tile: ProductShape| shape.rows.div_ceil(tile.rows) * shape.columns.div_ceil(tile.columns);
    while tiles(tile) < turns && tile.rows.max(tile.columns) > SIDE {
        let side = if tile.rows >= tile.columns { &mut tile.rows } else { &mut tile.columns };
        *side = halved(*side);
    }
    tile
}

/// Half of a side, whole tiles of kernels where it is long.
fn halved(side: usize) -> usize {
    let half = side.div_ceil(2);
    if half > SIDE / 2 { half.next_multiple_of(SIDE / 8).min(side - 1) } else { half }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_fit_and_are_enough() {
        for (rows, inner, columns) in [(1, 1, 1), (2, 100_000, 3), (5000, 5000, 5000), (1, 1, 1 << 20), (1 << 20, 7, 1)]
        {
            let shape = ProductShape { rows, inner, columns };
            for room in [5000u64, 100_000, 1 << 20, 1 << 26, u64::MAX] {
                for turns in [1, 6, 12] {
                    let tile = tile_within(shape, 4, room, turns);
                    assert!(bytes(tile, 4) <= room, "{tile:?} in {room}");
                    assert!(tile.rows > 0 && tile.inner > 0 && tile.columns > 0);
                    let tiles = rows.div_ceil(tile.rows) * columns.div_ceil(tile.columns);
                    assert!(tiles >= turns || tile.rows.max(tile.columns) <= SIDE, "{tile:?}");
                }
            }
        }
        // Rows of the first matrix are cut before columns of the second, and those before sums.
        let shape = ProductShape { rows: 8192, inner: 8192, columns: 8192 };
        let tile = tile_within(shape, 4, 500 << 20, 1);
        assert_eq!((tile.inner, tile.columns), (8192, 8192));
        let tile = tile_within(shape, 4, 100 << 20, 1);
        assert_eq!((tile.rows, tile.inner), (512, 8192));
    }
}
