//! Topological order by levels (Kahn, "Topological sorting of large networks", 1962), a circuit where there is none, and the graph
//! with its nodes in that order.

use super::Graph;
use crate::error::MaxPlusError;
use crate::team::on_host;
use crate::weight::Weight;

impl<T: Weight> Graph<T> {
    /// The nodes so that arcs lead from earlier to later ones: by ascending levels, by ascending numbers within a level. The level
    /// of a node is the number of arcs of the longest path, by arcs, that ends at it. O(n + m).
    ///
    /// # Errors
    /// [`MaxPlusError::Cycle`] with the nodes of a circuit where there is one; an arc from a node to itself is one.
    #[inline(never)]
    pub fn topological_order(&self) -> Result<Vec<u32>, MaxPlusError> {
        self.levels().map(|levels| levels.concat())
    }

    /// The nodes of each level ([`Graph::topological_order`]). No arc is within a level, so that all nodes of one are computed at
    /// the same time.
    ///
    /// # Errors
    /// As [`Graph::topological_order`].
    #[inline(never)]
    pub fn levels(&self) -> Result<Vec<Vec<u32>>, MaxPlusError> {
        let nodes = self.nodes();
        let mut waiting = vec![0u32; nodes];
        for &to in &self.targets {
            waiting[to as usize] += 1;
        }
        let mut levels = Vec::new();
        let mut level: Vec<u32> = (0..nodes as u32).filter(|&node| waiting[node as usize] == 0).collect();
        let mut done = 0;
        while !level.is_empty() {
            done += level.len();
            let mut next = Vec::new();
            for &node in &level {
                for (to, _) in self.successors(node) {
                    waiting[to as usize] -= 1;
                    if waiting[to as usize] == 0 {
                        next.push(to);
                    }
                }
            }
            next.sort_unstable();
            levels.push(std::mem::replace(&mut level, next));
        }
        if done < nodes { Err(MaxPlusError::Cycle { nodes: self.circuit_among(&waiting) }) } else { Ok(levels) }
    }

    /// A circuit among nodes that wait for others: from any of them, steps back to a waiting node before it, until one comes again.
    fn circuit_among(&self, waiting: &[u32]) -> Vec<u32> {
        let mut before = vec![u32::MAX; self.nodes()];
        for (from, to, _) in self.arcs() {
            if waiting[from as usize] > 0 && waiting[to as usize] > 0 {
                before[to as usize] = from;
            }
        }
        let Some(start) = waiting.iter().position(|&count| count > 0) else { return Vec::new() };
        follow(&before, start as u32)
    }
}

/// The circuit that steps along `before` from a node come to, in the direction of the arcs; nothing where they come to an end.
pub(crate) fn follow(before: &[u32], start: u32) -> Vec<u32> {
    let mut met = vec![false; before.len()];
    let mut node = start;
    while node != u32::MAX && !met[node as usize] {
        met[node as usize] = true;
        node = before[node as usize];
    }
    if node == u32::MAX {
        return Vec::new();
    }
    let mut circuit = vec![node];
    let mut next = before[node as usize];
    while next != node {
        circuit.push(next);
        next = before[next as usize];
    }
    circuit.reverse();
    circuit
}

/// Nodes whose arcs a thread renames at a time.
const RENAMED: usize = 64;

/// A graph whose nodes are renamed by their place in an order.
#[derive(Debug)]
pub(crate) struct Relabelled<T> {
    /// The node at each place.
    pub(crate) order: Vec<u32>,
    /// The place of each node.
    pub(crate) place: Vec<u32>,
    /// Where each level begins, and the end.
    pub(crate) levels: Vec<usize>,
    /// Arcs between places, in compressed columns; those from a place are in the order of the nodes that they lead to.
    pub(crate) graph: Graph<T>,
}

impl<T: Weight> Relabelled<T> {
    /// In topological order.
    pub(crate) fn topological(graph: &Graph<T>) -> Result<Self, MaxPlusError> {
        let by_level = graph.levels()?;
        let mut levels = vec![0];
        levels.extend(by_level.iter().scan(0, |end, level| {
            *end += level.len();
            Some(*end)
        }));
        let order = by_level.concat();
        let mut place = vec![0u32; order.len()];
        for (at, &node) in (0..).zip(&order) {
            place[node as usize] = at;
        }
        let mut offsets = vec![0];
        offsets.extend(order.iter().scan(0, |end, &node| {
            *end += graph.offsets[node as usize + 1] - graph.offsets[node as usize];
            Some(*end)
        }));
        let (mut targets, mut weights) = (vec![0; graph.arc_count()], vec![T::ZERO; graph.arc_count()]);
        let mut tasks = Vec::new();
        let (mut of_targets, mut of_weights) = (&mut targets[..], &mut weights[..]);
        for nodes in order.chunks(RENAMED) {
            let count = nodes.iter().map(|&node| graph.offsets[node as usize + 1] - graph.offsets[node as usize]).sum();
            let own;
            (own, of_targets) = of_targets.split_at_mut(count);
            let own_weights;
            (own_weights, of_weights) = of_weights.split_at_mut(count);
            tasks.push((nodes, own, own_weights));
        }
        on_host(|team| {
            team.only_if(graph.arc_count() > 1 << 16).each(tasks, |(nodes, targets, weights)| {
                let mut begin = 0;
                for &node in nodes {
                    let own = graph.offsets[node as usize]..graph.offsets[node as usize + 1];
                    let end = begin + own.len();
                    for (target, &to) in targets[begin..end].iter_mut().zip(&graph.targets[own.clone()]) {
                        *target = place[to as usize];
                    }
                    weights[begin..end].copy_from_slice(&graph.weights[own]);
                    begin = end;
                }
            });
        });
        let renamed = Graph { offsets, targets, weights };
        Ok(Self { order, place, levels, graph: renamed })
    }
}
