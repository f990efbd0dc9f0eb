//! The choice between the algorithms for columns of the star of a graph without circuits, and columns by it.

use std::ops::{Range, RangeBounds};

use manycore_arrays::range;
use manycore_device::{Device, Executor, WordType};
use manycore_model::Operation as Kind;
use manycore_tuning::{Choice, Operation, Proof, proof};

use super::context::MaxPlus;
use super::cost::{StarCosts, StarShape};
use super::device;
use super::matrix::checked_columns;
use super::options::{StarAlgorithm, StarOptions};
use super::substitute;
use crate::error::MaxPlusError;
use crate::graph::{Graph, Relabelled};
use crate::weight::Weight;

impl<T: Weight> MaxPlus<T> {
    /// The choice of [`StarAlgorithm::Auto`] for some columns of the star of a graph without circuits, whatever algorithm the options
    /// name: the algorithms with their estimates, the
    /// chosen one first, and the origin of the choice. Where the device is to be measured ([`Device::tuned`]) and this shape was not
    /// yet, they are measured now.
    ///
    /// # Errors
    /// [`MaxPlusError::Cycle`] of a graph with circuits, which has one algorithm; [`MaxPlusError::Index`]; [`MaxPlusError::Memory`];
    /// [`MaxPlusError::Device`] where there is no memory for a measurement.
    pub fn explain(
        &self,
        graph: &Graph<T>,
        columns: impl RangeBounds<usize>,
        options: &StarOptions,
    ) -> Result<Choice<StarAlgorithm>, MaxPlusError> {
        self.explain_of(graph, checked_columns(graph.nodes(), range(&columns, graph.nodes()))?, options)
    }

    #[inline(never)]
    pub(crate) fn explain_of(
        &self,
        graph: &Graph<T>,
        columns: Range<usize>,
        options: &StarOptions,
    ) -> Result<Choice<StarAlgorithm>, MaxPlusError> {
        let ordered = Relabelled::topological(graph)?;
        let stars = Stars::new(self, &ordered, columns, *options);
        self.planner.choice(&stars, &stars.shape())
    }

    /// Columns of the star of a graph without circuits, by the given or the chosen algorithm.
    pub(super) fn acyclic(
        &self,
        graph: &Relabelled<T>,
        columns: Range<usize>,
        options: &StarOptions,
        result: &mut [T],
    ) -> Result<(), MaxPlusError> {
        let nodes = graph.order.len();
        match options.algorithm {
            StarAlgorithm::Auto => {}
            // Blocks need all arcs as a matrix, too; what has no room for it pulls.
            StarAlgorithm::Substitution if self.columns_that_fit(nodes, options) == 0 => {
                return self.acyclic_by(graph, columns, &options.algorithm(StarAlgorithm::Pull), result);
            }
            _ => return self.acyclic_by(graph, columns, options, result),
        }
        let stars = || Stars::new(self, graph, columns.clone(), *options);
        self.chosen.run(
            self.device(),
            stars().shape(),
            |shape| Ok(self.planner.ask(stars(), *shape)),
            |&algorithm| self.acyclic_by(graph, columns.clone(), &options.algorithm(algorithm), result),
        )
    }
}

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

/// A graph of `nodes` nodes without circuits, as dense as that of a shape: small whole weights, whose sums are exact. Every node but each
/// sixteenth has an arc from the one before it.
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
        let graph = Relabelled::topological(&known::<T>(shape, shape.nodes.min(301))?)?;
        let nodes = graph.order.len();
        let star = |device: &Device, algorithm| {
            let mut star = MaxPlus::<T>::room(nodes, &(0..nodes))?;
            let options = StarOptions::new().algorithm(algorithm);
            MaxPlus::new(device).acyclic(&graph, 0..nodes, &options, &mut star)?;
            Ok::<_, MaxPlusError>(star)
        };
        let expected = star(&proof::host(), StarAlgorithm::Pull)?;
        Ok(Proof::of_words(&star(self.max_plus.device(), algorithm)?, &expected))
    }
}
