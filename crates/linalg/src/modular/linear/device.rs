//! The operations on entries on an OpenCL device: one launch each.

use manycore_device::OpenCl;

use super::host::Elementwise;
use crate::block::{GROUP, word_at};
use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::modular::algebra::LinearAlgebra;
use crate::modular::matrix::Matrix;

// SAFETY: the functions of this file alone launch them, with matrices of one shape, whose entries they count.
manycore_device::kernel! {
    /// Operations on entries one by one.
    unsafe ENTRIES_COMBINE in manycore_kernels::linalg::ENTRIES: entries_combine

    /// Transposes.
    unsafe ENTRIES_TRANSPOSE in manycore_kernels::linalg::ENTRIES: entries_transpose

    /// Whether words differ.
    unsafe ENTRIES_DIFFER in manycore_kernels::linalg::ENTRIES: entries_differ
}

pub(super) fn elementwise<F: MatrixField>(
    space: &LinearAlgebra<F>,
    cl: &OpenCl,
    operation: Elementwise<F::Element>,
    a: &Matrix<F>,
    b: &Matrix<F>,
    out: &mut Matrix<F>,
) -> Result<(), LinalgError> {
    let (number, c) = match operation {
        Elementwise::Add => (0, space.field().zero()),
        Elementwise::Subtract => (1, space.field().zero()),
        Elementwise::Scale(c) => (2, c),
    };
    let group = GROUP.min(cl.info().group_limit);
    let kernel = space.kernel(cl, &ENTRIES_COMBINE, space.defines().set("OPERATION", number).set("GROUP", group))?;
    let (p, reciprocal) = space.modulus();
    let count = a.buffer.len();
    cl.launch(&kernel)
        .input(&a.buffer)
        .input(&b.buffer)
        .buffer(&mut out.buffer)
        .value(count as u64)
        .value(c)
        .value(p)
        .value(reciprocal)
        .items(count, group)
        .bytes(3 * (count * size_of::<F::Element>()) as u64)
        .operations(count as u64)
        .run()?;
    Ok(())
}

pub(super) fn transpose<F: MatrixField>(
    space: &LinearAlgebra<F>,
    cl: &OpenCl,
    a: &Matrix<F>,
    out: &mut Matrix<F>,
) -> Result<(), LinalgError> {
    let group = GROUP.min(cl.info().group_limit);
    let kernel = space.kernel(cl, &ENTRIES_TRANSPOSE, space.defines().set("GROUP", group))?;
    let count = a.buffer.len();
    cl.launch(&kernel)
        .input(&a.buffer)
        .buffer(&mut out.buffer)
        .value(a.rows as u32)
        .value(a.columns as u32)
        .items(count, group)
        .bytes(2 * (count * size_of::<F::Element>()) as u64)
        .run()?;
    Ok(())
}

pub(super) fn equal<F: MatrixField>(
    space: &LinearAlgebra<F>,
    cl: &OpenCl,
    a: &Matrix<F>,
    b: &Matrix<F>,
) -> Result<bool, LinalgError> {
    let group = GROUP.min(cl.info().group_limit);
    let kernel = space.kernel(cl, &ENTRIES_DIFFER, space.defines().set("GROUP", group))?;
    let mut found = space.device().zeros::<u32>(1)?;
    let count = a.buffer.len();
    cl.launch(&kernel)
        .input(&a.buffer)
        .input(&b.buffer)
        .value(count as u64)
        .buffer(&mut found)
        .items(count, group)
        .bytes(2 * (count * size_of::<F::Element>()) as u64)
        .run()?;
    Ok(word_at(&found, 0)? == 0)
}
