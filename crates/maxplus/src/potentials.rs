//! Potentials of a graph of floating-point weights, exactly (Johnson, "Efficient algorithms for shortest paths in sparse networks",
//! 1977): they decide which circuits are positive, and make all weights 0 or less.
//!
//! A circuit is positive where the exact sum of its weights is above the sum of their doubts: 0 of an integer, half a unit in the last
//! place of any other number. What is between 0 and the doubts counts as 0: its weights are lowered, each by no more than its doubt,
//! until the sum is 0.
//!
//! With potentials `p`, the longest paths to each node, the weight `w + p(from) - p(to)` of every arc is 0 or less. Sums of such
//! weights cannot grow around a circuit, however they are rounded, and are off by a part of themselves.

use std::collections::HashMap;

use manycore_device::checkpoint;

use crate::circuit::{Paths, longest, turned};
use crate::error::MaxPlusError;
use crate::exact::{ExactSum, Unit, Wide, positive};
use crate::graph::Graph;
use crate::path_sum::PathSum;
use crate::team::on_host;
use crate::weight::Weight;

/// Circuits of a sum of about 0 that are lowered one by one; where there are more, all weights are lowered at once.
const CIRCUITS: usize = 16;

/// By how much weights are lowered.
enum Lowered<S> {
    By(HashMap<(u32, u32), S>),
    Fully,
}

impl<S: ExactSum> Lowered<S> {
    fn of<T: Weight>(&self, unit: Unit, (from, to): (u32, u32), weight: T) -> S {
        match self {
            Self::By(taken) if taken.is_empty() => S::NOTHING,
            Self::By(taken) => taken.get(&(from, to)).copied().unwrap_or(S::NOTHING),
            Self::Fully => unit.doubt(weight),
        }
    }

    /// Lowers the weights of a circuit to a sum of 0; `false` where that takes more than their doubts.
    fn lower<T: Weight>(&mut self, unit: Unit, graph: &Graph<T>, circuit: &[u32]) -> bool {
        let (mut excess, mut room, mut arcs) = (S::NOTHING, S::NOTHING, Vec::new());
        for (&from, &to) in circuit.iter().zip(circuit.iter().cycle().skip(1)) {
            let Some(weight) = graph.weight(from, to) else { return false };
            let taken = self.of(unit, (from, to), weight);
            let left = unit.doubt::<T, S>(weight).minus(taken);
            excess = excess.and(unit.exactly::<T, S>(weight).minus(taken));
            room = room.and(left);
            arcs.push(((from, to), left, taken));
        }
        if excess > room {
            return false;
        }
        if let Self::By(by) = self {
            for (arc, left, taken) in arcs {
                let more = left.min(excess);
                excess = excess.minus(more);
                if more > S::NOTHING {
                    by.insert(arc, taken.and(more));
                }
            }
        }
        true
    }
}

/// Longest paths in exact sums, and by how much weights were lowered on the way.
struct Settled<S> {
    paths: Paths<S>,
    lowered: Lowered<S>,
}

/// The longest paths that begin with the weights of `starts`; the nodes of a positive circuit where one is reached.
fn settle<T: Weight, S: ExactSum>(graph: &Graph<T>, unit: Unit, starts: &[Option<S>]) -> Result<Settled<S>, Vec<u32>> {
    let mut lowered = Lowered::By(HashMap::new());
    for circuits in 1.. {
        let weight =
            |from, to, weight: T| unit.exactly::<T, S>(weight).minus(lowered.of::<T>(unit, (from, to), weight));
        match longest(graph, starts.to_vec(), weight) {
            Ok(paths) => return Ok(Settled { paths, lowered }),
            Err(circuit) if !lowered.lower(unit, graph, &circuit) => return Err(turned(circuit)),
            Err(_) if circuits == CIRCUITS => lowered = Lowered::Fully,
            Err(_) => {}
        }
    }
    Err(Vec::new())
}

/// Longest paths of a graph of floating-point weights that begin with the weights of `starts`, each the nearest number to the exact sum
/// of its weights.
pub(crate) fn longest_rounded<T: Weight>(graph: &Graph<T>, starts: &[Option<T>]) -> Result<Paths<T>, MaxPlusError> {
    let unit = Unit::of(graph.weights().chain(starts.iter().flatten().copied()), graph.nodes() + 1);
    if unit.is_narrow { rounded::<T, i128>(graph, unit, starts) } else { rounded::<T, Wide>(graph, unit, starts) }
}

fn rounded<T: Weight, S: ExactSum>(
    graph: &Graph<T>,
    unit: Unit,
    starts: &[Option<T>],
) -> Result<Paths<T>, MaxPlusError> {
    let exact: Vec<Option<S>> = starts.iter().map(|start| start.map(|start| unit.exactly(start))).collect();
    let settled = settle(graph, unit, &exact).map_err(|nodes| positive(graph, nodes))?;
    let Paths { weights, before } = settled.paths;
    let mut sums: Vec<Option<S>> =
        before.iter().zip(exact).map(|(&node, start)| start.filter(|_| node == u32::MAX)).collect();
    for node in 0..before.len() as u32 {
        // Back to a node whose sum is known, and forth again.
        let mut path = vec![node];
        while let Some(&last) = path.last()
            && sums[last as usize].is_none()
            && before[last as usize] != u32::MAX
        {
            path.push(before[last as usize]);
        }
        for arc in path.windows(2).rev() {
            let (to, from) = (arc[0], arc[1]);
            let weight = graph.weight(from, to).map(|weight| unit.exactly::<T, S>(weight));
            sums[to as usize] = sums[from as usize].zip(weight).map(|(sum, weight)| sum.and(weight));
        }
    }
    let weight = |(at, sum): (usize, Option<S>)| {
        let overflow = || MaxPlusError::overflow(at as u32, at as u32);
        sum.filter(|_| weights[at].is_some()).map(|sum| unit.weight(sum).ok_or_else(overflow)).transpose()
    };
    let weights = sums.into_iter().enumerate().map(weight).collect::<Result<_, _>>()?;
    Ok(Paths { weights, before })
}

/// The nodes of a circuit of positive weight, in the direction of its arcs; empty where there is none. By exact sums, and of integers
/// with the smallest node first.
pub(crate) fn positive_circuit<T: Weight>(graph: &Graph<T>) -> Vec<u32> {
    if T::IS_EXACT {
        let starts = vec![Some(T::Sum::NOTHING); graph.nodes()];
        return longest(graph, starts, |_, _, weight| weight.sum()).map_or_else(turned, |_| Vec::new());
    }
    let unit = Unit::of(graph.weights(), graph.nodes());
    let nodes = graph.nodes();
    let found = if unit.is_narrow {
        settle(graph, unit, &vec![Some(0i128); nodes]).err()
    } else {
        settle(graph, unit, &vec![Some(Wide::NOTHING); nodes]).err()
    };
    found.unwrap_or_default()
}

/// A circuit whose weight may be positive or negative, as the rounding of its own weights leaves open; it counts as 0.
#[derive(Debug, Clone, PartialEq)]
pub struct DoubtfulCircuit {
    /// Its nodes, each the end of an arc from the one before, the first one of an arc from the last one.
    pub nodes: Vec<u32>,
    /// The sum of its weights as they are, the nearest double of the exact one; not 0.
    pub sum: f64,
    /// By how much the sum may be off: half a unit in the last place of each weight that is no integer.
    pub doubt: f64,
}

impl<T: Weight> Graph<T> {
    /// A circuit whose sign is in doubt, if one is found in a graph without positive circuits: none of integers, and none where all that
    /// are in doubt sum to 0 as they are.
    ///
    /// ```
    /// use manycore_maxplus::Graph;
    /// let graph = Graph::from_arcs(3, &[(0, 1, 0.1), (1, 2, 0.7), (2, 0, -0.8)])?;
    /// let circuit = graph.doubtful_circuit().unwrap();
    /// assert_eq!((circuit.nodes, circuit.sum), (vec![0, 1, 2], -8.326672684688674e-17));
    /// # Ok::<(), manycore_maxplus::MaxPlusError>(())
    /// ```
    #[inline(never)]
    pub fn doubtful_circuit(&self) -> Option<DoubtfulCircuit> {
        if self.rounding() == 0.0 || self.topological_order().is_ok() {
            return None;
        }
        let unit = Unit::of(self.weights(), self.nodes());
        if unit.is_narrow { self.doubtful::<i128>(unit) } else { self.doubtful::<Wide>(unit) }
    }

    fn doubtful<S: ExactSum>(&self, unit: Unit) -> Option<DoubtfulCircuit> {
        let most = |_, _, weight: T| unit.exactly::<T, S>(weight).and(unit.doubt::<T, S>(weight));
        let nodes = turned(longest(self, vec![Some(S::NOTHING); self.nodes()], most).err()?);
        let ends = nodes.iter().zip(nodes.iter().cycle().skip(1));
        let (mut sum, mut doubt) = (S::NOTHING, S::NOTHING);
        for weight in ends.filter_map(|(&from, &to)| self.weight(from, to)) {
            sum = sum.and(unit.exactly::<T, S>(weight));
            doubt = doubt.and(unit.doubt::<T, S>(weight));
        }
        let [sum, doubt] = [sum, doubt].map(|sum| unit.rounded(sum, f64::MANTISSA_DIGITS));
        (sum != 0.0).then_some(DoubtfulCircuit { nodes, sum, doubt })
    }
}

/// A graph with all weights 0 or less, and the potentials that take its paths back to those of the graph that it is made of.
pub(crate) struct Reduced<T> {
    pub(crate) graph: Graph<T>,
    potentials: Potentials,
    /// Whether weights were lowered.
    is_lowered: bool,
}

enum Potentials {
    Narrow(Unit, Vec<i128>),
    Wide(Vec<Wide>),
}

impl<T: Weight> Reduced<T> {
    /// # Errors
    /// [`MaxPlusError::PositiveCircuit`].
    pub(crate) fn new(graph: &Graph<T>) -> Result<Self, MaxPlusError> {
        let unit = Unit::of(graph.weights(), graph.nodes());
        if unit.is_narrow {
            Self::by(graph, unit, Potentials::Narrow)
        } else {
            Self::by(graph, unit, |_, potentials| Potentials::Wide(potentials))
        }
    }

    fn by<S: ExactSum>(
        graph: &Graph<T>,
        unit: Unit,
        kept: impl FnOnce(Unit, Vec<S>) -> Potentials,
    ) -> Result<Self, MaxPlusError> {
        checkpoint()?;
        let settled = settle(graph, unit, &vec![Some(S::NOTHING); graph.nodes()]);
        let Settled { paths, lowered } = settled.map_err(|nodes| positive(graph, nodes))?;
        let potentials: Vec<S> = paths.weights.into_iter().map(|path| path.unwrap_or(S::NOTHING)).collect();
        let is_lowered = !matches!(&lowered, Lowered::By(taken) if taken.is_empty());
        let reduced = graph.map(|from, to, weight| {
            let lower = unit.exactly::<T, S>(weight).minus(lowered.of::<T>(unit, (from, to), weight));
            let above = lower.and(potentials[from as usize]).minus(potentials[to as usize]);
            unit.weight(above).unwrap_or(T::LOWEST)
        })?;
        Ok(Self { graph: reduced, potentials: kept(unit, potentials), is_lowered })
    }

    /// Columns of the star of the graph that this one is made of, from those of its own star.
    pub(crate) fn restore(&self, graph: &Graph<T>, columns: std::ops::Range<usize>, entries: &mut [T]) {
        match &self.potentials {
            Potentials::Narrow(unit, potentials) => restore(*unit, potentials, columns.clone(), entries),
            Potentials::Wide(potentials) => restore(Unit::WIDE, potentials, columns.clone(), entries),
        }
        if self.is_lowered {
            // An arc is no shorter than it is.
            for from in columns.clone() {
                for (to, weight) in graph.successors(from as u32).filter(|&(to, _)| to as usize != from) {
                    let entry = &mut entries[to as usize * columns.len() + from - columns.start];
                    *entry = entry.longer(weight);
                }
            }
        }
    }
}

fn restore<T: Weight, S: ExactSum>(unit: Unit, potentials: &[S], columns: std::ops::Range<usize>, entries: &mut [T]) {
    let width = columns.len().max(1);
    on_host(|team| {
        team.only_if(entries.len() > 1 << 12).each(entries.chunks_mut(width).zip(potentials), |(row, &to)| {
            for (entry, &from) in row.iter_mut().zip(&potentials[columns.clone()]) {
                if entry.is_number() {
                    let path = unit.exactly::<T, S>(*entry).and(to).minus(from);
                    *entry = unit.weight(path).unwrap_or(*entry);
                }
            }
        });
    });
}
