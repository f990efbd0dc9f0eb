//! The order of blocks of a star, and what goes where.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use manycore_device::{Buffer, DeviceSet, Executor, Lanes, Window, checkpoint, most_fitting};

use super::device::TileShape;
use super::factors::{Pivot, turned};
use super::host;
use crate::error::MaxPlusError;
use crate::star::context::MaxPlus;
use crate::star::device::OnDevice;
use crate::star::tiles;
use crate::weight::Weight;

/// The least number of blocks of nodes for several devices: a tile, which one device computes alone, is at most one of `PARTS^2`.
const PARTS: usize = 6;
/// Bytes of the smaller buffers of a step, with what a pool rounds up.
const SMALL_BYTES: u64 = 1 << 13;

/// The star of the matrix `w` of `nodes` rows in place, 0 on its diagonal, epsilon as [`Weight::ABSENT`]; `true` where a circuit is
/// positive.
pub(crate) fn closure<T: Weight>(
    set: &DeviceSet,
    nodes: usize,
    w: &mut [T],
    memory_bytes: Option<u64>,
) -> Result<bool, MaxPlusError> {
    let plan = Plan::new::<T>(set, nodes, memory_bytes)?;
    let lane = |device: &_| Ok::<_, MaxPlusError>(Lane { max_plus: MaxPlus::<T>::new(device), kept: Mutex::default() });
    let lanes = Lanes::new(set, plan.lanes, lane)?;
    let mut tiles = Vec::new();
    for row in Window::new(w, nodes)?.into_rows(plan.width) {
        tiles.push(row.into_columns(plan.width).into_iter().map(Mutex::new).collect());
    }
    let star = Passes { lanes: &lanes, tiles: &tiles, side: plan.side, most_rows: plan.width.min(nodes) };
    for q in 0..tiles.len() {
        checkpoint()?;
        if star.pass(q)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the device holds blocks of a star.
pub(crate) fn fits<T: Weight>(set: &DeviceSet, nodes: usize, memory_bytes: Option<u64>) -> Result<(), MaxPlusError> {
    Plan::new::<T>(set, nodes, memory_bytes).map(drop)
}

/// The blocks of nodes of a star: how many nodes each has, and the lanes of a device.
pub(crate) fn cut<T: Weight>(
    set: &DeviceSet,
    nodes: usize,
    memory_bytes: Option<u64>,
) -> Result<(usize, usize), MaxPlusError> {
    let Plan { width, lanes, .. } = Plan::new::<T>(set, nodes, memory_bytes)?;
    Ok((width.min(nodes), lanes))
}

/// How a star is cut.
struct Plan {
    /// Nodes of a block, a multiple of `side` but where one block has all.
    width: usize,
    /// Rows and columns of a diagonal block.
    side: usize,
    lanes: usize,
}

impl Plan {
    fn new<T: Weight>(set: &DeviceSet, nodes: usize, memory_bytes: Option<u64>) -> Result<Self, MaxPlusError> {
        let sides = set.devices().iter().filter_map(|device| MaxPlus::<T>::new(device).side());
        let side = sides.max().unwrap_or_else(tiles::block::<T>);
        let least = bytes::<T>(side, side);
        let no_room = |limit_bytes| MaxPlusError::Blocks { nodes, wanted_bytes: least, limit_bytes };
        let room = set.room(least, memory_bytes).map_err(|error| error.or(no_room))?;
        let most = nodes.div_ceil(PARTS).div_ceil(side).max(1);
        let count = most_fitting(1, most, |count| bytes::<T>(count * side, side) <= room.lane_bytes);
        Ok(Self { width: count * side, side, lanes: room.lanes })
    }
}

/// The bytes of a step with blocks of `side` nodes: rows of pivots and a tile, and as much for its factors.
fn bytes<T>(width: usize, side: usize) -> u64 {
    let (width, side) = (width as u128, side as u128);
    let words = 4 * width * width + 4 * width * side + 2 * side * side;
    let all = u64::try_from(words.saturating_mul(size_of::<T>() as u128)).unwrap_or(u64::MAX);
    // Blocks of a pool are an eighth larger at most.
    all.saturating_add(all / 8).saturating_add(SMALL_BYTES)
}

type Tile<'a, T> = Mutex<Window<'a, T>>;

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The block of pivots, the column of tiles, and the buffer with the rows of pivots in it.
type Kept<T> = ((usize, usize), Buffer<T>);

/// A lane, with the buffer of the rows of pivots that it had last, and for which columns.
struct Lane<T: Weight> {
    max_plus: MaxPlus<T>,
    kept: Mutex<Option<Kept<T>>>,
}

/// A star in the midst of the computation.
struct Passes<'a, 'w, T: Weight> {
    lanes: &'a Lanes<Lane<T>>,
    tiles: &'a [Vec<Tile<'w, T>>],
    side: usize,
    /// Rows of all blocks but the last.
    most_rows: usize,
}

/// What of the rows of pivots and of their columns goes round, for each other block.
type AtPivots<T> = Vec<Vec<T>>;

impl<T: Weight> Passes<'_, '_, T> {
    /// All paths through the nodes of block `q`; `true` where a circuit is positive.
    fn pass(&self, q: usize) -> Result<bool, MaxPlusError> {
        let block = words(&held(&self.tiles[q][q]));
        let shape = (held(&self.tiles[q][q]).rows(), self.side);
        let pivots = self.lanes.share(1, 1, |lane, _| Ok::<_, MaxPlusError>(lane.max_plus.pivot(shape, &block)?))?;
        let Some(Some(pivot)) = pivots.into_iter().next().map(|(_, pivot)| pivot) else { return Ok(true) };
        write(&mut held(&self.tiles[q][q]), &pivot.block);
        let others: Vec<usize> = (0..self.tiles.len()).filter(|&block| block != q).collect();
        let (left, right) = self.panels(q, &pivot, &others)?;
        let is_positive = AtomicBool::new(false);
        let padded = pivot.factors.padded();
        // One column of tiles after the other: those of a range read the same rows of pivots.
        self.lanes.each(vec![(); others.len() * others.len()], |lane, at, ()| {
            let (i, j) = (at % others.len(), at / others.len());
            let mut tile = held(&self.tiles[others[i]][others[j]]);
            self.update(lane, (q, j), &mut tile, (&left[i], &right[j]), padded)?;
            if i == j && Self::is_positive(&mut tile) {
                is_positive.store(true, Ordering::Relaxed);
            }
            Ok::<(), MaxPlusError>(())
        })?;
        Ok(is_positive.into_inner())
    }

    /// Columns and rows of pivots in all other blocks.
    fn panels(&self, q: usize, pivot: &Pivot<T>, others: &[usize]) -> Result<(AtPivots<T>, AtPivots<T>), MaxPlusError> {
        let transposed = pivot.transposed();
        let count = others.len();
        let mut left: AtPivots<T> = vec![Vec::new(); 2 * count];
        self.lanes.each(left.iter_mut().collect(), |lane, at, at_pivots| {
            let (lane, other) = (&lane.max_plus, others[at % count]);
            if at >= count {
                let mut tile = held(&self.tiles[q][other]);
                let width = tile.columns();
                let made = lane.panel(&pivot.factors, words(&tile), width)?;
                write(&mut tile, &made.tile);
                **at_pivots = made.at_pivots;
            } else {
                let mut tile = held(&self.tiles[other][q]);
                let (rows, width) = (tile.rows(), tile.columns());
                let made = lane.panel(&transposed, turned(&words(&tile), width), rows)?;
                write(&mut tile, &turned(&made.tile, rows));
                **at_pivots = turned(&made.at_pivots, rows);
            }
            Ok::<(), MaxPlusError>(())
        })?;
        let right = left.split_off(count);
        Ok((left, right))
    }

    /// A tile by the columns and rows of pivots.
    fn update(
        &self,
        lane: &Lane<T>,
        of: (usize, usize),
        tile: &mut Window<'_, T>,
        (left, right): (&[T], &[T]),
        padded: usize,
    ) -> Result<(), MaxPlusError> {
        let (rows, width, side) = (tile.rows(), tile.columns(), self.side);
        lane.max_plus.takes(side)?;
        let device = lane.max_plus.device();
        match device.executor() {
            Executor::Host(pool) => {
                let mut own = words(tile);
                host::update(pool, &mut own, width, (left, right), side)?;
                write(tile, &own);
            }
            Executor::OpenCl(cl) => {
                let front = padded * width;
                let mut kept = held(&lane.kept);
                let mut w = match kept.take() {
                    Some((kept, w)) if kept == of => w,
                    _ => {
                        // The last block may have fewer rows than the others.
                        let mut w = device.scratch::<T>(front + self.most_rows * width)?;
                        w.view_mut(..front)?.write(right)?;
                        w
                    }
                };
                tile.upload(w.view_mut(front..front + rows * width)?)?;
                let mut factors = device.scratch::<T>((padded + rows) * padded)?;
                factors.view_mut(padded * padded..)?.write(left)?;
                let on = OnDevice { planner: &lane.max_plus.planner, cl };
                on.update(&mut w, &factors, TileShape { rows, width, padded, side })?;
                tile.download(w.view(front..front + rows * width)?)?;
                *kept = Some((of, w));
            }
        }
        Ok(())
    }

    /// Whether a circuit is positive through nodes of a tile on the diagonal, which becomes 0.
    fn is_positive(tile: &mut Window<'_, T>) -> bool {
        let mut is_positive = false;
        for i in 0..tile.rows() {
            let entry = &mut tile.row_mut(i)[i];
            is_positive |= *entry > T::ZERO;
            *entry = T::ZERO;
        }
        is_positive
    }
}

/// The words of a tile, row after row.
fn words<T: Weight>(tile: &Window<'_, T>) -> Vec<T> {
    (0..tile.rows()).flat_map(|row| tile.row(row)).copied().collect()
}

fn write<T: Weight>(tile: &mut Window<'_, T>, words: &[T]) {
    let width = tile.columns();
    for (row, words) in words.chunks_exact(width).enumerate() {
        tile.row_mut(row).copy_from_slice(words);
    }
}
