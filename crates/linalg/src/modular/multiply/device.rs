//! Products of matrices on an OpenCL device, by tiles in local memory.

use manycore_device::{Buffer, OpenCl};

use super::plan::ProductTile;
use super::shape::Store;
use crate::block::{Block, BlockArguments as _};
use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::modular::algebra::LinearAlgebra;

// SAFETY: `product` alone launches it, with blocks that lie in their matrices and fit each other; the kernel guards
// tiles past their ends.
manycore_device::kernel! {
    /// Products of matrices.
    unsafe MATRIX_PRODUCT in manycore_kernels::linalg::PRODUCT: matrix_product
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
    let (side, group) = (tile.width(), tile.items());
    let words = rows * inner + inner * columns + rows * columns;
    cl.launch(&kernel)
        .input_block(a, left)
        .input_block(b, right)
        .output_block(out, target)
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
