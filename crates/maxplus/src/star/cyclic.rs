//! Columns of the star of a graph that may have circuits: by elimination on one device, or in blocks of the host's memory.

use std::ops::Range;

use manycore_device::{DeviceSet, Executor, HostPool};

use super::context::MaxPlus;
use super::device::OnDevice;
use super::options::StarOptions;
use super::{blocks, closure};
use crate::error::MaxPlusError;
use crate::exact::positive;
use crate::graph::Graph;
use crate::potentials::positive_circuit;
use crate::team::on_host;
use crate::weight::Weight;

impl<T: Weight> MaxPlus<T> {
    /// Columns of the star of a graph that may have circuits: all are computed.
    pub(super) fn cyclic(
        &self,
        graph: &Graph<T>,
        columns: Range<usize>,
        options: &StarOptions,
        result: &mut [T],
    ) -> Result<(), MaxPlusError> {
        let nodes = graph.nodes();
        let failed = || refused(&self.device().clone().into(), graph);
        if self.columns_that_fit(nodes, options) < nodes {
            return by_blocks(&self.device().clone().into(), graph, columns, options, result);
        }
        if (0..nodes as u32).any(|node| graph.weight(node, node).is_some_and(|weight| weight > T::ZERO)) {
            return Err(failed());
        }
        let on_host = |pool: &HostPool, result: &mut [T]| {
            let star = closure::star(pool, graph)?.ok_or_else(failed)?;
            let rows = result.chunks_exact_mut(columns.len()).zip(star.chunks_exact(nodes));
            for (line, row) in rows {
                for (entry, &path) in line.iter_mut().zip(&row[columns.clone()]) {
                    *entry = if path.is_absent() { T::LOWEST } else { path };
                }
            }
            Ok(())
        };
        match self.device().executor() {
            Executor::Host(pool) => on_host(pool, result),
            Executor::OpenCl(cl) => {
                let on = OnDevice { planner: &self.planner, cl };
                let star = on.closure(graph)?.ok_or_else(failed)?;
                let all: Vec<u32> = (0..nodes as u32).collect();
                let star = on.arranged(&star, &all, &all)?;
                if columns.len() == nodes {
                    star.read_into(result)?;
                } else {
                    let star = star.download()?;
                    for (line, row) in result.chunks_exact_mut(columns.len()).zip(star.chunks_exact(nodes)) {
                        line.copy_from_slice(&row[columns.clone()]);
                    }
                }
                Ok(())
            }
        }
    }
}

/// Columns of the star of any graph, which devices compute in blocks of its matrix on the host.
pub(super) fn by_blocks<T: Weight>(
    set: &DeviceSet,
    graph: &Graph<T>,
    columns: Range<usize>,
    options: &StarOptions,
    result: &mut [T],
) -> Result<(), MaxPlusError> {
    let nodes = graph.nodes();
    let failed = || refused(set, graph);
    blocks::fits::<T>(set, nodes, options.memory_bytes)?;
    if (0..nodes as u32).any(|node| graph.weight(node, node).is_some_and(|weight| weight > T::ZERO)) {
        return Err(failed());
    }
    let mut all = if columns.len() == nodes { Vec::new() } else { MaxPlus::<T>::room(nodes, &(0..nodes))? };
    let w = if columns.len() == nodes { &mut *result } else { &mut all };
    graph.write_dense(w, T::ABSENT);
    for node in 0..nodes {
        w[node * nodes + node] = T::ZERO;
    }
    if blocks::closure(set, nodes, w, options.memory_bytes)? {
        return Err(failed());
    }
    on_host(|team| {
        team.only_if(nodes > 1 << 9).each(w.chunks_exact_mut(nodes), |row| {
            for entry in row.iter_mut().filter(|entry| entry.is_absent()) {
                *entry = T::LOWEST;
            }
        });
    });
    for (line, row) in result.chunks_exact_mut(columns.len()).zip(all.chunks_exact(nodes)) {
        line.copy_from_slice(&row[columns.clone()]);
    }
    Ok(())
}

/// Why devices that found a positive circuit have no star: a circuit that the weights prove, or a fault of theirs.
fn refused<T: Weight>(set: &DeviceSet, graph: &Graph<T>) -> MaxPlusError {
    let nodes = positive_circuit(graph);
    if nodes.is_empty() {
        return MaxPlusError::faulty(set.devices(), "it found a circuit of positive weight, and there is none");
    }
    positive(graph, nodes)
}
