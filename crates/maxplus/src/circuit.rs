//! Longest paths from some nodes and circuits of positive weight, by rounds over the nodes whose paths became longer (Bellman 1958,
//! Ford 1956, Moore 1959); a circuit shows among the arcs that made paths longer (Cherkassky and Goldberg, "Negative-cycle detection
//! algorithms", 1999).

use crate::graph::{Graph, follow};
use crate::path_sum::PathSum;
use crate::weight::Weight;

/// Paths from starts to all nodes: their weights, `None` where there is no path, and the node before the last one, `u32::MAX` where
/// the path is a start.
pub(crate) struct Paths<S> {
    pub(crate) weights: Vec<Option<S>>,
    pub(crate) before: Vec<u32>,
}

/// The longest paths that begin with the weights of `starts`. `O(n m)`; the nodes of a positive circuit where one is reached.
pub(crate) fn longest<T: Weight, S: PathSum>(
    graph: &Graph<T>,
    starts: Vec<Option<S>>,
    weight: impl Fn(u32, u32, T) -> S,
) -> Result<Paths<S>, Vec<u32>> {
    let nodes = graph.nodes();
    let mut weights = starts;
    let mut before = vec![u32::MAX; nodes];
    let mut active: Vec<u32> = (0..nodes as u32).filter(|&node| weights[node as usize].is_some()).collect();
    let mut is_next = vec![false; nodes];
    let (mut round, mut checked) = (0usize, 1usize);
    while !active.is_empty() {
        let mut next = Vec::new();
        for &node in &active {
            let Some(path) = weights[node as usize] else { continue };
            for (to, arc) in graph.successors(node) {
                let longer = path.and(weight(node, to, arc));
                let entry = &mut weights[to as usize];
                if entry.is_none_or(|entry| longer > entry) {
                    *entry = Some(longer);
                    before[to as usize] = node;
                    if !is_next[to as usize] {
                        is_next[to as usize] = true;
                        next.push(to);
                    }
                }
            }
        }
        for &node in &next {
            is_next[node as usize] = false;
        }
        active = next;
        round += 1;
        // Looking costs O(n): after 1, 2, 4, ... rounds, and after each from the n-th on.
        if round >= checked || round >= nodes {
            checked = 2 * round;
            let circuit = circuit_of(&before);
            if !circuit.is_empty() {
                return Err(circuit);
            }
            // Rounding alone makes paths longer past all arcs: what is left is within it.
            if round > 2 * nodes {
                break;
            }
        }
    }
    Ok(Paths { weights, before })
}

/// A circuit along the nodes before, turned to the direction of the arcs; empty where there is none.
fn circuit_of(before: &[u32]) -> Vec<u32> {
    // 0 for nodes not met, else the number of the walk that met them.
    let mut met = vec![0u32; before.len()];
    for start in 0..before.len() {
        let walk = start as u32 + 1;
        let mut node = start as u32;
        while node != u32::MAX && met[node as usize] == 0 {
            met[node as usize] = walk;
            node = before[node as usize];
        }
        if node != u32::MAX && met[node as usize] == walk {
            return follow(before, node);
        }
    }
    Vec::new()
}

/// A circuit with its smallest node first.
pub(crate) fn turned(mut circuit: Vec<u32>) -> Vec<u32> {
    if let Some(at) = (0..circuit.len()).min_by_key(|&at| circuit[at]) {
        circuit.rotate_left(at);
    }
    circuit
}
