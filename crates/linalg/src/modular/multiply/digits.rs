//! Products of matrices on an OpenCL device by digits of 8 bits: on NVIDIA's tensor cores from compute capability 8.0 on,
//! elsewhere in the same order and slow.

use std::ops::Range;

use manycore_device::{Buffer, OpenCl};
use manycore_field::Arithmetic;

use super::shape::Store;
use crate::block::{Block, BlockArguments as _};
use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::modular::algebra::LinearAlgebra;

// SAFETY: `part` alone launches it, with blocks that lie in their matrices and fit each other.
manycore_device::kernel! {
    /// Products of matrices by digits.
    unsafe PRODUCT_DIGITS in manycore_kernels::linalg::PRODUCT_DIGITS: product_digits
}

/// Items of a group.
pub(super) const GROUP: usize = 256;

/// Digits of residues, and the tile of a group.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    pub(super) digits: usize,
    /// Tiles of 16 rows of a warp, and of 8 columns.
    pub(super) tiles: (usize, usize),
    /// Warps along the rows of a group's tile, and along its columns.
    warps: (usize, usize),
}

impl Shape {
    /// As many tiles as a warp has registers for: `4 (2 digits - 1)` words of an item for each tile.
    pub(super) fn of(p: u64) -> Self {
        let digits = (u64::BITS - (p - 1).leading_zeros()).div_ceil(8).max(1) as usize;
        let (tiles, warps) = match digits {
            1 => ((4, 4), (2, 4)),
            2 => ((2, 4), (2, 4)),
            3 | 4 => ((2, 2), (2, 4)),
            _ => ((1, 2), (4, 2)),
        };
        Self { digits, tiles, warps }
    }

    pub(super) fn rows(self) -> usize {
        16 * self.tiles.0 * self.warps.0
    }

    pub(super) fn columns(self) -> usize {
        8 * self.tiles.1 * self.warps.1
    }

    /// The most products whose sum 32 bits hold for sure, in whole rounds.
    pub(super) fn terms(self) -> usize {
        ((1 << 32) / (self.digits * 255 * 255)) / 32 * 32
    }

    /// Bytes of local memory: two rounds of 32 columns and rows.
    pub(super) fn local_bytes(self) -> usize {
        2 * self.digits * (self.rows() + self.columns()) * 32
    }
}

/// Whether the device has tensor cores that the kernel asks for.
pub(crate) fn has_tensor_cores(cl: &OpenCl) -> bool {
    cl.info().compute_capability().is_some_and(|capability| capability >= 80)
}

/// Whether the kernel runs for the prime on the device.
pub(crate) fn fits<F: MatrixField>(space: &LinearAlgebra<F>, cl: &OpenCl) -> Result<bool, LinalgError> {
    let shape = Shape::of(space.field().order());
    let is_integral = space.arithmetic() != Arithmetic::Floating;
    Ok(is_integral && GROUP <= cl.info().group_limit && shape.local_bytes() <= cl.local_limit_bytes()?)
}

pub(super) fn product<F: MatrixField>(
    space: &LinearAlgebra<F>,
    cl: &OpenCl,
    (a, left): (&Buffer<F::Element>, Block),
    (b, right): (&Buffer<F::Element>, Block),
    (out, target): (&mut Buffer<F::Element>, Block),
    store: Store,
) -> Result<(), LinalgError> {
    let terms = Shape::of(space.field().order()).terms();
    // Sums are taken as far as they hold.
    for first in (0..left.columns.max(1)).step_by(terms) {
        let inner = first..left.columns.min(first + terms);
        let store = if store == Store::Set && first > 0 { Store::Add } else { store };
        part(space, cl, (a, left), (b, right), (&mut *out, target), (inner, store))?;
    }
    Ok(())
}

/// The products of some columns of the first matrix and rows of the second.
fn part<F: MatrixField>(
    space: &LinearAlgebra<F>,
    cl: &OpenCl,
    (a, left): (&Buffer<F::Element>, Block),
    (b, right): (&Buffer<F::Element>, Block),
    (out, target): (&mut Buffer<F::Element>, Block),
    (inner, store): (Range<usize>, Store),
) -> Result<(), LinalgError> {
    let shape = Shape::of(space.field().order());
    let (left, right) = (left.part(0..left.rows, inner.clone()), right.part(inner.clone(), 0..right.columns));
    let number = |count: usize| format!("{count}u");
    let defines = space
        .defines()
        .set("DIGITS", number(shape.digits))
        .set("ROW_TILES", number(shape.tiles.0))
        .set("COLUMN_TILES", number(shape.tiles.1))
        .set("WARP_ROWS", number(shape.warps.0))
        .set("WARP_COLUMNS", number(shape.warps.1))
        .set("STORE", store.number());
    let kernel = space.kernel(cl, &PRODUCT_DIGITS, defines)?;
    let (p, reciprocal) = space.modulus();
    let (rows, columns) = (left.rows, right.columns);
    let words = rows * inner.len() + inner.len() * columns + rows * columns;
    cl.launch(&kernel)
        .input_block(a, left)
        .input_block(b, right)
        .output_block(out, target)
        .value(rows as u32)
        .value(inner.len() as u32)
        .value(columns as u32)
        .value(p)
        .value(reciprocal)
        .groups(rows.div_ceil(shape.rows()) * columns.div_ceil(shape.columns()), GROUP)
        .bytes((words * size_of::<F::Element>()) as u64)
        .operations(rows as u64 * inner.len() as u64 * columns as u64)
        .run()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_hold_the_prime_and_fill_groups() {
        for (p, digits) in [(2, 1), (251, 1), (257, 2), (65_537, 3), (469_762_049, 4), (2_147_483_647, 4), (1 << 40, 5)]
        {
            let shape = Shape::of(p);
            assert_eq!(shape.digits, digits, "{p}");
            assert_eq!(32 * shape.warps.0 * shape.warps.1, GROUP);
            assert!(shape.terms() * digits * 255 * 255 <= 1 << 32);
        }
        assert_eq!(Shape::of(4_611_686_009_971_671_041).local_bytes(), 48 << 10);
    }
}
