//! Matrices of bits on an OpenCL device: a launch for each operation.

use manycore_device::{Buffer, Defines, DeviceError, DeviceKind, Kernel, OpenCl};

use super::algebra::BitAlgebra;
use super::matrix::{BITS, words_per_row};
use super::plan::{BitTables, LANES};
use crate::block::{Block, BlockArguments as _, GROUP};
use crate::error::LinalgError;

// SAFETY: the functions of this file alone launch them, with blocks that lie in their matrices and fit each other,
// tables that fit the device, and swaps of rows that there are.
manycore_device::kernel! {
    /// Products.
    unsafe BITS_PRODUCT in manycore_kernels::linalg::BITS_PRODUCT: bits_product

    /// Products by tables.
    unsafe BITS_TABLES in manycore_kernels::linalg::BITS_TABLES: bits_product_tables

    /// Copies of blocks.
    unsafe BITS_COPY in manycore_kernels::linalg::BITS_ROWS: bits_copy

    /// Sums.
    unsafe BITS_ADD in manycore_kernels::linalg::BITS_ROWS: bits_add

    /// Exchanges of rows.
    unsafe BITS_SWAP in manycore_kernels::linalg::BITS_ROWS: bits_swap

    /// Transposes.
    unsafe BITS_TRANSPOSE in manycore_kernels::linalg::BITS_ROWS: bits_transpose
}

/// Bytes of a word.
const WORD: usize = size_of::<u64>();

/// The side of tiles: the largest that the device has groups and local memory for, a smaller one where items are no threads.
pub(super) fn side(cl: &OpenCl) -> Result<usize, DeviceError> {
    let (largest, local_bytes) = (cl.info().group_limit, cl.local_limit_bytes()?);
    let wide = if cl.info().kind == DeviceKind::Gpu { 16 } else { 8 };
    let fits = |side: &usize| side * side <= largest && BITS * side * WORD <= local_bytes;
    Ok([wide, 8, 4, 2].into_iter().find(fits).unwrap_or(1))
}

pub(super) fn add_product(
    space: &BitAlgebra,
    cl: &OpenCl,
    (a, left): (&Buffer<u64>, Block),
    (b, right): (&Buffer<u64>, Block),
    (out, target): (&mut Buffer<u64>, Block),
) -> Result<(), LinalgError> {
    let side = side(cl)?;
    let kernel = space.kernel(cl, &BITS_PRODUCT, Defines::new().set("SIDE", format!("{side}u")))?;
    let groups = target.rows.div_ceil(side) * target.columns.div_ceil(side);
    launch(cl, &kernel, (a, left), (b, right), (out, target), (groups, side * side))
}

/// Adds a product of matrices of bits by tables in local memory.
pub(super) fn add_product_by_tables(
    space: &BitAlgebra,
    cl: &OpenCl,
    tables: BitTables,
    (a, left): (&Buffer<u64>, Block),
    (b, right): (&Buffer<u64>, Block),
    (out, target): (&mut Buffer<u64>, Block),
) -> Result<(), LinalgError> {
    let lines = BitTables::lines(cl);
    let defines = Defines::new()
        .set("BITS", format!("{}u", tables.bits))
        .set("LINES", format!("{lines}u"))
        .set("REGS", format!("{}u", tables.rows));
    let kernel = space.kernel(cl, &BITS_TABLES, defines)?;
    let bands = target.rows.div_ceil(lines * tables.rows as usize);
    let groups = bands * target.columns.div_ceil(2 * LANES);
    launch(cl, &kernel, (a, left), (b, right), (out, target), (groups, lines * LANES))
}

/// A launch of products by `groups` groups of `group` items.
fn launch(
    cl: &OpenCl,
    kernel: &Kernel,
    (a, left): (&Buffer<u64>, Block),
    (b, right): (&Buffer<u64>, Block),
    (out, target): (&mut Buffer<u64>, Block),
    (groups, group): (usize, usize),
) -> Result<(), LinalgError> {
    let (rows, inner, words) = (target.rows, right.rows, target.columns);
    cl.launch(kernel)
        .input_block(a, left)
        .input_block(b, right)
        .output_block(out, target)
        .value(rows as u32)
        .value(inner as u32)
        .value(words as u32)
        .groups(groups, group)
        .bytes(((rows * left.columns + inner * words + 2 * rows * words) * WORD) as u64)
        .operations(rows as u64 * inner as u64 * words as u64)
        .run()?;
    Ok(())
}

pub(super) fn copy(
    space: &BitAlgebra,
    cl: &OpenCl,
    (from, source): (&Buffer<u64>, Block),
    (to, target): (&mut Buffer<u64>, Block),
) -> Result<(), LinalgError> {
    let (group, defines) = defines(cl);
    let kernel = space.kernel(cl, &BITS_COPY, defines)?;
    let count = source.rows * source.columns;
    cl.launch(&kernel)
        .input_block(from, source)
        .output_block(to, target)
        .value(source.rows as u32)
        .value(source.columns as u32)
        .items(count, group)
        .bytes((2 * count * WORD) as u64)
        .run()?;
    Ok(())
}

pub(super) fn add(
    space: &BitAlgebra,
    cl: &OpenCl,
    a: &Buffer<u64>,
    b: &Buffer<u64>,
    out: &mut Buffer<u64>,
) -> Result<(), LinalgError> {
    let (group, defines) = defines(cl);
    let kernel = space.kernel(cl, &BITS_ADD, defines)?;
    let count = a.len();
    cl.launch(&kernel)
        .input(a)
        .input(b)
        .buffer(out)
        .value(count as u64)
        .items(count, group)
        .bytes((3 * count * WORD) as u64)
        .operations(count as u64)
        .run()?;
    Ok(())
}

pub(super) fn swap(
    space: &BitAlgebra,
    cl: &OpenCl,
    a: &mut Buffer<u64>,
    words: usize,
    first: usize,
    swaps: &[u32],
) -> Result<(), LinalgError> {
    let (group, defines) = defines(cl);
    let kernel = space.kernel(cl, &BITS_SWAP, defines)?;
    let swaps = space.device().upload(swaps)?;
    let rows = a.len() / words.max(1) - first;
    cl.launch(&kernel)
        .buffer(a)
        .value(words as u32)
        .value(first as u32)
        .value(rows as u32)
        .input(&swaps)
        .value(swaps.len() as u32)
        .items(words, group)
        .bytes((4 * swaps.len() * words * WORD) as u64)
        .run()?;
    Ok(())
}

pub(super) fn transpose(
    space: &BitAlgebra,
    cl: &OpenCl,
    a: &Buffer<u64>,
    (rows, columns): (usize, usize),
    out: &mut Buffer<u64>,
) -> Result<(), LinalgError> {
    let (group, defines) = defines(cl);
    let kernel = space.kernel(cl, &BITS_TRANSPOSE, defines)?;
    let count = columns * words_per_row(rows);
    cl.launch(&kernel)
        .input(a)
        .buffer(out)
        .value(rows as u32)
        .value(columns as u32)
        .items(count, group)
        .bytes((2 * count * WORD) as u64)
        .run()?;
    Ok(())
}

/// The items of a group, and the definitions of kernels on rows.
fn defines(cl: &OpenCl) -> (usize, Defines) {
    let group = GROUP.min(cl.info().group_limit);
    (group, Defines::new().set("GROUP", format!("{group}u")))
}
