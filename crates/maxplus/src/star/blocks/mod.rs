//! Star of any graph in blocks of the host's memory, which devices and their lanes share and which need not fit any (Venkataraman, Sahni
//! and Mukhopadhyaya, "A blocked all-pairs shortest-paths algorithm", 2003, in two levels).
//!
//! For each block P of nodes in turn: the star of W[P, P] by one device; rows W[P, C] and columns W[R, P] for all other blocks C and R,
//! shared; then W[R, C] = max(W[R, C], W[R, P] W[P, C]), shared. Within P pivots go by diagonal blocks of the smaller level, as on one
//! device. What rows and columns are at the pivot of each diagonal block goes round, not what they are in the end, so that every path is
//! summed in the order of one device: floating point has the same bits, where devices have diagonal blocks of the same size.
//!
//! | file | what |
//! |---|---|
//! | `driver` | the order of blocks, and what goes where |
//! | `factors` | what goes round |
//! | `device` | steps of blocks on an OpenCL device |
//! | `host` | steps of blocks on the host's threads |

mod device;
mod driver;
mod factors;
mod host;

use manycore_device::{DeviceError, Executor};

use super::context::MaxPlus;
use super::device::{OnDevice, block as block_of_device};
use super::tiles;
use crate::weight::Weight;
use factors::{Factors, Panel, Pivot};

pub(super) use driver::{closure, cut, fits};

impl<T: Weight> MaxPlus<T> {
    /// Rows and columns of a diagonal block; `None` where the device takes none.
    fn side(&self) -> Option<usize> {
        match self.device().executor() {
            Executor::Host(_) => Some(tiles::block::<T>()),
            Executor::OpenCl(cl) => block_of_device::<T>(cl),
        }
    }

    /// Whether diagonal blocks are of the size that others have.
    fn takes(&self, side: usize) -> Result<(), DeviceError> {
        if self.side() == Some(side) {
            return Ok(());
        }
        let feature = format!("a star in diagonal blocks of {side}");
        Err(DeviceError::Unsupported { device: self.device().info().label(), feature })
    }

    /// The star of a block of `order` pivots; `None` where a circuit is positive.
    fn pivot(&self, (order, side): (usize, usize), block: &[T]) -> Result<Option<Pivot<T>>, DeviceError> {
        self.takes(side)?;
        match self.device().executor() {
            Executor::Host(pool) => host::pivot(pool, (order, side), block),
            Executor::OpenCl(cl) => OnDevice { planner: &self.planner, cl }.pivot((order, side), block),
        }
    }

    /// Rows of pivots in `width` columns.
    fn panel(&self, factors: &Factors<T>, tile: Vec<T>, width: usize) -> Result<Panel<T>, DeviceError> {
        self.takes(factors.side)?;
        match self.device().executor() {
            Executor::Host(pool) => host::panel(pool, factors, tile, width),
            Executor::OpenCl(cl) => OnDevice { planner: &self.planner, cl }.panel(factors, &tile, width),
        }
    }
}
