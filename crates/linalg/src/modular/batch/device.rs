//! Determinants of many small matrices in one launch, a group for each.

use manycore_device::{Buffer, Defines, OpenCl};

use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::modular::algebra::LinearAlgebra;

// SAFETY: this file alone launches it, with as many matrices as groups, of an order that local memory holds.
manycore_device::kernel! {
    /// Determinants within local memory.
    unsafe DETERMINANTS in manycore_kernels::linalg::DETERMINANTS: determinants
}

/// Local memory that is left for what a kernel has beside its matrix.
const BESIDE_BYTES: usize = 64;

/// How a group has a matrix in local memory.
pub(crate) struct Local {
    /// The order of the matrices.
    pub(crate) order: usize,
    /// Items of a group.
    pub(crate) group: usize,
    /// Entries that there is room for.
    capacity: usize,
}

impl Local {
    /// The groups for matrices of an order above 0 with entries of a size; `None` where they do not fit local memory.
    pub(crate) fn new(cl: &OpenCl, order: usize, entry_bytes: usize) -> Result<Option<Self>, LinalgError> {
        let limit = cl.local_limit_bytes()?;
        let fits = |entries: usize| entries.saturating_mul(entry_bytes).saturating_add(BESIDE_BYTES) <= limit;
        let entries = order.saturating_mul(order);
        if !fits(entries) {
            return Ok(None);
        }
        // Few capacities, so that few programs are built.
        let capacity = if order <= 16 { 256 } else { entries.next_multiple_of(1024) };
        let capacity = if fits(capacity) { capacity } else { entries };
        let group = (entries / 8).next_power_of_two().clamp(16, 256).min(cl.info().group_limit);
        Ok(Some(Self { order, group, capacity }))
    }

    /// The definitions that kernels are built with.
    pub(crate) fn defines<F: MatrixField>(&self, space: &LinearAlgebra<F>) -> Defines {
        let Self { group, capacity, .. } = self;
        space.defines().set("GROUP", format!("{group}u")).set("CAPACITY", format!("{capacity}u"))
    }
}

/// `out[k]` becomes the determinant of matrix `k`.
pub(super) fn determinants<F: MatrixField>(
    space: &LinearAlgebra<F>,
    cl: &OpenCl,
    local: &Local,
    a: &Buffer<F::Element>,
    out: &mut Buffer<F::Element>,
) -> Result<(), LinalgError> {
    let order = local.order;
    let kernel = space.kernel(cl, &DETERMINANTS, local.defines(space))?;
    let (p, reciprocal) = space.modulus();
    let count = out.len();
    cl.launch(&kernel)
        .input(a)
        .value(order as u32)
        .buffer(out)
        .value(p)
        .value(reciprocal)
        .groups(count, local.group)
        .bytes((a.len() * size_of::<F::Element>()) as u64)
        .operations((2 * count * order * order * order / 3) as u64)
        .run()?;
    Ok(())
}
