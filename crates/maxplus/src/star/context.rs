//! The context of stars on a device: its planner, the algorithms that were taken, and what fits its memory.

use std::marker::PhantomData;
use std::ops::Range;

use manycore_device::{Control, Device, DeviceError, DeviceKind, DeviceSet};
use manycore_tuning::{Planner, Plans};

use super::cost::StarShape;
use super::options::{StarAlgorithm, StarOptions};
use crate::error::MaxPlusError;
use crate::weight::Weight;

/// Ranges of columns of a device, at most, where several share them.
pub(super) const SHARES: usize = 4;

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
    pub(super) planner: Planner,
    pub(super) chosen: Plans<StarShape, StarAlgorithm>,
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

    /// A GPU of several devices that holds the matrix of a graph with circuits. Tiles cross the bus for each block of pivots, so that it
    /// takes half the time of two that share them.
    pub(super) fn alone(set: &DeviceSet, nodes: usize, options: &StarOptions) -> Option<Self> {
        let gpus = set.devices().iter().filter(|device| device.info().kind == DeviceKind::Gpu);
        let matrix = (nodes as u64).saturating_mul(nodes as u64).saturating_mul(size_of::<T>() as u64);
        let holding = gpus.filter(|device| matrix <= device.info().largest_allocation_bytes);
        holding.map(Self::new).find(|gpu| gpu.columns_that_fit(nodes, options) >= nodes)
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

    pub(super) fn no_room(&self, nodes: usize, options: &StarOptions) -> MaxPlusError {
        let bytes = (nodes as u64).saturating_mul(nodes as u64).saturating_mul(2 * size_of::<T>() as u64);
        let columns = self.columns_that_fit(nodes, options);
        MaxPlusError::Memory { nodes, bytes, limit: self.limit(options), columns }
    }

    /// The result's entries on the host.
    pub(super) fn room(nodes: usize, columns: &Range<usize>) -> Result<Vec<T>, MaxPlusError> {
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
}
