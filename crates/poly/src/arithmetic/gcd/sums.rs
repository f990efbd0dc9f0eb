//! The sums of products in a step of half-gcd, and what a ring keeps of choices: plans, and how sums are made.

use std::any::Any;

use manycore_device::Cache;
use manycore_tuning::Plans;

use super::plan::{GcdPlan, GcdShape};
use crate::arithmetic::multiply::transform::shape::Shape;

/// Coefficients past the length of a transform, at most.
const MOST_WRAPPED: usize = 2;

/// Sums of two products each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Sums {
    /// The products.
    pub(super) shape: Shape,
    /// Coefficients of a sum, those below the ones wanted among them.
    coefficients: usize,
    /// Transforms of a route by spectra.
    pub(super) transforms: usize,
    /// Numbers that are read back from a device.
    pub(super) round_trips: u32,
}

impl Sums {
    /// A matrix of degree `matrix` times a pair of which `n` coefficients count: the coefficients `low..len` of the next pair, which
    /// has no higher ones.
    pub(super) fn apply(matrix: usize, n: usize, (low, len): (usize, usize)) -> Self {
        let shape = Shape { count: 4, n: matrix + 1, m: n, low, len: len - low, square: false };
        Self { shape, coefficients: len, transforms: 4 + 2 + 2, round_trips: 1 }
    }

    /// A product of matrices of these degrees; the spectra of the right one may be known.
    pub(super) fn multiply(left: usize, right: usize, known: bool) -> Self {
        let shape = Shape { count: 8, ..Shape::full(left + 1, right + 1) };
        let transforms = if known { 4 + 4 } else { 8 + 4 };
        Self { shape, coefficients: left + right + 1, transforms, round_trips: 0 }
    }

    /// The base-2 logarithm of the length of transforms.
    pub(super) fn log_len(&self) -> u32 {
        log_len(self.coefficients)
    }
}

/// Which sums are made by spectra; nothing is locked while an estimate is made.
#[derive(Debug)]
pub(super) struct SumRoutes(pub(super) Cache<Sums, dyn Any + Send + Sync>);

impl Default for SumRoutes {
    fn default() -> Self {
        Self(Cache::at_most(1 << 12))
    }
}

/// The base-2 logarithm of the length of the transforms for sums of `coefficients` coefficients.
pub(super) fn log_len(coefficients: usize) -> u32 {
    let floor = coefficients.max(1).ilog2();
    if coefficients - (1 << floor).min(coefficients) <= MOST_WRAPPED { floor } else { floor + 1 }
}

/// The plans that are taken, by shape; nothing is locked while a choice is made.
#[derive(Debug, Default)]
pub(crate) struct GcdPlans {
    pub(super) chosen: Plans<GcdShape, GcdPlan>,
    pub(super) sums: SumRoutes,
}
