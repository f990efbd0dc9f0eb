//! The ways of an OpenCL device to eliminate a matrix of doubles by blocks, all to the same bits.

use std::fmt;

use manycore_device::{Buffer, Device, OpenCl};

use super::Pivoting;
use super::device_blocks::{self, Eliminated};
use super::device_whole::{self, BLOCKS, Shape};
use crate::error::LinalgError;

/// How an OpenCL device eliminates a matrix of doubles by blocks of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RealPlan {
    /// A launch for each row of a block, and two for the rows below it.
    Rows,
    /// One launch, in which groups wait for each other; blocks of 8, 16 or 32 rows, whose columns stand in registers.
    Whole {
        /// Rows of a block.
        block: usize,
    },
}

impl fmt::Display for RealPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rows => f.write_str("a launch a row"),
            Self::Whole { block } => write!(f, "one launch, blocks of {block} rows"),
        }
    }
}

impl RealPlan {
    /// All that a device can run for matrices of an order, the one of the fewest launches and meetings first.
    pub(super) fn all(cl: &OpenCl, order: usize) -> impl Iterator<Item = Self> {
        let whole = BLOCKS.map(|block| Self::Whole { block });
        whole.into_iter().rev().filter(move |plan| plan.fits(cl, order)).chain([Self::Rows])
    }

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

    /// The plan of the fewest launches and meetings, which all take the same products.
    pub(super) fn chosen(cl: &OpenCl, order: usize) -> Self {
        Self::all(cl, order).next().unwrap_or(Self::Rows)
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
