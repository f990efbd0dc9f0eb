//! Steps at the nodes of subproduct trees beside products, and the lowest levels, on OpenCL devices: a launch each.

use manycore_device::{Buffer, DeviceKind, OpenCl};

use super::level::Level;
use crate::error::PolyError;
use crate::poly::PolyField;
use crate::ring::PolyRing;

// SAFETY: the functions of this file alone launch them, on levels of one tree, all of which have the words of its
// points, filled up to a power of two; values are as many as points.
manycore_device::kernel! {
    /// The nodes of the lowest level.
    unsafe TREE_LEAVES in manycore_kernels::poly::TREE_LEAVES: tree_leaves

    /// Values at the points of the lowest nodes.
    unsafe TREE_VALUES in manycore_kernels::poly::TREE_LEAVES: tree_values

    /// Sums of interpolation at the lowest nodes.
    unsafe TREE_LEAF_SUMS in manycore_kernels::poly::TREE_LEAVES: tree_leaf_sums

    /// The terms of leading ones at nodes.
    unsafe TREE_JOIN in manycore_kernels::poly::TREE_NODES: tree_join

    /// The words of children.
    unsafe TREE_DESCEND in manycore_kernels::poly::TREE_NODES: tree_descend

    /// Inverses of many residues.
    unsafe TREE_INVERT in manycore_kernels::poly::TREE_WEIGHTS: tree_invert

    /// Products one by one.
    unsafe TREE_SCALE in manycore_kernels::poly::TREE_WEIGHTS: tree_scale
}

/// Items of a group that takes words one by one.
const GROUP: usize = 256;
/// Residues that an item inverts with one power.
const RUN: usize = 64;

/// The base-2 logarithm of the points of the lowest nodes that are kept: as many as a small group has items.
pub(super) fn log_leaf(cl: &OpenCl) -> u32 {
    let wanted = if cl.info().kind == DeviceKind::Gpu { 7 } else { 5 };
    wanted.min(cl.info().group_limit.max(1).ilog2())
}

fn words<F: PolyField>(level: &Level<F>) -> usize {
    level.left.len() + level.right.len()
}

pub(super) fn leaves<F: PolyField>(
    ring: &PolyRing<F>,
    cl: &OpenCl,
    log_leaf: u32,
    points: &Buffer<F::Element>,
    level: &mut Level<F>,
) -> Result<(), PolyError> {
    let defines = ring.defines().set("LOG_LEAF", log_leaf).set("SUM_TERMS", ring.sum_terms());
    let kernel = ring.planner().kernel(cl, &TREE_LEAVES, defines)?;
    let (p, reciprocal) = ring.modulus();
    let words = words(level);
    cl.launch(&kernel)
        .input(points)
        .value(points.len() as u64)
        .buffer(&mut level.left)
        .buffer(&mut level.right)
        .value(p)
        .value(reciprocal)
        .groups(words >> log_leaf, 1 << log_leaf)
        .bytes(2 * (words * size_of::<F::Element>()) as u64)
        .operations((words << log_leaf) as u64)
        .run()?;
    Ok(())
}

pub(super) fn values<F: PolyField>(
    ring: &PolyRing<F>,
    cl: &OpenCl,
    log_leaf: u32,
    points: &Buffer<F::Element>,
    level: &Level<F>,
    t: &Buffer<F::Element>,
    values: &mut Buffer<F::Element>,
) -> Result<(), PolyError> {
    let defines = ring.defines().set("LOG_LEAF", log_leaf).set("SUM_TERMS", ring.sum_terms());
    let kernel = ring.planner().kernel(cl, &TREE_VALUES, defines)?;
    let (p, reciprocal) = ring.modulus();
    let words = words(level);
    cl.launch(&kernel)
        .input(points)
        .value(points.len() as u64)
        .input(&level.left)
        .input(&level.right)
        .input(t)
        .buffer(&mut *values)
        .value(p)
        .value(reciprocal)
        .groups(words >> log_leaf, 1 << log_leaf)
        .bytes(4 * (words * size_of::<F::Element>()) as u64)
        .operations(((2 * words) << log_leaf) as u64)
        .run()?;
    Ok(())
}

pub(super) fn leaf_sums<F: PolyField>(
    ring: &PolyRing<F>,
    cl: &OpenCl,
    log_leaf: u32,
    points: &Buffer<F::Element>,
    weights: &Buffer<F::Element>,
    sums: &mut Level<F>,
) -> Result<(), PolyError> {
    let defines = ring.defines().set("LOG_LEAF", log_leaf).set("SUM_TERMS", ring.sum_terms());
    let kernel = ring.planner().kernel(cl, &TREE_LEAF_SUMS, defines)?;
    let (p, reciprocal) = ring.modulus();
    let words = words(sums);
    cl.launch(&kernel)
        .input(points)
        .value(points.len() as u64)
        .input(weights)
        .buffer(&mut sums.left)
        .buffer(&mut sums.right)
        .value(p)
        .value(reciprocal)
        .groups(words >> log_leaf, 1 << log_leaf)
        .bytes(3 * (words * size_of::<F::Element>()) as u64)
        .operations(((3 * words) << log_leaf) as u64)
        .run()?;
    Ok(())
}

pub(super) fn join<F: PolyField>(
    ring: &PolyRing<F>,
    cl: &OpenCl,
    products: &[&Buffer<F::Element>],
    children: &Level<F>,
    level: &mut Level<F>,
    log_words: u32,
) -> Result<(), PolyError> {
    let (Some(first), Some(last)) = (products.first(), products.last()) else { return Ok(()) };
    let group = GROUP.min(cl.info().group_limit);
    let defines = ring.defines().set("GROUP", group).set("PRODUCTS", products.len());
    let kernel = ring.planner().kernel(cl, &TREE_JOIN, defines)?;
    let (p, reciprocal) = ring.modulus();
    let count = words(level);
    cl.launch(&kernel)
        .input(*first)
        .input(*last)
        .input(&children.left)
        .input(&children.right)
        .buffer(&mut level.left)
        .buffer(&mut level.right)
        .value(log_words)
        .value(count as u64)
        .value(p)
        .value(reciprocal)
        .items(count, group)
        .bytes(((products.len() + 2) * count * size_of::<F::Element>()) as u64)
        .operations(2 * count as u64)
        .run()?;
    Ok(())
}

pub(super) fn descend<F: PolyField>(
    ring: &PolyRing<F>,
    cl: &OpenCl,
    t: &Buffer<F::Element>,
    products: &[Buffer<F::Element>; 2],
    below: &mut Buffer<F::Element>,
    log_words: u32,
) -> Result<(), PolyError> {
    let group = GROUP.min(cl.info().group_limit);
    let kernel = ring.planner().kernel(cl, &TREE_DESCEND, ring.defines().set("GROUP", group))?;
    let (p, reciprocal) = ring.modulus();
    let count = t.len();
    cl.launch(&kernel)
        .input(t)
        .input(&products[0])
        .input(&products[1])
        .buffer(&mut *below)
        .value(log_words)
        .value(count as u64)
        .value(p)
        .value(reciprocal)
        .items(count, group)
        .bytes(3 * (count * size_of::<F::Element>()) as u64)
        .operations(count as u64)
        .run()?;
    Ok(())
}

/// The inverses, or the index of the first that is zero: one word is read back.
pub(super) fn invert<F: PolyField>(
    ring: &PolyRing<F>,
    cl: &OpenCl,
    values: &Buffer<F::Element>,
    inverses: &mut Buffer<F::Element>,
) -> Result<Option<usize>, PolyError> {
    let group = RUN.min(cl.info().group_limit);
    let kernel = ring.planner().kernel(cl, &TREE_INVERT, ring.defines().set("GROUP", group))?;
    let (p, reciprocal) = ring.modulus();
    let count = values.len();
    let mut zero = ring.device().upload(&[u32::MAX])?;
    cl.launch(&kernel)
        .input(values)
        .buffer(&mut *inverses)
        .value(count as u64)
        .value(RUN as u32)
        .buffer(&mut zero)
        .value(p)
        .value(reciprocal)
        .items(count.div_ceil(RUN), group)
        .bytes(5 * (count * size_of::<F::Element>()) as u64)
        .operations(3 * count as u64)
        .run()?;
    let mut found = [u32::MAX];
    zero.read_into(&mut found)?;
    let told = |index| ring.within("the index of a point", index as usize, 0..=count.saturating_sub(1));
    (found[0] != u32::MAX).then_some(found[0]).map(told).transpose()
}

pub(super) fn scale<F: PolyField>(
    ring: &PolyRing<F>,
    cl: &OpenCl,
    x: &Buffer<F::Element>,
    y: &Buffer<F::Element>,
    out: &mut Buffer<F::Element>,
) -> Result<(), PolyError> {
    let group = RUN.min(cl.info().group_limit);
    let kernel = ring.planner().kernel(cl, &TREE_SCALE, ring.defines().set("GROUP", group))?;
    let (p, reciprocal) = ring.modulus();
    let count = out.len();
    cl.launch(&kernel)
        .input(x)
        .input(y)
        .buffer(&mut *out)
        .value(count as u64)
        .value(p)
        .value(reciprocal)
        .items(count, group)
        .bytes(3 * (count * size_of::<F::Element>()) as u64)
        .operations(count as u64)
        .run()?;
    Ok(())
}
