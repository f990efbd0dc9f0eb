//! Products by transforms, as the planner sees them.

use manycore_device::{Buffer, DeviceError};
use manycore_tuning::{NoChoice, Operation};

use super::{ProductError, Route, Shape, TransformProduct};
use manycore_transform::NttField;

impl<F: NttField> Operation for TransformProduct<F> {
    type Costs = Self;
    /// Factors of zeros, the second one of no words for a square, and memory for the products.
    type Trial = [Buffer<F::Element>; 3];
    type Error = ProductError;

    fn revision(&self) -> u64 {
        crate::REVISION
    }

    fn costs(&self) -> &Self {
        self
    }

    /// The prime counts by its bits and its roots of unity.
    fn family(&self, shape: &Shape) -> String {
        let (p, words) = (self.field().order(), 8 * size_of::<F::Element>());
        let (bits, roots) = (u64::BITS - p.leading_zeros(), self.field().two_adicity());
        let form = if shape.square { "squares" } else { "products" };
        format!("{form} by transforms, {words}-bit words mod {bits} bits with roots of order 2^{roots}")
    }

    fn sizes(&self, shape: &Shape) -> Vec<usize> {
        shape.sizes()
    }

    fn arrays(&self, shape: &Shape) -> usize {
        shape.count
    }

    fn refused(&self, shape: &Shape, none: NoChoice) -> ProductError {
        match shape.trimmed() {
            Some(trimmed) if none.first.is_none() => {
                let values = trimmed.terms().max(1).checked_next_power_of_two();
                let log_order = values.map_or(usize::BITS, usize::ilog2);
                ProductError::NoRoute { log_order, reason: format!("modulo {}", self.field().order()) }
            }
            _ => none.into(),
        }
    }

    fn trial(&self, shape: &Shape) -> Result<Self::Trial, ProductError> {
        let zeros = |len: usize| -> Result<Buffer<F::Element>, DeviceError> {
            let mut zeros = self.device().scratch(shape.count.saturating_mul(len))?;
            // Written, so that the host's memory has pages of its own.
            zeros.fill(self.field().zero())?;
            Ok(zeros)
        };
        let second = if shape.is_square() { 0 } else { shape.m };
        Ok([zeros(shape.n)?, zeros(second)?, zeros(shape.len)?])
    }

    fn try_plan(&self, shape: &Shape, [a, b, out]: &mut Self::Trial, route: &Route) -> Result<(), ProductError> {
        let b = if shape.is_square() { &*a } else { &*b };
        self.run((&*a).into(), b.into(), shape, route, out.into())
    }
}
