//! Algorithms of products, the parameters with which they run, and the choices made so far.

use std::fmt;

use manycore_device::{Cache, DeviceError, DeviceKind, OpenCl};
use manycore_tuning::Plans;

use super::shape::ProductShape;

/// How matrices are multiplied, as candidates are; the products are the same bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ProductPlan {
    /// On the host: tiles of sums in registers, from panels of the second matrix.
    Panels,
    /// On OpenCL devices by words, tile by tile in local memory.
    Words(ProductTile),
    /// On OpenCL devices by digits of 8 bits, on tensor cores where the device has them.
    Digits,
}

impl fmt::Display for ProductPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Panels => f.write_str("panels"),
            Self::Words(ProductTile { side, registers, depth }) => {
                write!(f, "words, {side} x {side} items, {registers} x {registers} entries each, depth {depth}")
            }
            Self::Digits => f.write_str("digits of 8 bits"),
        }
    }
}

/// The tile of the result that a group of items makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ProductTile {
    /// Items along each side.
    pub side: u32,
    /// Entries along each side of an item's part, so that the tile has `side * registers` rows and columns.
    pub registers: u32,
    /// Columns of the first matrix that are in local memory at a time.
    pub depth: u32,
}

/// Tiles of two warps of a GPU at least, and those for devices with smaller groups.
const TILES: [(u32, u32, u32); 5] = [(16, 4, 16), (16, 2, 16), (8, 4, 8), (8, 2, 8), (8, 1, 8)];
const SMALL_TILES: [(u32, u32, u32); 3] = [(4, 1, 4), (2, 1, 4), (1, 1, 4)];

impl ProductTile {
    /// The tiles that are candidates on a device, those with the most entries first: the small ones only where no other fits.
    pub(super) fn candidates(cl: &OpenCl, element_bytes: usize) -> Result<Vec<Self>, DeviceError> {
        // Items of a CPU are turns of a loop: sums of larger groups leave its nearest cache.
        let largest = if cl.info().kind == DeviceKind::Gpu { 16 } else { 8 };
        let mut found = Vec::new();
        for tiles in [&TILES[..], &SMALL_TILES[..]] {
            for &(side, registers, depth) in tiles {
                let tile = Self { side, registers, depth };
                if side <= largest && tile.fits(cl, element_bytes)? {
                    found.push(tile);
                }
            }
            if !found.is_empty() {
                break;
            }
        }
        Ok(found)
    }

    /// Whether the device has room for the tile, which is one at all.
    pub(super) fn fits(self, cl: &OpenCl, element_bytes: usize) -> Result<bool, DeviceError> {
        const MOST: u32 = 1 << 10;
        if [self.side, self.registers, self.depth].into_iter().any(|size| size == 0 || size > MOST) {
            return Ok(false);
        }
        let local = self.local_words() * element_bytes <= cl.local_limit_bytes()?;
        Ok(local && self.items() <= cl.info().group_limit)
    }

    /// Rows and columns of the tile.
    pub(super) const fn width(self) -> usize {
        (self.side * self.registers) as usize
    }

    /// Items of the group.
    pub(super) const fn items(self) -> usize {
        (self.side * self.side) as usize
    }

    /// Words of local memory.
    pub(super) const fn local_words(self) -> usize {
        self.depth as usize * (2 * self.width() + 1)
    }
}

/// Choices by shape, and those by estimates alone, which operations take that multiply many times.
#[derive(Debug)]
pub(crate) struct ProductChoices {
    pub(super) chosen: Plans<ProductShape, ProductPlan>,
    pub(super) estimated: Cache<ProductShape, ProductPlan>,
}

impl Default for ProductChoices {
    fn default() -> Self {
        Self { chosen: Plans::default(), estimated: Cache::at_most(1 << 12) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_count_both_factors_in_local_memory() {
        let tile = ProductTile { side: 16, registers: 4, depth: 16 };
        assert_eq!(tile.local_words(), 16 * (64 + 65));
        assert_eq!((tile.width(), tile.items()), (64, 256));
    }

    #[test]
    fn texts_tell_plans_apart() {
        let tiles = TILES.into_iter().chain(SMALL_TILES);
        let plans = tiles.map(|(side, registers, depth)| ProductPlan::Words(ProductTile { side, registers, depth }));
        let mut texts: Vec<String> =
            plans.chain([ProductPlan::Panels, ProductPlan::Digits]).map(|plan| plan.to_string()).collect();
        let count = texts.len();
        texts.sort();
        texts.dedup();
        assert_eq!(texts.len(), count);
    }
}
