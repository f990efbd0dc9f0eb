//! The plan of an OpenCL device for elimination of a matrix of doubles by blocks: the one that it takes, and what it calls. All give the same bits.

use manycore_device::{Buffer, Device, OpenCl};

use super::device_blocks::{self, Eliminated};
use super::device_whole::{self, Shape};
use super::options::{Pivoting, RealPlan};
use crate::error::LinalgError;

impl RealPlan {
    fn fits(self, cl: &OpenCl, order: usize) -> bool {
        match self {
            Self::Rows => true,
            Self::Whole { block } => Shape::of(cl, order, block).is_some(),
        }
    }

    /// The plan, unless the device cannot run it.
    pub(super) fn checked(self, cl: &OpenCl, order: usize) -> Result<Self, LinalgError> {
        if self.fits(cl, order) {
            Ok(self)
        } else {
            Err(LinalgError::RealPlan { plan: self, order, device: cl.info().name.clone() })
        }
    }

    /// One launch where the device can, by blocks of 32 rows where no cache holds the matrix: they pass over it half as often as
    /// blocks of 16, whose kernels are built in a third of the time.
    pub(super) fn chosen(device: &Device, cl: &OpenCl, order: usize) -> Self {
        let cache = device.machine().caches.last().map_or(0, |cache| cache.bytes);
        let bytes = (order as u64).saturating_pow(2).saturating_mul(size_of::<f64>() as u64);
        let blocks = if bytes <= cache { [16, 32] } else { [32, 16] };
        blocks.map(|block| Self::Whole { block }).into_iter().find(|plan| plan.fits(cl, order)).unwrap_or(Self::Rows)
    }

    pub(super) fn eliminate(
        self,
        device: &Device,
        cl: &OpenCl,
        order: usize,
        a: Buffer<f64>,
        pivoting: Pivoting,
    ) -> Result<Eliminated, LinalgError> {
        let shape = match self {
            Self::Whole { block } => Shape::of(cl, order, block),
            Self::Rows => None,
        };
        match shape {
            Some(shape) => device_whole::eliminate(device, cl, order, a, pivoting, shape),
            None => device_blocks::eliminate(device, cl, order, a, pivoting),
        }
    }
}
