//! Condensation on an OpenCL device: two launches a step, and nothing read back before the end.

use manycore_device::{Buffer, OpenCl};

use crate::block::GROUP;
use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::modular::algebra::LinearAlgebra;

// SAFETY: this file alone launches them, on square matrices of the orders in their arguments; the columns of pivots
// that kernels read are those of the step before, or past the end, for which nothing is done.
manycore_device::kernel! {
    /// Finds the pivot of a step.
    unsafe CONDENSE_PIVOT in manycore_kernels::linalg::CONDENSE: condense_pivot

    /// A step.
    unsafe CONDENSE_STEP in manycore_kernels::linalg::CONDENSE: condense_step
}

/// Rows that an item makes.
const BAND: usize = 4;

/// Columns and values of the pivots, for `order > 0`; none from the step on whose first row is zero.
pub(super) fn condense<F: MatrixField>(
    space: &LinearAlgebra<F>,
    cl: &OpenCl,
    a: &Buffer<F::Element>,
    order: usize,
) -> Result<Vec<(usize, F::Element)>, LinalgError> {
    let device = space.device();
    let group = GROUP.min(cl.info().group_limit);
    let defines = space.defines().set("GROUP", format!("{group}u")).set("BAND", format!("{BAND}u"));
    let find = space.kernel(cl, &CONDENSE_PIVOT, defines.clone())?;
    let condense = space.kernel(cl, &CONDENSE_STEP, defines)?;
    let (p, reciprocal) = space.modulus();
    let mut columns = device.zeros::<u32>(order)?;
    let mut values = device.zeros::<F::Element>(order)?;
    let less = (order - 1) * (order - 1);
    let mut buffers = [device.scratch::<F::Element>(less)?, device.scratch::<F::Element>(less)?];
    for step in 0..order {
        let n = order - step;
        // The first step reads the matrix; then the buffers change places.
        let [target, source] = &mut buffers;
        let from = if step == 0 { a } else { &*source };
        cl.launch(&find)
            .input(from)
            .value(n as u32)
            .value(step as u32)
            .buffer(&mut columns)
            .buffer(&mut values)
            .groups(1, group)
            .run()?;
        if n > 1 {
            cl.launch(&condense)
                .input(from)
                .buffer(target)
                .value(n as u32)
                .value(step as u32)
                .input(&columns)
                .value(p)
                .value(reciprocal)
                .groups((n - 1).div_ceil(group) * (n - 1).div_ceil(BAND), group)
                .bytes((2 * n * n * size_of::<F::Element>()) as u64)
                .operations((2 * n * n) as u64)
                .run()?;
        }
        buffers.swap(0, 1);
    }
    let found = columns.download()?.into_iter().zip(values.download()?).zip((1..=order).rev());
    let real = found.take_while(|&((column, _), n)| (column as usize) < n);
    Ok(real.map(|((column, value), _)| (column as usize, value)).collect())
}
