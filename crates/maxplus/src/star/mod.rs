//! Kleene star `X* = e + X + X^2 + ...`: longest paths between all pairs of nodes (paper 004).

mod acyclic;
mod blocks;
mod check;
mod choice;
mod closure;
mod cost;
mod device;
mod host;
mod matrix;
mod options;
mod prepared;
pub mod reference;
mod substitute;
mod tiles;
mod told;
mod wide;

use std::marker::PhantomData;
use std::ops::{Range, RangeBounds};

use manycore_arrays::range;
use manycore_device::{Control, Device, DeviceError, DeviceKind, DeviceSet, Executor, checkpoint};
use manycore_tuning::{Choice, Planner, Plans};

use crate::circuit::positive_circuit;
use crate::error::MaxPlusError;
use crate::graph::{Graph, Relabelled};
use crate::team::on_host;
use crate::weight::Weight;
use choice::Stars;
use cost::StarShape;
use device::OnDevice;
use prepared::{Prepared, ordered_by};

pub use matrix::Star;
pub use options::{PushShape, StarAlgorithm, StarOptions};
pub use told::StarBlocks;

/// Ranges of columns of a device, at most, where several share them.
const SHARES: usize = 4;

/// Columns of a star in the midst of the computation: row after row by places, epsilon as [`Weight::ABSENT`].
#[derive(Debug)]
pub(crate) struct BlockOfColumns<T> {
    /// The place of the node at which each column begins.
    places: Vec<u32>,
    width: usize,
    entries: Vec<T>,
}

/// Max-plus algebra on a device.
///
/// ```
/// use manycore_device::Device;
/// use manycore_maxplus::{Graph, MaxPlus};
/// let graph = Graph::from_arcs(3, &[(0, 1, -1i64), (0, 2, -5), (1, 2, -1)])?;
/// let star = MaxPlus::new(&Device::from_env()?).star(&graph)?;
/// assert_eq!(star.get(2, 0), Some(-2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct MaxPlus<T> {
    planner: Planner,
    chosen: Plans<StarShape, StarAlgorithm>,
    weights: PhantomData<fn() -> T>,
}

impl<T: Weight> MaxPlus<T> {
    /// Max-plus algebra on a device.
    pub fn new(device: &Device) -> Self {
        Self { planner: Planner::new(device), chosen: Plans::default(), weights: PhantomData }
    }

    /// The device.
    pub fn device(&self) -> &Device {
        self.planner.device()
    }

    /// The Kleene star: entry `(i, j)` is the weight of the longest path from node `j` to node `i`.
    ///
    /// # Errors
    /// [`MaxPlusError::PositiveCircuit`] with the nodes of a circuit that makes paths longer without end; [`MaxPlusError::Overflow`]
    /// where an integer type does not hold a path; [`MaxPlusError::Large`] where sums of floating-point weights may be infinite;
    /// [`MaxPlusError::Memory`] with the columns that fit; [`MaxPlusError::Device`].
    pub fn star(&self, graph: &Graph<T>) -> Result<Star<T>, MaxPlusError> {
        self.star_by(graph, &StarOptions::new())
    }

    /// [`MaxPlus::star`], as the options say.
    ///
    /// # Errors
    /// As [`MaxPlus::star`], and [`MaxPlusError::Cycle`] where the algorithm is for graphs without circuits.
    #[inline(never)]
    pub fn star_by(&self, graph: &Graph<T>, options: &StarOptions) -> Result<Star<T>, MaxPlusError> {
        self.star_columns(graph, 0..graph.nodes(), options)
    }

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

    /// The shortest paths between all pairs of nodes: the star over minimum and plus, whose epsilon is the greatest integer or `inf`.
    ///
    /// # Errors
    /// As [`MaxPlus::star`], and [`MaxPlusError::NegativeCircuit`] in place of a positive one.
    #[inline(never)]
    pub fn shortest(&self, graph: &Graph<T>, options: &StarOptions) -> Result<Star<T>, MaxPlusError> {
        self.star_by(&graph.opposite(), options).map(Star::opposite).map_err(MaxPlusError::opposite)
    }

    /// Some columns of the star: the longest paths from these nodes to all.
    ///
    /// # Errors
    /// As [`MaxPlus::star_by`], and [`MaxPlusError::Index`] for columns that the graph has not.
    pub fn star_columns(
        &self,
        graph: &Graph<T>,
        columns: impl RangeBounds<usize>,
        options: &StarOptions,
    ) -> Result<Star<T>, MaxPlusError> {
        let columns = checked_columns(graph.nodes(), range(&columns, graph.nodes()))?;
        self.columns_of(&Prepared::new(graph, || ordered_by(graph, options))?, columns, options)
    }

    /// Columns of the star of a graph that was prepared for all of them.
    #[inline(never)]
    fn columns_of(
        &self,
        prepared: &Prepared<'_, T>,
        columns: Range<usize>,
        options: &StarOptions,
    ) -> Result<Star<T>, MaxPlusError> {
        let (graph, nodes) = (prepared.graph, prepared.graph.nodes());
        if nodes == 0 || columns.is_empty() {
            return Ok(Star::new(nodes, columns, Vec::new()));
        }
        checkpoint()?;
        if !prepared.is_bounded && T::HAS_WIDER {
            let wider = MaxPlus::<T::Wider>::new(self.device());
            return wide::by_wider(std::slice::from_ref(self.device()), graph, |graph| {
                wider.star_columns(graph, columns, options)
            });
        }
        let mut result = Self::room(nodes, &columns)?;
        match &prepared.ordered {
            ordered if !prepared.is_bounded => wide::star(graph, ordered.as_ref(), columns.clone(), &mut result)?,
            Some(ordered) => self.acyclic(ordered, columns.clone(), options, &mut result)?,
            None => self.cyclic(prepared.arcs(), columns.clone(), options, &mut result)?,
        }
        prepared.restore(columns.clone(), &mut result);
        Ok(Star::new(nodes, columns, result))
    }

    /// The star in blocks of columns that keep within the memory, each given to `take` and then forgotten.
    ///
    /// # Errors
    /// As [`MaxPlus::star_by`], and those of `take`.
    pub fn star_blocks<E: From<MaxPlusError>>(
        &self,
        graph: &Graph<T>,
        options: &StarOptions,
        mut take: impl FnMut(Star<T>) -> Result<(), E>,
    ) -> Result<(), E> {
        let nodes = graph.nodes();
        let width = self.columns_that_fit(nodes, options).min(nodes);
        if width == 0 && nodes > 0 {
            return Err(self.no_room(nodes, options).into());
        }
        let prepared = Prepared::new(graph, || ordered_by(graph, options))?;
        for begin in (0..nodes).step_by(width.max(1)) {
            take(self.columns_of(&prepared, begin..(begin + width).min(nodes), options)?)?;
        }
        Ok(())
    }

    /// The star by several devices together: of a graph without circuits its columns are shared, of any other one the blocks of its
    /// matrix, for each block of nodes in turn, unless a GPU holds all of it, which then computes alone. The same bits as on one device.
    ///
    /// ```
    /// use manycore_device::{Device, DeviceSet};
    /// use manycore_maxplus::{Graph, MaxPlus, StarOptions};
    /// let set = DeviceSet::equal(vec![Device::from_env()?, Device::host_with(1)?])?;
    /// let graph = Graph::from_arcs(3, &[(0, 1, -1i64), (1, 0, -1), (1, 2, -1)])?;
    /// assert_eq!(MaxPlus::star_on(&set, &graph, &StarOptions::new())?.get(2, 0), Some(-2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`MaxPlus::star_by`].
    #[inline(never)]
    pub fn star_on(set: &DeviceSet, graph: &Graph<T>, options: &StarOptions) -> Result<Star<T>, MaxPlusError> {
        let nodes = graph.nodes();
        let prepared = Prepared::new(graph, || ordered_by(graph, options))?;
        let first = Self::new(&set.devices()[0]);
        if nodes > 0 && !prepared.is_bounded && T::HAS_WIDER {
            return wide::by_wider(set.devices(), graph, |graph| MaxPlus::<T::Wider>::star_on(set, graph, options));
        }
        if nodes == 0 || set.devices().len() == 1 || !prepared.is_bounded {
            return first.columns_of(&prepared, 0..nodes, options);
        }
        if prepared.ordered.is_none() {
            if let Some(alone) = Self::alone(set, nodes, options) {
                match alone.columns_of(&prepared, 0..nodes, options) {
                    // Without the room, or broken: blocks take less of it, and others do the work of a device that fails.
                    Err(MaxPlusError::Device(error)) if !matches!(error, DeviceError::Cancelled) => {}
                    result => return result,
                }
            }
            let mut entries = Self::room(nodes, &(0..nodes))?;
            by_blocks(set, prepared.arcs(), 0..nodes, options, &mut entries)?;
            prepared.restore(0..nodes, &mut entries);
            return Ok(Star::new(nodes, 0..nodes, entries));
        }
        // Each range takes the arcs to its device once more.
        let least = nodes.div_ceil(SHARES * set.devices().len());
        let parts =
            set.share(nodes, least, |device, columns| Self::new(device).columns_of(&prepared, columns, options))?;
        let mut entries = Self::room(nodes, &(0..nodes))?;
        on_host(|team| {
            team.only_if(nodes > 1 << 9).each(entries.chunks_exact_mut(nodes.max(1)).enumerate(), |(row, line)| {
                for (_, part) in &parts {
                    let columns = part.columns();
                    let width = columns.len();
                    line[columns].copy_from_slice(&part.entries()[row * width..(row + 1) * width]);
                }
            });
        });
        Ok(Star::new(nodes, 0..nodes, entries))
    }

    /// A GPU of several devices that holds the matrix of a graph with circuits. Tiles cross the bus for each block of pivots, so that it
    /// takes half the time of two that share them.
    fn alone(set: &DeviceSet, nodes: usize, options: &StarOptions) -> Option<Self> {
        let gpus = set.devices().iter().filter(|device| device.info().kind == DeviceKind::Gpu);
        let matrix = (nodes as u64).saturating_mul(nodes as u64).saturating_mul(size_of::<T>() as u64);
        let holding = gpus.filter(|device| matrix <= device.info().largest_allocation_bytes);
        holding.map(Self::new).find(|gpu| gpu.columns_that_fit(nodes, options) >= nodes)
    }

    /// [`MaxPlus::shortest`] by several devices together, as [`MaxPlus::star_on`].
    ///
    /// # Errors
    /// As [`MaxPlus::shortest`].
    #[inline(never)]
    pub fn shortest_on(set: &DeviceSet, graph: &Graph<T>, options: &StarOptions) -> Result<Star<T>, MaxPlusError> {
        Self::star_on(set, &graph.opposite(), options).map(Star::opposite).map_err(MaxPlusError::opposite)
    }

    /// The bytes that a computation may use.
    fn limit(&self, options: &StarOptions) -> u64 {
        let all = self.device().usable_bytes();
        options.memory_bytes.map_or(all, |bytes| bytes.min(all))
    }

    /// The columns that can be computed at a time.
    #[inline(never)]
    pub(crate) fn columns_that_fit(&self, nodes: usize, options: &StarOptions) -> usize {
        let bytes = size_of::<T>() as u64;
        let square = (nodes as u64).saturating_mul(nodes as u64).saturating_mul(bytes);
        let fixed = if matches!(options.algorithm, StarAlgorithm::Substitution) { square } else { 0 };
        // A column is there twice: as it is computed, and in the order of the result.
        let column = (2 * bytes).saturating_mul((nodes as u64).max(1));
        (self.limit(options).saturating_sub(fixed) / column) as usize
    }

    fn no_room(&self, nodes: usize, options: &StarOptions) -> MaxPlusError {
        let bytes = (nodes as u64).saturating_mul(nodes as u64).saturating_mul(2 * size_of::<T>() as u64);
        let columns = self.columns_that_fit(nodes, options);
        MaxPlusError::Memory { nodes, bytes, limit: self.limit(options), columns }
    }

    /// The result's entries on the host.
    fn room(nodes: usize, columns: &Range<usize>) -> Result<Vec<T>, MaxPlusError> {
        let set = Control::current().and_then(|control| control.limit_bytes()).unwrap_or(u64::MAX);
        let limit = manycore_device::memory_limit_bytes().min(set);
        let bytes = (nodes as u64).saturating_mul(columns.len() as u64).saturating_mul(size_of::<T>() as u64);
        let memory = || {
            let column = (2 * size_of::<T>() as u64).saturating_mul(nodes as u64);
            MaxPlusError::Memory { nodes, bytes, limit, columns: (limit / column.max(1)) as usize }
        };
        if bytes > limit {
            return Err(memory());
        }
        manycore_device::zeroed_words(nodes * columns.len()).map_err(|error| match error {
            DeviceError::Cancelled => error.into(),
            _ => memory(),
        })
    }

    /// Columns of the star of a graph that may have circuits: all are computed.
    fn cyclic(
        &self,
        graph: &Graph<T>,
        columns: Range<usize>,
        options: &StarOptions,
        result: &mut [T],
    ) -> Result<(), MaxPlusError> {
        let nodes = graph.nodes();
        let failed = || refused(&self.device().clone().into(), graph);
        if self.columns_that_fit(nodes, options) < nodes {
            return by_blocks(&self.device().clone().into(), graph, columns, options, result);
        }
        if (0..nodes as u32).any(|node| graph.weight(node, node).is_some_and(|weight| weight > T::ZERO)) {
            return Err(failed());
        }
        let on_host = |pool: &manycore_device::HostPool, result: &mut [T]| {
            let star = closure::star(pool, graph)?.ok_or_else(failed)?;
            let rows = result.chunks_exact_mut(columns.len()).zip(star.chunks_exact(nodes));
            for (line, row) in rows {
                for (entry, &path) in line.iter_mut().zip(&row[columns.clone()]) {
                    *entry = if path.is_absent() { T::LOWEST } else { path };
                }
            }
            Ok(())
        };
        match self.device().executor() {
            Executor::Host(pool) => on_host(pool, result),
            Executor::OpenCl(cl) => {
                let on = OnDevice { planner: &self.planner, cl };
                let star = on.closure(graph)?.ok_or_else(failed)?;
                let all: Vec<u32> = (0..nodes as u32).collect();
                let star = on.arranged(&star, &all, &all)?;
                if columns.len() == nodes {
                    star.read_into(result)?;
                } else {
                    let star = star.download()?;
                    for (line, row) in result.chunks_exact_mut(columns.len()).zip(star.chunks_exact(nodes)) {
                        line.copy_from_slice(&row[columns.clone()]);
                    }
                }
                Ok(())
            }
        }
    }
}

/// Columns of the star of any graph, which devices compute in blocks of its matrix on the host.
fn by_blocks<T: Weight>(
    set: &DeviceSet,
    graph: &Graph<T>,
    columns: Range<usize>,
    options: &StarOptions,
    result: &mut [T],
) -> Result<(), MaxPlusError> {
    let nodes = graph.nodes();
    let failed = || refused(set, graph);
    blocks::fits::<T>(set, nodes, options.memory_bytes)?;
    if (0..nodes as u32).any(|node| graph.weight(node, node).is_some_and(|weight| weight > T::ZERO)) {
        return Err(failed());
    }
    let mut all = if columns.len() == nodes { Vec::new() } else { MaxPlus::<T>::room(nodes, &(0..nodes))? };
    let w = if columns.len() == nodes { &mut *result } else { &mut all };
    graph.write_dense(w, T::ABSENT);
    for node in 0..nodes {
        w[node * nodes + node] = T::ZERO;
    }
    if blocks::closure(set, nodes, w, options.memory_bytes)? {
        return Err(failed());
    }
    on_host(|team| {
        team.only_if(nodes > 1 << 9).each(w.chunks_exact_mut(nodes), |row| {
            for entry in row.iter_mut().filter(|entry| entry.is_absent()) {
                *entry = T::LOWEST;
            }
        });
    });
    for (line, row) in result.chunks_exact_mut(columns.len()).zip(all.chunks_exact(nodes)) {
        line.copy_from_slice(&row[columns.clone()]);
    }
    Ok(())
}

/// Why devices that found a positive circuit have no star: a circuit that the weights prove, or a fault of theirs.
fn refused<T: Weight>(set: &DeviceSet, graph: &Graph<T>) -> MaxPlusError {
    let nodes = positive_circuit(graph);
    if nodes.is_empty() {
        return MaxPlusError::faulty(set.devices(), "it found a circuit of positive weight, and there is none");
    }
    MaxPlusError::positive(graph, nodes)
}

fn checked_columns(nodes: usize, columns: Range<usize>) -> Result<Range<usize>, MaxPlusError> {
    if columns.start > columns.end || columns.end > nodes {
        return Err(MaxPlusError::Index { what: "column", index: columns.end.max(columns.start), count: nodes });
    }
    Ok(columns)
}
