//! Columns of the star of a graph without circuits by an algorithm, in blocks of columns that fit the memory.

use std::ops::Range;

use manycore_device::Executor;

use super::context::MaxPlus;
use super::device::{self, OnDevice};
use super::host::{self, Flow};
use super::matrix::BlockOfColumns;
use super::options::{StarAlgorithm, StarOptions};
use super::substitute;
use crate::error::MaxPlusError;
use crate::graph::Relabelled;
use crate::weight::Weight;

impl<T: Weight> MaxPlus<T> {
    /// Columns of the star of a graph without circuits, by the algorithm of the options.
    pub(super) fn acyclic_by(
        &self,
        graph: &Relabelled<T>,
        columns: Range<usize>,
        options: &StarOptions,
        result: &mut [T],
    ) -> Result<(), MaxPlusError> {
        let nodes = graph.order.len();
        let width = self.columns_that_fit(nodes, options).min(columns.len());
        if width == 0 {
            return Err(self.no_room(nodes, options));
        }
        let total = columns.len();
        for begin in columns.clone().step_by(width) {
            let some = begin..(begin + width).min(columns.end);
            let mut places: Vec<u32> = graph.place[some.clone()].to_vec();
            places.sort_unstable();
            let first = begin - columns.start;
            match self.device().executor() {
                Executor::Host(pool) => {
                    let blocks = match options.algorithm {
                        StarAlgorithm::Push(shape) => host::columns(pool, graph, Flow::Push, &places, shape.columns),
                        StarAlgorithm::Pull => host::columns(pool, graph, Flow::Pull, &places, 0),
                        _ => substitute::columns(pool, graph, &places),
                    }?;
                    gather(pool, graph, &blocks, &places, some, (total, first), result);
                }
                Executor::OpenCl(cl) => {
                    let on = OnDevice { planner: &self.planner, cl };
                    let w = match options.algorithm {
                        StarAlgorithm::Push(shape) => on.push(graph, &places, shape)?,
                        StarAlgorithm::Substitution if device::block::<T>(cl).is_some() => {
                            on.substitute(graph, &places)?
                        }
                        _ => on.pull(graph, &places)?,
                    };
                    let of = columns_of(graph, &places, some.clone());
                    let part = on.arranged(&w, &graph.place, &of)?;
                    if part.len() == result.len() {
                        part.read_into(result)?;
                    } else {
                        let part = part.download()?;
                        for (line, part) in result.chunks_exact_mut(total).zip(part.chunks_exact(some.len())) {
                            line[first..first + part.len()].copy_from_slice(part);
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// Where the computation has each of these columns.
fn columns_of<T>(graph: &Relabelled<T>, places: &[u32], columns: Range<usize>) -> Vec<u32> {
    graph.place[columns].iter().map(|place| places.partition_point(|other| other < place) as u32).collect()
}

/// Blocks of columns by places into rows by nodes, from column `first` of rows of `total` on.
fn gather<T: Weight>(
    pool: &manycore_device::HostPool,
    graph: &Relabelled<T>,
    blocks: &[BlockOfColumns<T>],
    places: &[u32],
    columns: Range<usize>,
    (total, first): (usize, usize),
    result: &mut [T],
) {
    let width = blocks.first().map_or(1, |block| block.width);
    let of = columns_of(graph, places, columns);
    let bytes = 2 * size_of_val(result) as u64;
    pool.step("maxplus_arrange", bytes, 0, || {
        let lines = result.chunks_exact_mut(total).zip(&graph.place);
        pool.team().only_if(bytes > 1 << 20).each(lines, |(line, &place)| {
            for (entry, &at) in line[first..first + of.len()].iter_mut().zip(&of) {
                let block = &blocks[at as usize / width];
                let path = block.entries[place as usize * block.width + at as usize % width];
                *entry = if path.is_absent() { T::LOWEST } else { path };
            }
        });
    });
}
