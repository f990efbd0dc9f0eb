//! Stars of integers that may pass their type: those of 32 bits as stars of 64 bits, others by paths of 128 bits on the calling thread,
//! and an error for the first path that the type does not hold.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use manycore_device::{Device, checkpoint, zeroed_words};
use manycore_field::Tropical as _;

use super::matrix::Star;

use crate::error::MaxPlusError;
use crate::exact::positive;
use crate::graph::{Graph, Relabelled};
use crate::potentials::positive_circuit;
use crate::team::on_host;
use crate::weight::Weight;

/// A graph with its weights in the wider type, which holds every one.
pub(super) fn widened<T: Weight>(graph: &Graph<T>) -> Result<Graph<T::Wider>, MaxPlusError> {
    graph.map(|_, _, weight| weight.integer().and_then(T::Wider::from_integer).unwrap_or(T::Wider::ZERO))
}

/// The star of a graph in its own type, from that in the wider one, which these devices computed.
pub(super) fn narrowed<T: Weight>(
    devices: &[Device],
    graph: &Graph<T>,
    star: &Star<T::Wider>,
) -> Result<Star<T>, MaxPlusError> {
    let (nodes, columns, epsilon) = (star.nodes(), star.columns(), star.epsilon());
    let narrowed = |entry: T::Wider| {
        if entry == epsilon { Some(T::LOWEST) } else { entry.integer().and_then(T::from_integer) }
    };
    let width = columns.len();
    let mut entries = zeroed_words::<T>(star.entries().len())?;
    let is_held = AtomicBool::new(true);
    on_host(|team| {
        let lines = entries.chunks_mut(width.max(1)).zip(star.entries().chunks(width.max(1)));
        team.only_if(nodes > 1 << 9).each(lines, |(line, wide)| {
            for (entry, &wide) in line.iter_mut().zip(wide) {
                match narrowed(wide) {
                    Some(path) => *entry = path,
                    None => is_held.store(false, Ordering::Relaxed),
                }
            }
        });
    });
    if is_held.into_inner() {
        return Ok(Star::new(nodes, columns, entries));
    }
    // The first one, by columns.
    let places = (0..width).flat_map(|at| (0..nodes).map(move |to| (at, to)));
    let first = places.into_iter().find(|&(at, to)| narrowed(star.entries()[to * width + at]).is_none());
    let (at, to) = first.unwrap_or_default();
    let from = (columns.start + at) as u32;
    // The path itself, by the host: the input is not blamed for what a device computed.
    match graph.longest_from(from) {
        Err(MaxPlusError::Overflow { to, .. }) => Err(MaxPlusError::overflow(from, to)),
        Err(error) => Err(error),
        Ok(_) => {
            let what = format!("its path from node {from} to node {to} has a weight that the type does not hold");
            Err(MaxPlusError::faulty(devices, &what))
        }
    }
}

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
                Some(path) => T::from_integer(path).ok_or(MaxPlusError::overflow(from as u32, to as u32))?,
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
    let failed = || positive(graph, positive_circuit(graph));
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
