//! What all columns of a star take: the order of the nodes, and weights whose sums cannot grow around a circuit.

use std::ops::Range;

use super::options::{StarAlgorithm, StarOptions};
use crate::error::MaxPlusError;
use crate::graph::{Graph, Relabelled};
use crate::potentials::Reduced;
use crate::weight::Weight;

/// The pairs of different nodes, which are the most arcs of a graph without circuits.
const fn nodes_in_pairs(nodes: usize) -> usize {
    if nodes.is_multiple_of(2) { nodes / 2 * nodes.saturating_sub(1) } else { nodes * (nodes / 2) }
}

/// The order of the nodes, where the algorithm takes them in one.
pub(super) fn ordered_by<T: Weight>(
    graph: &Graph<T>,
    options: &StarOptions,
) -> Result<Option<Relabelled<T>>, MaxPlusError> {
    match options.algorithm {
        StarAlgorithm::Closure => Ok(None),
        // More arcs than pairs of nodes have a circuit.
        StarAlgorithm::Auto if graph.arc_count() > nodes_in_pairs(graph.nodes()) => Ok(None),
        StarAlgorithm::Auto => Ok(Relabelled::topological(graph).ok()),
        _ => Relabelled::topological(graph).map(Some),
    }
}

/// What all columns of a star take.
pub(super) struct Prepared<'a, T> {
    pub(super) graph: &'a Graph<T>,
    /// The nodes in topological order; `None` for a closure.
    pub(super) ordered: Option<Relabelled<T>>,
    /// Whether no path comes near the ends of the type.
    pub(super) is_bounded: bool,
    /// For a closure of floating-point numbers whose sums round.
    reduced: Option<Reduced<T>>,
}

impl<'a, T: Weight> Prepared<'a, T> {
    pub(super) fn new(
        graph: &'a Graph<T>,
        ordered: impl FnOnce() -> Result<Option<Relabelled<T>>, MaxPlusError>,
    ) -> Result<Self, MaxPlusError> {
        let (nodes, largest) = (graph.nodes(), graph.largest());
        let is_bounded = T::is_bounded(2 * nodes, largest);
        if nodes > 0 && !is_bounded && !T::IS_EXACT {
            return Err(MaxPlusError::Large { count: nodes, largest: largest.to_string() });
        }
        let ordered = ordered()?;
        let is_reduced = ordered.is_none() && graph.rounding() > 0.0;
        let reduced = if is_reduced { Some(Reduced::new(graph)?) } else { None };
        Ok(Self { graph, ordered, is_bounded, reduced })
    }

    /// The arcs that a closure takes.
    pub(super) fn arcs(&self) -> &Graph<T> {
        self.reduced.as_ref().map_or(self.graph, |reduced| &reduced.graph)
    }

    /// Columns of the star from those of [`Prepared::arcs`].
    pub(super) fn restore(&self, columns: Range<usize>, entries: &mut [T]) {
        if let Some(reduced) = &self.reduced {
            reduced.restore(self.graph, columns, entries);
        }
    }
}
