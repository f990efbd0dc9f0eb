//! Maximum ratio of weight to time over the circuits of a strongly connected graph by policy iteration (Howard 1960; Cochet-Terrasson,
//! Cohen, Gaubert, Mc Gettrick, Quadrat, "Numerical computation of spectral elements in max-plus algebra", 1998).
//!
//! A policy takes one arc from each node, and so leads each node to one circuit. Nodes first move to arcs that lead to greater ratios,
//! then to arcs that make their value greater, the weight above the ratio on the way to a chosen node of the circuit. Where no arc does
//! either, values prove that no circuit has a greater ratio. In integers every step is exact.

use std::cmp::Ordering;

use super::ratio::{Ratio, RatioNumber, exact};
use crate::error::MaxPlusError;

/// An arc: where it ends, its weight, its time.
pub(super) type Arc<E> = (u32, E, u64);

/// What policy iteration ends with.
#[derive(Debug, Clone)]
pub(super) struct Policy<E> {
    pub(super) ratio: Ratio<E>,
    /// The nodes of a circuit of this ratio, in the direction of its arcs.
    pub(super) circuit: Vec<u32>,
    /// Of each node, the weight above the ratio on the best way to the circuit, times the ratio's time: for each arc no less than the
    /// arc's weight above the ratio and the value where it ends.
    pub(super) values: Vec<E>,
}

/// Policy iteration over nodes that all reach each other, each with an arc; every circuit takes time. `tolerance` is by how much a value
/// must grow.
pub(super) fn howard<E: RatioNumber>(arcs: &[Vec<Arc<E>>], tolerance: E) -> Result<Policy<E>, MaxPlusError> {
    let nodes = arcs.len();
    let heaviest = |own: &Vec<Arc<E>>| {
        let mut best = 0;
        for (at, arc) in own.iter().enumerate() {
            if arc.1 > own[best].1 {
                best = at;
            }
        }
        best
    };
    let mut policy: Vec<usize> = arcs.iter().map(heaviest).collect();
    let mut state = evaluate(arcs, &policy, None)?;
    // A bound that no known graph comes near: rounding could let doubles go in circles.
    for _ in 0..64 * nodes + 1000 {
        if !raise_ratios(arcs, &mut policy, &state)? && !raise_values(arcs, &mut policy, &state, tolerance)? {
            break;
        }
        state = evaluate(arcs, &policy, Some(&state))?;
    }
    // All reach each other, so that all have the greatest ratio.
    let Some((ratio, root)) = state.best else { return Err(MaxPlusError::NoCircuit) };
    let mut circuit = vec![root];
    let mut node = arcs[root as usize][policy[root as usize]].0;
    while node != root {
        circuit.push(node);
        node = arcs[node as usize][policy[node as usize]].0;
    }
    Ok(Policy { ratio, circuit, values: state.values })
}

/// The ratio of the circuit that each node comes to and its value on the way, and the greatest ratio with a node of its circuit.
struct State<E> {
    ratios: Vec<Ratio<E>>,
    values: Vec<E>,
    best: Option<(Ratio<E>, u32)>,
}

fn evaluate<E: RatioNumber>(
    arcs: &[Vec<Arc<E>>],
    policy: &[usize],
    before: Option<&State<E>>,
) -> Result<State<E>, MaxPlusError> {
    let nodes = arcs.len();
    let arc = |node: u32| arcs[node as usize][policy[node as usize]];
    let nothing = Ratio { weight: E::NOTHING, time: 1 };
    let mut state = State { ratios: vec![nothing; nodes], values: vec![E::NOTHING; nodes], best: None };
    let mut is_done = vec![false; nodes];
    let mut met = vec![u32::MAX; nodes];
    let mut walk = Vec::new();
    for start in 0..nodes as u32 {
        walk.clear();
        let mut node = start;
        while !is_done[node as usize] && met[node as usize] != start {
            met[node as usize] = start;
            walk.push(node);
            node = arc(node).0;
        }
        if !is_done[node as usize] {
            // A new circuit, from this node on.
            let root = node;
            let (mut weight, mut time) = (E::NOTHING, 0u64);
            loop {
                let (to, arc_weight, arc_time) = arc(node);
                weight = exact(weight.checked(arc_weight))?;
                time = exact(time.checked_add(arc_time))?;
                node = to;
                if node == root {
                    break;
                }
            }
            let ratio = exact(E::reduced(weight, time))?;
            if state.best.is_none_or(|(best, _)| E::compare(&ratio, &best) == Some(Ordering::Greater)) {
                state.best = Some((ratio, root));
            }
            // Values of one ratio go on from where they were, so that they only grow.
            let kept = before.filter(|before| before.ratios[root as usize] == ratio);
            state.ratios[root as usize] = ratio;
            state.values[root as usize] = kept.map_or(E::NOTHING, |before| before.values[root as usize]);
            is_done[root as usize] = true;
        }
        for &node in walk.iter().rev() {
            if is_done[node as usize] {
                continue;
            }
            let (to, weight, time) = arc(node);
            let ratio = state.ratios[to as usize];
            let value = exact(weight.above(time, &ratio).and_then(|above| above.checked(state.values[to as usize])))?;
            (state.ratios[node as usize], state.values[node as usize]) = (ratio, value);
            is_done[node as usize] = true;
        }
    }
    Ok(state)
}

/// Moves nodes to arcs that lead to greater ratios; whether any moved.
fn raise_ratios<E: RatioNumber>(
    arcs: &[Vec<Arc<E>>],
    policy: &mut [usize],
    state: &State<E>,
) -> Result<bool, MaxPlusError> {
    let mut has_moved = false;
    for (node, own) in arcs.iter().enumerate() {
        let mut best = state.ratios[node];
        for (at, arc) in own.iter().enumerate() {
            let ratio = state.ratios[arc.0 as usize];
            if ratio != best && exact(E::compare(&ratio, &best))? == Ordering::Greater {
                (best, policy[node], has_moved) = (ratio, at, true);
            }
        }
    }
    Ok(has_moved)
}

/// Moves nodes to arcs that make their values greater; whether any moved.
fn raise_values<E: RatioNumber>(
    arcs: &[Vec<Arc<E>>],
    policy: &mut [usize],
    state: &State<E>,
    tolerance: E,
) -> Result<bool, MaxPlusError> {
    let mut has_moved = false;
    for (node, own) in arcs.iter().enumerate() {
        let ratio = state.ratios[node];
        let mut best = exact(state.values[node].checked(tolerance))?;
        for (at, &(to, weight, time)) in own.iter().enumerate() {
            if state.ratios[to as usize] != ratio {
                continue;
            }
            let value = exact(weight.above(time, &ratio).and_then(|above| above.checked(state.values[to as usize])))?;
            if value > best {
                (best, policy[node], has_moved) = (value, at, true);
            }
        }
    }
    Ok(has_moved)
}
