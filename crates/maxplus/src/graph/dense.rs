//! Arcs of a dense matrix: columns are counted, then written where they belong, some at a time by each thread. And back: some rows at a
//! time, which stay in a cache while the columns go by.

use std::sync::{Mutex, PoisonError};

use manycore_device::Team;

use super::{Graph, check_nodes, check_weight};
use crate::error::MaxPlusError;
use crate::team::on_host;
use crate::weight::Weight;

/// Columns that are read at once: a row of them is a line of a cache.
const COLUMNS: usize = 16;
/// Rows that are written at once: a line of a cache of each.
const ROWS: usize = 64;
/// Entries from which on all processors are worth waking.
const LONG: usize = 1 << 16;

/// Some columns from `first` on: what they are written to, and where each begins in it.
struct Columns<'a, T> {
    first: usize,
    begins: &'a [usize],
    targets: &'a mut [u32],
    weights: &'a mut [T],
}

impl<T: Weight> Graph<T> {
    /// A graph of a dense square matrix, row after row; entries equal to `absent` are no arcs: [`Tropical::LOWEST`] for longest
    /// paths, [`Tropical::HIGHEST`] for shortest ones. `O(nodes^2)`, by all processors where that is long.
    ///
    /// # Errors
    /// [`MaxPlusError::Length`] for another number of entries than `nodes` squared, [`MaxPlusError::Weight`].
    ///
    /// [`Tropical::LOWEST`]: manycore_field::Tropical::LOWEST
    /// [`Tropical::HIGHEST`]: manycore_field::Tropical::HIGHEST
    #[inline(never)]
    pub fn from_dense(nodes: usize, entries: &[T], absent: T) -> Result<Self, MaxPlusError> {
        check_nodes(nodes)?;
        let expected = nodes.saturating_mul(nodes);
        if entries.len() != expected {
            return Err(MaxPlusError::Length { what: "entries of a square matrix", given: entries.len(), expected });
        }
        if entries.len() < LONG {
            return Self::of_dense(Team::ALONE, nodes, entries, absent);
        }
        on_host(|team| Self::of_dense(team, nodes, entries, absent))
    }

    fn of_dense(team: Team<'_>, nodes: usize, entries: &[T], absent: T) -> Result<Self, MaxPlusError> {
        let rows = |first: usize| {
            (0..nodes).map(move |to| &entries[to * nodes + first..to * nodes + nodes.min(first + COLUMNS)])
        };
        let mut offsets = vec![0; nodes + 1];
        team.each(offsets[1..].chunks_mut(COLUMNS).enumerate(), |(at, counts)| {
            for row in rows(at * COLUMNS) {
                counts.iter_mut().zip(row).for_each(|(count, weight)| *count += usize::from(*weight != absent));
            }
        });
        for node in 0..nodes {
            offsets[node + 1] += offsets[node];
        }
        let (mut targets, mut weights) = (vec![0; offsets[nodes]], vec![T::ZERO; offsets[nodes]]);
        let wrong: Mutex<Option<(usize, u32, T)>> = Mutex::new(None);
        team.each(parts(&offsets, &mut targets, &mut weights), |part: Columns<'_, T>| {
            let origin = part.begins[0];
            let mut places: Vec<usize> = part.begins.iter().map(|begin| begin - origin).collect();
            for (to, row) in (0..).zip(rows(part.first)) {
                for (column, &weight) in row.iter().enumerate().filter(|(_, weight)| **weight != absent) {
                    let place = places[column];
                    part.targets[place] = to;
                    // Zero has one sign, so that maxima have the same bits in any order.
                    part.weights[place] = weight.plus(T::ZERO);
                    places[column] += 1;
                    if !weight.is_number() {
                        let mut wrong = wrong.lock().unwrap_or_else(PoisonError::into_inner);
                        let from = part.first + column;
                        if wrong.is_none_or(|(other, at, _)| (from, to) < (other, at)) {
                            *wrong = Some((from, to, weight));
                        }
                    }
                }
            }
        });
        if let Some((from, to, weight)) = wrong.into_inner().unwrap_or_else(PoisonError::into_inner) {
            check_weight(from as u32, to, weight)?;
        }
        Ok(Self { offsets, targets, weights })
    }
}

impl<T: Weight> Graph<T> {
    /// Writes the dense matrix, row after row, with `absent` where there is no arc. `w` has `nodes` squared entries.
    pub(crate) fn write_dense(&self, w: &mut [T], absent: T) {
        let nodes = self.nodes().max(1);
        on_host(|team| {
            team.only_if(w.len() >= LONG).each(w.chunks_mut(ROWS * nodes).enumerate(), |(at, rows)| {
                rows.fill(absent);
                let first = at * ROWS;
                let end = first + rows.len() / nodes;
                for from in 0..self.nodes() {
                    let column = self.offsets[from]..self.offsets[from + 1];
                    let (targets, weights) = (&self.targets[column.clone()], &self.weights[column]);
                    let begin = targets.partition_point(|&to| (to as usize) < first);
                    let own = targets[begin..].iter().take_while(|&&to| (to as usize) < end);
                    for (&to, &weight) in own.zip(&weights[begin..]) {
                        rows[(to as usize - first) * nodes + from] = weight;
                    }
                }
            });
        });
    }
}

/// All columns, some at a time.
fn parts<'a, T>(offsets: &'a [usize], mut targets: &'a mut [u32], mut weights: &'a mut [T]) -> Vec<Columns<'a, T>> {
    let nodes = offsets.len() - 1;
    let part = |first: usize| {
        let end = nodes.min(first + COLUMNS);
        let len = offsets[end] - offsets[first];
        let (own_targets, rest) = std::mem::take(&mut targets).split_at_mut(len);
        targets = rest;
        let (own_weights, rest) = std::mem::take(&mut weights).split_at_mut(len);
        weights = rest;
        Columns { first, begins: &offsets[first..end], targets: own_targets, weights: own_weights }
    };
    (0..nodes).step_by(COLUMNS).map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_matrices_have_the_arcs_that_are_there() {
        for nodes in [0usize, 1, 2, 15, 16, 17, 255, 256, 257, 300] {
            let absent = i32::MIN;
            let entry = |at: usize| if at % 7 == 3 || at / nodes % 5 == 1 { absent } else { at as i32 - 1000 };
            let entries: Vec<i32> = (0..nodes * nodes).map(entry).collect();
            let arcs: Vec<(u32, u32, i32)> = (0..nodes * nodes)
                .filter(|&at| entries[at] != absent)
                .map(|at| ((at % nodes) as u32, (at / nodes) as u32, entries[at]))
                .collect();
            let expected = Graph::from_arcs(nodes, &arcs).unwrap();
            assert_eq!(Graph::from_dense(nodes, &entries, absent).unwrap(), expected, "{nodes}");
            assert_eq!(Graph::of_dense(Team::ALONE, nodes, &entries, absent).unwrap(), expected, "{nodes}");
            let mut written = vec![7; nodes * nodes];
            expected.write_dense(&mut written, absent);
            assert!(written == entries, "{nodes}");
        }
    }

    #[test]
    fn the_first_weight_that_is_no_number_is_told() {
        let nodes = 300;
        let mut entries = vec![-0.0; nodes * nodes];
        entries[200 * nodes + 130] = f64::NAN;
        entries[7 * nodes + 131] = f64::NAN;
        let error = Graph::from_dense(nodes, &entries, f64::NEG_INFINITY).unwrap_err();
        assert!(matches!(error, MaxPlusError::Weight { from: 130, to: 200, .. }), "{error}");
        entries[200 * nodes + 130] = 1.0;
        entries[7 * nodes + 131] = 1.0;
        let graph = Graph::from_dense(nodes, &entries, f64::NEG_INFINITY).unwrap();
        assert!(graph.compressed().2.iter().all(|weight| weight.is_sign_positive()));
    }
}
