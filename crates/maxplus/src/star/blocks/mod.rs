//! Star of any graph in blocks of the host's memory, which devices and their lanes share and which need not fit any (Venkataraman, Sahni
//! and Mukhopadhyaya, "A blocked all-pairs shortest-paths algorithm", 2003, in two levels).
//!
//! For each block P of nodes in turn: the star of W[P, P] by one device; rows W[P, C] and columns W[R, P] for all other blocks C and R,
//! shared; then W[R, C] = max(W[R, C], W[R, P] W[P, C]), shared. Within P pivots go by diagonal blocks of the smaller level, as on one
//! device. What rows and columns are at the pivot of each diagonal block goes round, not what they are in the end, so that every path is
//! summed in the order of one device: floating point has the same bits, where devices have diagonal blocks of the same size.
//!
//! | file | what |
//! |---|---|
//! | `driver` | the order of blocks, and what goes where |
//! | `device` | steps of blocks on an OpenCL device |
//! | `host` | steps of blocks on the host's threads |

mod device;
mod driver;
mod host;

use manycore_device::{DeviceError, Executor};

use super::MaxPlus;
use super::device::{OnDevice, block as block_of_device};
use super::tiles;
use crate::weight::Weight;

pub(super) use driver::{closure, cut, fits};

/// What a block of pivots gives: blocks within are `side` by `side`, and rows past the last pivot are of none.
struct Pivot<T> {
    /// Its star, in rows of as many words as there are pivots.
    block: Vec<T>,
    factors: Factors<T>,
    /// Its rows at the pivot of their diagonal block.
    rows: Vec<T>,
}

/// What rows of pivots are multiplied by, one diagonal block after the other.
struct Factors<T> {
    order: usize,
    side: usize,
    /// The star of each diagonal block.
    closed: Vec<T>,
    /// For each diagonal block the columns of all pivots at it, epsilon in its own rows.
    columns: Vec<T>,
}

/// Rows of pivots: in the end, and each at the pivot of its diagonal block.
struct Panel<T> {
    tile: Vec<T>,
    at_pivots: Vec<T>,
}

impl<T: Weight> Factors<T> {
    fn blocks(&self) -> usize {
        self.order.div_ceil(self.side)
    }

    /// Rows of all diagonal blocks.
    fn padded(&self) -> usize {
        self.blocks() * self.side
    }

    fn closed(&self, k: usize) -> &[T] {
        &self.closed[k * self.side * self.side..(k + 1) * self.side * self.side]
    }

    fn columns(&self, k: usize) -> &[T] {
        &self.columns[k * self.order * self.side..(k + 1) * self.order * self.side]
    }
}

impl<T: Weight> Pivot<T> {
    /// The factors of the transposed problem, in which columns are rows.
    fn transposed(&self) -> Factors<T> {
        let Factors { order, side, ref closed, .. } = self.factors;
        let (blocks, square) = (self.factors.blocks(), side * side);
        let turned = |at: usize| closed[at / square * square + at % side * side + at % square / side];
        let closed = (0..blocks * square).map(turned).collect();
        let mut columns = Vec::with_capacity(blocks * order * side);
        for k in 0..blocks {
            for row in 0..order {
                let is_own = row / side == k;
                let entry = |t: usize| if is_own { T::ABSENT } else { self.rows[(k * side + t) * order + row] };
                columns.extend((0..side).map(entry));
            }
        }
        Factors { order, side, closed, columns }
    }
}

/// A matrix whose rows have `width` words, with rows and columns exchanged.
fn turned<T: Copy>(words: &[T], width: usize) -> Vec<T> {
    const TILE: usize = 32;
    let height = words.len() / width.max(1);
    let Some(&first) = words.first() else { return Vec::new() };
    let mut turned = vec![first; words.len()];
    for row in (0..height).step_by(TILE) {
        for column in (0..width).step_by(TILE) {
            for i in row..(row + TILE).min(height) {
                for j in column..(column + TILE).min(width) {
                    turned[j * height + i] = words[i * width + j];
                }
            }
        }
    }
    turned
}

impl<T: Weight> MaxPlus<T> {
    /// Rows and columns of a diagonal block; `None` where the device takes none.
    fn side(&self) -> Option<usize> {
        match self.device().executor() {
            Executor::Host(_) => Some(tiles::block::<T>()),
            Executor::OpenCl(cl) => block_of_device::<T>(cl),
        }
    }

    /// Whether diagonal blocks are of the size that others have.
    fn takes(&self, side: usize) -> Result<(), DeviceError> {
        if self.side() == Some(side) {
            return Ok(());
        }
        let feature = format!("a star in diagonal blocks of {side}");
        Err(DeviceError::Unsupported { device: self.device().info().label(), feature })
    }

    /// The star of a block of `order` pivots; `None` where a circuit is positive.
    fn pivot(&self, (order, side): (usize, usize), block: &[T]) -> Result<Option<Pivot<T>>, DeviceError> {
        self.takes(side)?;
        match self.device().executor() {
            Executor::Host(pool) => host::pivot(pool, (order, side), block),
            Executor::OpenCl(cl) => OnDevice { planner: &self.planner, cl }.pivot((order, side), block),
        }
    }

    /// Rows of pivots in `width` columns.
    fn panel(&self, factors: &Factors<T>, tile: Vec<T>, width: usize) -> Result<Panel<T>, DeviceError> {
        self.takes(factors.side)?;
        match self.device().executor() {
            Executor::Host(pool) => host::panel(pool, factors, tile, width),
            Executor::OpenCl(cl) => OnDevice { planner: &self.planner, cl }.panel(factors, &tile, width),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_columns_are_exchanged() {
        assert_eq!(turned(&[1, 2, 3, 4, 5, 6], 3), [1, 4, 2, 5, 3, 6]);
        assert!(turned::<u8>(&[], 0).is_empty());
        let words: Vec<usize> = (0..70 * 45).collect();
        assert_eq!(turned(&turned(&words, 45), 70), words);
    }
}
