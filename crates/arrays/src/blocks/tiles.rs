//! Tiles of a product of matrices that several devices share, or that is past the memory of one: columns of the second factor stay on a
//! lane while rows of the first come and go.

use std::fmt;
use std::ops::Range;

use manycore_device::{DeviceSet, NoRoom};

/// Tiles of a lane, so that the last ones end together.
const TURNS: usize = 2;

/// The sides of a product: rows of the first factor, terms of a sum, columns of the second factor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sides {
    /// Rows of the first factor, and of the product.
    pub rows: u64,
    /// Columns of the first factor, and rows of the second.
    pub inner: u64,
    /// Columns of the second factor, and of the product.
    pub columns: u64,
}

/// What a product asks of its tiles.
#[derive(Clone, Copy)]
pub struct Tiling<'a> {
    /// The sides of the whole product.
    pub product: Sides,
    /// Sides are cut below this one only where memory is short: smaller products are not worth their copies.
    pub side: u64,
    /// Whether sums are cut, too, where memory is short.
    pub cuts_sums: bool,
    /// The bytes of a tile and its factors in the memory of a lane.
    pub bytes: &'a dyn Fn(Sides) -> u64,
}

/// The tiles of a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProductTiles {
    /// The sides of the product.
    pub product: Sides,
    /// The sides of a tile, of which the last ones may have fewer rows and columns. Sums are made in steps of `inner` terms.
    pub tile: Sides,
    /// Lanes of each OpenCL device; the host is one.
    pub lanes: usize,
}

impl Tiling<'_> {
    const ONE: Sides = Sides { rows: 1, inner: 1, columns: 1 };

    fn least(&self) -> Sides {
        if self.cuts_sums { Self::ONE } else { Sides { inner: self.product.inner, ..Self::ONE } }
    }

    /// The bytes of the smallest tile.
    pub fn least_bytes(&self) -> u64 {
        (self.bytes)(self.least())
    }

    /// Whether the set is one device that has room for the whole product.
    pub fn is_whole(&self, set: &DeviceSet) -> bool {
        matches!(set.devices(), [device] if (self.bytes)(self.product) <= device.usable_bytes())
    }

    /// The largest tiles that fit, with many columns of the second factor rather than many rows of the first, and as many as keep all
    /// lanes busy.
    ///
    /// # Errors
    /// [`NoRoom`] for the smallest tile.
    pub fn planned(&self, set: &DeviceSet) -> Result<ProductTiles, NoRoom> {
        let room = set.room(self.least_bytes(), None)?;
        let tile = self.within(room.lane_bytes, room.parts(TURNS) as u64);
        Ok(ProductTiles { product: self.product, tile, lanes: room.lanes })
    }

    fn within(&self, room: u64, parts: u64) -> Sides {
        let Sides { rows, inner, columns } = self.product;
        let mut tile = Sides { rows: rows.max(1), inner, columns: columns.max(1) };
        for least in [self.side, 1] {
            while (self.bytes)(tile) > room {
                let side = if tile.rows > least {
                    &mut tile.rows
                } else if tile.columns > least {
                    &mut tile.columns
                } else if self.cuts_sums && tile.inner > least {
                    &mut tile.inner
                } else {
                    break;
                };
                *side = self.halved(*side);
            }
        }
        let tiles = |tile: Sides| rows.div_ceil(tile.rows).saturating_mul(columns.div_ceil(tile.columns));
        while tiles(tile) < parts && tile.rows.max(tile.columns) > self.side {
            let side = if tile.rows >= tile.columns { &mut tile.rows } else { &mut tile.columns };
            *side = self.halved(*side);
        }
        tile
    }

    /// Half of a side, whole tiles of kernels where it is long.
    fn halved(&self, side: u64) -> u64 {
        let half = side.div_ceil(2);
        if half > self.side / 2 { half.next_multiple_of((self.side / 8).max(1)).min(side - 1) } else { half }
    }
}

impl ProductTiles {
    /// Tiles one below the other.
    pub fn down(&self) -> u64 {
        self.product.rows.div_ceil(self.tile.rows.max(1))
    }

    /// Tiles side by side.
    pub fn across(&self) -> u64 {
        self.product.columns.div_ceil(self.tile.columns.max(1))
    }

    /// Rows and columns of a tile by its number: one column of tiles after the other, since those of a range then read the same columns
    /// of the second factor.
    pub fn place(&self, at: usize) -> (Range<u64>, Range<u64>) {
        let part = |at: u64, side: u64, all: u64| (at * side).min(all)..((at + 1) * side).min(all);
        let (i, j) = (at as u64 % self.down().max(1), at as u64 / self.down().max(1));
        (part(i, self.tile.rows, self.product.rows), part(j, self.tile.columns, self.product.columns))
    }

    /// Parts of the product that come in rows of tiles, by the numbers of the tiles.
    pub fn in_order<P>(&self, rows: Vec<Vec<P>>) -> Vec<P> {
        let mut rows: Vec<_> = rows.into_iter().map(Vec::into_iter).collect();
        (0..self.across()).flat_map(|_| rows.iter_mut().filter_map(Iterator::next).collect::<Vec<P>>()).collect()
    }
}

impl fmt::Display for ProductTiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (down, across, Sides { rows, inner, columns }) = (self.down(), self.across(), self.tile);
        let lanes = self.lanes;
        write!(f, "in {down} by {across} tiles of {rows} rows and {columns} columns on {lanes} lanes of each device")?;
        let steps = self.product.inner.div_ceil(inner.max(1));
        if steps > 1 {
            write!(f, ", sums in {steps} steps of {inner} terms")?;
        }
        let times = if across == 1 { "once".to_owned() } else { format!("{across} times") };
        write!(f, ": each entry of the first matrix goes there {times}")
    }
}

#[cfg(test)]
mod tests {
    use manycore_device::{Control, Device};

    use super::*;

    fn bytes(sides: Sides) -> u64 {
        let Sides { rows, inner, columns } = sides;
        4 * (rows * inner + inner * columns + rows * columns) + 4096
    }

    fn tiling(rows: u64, inner: u64, columns: u64) -> Tiling<'static> {
        Tiling { product: Sides { rows, inner, columns }, side: 512, cuts_sums: true, bytes: &bytes }
    }

    #[test]
    fn tiles_fit_and_are_enough() {
        for (rows, inner, columns) in [(1, 1, 1), (2, 100_000, 3), (5000, 5000, 5000), (1, 1, 1 << 20), (1 << 20, 7, 1)]
        {
            let tiling = tiling(rows, inner, columns);
            for room in [5000u64, 100_000, 1 << 20, 1 << 26, u64::MAX] {
                for parts in [1, 6, 12] {
                    let tile = tiling.within(room, parts);
                    assert!(bytes(tile) <= room, "{tile:?} in {room}");
                    assert!(tile.rows > 0 && tile.inner > 0 && tile.columns > 0);
                    let tiles = rows.div_ceil(tile.rows) * columns.div_ceil(tile.columns);
                    assert!(tiles >= parts || tile.rows.max(tile.columns) <= 512, "{tile:?}");
                }
            }
        }
        // Rows of the first factor are cut before columns of the second, and those before sums.
        let tile = tiling(8192, 8192, 8192).within(500 << 20, 1);
        assert_eq!((tile.inner, tile.columns), (8192, 8192));
        let tile = tiling(8192, 8192, 8192).within(100 << 20, 1);
        assert_eq!((tile.rows, tile.inner), (512, 8192));
    }

    #[test]
    fn sums_stay_whole_where_they_are_not_to_be_cut() {
        let tiling = Tiling { cuts_sums: false, ..tiling(5000, 3000, 5000) };
        for room in [tiling.least_bytes(), 1 << 20, 1 << 26] {
            let tile = tiling.within(room, 6);
            assert!(tile.inner == 3000 && bytes(tile) <= room, "{tile:?}");
        }
        let set = DeviceSet::from(Device::host());
        let limited = |bytes| Control::new().with_limit_bytes(bytes).run(|| tiling.planned(&set));
        assert!(limited(tiling.least_bytes() - 1).is_err());
        let tiles = limited(1 << 20).ok();
        assert!(tiles.is_some_and(|tiles| tiles.to_string().contains("tiles of")), "{tiles:?}");
    }

    #[test]
    fn numbers_of_tiles_go_down_first() {
        let product = Sides { rows: 5, inner: 1, columns: 3 };
        let tiles = ProductTiles { product, tile: Sides { rows: 2, inner: 1, columns: 2 }, lanes: 1 };
        let rows = vec![vec![(0, 0), (0, 2)], vec![(2, 0), (2, 2)], vec![(4, 0), (4, 2)]];
        for (at, (row, column)) in tiles.in_order(rows).into_iter().enumerate() {
            let (rows, columns) = tiles.place(at);
            assert_eq!((rows.start, columns.start), (row, column));
            assert_eq!((rows.end, columns.end), ((row + 2).min(5), (column + 2).min(3)));
        }
    }
}
