//! The tiles that a device takes: candidates of a choice, and whether a given one fits.

use manycore_device::{DeviceError, DeviceKind, OpenCl};

use super::assembly::Halves;
use super::extrema::Extrema;
use super::plan::ProductTile;
use crate::algebra::Algebra;

/// Items, registers and depth of a tile.
type Sizes = ((u32, u32), (u32, u32), u32);

/// Words of 32 bits of a work-item's registers, at most: for its sums and factors, and in candidates for reads that wait, too.
const MOST_WORDS: usize = 176;

/// Tiles for GPUs, for GPUs and CPUs, and for devices with small groups.
const LARGE: [Sizes; 6] = [
    ((8, 16), (8, 8), 16),
    ((16, 16), (4, 8), 16),
    ((8, 16), (8, 8), 8),
    ((8, 8), (8, 8), 8),
    ((16, 16), (4, 4), 16),
    ((8, 16), (4, 4), 16),
];
const MIDDLE: [Sizes; 3] = [((8, 8), (4, 4), 16), ((8, 8), (4, 4), 8), ((8, 8), (2, 2), 8)];
const SMALL: [Sizes; 3] = [((4, 4), (1, 1), 4), ((2, 2), (1, 1), 4), ((1, 1), (1, 1), 4)];

impl ProductTile {
    /// The tiles that are candidates on a device for these operations: the small ones only where no other fits.
    pub(crate) fn candidates(cl: &OpenCl, algebra: &Algebra) -> Result<Vec<Self>, DeviceError> {
        // Items of a CPU are turns of a loop: sums of larger groups leave its nearest cache.
        let is_gpu = cl.info().kind == DeviceKind::Gpu;
        let usual = if is_gpu { [&LARGE[..], &MIDDLE[..]].concat() } else { MIDDLE[1..].to_vec() };
        let mut found = Vec::new();
        for list in [usual, SMALL.to_vec()] {
            for (items, registers, depth) in list {
                for steps in 1..=if algebra.is_exact && is_gpu { 2 } else { 1 } {
                    let extrema = is_gpu && Extrema::of(algebra).is_some();
                    let halves = is_gpu && Halves::of(algebra).is_some();
                    // Two columns at once are better than two steps.
                    if halves && steps == 2 {
                        continue;
                    }
                    let tile = Self { items, registers, depth, double_buffer: is_gpu, steps, extrema, halves };
                    let is_small = registers == (1, 1);
                    if (is_small || tile.item_words(algebra) <= MOST_WORDS) && tile.fits(cl, algebra)? {
                        found.push(tile);
                    }
                }
            }
            if !found.is_empty() {
                break;
            }
        }
        Ok(found)
    }

    /// Whether the device has room for the tile, which is one at all and keeps the bits.
    pub(crate) fn fits(self, cl: &OpenCl, algebra: &Algebra) -> Result<bool, DeviceError> {
        const MOST_ITEMS: u32 = 1 << 10;
        const MOST_REGISTERS: u32 = 16;
        let sizes = [self.items.0, self.items.1, self.depth];
        if sizes.into_iter().any(|size| size == 0 || size > MOST_ITEMS)
            || [self.registers.0, self.registers.1].into_iter().any(|count| count == 0 || count > MOST_REGISTERS)
            || (self.extrema && (self.steps == 2 || Extrema::of(algebra).is_none()))
            || (self.halves && (self.steps == 2 || Halves::of(algebra).is_none()))
            || !(self.registers.0.is_power_of_two() && self.registers.1.is_power_of_two())
            || !(self.steps == 1 || (self.steps == 2 && algebra.is_exact && self.depth.is_multiple_of(2)))
        {
            return Ok(false);
        }
        let (rows, columns) = (self.registers.0 as usize, self.registers.1 as usize);
        let words = |kinds: &[_]| Algebra::bytes(kinds).1.div_ceil(4);
        let registers =
            rows * columns * words(algebra.sums()) + rows * words(algebra.left()) + columns * words(algebra.right());
        let is_small = rows * columns == 1;
        Ok((is_small || registers <= MOST_WORDS)
            && self.local_bytes(algebra) <= cl.local_limit_bytes()?
            && self.group() <= cl.info().group_limit)
    }
}
