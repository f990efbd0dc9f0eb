//! The choice between the algorithms for columns of the star of a graph without circuits.

use std::ops::Range;

use manycore_device::{Device, Executor, WordType};
use manycore_model::Operation as Kind;
use manycore_tuning::{Operation, Proof, proof};

use super::MaxPlus;
use super::cost::{StarCosts, StarShape};
use super::device;
use super::options::{StarAlgorithm, StarOptions};
use super::substitute;
use crate::error::MaxPlusError;
use crate::graph::{Graph, Relabelled};
use crate::weight::Weight;

/// Columns of the star of a graph without circuits.
pub(super) struct Stars<'a, T> {
    max_plus: &'a MaxPlus<T>,
    graph: &'a Relabelled<T>,
    columns: Range<usize>,
    options: StarOptions,
    costs: StarCosts,
    shape: StarShape,
}

impl<'a, T: Weight> Stars<'a, T> {
    /// The columns of these nodes.
    pub(super) fn new(
        max_plus: &'a MaxPlus<T>,
        graph: &'a Relabelled<T>,
        columns: Range<usize>,
        options: StarOptions,
    ) -> Self {
        let kind = match T::TYPE {
            WordType::F32 => Kind::F32,
            WordType::F64 => Kind::F64,
            _ if size_of::<T>() == 8 => Kind::Int64,
            _ => Kind::Int32,
        };
        let executor = max_plus.device().executor();
        let blocks = match executor {
            Executor::Host(_) => Some(substitute::tiles::<T>()),
            Executor::OpenCl(cl) => device::tiles::<T>(cl),
        };
        let nodes = graph.order.len();
        let by_blocks = options.algorithm(StarAlgorithm::Substitution);
        let costs = StarCosts {
            weight: (size_of::<T>(), kind),
            is_exact: T::IS_EXACT,
            is_host: matches!(executor, Executor::Host(_)),
            // Blocks need all arcs as a matrix, too.
            blocks: blocks.filter(|_| max_plus.columns_that_fit(nodes, &by_blocks) > 0),
        };
        let levels = graph.levels.len().saturating_sub(2);
        let shape = StarShape::new(nodes, graph.graph.arc_count(), levels, &graph.place[columns.clone()]);
        Self { max_plus, graph, columns, options, costs, shape }
    }

    pub(super) fn shape(&self) -> StarShape {
        self.shape
    }
}

/// A graph without circuits as dense as that of a shape, of so many nodes: small whole weights, whose sums are exact. Every node but
/// each sixteenth has an arc from the one before it.
fn known<T: Weight>(shape: &StarShape, nodes: usize) -> Result<Graph<T>, MaxPlusError> {
    let pairs = (shape.nodes as u128 * shape.nodes as u128 / 2).max(1);
    let share = ((shape.arcs as u128) << 32) / pairs;
    let mut known = proof::KnownWords::new(1);
    let mut arcs = Vec::new();
    for to in 0..nodes as u32 {
        for from in 0..to {
            let is_drawn = u128::from(known.next_word() >> 32) < share;
            if is_drawn || (from + 1 == to && to % 16 != 0) {
                let weight = T::from_integer(known.whole(7).into()).unwrap_or(T::ZERO);
                arcs.push((from, to, weight));
            }
        }
    }
    Graph::from_arcs(nodes, &arcs)
}

impl<T: Weight> Operation for Stars<'_, T> {
    type Costs = StarCosts;
    /// The result.
    type Trial = Vec<T>;
    type Error = MaxPlusError;

    fn revision(&self) -> u64 {
        crate::REVISION
    }

    fn costs(&self) -> &StarCosts {
        &self.costs
    }

    fn family(&self, _: &StarShape) -> String {
        format!("maxplus-star, {}", T::TYPE.name())
    }

    /// Nodes, arcs, columns and levels, each by its power of two.
    fn sizes(&self, shape: &StarShape) -> Vec<usize> {
        let round = |count: usize| 1 << count.max(1).ilog2();
        vec![round(shape.nodes), round(shape.arcs), round(shape.columns), round(shape.levels)]
    }

    fn is_empty(&self, shape: &StarShape) -> bool {
        shape.arcs == 0 || shape.columns == 0
    }

    fn trial(&self, shape: &StarShape) -> Result<Vec<T>, MaxPlusError> {
        Ok(manycore_device::zeroed_words(shape.nodes * shape.columns)?)
    }

    fn try_plan(&self, _: &StarShape, result: &mut Vec<T>, &algorithm: &StarAlgorithm) -> Result<(), MaxPlusError> {
        let options = self.options.algorithm(algorithm);
        self.max_plus.acyclic_by(self.graph, self.columns.clone(), &options, result)
    }

    /// A graph of a few blocks, as dense, beside the host's paths by arcs.
    fn proof(&self, shape: &StarShape, &algorithm: &StarAlgorithm) -> Result<Proof, MaxPlusError> {
        let graph = known::<T>(shape, shape.nodes.min(301))?;
        let star = |device: &Device, algorithm| {
            MaxPlus::<T>::new(device).star_by(&graph, &StarOptions::new().algorithm(algorithm))
        };
        let expected = star(&proof::host(), StarAlgorithm::Pull)?;
        let found = star(self.max_plus.device(), algorithm)?;
        Ok(Proof::of_words(found.entries(), expected.entries()))
    }
}
