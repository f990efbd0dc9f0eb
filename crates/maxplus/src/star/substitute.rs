//! Blocked star of a graph without circuits on the host: forward substitution in the topologically permuted triangle,
//! `W[K, :] = X[K, K]* (e + X[K, before] W[before, :])` for blocks `K` of rows in turn, `n^3 / 6` terms in all.
//!
//! Threads share blocks of columns, which are independent. A block starts at its first column's node.

use manycore_device::{DeviceError, HostPool};

use super::matrix::BlockOfColumns;
use super::tiles::{block, close, packed, tile};
use crate::graph::Relabelled;
use crate::weight::Weight;
use manycore_device::simd::{self, Job};

/// Panels of columns that a thread takes at a time: rows of X in the second cache serve all of them.
const PANELS: usize = 4;

/// Rows of a block, and columns that a thread takes at a time.
pub(super) fn tiles<T>() -> (usize, usize) {
    (block::<T>(), PANELS * if size_of::<T>() == 4 { 64 } else { 32 })
}

/// The star's columns that begin at these places, ascending. Cancelled work ends between blocks of them.
pub(super) fn columns<T: Weight>(
    pool: &HostPool,
    graph: &Relabelled<T>,
    places: &[u32],
) -> Result<Vec<BlockOfColumns<T>>, DeviceError> {
    // Sixteen of the widest vectors hold the sums of a tile, whose rows are so long that the compiler keeps the loop over a row's words
    // and makes vectors of it.
    if size_of::<T>() == 4 {
        by_tiles::<T, 4, 64>(pool, graph, places)
    } else {
        by_tiles::<T, 4, 32>(pool, graph, places)
    }
}

/// The triangle: of every group of `R` rows the columns before its block, packed, and the closed blocks on the diagonal.
struct Triangle<T, const R: usize> {
    /// Where each group of rows begins.
    groups: Vec<usize>,
    before: Vec<[T; R]>,
    closed: Vec<Vec<[T; R]>>,
}

fn triangle<T: Weight, const R: usize>(graph: &Relabelled<T>) -> Triangle<T, R> {
    let side = block::<T>();
    let blocks = graph.order.len().div_ceil(side);
    let mut groups = vec![0];
    for group in 0..blocks * side / R {
        groups.push(groups[group] + group * R / side * side);
    }
    let mut before = vec![[T::ABSENT; R]; groups[groups.len() - 1]];
    let mut diagonal = vec![vec![T::ABSENT; side * side]; blocks];
    for (source, target, weight) in graph.graph.arcs() {
        let (source, target) = (source as usize, target as usize);
        if source / side == target / side {
            diagonal[target / side][target % side * side + source % side] = weight;
        } else {
            before[groups[target / R] + source][target % R] = weight;
        }
    }
    let closed = diagonal
        .iter_mut()
        .map(|block| {
            (0..side).for_each(|i| block[i * side + i] = T::ZERO);
            // No circuit is there.
            close(block, side);
            packed(block, side)
        })
        .collect();
    Triangle { groups, before, closed }
}

fn by_tiles<T: Weight, const R: usize, const W: usize>(
    pool: &HostPool,
    graph: &Relabelled<T>,
    places: &[u32],
) -> Result<Vec<BlockOfColumns<T>>, DeviceError> {
    let nodes = graph.order.len();
    let triangle = triangle::<T, R>(graph);
    let mut blocks: Vec<BlockOfColumns<T>> = places
        .chunks(W * PANELS)
        .map(|places| BlockOfColumns { places: places.to_vec(), width: places.len(), entries: Vec::new() })
        .collect();
    let operations = (nodes as u64).pow(2).saturating_mul(places.len() as u64) / 6;
    let bytes = (nodes as u64).saturating_mul(places.len() as u64).saturating_mul(size_of::<T>() as u64);
    pool.step("maxplus_star", bytes, operations, || {
        let team = pool.team().only_if(operations > 1 << 16);
        team.each_with_checked(&mut blocks, Vec::new, |panels, block| {
            let task = Substitute::<T, R, W> { triangle: &triangle, nodes, block, panels };
            simd::run(task);
        })
    })?;
    Ok(blocks)
}

/// The columns of a block, in panels of `W`: `panels[p * rows + i]` is row `i` of panel `p`.
struct Substitute<'a, T, const R: usize, const W: usize> {
    triangle: &'a Triangle<T, R>,
    nodes: usize,
    block: &'a mut BlockOfColumns<T>,
    panels: &'a mut Vec<[T; W]>,
}

impl<T: Weight, const R: usize, const W: usize> Job for Substitute<'_, T, R, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { triangle, nodes, block: own, panels } = self;
        let side = block::<T>();
        let rows = nodes.next_multiple_of(side);
        let count = own.width.div_ceil(W);
        panels.clear();
        panels.resize(count * rows, [T::ABSENT; W]);
        let first = own.places.first().map_or(0, |&place| place as usize / side);
        let mut strip = vec![[T::ABSENT; W]; side];
        let (mut column, mut active) = (0, 0);
        for k in first..rows / side {
            // Columns that begin in this block.
            while column < own.width && (own.places[column] as usize) < (k + 1) * side {
                panels[column / W * rows + own.places[column] as usize][column % W] = T::ZERO;
                column += 1;
            }
            active = active.max(column.div_ceil(W));
            let (begin, end) = (first * side, k * side);
            for group in end / R..(end + side) / R {
                let factors = &triangle.before[triangle.groups[group] + begin..triangle.groups[group] + end];
                for panel in panels.chunks_exact_mut(rows).take(active) {
                    let mut sums: [[T; W]; R] = std::array::from_fn(|r| panel[group * R + r]);
                    tile(factors, &panel[begin..end], &mut sums);
                    panel[group * R..(group + 1) * R].copy_from_slice(&sums);
                }
            }
            for panel in panels.chunks_exact_mut(rows).take(active) {
                strip.copy_from_slice(&panel[end..end + side]);
                for (group, factors) in triangle.closed[k].chunks_exact(side).enumerate() {
                    let mut sums = [[T::ABSENT; W]; R];
                    tile(factors, &strip, &mut sums);
                    panel[end + group * R..end + (group + 1) * R].copy_from_slice(&sums);
                }
            }
        }
        let width = own.width;
        own.entries = Vec::with_capacity(nodes * width);
        for row in 0..nodes {
            own.entries.extend((0..width).map(|column| panels[column / W * rows + row][column % W]));
        }
    }
}
