//! Star of a graph without circuits on the host (paper 004, section 3): columns are independent, so that threads share blocks of
//! them; a block goes through the nodes in topological order, by rows that are pushed to successors or pulled from predecessors.

use manycore_device::{DeviceError, HostPool};

use super::matrix::BlockOfColumns;
use crate::graph::Relabelled;
use crate::weight::Weight;
use manycore_device::simd::{self, Job};

/// The default number of columns of a block: a row of them is some cache lines.
const COLUMNS: usize = 256;

/// Whether rows are pushed to successors or pulled from predecessors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    Push,
    Pull,
}

/// The star's columns that begin at these places, ascending, row after row by places. Cancelled work ends between blocks of them.
pub(super) fn columns<T: Weight>(
    pool: &HostPool,
    graph: &Relabelled<T>,
    flow: Flow,
    places: &[u32],
    width: usize,
) -> Result<Vec<BlockOfColumns<T>>, DeviceError> {
    let width = if width == 0 { COLUMNS } else { width };
    let incoming = (flow == Flow::Pull).then(|| graph.graph.reversed());
    let mut blocks: Vec<BlockOfColumns<T>> = places
        .chunks(width)
        .map(|places| BlockOfColumns { places: places.to_vec(), width: places.len(), entries: Vec::new() })
        .collect();
    let nodes = graph.order.len();
    let operations = (graph.graph.arc_count() as u64).saturating_mul(places.len() as u64) / 2;
    let bytes = (nodes as u64).saturating_mul(places.len() as u64).saturating_mul(size_of::<T>() as u64);
    pool.step("maxplus_star", bytes, operations, || {
        pool.team().only_if(operations > 1 << 16).each_checked(&mut blocks, |block| {
            let width = block.width;
            block.entries = vec![T::ABSENT; nodes * width];
            for (column, &place) in block.places.iter().enumerate() {
                block.entries[place as usize * width + column] = T::ZERO;
            }
            match &incoming {
                None => simd::run(Push { graph, block }),
                Some(incoming) => simd::run(Pull { incoming: incoming.compressed(), block }),
            }
        })
    })?;
    Ok(blocks)
}

/// The rows of a block pushed to their successors, from the first column's node on.
struct Push<'a, T> {
    graph: &'a Relabelled<T>,
    block: &'a mut BlockOfColumns<T>,
}

impl<T: Weight> Job for Push<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let (offsets, targets, weights) = self.graph.graph.compressed();
        let (width, places) = (self.block.width, &self.block.places);
        let first = places.first().map_or(0, |&place| place as usize);
        let mut active = 0;
        for source in first..offsets.len() - 1 {
            while active < width && places[active] as usize <= source {
                active += 1;
            }
            let (head, tail) = self.block.entries.split_at_mut((source + 1) * width);
            let row = &head[source * width..source * width + active];
            if row.iter().all(|entry| entry.is_absent()) {
                continue;
            }
            for arc in offsets[source]..offsets[source + 1] {
                let at = (targets[arc] as usize - source - 1) * width;
                add_path(&mut tail[at..at + active], row, weights[arc]);
            }
        }
    }
}

/// The rows of a block pulled from their predecessors.
struct Pull<'a, T> {
    incoming: (&'a [usize], &'a [u32], &'a [T]),
    block: &'a mut BlockOfColumns<T>,
}

impl<T: Weight> Job for Pull<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let (offsets, sources, weights) = self.incoming;
        let (width, places) = (self.block.width, &self.block.places);
        let first = places.first().map_or(0, |&place| place as usize);
        for target in first..offsets.len() - 1 {
            let (head, tail) = self.block.entries.split_at_mut(target * width);
            for arc in offsets[target]..offsets[target + 1] {
                let source = sources[arc] as usize;
                // Rows before the first column's node have no path.
                if source >= first {
                    add_path(&mut tail[..width], &head[source * width..(source + 1) * width], weights[arc]);
                }
            }
        }
    }
}

/// `target = max(target, source + weight)`.
#[inline(always)]
fn add_path<T: Weight>(target: &mut [T], source: &[T], weight: T) {
    for (target, &source) in target.iter_mut().zip(source) {
        *target = target.longer(source.plus(weight));
    }
}
