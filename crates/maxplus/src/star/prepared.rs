//! Prepared data of all columns of a star: the type that they are computed in, the order of the nodes, and weights whose sums cannot grow
//! around a circuit.

use super::options::{StarAlgorithm, StarOptions};
use super::wide;
use crate::error::MaxPlusError;
use crate::graph::{Graph, Relabelled};
use crate::potentials::Reduced;
use crate::weight::Weight;

/// The pairs of different nodes, which are the most arcs of a graph without circuits.
const fn nodes_in_pairs(nodes: usize) -> usize {
    if nodes.is_multiple_of(2) { nodes / 2 * nodes.saturating_sub(1) } else { nodes * (nodes / 2) }
}

/// How columns of a star are computed.
pub(super) enum Way<T> {
    /// Past the ends of the type, by paths of 128 bits; along the nodes in topological order, where there is one.
    Exact(Option<Relabelled<T>>),
    /// Along the nodes in topological order.
    Acyclic(Relabelled<T>),
    /// By a closure; of floating-point numbers whose sums round with reduced weights.
    Cyclic(Option<Reduced<T>>),
}

impl<T: Weight> Way<T> {
    fn of(graph: &Graph<T>, options: &StarOptions, is_bounded: bool) -> Result<Self, MaxPlusError> {
        let ordered = match options.algorithm {
            StarAlgorithm::Closure => None,
            // More arcs than pairs of nodes have a circuit.
            StarAlgorithm::Auto if graph.arc_count() > nodes_in_pairs(graph.nodes()) => None,
            StarAlgorithm::Auto => Relabelled::topological(graph).ok(),
            _ => Some(Relabelled::topological(graph)?),
        };
        Ok(match ordered {
            ordered if !is_bounded => Self::Exact(ordered),
            Some(ordered) => Self::Acyclic(ordered),
            None if graph.rounding() > 0.0 => Self::Cyclic(Some(Reduced::new(graph)?)),
            None => Self::Cyclic(None),
        })
    }
}

/// What all columns of the star of a graph take.
pub(super) enum Prepared<T: Weight> {
    /// In the type of its weights.
    Own(Way<T>),
    /// In a wider type, which holds all paths: the graph of its weights.
    Wider(Graph<T::Wider>, Way<T::Wider>),
}

impl<T: Weight> Prepared<T> {
    pub(super) fn new(graph: &Graph<T>, options: &StarOptions) -> Result<Self, MaxPlusError> {
        let is_bounded = is_bounded(graph);
        if !is_bounded && !T::IS_EXACT {
            return Err(MaxPlusError::Large { count: graph.nodes(), largest: graph.largest().to_string() });
        }
        if !is_bounded && T::HAS_WIDER {
            let wider = wide::widened(graph)?;
            let way = Way::of(&wider, options, self::is_bounded(&wider))?;
            return Ok(Self::Wider(wider, way));
        }
        Ok(Self::Own(Way::of(graph, options, is_bounded)?))
    }
}

/// Whether no path comes near the ends of the type.
fn is_bounded<T: Weight>(graph: &Graph<T>) -> bool {
    graph.nodes() == 0 || T::is_bounded(2 * graph.nodes(), graph.largest())
}
