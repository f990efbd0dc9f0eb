//! Kleene star `X* = e + X + X^2 + ...`: longest paths between all pairs of nodes (paper 004).

mod acyclic;
mod blocks;
mod check;
mod choice;
mod closure;
mod context;
mod cost;
mod cyclic;
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

use std::ops::{Range, RangeBounds};

use manycore_arrays::range;
use manycore_device::{DeviceError, DeviceSet, checkpoint};

use crate::error::MaxPlusError;
use crate::graph::Graph;
use crate::team::on_host;
use crate::weight::Weight;
use context::SHARES;
use cyclic::by_blocks;
use prepared::{Prepared, Way};

pub use context::MaxPlus;
pub use matrix::Star;
pub use options::{PushShape, StarAlgorithm, StarOptions};
pub use told::StarBlocks;

impl<T: Weight> MaxPlus<T> {
    /// The Kleene star: entry `(i, j)` is the weight of the longest path from node `j` to node `i`.
    ///
    /// # Errors
    /// [`MaxPlusError::PositiveCircuit`] with the nodes of a circuit that makes paths longer without end; [`MaxPlusError::Overflow`]
    /// where an integer type does not hold a path; [`MaxPlusError::Large`] where sums of floating-point weights may be infinite;
    /// [`MaxPlusError::Memory`] with the columns that fit; [`MaxPlusError::Device`].
    pub fn star(&self, graph: &Graph<T>) -> Result<Star<T>, MaxPlusError> {
        self.star_with(graph, &StarOptions::new())
    }

    /// [`MaxPlus::star`], as the options say.
    ///
    /// # Errors
    /// As [`MaxPlus::star`], and [`MaxPlusError::Cycle`] where the algorithm is for graphs without circuits.
    #[inline(never)]
    pub fn star_with(&self, graph: &Graph<T>, options: &StarOptions) -> Result<Star<T>, MaxPlusError> {
        self.star_columns(graph, 0..graph.nodes(), options)
    }

    /// The shortest paths between all pairs of nodes: the star over minimum and plus, whose epsilon is the greatest integer or `inf`.
    ///
    /// # Errors
    /// As [`MaxPlus::star`], and [`MaxPlusError::NegativeCircuit`] in place of a positive one.
    #[inline(never)]
    pub fn shortest(&self, graph: &Graph<T>, options: &StarOptions) -> Result<Star<T>, MaxPlusError> {
        self.star_with(&graph.opposite(), options).map(Star::opposite).map_err(MaxPlusError::opposite)
    }

    /// Some columns of the star: the longest paths from these nodes to all.
    ///
    /// # Errors
    /// As [`MaxPlus::star_with`], and [`MaxPlusError::Index`] for columns that the graph has not.
    pub fn star_columns(
        &self,
        graph: &Graph<T>,
        columns: impl RangeBounds<usize>,
        options: &StarOptions,
    ) -> Result<Star<T>, MaxPlusError> {
        let columns = matrix::checked_columns(graph.nodes(), range(&columns, graph.nodes()))?;
        self.columns_of(graph, &Prepared::new(graph, options)?, columns, options)
    }

    /// Columns of the star of a graph that was prepared for all of them.
    #[inline(never)]
    fn columns_of(
        &self,
        graph: &Graph<T>,
        prepared: &Prepared<T>,
        columns: Range<usize>,
        options: &StarOptions,
    ) -> Result<Star<T>, MaxPlusError> {
        match prepared {
            Prepared::Own(way) => self.columns_by(graph, way, columns, options),
            Prepared::Wider(wider, way) => {
                let star = MaxPlus::<T::Wider>::new(self.device()).columns_by(wider, way, columns, options)?;
                wide::narrowed(std::slice::from_ref(self.device()), graph, &star)
            }
        }
    }

    /// Columns of the star of a graph in its own type.
    #[inline(never)]
    fn columns_by(
        &self,
        graph: &Graph<T>,
        way: &Way<T>,
        columns: Range<usize>,
        options: &StarOptions,
    ) -> Result<Star<T>, MaxPlusError> {
        let nodes = graph.nodes();
        if nodes == 0 || columns.is_empty() {
            return Ok(Star::new(nodes, columns, Vec::new()));
        }
        checkpoint()?;
        let mut result = Self::room(nodes, &columns)?;
        match way {
            Way::Exact(ordered) => wide::star(graph, ordered.as_ref(), columns.clone(), &mut result)?,
            Way::Acyclic(ordered) => self.acyclic(ordered, columns.clone(), options, &mut result)?,
            Way::Cyclic(None) => self.cyclic(graph, columns.clone(), options, &mut result)?,
            Way::Cyclic(Some(reduced)) => {
                self.cyclic(&reduced.graph, columns.clone(), options, &mut result)?;
                reduced.restore(graph, columns.clone(), &mut result);
            }
        }
        Ok(Star::new(nodes, columns, result))
    }

    /// The star in blocks of columns that keep within the memory, each given to `take` and then forgotten.
    ///
    /// # Errors
    /// As [`MaxPlus::star_with`], and those of `take`.
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
        let prepared = Prepared::new(graph, options)?;
        for begin in (0..nodes).step_by(width.max(1)) {
            take(self.columns_of(graph, &prepared, begin..(begin + width).min(nodes), options)?)?;
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
    /// As [`MaxPlus::star_with`].
    #[inline(never)]
    pub fn star_on(set: &DeviceSet, graph: &Graph<T>, options: &StarOptions) -> Result<Star<T>, MaxPlusError> {
        match &Prepared::new(graph, options)? {
            Prepared::Own(way) => Self::shared(set, graph, way, options),
            Prepared::Wider(wider, way) => {
                wide::narrowed(set.devices(), graph, &MaxPlus::<T::Wider>::shared(set, wider, way, options)?)
            }
        }
    }

    /// The star by several devices, in the graph's own type.
    #[inline(never)]
    fn shared(set: &DeviceSet, graph: &Graph<T>, way: &Way<T>, options: &StarOptions) -> Result<Star<T>, MaxPlusError> {
        let nodes = graph.nodes();
        if nodes == 0 || set.devices().len() == 1 || matches!(way, Way::Exact(_)) {
            return Self::new(&set.devices()[0]).columns_by(graph, way, 0..nodes, options);
        }
        if let Way::Cyclic(reduced) = way {
            if let Some(alone) = Self::alone(set, nodes, options) {
                match alone.columns_by(graph, way, 0..nodes, options) {
                    // Without the room, or broken: blocks take less of it, and others do the work of a device that fails.
                    Err(MaxPlusError::Device(error)) if !matches!(error, DeviceError::Cancelled) => {}
                    result => return result,
                }
            }
            let mut entries = Self::room(nodes, &(0..nodes))?;
            let arcs = reduced.as_ref().map_or(graph, |reduced| &reduced.graph);
            by_blocks(set, arcs, 0..nodes, options, &mut entries)?;
            if let Some(reduced) = reduced {
                reduced.restore(graph, 0..nodes, &mut entries);
            }
            return Ok(Star::new(nodes, 0..nodes, entries));
        }
        // Each range takes another copy of the arcs to its device.
        let least = nodes.div_ceil(SHARES * set.devices().len());
        let parts =
            set.share(nodes, least, |device, columns| Self::new(device).columns_by(graph, way, columns, options))?;
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

    /// [`MaxPlus::shortest`] by several devices together, as [`MaxPlus::star_on`].
    ///
    /// # Errors
    /// As [`MaxPlus::shortest`].
    #[inline(never)]
    pub fn shortest_on(set: &DeviceSet, graph: &Graph<T>, options: &StarOptions) -> Result<Star<T>, MaxPlusError> {
        Self::star_on(set, &graph.opposite(), options).map(Star::opposite).map_err(MaxPlusError::opposite)
    }
}
