//! Star of any matrix on the host, by blocks in place, `n^3` terms: Floyd, Warshall and Carre's elimination in the blocked form of
//! Venkataraman, Sahni and Mukhopadhyaya ("A blocked all-pairs shortest-paths algorithm", 2003).
//!
//! For each diagonal block K: its closure D, rows `W[K, :] = D W[K, :]`, columns `W[:, K] = W[:, K] D`, and all other entries
//! `W = max(W, W[:, K] W[K, :])`. Entries of the diagonal stay 0; a positive circuit ends the computation.

use std::sync::atomic::{AtomicBool, Ordering};

use manycore_device::{DeviceError, HostPool, checkpoint};

use super::tiles::{block, close, packed, tile};
use crate::graph::Graph;
use crate::weight::Weight;
use manycore_device::simd::{self, Job};

/// The star row after row, epsilon as [`Weight::ABSENT`]; `None` where a circuit is positive. Cancelled work ends between diagonal
/// blocks.
pub(super) fn star<T: Weight>(pool: &HostPool, graph: &Graph<T>) -> Result<Option<Vec<T>>, DeviceError> {
    // Sixteen of the widest vectors hold the sums of a tile, whose rows are so long that the compiler keeps the loop over a row's words
    // and makes vectors of it.
    if size_of::<T>() == 4 { by_tiles::<T, 4, 64>(pool, graph) } else { by_tiles::<T, 4, 32>(pool, graph) }
}

fn by_tiles<T: Weight, const R: usize, const W: usize>(
    pool: &HostPool,
    graph: &Graph<T>,
) -> Result<Option<Vec<T>>, DeviceError> {
    let nodes = graph.nodes();
    let side = block::<T>();
    // Rows and columns past the last node are of nodes without arcs.
    let stride = nodes.next_multiple_of(side);
    let mut w = vec![T::ABSENT; stride * stride];
    for (from, to, weight) in graph.arcs() {
        w[to as usize * stride + from as usize] = weight;
    }
    for node in 0..stride {
        if w[node * stride + node] > T::ZERO {
            return Ok(None);
        }
        w[node * stride + node] = T::ZERO;
    }
    let is_positive = AtomicBool::new(false);
    let terms = (stride as u64).pow(2).saturating_mul(side as u64);
    let team = pool.team().only_if(terms > 1 << 16);
    for k in 0..stride / side {
        checkpoint()?;
        let begin = k * side;
        pool.step("maxplus_closure", (stride * stride * size_of::<T>()) as u64, terms, || {
            let mut diagonal: Vec<T> = Vec::with_capacity(side * side);
            for row in w[begin * stride..(begin + side) * stride].chunks_exact(stride) {
                diagonal.extend_from_slice(&row[begin..begin + side]);
            }
            if simd::run(Close { block: &mut diagonal, side }) {
                is_positive.store(true, Ordering::Relaxed);
                return;
            }
            let factors = packed::<T, R>(&diagonal, side);
            let (before, rest) = w.split_at_mut(begin * stride);
            let (own, after) = rest.split_at_mut(side * stride);
            let mut panels = vec![[T::ABSENT; W]; stride / W * side];
            team.each(panels.chunks_exact_mut(side).enumerate(), |(panel, to)| {
                simd::run(Rows { from: own, stride, column: panel * W, factors: &factors, to });
            });
            for (row, line) in own.chunks_exact_mut(stride).enumerate() {
                for (panel, line) in line.chunks_exact_mut(W).enumerate() {
                    line.copy_from_slice(&panels[panel * side + row]);
                }
                line[begin..begin + side].copy_from_slice(&diagonal[row * side..(row + 1) * side]);
            }
            let closed: Vec<[T; W]> = (0..side / W)
                .flat_map(|panel| (0..side).map(move |row| (panel, row)))
                .map(|(panel, row)| std::array::from_fn(|c| diagonal[row * side + panel * W + c]))
                .collect();
            let bands = before.chunks_exact_mut(side * stride).enumerate();
            let bands = bands.chain((k + 1..).zip(after.chunks_exact_mut(side * stride)));
            team.each(bands, |(band, lines)| {
                let (closed, panels) = (&closed, &panels);
                let band = Band::<T, R, W> { lines, stride, first: band * side, begin, closed, panels };
                if simd::run(band) {
                    is_positive.store(true, Ordering::Relaxed);
                }
            });
        });
        if is_positive.load(Ordering::Relaxed) {
            return Ok(None);
        }
    }
    if stride == nodes {
        return Ok(Some(w));
    }
    Ok(Some(w.chunks_exact(stride).take(nodes).flat_map(|row| &row[..nodes]).copied().collect()))
}

struct Close<'a, T> {
    block: &'a mut [T],
    side: usize,
}

impl<T: Weight> Job for Close<'_, T> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        close(self.block, self.side)
    }
}

/// A panel of the rows of a block: the closed block times them.
struct Rows<'a, T, const R: usize, const W: usize> {
    from: &'a [T],
    stride: usize,
    column: usize,
    factors: &'a [[T; R]],
    to: &'a mut [[T; W]],
}

impl<T: Weight, const R: usize, const W: usize> Job for Rows<'_, T, R, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let side = self.to.len();
        let strip: Vec<[T; W]> =
            self.from.chunks_exact(self.stride).map(|row| std::array::from_fn(|c| row[self.column + c])).collect();
        for (group, factors) in self.factors.chunks_exact(side).enumerate() {
            let mut sums = [[T::ABSENT; W]; R];
            tile(factors, &strip, &mut sums);
            self.to[group * R..(group + 1) * R].copy_from_slice(&sums);
        }
    }
}

/// As many rows as a block has, which are none of it.
struct Band<'a, T, const R: usize, const W: usize> {
    lines: &'a mut [T],
    stride: usize,
    /// The first row.
    first: usize,
    /// The first row and column of the block.
    begin: usize,
    closed: &'a [[T; W]],
    panels: &'a [[T; W]],
}

impl<T: Weight, const R: usize, const W: usize> Job for Band<'_, T, R, W> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Band { lines, stride, first, begin, closed, panels } = self;
        let side = block::<T>();
        let mut is_positive = false;
        let mut factors = vec![[T::ABSENT; R]; side];
        for (group, lines) in lines.chunks_exact_mut(R * stride).enumerate() {
            for (k, factor) in factors.iter_mut().enumerate() {
                *factor = std::array::from_fn(|r| lines[r * stride + begin + k]);
            }
            for (panel, closed) in closed.chunks_exact(side).enumerate() {
                let mut sums = [[T::ABSENT; W]; R];
                tile(&factors, closed, &mut sums);
                for (line, sums) in lines.chunks_exact_mut(stride).zip(&sums) {
                    line[begin + panel * W..begin + (panel + 1) * W].copy_from_slice(sums);
                }
            }
            for (k, factor) in factors.iter_mut().enumerate() {
                *factor = std::array::from_fn(|r| lines[r * stride + begin + k]);
            }
            for (panel, terms) in panels.chunks_exact(side).enumerate() {
                let column = panel * W;
                // The block's own columns are done.
                if (begin..begin + side).contains(&column) {
                    continue;
                }
                let mut sums = [[T::ABSENT; W]; R];
                tile(&factors, terms, &mut sums);
                for (r, (line, sums)) in lines.chunks_exact_mut(stride).zip(&sums).enumerate() {
                    let node = first + group * R + r;
                    for (entry, &sum) in line[column..column + W].iter_mut().zip(sums) {
                        *entry = entry.longer(sum);
                    }
                    if (column..column + W).contains(&node) {
                        is_positive |= sums[node - column] > T::ZERO;
                        line[node] = T::ZERO;
                    }
                }
            }
        }
        is_positive
    }
}
