//! Spectral theory of max-plus matrices (Baccelli, Cohen, Olsder, Quadrat, "Synchronization and linearity", 1992, chapter 3): the
//! greatest ratio of weight to time over circuits, which is the eigenvalue where all times are 1; eigenvectors; the critical graph.

mod circuits;
mod critical;
mod howard;
mod karp;
mod powers;
pub(crate) mod ratio;

use std::cmp::Ordering;

use crate::circuit::turned;
use crate::error::MaxPlusError;
use crate::graph::Graph;
use crate::graph::components::components;
use crate::weight::Weight;
use howard::{Arc, Policy};

pub use circuits::Circuits;
pub use critical::{CriticalGraph, Eigenvector};
pub use powers::Period;
pub use ratio::{Ratio, RatioNumber};

/// What weights are divided by whose sums may pass the largest number: more than the terms of any sum here.
const SCALE: f64 = (1u64 << 63) as f64;

/// The greatest ratio of weight to time over the circuits of a graph.
#[derive(Debug, Clone, PartialEq)]
pub struct CycleRatio<E> {
    /// The ratio.
    pub ratio: Ratio<E>,
    /// By how much it may be off; 0 for integers.
    pub error: f64,
    /// The nodes of a circuit of this ratio, in the direction of its arcs, the smallest first.
    pub circuit: Vec<u32>,
}

/// A strongly connected part of a graph with what policy iteration found of it.
pub(crate) struct Solved<E> {
    /// The nodes of the part, ascending.
    pub(crate) nodes: Vec<u32>,
    policy: Policy<E>,
}

impl<T: Weight> Graph<T> {
    /// The maximum cycle mean: the greatest weight of a circuit by its arcs, the eigenvalue of the matrix; by policy iteration,
    /// exactly for integers. `None` without circuits.
    ///
    /// ```
    /// use manycore_maxplus::Graph;
    /// let graph = Graph::from_dense(2, &[3, 7, 2, 4], i64::MIN)?;
    /// let mean = graph.maximum_cycle_mean()?.unwrap();
    /// assert_eq!((mean.ratio.to_string(), mean.circuit), ("9/2".to_owned(), vec![0, 1]));
    /// # Ok::<(), manycore_maxplus::MaxPlusError>(())
    /// ```
    ///
    /// # Errors
    /// [`MaxPlusError::Exact`] for integers whose sums pass 127 bits.
    #[inline(never)]
    pub fn maximum_cycle_mean(&self) -> Result<Option<CycleRatio<T::Exact>>, MaxPlusError> {
        self.maximum_cycle_ratio(|_, _| 1)
    }

    /// The greatest ratio of weight to time over circuits, where each arc takes a time: the cycle time of an event graph, whose times are
    /// tokens. `None` without circuits.
    ///
    /// # Errors
    /// [`MaxPlusError::NoTransit`] with the nodes of a circuit that takes no time; [`MaxPlusError::Exact`] for integers whose sums pass
    /// 127 bits.
    pub fn maximum_cycle_ratio(
        &self,
        time: impl Fn(u32, u32) -> u32,
    ) -> Result<Option<CycleRatio<T::Exact>>, MaxPlusError> {
        let timeless: Vec<(u32, u32, i32)> =
            self.arcs().filter(|&(from, to, _)| time(from, to) == 0).map(|(from, to, _)| (from, to, 0)).collect();
        if let Err(MaxPlusError::Cycle { nodes }) = Graph::from_arcs(self.nodes(), &timeless)?.topological_order() {
            return Err(MaxPlusError::NoTransit { nodes: turned(nodes) });
        }
        if let Some(small) = self.scaled_down()? {
            return Ok(small.maximum_cycle_ratio(time)?.map(|found| CycleRatio {
                ratio: found.ratio.scaled(SCALE),
                error: found.error * SCALE,
                ..found
            }));
        }
        let mut best: Option<CycleRatio<T::Exact>> = None;
        for part in self.solved(&time)? {
            let ratio = part.policy.ratio;
            if best.as_ref().is_none_or(|best| T::Exact::compare(&ratio, &best.ratio) == Some(Ordering::Greater)) {
                let circuit = turned(part.policy.circuit.iter().map(|&node| part.nodes[node as usize]).collect());
                best = Some(CycleRatio { ratio, error: self.ratio_error(ratio.value(), timeless.is_empty()), circuit });
            }
        }
        Ok(best)
    }

    /// [`Graph::maximum_cycle_mean`] by Karp's algorithm, `O(n m)` steps and `O(n^2)` memory; without a circuit.
    ///
    /// # Errors
    /// As [`Graph::maximum_cycle_mean`].
    #[inline(never)]
    pub fn maximum_cycle_mean_by_karp(&self) -> Result<Option<Ratio<T::Exact>>, MaxPlusError> {
        if let Some(small) = self.scaled_down()? {
            return Ok(small.maximum_cycle_mean_by_karp()?.map(|ratio| ratio.scaled(SCALE)));
        }
        let mut best: Option<Ratio<T::Exact>> = None;
        for nodes in self.cyclic_components() {
            let Some(ratio) = karp::karp(&self.part(&nodes, &|_, _| 1))? else { continue };
            if best.is_none_or(|best| T::Exact::compare(&ratio, &best) == Some(Ordering::Greater)) {
                best = Some(ratio);
            }
        }
        Ok(best)
    }

    /// This graph with smaller weights, where sums of its own may be infinite. What is lost of small weights is far below the rounding
    /// of the large ones.
    pub(crate) fn scaled_down(&self) -> Result<Option<Self>, MaxPlusError> {
        let most = 16.0 * (self.nodes() as f64 + 1.0) * self.largest().exact().double().abs();
        if T::Exact::IS_EXACT || most.is_finite() {
            return Ok(None);
        }
        self.map(|_, _, weight| T::from_real(weight.real() / SCALE).unwrap_or(weight)).map(Some)
    }

    /// By how much a ratio of doubles may be off: no arc is heavier than the difference of values by more than the tolerance of policy
    /// iteration, so that no circuit is by more than that in each of its arcs, of which times count one each where all are at least 1.
    fn ratio_error(&self, ratio: f64, all_take_time: bool) -> f64 {
        let tolerance = self.tolerance(ratio).double();
        2.0 * if all_take_time { tolerance } else { tolerance * self.nodes() as f64 }
    }

    fn tolerance(&self, ratio: f64) -> T::Exact {
        T::Exact::rounding(self.nodes(), self.largest().real().abs() + ratio.abs())
    }

    /// The strongly connected components with a circuit.
    fn cyclic_components(&self) -> Vec<Vec<u32>> {
        let mut all = self.components();
        all.retain(|nodes| nodes.len() > 1 || nodes.iter().any(|&node| self.weight(node, node).is_some()));
        all
    }

    /// The arcs within a component, by places in it.
    fn part(&self, nodes: &[u32], time: &impl Fn(u32, u32) -> u32) -> Vec<Vec<Arc<T::Exact>>> {
        let place = |node: u32| nodes.binary_search(&node).ok();
        let arcs = |&from: &u32| {
            self.successors(from)
                .filter_map(|(to, weight)| place(to).map(|at| (at as u32, weight.exact(), u64::from(time(from, to)))))
                .collect()
        };
        nodes.iter().map(arcs).collect()
    }

    /// Policy iteration of every component with a circuit.
    pub(crate) fn solved(&self, time: &impl Fn(u32, u32) -> u32) -> Result<Vec<Solved<T::Exact>>, MaxPlusError> {
        let tolerance = self.tolerance(self.largest().real());
        let solve = |nodes: Vec<u32>| {
            let policy = howard::howard(&self.part(&nodes, time), tolerance)?;
            Ok(Solved { nodes, policy })
        };
        self.cyclic_components().into_iter().map(solve).collect()
    }
}

/// The strongly connected components of `nodes` nodes with arcs `(from, to)`, ascending.
pub(crate) fn components_of(nodes: usize, arcs: &[(u32, u32)]) -> Vec<Vec<u32>> {
    let mut offsets = vec![0usize; nodes + 1];
    for &(from, _) in arcs {
        offsets[from as usize + 1] += 1;
    }
    for node in 0..nodes {
        offsets[node + 1] += offsets[node];
    }
    let mut next = offsets.clone();
    let mut targets = vec![0; arcs.len()];
    for &(from, to) in arcs {
        targets[next[from as usize]] = to;
        next[from as usize] += 1;
    }
    components(nodes, |node| (offsets[node as usize], offsets[node as usize + 1]), &targets)
}
