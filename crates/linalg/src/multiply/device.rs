//! Products of matrices on an OpenCL device, by tiles in local memory.

use manycore_device::{Buffer, DeviceError, DeviceKind, OpenCl};

use super::Store;
use crate::algebra::LinearAlgebra;
use crate::block::Block;
use crate::error::LinalgError;
use crate::field::MatrixField;

manycore_device::kernel! {
    /// Products of matrices.
    MATRIX_PRODUCT in manycore_kernels::MATRIX_PRODUCT: matrix_product(
        a: input<element>, a_start: u64, a_stride: u64, b: input<element>, b_start: u64, b_stride: u64,
        out: buffer<element>, out_start: u64, out_stride: u64, rows: u32, inner: u32, columns: u32, p: element,
        reciprocal: u64
    )
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

impl ProductTile {
    /// The largest tile that the device has room for and a result with a shorter side of `short` entries fills.
    pub(crate) fn of(cl: &OpenCl, element_bytes: usize, short: usize) -> Result<Self, DeviceError> {
        let largest = if cl.info().kind == DeviceKind::Gpu { 16 } else { 8 };
        let all = [(16, 4, 16), (16, 2, 16), (8, 4, 8), (8, 2, 8), (8, 1, 8), (4, 1, 4), (2, 1, 4), (1, 1, 4)];
        let tiles = all.map(|(side, registers, depth)| Self { side, registers, depth });
        let filled = |tile: Self| ((tile.side * tile.registers) as usize) < 2 * short.max(8);
        for tile in tiles {
            if tile.side <= largest && filled(tile) && tile.fits(cl, element_bytes)? {
                return Ok(tile);
            }
        }
        Ok(Self { side: 1, registers: 1, depth: 4 })
    }

    /// Whether the device has room for the tile.
    pub(super) fn fits(self, cl: &OpenCl, element_bytes: usize) -> Result<bool, DeviceError> {
        let local = self.local_bytes(element_bytes) <= cl.local_limit_bytes()?;
        Ok(local && (self.side * self.side) as usize <= cl.info().group_limit)
    }

    /// Bytes of local memory.
    fn local_bytes(self, element_bytes: usize) -> usize {
        let tile = (self.side * self.registers) as usize;
        self.depth as usize * (2 * tile + 1) * element_bytes
    }
}

pub(super) fn product<F: MatrixField>(
    space: &LinearAlgebra<F>,
    cl: &OpenCl,
    tile: ProductTile,
    (a, left): (&Buffer<F::Element>, Block),
    (b, right): (&Buffer<F::Element>, Block),
    (out, target): (&mut Buffer<F::Element>, Block),
    store: Store,
) -> Result<(), LinalgError> {
    let defines = space
        .defines()
        .set("SIDE", format!("{}u", tile.side))
        .set("REGS", format!("{}u", tile.registers))
        .set("DEPTH", format!("{}u", tile.depth))
        .set("STORE", store.number())
        .set("SUM_TERMS", space.sum_terms());
    let kernel = space.kernel(cl, &MATRIX_PRODUCT, defines)?;
    let (p, reciprocal) = space.modulus();
    let (rows, inner, columns) = (left.rows, left.columns, right.columns);
    let (side, group) = ((tile.side * tile.registers) as usize, (tile.side * tile.side) as usize);
    let words = rows * inner + inner * columns + rows * columns;
    cl.launch(&kernel)
        .input(a)
        .value(left.start as u64)
        .value(left.stride as u64)
        .input(b)
        .value(right.start as u64)
        .value(right.stride as u64)
        .buffer(out)
        .value(target.start as u64)
        .value(target.stride as u64)
        .value(rows as u32)
        .value(inner as u32)
        .value(columns as u32)
        .value(p)
        .value(reciprocal)
        .groups(rows.div_ceil(side) * columns.div_ceil(side), group)
        .bytes((words * size_of::<F::Element>()) as u64)
        .operations(rows as u64 * inner as u64 * columns as u64)
        .run()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_count_both_factors_in_local_memory() {
        let tile = ProductTile { side: 16, registers: 4, depth: 16 };
        assert_eq!(tile.local_bytes(4), 16 * (64 + 65) * 4);
    }
}
