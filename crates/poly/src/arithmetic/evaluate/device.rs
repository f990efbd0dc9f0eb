//! Sums of products of blocks of coefficients on an OpenCL device: one launch, and the sums read back.

use manycore_device::OpenCl;

use super::cost::log_group;
use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

// SAFETY: `project` alone launches it, with as many rows of a block in the table as its arguments say, and memory for a
// sum of each block and row.
manycore_device::kernel! {
    /// Sums of products of blocks with rows of a table.
    unsafe PROJECT in manycore_kernels::poly::PROJECT: project
}

pub(super) fn project<F: PolyField>(
    ring: &PolyRing<F>,
    cl: &OpenCl,
    f: &Poly<F>,
    table: &[F::Element],
    log_block: u32,
    rows: usize,
) -> Result<Vec<F::Element>, PolyError> {
    let blocks = f.len().div_ceil(1 << log_block);
    if blocks * rows == 0 {
        return Ok(Vec::new());
    }
    let log_group = log_group(log_block, cl.info().group_limit);
    let defines = ring.defines().set("LOG_GROUP", log_group).set("SUM_TERMS", ring.sum_terms());
    let kernel = ring.planner().kernel(cl, &PROJECT, defines)?;
    let (p, reciprocal) = ring.modulus();
    let table = ring.device().upload(table)?;
    let mut sums = ring.device().scratch::<F::Element>(blocks * rows)?;
    cl.launch(&kernel)
        .input(&f.buffer)
        .value(0u64)
        .value(f.len() as u64)
        .input(&table)
        .value(log_block)
        .value(rows as u32)
        .buffer(&mut sums)
        .value(p)
        .value(reciprocal)
        .groups(blocks * rows, 1 << log_group)
        .bytes((f.len() * size_of::<F::Element>()) as u64)
        .operations((f.len() * rows) as u64)
        .run()?;
    Ok(sums.download()?)
}
