//! Residues and determinants modulo primes on an OpenCL device: a launch for many primes.

use std::ops::Range;

use manycore_device::{Buffer, OpenCl};
use manycore_field::PrimeField;

use super::moduli::Moduli;
use crate::block::GROUP;
use crate::error::LinalgError;
use crate::modular::algebra::LinearAlgebra;
use crate::modular::batch;
use crate::modular::batch::panels::Panels;

// SAFETY: the functions of this file alone launch them, with whole integers, residues and matrices, and primes of a
// range of the list.
manycore_device::kernel! {
    /// Residues of integers.
    unsafe INTEGER_RESIDUES in manycore_kernels::linalg::INTEGER_RESIDUES: integer_residues

    /// Determinants within local memory, each modulo a prime of its own.
    unsafe DETERMINANTS_MODULO in manycore_kernels::linalg::DETERMINANTS: determinants_modulo

    /// Determinants by panels, each modulo a prime of its own.
    unsafe PANELS_MODULO in manycore_kernels::linalg::DETERMINANTS_PANELS: determinants_panels_modulo
}

/// `out[k count + e]` becomes integer `e` of `count > 0` modulo prime `k` of a range that is not empty. Word `l` of integer `e`,
/// in two's complement, stands at `l count + e`; there is at least one.
pub(super) fn residues(
    space: &LinearAlgebra<PrimeField<u32>>,
    cl: &OpenCl,
    (moduli, range): (&Moduli<'_>, Range<usize>),
    words: &Buffer<u64>,
    count: usize,
    out: &mut Buffer<u32>,
) -> Result<(), LinalgError> {
    let group = GROUP.min(cl.info().group_limit);
    let kernel = space.kernel(cl, &INTEGER_RESIDUES, space.defines().set("GROUP", format!("{group}u")))?;
    let operations = 2 * words.len() * range.len();
    let bytes = words.len() * size_of::<u64>() + out.len() * size_of::<u32>();
    cl.launch(&kernel)
        .input(words)
        .value((words.len() / count) as u32)
        .value(count as u64)
        .input(moduli.words())
        .value(range.start as u32)
        .value(range.len() as u32)
        .buffer(out)
        .items(count, group)
        .bytes(bytes as u64)
        .operations(operations as u64)
        .run()?;
    Ok(())
}

/// `out[k]` becomes the determinant modulo prime `k` of a range of matrix `k` of residues, of an order above 0 for which
/// [`batch::device::Local`] has room.
pub(super) fn determinants(
    space: &LinearAlgebra<PrimeField<u32>>,
    cl: &OpenCl,
    (moduli, range): (&Moduli<'_>, Range<usize>),
    local: &batch::device::Local,
    residues: &Buffer<u32>,
    out: &mut Buffer<u32>,
) -> Result<(), LinalgError> {
    let kernel = space.kernel(cl, &DETERMINANTS_MODULO, local.defines(space))?;
    let order = local.order;
    cl.launch(&kernel)
        .input(residues)
        .value(order as u32)
        .input(moduli.words())
        .value(range.start as u32)
        .buffer(out)
        .groups(range.len(), local.group)
        .bytes((residues.len() * size_of::<u32>()) as u64)
        .operations((2 * residues.len() * order / 3) as u64)
        .run()?;
    Ok(())
}

/// `out[k]` becomes the determinant modulo prime `k` of a range of matrix `k` of residues, which are lost.
pub(super) fn determinants_by_panels(
    space: &LinearAlgebra<PrimeField<u32>>,
    cl: &OpenCl,
    (moduli, range): (&Moduli<'_>, Range<usize>),
    panels: Panels,
    residues: &mut Buffer<u32>,
    out: &mut Buffer<u32>,
) -> Result<(), LinalgError> {
    let kernel = space.kernel(cl, &PANELS_MODULO, panels.defines(space))?;
    let words = residues.len();
    cl.launch(&kernel)
        .buffer(residues)
        .value(panels.order as u32)
        .input(moduli.words())
        .value(range.start as u32)
        .buffer(out)
        .groups(range.len(), panels.group())
        .bytes((words * size_of::<u32>()) as u64)
        .operations((2 * words * panels.order / 3) as u64)
        .run()?;
    Ok(())
}
