//! Inverses of small matrices in one launch, a group for each.

use manycore_device::{Buffer, OpenCl};

use super::squares::Squares;
use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::modular::algebra::LinearAlgebra;

// SAFETY: this file alone launches it, with squares that lie in their matrices, of an order that the tile holds.
manycore_device::kernel! {
    /// Inverses in registers.
    unsafe INVERSES in manycore_kernels::linalg::INVERSES: inverses
}

/// The items along each side of a group, and the entries of each along each side, for matrices of an order; `None` for those
/// that no group's registers hold.
pub(super) fn tile(cl: &OpenCl, order: usize) -> Option<(usize, usize)> {
    let tiles = [(4, 2), (8, 2), (8, 4), (16, 4), (8, 8), (16, 8)];
    tiles.into_iter().find(|&(side, each)| side * each >= order && side * side <= cl.info().group_limit)
}

/// The largest order of matrices that are inverted by a few entries of each item: 16 at most where groups have 256 items.
pub(super) fn most(cl: &OpenCl) -> usize {
    (1..=64).rev().find(|&order| tile(cl, order).is_some()).unwrap_or(1)
}

/// Whether groups hold the matrices; then inverses are written to `out`, determinants and numbers of pivots to `found` from a
/// word on.
pub(super) fn inverses<F: MatrixField>(
    space: &LinearAlgebra<F>,
    cl: &OpenCl,
    (a, squares): (&Buffer<F::Element>, Squares),
    out: &mut Buffer<F::Element>,
    (found, found_start): (&mut Buffer<F::Element>, usize),
) -> Result<bool, LinalgError> {
    let Some((side, each)) = tile(cl, squares.order) else { return Ok(false) };
    let defines = space
        .defines()
        .set("SIDE", format!("{side}u"))
        .set("REGS", format!("{each}u"))
        .set("MONTGOMERY", u8::from(space.has_montgomery_form()));
    let kernel = space.kernel(cl, &INVERSES, defines)?;
    let (p, reciprocal) = space.modulus();
    let words = squares.count * squares.order * squares.order;
    cl.launch(&kernel)
        .input(a)
        .value(squares.start as u64)
        .value(squares.stride as u64)
        .value(squares.step as u64)
        .value(squares.order as u32)
        .buffer(out)
        .buffer(found)
        .value(found_start as u64)
        .value(p)
        .value(reciprocal)
        .groups(squares.count, side * side)
        .bytes((2 * words * size_of::<F::Element>()) as u64)
        .operations((words * squares.order) as u64)
        .run()?;
    Ok(true)
}
