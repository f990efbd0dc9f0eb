//! Stars of integers that may pass their type: paths as integers of 128 bits, which hold them all, and an error for the first one
//! that the type does not hold.

use std::ops::Range;

use manycore_device::checkpoint;

use crate::circuit::positive_circuit;
use crate::error::MaxPlusError;
use crate::graph::{Graph, Relabelled};
use crate::weight::Weight;

/// Columns of the star, on the calling thread: `O(m n)` without circuits, else `O(n^3)`.
pub(super) fn star<T: Weight>(
    graph: &Graph<T>,
    ordered: Option<&Relabelled<T>>,
    columns: Range<usize>,
    result: &mut [T],
) -> Result<(), MaxPlusError> {
    let (nodes, width) = (graph.nodes(), columns.len());
    let all = match ordered {
        Some(ordered) => {
            let column = |from| checkpoint().map(|()| column(graph, ordered, from));
            (0..nodes).map(column).collect::<Result<Vec<_>, _>>()?
        }
        None => closure(graph)?,
    };
    for (at, from) in columns.enumerate() {
        for to in 0..nodes {
            result[to * width + at] = match all[from][to] {
                None => T::LOWEST,
                Some(path) => {
                    T::from_integer(path).ok_or(MaxPlusError::Overflow { from: from as u32, to: to as u32 })?
                }
            };
        }
    }
    Ok(())
}

/// The longest paths from a node.
fn column<T: Weight>(graph: &Graph<T>, ordered: &Relabelled<T>, from: usize) -> Vec<Option<i128>> {
    let mut paths = vec![None; graph.nodes()];
    paths[from] = Some(0i128);
    for &node in &ordered.order[ordered.place[from] as usize..] {
        let Some(path) = paths[node as usize] else { continue };
        for (to, weight) in graph.successors(node) {
            let longer = path + weight.integer().unwrap_or_default();
            let entry = &mut paths[to as usize];
            *entry = Some(entry.map_or(longer, |entry| entry.max(longer)));
        }
    }
    paths
}

/// The longest paths from every node, to every node, by elimination.
fn closure<T: Weight>(graph: &Graph<T>) -> Result<Vec<Vec<Option<i128>>>, MaxPlusError> {
    let nodes = graph.nodes();
    let failed = || MaxPlusError::PositiveCircuit { nodes: positive_circuit(graph) };
    let mut paths = vec![vec![None; nodes]; nodes];
    for (from, to, weight) in graph.arcs() {
        paths[from as usize][to as usize] = weight.integer();
    }
    for (node, row) in paths.iter_mut().enumerate() {
        if row[node].is_some_and(|circuit| circuit > 0) {
            return Err(failed());
        }
        row[node] = Some(0);
    }
    for k in 0..nodes {
        checkpoint()?;
        let pivot = paths[k].clone();
        for (from, row) in paths.iter_mut().enumerate() {
            let Some(left) = row[k] else { continue };
            for (to, (entry, right)) in row.iter_mut().zip(&pivot).enumerate() {
                let Some(right) = right else { continue };
                let path = left + right;
                if from == to {
                    if path > 0 {
                        return Err(failed());
                    }
                } else {
                    *entry = Some(entry.map_or(path, |entry: i128| entry.max(path)));
                }
            }
        }
    }
    Ok(paths)
}
