//! Words of rows that products do not make, on OpenCL devices: a launch each.

use manycore_device::{Buffer, OpenCl};

use super::rows::Rows;
use crate::error::PolyError;
use crate::poly::PolyField;
use crate::ring::PolyRing;

// SAFETY: `rows` and `horner` alone launch them, on levels of one tree, all of which have the words of its points,
// filled up to a power of two.
manycore_device::kernel! {
    /// Words of rows.
    unsafe TREE_ROWS in manycore_kernels::poly::TREE_REMAINDERS: tree_rows

    /// Values of rows at points.
    unsafe TREE_HORNER in manycore_kernels::poly::TREE_REMAINDERS: tree_horner
}

/// Items of a group.
const GROUP: usize = 256;

pub(super) fn rows<F: PolyField>(
    ring: &PolyRing<F>,
    cl: &OpenCl,
    rows: Rows,
    [a, b, c]: [&Buffer<F::Element>; 3],
    log_words: u32,
    out: &mut Buffer<F::Element>,
) -> Result<(), PolyError> {
    let (operation, side) = match rows {
        Rows::ReversedHalf => (0, 0),
        Rows::Reversed => (1, 0),
        Rows::ReversedMonic => (2, 0),
        Rows::NextWords => (3, 0),
        Rows::Joined => (4, 0),
        Rows::Remainder { side } => (5, side),
        Rows::EveryOther { side } => (6, side),
    };
    // Remainders are written to every other row.
    let count = if matches!(rows, Rows::Remainder { .. }) { out.len() / 2 } else { out.len() };
    let group = GROUP.min(cl.info().group_limit);
    let defines = ring.defines().set("OPERATION", operation).set("GROUP", group);
    let kernel = ring.planner().kernel(cl, &TREE_ROWS, defines)?;
    let (p, reciprocal) = ring.modulus();
    cl.launch(&kernel)
        .input(a)
        .input(b)
        .input(c)
        .buffer(&mut *out)
        .value(log_words)
        .value(side)
        .value(count as u64)
        .value(p)
        .value(reciprocal)
        .items(count, group)
        .bytes(3 * (count * size_of::<F::Element>()) as u64)
        .operations(count as u64)
        .run()?;
    Ok(())
}

pub(super) fn horner<F: PolyField>(
    ring: &PolyRing<F>,
    cl: &OpenCl,
    rows: &Buffer<F::Element>,
    points: &Buffer<F::Element>,
    log_words: u32,
    values: &mut Buffer<F::Element>,
) -> Result<(), PolyError> {
    let count = points.len();
    if count == 0 {
        return Ok(());
    }
    let group = GROUP.min(cl.info().group_limit);
    let defines = ring.defines().set("GROUP", group);
    let kernel = ring.planner().kernel(cl, &TREE_HORNER, defines)?;
    let (p, reciprocal) = ring.modulus();
    cl.launch(&kernel)
        .input(rows)
        .input(points)
        .buffer(&mut *values)
        .value(log_words)
        .value(count as u64)
        .value(p)
        .value(reciprocal)
        .items(count, group)
        .bytes(3 * (count * size_of::<F::Element>()) as u64)
        .operations((count << log_words) as u64)
        .run()?;
    Ok(())
}
