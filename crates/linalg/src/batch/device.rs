//! Determinants of many small matrices in one launch, a group for each.

use manycore_device::{Buffer, OpenCl};

use crate::algebra::LinearAlgebra;
use crate::error::LinalgError;
use crate::field::MatrixField;

manycore_device::kernel! {
    /// Determinants within local memory.
    DETERMINANTS in manycore_kernels::DETERMINANTS: determinants(
        a: input<element>, order: u32, out: buffer<element>, p: element, reciprocal: u64
    )
}

/// Local memory that is left for what a kernel has beside its matrix.
const BESIDE_BYTES: usize = 64;

/// Whether the matrices, of an order above 0, fit local memory; then `out[k]` becomes the determinant of matrix `k`.
pub(super) fn determinants<F: MatrixField>(
    space: &LinearAlgebra<F>,
    cl: &OpenCl,
    a: &Buffer<F::Element>,
    order: usize,
    out: &mut Buffer<F::Element>,
) -> Result<bool, LinalgError> {
    let bytes = order.saturating_mul(order).saturating_mul(size_of::<F::Element>());
    if bytes.saturating_add(BESIDE_BYTES) > cl.local_limit_bytes()? {
        return Ok(false);
    }
    // Few capacities, so that few programs are built.
    let capacity = if order <= 16 { 256 } else { (order * order).next_multiple_of(1024) };
    let capacity = if capacity * size_of::<F::Element>() + BESIDE_BYTES > cl.local_limit_bytes()? {
        order * order
    } else {
        capacity
    };
    let group = (order * order / 8).next_power_of_two().clamp(16, 256).min(cl.info().group_limit);
    let defines = space.defines().set("GROUP", format!("{group}u")).set("CAPACITY", format!("{capacity}u"));
    let kernel = space.kernel(cl, &DETERMINANTS, defines)?;
    let (p, reciprocal) = space.modulus();
    let count = out.len();
    cl.launch(&kernel)
        .input(a)
        .value(order as u32)
        .buffer(out)
        .value(p)
        .value(reciprocal)
        .groups(count, group)
        .bytes((a.len() * size_of::<F::Element>()) as u64)
        .operations((2 * count * order * order * order / 3) as u64)
        .run()?;
    Ok(true)
}
