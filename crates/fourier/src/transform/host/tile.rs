//! The layout of a tile of rows and columns in memory, and in planes.

use super::scratch::LINE_BYTES;
use crate::numbers::Numbers;
use crate::transform::plan::stages::{Geometry, Method, TilePass};

/// Where a tile lies.
pub(super) struct Place {
    /// The tile's number among those of its outer place and neighbours.
    pub(super) tile: usize,
    pub(super) outer: usize,
    pub(super) unit: usize,
    pub(super) units: usize,
    pub(super) first: usize,
    pub(super) run: usize,
}

/// The place of a tile of a pass.
pub(super) fn place(pass: &TilePass, geometry: &Geometry, tile: usize) -> Place {
    let (tile, runs) = (tile / geometry.run_tiles, tile % geometry.run_tiles);
    let (outer, units) = (tile / geometry.unit_tiles, tile % geometry.unit_tiles);
    let (unit, first) = (units * pass.units_each, runs * pass.run_each);
    Place {
        tile: units,
        outer,
        unit,
        units: pass.units_each.min(geometry.units - unit),
        first,
        run: pass.run_each.min(pass.inner - first),
    }
}

/// How a tile lies in planes: rows of columns, and between the blocks of rows that the first step makes a cache line, so that
/// rows that are transformed together fall into different sets of a cache.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// Rows of a block.
    pub(super) block: usize,
    /// Words between two blocks.
    pub(super) skip: usize,
    /// Words from a plane to the next.
    pub(super) plane: usize,
}

impl Shape {
    pub(super) fn new<N: Numbers>(numbers: &N, pass: &TilePass) -> Self {
        let lanes = numbers.lanes();
        let columns = pass.columns().next_multiple_of(lanes);
        let line = LINE_BYTES / size_of::<N::Word>();
        let block = match &pass.method {
            Method::Steps(steps) => steps.first().map_or(pass.rows, |step| step.stride),
            Method::Dense => pass.rows,
        };
        let skip = if block == pass.rows { 0 } else { line };
        let plane = (pass.rows * columns + pass.rows / block * skip).next_multiple_of(line) + line;
        Self { rows: pass.rows, columns, block, skip, plane }
    }

    /// The words before a row.
    pub(super) fn offset(&self, row: usize) -> usize {
        row * self.columns + row / self.block * self.skip
    }
}

/// A tile of one engine.
pub(super) struct Tile<'a, N: Numbers> {
    pub(super) numbers: &'a N,
    pub(super) shape: Shape,
}
